//! The work: from a configuration to a dataset.

//! The files of a dataset on disk: records, splits, statistics, state. Knows no engine.

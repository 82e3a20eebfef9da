//! Which program this is: its version and, where git was there at build time, its revision.

/// Version of the package.
pub(crate) const GENERATOR_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Full hash of the commit it was built from, where that is known.
pub(crate) const GENERATOR_COMMIT: Option<&str> = option_env!("RDG_GIT_COMMIT");

/// Whether the program's sources differed from that commit. `false` where it is not known.
pub(crate) const GENERATOR_DIRTY: bool = matches!(env!("RDG_GIT_DIRTY").as_bytes(), b"true");

/// Whether [`GENERATOR_DIRTY`] could be found out.
pub(crate) const GENERATOR_DIRTY_KNOWN: bool =
    !matches!(env!("RDG_GIT_DIRTY").as_bytes(), b"unknown");

/// Version and revision, for `rdg --version`.
pub(crate) const LONG_VERSION: &str = env!("RDG_LONG_VERSION");

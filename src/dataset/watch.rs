//! How far the reading of large files has come, for whoever shows it.

/// Is told what is going to be read and what has been read, from any thread.
pub trait Watch: Sync {
    /// So many bytes more are going to be read.
    fn expect(&self, bytes: u64);
    /// So many more have been read.
    fn read(&self, bytes: u64);
}

/// Nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn expect(&self, _bytes: u64) {}
    fn read(&self, _bytes: u64) {}
}

//! Many machines, one dataset: a shard plays every Nth game and keeps games only; a merge commits
//! the games of all shards by the rules of one machine.

mod description;
mod merge;
mod numbering;

pub(crate) use description::ShardDescription;
pub(crate) use merge::{MergeRequest, Merged, merge_shards};
pub(crate) use numbering::{Shard, ShardError, UntilGame};

pub(super) use description::describe;

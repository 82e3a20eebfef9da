//! `rdg report`: one page that says whether data is worth training on.
//!
//! The records are read twice, once for what they add up to and once for neighbours across splits, in
//! memory that does not grow with them.

mod attach;
mod boards;
mod charts;
mod escape;
mod gather;
mod json;
mod label_error;
mod page;

pub(crate) use attach::Attachment;
pub(crate) use gather::{Report, gather};
pub(crate) use json::object;
pub(crate) use page::page;

//! Whether an engine is fit for making data: everything about it that can be tried in seconds.
//!
//! [`examine`] starts one engine three times, asks it about known positions, has it play games and
//! repeat them, and measures. A [`Checkup`] is the result: findings with what to do about them, and
//! figures. Knows neither the command line nor where a configuration comes from.

mod advice;
mod ask;
mod checkup;
mod circumstances;
mod cpu;
mod examine;
mod finding;
mod games;
mod json;
mod known;
mod memory;
mod settings;
mod text;

pub(crate) use checkup::{Checkup, Patient, Role};
pub(crate) use circumstances::Circumstances;
pub(crate) use cpu::CpuFeatures;
pub(crate) use examine::examine;
pub(crate) use finding::Check;
pub(crate) use json::json;
pub(crate) use text::{Look, checkup_text, machine_text, summary_text};

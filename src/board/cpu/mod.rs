//! The rules' inner loops for the instruction sets that they are written for.
//!
//! One program runs on any x86-64 and on ARM, and still uses the better instructions where they are
//! there. Two ways lead to them. [`Board`](super::Board)'s methods ask once which CPU this is and
//! then call the fitting function. A loop that is hot enough to be compiled for each instruction
//! set takes a [`Cpu`] as a type parameter: the value proves that its instructions exist.

use super::{flips, last_flips, moves};

/// An instruction set. A value exists only where the machine has it.
pub trait Cpu: Copy + Send + Sync + 'static {
    /// For people: `portable`, `x86-64-v3`, `x86-64-v4`.
    const NAME: &'static str;

    /// Runs `work`, compiled for this instruction set wherever it is inlined: mark the closure
    /// and what it calls `#[inline(always)]`.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// Squares on which the owner of `own` may play.
    fn legal_moves(self, own: u64, opponent: u64) -> u64;

    /// Discs of `opponent` that are turned when the owner of `own` plays on the empty square
    /// `square` (0..=63); 0 when the move is illegal.
    fn flips(self, square: u8, own: u64, opponent: u64) -> u64;

    /// How many discs are turned when the owner of `own` plays on `square`, the last empty square.
    fn last_flips(self, square: u8, own: u64) -> u32;
}

/// The name of the instruction set that this machine's searches run on.
pub fn name() -> &'static str {
    if V4::detect().is_some() {
        V4::NAME
    } else if V3::detect().is_some() {
        V3::NAME
    } else {
        Portable::NAME
    }
}

/// What every machine can do.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Cpu for Portable {
    const NAME: &'static str = "portable";

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn legal_moves(self, own: u64, opponent: u64) -> u64 {
        moves::portable(own, opponent)
    }

    #[inline(always)]
    fn flips(self, square: u8, own: u64, opponent: u64) -> u64 {
        flips::portable(square, own, opponent)
    }

    #[inline(always)]
    fn last_flips(self, square: u8, own: u64) -> u32 {
        last_flips::portable(square, own)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod elsewhere;
#[cfg(not(target_arch = "x86_64"))]
pub use elsewhere::{V3, V4};

#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86_64")]
pub(super) use x86::or_lanes;
#[cfg(target_arch = "x86_64")]
pub use x86::{V3, V4};

#[cfg(test)]
mod tests;

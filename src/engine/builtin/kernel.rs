//! The recursive functions of the search, compiled once for each instruction set.
//!
//! A function that calls itself cannot be inlined into one that is compiled for better instructions,
//! so each recursive function stands here once per instruction set, around a body that is written
//! once and inlined into all of them. Bodies, and what they call on every node, are
//! `#[inline(always)]`; they recurse through [`Kernel`], never directly.

use crate::board::cpu::{Cpu, Portable, V3, V4};

use super::worker::{Line, Worker};
use super::{endgame, midgame};
use crate::board::Board;

macro_rules! compiled_for {
    (
        $cpu:ident, $features:literal,
        $(fn $name:ident($($arg:ident: $type:ty),*) -> i32 = $body:path;)*
    ) => {
        impl Kernel for $cpu {
            $(#[inline(always)]
            fn $name(worker: &mut Worker<'_, Self>, $($arg: $type),*) -> i32 {
                #[cfg_attr(target_arch = "x86_64", target_feature(enable = $features))]
                #[inline(never)]
                unsafe fn compiled(worker: &mut Worker<'_, $cpu>, $($arg: $type),*) -> i32 {
                    $body(worker, $($arg),*)
                }
                // SAFETY: the worker holds a value of this type, which is only made where its
                // instructions were detected.
                unsafe { compiled(worker, $($arg),*) }
            })*
        }
    };
}

macro_rules! compiled_for_each_cpu {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> i32 = $body:path;)*) => {
        /// The search on one instruction set.
        pub(super) trait Kernel: Cpu {
            $($(#[$doc])* fn $name(worker: &mut Worker<'_, Self>, $($arg: $type),*) -> i32;)*
        }

        impl Kernel for Portable {
            $(#[inline(never)]
            fn $name(worker: &mut Worker<'_, Self>, $($arg: $type),*) -> i32 {
                $body(worker, $($arg),*)
            })*
        }

        compiled_for!(V3, "avx2,bmi1,bmi2,lzcnt,popcnt",
            $(fn $name($($arg: $type),*) -> i32 = $body;)*);
        compiled_for!(V4, "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt",
            $(fn $name($($arg: $type),*) -> i32 = $body;)*);
    };
}

compiled_for_each_cpu! {
    /// Exact value within a window, and the line to it.
    fn endgame_pv(board: Board, alpha: i32, beta: i32, line: &mut Line) -> i32 = endgame::pv;
    /// Exact null-window search with table and sorted moves.
    fn endgame_deep(board: Board, legal: u64, alpha: i32) -> i32 = endgame::deep;
    /// Exact null-window search with sorted moves and little else.
    fn endgame_middle(board: Board, legal: u64, alpha: i32) -> i32 = endgame::middle;
    /// Exact null-window search of few empties, by parity.
    fn endgame_shallow(board: Board, legal: u64, alpha: i32) -> i32 = endgame::shallow;
    /// Exact null-window search of the last four empties.
    fn endgame_last_four(board: Board, alpha: i32) -> i32 = endgame::last_four;
    /// Exact null-window search of the last three empties.
    fn endgame_last_three(board: Board, a: u8, b: u8, c: u8, alpha: i32) -> i32 = endgame::last_three;
    /// Exact null-window search of the last two empties.
    fn endgame_last_two(board: Board, a: u8, b: u8, alpha: i32) -> i32 = endgame::last_two;
    /// Value of a depth within a window, and the line to it.
    fn midgame_pv(board: Board, depth: u32, alpha: i32, beta: i32, line: &mut Line) -> i32 = midgame::pv;
    /// Null-window search of a depth.
    fn midgame_null_window(board: Board, depth: u32, alpha: i32) -> i32 = midgame::null_window;
}

/// Calls `$search` with the best instructions of this machine.
macro_rules! on_best_cpu {
    (|$cpu:ident| $search:expr) => {
        if let Some($cpu) = $crate::board::cpu::V4::detect() {
            $search
        } else if let Some($cpu) = $crate::board::cpu::V3::detect() {
            $search
        } else {
            let $cpu = $crate::board::cpu::Portable;
            $search
        }
    };
}

pub(super) use on_best_cpu;

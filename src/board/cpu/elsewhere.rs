//! Elsewhere than on x86-64 nothing can be a [`V3`] or [`V4`].

use super::Cpu;

macro_rules! absent {
    ($type:ident, $name:literal) => {
        /// Instructions of x86-64, of which this machine has none.
        #[derive(Clone, Copy, Debug)]
        pub enum $type {}

        impl $type {
            /// `None`.
            #[inline(always)]
            pub fn detect() -> Option<$type> {
                None
            }
        }

        impl Cpu for $type {
            const NAME: &'static str = $name;

            fn run<R>(self, _work: impl FnOnce() -> R) -> R {
                match self {}
            }

            fn legal_moves(self, _own: u64, _opponent: u64) -> u64 {
                match self {}
            }

            fn flips(self, _square: u8, _own: u64, _opponent: u64) -> u64 {
                match self {}
            }

            fn last_flips(self, _square: u8, _own: u64) -> u32 {
                match self {}
            }
        }
    };
}

absent!(V3, "x86-64-v3");
absent!(V4, "x86-64-v4");

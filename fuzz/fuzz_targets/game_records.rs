#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rdg::fuzz::game_records(data));

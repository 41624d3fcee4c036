//! The program `pgn2epd`.

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

/// For programs that are linked with musl, whose allocator takes a lock for every thread.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let given: Vec<OsString> = env::args_os().collect();
    pgn2epd_cli::run(&given).into()
}

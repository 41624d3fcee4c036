//! The program `pgn2epd`.

#[cfg(not(windows))]
use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

/// Replaces the allocator of musl, which takes a lock for every thread.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[cfg(not(windows))]
    let given = env::args_os();
    // The shells of Windows leave wildcards to the program.
    #[cfg(windows)]
    let given = wild::args_os();
    let given: Vec<OsString> = given.collect();
    pgn2epd_cli::run(&given).into()
}

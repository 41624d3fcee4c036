//! `pgn2epd`: chess games to positions.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}

//! The program `pgn2epd`: a client of the library of the same name.
//!
//! `args` parses the command line, `inputs` opens the inputs, `run` executes the commands, and
//! `report` prints messages, `empty_output` why the output is empty; `progress`, `output`, `exit`
//! and `version` are named after their purpose.

mod args;
mod empty_output;
mod exit;
mod inputs;
mod output;
mod progress;
mod report;
mod run;
mod version;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use exit::FAILED;
use output::OutputError;
use pgn2epd::output::printable;

/// For programs that are linked with musl, whose allocator takes a lock for every thread.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    pgn2epd::output::remove_on_signals();
    let args = match args::parse() {
        Ok(args) => args,
        Err(advice) => return advise(&advice),
    };
    match run::run(&args) {
        Ok(outcome) => outcome.into(),
        // The reader of the output has closed it.
        Err(error) if OutputError::find(&*error).is_some_and(OutputError::is_closed_stdout) => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            report::failure(&error);
            ExitCode::from(FAILED)
        }
    }
}

/// Prints the help, the version, or the error in the arguments.
fn advise(advice: &clap::Error) -> ExitCode {
    let text = advice.render().to_string();
    let is_printable = |text: &str| text.lines().all(|line| printable(line) == line);
    // The text is without escape sequences: those of its colours and of the arguments.
    let mut args = env::args_os();
    if advice.use_stderr()
        && !(is_printable(&text) && args.all(|arg| is_printable(&arg.to_string_lossy())))
    {
        // The arguments have characters that a terminal acts upon.
        let lines: Vec<String> = text.lines().map(printable).collect();
        report::print(&lines.join("\n"));
        return ExitCode::from(FAILED);
    }
    let printed = advice.print().and_then(|()| io::stdout().flush());
    match printed {
        _ if advice.use_stderr() => ExitCode::from(FAILED),
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            report::failure(&OutputError::from(error).into());
            ExitCode::from(FAILED)
        }
        _ => ExitCode::SUCCESS,
    }
}

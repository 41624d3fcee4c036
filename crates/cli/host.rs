//! What the program needs of what runs it: a process of its own, or an interpreter.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use pgn2epd::Summary;
use pgn2epd::analyse::StopCheck;
use pgn2epd::input::Input;
use pgn2epd::output::Output;

use crate::report::ReportLine;

/// What runs the program. All but [`Host::is_stopped`] is called in the thread of the run.
pub trait Host: Send + Sync {
    /// Returns the next input for which `-` stands.
    fn stdin(&self) -> Input;

    /// Returns the output for which `-` stands.
    fn stdout(&self) -> Output;

    /// Takes messages, in whole lines.
    fn message(&self, text: &str);

    /// Takes a warning about options.
    fn warning(&self, text: &str) {
        self.message(&format!("pgn2epd: warning: {text}\n"));
    }

    /// Takes a problem of the input or of an engine, unless its message is to be printed.
    fn finding(&self, _finding: &ReportLine<'_>, _message: &str) -> bool {
        false
    }

    /// Takes the error of an input that cannot be read, or not to its end.
    fn unreadable(&self, _error: &anyhow::Error) {}

    /// Takes the totals so far; a break ends the run.
    fn progress(&self, _summary: &Summary) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Whether the run is to end.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Takes what the command has counted.
    fn result(&self, _result: serde_json::Value) {}

    /// Takes the error that ended the run, and its message.
    fn failed(&self, _error: &anyhow::Error, message: &str) {
        self.message(&format!("{message}\n"));
    }

    /// Whether standard input, output and error are those of the process.
    fn is_process(&self) -> bool {
        false
    }
}

thread_local! {
    static HOST: RefCell<Arc<dyn Host>> = RefCell::new(Arc::new(ProcessHost));
}

pub(crate) fn host() -> Arc<dyn Host> {
    HOST.with_borrow(Arc::clone)
}

pub(crate) fn with<T>(host: Arc<dyn Host>, run: impl FnOnce() -> T) -> T {
    let before = HOST.replace(host);
    let done = run();
    HOST.set(before);
    done
}

pub(crate) fn check() -> anyhow::Result<()> {
    if host().is_stopped() {
        anyhow::bail!("interrupted");
    }
    Ok(())
}

pub(crate) fn stop_check() -> StopCheck {
    let host = host();
    StopCheck::new(move || host.is_stopped())
}

struct ProcessHost;

impl Host for ProcessHost {
    fn stdin(&self) -> Input {
        crate::files::enlarge(&io::stdin());
        Input::reader("-", Stdin { stdin: io::stdin(), is_over: false })
    }

    fn stdout(&self) -> Output {
        crate::files::enlarge(&io::stdout());
        Output::stdout()
    }

    /// Write errors are ignored: a message never ends a run.
    fn message(&self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    fn is_process(&self) -> bool {
        true
    }
}

/// Standard input that stays at its end: on a terminal, each read would need another Ctrl-D.
struct Stdin {
    stdin: io::Stdin,
    is_over: bool,
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        let len = self.stdin.read(buffer)?;
        self.is_over = len == 0 && !buffer.is_empty();
        Ok(len)
    }
}

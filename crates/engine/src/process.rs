//! A running program: its lines, and its end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::EngineCommand;
use crate::error::EngineError;

/// A running engine. A time-out kills it, which ends the reading of its output.
pub(crate) struct Process {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
    timeout: Duration,
    watched: Arc<Watched>,
    /// The end of what it wrote to standard error, once that is closed.
    messages: Receiver<Vec<u8>>,
}

/// What the thread that waits for time-outs shares.
struct Watched {
    state: Mutex<State>,
    is_over: Condvar,
}

struct State {
    child: Child,
    /// When the engine is killed; `None` while nothing is expected of it.
    deadline: Option<Instant>,
    is_expired: bool,
    is_over: bool,
}

/// The longest line of an engine, in bytes: a longer one is garbage, and would take memory.
const LONGEST_LINE: u64 = 64 << 10;

/// How much of standard error is kept, in bytes.
const MESSAGE: usize = 400;

/// How long an engine may take to end after `quit`, and the rest of its messages to arrive.
const END: Duration = Duration::from_millis(500);

impl Process {
    pub(crate) fn start(
        command: &EngineCommand,
        timeout: Duration,
        is_dropped: Arc<AtomicBool>,
    ) -> Result<Self, EngineError> {
        let failed = |source| EngineError::Start { program: command.program().to_owned(), source };
        let mut prepared = command.to_command();
        prepared.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, to be killed with what the engine has started; an interrupt of the
        // terminal ends it by the end of its input.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut prepared, 0);
        let mut child = prepared.spawn().map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            unreachable!("all are pipes")
        };
        let state = State { child, deadline: None, is_expired: false, is_over: false };
        let watched = Arc::new(Watched { state: Mutex::new(state), is_over: Condvar::new() });
        let watching = watched.clone();
        let (sender, messages) = sync_channel(1);
        let started = spawn("engine messages", move || {
            // The message is dropped if the engine has ended without an error.
            let _ = sender.send(last_bytes(errors));
        })
        .and_then(|()| spawn("engine time-out", move || watching.watch(timeout, &is_dropped)));
        if let Err(error) = started {
            watched.end();
            return Err(failed(error));
        }
        let (output, line) = (BufReader::new(output), Vec::new());
        Ok(Process { input, output, line, timeout, watched, messages })
    }

    /// Sends lines, of which each ends with a line feed.
    pub(crate) fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.watched.state().deadline = Some(Instant::now() + self.timeout);
        match self.input.write_all(lines.as_bytes()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.ended()),
        }
    }

    /// Returns the next line, which comes within the time-out and this time.
    pub(crate) fn line(&mut self, more: Duration) -> Result<String, EngineError> {
        self.watched.state().deadline = Some(Instant::now() + self.timeout + more);
        self.line.clear();
        let mut output = (&mut self.output).take(LONGEST_LINE);
        // A killed engine closes its output.
        if output.read_until(b'\n', &mut self.line).is_err() || !self.line.ends_with(b"\n") {
            return Err(match self.line.len() as u64 {
                LONGEST_LINE => EngineError::Garbage(excerpt(&self.line)),
                _ => self.ended(),
            });
        }
        Ok(String::from_utf8_lossy(self.line.trim_ascii()).into_owned())
    }

    /// Takes note that nothing is expected of the engine.
    pub(crate) fn rest(&mut self) {
        self.watched.state().deadline = None;
    }

    /// Returns how the engine ended, and makes sure that it did.
    fn ended(&mut self) -> EngineError {
        let status = self.watched.end();
        if self.watched.state().is_expired {
            return EngineError::Silent(self.timeout);
        }
        let messages = self.messages.recv_timeout(END).unwrap_or_default();
        let last =
            messages.split(|byte| *byte == b'\n').rfind(|line| !line.trim_ascii().is_empty());
        EngineError::Ended { status, said: last.map(excerpt).unwrap_or_default() }
    }
}

impl Drop for Process {
    /// Ends the engine: it may do so by itself for a moment.
    fn drop(&mut self) {
        let is_over = self.watched.state().is_over;
        if !is_over && self.input.write_all(b"quit\n").is_ok() {
            self.watched.state().deadline = Some(Instant::now() + END);
            let _ = io::copy(&mut self.output, &mut io::sink());
        }
        self.watched.end();
    }
}

impl Watched {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills the engine at its deadline, or when it is not needed any more.
    fn watch(&self, timeout: Duration, is_dropped: &AtomicBool) {
        let mut state = self.state();
        while !state.is_over {
            let now = Instant::now();
            // A deadline that is set meanwhile is not earlier.
            let wait = match state.deadline {
                _ if is_dropped.load(Ordering::Relaxed) => return kill(&mut state.child),
                Some(deadline) if deadline <= now => {
                    state.is_expired = true;
                    kill(&mut state.child);
                    return;
                }
                Some(deadline) => deadline - now,
                None => timeout,
            };
            state = self
                .is_over
                .wait_timeout(state, wait.min(END))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Kills the engine if it is still running.
    fn end(&self) -> Option<std::process::ExitStatus> {
        let mut state = self.state();
        if !state.is_over {
            kill(&mut state.child);
        }
        state.is_over = true;
        self.is_over.notify_all();
        state.child.wait().ok()
    }
}

/// Kills a process that has not been waited for, with its group.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Reads all messages, so that the engine never waits for a full pipe, and returns the last bytes.
fn last_bytes(mut errors: ChildStderr) -> Vec<u8> {
    let mut last = Vec::new();
    let mut bytes = [0; 4096];
    while let Ok(len @ 1..) = errors.read(&mut bytes) {
        last.extend_from_slice(&bytes[..len]);
        last.drain(..last.len().saturating_sub(MESSAGE));
    }
    last
}

/// Returns the beginning of a text for a message.
pub(crate) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text.trim_ascii());
    let printable = text.chars().take(80).map(|c| if c.is_control() { ' ' } else { c });
    printable.collect()
}

//! A running program: its lines, and its end.

use std::io::{Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use std::{io, mem};

use crate::command::EngineCommand;
use crate::error::EngineError;

pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    /// Read by a thread, so that waiting ends even if another process keeps the output open.
    output: Receiver<Vec<u8>>,
    /// The piece of it that is read, and where.
    piece: Vec<u8>,
    at: usize,
    /// The beginning of a line.
    line: Vec<u8>,
    /// The end of what it wrote to standard error, once that is closed.
    messages: Receiver<Vec<u8>>,
    is_dropped: Arc<AtomicBool>,
    is_over: bool,
}

/// The longest line of an engine, in bytes: a longer one is garbage, and would take memory.
const LONGEST_LINE: usize = 64 << 10;

/// The most that is read at once, in bytes.
const PIECE: usize = 8 << 10;

/// How much of standard error is kept, in bytes.
const MESSAGE: usize = 400;

/// How long an engine may take to end after `quit`, and the rest of its messages to arrive.
const END: Duration = Duration::from_millis(500);

impl Process {
    /// Starts an engine, which is killed when `is_dropped` is set.
    pub(crate) fn start(
        command: &EngineCommand,
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
        // Not more, so that lines collect in the pipe until they are read.
        let ((pieces, output_pieces), (sender, messages)) = (sync_channel(1), sync_channel(1));
        let started = spawn("engine messages", move || {
            // The message is dropped if the engine has ended without an error.
            let _ = sender.send(last_bytes(errors));
        })
        .and_then(|()| spawn("engine output", move || pass_on(output, &pieces)));
        let mut process = Process {
            child,
            input,
            output: output_pieces,
            piece: Vec::new(),
            at: 0,
            line: Vec::new(),
            messages,
            is_dropped,
            is_over: false,
        };
        if let Err(error) = started {
            process.end();
            return Err(failed(error));
        }
        Ok(process)
    }

    /// Sends lines, of which each ends with a line feed.
    pub(crate) fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.input.write_all(lines.as_bytes()).map_err(|_| self.ended())
    }

    /// Returns the next line; `None` if there is none before the deadline.
    pub(crate) fn line(
        &mut self,
        deadline: Option<Instant>,
    ) -> Result<Option<String>, EngineError> {
        let mut has_ended = false;
        loop {
            let rest = &self.piece[self.at..];
            let end = rest.iter().position(|byte| *byte == b'\n');
            self.line.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            if self.line.len() >= LONGEST_LINE {
                return Err(EngineError::Garbage(excerpt(&self.line)));
            }
            if let Some(end) = end {
                self.at += end + 1;
                let line = mem::take(&mut self.line);
                return Ok(Some(String::from_utf8_lossy(line.trim_ascii()).into_owned()));
            }
            self.at = self.piece.len();
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            // Also if the engine goes on writing.
            if left == Some(Duration::ZERO) {
                return Ok(None);
            }
            let wait = if has_ended { Duration::ZERO } else { left.unwrap_or(END).min(END) };
            match self.output.recv_timeout(wait) {
                Ok(piece) => (self.piece, self.at) = (piece, 0),
                Err(RecvTimeoutError::Timeout) if !has_ended => {
                    has_ended = self.is_dropped.load(Ordering::Relaxed) || self.has_ended();
                }
                Err(_) => return Err(self.ended()),
            }
        }
    }

    /// Whether the engine has ended; it is still to be waited for.
    #[cfg(unix)]
    fn has_ended(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let id = Pid::from_raw(self.child.id() as i32);
        id.is_some_and(|id| matches!(waitid(WaitId::Pid(id), options), Ok(Some(_))))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Returns how the engine ended, and makes sure that it did.
    fn ended(&mut self) -> EngineError {
        let status = self.end();
        let messages = self.messages.recv_timeout(END).unwrap_or_default();
        let last =
            messages.split(|byte| *byte == b'\n').rfind(|line| !line.trim_ascii().is_empty());
        EngineError::Ended { status, said: last.map(excerpt).unwrap_or_default() }
    }

    /// Kills the engine, if it is still running, with its group.
    fn end(&mut self) -> Option<std::process::ExitStatus> {
        if !self.is_over {
            #[cfg(unix)]
            if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            let _ = self.child.kill();
        }
        self.is_over = true;
        self.child.wait().ok()
    }
}

impl Drop for Process {
    /// Ends the engine: it may do so by itself for a moment.
    fn drop(&mut self) {
        if !self.is_over && self.input.write_all(b"quit\n").is_ok() {
            let deadline = Instant::now() + END;
            while let Ok(Some(_)) = self.line(Some(deadline)) {}
        }
        self.end();
    }
}

/// Passes on what an engine writes, up to its end, or until the receiver is gone.
fn pass_on(mut output: ChildStdout, pieces: &SyncSender<Vec<u8>>) {
    let mut bytes = [0; PIECE];
    while let Ok(len @ 1..) = output.read(&mut bytes) {
        if pieces.send(bytes[..len].to_vec()).is_err() {
            break;
        }
    }
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

pub(crate) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text.trim_ascii());
    let printable = text.chars().take(80).map(|c| if c.is_control() { ' ' } else { c });
    printable.collect()
}

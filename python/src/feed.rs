//! A tabulation on a separate thread, with a bounded queue to its reader.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use pgn2epd::input::InputError;
use pgn2epd::options::Filter;
use pgn2epd::table::{Column, Rows};
use pgn2epd::{Conversion, ConvertError, Observer, Options, Summary};
use pgn2epd_cli::ReportLine;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::input::{self, Input};
use crate::problem::{self, invalid};

/// The maximum number of finished pieces in the queue, which bounds memory.
const PIECES_AHEAD: usize = 2;

/// The interval between checks for signals such as Ctrl-C while waiting.
const SIGNALS: Duration = Duration::from_millis(100);

/// A problem: its message, and the line of `--report`.
type Told = (String, String);

pub(crate) enum Piece {
    /// Rows, and the problems of their games.
    Rows(Rows, Vec<Told>),
    /// The run failed.
    Failed(anyhow::Error),
    /// The run has ended.
    Done(Box<Summary>),
}

pub(crate) struct Feed {
    receiver: Receiver<Piece>,
    listener: Py<PyAny>,
    filter: Option<Filter>,
    /// Whether the sending thread may need the interpreter.
    reads_objects: bool,
    pub(crate) summary: Option<Summary>,
    is_over: bool,
}

impl Feed {
    pub(crate) fn new(
        inputs: Vec<Input>,
        options: Options,
        columns: Vec<Column>,
        listener: Py<PyAny>,
    ) -> Self {
        let (sender, receiver) = sync_channel(PIECES_AHEAD);
        let reads_objects = !inputs.iter().all(Input::is_lasting);
        let filter = options.filter.clone();
        thread::spawn(move || run(inputs, &options, &columns, &sender));
        Feed { receiver, listener, filter, reads_objects, summary: None, is_over: false }
    }

    pub(crate) fn summary(&self, py: Python<'_>) -> Option<PyResult<Py<PyAny>>> {
        self.summary.as_ref().map(|summary| problem::summary(py, summary))
    }

    /// Releases the interpreter lock of the caller while waiting. `None` at the end.
    pub(crate) fn next_attached(&mut self, py: Python<'_>) -> PyResult<Option<Rows>> {
        loop {
            if self.is_over {
                return Ok(None);
            }
            let piece = match self.receiver.try_recv() {
                Ok(piece) => Some(piece),
                Err(TryRecvError::Disconnected) => None,
                Err(TryRecvError::Empty) => {
                    let receiver = std::mem::replace(&mut self.receiver, sync_channel(0).1);
                    let (receiver, received) = py.detach(move || {
                        let received = receiver.recv_timeout(SIGNALS);
                        (receiver, received)
                    });
                    self.receiver = receiver;
                    py.check_signals()?;
                    match received {
                        Ok(piece) => Some(piece),
                        Err(RecvTimeoutError::Timeout) => continue,
                        Err(RecvTimeoutError::Disconnected) => None,
                    }
                }
            };
            match self.take(py, piece)? {
                Some(rows) if rows.is_empty() => {}
                rows => return Ok(rows),
            }
        }
    }

    /// For any caller: the lock is only acquired to report problems or to wait.
    pub(crate) fn next(&mut self) -> PyResult<Option<Rows>> {
        loop {
            if self.is_over {
                return Ok(None);
            }
            let rows = match self.receiver.try_recv() {
                Ok(Piece::Rows(rows, problems)) if problems.is_empty() => Some(rows),
                Ok(piece) => Python::attach(|py| self.take(py, Some(piece)))?,
                Err(TryRecvError::Empty) if !self.reads_objects => match self.receiver.recv() {
                    Ok(Piece::Rows(rows, problems)) if problems.is_empty() => Some(rows),
                    piece => Python::attach(|py| self.take(py, piece.ok()))?,
                },
                Err(_) => Python::attach(|py| self.next_attached(py))?,
            };
            match rows {
                Some(rows) if rows.is_empty() => {}
                rows => return Ok(rows),
            }
        }
    }

    fn take(&mut self, py: Python<'_>, piece: Option<Piece>) -> PyResult<Option<Rows>> {
        self.try_take(py, piece).inspect_err(|_| self.is_over = true)
    }

    fn try_take(&mut self, py: Python<'_>, piece: Option<Piece>) -> PyResult<Option<Rows>> {
        match piece {
            Some(Piece::Rows(rows, problems)) => {
                for told in problems {
                    self.listener.call_method1(py, "tell", told)?;
                }
                Ok(Some(rows))
            }
            Some(Piece::Failed(error)) => {
                self.listener.call_method0(py, "end")?;
                Err(problem::failure(&error))
            }
            Some(Piece::Done(summary)) => {
                self.is_over = true;
                self.summary = Some(*summary);
                problem::warn_of_condition(py, self.filter.as_ref(), &summary)?;
                self.listener.call_method0(py, "end").map(|_| None)
            }
            None => {
                Err(PyRuntimeError::new_err("the conversion broke off: this is a bug in pgn2epd"))
            }
        }
    }
}

/// Waiting here would hold the interpreter lock and block the other thread.
pub(crate) fn lock<'p, T>(place: &'p Mutex<T>, what: &str) -> PyResult<MutexGuard<'p, T>> {
    match place.try_lock() {
        Ok(place) => Ok(place),
        Err(TryLockError::WouldBlock) => {
            Err(invalid(format!("another thread is reading these {what}")))
        }
        Err(TryLockError::Poisoned(place)) => Ok(place.into_inner()),
    }
}

fn run(inputs: Vec<Input>, options: &Options, columns: &[Column], sender: &SyncSender<Piece>) {
    let problems = Rc::new(RefCell::new(Vec::new()));
    let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
    let mut conversion = Conversion::to_rows(columns, options, |rows| {
        let problems = problems.take();
        if rows.is_empty() && problems.is_empty() {
            return Ok(());
        }
        sender.send(Piece::Rows(rows, problems)).map_err(gone)
    });
    let mut watcher = Watcher { file: String::new(), start: 0, problems: Rc::clone(&problems) };
    let mut outcome = Ok(());
    for text in input::opened(inputs).of_kind(options.input) {
        outcome = match text {
            Ok(text) => {
                text.name().clone_into(&mut watcher.file);
                watcher.start = text.start();
                conversion.text(text, &mut watcher).map(drop)
            }
            Err(note) if note.is_note() => continue,
            Err(InputError { name, error, .. }) => {
                watcher.file = name;
                Err(ConvertError::Read(error))
            }
        };
        if outcome.is_err() || conversion.is_over() {
            break;
        }
    }
    let last = match outcome.and_then(|()| conversion.finish()) {
        Ok(summary) => Piece::Done(Box::new(summary)),
        Err(ConvertError::Read(error)) => {
            Piece::Failed(InputError::new(watcher.file, error).into())
        }
        Err(error) => Piece::Failed(error.into()),
    };
    let rest = problems.take();
    // The receiver may be gone.
    if !rest.is_empty() {
        let _ = sender.send(Piece::Rows(Rows::default(), rest));
    }
    let _ = sender.send(last);
}

struct Watcher {
    file: String,
    start: u64,
    problems: Rc<RefCell<Vec<Told>>>,
}

impl Observer for Watcher {
    fn problem(&mut self, problem: &pgn2epd::Problem) {
        let Watcher { file, start, .. } = self;
        let from = if *start == 0 { String::new() } else { format!("@{start}") };
        let told = problem::json_of(&ReportLine::of(file, *start, problem));
        self.problems.borrow_mut().push((format!("{file}{from}:{problem}"), told));
    }
}

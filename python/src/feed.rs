//! A tabulation on a thread of its own, as far ahead as its reader takes.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

use pgn2epd::{Column, ConvertError, Options, Rows, Summary, Tabulation, Watch};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::input::Input;
use crate::problem::{self, Listener, Problem};

/// Pieces that are done and wait; with those in work memory is bounded.
const PIECES_AHEAD: usize = 2;

/// How often a signal, Ctrl-C say, is looked for while waiting.
const SIGNALS: Duration = Duration::from_millis(100);

/// What comes of a run, piece by piece.
pub(crate) enum Piece {
    /// Rows, and what is wrong with the games that they are of.
    Rows(Rows, Vec<Problem>),
    /// It could not go on.
    Failed(ConvertError, String),
    /// It is over.
    Done(Summary),
}

/// The end of a run that is read from.
pub(crate) struct Feed {
    receiver: Receiver<Piece>,
    listener: Listener,
    /// The error that ended the run, if one is to end it.
    stops: bool,
    stopped_by: Option<Problem>,
    /// Whether the other end may need Python.
    reads_objects: bool,
    pub(crate) summary: Option<Summary>,
    is_over: bool,
}

impl Feed {
    /// Begins a run.
    pub(crate) fn new(
        inputs: Vec<Input>,
        options: Options,
        columns: Vec<Column>,
        listener: Listener,
    ) -> Self {
        let (sender, receiver) = sync_channel(PIECES_AHEAD);
        let reads_objects = !inputs.iter().all(Input::is_lasting);
        let stops = options.on_error == pgn2epd::OnError::Stop;
        thread::spawn(move || run(inputs, &options, &columns, &sender));
        let (stopped_by, summary, is_over) = (None, None, false);
        Feed { receiver, listener, stops, stopped_by, reads_objects, summary, is_over }
    }

    /// The next rows, for a caller who holds the interpreter, which is let go meanwhile. `None` at the end.
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

    /// The same for a caller who may or may not hold the interpreter. It is asked for only where there is something to
    /// tell, or to wait for.
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

    /// Takes a piece; an exception is the end.
    fn take(&mut self, py: Python<'_>, piece: Option<Piece>) -> PyResult<Option<Rows>> {
        let taken = self.try_take(py, piece);
        self.is_over |= taken.is_err();
        taken
    }

    fn try_take(&mut self, py: Python<'_>, piece: Option<Piece>) -> PyResult<Option<Rows>> {
        match piece {
            Some(Piece::Rows(rows, problems)) => {
                for problem in problems {
                    if self.stops && problem.is_error() {
                        self.stopped_by = Some(problem);
                    } else {
                        self.listener.tell(py, &problem)?;
                    }
                }
                Ok(Some(rows))
            }
            Some(Piece::Failed(error, file)) => {
                self.listener.end(py)?;
                Err(problem::failure(error, &file))
            }
            Some(Piece::Done(summary)) => {
                self.is_over = true;
                self.summary = Some(summary);
                self.listener.end(py)?;
                match self.stopped_by.take() {
                    Some(problem) => Err(problem.to_error(py)),
                    None => Ok(None),
                }
            }
            None => {
                Err(PyRuntimeError::new_err("the conversion broke off: this is a bug in pgn2epd"))
            }
        }
    }
}

/// Tabulates all inputs, until that is done, or fails, or nobody reads any more.
fn run(inputs: Vec<Input>, options: &Options, columns: &[Column], sender: &SyncSender<Piece>) {
    let problems = Rc::new(RefCell::new(Vec::new()));
    let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
    let mut tabulation = Tabulation::new(columns, options, |rows| {
        let problems = problems.take();
        if rows.is_empty() && problems.is_empty() {
            return Ok(());
        }
        sender.send(Piece::Rows(rows, problems)).map_err(gone)
    });
    let mut watcher = Watcher { file: String::new(), problems: Rc::clone(&problems) };
    let mut outcome = Ok(());
    for input in inputs {
        let name = input.name();
        outcome = input_of(input, &name, &mut tabulation, &mut watcher);
        if outcome.is_err() || tabulation.is_over() {
            break;
        }
    }
    let last = match outcome.and_then(|()| tabulation.finish()) {
        Ok(summary) => Piece::Done(summary),
        Err(error) => Piece::Failed(error, watcher.file),
    };
    let rest = problems.take();
    // Nobody may be there any more.
    if !rest.is_empty() {
        let _ = sender.send(Piece::Rows(Rows::default(), rest));
    }
    let _ = sender.send(last);
}

/// Tabulates an input: all its texts, if it is an archive.
fn input_of(
    input: Input,
    name: &str,
    tabulation: &mut Tabulation<impl FnMut(Rows) -> io::Result<()>>,
    watcher: &mut Watcher,
) -> Result<(), ConvertError> {
    name.clone_into(&mut watcher.file);
    let mut source = input.open().map_err(ConvertError::Read)?;
    while let Some(text) = source.next_text().map_err(ConvertError::Read)? {
        watcher.file = match text.name() {
            Some(member) => format!("{name}/{member}"),
            None => name.to_owned(),
        };
        tabulation.name_input(&watcher.file);
        tabulation.input(text, watcher)?;
        if tabulation.is_over() {
            break;
        }
    }
    Ok(())
}

struct Watcher {
    file: String,
    problems: Rc<RefCell<Vec<Problem>>>,
}

impl Watch for Watcher {
    fn problem(&mut self, problem: &pgn2epd::Problem) {
        let (file, problem) = (self.file.clone(), problem.clone());
        self.problems.borrow_mut().push(Problem { file, problem });
    }
}

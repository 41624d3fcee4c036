//! Several processes of an engine.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{
    self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, sync_channel,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::answer::Answer;
use crate::error::EngineError;
use crate::question::Question;
use crate::session::Session;
use crate::settings::{Settings, StopCheck};

/// Several processes of an engine, which search one position each. The answers leave in the order
/// of the questions.
///
/// An engine that crashes, hangs, or answers an illegal move is restarted and asked once more; the
/// second error is that of the position. So is a search that goes on after its limit, at once. If an engine cannot be started again, there are no further
/// answers.
pub struct Pool {
    name: String,
    most: usize,
    /// `None` when no question follows.
    questions: Option<Sender<Asked>>,
    answers: VecDeque<Receiver<Outcome>>,
    threads: Vec<JoinHandle<()>>,
    stop: StopCheck,
    is_dropped: Arc<AtomicBool>,
}

/// The answer or the error of a position, or the error that ends the run.
type Outcome = Result<Result<Answer, EngineError>, EngineError>;

type Asked = (Question, SyncSender<Outcome>);

/// Number of positions per engine that may wait for one before them.
const WAITING: usize = 64;

/// The interval between questions whether the run ends early.
const STOP: Duration = Duration::from_millis(100);

const TRIES: usize = 2;

impl Pool {
    /// Starts an engine; the others are started when they are needed.
    ///
    /// # Errors
    ///
    /// If the engine cannot be started, or does not take its options.
    pub fn start(settings: Settings, engines: NonZeroUsize) -> Result<Self, EngineError> {
        let is_dropped = Arc::new(AtomicBool::new(false));
        let first = Session::start(&settings, &is_dropped)?;
        let name = first.name().to_owned();
        let program = settings.command.program().to_owned();
        let stop = settings.stop.clone();
        let settings = Arc::new(settings);
        let (questions, receiver) = mpsc::channel::<Asked>();
        let receiver = Arc::new(Mutex::new(receiver));
        let (mut first, mut threads) = (Some(first), Vec::new());
        for _ in 0..engines.get() {
            let (receiver, session, is_dropped) =
                (receiver.clone(), first.take(), is_dropped.clone());
            let mut worker = Worker { settings: settings.clone(), session, is_dropped };
            let work = move || {
                while let Some((question, answer)) = next(&receiver) {
                    if !worker.is_dropped.load(Ordering::Relaxed) {
                        // An answer is dropped if the run ended early.
                        let _ = answer.send(worker.answer(&question));
                    }
                }
            };
            let started = thread::Builder::new().name("engine".to_owned()).spawn(work);
            let failed = |source| EngineError::Start { program: program.clone(), source };
            threads.push(started.map_err(failed)?);
        }
        let most = WAITING.saturating_mul(engines.get());
        let (questions, answers) = (Some(questions), VecDeque::new());
        Ok(Pool { name, most, questions, answers, threads, stop, is_dropped })
    }

    /// Returns the name that the engine gives itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a question.
    pub fn push(&mut self, question: Question) {
        let (sender, receiver) = sync_channel(1);
        if let Some(questions) = &self.questions {
            // The answer is missing if all threads have ended.
            let _ = questions.send((question, sender));
        }
        self.answers.push_back(receiver);
    }

    /// Returns the next answer if it is there, or if too many questions are waiting for it.
    ///
    /// # Errors
    ///
    /// If an engine could not be started again.
    pub fn next_ready(&mut self) -> Option<Result<Result<Answer, EngineError>, EngineError>> {
        if self.answers.len() >= self.most {
            return self.wait();
        }
        match self.answers.front()?.try_recv() {
            Err(TryRecvError::Empty) => None,
            outcome => {
                self.answers.pop_front();
                Some(outcome.unwrap_or_else(|_| Err(lost())))
            }
        }
    }

    /// Returns the next answer; `None` after the last one.
    ///
    /// # Errors
    ///
    /// If an engine could not be started again, or the run is stopped.
    pub fn wait(&mut self) -> Option<Result<Result<Answer, EngineError>, EngineError>> {
        loop {
            let outcome = match self.answers.front()?.recv_timeout(STOP) {
                Err(RecvTimeoutError::Timeout) if self.stop.is_stopped() => {
                    return Some(Err(EngineError::Stopped));
                }
                Err(RecvTimeoutError::Timeout) => continue,
                outcome => outcome,
            };
            self.answers.pop_front();
            return Some(outcome.unwrap_or_else(|_| Err(lost())));
        }
    }
}

/// The error of a thread that ended without an answer.
fn lost() -> EngineError {
    EngineError::Start { program: "a thread".to_owned(), source: io::Error::other("it ended") }
}

fn next<T>(receiver: &Mutex<Receiver<T>>) -> Option<T> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl Drop for Pool {
    /// Drops the questions that wait, kills the engines that search, and waits for their end.
    fn drop(&mut self) {
        self.is_dropped.store(!self.answers.is_empty(), Ordering::Relaxed);
        self.questions = None;
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a thread has: an engine, if it is running.
struct Worker {
    settings: Arc<Settings>,
    session: Option<Session>,
    is_dropped: Arc<AtomicBool>,
}

impl Worker {
    fn answer(&mut self, question: &Question) -> Outcome {
        let mut tries = 1;
        loop {
            let session = match &mut self.session {
                Some(session) => session,
                none => none.insert(Session::start(&self.settings, &self.is_dropped)?),
            };
            let error = match session.search(question, &self.settings) {
                Ok(answer) => return Ok(Ok(answer)),
                Err(error) => error,
            };
            if !error.is_harmless() {
                self.session = None;
            }
            tries += 1;
            if tries > TRIES || !error.may_pass() || self.is_dropped.load(Ordering::Relaxed) {
                return Ok(Err(error));
            }
        }
    }
}

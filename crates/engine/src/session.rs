//! A running program, the dialogue with it, as UCI has it, and a pool of several.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::io::{self, Read, Write};
use std::mem;
use std::num::NonZeroUsize;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{
    self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, sync_channel,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use san::Variant;

use crate::answer::{Answer, EngineError, Question, Search, first_word};
use crate::settings::{
    EngineCommand, EngineOption, Limits, MOST_TIMEOUTS, OptionSetting, Settings, StopCheck,
};

type Result<T, E = EngineError> = std::result::Result<T, E>;

pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    /// Read by a thread, so that waiting ends even if another process keeps the output open.
    output: Receiver<Vec<u8>>,
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

const PIECE: usize = 8 << 10;

/// How much of standard error is kept, in bytes.
const MESSAGE: usize = 400;

/// How long an engine may take to end after `quit`, and the rest of its messages to arrive.
const END: Duration = Duration::from_millis(500);

impl Process {
    /// Starts an engine, which is killed when `is_dropped` is set.
    pub(crate) fn start(command: &EngineCommand, is_dropped: Arc<AtomicBool>) -> Result<Self> {
        let failed = |source| EngineError::Start { program: command.program().to_owned(), source };
        let mut prepared = command.to_command();
        prepared.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, to be killed as a whole; an interrupt of the terminal ends its input.
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
    pub(crate) fn send(&mut self, lines: &str) -> Result<()> {
        self.input.write_all(lines.as_bytes()).map_err(|_| self.ended())
    }

    /// Returns the next line; `None` if there is none before the deadline.
    pub(crate) fn line(&mut self, deadline: Option<Instant>) -> Result<Option<String>> {
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

pub(crate) struct Session {
    process: Process,
    program: String,
    timeout: Duration,
    pub(crate) name: String,
    options: Vec<EngineOption>,
    variant: Variant,
    is_chess960: bool,
    /// The time of the shortest of the last searches.
    shortest: Duration,
}

/// Number of lines that are not UCI and are ignored; more are garbage.
const MOST_UNKNOWN: u32 = 1000;

/// Number of options that are kept, of an engine that does not stop listing some.
const MOST_OPTIONS: usize = 10_000;

/// The words with which the lines of an engine begin.
const KNOWN: &[&str] =
    &["id", "uciok", "readyok", "bestmove", "copyprotection", "registration", "info", "option"];

impl Session {
    /// Starts an engine, which is killed when `is_dropped` is set.
    pub(crate) fn start(settings: &Settings, is_dropped: &Arc<AtomicBool>) -> Result<Self> {
        let process = Process::start(&settings.command, is_dropped.clone())?;
        let mut session = Session {
            process,
            program: settings.command.program().to_owned(),
            timeout: settings.timeout,
            name: String::new(),
            options: Vec::new(),
            variant: Variant::Chess,
            is_chess960: false,
            shortest: Duration::ZERO,
        };
        session.process.send("uci\n")?;
        let (mut name, mut options) = (String::new(), Vec::new());
        session.answer("uciok", &mut |word, rest| match (word, rest) {
            ("id", text) => {
                if let Some(text) = text.strip_prefix("name ") {
                    name = text.trim().replace(char::is_control, " ");
                }
            }
            ("option", text) if options.len() < MOST_OPTIONS => {
                options.extend(EngineOption::read(text));
            }
            _ => {}
        })?;
        (session.name, session.options) = (name, options);
        settings.options.iter().try_for_each(|setting| session.set(setting))?;
        if settings.multipv > 1 {
            session.set(&setting("MultiPV", &settings.multipv.to_string()))?;
        }
        if settings.shows_wdl && session.option("UCI_ShowWDL").is_some() {
            session.set(&setting("UCI_ShowWDL", "true"))?;
        }
        session.is_ready()?;
        Ok(session)
    }

    /// Asks for a position, which is not over.
    pub(crate) fn search(&mut self, question: &Question, settings: &Settings) -> Result<Answer> {
        self.play(question)?;
        if !settings.keeps_hash {
            self.process.send("ucinewgame\n")?;
        }
        self.is_ready()?;
        let mut lines = format!("position fen {}\ngo {}", question.fen(), settings.limits);
        for (number, mv) in question.searchmoves.iter().enumerate() {
            let before = if number == 0 { " searchmoves" } else { "" };
            let _ = write!(lines, "{before} {mv}");
        }
        lines.push('\n');
        self.process.send(&lines)?;
        let began = Instant::now();
        self.wait_for_lines();
        let mut search = Search::new(question, settings);
        let best = self.end_of_search(&mut search, settings.limits)?;
        self.shortest = began.elapsed().min(self.shortest * 9 / 8 + Duration::from_micros(1));
        search.finish(&best)
    }

    /// Returns what follows `bestmove`. An engine that does not end gets `stop`: an error.
    fn end_of_search(&mut self, search: &mut Search<'_>, limits: Limits) -> Result<String> {
        let (began, timeout) = (Instant::now(), self.timeout);
        // So long a time has no end.
        let after = |start: Instant, time| start.checked_add(time);
        let most = timeout.saturating_mul(MOST_TIMEOUTS);
        let (mut deadline, last) = match limits.movetime {
            Some(time) => (after(began, time.saturating_add(timeout)), None),
            None => (after(began, timeout), after(began, most)),
        };
        let (mut babbles, mut unknown) = (false, 0);
        let error = loop {
            let next = [deadline, last].into_iter().flatten().min();
            let Some(line) = self.process.line(next)? else {
                break match limits.movetime {
                    _ if search.is_past => EngineError::Overrun { time: timeout, limits },
                    Some(_) if babbles => EngineError::Overrun { time: timeout, limits },
                    None if next == last => EngineError::TooLong(most),
                    _ => EngineError::Silent { time: timeout, babbles },
                };
            };
            match known(&line, &mut unknown)? {
                ("bestmove", rest) => return Ok(rest.to_owned()),
                ("info", rest) if search.add(rest) && limits.movetime.is_none() => {
                    (deadline, babbles) = (after(Instant::now(), timeout), false);
                    continue;
                }
                _ => {}
            }
            babbles = true;
        };
        self.process.send("stop\n")?;
        Err(error)
    }

    /// Lets lines collect: waking for each of them costs more than to read it.
    fn wait_for_lines(&self) {
        const LEAST: Duration = Duration::from_millis(2);
        const MOST: Duration = Duration::from_millis(20);
        let wait = self.shortest * 3 / 4;
        if wait >= LEAST {
            thread::sleep(wait.min(MOST));
        }
    }

    fn play(&mut self, question: &Question) -> Result<()> {
        let (variant, is_chess960) = (question.variant(), question.is_chess960());
        if variant != self.variant {
            let set = self.set(&setting("UCI_Variant", variant.uci()));
            set.map_err(|error| not_played(error, EngineError::NoVariant(variant)))?;
            self.variant = variant;
        }
        if is_chess960 != self.is_chess960 {
            let set =
                self.set(&setting("UCI_Chess960", if is_chess960 { "true" } else { "false" }));
            set.map_err(|error| not_played(error, EngineError::NoChess960))?;
            self.is_chess960 = is_chess960;
        }
        Ok(())
    }

    fn option(&self, name: &str) -> Option<&EngineOption> {
        self.options.iter().find(|option| option.is_named(name))
    }

    fn set(&mut self, setting: &OptionSetting) -> Result<()> {
        let Some(option) = self.option(&setting.name) else {
            let known = self.options.iter().map(|option| option.name.clone()).collect();
            return Err(EngineError::NoOption { name: setting.name.clone(), known });
        };
        if let Some(expected) = option.refusal(setting) {
            return Err(EngineError::Value { setting: setting.clone(), expected });
        }
        let mut line = format!("setoption name {}", option.name);
        if let Some(value) = &setting.value {
            let _ = write!(line, " value {value}");
        }
        line.push('\n');
        self.process.send(&line)
    }

    /// Waits; what the engine still says of the last search is left out.
    fn is_ready(&mut self) -> Result<()> {
        self.process.send("isready\n")?;
        self.answer("readyok", &mut |_, _| {})
    }

    /// Passes on lines, as first word and rest, up to `answer`; the time-out is for all of them.
    fn answer(&mut self, answer: &'static str, pass_on: &mut dyn FnMut(&str, &str)) -> Result<()> {
        let deadline = Instant::now().checked_add(self.timeout);
        let mut unknown = 0;
        loop {
            let Some(line) = self.process.line(deadline)? else {
                let (program, time) = (self.program.clone(), self.timeout);
                return Err(EngineError::NoAnswer { program, answer, time });
            };
            match known(&line, &mut unknown)? {
                (word, _) if word == answer => return Ok(()),
                (word, rest) => pass_on(word, rest),
            }
        }
    }
}

/// Returns the first word of a line and the rest; an error if too many are not UCI.
fn known<'l>(line: &'l str, unknown: &mut u32) -> Result<(&'l str, &'l str)> {
    let (word, rest) = first_word(line);
    if !word.is_empty() && !KNOWN.contains(&word) {
        *unknown += 1;
        if *unknown > MOST_UNKNOWN {
            return Err(EngineError::Garbage(excerpt(line.as_bytes())));
        }
    }
    Ok((word, rest))
}

fn setting(name: &str, value: &str) -> OptionSetting {
    OptionSetting { name: name.to_owned(), value: Some(value.to_owned()) }
}

/// Returns `lacks` for an option that is missing or does not have the value.
fn not_played(error: EngineError, lacks: EngineError) -> EngineError {
    match error {
        EngineError::NoOption { .. } | EngineError::Value { .. } => lacks,
        error => error,
    }
}

/// Several processes of an engine, which search one position each. The answers leave in the order
/// of the questions. An engine that crashes, hangs, or answers an illegal move is restarted and
/// asked once more; the second error is that of the position. So is a search that goes on after its
/// limit, at once. If an engine cannot be started again, there are no further answers.
pub struct Pool {
    name: String,
    most: usize,
    /// `None` when no question follows.
    questions: Option<Sender<Asked>>,
    answers: VecDeque<Receiver<SearchOutcome>>,
    threads: Vec<JoinHandle<()>>,
    stop: StopCheck,
    is_dropped: Arc<AtomicBool>,
}

/// The answer or the error of a position, or the error that ends the run.
type SearchOutcome = Result<Result<Answer>>;

type Asked = (Question, SyncSender<SearchOutcome>);

/// Number of positions per engine that may wait for one before them.
const WAITING: usize = 64;

/// The interval between questions whether the run ends early.
const STOP: Duration = Duration::from_millis(100);
const TRIES: usize = 2;

impl Pool {
    /// Starts an engine, and others when needed. Fails if it does not start or take its options.
    pub fn start(settings: Settings, engines: NonZeroUsize) -> Result<Self> {
        let is_dropped = Arc::new(AtomicBool::new(false));
        let first = Session::start(&settings, &is_dropped)?;
        let name = first.name.clone();
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

    /// Returns the next answer if it is there, or too many wait for it. Fails like [`Pool::wait`].
    pub fn next_ready(&mut self) -> Option<Result<Result<Answer>>> {
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

    /// Returns the next answer; `None` after the last one. Fails if an engine cannot be started
    /// again, or the run is stopped.
    pub fn wait(&mut self) -> Option<Result<Result<Answer>>> {
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

struct Worker {
    settings: Arc<Settings>,
    session: Option<Session>,
    is_dropped: Arc<AtomicBool>,
}

impl Worker {
    fn answer(&mut self, question: &Question) -> SearchOutcome {
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

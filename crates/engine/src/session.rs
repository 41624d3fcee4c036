//! A dialogue with one process, as UCI has it.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use san::Variant;

use crate::answer::{Answer, Search};
use crate::engine_option::EngineOption;
use crate::error::EngineError;
use crate::info::first_word;
use crate::process::{Process, excerpt};
use crate::question::Question;
use crate::settings::{Limits, MOST_TIMEOUTS, OptionSetting, Settings};

pub(crate) struct Session {
    process: Process,
    program: String,
    timeout: Duration,
    name: String,
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
    pub(crate) fn start(
        settings: &Settings,
        is_dropped: &Arc<AtomicBool>,
    ) -> Result<Self, EngineError> {
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

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Asks for a position, which is not over.
    pub(crate) fn search(
        &mut self,
        question: &Question,
        settings: &Settings,
    ) -> Result<Answer, EngineError> {
        self.play(question)?;
        if !settings.keeps_hash {
            self.process.send("ucinewgame\n")?;
        }
        self.is_ready()?;
        let mut lines = format!("position fen {}\ngo {}", question.fen(), settings.limits);
        for (number, mv) in question.searchmoves().iter().enumerate() {
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
    fn end_of_search(
        &mut self,
        search: &mut Search<'_>,
        limits: Limits,
    ) -> Result<String, EngineError> {
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
                    _ if search.is_past() => EngineError::Overrun { time: timeout, limits },
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

    /// Makes the engine play by the rules of a position.
    fn play(&mut self, question: &Question) -> Result<(), EngineError> {
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

    fn set(&mut self, setting: &OptionSetting) -> Result<(), EngineError> {
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
    fn is_ready(&mut self) -> Result<(), EngineError> {
        self.process.send("isready\n")?;
        self.answer("readyok", &mut |_, _| {})
    }

    /// Passes on lines, as first word and rest, up to `answer`; the time-out is for all of them.
    fn answer(
        &mut self,
        answer: &'static str,
        pass_on: &mut dyn FnMut(&str, &str),
    ) -> Result<(), EngineError> {
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
fn known<'l>(line: &'l str, unknown: &mut u32) -> Result<(&'l str, &'l str), EngineError> {
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

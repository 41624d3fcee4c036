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
use crate::process::{Process, excerpt};
use crate::question::Question;
use crate::settings::{OptionSetting, Settings};

/// A dialogue with one process.
pub(crate) struct Session {
    process: Process,
    name: String,
    options: Vec<EngineOption>,
    /// What the engine plays at the moment.
    variant: Variant,
    is_chess960: bool,
    /// The time of the shortest of the last searches.
    shortest: Duration,
}

/// Number of lines that are not UCI and are ignored; more are garbage.
const MOST_UNKNOWN: u32 = 1000;

/// The words with which the lines of an engine begin.
const KNOWN: &[&str] =
    &["id", "uciok", "readyok", "bestmove", "copyprotection", "registration", "info", "option"];

impl Session {
    /// Starts an engine, which is killed when `is_dropped` is set.
    pub(crate) fn start(
        settings: &Settings,
        is_dropped: &Arc<AtomicBool>,
    ) -> Result<Self, EngineError> {
        let process = Process::start(&settings.command, settings.timeout, is_dropped.clone())?;
        let mut session = Session {
            process,
            name: String::new(),
            options: Vec::new(),
            variant: Variant::Chess,
            is_chess960: false,
            shortest: Duration::ZERO,
        };
        session.process.send("uci\n")?;
        let (mut name, mut options) = (String::new(), Vec::new());
        session.until("uciok", Duration::ZERO, &mut |word, rest| {
            match (word, rest) {
                ("id", text) => {
                    if let Some(text) = text.strip_prefix("name ") {
                        text.trim().clone_into(&mut name);
                    }
                }
                ("option", text) => options.extend(EngineOption::read(text)),
                _ => {}
            }
            false
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
        session.process.rest();
        Ok(session)
    }

    /// Returns the name that the engine gives itself.
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
        // A search that may end early is followed.
        if !settings.early_stop.is_any() {
            self.wait_for_lines();
        }
        let mut search = Search::new(question, &settings.early_stop);
        let time = settings.limits.movetime.unwrap_or_default();
        let best =
            self.until("bestmove", time, &mut |word, rest| word == "info" && search.add(rest))?;
        self.process.rest();
        self.shortest = began.elapsed().min(self.shortest * 9 / 8 + Duration::from_micros(1));
        search.finish(best.split_ascii_whitespace().next().unwrap_or_default())
    }

    /// Lets lines collect for most of the shortest search, since waking for each of them costs more
    /// than to read it.
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

    /// Waits until the engine has done all that it was told. What it still says of the last search
    /// is left out.
    fn is_ready(&mut self) -> Result<(), EngineError> {
        self.process.send("isready\n")?;
        self.until("readyok", Duration::ZERO, &mut |_, _| false).map(drop)
    }

    /// Reads lines up to one that begins with `end`, and returns the rest of that. `pass_on`
    /// receives the first word and the rest of the lines before it, and says whether the search is
    /// to be stopped.
    fn until(
        &mut self,
        end: &str,
        time: Duration,
        pass_on: &mut dyn FnMut(&str, &str) -> bool,
    ) -> Result<String, EngineError> {
        let mut unknown = 0;
        loop {
            let line = self.process.line(time)?;
            let (word, rest) = first_word(&line);
            if word == end {
                return Ok(rest.to_owned());
            }
            if !word.is_empty() && !KNOWN.contains(&word) {
                unknown += 1;
                if unknown > MOST_UNKNOWN {
                    return Err(EngineError::Garbage(excerpt(line.as_bytes())));
                }
            }
            if pass_on(word, rest) {
                self.process.send("stop\n")?;
            }
        }
    }
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

fn first_word(line: &str) -> (&str, &str) {
    let end = line.find(|c: char| c.is_ascii_whitespace()).unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii_start())
}

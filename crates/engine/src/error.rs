//! Why an answer is missing.

use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use san::Variant;

use crate::settings::{Limits, MOST_TIMEOUTS, OptionSetting};

/// Why an answer is missing.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The program cannot be started.
    #[error("{program} cannot be started")]
    Start {
        /// Its name.
        program: String,
        /// The reason.
        #[source]
        source: io::Error,
    },
    /// The engine lacks an option.
    #[error("the engine has no option {name}; it has {}", known.join(", "))]
    NoOption {
        /// The name of the option.
        name: String,
        /// The names of those that it has.
        known: Vec<String>,
    },
    /// A value that an option cannot have.
    #[error("{setting}: the engine expects {expected}")]
    Value {
        /// The option and the value.
        setting: OptionSetting,
        /// What the option expects.
        expected: String,
    },
    /// The engine cannot play a variant.
    #[error("the engine does not play {}", .0.uci())]
    NoVariant(Variant),
    /// The engine cannot play Chess960.
    #[error("the engine does not play Chess960")]
    NoChess960,
    /// The engine ended.
    #[error("the engine ended{}", EndOf(*status, said))]
    Ended {
        /// Its status.
        status: Option<ExitStatus>,
        /// The last line that it wrote to standard error.
        said: String,
    },
    /// The engine did not answer a command at which it does not search.
    #[error("{program} wrote no {answer} for {} s{}", time.as_secs_f64(), if *answer == "uciok" { ": is it a UCI engine?" } else { "" })]
    NoAnswer {
        /// The name of the program.
        program: String,
        /// The answer.
        answer: &'static str,
        /// For how long.
        time: Duration,
    },
    /// The engine wrote nothing, or nothing new, for too long.
    #[error("the engine wrote nothing{} for {} s", if *babbles { " new" } else { "" }, time.as_secs_f64())]
    Silent {
        /// For how long.
        time: Duration,
        /// Whether it wrote lines that do not say that the search goes on.
        babbles: bool,
    },
    /// The engine searched on, and was told to stop.
    #[error("the engine searched on for {} s after its limit, {limits}", time.as_secs_f64())]
    Overrun {
        /// For how long.
        time: Duration,
        /// The limit.
        limits: Limits,
    },
    /// A search without a limit of time took too long.
    #[error("the search took more than {} s, {} times the time-out", .0.as_secs_f64(), MOST_TIMEOUTS)]
    TooLong(Duration),
    /// The engine answered a move that cannot be played.
    #[error("the engine answered {0:?}, which is illegal")]
    IllegalMove(String),
    /// The engine wrote much that is not UCI.
    #[error("the engine wrote {0:?}, and more that is not UCI")]
    Garbage(String),
    /// The [`StopCheck`](crate::StopCheck) ended the run.
    #[error("the run was stopped")]
    Stopped,
}

impl EngineError {
    /// Whether the engine goes on as if nothing had happened.
    pub(crate) fn is_harmless(&self) -> bool {
        matches!(self, EngineError::NoVariant(_) | EngineError::NoChess960)
    }

    /// Whether a new process may find an answer.
    pub(crate) fn may_pass(&self) -> bool {
        !self.is_harmless()
            && !matches!(self, EngineError::Overrun { .. } | EngineError::TooLong(_))
    }
}

struct EndOf<'e>(Option<ExitStatus>, &'e str);

impl fmt::Display for EndOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |status| write!(f, " ({status})"))?;
        if self.1.is_empty() { Ok(()) } else { write!(f, ": {}", self.1) }
    }
}

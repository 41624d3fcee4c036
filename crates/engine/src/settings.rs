//! How an engine is started and asked.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::command::EngineCommand;

/// How an engine is started and asked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The command that starts it.
    pub command: EngineCommand,
    /// The values of its options.
    pub options: Vec<OptionSetting>,
    /// When a search ends.
    pub limits: Limits,
    /// Number of best moves that are evaluated.
    pub multipv: u32,
    /// Whether win, draw and loss are asked for, if the engine knows them.
    pub shows_wdl: bool,
    /// Whether the engine keeps what it learned from earlier positions; the answers then depend on
    /// them.
    pub keeps_hash: bool,
    /// The engine hangs if it says nothing new for this time: more nodes, a greater depth, another
    /// current move, all within the limits; in a search by time, after its end. A search takes at
    /// most 60 times as long.
    pub timeout: Duration,
    /// Whether the run ends early.
    pub stop: StopCheck,
}

/// Whether a run ends early, which is asked some ten times a second while an answer is missing.
#[derive(Clone, Default)]
pub struct StopCheck(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl StopCheck {
    /// Asks a function, in the thread that waits.
    pub fn new(is_stopped: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        StopCheck(Some(Arc::new(is_stopped)))
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.0.as_ref().is_some_and(|is_stopped| is_stopped())
    }
}

impl fmt::Debug for StopCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopCheck").finish_non_exhaustive()
    }
}

/// The longest search that has no limit of time, in time-outs.
pub(crate) const MOST_TIMEOUTS: u32 = 60;

/// When a search ends: at the first of these limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Time.
    pub movetime: Option<Duration>,
}

/// A value for an option of an engine: `Hash=64`, or `Clear Hash` for a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSetting {
    /// The name.
    pub name: String,
    /// The value; `None` for a button.
    pub value: Option<String>,
}

impl Settings {
    /// Returns the settings for a command: no limits, a time-out of a minute.
    pub fn new(command: EngineCommand) -> Self {
        Settings {
            command,
            options: Vec::new(),
            limits: Limits::default(),
            multipv: 1,
            shows_wdl: false,
            keeps_hash: false,
            timeout: Duration::from_secs(60),
            stop: StopCheck::default(),
        }
    }
}

impl Limits {
    /// Whether a search has an end.
    pub fn are_any(&self) -> bool {
        *self != Limits::default()
    }
}

/// As in the command `go`: `nodes 10000 depth 20`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let movetime = self.movetime.map(|time| time.as_millis().try_into().unwrap_or(u64::MAX));
        let all =
            [("nodes", self.nodes), ("depth", self.depth.map(u64::from)), ("movetime", movetime)];
        let mut separator = "";
        for (name, value) in all {
            let Some(value) = value else { continue };
            write!(f, "{separator}{name} {value}")?;
            separator = " ";
        }
        Ok(())
    }
}

/// Error of [`OptionSetting::from_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected Name=Value, on one line")]
pub struct NoSetting;

impl FromStr for OptionSetting {
    type Err = NoSetting;

    fn from_str(text: &str) -> Result<Self, NoSetting> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (text.trim(), None),
        };
        // Another line would be another command.
        if name.is_empty() || text.contains(['\n', '\r']) {
            return Err(NoSetting);
        }
        Ok(OptionSetting { name: name.to_owned(), value: value.map(str::to_owned) })
    }
}

impl fmt::Display for OptionSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.value.as_ref().map_or(Ok(()), |value| write!(f, "={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_a_name_and_no_second_line() {
        for text in ["Hash=16", "Clear Hash", "SyzygyPath=", "EvalFile=a=b"] {
            assert_eq!(text.parse::<OptionSetting>().unwrap().to_string(), text);
        }
        for text in ["", "=1", "Hash=1\nquit"] {
            assert_eq!(text.parse::<OptionSetting>(), Err(NoSetting), "{text}");
        }
    }

    #[test]
    fn limits_are_written_as_in_go() {
        let limits =
            Limits { nodes: Some(1), depth: Some(2), movetime: Some(Duration::from_millis(1500)) };
        assert_eq!(limits.to_string(), "nodes 1 depth 2 movetime 1500");
        assert_eq!(Limits::default().to_string(), "");
    }
}

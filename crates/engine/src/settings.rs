//! How an engine is started and asked, and the options that it has.

use std::fmt;
use std::process::Command;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// A program and its arguments, as words separated by blanks; a word with blanks is quoted. No
/// shell reads it: `$`, `*`, `|` and `~` are characters like others.
///
/// ```
/// use engine::EngineCommand;
///
/// let command: EngineCommand = "'my engines/lc0' --backend=cpu".parse()?;
/// assert_eq!(command.words(), ["my engines/lc0", "--backend=cpu"]);
/// # Ok::<_, engine::CommandError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    words: Vec<String>,
}

/// Why a text is not a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CommandError {
    #[error("the name of a program is missing")]
    Empty,
    #[error("a quotation mark is not closed")]
    OpenQuote,
}

impl FromStr for EngineCommand {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        split(text, cfg!(windows))
    }
}

/// Divides a command as a POSIX shell does; `has_paths` with backslashes keep them.
fn split(text: &str, has_paths: bool) -> Result<EngineCommand, CommandError> {
    let words = match has_paths {
        true => shlex::split(&text.replace('\\', r"\\")),
        false => shlex::split(text),
    };
    let words = words.ok_or(CommandError::OpenQuote)?;
    let has_program = words.first().is_some_and(|program| !program.is_empty());
    if has_program { Ok(EngineCommand { words }) } else { Err(CommandError::Empty) }
}

impl EngineCommand {
    /// Returns the program and its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    pub(crate) fn program(&self) -> &str {
        &self.words[0]
    }

    pub(crate) fn to_command(&self) -> Command {
        let mut command = Command::new(self.program());
        command.args(&self.words[1..]);
        command
    }
}

/// Writes it so that it can be read again.
impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted: Vec<String> = self
            .words
            .iter()
            .map(|word| match shlex::try_quote(word) {
                Ok(word) if cfg!(windows) => word.replace(r"\\", r"\"),
                Ok(word) => word.into_owned(),
                Err(_) => word.clone(),
            })
            .collect();
        f.write_str(&quoted.join(" "))
    }
}

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
    /// Whether the engine keeps what it learned; the answers then depend on earlier positions.
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

/// Writes them as in the command `go`: `nodes 10000 depth 20`.
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

/// An option, as the engine describes it.
///
/// ```
/// use engine::{EngineOption, OptionKind};
///
/// let option = EngineOption::read("name Clear Hash type button").unwrap();
/// assert_eq!((&*option.name, option.kind), ("Clear Hash", OptionKind::Button));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The name.
    pub name: String,
    /// The values that it may have.
    pub kind: OptionKind,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A number in a range.
    Spin {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of some words.
    Combo(Vec<String>),
    /// None: it does something.
    Button,
    /// Any text.
    Text,
}

impl EngineOption {
    /// Reads what follows the word `option`; returns `None` if it has no name or no known type.
    pub fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let at = words.iter().position(|word| *word == "type")?;
        let (name, rest) = words.split_at(at);
        let name = name.strip_prefix(&["name"])?.join(" ");
        let after = |key| rest.iter().position(|word| *word == key).and_then(|at| rest.get(at + 1));
        let number = |key| after(key).and_then(|number| number.parse().ok());
        let kind = match *rest.get(1)? {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => {
                let values = rest.split(|word| *word == "var").skip(1);
                OptionKind::Combo(values.map(|words| words.join(" ")).collect())
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::Text,
            _ => return None,
        };
        (!name.is_empty()).then_some(EngineOption { name, kind })
    }

    /// Whether the option has a name; case makes no difference.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns what the option expects if a value is not that.
    pub(crate) fn refusal(&self, setting: &OptionSetting) -> Option<String> {
        let value = setting.value.as_deref();
        match (&self.kind, value) {
            (OptionKind::Button, None) | (OptionKind::Text, Some(_)) => None,
            (OptionKind::Check, Some("true" | "false")) => None,
            (OptionKind::Spin { min, max }, Some(value))
                if value.parse().is_ok_and(|number: i64| (*min..=*max).contains(&number)) =>
            {
                None
            }
            (OptionKind::Combo(values), Some(value))
                if values.iter().any(|known| known.eq_ignore_ascii_case(value)) =>
            {
                None
            }
            (OptionKind::Button, Some(_)) => Some("no value".to_owned()),
            (OptionKind::Check, _) => Some("true or false".to_owned()),
            (OptionKind::Spin { min, max }, _) => Some(format!("{min} to {max}")),
            (OptionKind::Combo(values), _) => Some(values.join(", ")),
            (OptionKind::Text, None) => Some("a text".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_posix_shell() {
        for (text, words) in [
            ("stockfish", &["stockfish"][..]),
            ("  ./sf  -a 'b c' \"d e\" ", &["./sf", "-a", "b c", "d e"]),
            (r"my\ engine $HOME *", &["my engine", "$HOME", "*"]),
        ] {
            let command = split(text, false).unwrap();
            assert_eq!(command.words(), words);
            assert_eq!(command.to_string().parse(), Ok(command));
        }
    }

    #[test]
    fn paths_of_windows_keep_their_backslashes() {
        let command = split(r#""C:\Program Files\sf 17\sf.exe" -x D:\nets"#, true).unwrap();
        assert_eq!(command.words(), [r"C:\Program Files\sf 17\sf.exe", "-x", r"D:\nets"]);
    }

    #[test]
    fn a_command_has_a_program_and_closed_quotes() {
        for (text, error) in [
            ("", CommandError::Empty),
            (" \t", CommandError::Empty),
            ("'' x", CommandError::Empty),
            ("'sf", CommandError::OpenQuote),
            ("sf \"x", CommandError::OpenQuote),
        ] {
            assert_eq!(split(text, false), Err(error), "{text}");
        }
    }

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

    #[test]
    fn values_are_compared_with_the_description() {
        for (described, good, bad, expected) in [
            ("name Ponder type check default false", "true", "yes", "true or false"),
            ("name Hash type spin default 16 min 1 max 64", "64", "65", "1 to 64"),
            ("name Hash type spin default 16 min 1 max 64", "1", "x", "1 to 64"),
            (
                "name Play Style type combo default Normal var Solid var Very Risky",
                "very risky",
                "Risky",
                "Solid, Very Risky",
            ),
        ] {
            let option = EngineOption::read(described).unwrap();
            let name = &option.name;
            let setting = |value: &str| format!("{name}={value}").parse().unwrap();
            assert_eq!(option.refusal(&setting(good)), None, "{described}");
            assert_eq!(option.refusal(&setting(bad)).as_deref(), Some(expected), "{described}");
        }
        let button = EngineOption::read("name Clear Hash type button").unwrap();
        let pushed = OptionSetting { name: "clear hash".to_owned(), value: None };
        assert_eq!((button.is_named("clear hash"), button.refusal(&pushed)), (true, None));
    }

    #[test]
    fn a_description_has_a_name_and_a_type() {
        for text in ["", "name", "name Hash", "type spin", "name type spin", "name X type table"] {
            assert_eq!(EngineOption::read(text), None, "{text}");
        }
    }
}

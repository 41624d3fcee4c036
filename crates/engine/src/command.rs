//! The command that starts an engine.

use std::fmt;
use std::process::Command;
use std::str::FromStr;

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
pub enum CommandError {
    /// The program is missing.
    #[error("the name of a program is missing")]
    Empty,
    /// A quotation mark without its counterpart, or a backslash at the end.
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

/// As it can be read again.
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
}

//! What is meant by commands that do not exist. Their names could be those of files, so clap does
//! not suggest others.

use clap::error::ErrorKind;

/// Words that users of other programs type, and the command that does the same.
const MEANT: &[(&str, &str)] = &[
    ("analyze", "analyse"),
    ("annotate", "analyse"),
    ("board", "show"),
    ("convert", ""),
    ("diagram", "show"),
    ("compare", "diff"),
    ("draw", "show"),
    ("eco", "--format pgn --games openings"),
    ("evaluate", "analyse"),
    ("fix", "check --fix"),
    ("gaps", "book gaps"),
    ("help", "--help"),
    ("merge", "book merge"),
    ("openings", "--format pgn --games openings"),
    ("polyglot", "book"),
    ("repair", "check --fix"),
    ("repertoire", "book gaps"),
    ("serve", "book serve"),
    ("split", "splits"),
    ("stats", "check --stats"),
    ("validate", "check"),
    ("verify", "check"),
    ("version", "--version"),
];

/// Whether a word may be the other one, misspelled.
fn is_close(word: &str, other: &str) -> bool {
    let most = match word.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    strsim::damerau_levenshtein(word, other) <= most
}

/// Returns the command that is meant by a word which is not the name of a file.
pub(crate) fn command(word: &str, commands: &clap::Command) -> Option<String> {
    let names = || commands.get_subcommands().map(clap::Command::get_name);
    let meant = MEANT.iter().find(|(known, _)| *known == word).map(|(_, meant)| *meant);
    let name = meant.or_else(|| names().find(|name| is_close(word, name)))?;
    Some(format!("pgn2epd {name}").trim_end().to_owned())
}

/// Returns the error for the first argument, if it may be a misspelled command, and no file.
pub(crate) fn not_a_command(
    first: &std::ffi::OsStr,
    commands: &clap::Command,
) -> Option<clap::Error> {
    let word = first.to_str().filter(|word| !word.starts_with('-'))?;
    let meant = command(word, commands).filter(|_| !std::path::Path::new(word).exists())?;
    let text = format!("{word} is neither a command nor a file: did you mean `{meant}`?\n");
    Some(clap::Error::raw(ErrorKind::InvalidSubcommand, text))
}

pub(crate) fn not_a_topic(
    word: &str,
    topics: &[clap::Command],
    commands: &clap::Command,
) -> clap::Error {
    let names = || topics.iter().map(clap::Command::get_name);
    let mut known = names().chain(commands.get_subcommands().map(clap::Command::get_name));
    let close = known.find(|name| is_close(word, name));
    let meant = close.map_or_else(String::new, |name| format!(", did you mean {name}?"));
    let lists = names().collect::<Vec<_>>().join(", ");
    let text = format!(
        "no help on {word}{meant}\n\nLists of values: {lists}. Commands: `pgn2epd COMMAND --help`\n"
    );
    clap::Error::raw(ErrorKind::InvalidSubcommand, text)
}

#[cfg(test)]
mod tests {
    use super::super::definition;

    #[test]
    fn a_misspelled_command_is_known() {
        for (word, expected) in [
            ("chek", Some("pgn2epd check")),
            ("chekc", Some("pgn2epd check")),
            ("boook", Some("pgn2epd book")),
            ("convert", Some("pgn2epd")),
            ("version", Some("pgn2epd --version")),
            ("fix", Some("pgn2epd check --fix")),
            ("analyze", Some("pgn2epd analyse")),
            ("serve", Some("pgn2epd book serve")),
            ("gaps", Some("pgn2epd book gaps")),
            ("games", None),
            ("ma", None),
        ] {
            assert_eq!(super::command(word, &definition()).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn what_is_meant_exists() {
        let all = definition();
        for (word, meant) in super::MEANT {
            let known = |name: &str| {
                let mut commands = std::iter::once(&all).chain(all.get_subcommands());
                commands.any(|command| {
                    command
                        .get_arguments()
                        .any(|arg| arg.get_long().is_some_and(|long| long == name))
                })
            };
            for name in meant.split(' ').filter_map(|word| word.strip_prefix("--")) {
                assert!(known(name) || matches!(name, "help" | "version"), "{word}: {name}");
            }
        }
    }
}

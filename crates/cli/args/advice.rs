//! What is meant by commands and options that do not exist.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Words that users of other programs type, and the options that do the same, or the command.
const MEANT: &[(&str, &[&str])] = &[
    ("--condition", &["--where"]),
    ("--cores", &["--jobs"]),
    ("--count", &["--limit"]),
    ("--cpus", &["--jobs"]),
    ("--csv", &["--format"]),
    ("--dedup", &["--unique"]),
    ("--dedupe", &["--unique"]),
    ("--depth", &["--ply"]),
    ("--distinct", &["--unique"]),
    ("--elo", &["--where"]),
    ("--epd", &["--format"]),
    ("--evaluation", &["--eval"]),
    ("--fen", &["--format"]),
    ("--filter", &["--where"]),
    ("--final", &["--last"]),
    ("--captures", &["--omit"]),
    ("--in-check", &["--omit"]),
    ("--json", &["--format"]),
    ("--mates", &["--omit"]),
    ("--max", &["--limit"]),
    ("--max-games", &["--limit"]),
    ("--max-plies", &["--ply"]),
    ("--max-ply", &["--ply"]),
    ("--max-eval", &["--eval"]),
    ("--min-elo", &["--where"]),
    ("--min-plies", &["--ply"]),
    ("--min-ply", &["--ply"]),
    ("--no-check", &["--omit"]),
    ("--no-duplicates", &["--unique", "--unique-games"]),
    ("--no-mate", &["--omit"]),
    ("--out", &["--output"]),
    ("--parallel", &["--jobs"]),
    ("--parquet", &["--format"]),
    ("--plies", &["--ply"]),
    ("--query", &["--where"]),
    ("--random", &["--shuffle", "--sample"]),
    ("--op", &["--add"]),
    ("--moves", &["--move", "--keep-moves"]),
    ("--silent", &["--quiet"]),
    ("--stats", &["--summary"]),
    ("--tags", &["--add"]),
    ("--threads", &["--jobs"]),
    ("--uniq", &["--unique"]),
    ("--verbose", &["--notes", "--summary"]),
    ("--workers", &["--jobs"]),
    ("-D", &["--unique-games"]),
    ("-W", &["--format"]),
    ("-s", &["--quiet"]),
    ("-t", &["--jobs"]),
    ("-v", &["--notes", "--summary"]),
    ("analyze", &["analyse"]),
    ("annotate", &["analyse"]),
    ("board", &["show"]),
    ("convert", &[""]),
    ("diagram", &["show"]),
    ("compare", &["diff"]),
    ("draw", &["show"]),
    ("eco", &["--format pgn --games openings"]),
    ("evaluate", &["analyse"]),
    ("fix", &["check --fix"]),
    ("gaps", &["book gaps"]),
    ("help", &["--help"]),
    ("merge", &["book merge"]),
    ("openings", &["--format pgn --games openings"]),
    ("polyglot", &["book"]),
    ("repair", &["check --fix"]),
    ("repertoire", &["book gaps"]),
    ("serve", &["book serve"]),
    ("split", &["splits"]),
    ("stats", &["check --stats"]),
    ("validate", &["check"]),
    ("verify", &["check"]),
    ("version", &["--version"]),
];

/// Returns what a word means, if that is known.
fn meant(word: &str) -> Option<&'static [&'static str]> {
    MEANT.iter().find(|(known, _)| *known == word).map(|(_, meant)| *meant)
}

/// Whether a word may be the other one, misspelled.
fn is_close(word: &str, other: &str) -> bool {
    let most = match word.trim_start_matches('-').len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    strsim::damerau_levenshtein(word, other) <= most
}

/// Returns the command that is meant by a word which is not the name of a file.
pub(crate) fn command(word: &str, commands: &clap::Command) -> Option<String> {
    let names = || commands.get_subcommands().map(clap::Command::get_name);
    let close = || names().find(|name| is_close(word, name)).map(str::to_owned);
    let meant = meant(word).and_then(|meant| meant.first()).map(|name| (*name).to_owned());
    let name = meant.or_else(close)?;
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

/// Returns the error for a topic of `pgn2epd help` that does not exist.
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

/// Replaces the suggestions for an unknown option of a command by those that mean the same.
pub(crate) fn improve(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let given = given.split('=').next().unwrap_or_default().to_owned();
    let has = |name: &&&str| {
        let long = name.trim_start_matches('-');
        command.get_arguments().any(|arg| arg.get_long() == Some(long))
    };
    let suggested = match (meant(&given), error.get(ContextKind::SuggestedArg)) {
        (Some(meant), _) if meant.iter().any(|name| has(&name)) => {
            meant.iter().find(has).map(|name| (*name).to_owned())
        }
        (None, Some(ContextValue::String(name))) if is_close(&given, name) => Some(name.clone()),
        _ => None,
    };
    // Names of files do not begin with a hyphen.
    error.remove(ContextKind::Suggested);
    error.remove(ContextKind::SuggestedArg);
    if let Some(name) = suggested {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(name));
    }
    // clap's usage has the option that it suggested.
    let usage = command.clone().render_usage();
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    error
}

#[cfg(test)]
mod tests {
    use super::super::{definition, parse};

    fn advice(line: &str) -> Vec<String> {
        let given: Vec<std::ffi::OsString> = line.split(' ').map(Into::into).collect();
        let text = parse(&given).unwrap_err().render().to_string();
        let tips = text.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
        tips.map(str::to_owned).collect()
    }

    #[test]
    fn an_option_is_suggested_by_its_meaning_or_not_at_all() {
        for (line, expected) in [
            ("pgn2epd --cores 2 a.pgn", Some("--jobs")),
            ("pgn2epd --cores=2 a.pgn", Some("--jobs")),
            ("pgn2epd book --cores 2 a.pgn", Some("--jobs")),
            ("pgn2epd --distinct a.pgn", Some("--unique")),
            ("pgn2epd --max-plies 10 a.pgn", Some("--ply")),
            ("pgn2epd -Wepd a.pgn", Some("--format")),
            ("pgn2epd --epd a.pgn", Some("--format")),
            ("pgn2epd --query x a.pgn", Some("--where")),
            ("pgn2epd --no-mate a.pgn", Some("--omit")),
            ("pgn2epd book --mates a.pgn", Some("--omit")),
            ("pgn2epd --unqiue a.pgn", Some("--unique")),
            ("pgn2epd --limits 3 a.pgn", Some("--limit")),
            ("pgn2epd --colour a.pgn", None),
            ("pgn2epd show --cores 2 a.pgn", None),
            ("pgn2epd --xyz a.pgn", None),
        ] {
            let expected = expected.map(|name| format!("a similar argument exists: '{name}'"));
            assert_eq!(advice(line), Vec::from_iter(expected), "{line}");
        }
    }

    #[test]
    fn the_usage_has_no_option_that_was_not_suggested() {
        for (line, expected) in [
            ("pgn2epd --cores 2 a.pgn", "Usage: pgn2epd [OPTIONS] [FILE]..."),
            ("pgn2epd check --xyz a.epd", "Usage: pgn2epd check [OPTIONS] [FILE]..."),
        ] {
            let given: Vec<std::ffi::OsString> = line.split(' ').map(Into::into).collect();
            let text = parse(&given).unwrap_err().render().to_string();
            let usage = text.lines().find(|line| line.starts_with("Usage")).unwrap();
            assert_eq!(usage, expected, "{text}");
        }
    }

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
            let words = meant.iter().flat_map(|meant| meant.split(' '));
            for name in words.filter_map(|word| word.strip_prefix("--")) {
                assert!(known(name) || matches!(name, "help" | "version"), "{word}: {name}");
            }
        }
    }
}

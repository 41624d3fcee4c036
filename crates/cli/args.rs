//! The command-line arguments. Only this module depends on clap.

mod book;
mod commands;
mod help;
mod library_options;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use serde_json::{Map, Value, json};

#[cfg(feature = "serve")]
pub(super) use book::Serve;
pub(super) use book::{Book, BookCommand, BookEngine, BookOutput, Gaps, check_merge};
pub(super) use commands::{
    Analyse, Check, ColorWhen, Convert, DiagramFormat, Diff, Join, Messages, Show, Solve, Splits,
    SuiteFormat, SummaryForm,
};
pub(super) use help::all as lists;
pub(super) use library_options::{
    Bytes, DEFAULT_TABLE, NumberRanges, OpeningTables, on_command_line,
};

const EXAMPLES: &str = "\
Examples:
  pgn2epd games.pgn > positions.epd
  pgn2epd --preset match --last --unique openings.pgn -o book.epd
  pgn2epd --where 'dm <= 3' --ops dm,id suite.epd > mates.epd
  pgn2epd --where 'WhiteElo >= 2400 and eval' --ops ce,sm lichess.pgn.zst > evaluated.epd";

const SHORT_AFTER_HELP: &str = concat!(
    "`pgn2epd --help` lists all options, `pgn2epd COMMAND --help` those of a command,\n",
    "`pgn2epd help formats|games|operations|omissions|duplicates|variables|conditions|presets` values.\n",
    "Documentation and issues: ",
    env!("CARGO_PKG_REPOSITORY")
);

const AFTER_HELP: &str = concat!(
    "\
Records go to standard output, everything else to standard error. An error in a game is printed as
  games.pgn:1234:17: game 57 (Carlsen, M - Nakamura, H), 12... Nd5: illegal: the knight
  on f6 is pinned to the king on e7 by the bishop on h4
and conversion continues with the next game. A file with the name of a command is given as ./book.

Lists of values, with examples: pgn2epd help formats, games, operations, omissions, duplicates, variables, conditions, presets. Other commands: splits divides files for several machines; man prints the manual page, completions those for a shell.

Exit status: 0 success; 1 errors in games, or nothing to write; 2 wrong arguments or files.

Documentation and issues: ",
    env!("CARGO_PKG_REPOSITORY")
);

/// Convert chess games (PGN) to positions (EPD): a record for the start of a game and after each
/// ply.
#[derive(Debug, Parser)]
#[command(name = "pgn2epd", bin_name = "pgn2epd", version, long_version = crate::version(), before_help = EXAMPLES, after_help = SHORT_AFTER_HELP, after_long_help = AFTER_HELP, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    pub(super) convert: Convert,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Analyse(Box<Analyse>),
    /// Check, repair and count positions (EPD, FEN)
    Check(Box<Check>),
    Book(Box<Book>),
    /// Print the completions for a shell
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Compare two files of positions or games: what only one has, and different operations
    Diff(Diff),
    /// Add the operations of equal positions in other files to records
    Join(Join),
    /// Print the manual page; `pgn2epd man | man -l -` shows it
    #[command(hide = true)]
    Man,
    /// Draw diagrams in the terminal, as SVG, PNG or LaTeX, or as an HTML page
    Show(Box<Show>),
    Solve(Box<Solve>),
    /// Divide files into ranges of bytes for several machines, printed as lines of JSON
    #[command(hide = true)]
    Splits(Splits),
}

pub(super) fn parse(given: &[OsString]) -> Result<Args, clap::Error> {
    if let [_, help, topic] = given
        && help == "help"
        && let Some(mut topic) = topic.to_str().and_then(help::named)
    {
        topic.try_get_matches_from_mut(["", "--help"])?;
    }
    if let [_, help, topic, ..] = given
        && help == "help"
        && let Some(topic) = topic.to_str()
        && !matches!(topic, "help" | "--help" | "-h")
        && Args::command().find_subcommand(topic).is_none()
    {
        return Err(help::not_a_topic(topic, &help::all(), &definition()));
    }
    let given = with_form_of_summary(given.iter().cloned());
    let mut command = match asks_for_help(&given) {
        true => Args::command(),
        false => library_options::without_help(Args::command),
    };
    let (has_help, words) = match given.get(1..).unwrap_or_default() {
        [help, words @ ..] if help == "help" => (true, words),
        words => (words.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--help"), words),
    };
    if has_help {
        command = in_full(command, words);
    }
    if io::stdin().is_terminal() {
        command = helps_without_arguments(command);
    }
    let mut matches = command.try_get_matches_from_mut(&given).map_err(|error| {
        let Some(first) = given.get(1).filter(|first| command.find_subcommand(first).is_none())
        else {
            return error;
        };
        match error.kind() {
            ErrorKind::UnknownArgument => {
                help::not_a_command(first, &definition()).unwrap_or(error)
            }
            _ => error,
        }
    })?;
    Args::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Whether help may be printed: at least for all arguments with which it is.
fn asks_for_help(given: &[OsString]) -> bool {
    let may_ask = |arg: &[u8]| match arg {
        [b'-', b'-', name @ ..] => name.starts_with(b"help"),
        [b'-', flags @ ..] => flags.contains(&b'h'),
        word => word == b"help",
    };
    given.len() < 3 && io::stdin().is_terminal()
        || given.iter().any(|arg| may_ask(arg.as_encoded_bytes()))
}

/// Makes a command's long help its only one: clap would write an empty line after each option.
fn in_full(command: clap::Command, words: &[OsString]) -> clap::Command {
    if let [name, words @ ..] = words
        && let Some(name) = name.to_str().filter(|name| command.find_subcommand(name).is_some())
    {
        return command.mut_subcommand(name, |named| in_full(named, words));
    }
    let about = command.get_long_about().or(command.get_about()).cloned().unwrap_or_default();
    let after = command.get_after_long_help().or(command.get_after_help()).cloned();
    let command = command
        .about(about)
        .long_about(None::<&str>)
        .after_help(after.unwrap_or_default())
        .after_long_help(None::<&str>);
    command.mut_args(|arg| {
        let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string);
        let mut help = help.unwrap_or_default().replace("\n\n", ". ");
        let values = arg.get_possible_values();
        let has_meanings = values.iter().any(|value| value.get_help().is_some());
        let is_listed = has_meanings && !arg.is_hide_possible_values_set();
        for value in values.iter().filter(|_| is_listed) {
            let meaning = value.get_help().map(ToString::to_string).unwrap_or_default();
            help += &format!("\n- {}: {meaning}", value.get_name());
        }
        let is_hidden = is_listed || arg.is_hide_possible_values_set();
        let is_left_out = arg.is_hide_set() || arg.is_hide_long_help_set();
        arg.help(help)
            .long_help(None::<&str>)
            .hide_short_help(false)
            .hide_long_help(false)
            .hide(is_left_out)
            .hide_possible_values(is_hidden)
            .next_line_help(true)
    })
}

const READERS: [&str; 3] = ["book", "check", "show"];

/// Prints help without arguments: on a terminal, these commands would wait without a message.
fn helps_without_arguments(command: clap::Command) -> clap::Command {
    let helps = |command: clap::Command| command.arg_required_else_help(true);
    READERS.into_iter().fold(helps(command), |all, name| all.mut_subcommand(name, helps))
}

/// Joins `--summary json` to `--summary=json`, or clap takes `json` for a file.
fn with_form_of_summary(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut only_files = false;
    for arg in args {
        only_files |= arg == "--";
        let is_form = || arg.to_str().is_some_and(|arg| SummaryForm::from_str(arg, false).is_ok());
        match joined.last_mut() {
            Some(last) if !only_files && last == "--summary" && is_form() => {
                last.push("=");
                last.push(arg);
            }
            _ => joined.push(arg),
        }
    }
    joined
}

pub(super) fn command_meant(files: &[PathBuf]) -> Option<String> {
    let first = files.first()?;
    if first.exists() { None } else { help::command_meant(first.to_str()?, &definition()) }
}

/// Returns all commands and options, for the completions and the manual page.
pub(super) fn definition() -> clap::Command {
    Args::command().mut_subcommands(|command| command.hide(false))
}

/// Options and commands that are for people at terminals, and of no use to a host.
const FOR_PEOPLE: [&str; 11] = [
    "color", "completions", "help", "json", "man", "output", "progress", "quiet", "serve",
    "summary", "version",
];

pub(super) fn described() -> Value {
    fn add(name: &str, command: &clap::Command, all: &mut Map<String, Value>) {
        let options = command.get_arguments().filter_map(|arg| {
            let long = arg.get_long().filter(|long| !FOR_PEOPLE.contains(long))?;
            let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
            let words = arg.get_possible_values();
            let words = words.iter().filter(|_| value.is_some()).map(PossibleValue::get_name);
            Some(json!({
                "name": long,
                "help": arg.get_help().map(ToString::to_string),
                "value": value.map(|names| names[0].as_str()),
                "words": words.collect::<Vec<_>>(),
                "optional": arg.get_num_args().is_some_and(|number| number.min_values() == 0),
                "repeats": matches!(arg.get_action(), ArgAction::Append),
            }))
        });
        all.insert(name.to_owned(), options.collect());
        let is_listed = |command: &&clap::Command| !FOR_PEOPLE.contains(&command.get_name());
        for command in command.get_subcommands().filter(is_listed) {
            add(format!("{name} {}", command.get_name()).trim(), command, all);
        }
    }
    let mut all = Map::new();
    add("", &definition(), &mut all);
    all.into()
}

#[cfg(test)]
mod tests {
    mod options_page;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
        helps_without_arguments(Args::command()).debug_assert();
    }

    #[test]
    fn the_form_of_a_summary_is_joined() {
        for (given, expected) in [
            ("--summary json a.pgn", "--summary=json a.pgn"),
            ("--summary text", "--summary=text"),
            ("book a.pgn --summary json", "book a.pgn --summary=json"),
            ("--summary games.pgn", "--summary games.pgn"),
            ("--summary json.pgn", "--summary json.pgn"),
            ("--summary ./json", "--summary ./json"),
            ("--summary=json json", "--summary=json json"),
            ("--summary JSON", "--summary JSON"),
            ("--summary -- json", "--summary -- json"),
            ("-- --summary json", "-- --summary json"),
        ] {
            let joined = with_form_of_summary(given.split(' ').map(OsString::from));
            assert_eq!(joined.join(" ".as_ref()), expected, "{given}");
        }
    }
}

//! The options that the library declares, as arguments.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, ValueHint};
use pgn2epd::options::{OptionError, OptionSet, OptionSpec, ValueKind, Visibility};

/// Options of a command, as declared by the library.
pub(crate) struct LibraryOptions<T, S = All> {
    given: Vec<(&'static str, String)>,
    kind: PhantomData<(T, S)>,
}

/// Which of the options a command has.
pub(crate) trait Subset: Send + Sync {
    fn has(heading: &str, name: &str) -> bool;
}

pub(crate) enum All {}

impl Subset for All {
    fn has(_: &str, _: &str) -> bool {
        true
    }
}

impl<T: OptionSet, S: Subset> LibraryOptions<T, S> {
    pub(crate) fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given.iter().map(|(name, value)| (*name, &**value))
    }

    /// Returns the names of the given options that select positions, as on the command line.
    pub(crate) fn limits(&self) -> Vec<String> {
        let others = ["where", "reach", "conflicts", "skip"];
        let limits = T::SPECS
            .iter()
            .filter(|spec| spec.heading == "Positions" || others.contains(&spec.name));
        let is_given = |name: &&str| self.given.iter().any(|(given, _)| given == name);
        let given = limits.map(|spec| spec.name).chain(["preset"]).filter(is_given);
        given.map(|name| format!("--{name}")).collect()
    }

    fn has_preset() -> bool {
        !T::PRESETS.is_empty() && S::has("Records", "preset")
    }

    fn specs() -> impl Iterator<Item = &'static OptionSpec<T>> {
        T::SPECS.iter().filter(|spec| S::has(spec.heading, spec.name))
    }
}

impl<T, S> fmt::Debug for LibraryOptions<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.given.fmt(f)
    }
}

impl<T: OptionSet, S: Subset> clap::Args for LibraryOptions<T, S> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::has_preset().then(preset::<T>)).args(Self::specs().map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: OptionSet, S: Subset> FromArgMatches for LibraryOptions<T, S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let names = Self::specs().map(|spec| (spec.name, spec.kind));
        let preset = Self::has_preset().then_some(("preset", ValueKind::Keyword));
        let mut given = Vec::new();
        for (name, kind) in names.chain(preset) {
            if matches.value_source(name) != Some(ValueSource::CommandLine) {
                continue;
            }
            if kind == ValueKind::Flag {
                given.push((name, "true".to_owned()));
                continue;
            }
            let values = matches.get_many::<String>(name).into_iter().flatten();
            given.extend(values.map(|value| (name, value.clone())));
        }
        Ok(LibraryOptions { given, kind: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the error of a value that was read with the other options, as on the command line.
pub(crate) fn on_command_line(error: OptionError) -> anyhow::Error {
    match error {
        OptionError::Value { name, value, reason } => anyhow::anyhow!("--{name} {value}: {reason}"),
        error => error.into(),
    }
}

thread_local! {
    /// Whether options are described; see [`without_help`].
    static HAS_HELP: Cell<bool> = const { Cell::new(true) };
}

/// The descriptions of options cost more than all else at the start of the program.
pub(crate) fn without_help(make: impl FnOnce() -> Command) -> Command {
    HAS_HELP.set(false);
    let command = make();
    HAS_HELP.set(true);
    command
}

/// clap would add the values and the default in lines of their own.
fn arg<T: OptionSet>(spec: &'static OptionSpec<T>) -> Arg {
    let (keywords, default) = (spec.keywords(), spec.default_value());
    let (short, long) = match HAS_HELP.get() {
        true => help(&spec.help(), spec.long_help(), &keywords, default.as_deref()),
        false => (String::new(), String::new()),
    };
    let mut arg = Arg::new(spec.name)
        .long(spec.name)
        .short(spec.short)
        .help_heading(spec.heading)
        .help(short)
        .long_help(long)
        .hide(spec.visibility == Visibility::Hidden)
        .hide_short_help(spec.visibility == Visibility::Full);
    if let Some(default) = default {
        arg = arg.default_value(default);
    }
    if spec.kind == ValueKind::Flag {
        return arg.action(ArgAction::SetTrue);
    }
    if let Some(value) = spec.optional {
        arg = arg.num_args(0..=1).require_equals(true).default_missing_value(value);
    }
    if spec.value_name == "FOLDER" {
        arg = arg.value_hint(ValueHint::DirPath);
    }
    if spec.kind == ValueKind::File {
        arg = arg.value_hint(ValueHint::FilePath);
    }
    arg = arg
        .hide_possible_values(true)
        .hide_default_value(true)
        .value_name(spec.value_name)
        .allow_hyphen_values(spec.allows_hyphen)
        .action(if spec.repeats { ArgAction::Append } else { ArgAction::Set });
    // It is read once, with the other options.
    if spec.kind == ValueKind::File {
        return arg.value_parser(clap::builder::NonEmptyStringValueParser::new());
    }
    // A list has several of the words.
    if keywords.is_empty() || spec.kind == ValueKind::List {
        return arg.value_parser(|value: &str| spec.check(value).map(|()| value.to_owned()));
    }
    arg.value_parser(keyword_parser(keywords))
}

/// In the help of options whose values are in a list of their own: [`topics`](super::topics).
const LISTED: &str = "`pgn2epd help ";

/// More values than these are in the text of the help.
const MOST_VALUES: usize = 14;

/// Returns the short help, with words of the value in its first line, and the long, in lines.
fn help(
    help: &str,
    long_help: Option<String>,
    keywords: &[(&'static str, &'static str)],
    default: Option<&str>,
) -> (String, String) {
    let default = default.map_or_else(String::new, |default| format!(" [default: {default}]"));
    let mut long = long_help.unwrap_or_else(|| help.to_owned());
    let at = long.find("\n\n").unwrap_or(long.len());
    long.insert_str(at, &default);
    let is_listed = long.contains(LISTED);
    if !is_listed && keywords.len() <= MOST_VALUES {
        long.extend(keywords.iter().map(|(word, meaning)| format!("\n- {word}: {meaning}")));
    }
    let words: Vec<&str> = keywords.iter().map(|(word, _)| *word).collect();
    let short = match words.len() {
        1..=4 if !is_listed => format!("{help}: {}{default}", words.join(", ")),
        _ => format!("{help}{default}"),
    };
    (short, long)
}

fn keyword_parser(keywords: Vec<(&'static str, &'static str)>) -> PossibleValuesParser {
    keywords.into_iter().map(|(word, help)| PossibleValue::new(word).help(help)).into()
}

fn preset<T: OptionSet>() -> Arg {
    let presets: Vec<_> = T::PRESETS.iter().map(|preset| (preset.name, preset.help)).collect();
    let of_format = T::SPECS.iter().find(|spec| spec.name == "format");
    let heading = of_format.or(T::SPECS.first()).map_or("Options", |spec| spec.heading);
    let words: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
    let about = "Options for a purpose";
    let arg = Arg::new("preset").long("preset").value_name("NAME").help_heading(heading);
    let arg = arg.help(format!("{about}: {}", words.join(", ")));
    let long = match &presets[..] {
        [(name, help)] => format!("{about}\n- {name}: {help}"),
        _ => format!("{about}: {}; see `pgn2epd help presets`", words.join(", ")),
    };
    arg.long_help(long).hide_possible_values(true).value_parser(keyword_parser(presets))
}

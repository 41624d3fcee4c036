//! The options that the library declares, as arguments.

pub(super) use pgn2epd::options::Size;

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, ValueHint};
use pgn2epd::options::{Keyword, OptionError, OptionSet, OptionSpec, ValueKind, Visibility};
use pgn2epd::output::without_compression_suffix;

pub(super) fn words<T: Keyword + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let possible = |value: &T| match value.help() {
        "" => PossibleValue::new(value.word()),
        help => PossibleValue::new(value.word()).help(help),
    };
    PossibleValuesParser::new(T::ALL.iter().map(possible)).try_map(|word| T::from_word(&word))
}

/// A list of numbers and ranges: `3`, `1..5`, `8..`, `10,20,30`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberRanges(pub(crate) Vec<RangeInclusive<u64>>);

impl NumberRanges {
    pub(crate) fn contains(&self, number: u64) -> bool {
        self.0.iter().any(|range| range.contains(&number))
    }

    pub(crate) fn last(&self) -> u64 {
        self.0.iter().map(|range| *range.end()).max().unwrap_or(0)
    }

    pub(crate) fn is_single(&self) -> bool {
        matches!(&self.0[..], [range] if range.start() == range.end())
    }

    pub(crate) fn text(range: &RangeInclusive<u64>) -> String {
        match (range.start(), range.end()) {
            (first, last) if first == last => first.to_string(),
            (first, &u64::MAX) => format!("{first}.."),
            (first, last) => format!("{first}..{last}"),
        }
    }
}

impl FromStr for NumberRanges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = |text: &str| {
            let advice =
                || format!("{text:?} is neither a number nor a range, such as 1..5 or 8..");
            let number = |text: &str, default| match text {
                "" => Ok(default),
                digits => digits.parse().map_err(|_| advice()),
            };
            let (first, last) = match text.split_once("..") {
                Some(("", "")) => return Err(advice()),
                Some((first, last)) => {
                    (number(first, 0)?, number(last.trim_start_matches('='), u64::MAX)?)
                }
                None if text.is_empty() => return Err(advice()),
                None => (number(text, 0)?, number(text, 0)?),
            };
            match first > last {
                true => Err(format!("the range {text} is empty; write {last}..{first}")),
                false => Ok(first..=last),
            }
        };
        text.split(',').map(|part| range(part.trim())).collect::<Result<_, _>>().map(NumberRanges)
    }
}

pub(super) fn counted_from_one(text: &str) -> Result<NumberRanges, String> {
    let mut numbers: NumberRanges = text.parse()?;
    for range in &mut numbers.0 {
        if *range.end() == 0 {
            return Err("the first game has the number 1".to_owned());
        }
        *range = 1.max(*range.start())..=*range.end();
    }
    Ok(numbers)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) Range<u64>);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let advice = || {
            "write START:END in bytes, such as 0:268435456, or START: for the rest of the file"
                .to_owned()
        };
        let (start, end) = text.split_once(':').ok_or_else(advice)?;
        let start = start.parse().map_err(|_| advice())?;
        let end = if end.is_empty() { Ok(u64::MAX) } else { end.parse() };
        let end = end.map_err(|_| advice())?;
        if start > end {
            return Err(format!("the range ends before it begins; write {end}:{start}"));
        }
        Ok(Bytes(start..end))
    }
}

/// The format by the suffix, in any case; `None` without one. An unknown suffix is an error.
pub(super) fn format_of_suffix<T: Copy>(
    output: Option<&Path>,
    known: impl IntoIterator<Item = (&'static str, T)>,
    what: &str,
) -> anyhow::Result<Option<T>> {
    let name = output.map(without_compression_suffix);
    let Some((path, suffix)) = name.as_deref().and_then(|path| Some((path, path.extension()?)))
    else {
        return Ok(None);
    };
    let known: Vec<_> = known.into_iter().collect();
    if let Some((_, format)) = known.iter().find(|(name, _)| suffix.eq_ignore_ascii_case(name)) {
        return Ok(Some(*format));
    }
    let names: Vec<String> = known.iter().map(|(name, _)| format!(".{name}")).collect();
    bail!(
        "{}: unknown suffix .{}; known suffixes of {what}: {}{}",
        path.display(),
        suffix.display(),
        names.join(", "),
        if names.len() > 1 { "; --format selects a format for any name" } else { "" }
    )
}

pub(crate) const DEFAULT_TABLE: &str = "default";

#[derive(Debug, clap::Args)]
pub(crate) struct OpeningTables {
    /// Use this opening table instead of the built-in one; may be repeated, later tables override
    /// earlier ones
    ///
    /// The TSV of Lichess, EPD, PGN with one line per game, .eco of SCID, or CSV of Perl's
    /// Chess::PGN::EPD, by content. "default" is the built-in table.
    #[arg(long = "openings", value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) tables: Vec<PathBuf>,
}

impl OpeningTables {
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.tables.iter().filter(|path| *path != Path::new(DEFAULT_TABLE))
    }
}

pub(crate) struct LibraryOptions<T, S = All> {
    given: Vec<(&'static str, String)>,
    kind: PhantomData<(T, S)>,
}

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

/// How the help of options refers to a list of their values: [`topics`](super::help).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_a_list_of_ranges() {
        let numbers = |text: &str| {
            let numbers = text.parse::<NumberRanges>().ok()?;
            Some(numbers.0.iter().map(NumberRanges::text).collect::<Vec<_>>().join(" "))
        };
        for (text, expected) in [
            ("3", "3"),
            ("1..5", "1..5"),
            ("8..", "8.."),
            ("..5", "0..5"),
            ("10,20,30", "10 20 30"),
            ("7, 1..3", "7 1..3"),
            ("4..4", "4"),
        ] {
            assert_eq!(numbers(text).as_deref(), Some(expected), "{text}");
        }
        for wrong in ["", ",", "1,", "..", "5..1", "x", "-1", "1...3", "1-3"] {
            assert_eq!(numbers(wrong), None, "{wrong}");
        }
        let list: NumberRanges = "7,1..3".parse().unwrap();
        assert_eq!((0..9).filter(|n| list.contains(*n)).collect::<Vec<_>>(), [1, 2, 3, 7]);
        assert_eq!((list.last(), list.is_single()), (7, false));
        assert_eq!(counted_from_one("..2").unwrap().to_owned(), "1..2".parse().unwrap());
        assert!(counted_from_one("0").is_err());
    }

    #[test]
    fn ranges_may_have_an_open_end() {
        let bytes = |text: &str| text.parse().map(|Bytes(range)| range).ok();
        assert_eq!(bytes("0:100"), Some(0..100));
        assert_eq!(bytes("100:"), Some(100..u64::MAX));
        assert_eq!(bytes("7:7"), Some(7..7));
        for wrong in ["", ":", "7", ":7", "8:7", "a:b", "-1:2", "1:2:3"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }
}

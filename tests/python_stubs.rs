//! The Python package lists the options that the library declares, with their types and
//! descriptions.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use pgn2epd::Options;
use pgn2epd::analyse::{AnalyseOptions, analysis_has, book_has, solution_has};
use pgn2epd::book::BookOptions;
use pgn2epd::diagram::DiagramOptions;
use pgn2epd::epd::CheckOptions;
use pgn2epd::options::{OptionSet, OptionSpec, ValueKind};
use regex::Regex;

const OPTIONS: &str = "python/package/pgn2epd/_options.py";

const BEGIN: &str = "\n\nclass Options(TypedDict, total=False):\n";

/// Returns the type of the values of an option.
fn python_type<T>(spec: &OptionSpec<T>) -> String {
    match spec.kind {
        ValueKind::Flag => "bool".to_owned(),
        ValueKind::Keyword if spec.repeats => "str | Sequence[str]".to_owned(),
        ValueKind::Keyword if spec.optional.is_some() || is_on_off(spec) => {
            format!("bool | {}", literal(spec.keywords().into_iter().map(|(word, _)| word)))
        }
        ValueKind::Keyword => literal(spec.keywords().into_iter().map(|(word, _)| word)),
        ValueKind::Number => "int".to_owned(),
        ValueKind::Size => "int | str".to_owned(),
        ValueKind::Share => "float".to_owned(),
        ValueKind::Range => "int | str | tuple[int | None, int | None]".to_owned(),
        ValueKind::List => "str | Sequence[str]".to_owned(),
        ValueKind::File => "str | os.PathLike[str]".to_owned(),
        ValueKind::Text if spec.repeats => "str | Sequence[str]".to_owned(),
        ValueKind::Text => "str".to_owned(),
    }
}

fn literal(words: impl Iterator<Item = &'static str>) -> String {
    let words: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    format!("Literal[{}]", words.join(", "))
}

/// An option as a keyword argument.
struct Key {
    name: String,
    kind: String,
    /// The description in terms of keyword arguments.
    help: String,
}

impl Key {
    fn new(name: &str, kind: &str, help: &str) -> Self {
        let option = Regex::new("--([a-z-]+)").unwrap();
        let help =
            option.replace_all(help, |found: &regex::Captures<'_>| found[1].replace('-', "_"));
        let stop = if help.ends_with('.') { "" } else { "." };
        let (name, kind, help) = (name.replace('-', "_"), kind.to_owned(), format!("{help}{stop}"));
        Key { name, kind, help }
    }
}

fn is_on_off<T>(spec: &OptionSpec<T>) -> bool {
    spec.keywords().first().is_some_and(|(word, _)| *word == "on")
}

const PATHS: &str = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]";
const OPENINGS: &str = "Opening tables instead of the built-in one, which is \"default\"; later tables override earlier ones";

/// Returns the keys for options, without those that functions have as parameters, or that a target
/// implies.
fn keys<T: OptionSet>(without: &[&str], openings_after: &str) -> Vec<Key> {
    keys_that::<T>(&|_, name| !without.contains(&name), openings_after)
}

/// Returns the keys for the options with a heading and a name that a function has.
fn keys_that<T: OptionSet>(has: &dyn Fn(&str, &str) -> bool, openings_after: &str) -> Vec<Key> {
    let presets = literal(T::PRESETS.iter().map(|preset| preset.name));
    let help = "A set of options for a purpose; other options override it";
    let has_presets = !T::PRESETS.is_empty() && has("Records", "preset");
    let mut keys = Vec::from_iter(has_presets.then(|| Key::new("preset", &presets, help)));
    for spec in T::SPECS.iter().filter(|spec| has(spec.heading, spec.name)) {
        let kind =
            if spec.name == "temp-dir" { "str | os.PathLike[str]" } else { &python_type(spec) };
        keys.push(Key::new(spec.name, kind, &spec.help()));
        if spec.name == openings_after {
            keys.push(Key::new("openings", PATHS, OPENINGS));
        }
    }
    keys
}

/// A class: `help()` shows its description, and editors that of each key.
fn class(name: &str, of: &str, keys: Vec<Key>) -> String {
    let mut text = format!(
        "\n\nclass {name}(TypedDict, total=False):\n    \"\"\"Keyword arguments{of}, the options of the command line.\n\n"
    );
    for Key { name, help, .. } in &keys {
        writeln!(text, "    * `{name}`: {help}").unwrap();
    }
    text += "    \"\"\"\n\n";
    for Key { name, kind, help } in &keys {
        write!(text, "    {name}: {kind} | None\n    \"\"\"{help}\"\"\"\n").unwrap();
    }
    text
}

fn classes() -> String {
    [
        class("Options", "", keys::<Options>(&["columns"], "names")),
        class("BookOptions", " of `book`", {
            let of_engine = keys_that::<AnalyseOptions>(&|_, name| book_has(name), "");
            keys::<BookOptions>(&["keep-moves"], "").into_iter().chain(of_engine).collect()
        }),
        class("CheckOptions", " of `check`", keys::<CheckOptions>(&["fix"], "")),
        class("DiagramOptions", " of `show`", keys::<DiagramOptions>(&[], "")),
        class("AnalyseOptions", " of `analyse`", {
            let analysis = keys_that::<Options>(&|_, name| analysis_has(name), "");
            let of_engine = keys_that::<AnalyseOptions>(&|_, name| analysis_has(name), "");
            of_engine.into_iter().chain(analysis).collect()
        }),
        class("SolveOptions", " of `solve`", {
            let suites = keys_that::<Options>(&solution_has, "");
            keys_that::<AnalyseOptions>(&solution_has, "").into_iter().chain(suites).collect()
        }),
    ]
    .concat()
}

#[test]
fn the_options_of_the_python_package_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(OPTIONS);
    let before = fs::read_to_string(&path).unwrap();
    let (before, _) = before.split_once(BEGIN).expect("the file has a class of options");
    let expected = format!("{before}{}", classes());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap();
    assert!(found == expected, "{OPTIONS}: UPDATE_DOCS=1 cargo test python_stubs");
}

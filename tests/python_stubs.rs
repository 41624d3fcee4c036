//! The type stubs of the Python package list the options that the library declares.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use pgn2epd::{OptionSpec, Options, PRESETS, ValueKind};
use regex::Regex;

const STUBS: &str = "python/package/pgn2epd/__init__.pyi";

const BEGIN: &str = "class _Options(TypedDict, total=False):\n";

/// Returns the type of the values of an option.
fn python_type(spec: &OptionSpec<Options>) -> String {
    match spec.kind {
        ValueKind::Flag => "bool".to_owned(),
        ValueKind::Keyword => literal(spec.keywords().into_iter().map(|(word, _)| word)),
        ValueKind::Number => "int".to_owned(),
        ValueKind::Size => "int | str".to_owned(),
        ValueKind::Plies => "int | str | tuple[int | None, int | None]".to_owned(),
        ValueKind::List => "str | Sequence[str]".to_owned(),
        ValueKind::Text if spec.repeats => "str | Sequence[str]".to_owned(),
        ValueKind::Text => "str".to_owned(),
    }
}

fn literal(words: impl Iterator<Item = &'static str>) -> String {
    let words: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    format!("Literal[{}]", words.join(", "))
}

/// Appends a key of the dictionary, with its description in terms of keyword arguments.
fn key(text: &mut String, name: &str, kind: &str, help: &str) {
    let option = Regex::new("--([a-z-]+)").unwrap();
    let help = option.replace_all(help, |found: &regex::Captures<'_>| found[1].replace('-', "_"));
    let stop = if help.ends_with('.') { "" } else { "." };
    let name = name.replace('-', "_");
    write!(text, "    {name}: {kind} | None\n    \"\"\"{help}{stop}\"\"\"\n").unwrap();
}

fn options() -> String {
    let mut text = BEGIN.to_owned();
    let presets = literal(PRESETS.iter().map(|preset| preset.name));
    key(&mut text, "preset", &presets, "A set of options for a purpose; other options override it");
    // Functions that make tables have a parameter for the columns.
    for spec in Options::SPECS.iter().filter(|spec| spec.name != "columns") {
        key(&mut text, spec.name, &python_type(spec), &spec.help());
        if spec.name == "names" {
            let paths = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]";
            let help = "Opening tables instead of the built-in one, which is \"default\"; later tables override earlier ones";
            key(&mut text, "openings", paths, help);
        }
    }
    text
}

#[test]
fn the_stubs_of_the_python_package_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(STUBS);
    let stubs = fs::read_to_string(&path).unwrap();
    let (before, rest) = stubs.split_once(BEGIN).expect("the stubs have a class of options");
    let end = rest.find("\n\n").expect("an empty line ends the class");
    let expected = format!("{before}{}{}", options(), &rest[end + 1..]);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let stubs = fs::read_to_string(&path).unwrap();
    assert!(stubs == expected, "{STUBS}: UPDATE_DOCS=1 cargo test python_stubs");
}

//! The Python package lists the options that the library declares, with their types and descriptions.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use pgn2epd::{OptionSpec, Options, PRESETS, ValueKind};
use regex::Regex;

const OPTIONS: &str = "python/package/pgn2epd/_options.py";

const BEGIN: &str = "class Options(TypedDict, total=False):\n";

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

fn keys() -> Vec<Key> {
    let presets = literal(PRESETS.iter().map(|preset| preset.name));
    let help = "A set of options for a purpose; other options override it";
    let mut keys = vec![Key::new("preset", &presets, help)];
    // Functions that make tables have a parameter for the columns.
    for spec in Options::SPECS.iter().filter(|spec| spec.name != "columns") {
        keys.push(Key::new(spec.name, &python_type(spec), &spec.help()));
        if spec.name == "names" {
            let paths = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]";
            let help = "Opening tables instead of the built-in one, which is \"default\"; later tables override earlier ones";
            keys.push(Key::new("openings", paths, help));
        }
    }
    keys
}

/// The class: `help()` shows its description, and editors that of each key.
fn options() -> String {
    let keys = keys();
    let mut text =
        format!("{BEGIN}    \"\"\"Keyword arguments, the options of the command line.\n\n");
    for Key { name, help, .. } in &keys {
        writeln!(text, "    * `{name}`: {help}").unwrap();
    }
    text += "    \"\"\"\n\n";
    for Key { name, kind, help } in &keys {
        write!(text, "    {name}: {kind} | None\n    \"\"\"{help}\"\"\"\n").unwrap();
    }
    text
}

#[test]
fn the_options_of_the_python_package_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(OPTIONS);
    let before = fs::read_to_string(&path).unwrap();
    let (before, _) = before.split_once(BEGIN).expect("the file has a class of options");
    let expected = format!("{before}{}", options());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap();
    assert!(found == expected, "{OPTIONS}: UPDATE_DOCS=1 cargo test python_stubs");
}

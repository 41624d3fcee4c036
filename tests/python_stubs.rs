//! The Python package lists the options of the commands, with their types and descriptions.

use std::fmt::Write;

use regex::Regex;
use serde_json::Value;

use crate::support::{assert_up_to_date, text_of};

const OPTIONS: &str = "python/package/pgn2epd/_options.py";

const BEGIN: &str = "\n\nclass Options(TypedDict, total=False):\n";

/// The classes: name, the class that it adds options to, the command, and the options that the
/// function does not have, or has as a parameter of its own.
const CLASSES: [(&str, &str, &str, &[&str]); 10] = [
    ("Options", "TypedDict", "", &["columns", "manifest", "range", "report"]),
    ("ConvertOptions", "Options", "", &["columns"]),
    ("AnalyseOptions", "TypedDict", "analyse", &[]),
    ("BookOptions", "TypedDict", "book", &[]),
    ("CheckOptions", "TypedDict", "check", &["fix"]),
    ("DiagramOptions", "TypedDict", "show", &["game", "ply"]),
    ("DiffOptions", "TypedDict", "diff", &[]),
    ("JoinOptions", "TypedDict", "join", &["with"]),
    ("MergeOptions", "TypedDict", "book merge", &[]),
    ("SolveOptions", "TypedDict", "solve", &[]),
];

/// Returns the type of the values of an option.
fn python_type(option: &Value) -> String {
    let words: Vec<&str> =
        option["words"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let kind = match option["value"].as_str() {
        None => "bool",
        Some(_) if !words.is_empty() => &*format!("Literal[\"{}\"]", words.join("\", \"")),
        Some("N" | "SEED" | "MS" | "SECONDS" | "CP" | "PIXELS") => "int",
        Some("SIZE") => "int | str",
        Some("SHARE") => "float",
        Some("LIST") => "str | Sequence[str]",
        Some("FILE" | "FOLDER") => "str | os.PathLike[str]",
        Some(name) if name.contains("..") => "int | str | tuple[int | None, int | None]",
        Some(_) => "str",
    };
    let is_flag = option["optional"] == true || words.contains(&"on");
    match kind {
        "str" | "str | os.PathLike[str]" if option["repeats"] == true => {
            format!("{kind} | Sequence[{kind}]")
        }
        _ if is_flag => format!("bool | {kind}"),
        _ => kind.to_owned(),
    }
}

/// Returns a description in terms of keyword arguments.
fn help(option: &Value) -> String {
    let name = Regex::new("--([a-z-]+)").unwrap();
    let help = option["help"].as_str().unwrap_or_default();
    let help = name.replace_all(help, |found: &regex::Captures<'_>| found[1].replace('-', "_"));
    format!("{}.", help.trim_end_matches('.'))
}

/// Returns a class: `help()` shows its description, and editors that of each key.
fn class(
    definition: &Value,
    (name, parent, command, without): (&str, &str, &str, &[&str]),
) -> String {
    let of = if command.is_empty() { "pgn2epd".into() } else { format!("pgn2epd {command}") };
    let mut text = format!(
        "\n\nclass {name}({parent}, total=False):\n    \"\"\"Keyword arguments, the options of `{of}`.\n\n"
    );
    let (_, _, _, of_iterators) = CLASSES[0];
    let is_new = |name: &str| parent == "TypedDict" || of_iterators.contains(&name);
    let name_of = |option: &Value| option["name"].as_str().unwrap_or_default().to_owned();
    let all = definition[command].as_array().unwrap().iter();
    let options: Vec<&Value> = all
        .filter(|option| !without.contains(&&*name_of(option)) && is_new(&name_of(option)))
        .collect();
    for option in &options {
        writeln!(text, "    * `{}`: {}", name_of(option).replace('-', "_"), help(option)).unwrap();
    }
    text += "    \"\"\"\n\n";
    for option in &options {
        let (name, kind) = (name_of(option).replace('-', "_"), python_type(option));
        write!(text, "    {name}: {kind} | None\n    \"\"\"{}\"\"\"\n", help(option)).unwrap();
    }
    text
}

#[test]
fn the_options_of_the_python_package_are_up_to_date() {
    let before = text_of(OPTIONS);
    let (before, _) = before.split_once(BEGIN).expect("the file has a class of options");
    let definition = pgn2epd_cli::definition();
    let classes = CLASSES.map(|described| class(&definition, described)).concat();
    assert_up_to_date(OPTIONS, &format!("{before}{classes}"));
}

//! No text file of the project contains a phrase of `tests/plain-english.tsv`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::links::project_files;
use crate::support::ROOT;

/// Allowed text: the path or its beginning, the text in lower case, and the reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("", "there is no ", "ordinary English"),
    ("", "is no longer", "ordinary English"),
    ("COPYING", "is no warranty", "the text of the licence"),
    ("crates/testkit/src/generate/", "a bracket that is no tag", "generated games must not change"),
    ("tests/language.rs", "", "these exceptions"),
    ("tests/plain-english.tsv", "", "the phrases themselves"),
];

/// A phrase, and what to write instead.
struct Rule {
    phrase: Regex,
    advice: String,
}

fn rules() -> Vec<Rule> {
    let lines = include_str!("plain-english.tsv").lines().filter(|line| !line.starts_with('#'));
    let rule = |line: &str| {
        let (phrase, advice) = line.split_once('\t').unwrap();
        // Lines are compared in lower case; word boundaries in ASCII do not need Unicode tables.
        let phrase = phrase.to_lowercase().replace(r"\b", r"(?-u:\b)");
        Rule { phrase: Regex::new(&phrase).unwrap(), advice: advice.to_owned() }
    };
    lines.map(rule).collect()
}

/// The text files of the project, by their paths in it.
fn texts() -> Vec<(String, String)> {
    let (root, mut files) = (Path::new(ROOT), Vec::new());
    project_files(root, &mut files);
    files.sort();
    let text = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        Some((name, fs::read_to_string(&path).ok()?))
    };
    files.into_iter().filter_map(text).collect()
}

/// The line in lower case without the text that is allowed in the file; `None` if all of it is
/// allowed.
fn judged(file: &str, line: &str) -> Option<String> {
    let mut line = line.to_lowercase();
    for (path, text, _) in ALLOWED.iter().filter(|(path, ..)| file.starts_with(path)) {
        if text.is_empty() && !path.is_empty() {
            return None;
        }
        line = line.replace(text, " … ");
    }
    Some(line)
}

#[test]
fn texts_are_in_plain_english() {
    let rules = rules();
    assert!(rules.len() >= 20, "{} rules", rules.len());
    let texts = texts();
    assert!(texts.len() >= 300, "{} files", texts.len());
    let phrases: Vec<&str> = rules.iter().map(|rule| rule.phrase.as_str()).collect();
    let any = Regex::new(&phrases.join("|")).unwrap();
    let mut found = String::new();
    for (file, text) in &texts {
        if !any.is_match(&text.to_lowercase()) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let Some(line) = judged(file, line) else { continue };
            for Rule { phrase, advice } in &rules {
                if let Some(hit) = phrase.find(&line) {
                    let number = number + 1;
                    writeln!(found, "{file}:{number}: {} -> {advice}", hit.as_str()).unwrap();
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{found}");
}

#[test]
fn every_exception_is_needed() {
    let texts = texts();
    for (path, text, _) in ALLOWED {
        let is_used = texts
            .iter()
            .any(|(file, lines)| file.starts_with(path) && lines.to_lowercase().contains(text));
        assert!(is_used, "{path}: {text} does not occur");
    }
}

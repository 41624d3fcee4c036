//! End-to-end cases as data: a file of TOML has commands, inputs and what is expected of them.
//!
//! docs/testing.md describes the format. A failing case prints its file, name, command, and what
//! was expected and found.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use crate::pack;
use crate::program::Program;

type Files = BTreeMap<String, Vec<u8>>;

/// What cases are run with.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'r> {
    /// The program that each case runs.
    pub program: &'r Path,
    /// The folder of fixtures.
    pub fixtures: &'r Path,
    /// What `only` may name, and whether it is there.
    pub present: &'r [(&'r str, bool)],
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Case {
    #[serde(skip)]
    name: String,
    before: String,
    args: Text,
    stdin: Content,
    files: BTreeMap<String, Content>,
    env: BTreeMap<String, String>,
    show: String,
    stdout: Text,
    stderr: Text,
    status: Option<Value>,
    out: BTreeMap<String, Text>,
    same: Option<Same>,
    by: Vec<String>,
    only: Option<String>,
}

/// The run that has the expected results.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Same {
    args: Option<Text>,
    stdin: Option<Content>,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(String),
    Lines(Vec<String>),
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(Text),
    Made(Made),
}

#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Made {
    text: Text,
    fixture: Option<String>,
    /// Names and contents in turn.
    zip: Vec<Content>,
    latin1: bool,
    utf16: bool,
    repeat: Option<usize>,
    pack: Option<String>,
    cut: Option<usize>,
}

/// What a command did; of its files those that are new or changed.
#[derive(PartialEq)]
struct Found {
    status: i32,
    stdout: Vec<u8>,
    stderr: String,
    written: Files,
}

impl Runner<'_> {
    /// Runs all cases of a file, or those whose name contains the value of the variable `CASE`.
    ///
    /// # Panics
    ///
    /// With a description of all cases that fail.
    pub fn run(&self, path: &Path) {
        let file = path.file_name().unwrap_or_default().display();
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
        let cases = cases(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        let chosen = std::env::var("CASE").unwrap_or_default();
        let chosen = cases.iter().filter(|case| case.name.contains(&chosen));
        let failures = chosen.filter_map(|case| {
            let failure = self.failure(case)?;
            Some(format!("\n{file}: {}\n{failure}", case.name))
        });
        let failures: String = failures.collect();
        assert!(failures.is_empty(), "{failures}");
    }

    fn failure(&self, case: &Case) -> Option<String> {
        if let Some(only) = &case.only {
            match self.present.iter().find(|(name, _)| name == only) {
                None => return Some(format!("only = {only:?} is not known\n")),
                Some((_, false)) => return None,
                Some(_) => {}
            }
        }
        if case.args.lines().is_empty() {
            return Some("it runs nothing\n".to_owned());
        }
        let stderr = case.stderr.text();
        if !stderr.is_empty() && stderr.trim_matches(['…', '\n', ' ']).is_empty() {
            return Some("the expected message is empty\n".to_owned());
        }
        [""].into_iter().chain(case.by.iter().map(String::as_str)).find_map(|more| {
            let complaint = self.complaint(case, more).err()?;
            let commands = case.args.lines().join(" | ");
            Some(format!("  pgn2epd {} {commands} {more}\n{complaint}", case.before))
        })
    }

    fn complaint(&self, case: &Case, more: &str) -> Result<(), String> {
        let found = self.found(case, &case.args, &case.stdin, more)?;
        let mut complaints = String::new();
        let mut compare = |what: &str, expected: &str, found: &str, is_same: bool| {
            if !is_same {
                complaints += &format!("  {what}:\n{}{}", lines('-', expected), lines('+', found));
            }
        };
        if let Some(Same { args, stdin }) = &case.same {
            let args = args.as_ref().unwrap_or(&case.args);
            let stdin = stdin.as_ref().unwrap_or(&case.stdin);
            let same = self.found(case, args, stdin, "")?;
            if same.status == 2 || same.stdout.is_empty() && same.written.is_empty() {
                return Err(format!("  nothing to compare with: {}\n", same.stderr));
            }
            let [expected, text] = [&same, &found].map(|found| found.text("text"));
            let statuses = [&same, &found].map(|found| found.status.to_string());
            compare("status", &statuses[0], &statuses[1], statuses[0] == statuses[1]);
            compare("standard output", &expected, &text, same.stdout == found.stdout);
            compare("standard error", &same.stderr, &found.stderr, same.stderr == found.stderr);
            compare("files", "the same", "others", same.written == found.written);
            return if complaints.is_empty() { Ok(()) } else { Err(complaints) };
        }
        let mut compare = |what: &str, expected: &str, found: &str| {
            compare(what, expected, found, matches(expected, found));
        };
        let status = case.status.as_ref().map_or("0".to_owned(), Value::to_string);
        compare("status", status.trim_matches(['"', '\'']), &found.status.to_string());
        compare("standard output", &case.stdout.text(), &found.text(&case.show));
        compare("standard error", &case.stderr.text(), &found.stderr);
        for (name, expected) in &case.out {
            match found.written.get(name) {
                Some(bytes) => compare(name, &expected.text(), &String::from_utf8_lossy(bytes)),
                None => compare(name, "(written)", "(not written)"),
            }
        }
        for name in found.written.keys().filter(|name| !case.out.contains_key(*name)) {
            compare(name, "(not written)", "(written)");
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints) }
    }

    /// Runs the commands, each with the output of the one before as its input.
    fn found(
        &self,
        case: &Case,
        args: &Text,
        stdin: &Content,
        more: &str,
    ) -> Result<Found, String> {
        let mut stdin = self.bytes(stdin)?;
        let mut files = Files::new();
        for (name, content) in &case.files {
            files.insert(name.clone(), self.bytes(content)?);
        }
        let commands = args.lines();
        for (number, command) in commands.iter().enumerate() {
            let is_last = number + 1 == commands.len();
            let words = format!("{} {command} {}", case.before, if is_last { more } else { "" });
            let words = shlex::split(&words).ok_or_else(|| format!("  {words}: no words\n"))?;
            let mut program = Program::new(self.program).args(words).stdin(stdin);
            for (name, bytes) in &files {
                program = program.file(name, bytes);
            }
            for (name, value) in &case.env {
                program = program.env(name, value);
            }
            let outcome = program.run();
            let mut written = read_folder(outcome.folder(), "");
            if let Some(lost) = files.keys().find(|name| !written.contains_key(*name)) {
                return Err(format!("  {lost} is not there any more\n"));
            }
            if is_last {
                written.retain(|name, bytes| files.get(name) != Some(bytes));
                let (status, stdout, stderr) = (outcome.status, outcome.stdout, outcome.stderr);
                return Ok(Found { status, stdout, stderr, written });
            }
            if outcome.status != 0 || !outcome.stderr.is_empty() {
                return Err(format!("  {command}: {} {}", outcome.status, outcome.stderr));
            }
            (stdin, files) = (outcome.stdout, written);
        }
        unreachable!("there is a last command")
    }

    fn bytes(&self, content: &Content) -> Result<Vec<u8>, String> {
        let made = match content {
            Content::Text(text) => return Ok(text.text().into_bytes()),
            Content::Made(made) => made,
        };
        let mut bytes = match &made.fixture {
            Some(name) => fs::read(self.fixtures.join(name)).map_err(|e| format!("{name}: {e}"))?,
            None if !made.zip.is_empty() => {
                let members = made.zip.iter().map(|content| self.bytes(content));
                let members = members.collect::<Result<Vec<_>, _>>()?;
                let pairs = members
                    .chunks_exact(2)
                    .map(|pair| (str::from_utf8(&pair[0]).unwrap_or(""), &pair[1][..]));
                pack::zip(&pairs.collect::<Vec<_>>())
            }
            None if made.utf16 => {
                made.text.text().encode_utf16().flat_map(u16::to_le_bytes).collect()
            }
            None if made.latin1 => made.text.text().chars().map(|c| c as u8).collect(),
            None => made.text.text().into_bytes(),
        };
        bytes = bytes.repeat(made.repeat.unwrap_or(1));
        if let Some(name) = &made.pack {
            let packer = pack::PACKERS.iter().find(|(suffix, _)| suffix == name);
            bytes = packer.ok_or_else(|| format!("{name}: unknown form of packing"))?.1(&bytes);
        }
        bytes.truncate(made.cut.unwrap_or(usize::MAX));
        Ok(bytes)
    }
}

/// Fails if a file of the folder is not one of these, which are run.
///
/// # Panics
///
/// With the name of a file that is not.
pub fn assert_complete(folder: &Path, names: &[&str]) {
    for name in read_folder(folder, "").into_keys() {
        assert!(names.iter().any(|run| format!("{run}.toml") == name), "no test runs {name}");
    }
}

/// The cases of a file, one for each row.
fn cases(text: &str) -> Result<Vec<Case>, String> {
    let file: Table = text.parse().map_err(|error| format!("{error}"))?;
    let of_file = ["before", "env", "files", "show", "status", "stdin", "stdout"];
    let (mut cases, mut words) = (Vec::new(), Vec::new());
    if let Some(Value::Table(table)) = file.get("words") {
        words.extend(table.iter().map(|(name, text)| (format!("%{name}"), text.clone())));
    }
    // A longer name before its beginning.
    words.sort_by(|(a, _), (b, _)| b.cmp(a));
    file.get("about").ok_or("it does not say what it is about")?;
    for (name, case) in &file {
        if name == "about" || name == "words" || of_file.contains(&name.as_str()) {
            continue;
        }
        let mut case = case.as_table().ok_or_else(|| format!("{name}: not a table"))?.clone();
        for key in of_file {
            match (file.get(key).cloned(), case.get_mut(key)) {
                (Some(Value::Table(mut all)), Some(Value::Table(own))) if key == "files" => {
                    all.extend(std::mem::take(own));
                    *own = all;
                }
                (Some(value), None) => drop(case.insert(key.to_owned(), value)),
                _ => {}
            }
        }
        let rows = case.remove("rows").unwrap_or(Value::Array(vec![Value::Array(Vec::new())]));
        let each = case.remove("each").unwrap_or(Value::String(String::new()));
        for row in rows.as_array().ok_or("rows are a list")? {
            let row = row.as_array().cloned().unwrap_or_else(|| vec![row.clone()]);
            let mut case = case.clone();
            let keys = each.as_str().unwrap_or_default().split(' ').filter(|key| !key.is_empty());
            for (key, cell) in keys.zip(&row).filter(|(key, _)| *key != "-") {
                case.insert(key.to_owned(), cell.clone());
            }
            let number = |(place, cell): (usize, &Value)| (format!("%{}", place + 1), cell.clone());
            let words: Vec<_> =
                row.iter().enumerate().map(number).chain([&words[..], &words].concat()).collect();
            let mut case = Value::Table(case);
            fill(&mut case, &words);
            let case: Case = case.try_into().map_err(|error| format!("{name}: {error}"))?;
            cases.push(Case { name: name.clone(), ..case });
        }
        if cases.last().is_none_or(|case: &Case| case.name != *name) {
            return Err(format!("{name}: it has no rows"));
        }
    }
    if cases.is_empty() { Err("it has no cases".to_owned()) } else { Ok(cases) }
}

/// Puts texts in place of words; lists only in place of whole texts and lines.
fn fill(value: &mut Value, words: &[(String, Value)]) {
    match value {
        Value::String(text) => {
            for (word, replacement) in words {
                match replacement {
                    Value::String(replacement) => *text = text.replace(word, replacement),
                    list if text == word => {
                        *value = list.clone();
                        return fill(value, words);
                    }
                    _ => {}
                }
            }
        }
        Value::Array(values) => {
            for mut value in std::mem::take(values) {
                fill(&mut value, words);
                match value {
                    Value::Array(lines) => values.extend(lines),
                    value => values.push(value),
                }
            }
        }
        Value::Table(table) => {
            for (key, mut value) in std::mem::take(table) {
                let mut key = Value::String(key);
                fill(&mut key, words);
                fill(&mut value, words);
                table.insert(key.as_str().unwrap_or_default().to_owned(), value);
            }
        }
        _ => {}
    }
}

/// Returns the files of a folder and of those in it, by names that begin with `parent`; none if the
/// folder is missing.
pub fn read_folder(folder: &Path, parent: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = Files::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{parent}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => files.extend(read_folder(&entry.path(), &format!("{name}/"))),
            false => drop(files.insert(name, fs::read(entry.path()).unwrap_or_default())),
        }
    }
    files
}

/// Whether the text is the expected one, in which … stands for any text in a line or, alone in a
/// line, for any lines. The last line end may be missing from what is expected.
fn matches(expected: &str, found: &str) -> bool {
    let is_whole = expected.ends_with('\n') && !expected.ends_with("…\n");
    if is_whole && !found.is_empty() && !found.ends_with('\n') {
        return false;
    }
    let expected = expected.strip_suffix('\n').unwrap_or(expected);
    let found = found.strip_suffix('\n').unwrap_or(found);
    let [expected, found] = [expected, found].map(|text| text.split('\n').collect::<Vec<_>>());
    lines_match(&expected, &found)
}

fn lines_match(expected: &[&str], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        ["…", rest @ ..] => (0..=found.len()).any(|skipped| lines_match(rest, &found[skipped..])),
        [line, rest @ ..] => found
            .split_first()
            .is_some_and(|(first, found)| line_matches(line, first) && lines_match(rest, found)),
    }
}

fn line_matches(expected: &str, found: &str) -> bool {
    let Some((start, rest)) = expected.split_once('…') else { return expected == found };
    let Some(found) = found.strip_prefix(start) else { return false };
    let mut ends = found.char_indices().map(|(at, _)| at).chain([found.len()]);
    ends.any(|at| line_matches(rest, &found[at..]))
}

fn lines(mark: char, text: &str) -> String {
    text.lines().map(|line| format!("  {mark} {line}\n")).collect()
}

impl Found {
    /// Standard output as the words of `show` say, one after the other; after `count` stands a text
    /// whose occurrences are counted, or nothing for lines.
    fn text(&self, show: &str) -> String {
        if let Some(text) = show.strip_prefix("count ") {
            return String::from_utf8_lossy(&self.stdout).matches(text).count().to_string();
        }
        let mut lines: Vec<String> = String::from_utf8_lossy(&self.stdout)
            .split_inclusive('\n')
            .map(str::to_owned)
            .collect();
        for word in show.split(' ').filter(|word| !word.is_empty()) {
            lines = match word {
                "text" => lines,
                "operations" => lines.iter().map(|line| after_fields(line).to_owned()).collect(),
                "fields" => lines
                    .iter()
                    .map(|l| l.split(' ').take(4).collect::<Vec<_>>().join(" "))
                    .collect(),
                "first" => lines.into_iter().take(1).collect(),
                "last" => lines.pop().into_iter().collect(),
                "joined" => {
                    vec![lines.concat().split_whitespace().collect::<Vec<_>>().join(" ")]
                }
                "count" => vec![lines.len().to_string()],
                opcode => {
                    let found = lines.iter().filter_map(|line| operand(line, opcode));
                    vec![found.collect::<Vec<_>>().join(" ")]
                }
            };
            lines = lines.iter().map(|line| format!("{}\n", line.trim_end_matches('\n'))).collect();
        }
        lines.concat()
    }
}

fn after_fields(line: &str) -> &str {
    line.trim_end().splitn(5, ' ').nth(4).unwrap_or_default()
}

fn operand<'l>(line: &'l str, opcode: &str) -> Option<&'l str> {
    let mut operations = after_fields(line).split(';').map(str::trim);
    operations.find_map(|operation| operation.strip_prefix(opcode)?.strip_prefix(' '))
}

impl Text {
    fn text(&self) -> String {
        match self {
            Text::Whole(text) => text.clone(),
            Text::Lines(lines) => lines.iter().map(|line| format!("{line}\n")).collect(),
        }
    }

    fn lines(&self) -> Vec<String> {
        match self {
            Text::Whole(text) => vec![text.clone()],
            Text::Lines(lines) => lines.clone(),
        }
    }
}

impl Default for Text {
    fn default() -> Self {
        Text::Whole(String::new())
    }
}

impl Default for Content {
    fn default() -> Self {
        Content::Text(Text::default())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The failures of cases that a shell runs.
    fn failures(text: &str) -> Vec<String> {
        let cases = cases(&format!("about = ''\nbefore = '-c'\n{text}")).unwrap();
        let runner = Runner {
            program: Path::new("/bin/sh"),
            fixtures: Path::new(env!("CARGO_MANIFEST_DIR")),
            present: &[("unix", true), ("moon", false)],
        };
        cases.iter().filter_map(|case| runner.failure(case)).collect()
    }

    #[test]
    fn cases_are_run_with_what_they_name() {
        let text = r#"
            words = { all = "cat a; cat; cat b >&2" }
            files = { a = "A\n", b = { text = "B", pack = "gz", cut = 0 } }
            ["rows"]
            args = "'%all; echo $X $0; exit %2; # %1' m"
            stdin = "%1"
            env = { X = "%3" }
            show = "last"
            stdout = "%4"
            status = "%2"
            rows = [["1", "3", "x", "1x m"], ["2", "0", "", ["…m"]]]
            ["commands, files and the same result"]
            args = ["'echo 1; echo 2 > c'", "'cat; cat c; echo >d'"]
            stdout = ["1", "2"]
            out = { d = ["…"] }
            ["the same result"]
            args = "'cat a'"
            same = { args = "cat", stdin = "A\n" }
            ["not here"]
            only = "moon"
            args = "'exit 1'"
        "#;
        assert_eq!(failures(text), Vec::<String>::new());
    }

    #[test]
    fn what_differs_is_told() {
        for (case, expected) in [
            ("args = 'true'", ""),
            ("args = []", "it runs nothing"),
            ("args = 'false'", "status:\n  - 0\n  + 1"),
            ("args = '\"echo x\"'", "standard output:\n  + x"),
            ("args = '\"echo x >&2\"'\nstderr = 'y'", "  - y\n  + x"),
            ("args = '\"echo x >&2\"'\nstderr = '…'", "the expected message is empty"),
            ("args = '\"echo x >a\"'", "a:\n  - (not written)"),
            ("args = '\"rm b\"'\nfiles = {b = ''}", "b is not there any more"),
            ("args = 'true'\nout = {a = 'x'}", "  + (not written)"),
            ("args = 'true'\nonly = 'mars'", "is not known"),
            ("args = \"'exit ${1:-0}' x\"\nby = ['1']", "  - 0\n"),
        ] {
            let found = failures(&format!("[x]\n{case}"));
            assert_eq!(found.is_empty(), expected.is_empty(), "{case}");
            assert!(found.concat().contains(expected), "{case}: {found:?}");
        }
        for text in ["", "about = ''", "about = ''\n[x]\nargz = ''", "about = ''\n[x]\nrows = []"] {
            assert!(cases(text).is_err(), "{text}");
        }
    }

    #[test]
    fn texts_match_with_gaps() {
        for (expected, found, is_match) in [
            ("a", "a\n", true),
            ("a\n", "a", false),
            ("a\n…\nd", "a\nb\nc\nd\n", true),
            ("a\n…", "a\n", true),
            ("…b…d", "abcd", true),
            ("a…c", "abcd", false),
            ("", "a\n", false),
        ] {
            assert_eq!(matches(expected, found), is_match, "{expected} {found}");
        }
    }
}

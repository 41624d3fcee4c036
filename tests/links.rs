//! Every link of a Markdown file leads to a file of the project, and to a heading in it; so does
//! every path of a source file that it names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use regex::Regex;

use crate::support::ROOT;

/// Pages of the documentation link the rest of the project like this, so that the links work on the
/// site too.
const REPOSITORY: &str = "https://github.com/pgn2epd/pgn2epd/blob/main/";

/// The files in a folder of the project and in its folders, without those of builds and fuzzing.
pub(crate) fn project_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_made = ["artifacts", "corpus", "node_modules", "seeds", "venv"].contains(&name)
            || name.starts_with("target")
            || name.starts_with('.') && ![".ci", ".github"].contains(&name);
        match path.is_dir() {
            true if is_made => {}
            true => project_files(&path, files),
            false => files.push(path),
        }
    }
}

fn markdown_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    project_files(Path::new(ROOT), &mut files);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files
}

/// The text without fenced blocks, with the numbers of its lines.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_block = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
            return None;
        }
        (!in_block).then_some((number + 1, line))
    })
}

/// The anchors of the headings: lower case, without punctuation, with `-` for spaces.
fn anchors(text: &str) -> Vec<String> {
    let link = Regex::new(r"\[([^\]]*)\]\([^)]*\)").unwrap();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = Vec::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let title = link.replace_all(title.trim(), "$1").to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let count = counts.entry(anchor.clone()).or_default();
        anchors.push(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    anchors
}

/// Removes `.` and `..`, so that paths can be compared.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(ROOT);
    let files = markdown_files();
    let target = Regex::new(r#"\]\(([^()\s]+)\)|(?:src|href)="([^"]+)""#).unwrap();
    let code = Regex::new("``[^`].*?``|`[^`]*`").unwrap();
    let (mut broken, mut links) = (Vec::new(), 0);
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        for (number, line) in prose(&text) {
            let line = code.replace_all(line, "");
            for hit in target.captures_iter(&line) {
                let link = hit.get(1).or(hit.get(2)).unwrap().as_str();
                let inside = link.strip_prefix(REPOSITORY);
                if inside.is_none() && link.contains(':') {
                    continue;
                }
                links += 1;
                let (path, anchor) = match inside.unwrap_or(link).split_once('#') {
                    Some((path, anchor)) => (path, Some(anchor)),
                    None => (inside.unwrap_or(link), None),
                };
                let base = if inside.is_some() { root } else { file.parent().unwrap() };
                let path = if path.is_empty() { file.clone() } else { normal(&base.join(path)) };
                let docs = root.join("docs");
                let leaves_the_site = file.starts_with(&docs) && !path.starts_with(&docs);
                let text = fs::read_to_string(&path);
                let reason = match anchor {
                    _ if !path.exists() => "the file does not exist",
                    _ if inside.is_none() && leaves_the_site => {
                        "outside of docs/: link the repository"
                    }
                    Some(anchor)
                        if !anchors(&text.unwrap()).iter().any(|known| known == anchor) =>
                    {
                        "the file has no such heading"
                    }
                    _ => continue,
                };
                let file = file.strip_prefix(root).unwrap().display();
                broken.push(format!("{file}:{number}: {link}: {reason}"));
            }
        }
    }
    assert!(links >= 100, "{links} links in {} files", files.len());
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// A path may begin at any folder: `choose/marks.rs` beside `crates/pgn2epd/src/choose.rs`.
#[test]
fn every_source_file_that_is_named_exists() {
    let mut files = Vec::new();
    project_files(Path::new(ROOT), &mut files);
    let named = Regex::new("`([a-z0-9_./-]+\\.rs)`").unwrap();
    let (mut missing, mut names) = (Vec::new(), 0);
    for page in markdown_files() {
        let text = fs::read_to_string(&page).unwrap();
        for (number, line) in prose(&text) {
            for hit in named.captures_iter(line) {
                let name = &hit[1];
                names += 1;
                if !files.iter().any(|file| file.ends_with(name)) {
                    missing.push(format!("{}:{number}: {name}", page.display()));
                }
            }
        }
    }
    assert!(names >= 80, "{names} names");
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn anchors_are_those_of_github_and_mdbook() {
    let text = "# EPD 5.5: `c0`\n## A, b and [c_d](x.md)\n```sh\n# comment\n```\n## A, b and c_d\n";
    assert_eq!(anchors(text), ["epd-55-c0", "a-b-and-c_d", "a-b-and-c_d-1"]);
}

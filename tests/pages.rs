//! README.md and the pages in `docs/`: they show what the program does, and name only what exists.

mod chart;
#[cfg(unix)]
mod commands;

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::support::{ROOT, text_of};

/// Options of other programs that the pages name.
const OPTIONS_OF_OTHERS: &[&str] = &[
    "--8moves", "--archives", "--backend", "--bin", "--btm", "--checkmate", "--conf",
    "--deploy-mode", "--example", "--features", "--fifty", "--headless", "--hide-scrollbars",
    "--insufficient", "--lib", "--locked", "--manifest-path", "--master", "--nosetuptags",
    "--open", "--path", "--peers", "--pgn2epd", "--profile", "--release", "--repetition", "--runs",
    "--screenshot", "--shard", "--sharding", "--stalemate", "--tagsubstr", "--test", "--tests",
    "--timeout", "--underpromotion", "--window-size", "--workspace",
];

/// README.md and the pages of the documentation, by their paths.
pub(crate) fn pages() -> Vec<(PathBuf, String)> {
    let files = fs::read_dir(Path::new(ROOT).join("docs")).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    paths.push(Path::new(ROOT).join("README.md"));
    paths.sort();
    let text = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    paths.into_iter().map(text).collect()
}

#[test]
fn pages_name_only_options_that_exist() {
    let reference = text_of("docs/options.md");
    let option = Regex::new(r"--[a-z0-9][a-z0-9-]*").unwrap();
    let listed = reference.lines().filter(|line| line.starts_with("* "));
    let listed = listed.flat_map(|line| option.find_iter(line).map(|hit| hit.as_str()));
    let known: Vec<&str> = listed.chain(["--help", "--version"]).collect();
    let mut unknown = Vec::new();
    for (path, text) in pages() {
        let page = path.file_name().unwrap().to_str().unwrap().to_owned();
        for (number, line) in text.lines().enumerate() {
            for hit in option.find_iter(line) {
                let is_part =
                    line[..hit.start()].ends_with(|c: char| c == '-' || c.is_alphanumeric());
                let name = hit.as_str();
                if !is_part && !known.contains(&name) && !OPTIONS_OF_OTHERS.contains(&name) {
                    unknown.push(format!("{page}:{}: {name}", number + 1));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "\n{}", unknown.join("\n"));
}

#[test]
fn the_readme_has_two_set_up_commands() {
    let readme = text_of("README.md");
    let commands = readme.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(commands.lines().count(), 2);
    // .ci/run takes those lines of this section that begin like this, and runs them.
    assert!(commands.lines().all(|line| line.starts_with("cargo ")), "{commands}");
}

/// The site and most viewers show the source code of such diagrams.
#[test]
fn no_page_needs_a_viewer_that_draws_diagrams() {
    for (path, text) in pages() {
        assert!(!text.contains("```mermaid"), "{}", path.display());
    }
}

#[test]
fn every_page_is_in_the_table_of_contents_and_in_the_readme() {
    let contents = text_of("docs/SUMMARY.md");
    let readme = text_of("README.md");
    for (path, _) in pages() {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name != "SUMMARY.md" && name != "README.md" {
            assert!(
                contents.contains(&format!("]({name})")),
                "docs/SUMMARY.md does not link {name}"
            );
            assert!(readme.contains(&format!("](docs/{name})")), "README.md does not link {name}");
        }
    }
}

#[test]
fn pictures_are_small() {
    for entry in fs::read_dir(Path::new(ROOT).join("docs/images")).unwrap() {
        let entry = entry.unwrap();
        let bytes = entry.metadata().unwrap().len();
        assert!(bytes < 150_000, "{}: {bytes} bytes", entry.path().display());
    }
}

#[test]
fn the_page_about_epd_has_every_opcode_and_every_dialect() {
    use pgn2epd::epd::{Dialect, Opcode};
    use pgn2epd::options::Keyword;

    let page = text_of("docs/epd.md");
    for opcode in Opcode::all() {
        // The registers are in one row each: c0 to c9, v0 to v9.
        let register =
            opcode.name().strip_prefix(['c', 'v']).is_some_and(|n| n.parse::<u8>().is_ok());
        let name =
            if register { format!("{}0", &opcode.name()[..1]) } else { opcode.name().to_owned() };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}`")));
        let row = row.unwrap_or_else(|| panic!("docs/epd.md has no row for {opcode}"));
        let section = opcode.section().unwrap_or("not in the standard");
        assert!(row.contains(&format!("| {section} |")), "{row}: the section is {section}");
    }
    for dialect in Dialect::ALL {
        assert!(page.contains(&format!("| `{dialect}` |")), "docs/epd.md has no row for {dialect}");
    }
}

#[test]
fn the_page_about_errors_has_every_kind() {
    let page = text_of("docs/errors.md");
    // `= "illegal-move", Error;`
    let name = Regex::new("= \"([a-z0-9-]+)\", [A-Z]").unwrap();
    for source in [
        include_str!("../crates/emit/src/problem.rs"),
        include_str!("../crates/epd/src/diagnostic.rs"),
    ] {
        let kinds: Vec<&str> =
            name.captures_iter(source).map(|hit| hit.get(1).unwrap().as_str()).collect();
        assert!(kinds.len() >= 50, "{kinds:?}");
        // A problem of a record has the name of its kind.
        for kind in kinds.into_iter().filter(|kind| *kind != "record") {
            assert!(page.contains(&format!("`{kind}`")), "docs/errors.md does not explain {kind}");
        }
    }
}

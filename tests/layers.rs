//! Knowledge flows one way: which crate may know which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Each of our crates and those of ours that it may depend on, tests and examples aside.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("pgn2epd-pgn", &[]),
    ("pgn2epd-san", &[]),
    ("pgn2epd-emit", &["pgn2epd-pgn", "pgn2epd-san"]),
    ("pgn2epd-openings", &["pgn2epd-pgn", "pgn2epd-san", "pgn2epd-emit"]),
    ("pgn2epd-diagram", &["pgn2epd-san"]),
    ("pgn2epd-book", &["pgn2epd-pgn", "pgn2epd-san", "pgn2epd-emit"]),
    (
        "pgn2epd",
        &[
            "pgn2epd-pgn",
            "pgn2epd-san",
            "pgn2epd-emit",
            "pgn2epd-openings",
            "pgn2epd-book",
            "pgn2epd-diagram",
        ],
    ),
    ("pgn2epd-testkit", &[]),
];

/// No file of sources is longer, in lines.
const LONGEST: usize = 700;

/// The dependencies of our crates on each other; those of tests are left out.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    let known = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        let real = all.filter(|dependency| dependency["kind"] != "dev");
        real.map(name).filter(|name| ours.contains(name)).collect()
    };
    packages.iter().map(|package| (name(package), known(package))).collect()
}

#[test]
fn crates_know_only_those_below_them() {
    let found = dependencies();
    let allowed: BTreeMap<&str, &[&str]> = MAY_KNOW.iter().copied().collect();
    for (name, known) in &found {
        let allowed = allowed.get(&**name).unwrap_or_else(|| panic!("{name} is not in the table"));
        for other in known {
            assert!(allowed.contains(&&**other), "{name} must not know {other}");
        }
    }
    for name in allowed.keys() {
        assert!(found.contains_key(*name), "{name} is in the table and not in the workspace");
    }
}

/// The Rust files in a folder, with those in its folders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn the_program_knows_only_the_face_of_the_library() {
    let folder = Path::new(ROOT).join("crates/pgn2epd");
    let mut files = sources(&folder.join("cli"));
    files.extend([folder.join("cli.rs"), folder.join("main.rs")]);
    assert!(files.len() >= 7, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            for name in ["pgn::", "san::", "emit::"] {
                assert!(!mentions(line, name), "{}:{number}: {line}", file.display());
            }
        }
    }
}

#[test]
fn the_python_package_knows_only_the_face_of_the_library() {
    let manifest = fs::read_to_string(Path::new(ROOT).join("python/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let known = manifest["dependencies"].as_table().unwrap().iter();
    let ours: Vec<&String> =
        known.filter(|(_, what)| what.get("path").is_some()).map(|(name, _)| name).collect();
    assert_eq!(ours, ["pgn2epd"]);
}

/// Whether the name of a crate stands there, and not the end of a longer name.
fn mentions(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
    })
}

#[test]
fn no_source_file_is_long() {
    let files = sources(&Path::new(ROOT).join("crates"));
    assert!(files.len() > 50, "{}", files.len());
    for file in files {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= LONGEST, "{}: {lines} lines", file.display());
    }
}

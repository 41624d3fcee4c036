//! The allowed dependencies between crates and files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::links::project_files;
use crate::packages::workspace;
use crate::support::{ROOT, assert_up_to_date, text_of};

/// Each of our crates with its allowed dependencies on our crates, except for tests and examples;
/// names without `pgn2epd-`.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("stream", &[]),
    ("table", &["stream"]),
    ("pgn", &["stream"]),
    ("san", &[]),
    ("epd", &["san"]),
    ("training", &["san"]),
    ("openings", &["pgn", "san", "epd"]),
    ("emit", &["table", "pgn", "san", "epd", "training", "openings"]),
    ("diagram", &["san"]),
    ("engine", &["san"]),
    ("serve", &["pgn", "san", "openings", "book"]),
    ("dataset", &["stream", "san"]),
    ("book", &["stream", "table", "pgn", "san", "epd", "openings", "emit", "dataset"]),
    (
        "pgn2epd",
        &[
            "stream", "table", "pgn", "san", "epd", "emit", "openings", "book", "dataset",
            "diagram", "engine", "serve", "training",
        ],
    ),
    ("cli", &["pgn2epd"]),
    ("python", &["pgn2epd", "cli"]),
    ("testkit", &[]),
];

/// The crates whose files are compared.
const CRATES: [&str; 13] = [
    "stream", "table", "pgn", "san", "epd", "emit", "openings", "book", "dataset", "diagram",
    "engine", "serve", "pgn2epd",
];

/// The maximum number of lines in a source file, without its unit tests.
const LONGEST: usize = 800;

/// The dependencies between our crates, without those of tests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let packages = workspace();
    let name = |value: &Value| {
        let name = value["name"].as_str().unwrap();
        name.strip_prefix("pgn2epd-").unwrap_or(name).to_owned()
    };
    let is_ours = |value: &Value| value["name"].as_str().unwrap().starts_with("pgn2epd");
    let known = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        all.filter(|known| known["kind"] != "dev" && is_ours(known)).map(name).collect()
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

#[test]
fn the_page_about_the_architecture_names_the_imports() {
    let page = text_of("docs/architecture.md");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').collect();
        let name = cells[1].split('`').nth(1).unwrap().to_owned();
        (name, cells[3].trim().to_owned())
    };
    let rows: BTreeMap<String, String> =
        page.lines().filter(|line| line.starts_with("| `")).map(row).collect();
    for (name, known) in dependencies() {
        let row = rows.get(&name).or(rows.get(&format!("pgn2epd-{name}")));
        let listed = row.unwrap_or_else(|| panic!("docs/architecture.md has no row for {name}"));
        let names = listed.split(", ").filter(|name| !name.is_empty());
        let listed: BTreeSet<String> = names.map(str::to_owned).collect();
        assert_eq!(listed, known, "docs/architecture.md: imports of {name}");
    }
}

/// The crates as a picture, each above those that it imports, with a line to each import that no
/// other import leads to.
fn drawing(dependencies: &BTreeMap<String, BTreeSet<String>>) -> String {
    fn level(name: &str, all: &BTreeMap<String, BTreeSet<String>>) -> usize {
        all[name].iter().map(|known| level(known, all) + 1).max().unwrap_or(0)
    }
    fn leads_to(name: &str, other: &str, all: &BTreeMap<String, BTreeSet<String>>) -> bool {
        all[name].iter().any(|next| next == other || leads_to(next, other, all))
    }
    let mut rows: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for name in dependencies.keys().filter(|name| *name != "testkit") {
        rows.entry(level(name, dependencies)).or_default().push(name);
    }
    let height = 70 * rows.len();
    let mut places = BTreeMap::new();
    for (level, names) in &rows {
        let width = 760 / names.len();
        let place = |(at, name)| (name, (at * width + width / 2, height - 70 * level - 35));
        places.extend(names.iter().copied().enumerate().map(place));
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 {height}\" font-family=\"sans-serif\" \
         font-size=\"14\" text-anchor=\"middle\">\n<rect width=\"760\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (name, (x, y)) in &places {
        let known = &dependencies[*name];
        let is_direct = |other: &&String| !known.iter().any(|k| leads_to(k, other, dependencies));
        for (to_x, to_y) in known.iter().filter(is_direct).map(|other| places[&**other]) {
            let (from, to) = (y + 14, to_y - 14);
            svg += &format!("<path d=\"M{x} {from}L{to_x} {to}\" stroke=\"#888\"/>\n");
        }
    }
    for (name, (x, y)) in places {
        let (left, top, text) = (x - 42, y - 14, y + 5);
        svg += &format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"84\" height=\"28\" rx=\"4\" fill=\"#f0d9b5\" stroke=\"#b58863\"/>\n\
             <text x=\"{x}\" y=\"{text}\">{name}</text>\n"
        );
    }
    svg + "</svg>\n"
}

#[test]
fn the_drawing_of_the_architecture_shows_the_imports() {
    assert_up_to_date("docs/images/crates.svg", &drawing(&dependencies()));
}

/// The Rust files in a folder and its subfolders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    project_files(folder, &mut files);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// `eprintln!` panics if standard error is full, and the output would be lost.
#[test]
fn the_program_prints_messages_by_a_function_that_cannot_fail() {
    for file in sources(&Path::new(ROOT).join("crates/cli")) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("eprint"), "{}", file.display());
    }
}

#[test]
fn no_source_file_is_long() {
    let files = sources(&Path::new(ROOT).join("crates"));
    assert!(files.len() > 50, "{}", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let lines = text.split("#[cfg(test)]\nmod ").next().unwrap().lines().count();
        assert!(lines <= LONGEST, "{}: {lines} lines", file.display());
    }
}

/// The paths that a file imports from its own crate, as `crate::a::b::C`, `super::C` or `self::C`.
fn imports(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let mut paths = Vec::new();
    for statement in text.split(';') {
        let statement = statement.trim_end();
        let starts = ["use crate::", "use super::", "use self::"];
        let Some(start) = starts.iter().filter_map(|start| statement.rfind(start)).max() else {
            continue;
        };
        let is_last = !statement[start..].contains('\n') || statement.ends_with('}');
        if is_last {
            expand("", &statement[start + "use ".len()..], &mut paths);
        }
    }
    paths
}

/// The path of an import by the file `of`, from the root of the crate, as `a/b/C`.
fn absolute(path: &str, of: &str) -> String {
    let mut folder = of;
    let mut path = match path.split_once("::").unwrap_or((path, "")) {
        ("crate", rest) => return rest.replace("::", "/"),
        ("self", rest) => rest,
        _ => path,
    };
    while let Some(rest) = path.strip_prefix("super::") {
        (folder, path) = (folder.rfind('/').map_or("", |end| &folder[..end]), rest);
    }
    format!("{folder}/{}", path.replace("::", "/")).trim_start_matches('/').to_owned()
}

/// Expands the braces of an import.
fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let Some((base, inner)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap().trim();
        if !name.is_empty() {
            paths.push(format!("{prefix}{name}"));
        }
        return;
    };
    let prefix = format!("{prefix}{}", base.trim());
    let (mut depth, mut start) = (0, 0);
    let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                expand(&prefix, inner[start..at].trim(), paths);
                start = at + 1;
            }
            _ => {}
        }
    }
    expand(&prefix, inner[start..].trim(), paths);
}

/// The files of a crate, and for each the files that it imports from.
fn graph(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let name = |path: &Path| {
        let path = path.strip_prefix(folder).unwrap().with_extension("");
        path.to_str().unwrap().replace('\\', "/")
    };
    let files = sources(folder);
    let known: BTreeSet<String> = files.iter().map(|file| name(file)).collect();
    let imported = |mut path: String| {
        while !known.contains(&path) {
            path.truncate(path.rfind('/')?);
        }
        Some(path)
    };
    let mut graph = BTreeMap::new();
    for file in &files {
        let of = name(file);
        if of == "lib" || of == "main" {
            continue;
        }
        let text = fs::read_to_string(file).unwrap();
        let mut others: BTreeSet<String> =
            imports(&text).iter().filter_map(|path| imported(absolute(path, &of))).collect();
        others.remove(&of);
        graph.insert(of, others);
    }
    graph
}

/// All files that can be reached from one by imports.
fn reached(graph: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&String> = graph[from].iter().collect();
    while let Some(file) = next.pop() {
        if reached.insert(file.clone()) {
            next.extend(graph.get(file).into_iter().flatten());
        }
    }
    reached
}

#[test]
fn files_import_from_each_other_in_no_circle() {
    let mut circles = BTreeSet::new();
    for folder in CRATES {
        let graph = graph(&Path::new(ROOT).join("crates").join(folder).join("src"));
        assert!(graph.len() > 2, "{folder}");
        for file in graph.keys() {
            let reached_from = reached(&graph, file);
            if reached_from.contains(file) {
                let is_in = |other: &&String| reached(&graph, other).contains(file);
                let circle: Vec<&String> = reached_from.iter().filter(is_in).collect();
                circles.insert(format!("crates/{folder}: {circle:?}"));
            }
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

/// A name that `lib.rs` only re-exports is imported from the file that defines it.
#[test]
fn no_file_imports_a_neighbour_through_the_crate_root() {
    for folder in CRATES {
        let root = Path::new(ROOT).join("crates").join(folder).join("src");
        let lib = fs::read_to_string(root.join("lib.rs")).unwrap();
        for file in sources(&root) {
            for path in imports(&fs::read_to_string(&file).unwrap()) {
                let Some(path) = path.strip_prefix("crate::") else { continue };
                let first = path.split("::").next().unwrap();
                let is_module = lib.contains(&format!("mod {first};"));
                assert!(is_module, "{}: use crate::{path}", file.display());
            }
        }
    }
}

//! The commands that pages show.
//!
//! * A `console` block is a session in a terminal: each line that begins with `$ ` is a command,
//!   and the lines below it are its output. The files of `fixtures/` are its only input.
//! * A `sh` block has commands on files that a reader may have, such as `games.pgn`. They succeed,
//!   without messages.
//!
//! A file that a session writes to `docs/images` equals the picture there. `UPDATE_DOCS=1 cargo
//! test pages` writes output and pictures anew.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use regex::Regex;
use tempfile::TempDir;
use testkit::generate::{Generator, Style};
use testkit::pack;

use super::pages;
use crate::engines::engine;
use crate::support::{PROGRAM, ROOT, fixture};

/// Programs other than pgn2epd that commands in `sh` blocks may call. These commands are not run.
const OTHERS: &[&str] = &["cargo", "chromium", "git", "mdbook", "pip"];

/// The files that commands in `sh` blocks read.
static FILES: LazyLock<Vec<(&str, Vec<u8>)>> = LazyLock::new(|| {
    let generated = |style, seed| Generator::text(style, seed, 100_000);
    let games = [generated(Style::Plain, 4), fixture("immortal.pgn")].concat();
    // A book has only positions that several games reached.
    let lichess = Generator::text(Style::Lichess, 4, 300_000);
    let engines = generated(Style::Engine, 4);
    let puzzles = b"PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n\
        00000,6k1/5ppp/8/8/8/8/r4PPP/3R2K1 b - - 0 1,a2a1 d1a1,2100,80,90,1000,endgame,https://lichess.org/0,\n";
    let evaluations = br#"{"fen":"4k3/8/8/8/8/8/4P3/4K3 w - -","evals":[{"pvs":[{"cp":400,"line":"e2e4"}],"knodes":9,"depth":9}]}"#;
    vec![
        ("lichess.pgn.zst", pack::zstd(&lichess)),
        ("lichess_db_eval.jsonl.zst", pack::zstd(evaluations)),
        ("match.pgn", engines.clone()),
        ("pgns/25-11-20/691f.pgn.gz", pack::gzip(&engines)),
        ("pgns/25-11-21/6920.pgn.gz", pack::gzip(&generated(Style::Engine, 5))),
        ("DFRC_openings.epd", double_chess960()),
        ("games.pgn", games.clone()),
        ("lichess.pgn", lichess),
        ("mine.tsv", b"eco\tname\tpgn\nA00\tMy Opening\t1. a3 a6\n".to_vec()),
        ("openings.pgn", games.clone()),
        ("puzzles.csv.zst", pack::zstd(puzzles)),
        (
            "suite.epd",
            b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn\";\n4k3/8/8/8/8/8/3P4/4K3 w - - bm d4; ce 12;\n"
                .to_vec(),
        ),
        ("twic.pgn", games),
    ]
});

/// Some starting positions in which the pieces of each side are placed in another way.
fn double_chess960() -> Vec<u8> {
    let sides = [
        ("rkbnqbnr", "ha"),
        ("bbqnnrkr", "hf"),
        ("rnbqkbnr", "ha"),
        ("nrkbbnqr", "hb"),
        ("brnqkbnr", "hb"),
        ("rqkbbnnr", "ha"),
    ];
    let pairs = sides.iter().flat_map(|white| sides.iter().map(move |black| (white, black)));
    let lines = pairs.map(|((white, of_white), (black, of_black))| {
        let [white, of_white] = [white, of_white].map(|text| text.to_uppercase());
        format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {of_white}{of_black} - 0 1\n")
    });
    lines.collect::<String>().into_bytes()
}

/// A folder in which the commands of a page run, in their order.
struct Workplace {
    folder: TempDir,
    page: String,
    path: String,
    commands: usize,
}

impl Workplace {
    fn new(page: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&Path::new(ROOT).join("fixtures"), &folder.path().join("fixtures"));
        fs::create_dir_all(folder.path().join("docs/images")).unwrap();
        for (name, bytes) in &*FILES {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let program = Path::new(PROGRAM).parent().unwrap();
        let shims = folder.path().join(".shims");
        fs::create_dir(&shims).unwrap();
        forbid_python_and_java(&shims);
        provide_engine(&shims);
        let others = std::env::var("PATH").unwrap();
        let path = format!("{}:{}:{others}", shims.display(), program.display());
        let page = page.file_name().unwrap().to_str().unwrap().to_owned();
        Workplace { folder, page, path, commands: 0 }
    }

    fn run(&mut self, script: &str) -> Output {
        self.commands += 1;
        Command::new("sh")
            .args(["-c", script])
            .current_dir(self.folder.path())
            .env("PATH", &self.path)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Returns the output of a command, then its messages: how these mix in a terminal may depend
    /// on timing.
    fn session(&mut self, command: &str) -> String {
        let output = self.run(command);
        let mut text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        // The time depends on the load.
        let seconds = Regex::new(r"MB in \d+\.\d\d s").unwrap();
        seconds.replace_all(&text, "MB in 0.00 s").into_owned()
    }

    /// Runs a command, which must succeed without messages and have a result: its output, or the
    /// file it names with `-o` or `>`.
    fn recipe(&mut self, command: &str) {
        let page = self.page.clone();
        let name = command.split_whitespace().next().unwrap();
        if OTHERS.contains(&name) {
            return;
        }
        // Builds without the feature refuse these formats.
        let is_binary = command.contains("parquet") || command.contains("arrow");
        if is_binary && !cfg!(feature = "arrow") {
            return;
        }
        assert_eq!(name, "pgn2epd", "{page}: {command}: neither pgn2epd nor one of {OTHERS:?}");
        let output = self.run(command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{page}: {command}: {stderr}");
        let has_totals = command.contains(" --engine ") || command.starts_with("pgn2epd join ");
        let is_summary = command.contains("--summary") || has_totals;
        assert!(stderr.is_empty() || is_summary, "{page}: {command}: {stderr}");
        let file = [" -o ", " > "].iter().find_map(|mark| command.split_once(mark));
        let result = match file {
            Some((_, name)) => {
                let name = name.split_whitespace().next().unwrap().trim_matches('\'');
                let path = self.folder.path().join(name.replace("%n", "1"));
                let is_folder = path.is_dir();
                let written = if is_folder { first_file(&path) } else { fs::read(&path) };
                written.unwrap_or_else(|error| panic!("{page}: {command}: {name}: {error}"))
            }
            None => output.stdout,
        };
        let may_be_silent = command.contains(" check ");
        assert!(may_be_silent || !result.is_empty(), "{page}: {command}: no output");
    }

    /// Returns the page as it should be, after its commands have run.
    fn performed(&mut self, text: &str) -> String {
        let mut page = String::new();
        let mut lines = text.lines();
        let mut block = "";
        while let Some(line) = lines.next() {
            let fence = line.strip_prefix("```");
            let command = match block {
                "console" if fence.is_none() => line.strip_prefix("$ "),
                "sh" if fence.is_none() => Some(line).filter(|line| !line.is_empty()),
                _ => None,
            };
            if let Some(fence) = fence {
                block = if block.is_empty() { fence } else { "" };
            }
            if block == "console" && command.is_none() && fence.is_none() {
                // Output, which is replaced.
                continue;
            }
            page += line;
            page += "\n";
            let Some(first) = command else { continue };
            let mut command = first.to_owned();
            while command.ends_with('\\') {
                let line = lines.next().expect("a command continues on the next line");
                page += line;
                page += "\n";
                command = format!("{command}\n{line}");
            }
            match block {
                "console" => page += &self.session(&command),
                _ => self.recipe(&command),
            }
        }
        page
    }

    /// Compares the pictures that the page wrote with those of the documentation.
    fn assert_pictures_are_up_to_date(&self, update: bool) {
        for entry in fs::read_dir(self.folder.path().join("docs/images")).unwrap() {
            let path = entry.unwrap().path();
            let target = Path::new(ROOT).join("docs/images").join(path.file_name().unwrap());
            if update {
                fs::copy(&path, &target).unwrap();
            }
            let is_equal = fs::read(&target).ok() == Some(fs::read(&path).unwrap());
            assert!(is_equal, "{}: UPDATE_DOCS=1 cargo test pages", target.display());
        }
    }
}

/// Reads the first file in a folder or its subfolders.
fn first_file(folder: &Path) -> io::Result<Vec<u8>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let first =
        entries.into_iter().map(|entry| entry.path()).min().ok_or(io::ErrorKind::NotFound)?;
    if first.is_dir() { first_file(&first) } else { fs::read(first) }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Programs with these names, first in `PATH`, that leave a trace when they are called.
fn forbid_python_and_java(folder: &Path) {
    for name in ["python", "python3", "java"] {
        make_script(&folder.join(name), "touch \"$0-was-called\"\nexit 127");
    }
}

/// The engines that the pages name: each is the scripted one.
fn provide_engine(folder: &Path) {
    for name in ["lc0", "stockfish"] {
        make_script(&folder.join(name), &format!("exec {}", engine(&["scale=3"])));
    }
}

fn make_script(path: &Path, commands: &str) {
    fs::write(path, format!("#!/bin/sh\n{commands}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn pages_show_what_the_program_prints() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let mut commands = 0;
    for (path, text) in pages() {
        let mut place = Workplace::new(&path);
        let expected = place.performed(&text);
        if update && expected != text {
            fs::write(&path, &expected).unwrap();
        } else {
            let lines = text.lines().zip(expected.lines()).enumerate();
            for (number, (found, expected)) in lines {
                let number = number + 1;
                let page = path.display();
                assert_eq!(found, expected, "{page}:{number}: UPDATE_DOCS=1 cargo test pages");
            }
            assert_eq!(text.lines().count(), expected.lines().count(), "{}", path.display());
        }
        place.assert_pictures_are_up_to_date(update);
        let shims = fs::read_dir(place.folder.path().join(".shims")).unwrap();
        let called = shims.filter(|entry| {
            entry.as_ref().unwrap().file_name().to_string_lossy().ends_with("was-called")
        });
        assert_eq!(called.count(), 0, "{}: Python or Java was called", path.display());
        commands += place.commands;
    }
    assert!(commands >= 60, "{commands} commands");
}

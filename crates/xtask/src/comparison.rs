//! A program for another system is run here, and prints the same bytes as the native one.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::ensure;

use crate::command::{line, output_of};
use crate::project::Project;

/// Arguments with which both programs are run in the folder of the sources. `TEMPORARY` stands for
/// a folder in which there are files that the native program has compressed.
const CASES: &[&[&str]] = &[
    &["fixtures/immortal.pgn"],
    &["fixtures/classics.pgn", "fixtures/annotated.pgn", "fixtures/engines.pgn"],
    &["fixtures/bad.pgn"],
    &["fixtures/chess960.pgn"],
    &["--format", "fen", "--unique", "fixtures/classics.pgn", "fixtures/diagrams/games.pgn"],
    &["--preset", "match", "--last", "fixtures/classics.pgn"],
    &["--format", "perl", "fixtures/classics.pgn"],
    &["--registers", "full", "--variations", "--sample", "7", "fixtures/annotated.pgn"],
    &["--where", "WhiteElo >= 2000 or eval", "--ops", "ce,sm", "fixtures/engines.pgn"],
    &["TEMPORARY/games.pgn.gz", "--summary", "json"],
    &["check", "--fix", "fixtures/epd/faults.epd"],
    &["check", "--stats", "TEMPORARY/records.epd.zst", "TEMPORARY/records.epd.gz"],
    &["name", "--table", "fixtures/classics.pgn"],
    &["book", "--format", "bin", "fixtures/classics.pgn", "-o", "-"],
    &["book", "--format", "jsonl", "--memory", "1M", "fixtures/classics.pgn", "-o", "-"],
    &["book", "--format", "arrow", "--partial", "fixtures/classics.pgn", "-o", "-"],
    &["book", "--format", "pgn", "--ply", "..12", "fixtures/classics.pgn", "-o", "-"],
    &["show", "--format", "svg", "fixtures/immortal.pgn", "-o", "-"],
    &["show", "--format", "png", "fixtures/immortal.pgn", "-o", "-"],
    &["splits", "--size", "2K", "fixtures/classics.pgn"],
    &["man"],
    &["no-such-file.pgn"],
    &["--ply", "x"],
];

/// Compares what two programs print, to both outputs, and their exit status. `program` gives a
/// command that runs the other one.
pub(crate) fn compare(
    project: &Project,
    native: &Path,
    program: impl Fn() -> Command,
) -> anyhow::Result<usize> {
    let folder = tempfile::tempdir_in(&project.target_folder)?;
    let games = project.root.join("fixtures/classics.pgn");
    fs::write(folder.path().join("games.pgn.gz"), gzip(&fs::read(&games)?)?)?;
    for name in ["records.epd.zst", "records.epd.gz"] {
        let mut command = Command::new(native);
        crate::command::run(command.arg(&games).arg("-o").arg(folder.path().join(name)), "")?;
    }
    for case in CASES {
        let run = |mut command: Command| {
            let folder = folder.path().to_string_lossy();
            command.args(case.iter().map(|argument| argument.replace("TEMPORARY", &folder)));
            output_of(command.current_dir(&project.root), "").map(|output| (line(&command), output))
        };
        let ((command, ours), (_, expected)) = (run(program())?, run(Command::new(native))?);
        ensure!(ours.status.code() == expected.status.code(), "{command}: {}", ours.status);
        ensure!(ours.stdout == expected.stdout, "{command}: another output\n{}", said(&ours));
        ensure!(
            messages(&ours) == messages(&expected),
            "{command}: other messages\n{}\ninstead of\n{}",
            said(&ours),
            said(&expected)
        );
    }
    Ok(CASES.len())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The messages without what systems call differently, the program's file and their own errors, and
/// without the time that a run took.
fn messages(output: &Output) -> String {
    let text = said(output).replace("pgn2epd.exe", "pgn2epd");
    let ends = [": cannot read ", " MB in ", "\"seconds\":"];
    let common =
        |line| ends.iter().fold(line, |line: &str, end| line.split(end).next().unwrap_or(line));
    text.lines().map(common).collect::<Vec<_>>().join("\n")
}

fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut encoder = flate2::read::GzEncoder::new(bytes, flate2::Compression::default());
    let mut compressed = Vec::new();
    std::io::Read::read_to_end(&mut encoder, &mut compressed)?;
    Ok(compressed)
}

//! Explorer files: shown, read as a source, refused if damaged.

use std::process::{Command, Stdio};
use std::time::Instant;

use testkit::generate::{Generator, Style};

use super::GAMES;
use crate::support::program;

fn explorer(args: &[&str]) -> Vec<u8> {
    let args = [&["book", "-q", "-o", "x.explorer", "in.pgn"], args].concat();
    let outcome = program().file("in.pgn", GAMES).args(args).run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    outcome.file("x.explorer").unwrap()
}

#[test]
fn a_position_is_shown_as_from_the_games() {
    for moves in ["", "e4", "e4 e5 Nf3 Nc6", "Nf3 Nc6", "Nf3 Nf6 Ng1 Ng8", "a3 a6"] {
        let shown = |file: &str, bytes: &[u8]| {
            let args = ["book", "show", file, "--moves", moves];
            let outcome = program().file(file, bytes).args(args).run();
            assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
            outcome.text().to_owned()
        };
        // The same width of names.
        let games = shown("in.pgn", GAMES.as_bytes());
        assert_eq!(shown("x.explorer", &explorer(&[])), games, "{moves}");
    }
}

#[test]
fn without_a_position_the_header_is_shown_first() {
    let bytes = explorer(&["--ply", "..3"]);
    let len = bytes.len();
    let outcome = program().file("x.explorer", bytes).args(["book", "show", "x.explorer"]).run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    // Counted by hand.
    let first = format!(
        "count file, version 1: 10 positions, {len} bytes, {:.1} for each",
        len as f64 / 10.0
    );
    let expected = [
        &*first,
        "counted: ply 0..3",
        "files: in.pgn",
        "",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    ];
    assert_eq!(outcome.lines()[..5], expected);
}

#[test]
fn a_file_is_a_source_of_records_with_counts() {
    let read = |args: &[&str]| {
        let args = [&["-q", "x.explorer"], args].concat();
        program().file("x.explorer", explorer(&[])).args(args).run()
    };
    let columns = "epd,games,white_wins,draws,black_wins,white_score,rating,first_year,last_year";
    let rows = read(&["--where", "games > 1", "--format", "csv", "--columns", columns]);
    let mut rows: Vec<String> = rows.lines().into_iter().map(str::to_owned).collect();
    rows[1..].sort();
    // Counted by hand.
    assert_eq!(
        rows,
        [
            columns,
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -,2,1,1,0,0.75,2550,1999,2001",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -,2,1,0,0,1,2450,2001,2001",
            "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq -,2,0,1,1,0.25,2650,1999,1999",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -,4,1,1,1,0.5,2550,1999,2001",
        ]
    );
    let selected = read(&["--where", "games > 1 and white_score >= 0.75", "--ops", "none"]);
    assert_eq!(selected.lines().len(), 2);
    // Counted again, with the numbers of games.
    let games = program().args(["book", "-q", "--order", "key"]).stdin(GAMES).run();
    let counts = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split_once(';').unwrap().0.to_owned()).collect()
    };
    for (args, name) in [(&[][..], "x.explorer"), (&["--partial"], "x.part")] {
        let written = program().args(["book", "-q", "-o", name]).args(args).stdin(GAMES).run();
        let again = program()
            .file(name, written.file(name).unwrap())
            .args(["book", "-q", "--order", "key", name])
            .run();
        assert_eq!(counts(again.text()), counts(games.text()), "{name}");
    }
}

#[test]
fn the_order_cannot_be_chosen() {
    let args = ["book", "-o", "x.explorer", "--order", "count", "in.pgn"];
    let outcome = program().file("in.pgn", GAMES).args(args).run();
    assert_eq!(outcome.status, 2);
    assert!(
        outcome.stderr.contains("an explorer file is sorted by position"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.file("x.explorer").is_none());
    // As if it had been sorted by hand.
    let args = ["book", "-q", "--order", "position", "--ops", "none", "in.pgn"];
    let sorted = program().file("in.pgn", GAMES).args(args).run();
    let args = ["-q", "--ops", "none", "x.explorer"];
    let read = program().file("x.explorer", explorer(&[])).args(args).run();
    assert_eq!(read.text(), sorted.text());
}

#[test]
fn a_damaged_file_is_one_message() {
    let mut bytes = explorer(&[]);
    bytes[30] ^= 1;
    for args in [&["book", "show", "x.explorer"][..], &["-q", "x.explorer"]] {
        let outcome = program().file("x.explorer", &bytes).args(args).run();
        assert_ne!(outcome.status, 0);
        let expected = "it is damaged at byte 20: the checksum is wrong";
        assert!(outcome.stderr.contains("x.explorer"), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    }
    bytes.truncate(100);
    let outcome = program().file("x.explorer", &bytes).args(["book", "show", "x.explorer"]).run();
    assert!(outcome.stderr.contains("it is damaged at byte 100: it ends early"));
    // The suffix says what a file is that has lost its beginning.
    for bytes in [&b""[..], b"pgn2epd ex"] {
        for args in [&["book", "show", "cut.explorer"][..], &["book", "serve", "cut.explorer"]] {
            let outcome = program().file("cut.explorer", bytes).args(args).run();
            let message = "cut.explorer: it is neither an explorer file nor a partial result of `pgn2epd book`";
            assert!(outcome.stderr.contains(message), "{args:?}: {}", outcome.stderr);
            assert_eq!((outcome.status, outcome.text()), (2, ""), "{args:?}");
        }
    }
}

#[test]
fn merged_files_are_the_file_of_all_games() {
    for args in [&[][..], &["--keep-moves"], &["--group-by", "year,player"]] {
        let folder = program()
            .file("1/a.pgn", GAMES)
            .file("2/b.pgn", "[White \"New\"]\n[Date \"2020.01.01\"]\n\n1. e4 e5 2. Nf3 *\n");
        let run = |first: &[&str], output: &str, more: &[&str]| {
            let args = [first, &["-o", output], more].concat();
            let mut command = Command::new(env!("CARGO_BIN_EXE_pgn2epd"));
            let status = command.args(&args).current_dir(folder.folder()).status();
            assert!(status.unwrap().success(), "{args:?}");
            std::fs::read(folder.folder().join(output)).unwrap()
        };
        let book = |output, files: &[&str]| run(&["book", "-q"], output, &[files, args].concat());
        let whole = book("whole.explorer", &["1/a.pgn", "2/b.pgn"]);
        book("a.explorer", &["1/a.pgn"]);
        book("b.explorer", &["2/b.pgn"]);
        let merged = run(&["book", "merge"], "merged.explorer", &["b.explorer", "a.explorer"]);
        assert!(merged == whole, "{args:?}");
    }
}

#[test]
fn a_repertoire_is_compared_by_position() {
    // The second line reaches a position of the first one in another order of moves.
    let repertoire = "1. e4 e5 2. Nf3 (2. Bc4 Nf6 3. d3) 2... Nc6 3. Bb5 *\n\n1. Nf3 Nc6 2. e4 *\n";
    let games = |moves: &str, result: &str, count: usize| {
        format!("[Result \"{result}\"]\n\n{moves} {result}\n\n").repeat(count)
    };
    let played = [
        // Answered.
        games("1. e4 e5 2. Nf3 Nc6 3. Bb5", "1-0", 2),
        // Not answered: the first reply; two moves of other orders are.
        games("1. e4 c5 2. Nf3", "0-1", 5),
        games("1. Nf3 Nc6 2. e4 e5 3. Bb5 a6", "1-0", 4),
        games("1. Nf3 Nc6 2. e4 d6", "1/2-1/2", 3),
        games("1. e4 e5 2. Bc4 Nf6 3. d3 Bc5", "0-1", 1),
    ];
    let run = |more: &[&str]| {
        let made = program()
            .file("in.pgn", played.concat())
            .args(["book", "-q", "-o", "x.explorer", "in.pgn"])
            .run();
        let args = ["book", "gaps", "r.pgn", "--against", "x.explorer", "--side", "white"];
        let outcome = program()
            .file("x.explorer", made.file("x.explorer").unwrap())
            .file("r.pgn", repertoire)
            .args([&args[..], more].concat())
            .run();
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
        outcome.text().to_owned()
    };
    // Counted by hand.
    assert_eq!(
        run(&[]),
        "gap        games   share   score  line\n\
         score          8   53.3%   25.0%  e4\n\
         reply          5   62.5%    0.0%  e4 c5\n\
         end            4   66.7%  100.0%  e4 e5 Nf3 Nc6 Bb5\n\
         reply          3   42.9%   50.0%  Nf3 Nc6 e4 d6\n\
         score          1   33.3%    0.0%  e4 e5 Bc4\n\
         end            1  100.0%    0.0%  e4 e5 Bc4 Nf6 d3\n\
         score          1  100.0%    0.0%  e4 e5 Bc4 Nf6 d3\n"
    );
    let few = run(&["--min-games", "4", "--min-score", "0", "--limit", "2"]);
    assert_eq!(few.lines().count(), 3);
    assert!(few.contains("end            4") && few.contains("reply          5"), "{few}");
}

#[test]
fn a_killed_run_leaves_the_whole_file_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let games = Generator::text(Style::Plain, 5, 400_000);
    std::fs::write(folder.path().join("games.pgn"), games).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgn2epd"));
        command.args(args).current_dir(folder.path()).stderr(Stdio::null());
        command
    };
    let make = ["book", "-q", "games.pgn", "-o", "x.explorer"];
    let began = Instant::now();
    assert!(run(&make).status().unwrap().success());
    let (whole, lasts) =
        (std::fs::read(folder.path().join("x.explorer")).unwrap(), began.elapsed());
    std::fs::remove_file(folder.path().join("x.explorer")).unwrap();
    let mut killed = 0;
    for part in 1..20 {
        let mut child = run(&make).spawn().unwrap();
        std::thread::sleep(lasts * part / 20);
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        // Where files without a name are not possible, another name may be left.
        if let Ok(found) = std::fs::read(folder.path().join("x.explorer")) {
            assert!(found == whole, "{part}");
            std::fs::remove_file(folder.path().join("x.explorer")).unwrap();
        }
    }
    assert!(killed > 0, "{lasts:?}");
}

//! Explorer files: shown, read as a source, refused if damaged.

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
            outcome.text()
        };
        // The same width of names.
        let games = shown("in.pgn", GAMES.as_bytes());
        assert_eq!(shown("x.explorer", &explorer(&[])), games, "{moves}");
    }
}

#[test]
fn a_file_is_a_source_of_records_with_counts() {
    let read = |args: &[&str]| {
        let args = [&["-q", "x.explorer"], args].concat();
        program().file("x.explorer", explorer(&[])).args(args).run()
    };
    let columns = "epd,games,white,draws,black,white_score,rating,first_year,last_year";
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
    let again = program()
        .file("x.explorer", explorer(&[]))
        .args(["book", "-q", "--order", "key", "x.explorer"])
        .run();
    let games = program().args(["book", "-q", "--order", "key"]).stdin(GAMES).run();
    let counts = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split_once(';').unwrap().0.to_owned()).collect()
    };
    assert_eq!(counts(&again.text()), counts(&games.text()));
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
    let sorted = program().file("in.pgn", GAMES).args(args).run().text();
    let args = ["-q", "--ops", "none", "x.explorer"];
    let read = program().file("x.explorer", explorer(&[])).args(args).run().text();
    assert_eq!(read, sorted);
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
}

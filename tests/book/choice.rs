//! Counting and selection: results, evaluations, one position per game, and the messages about
//! them.

use super::GAMES;
use crate::support::program;

/// A game without a result, and a game lost by White.
const UNKNOWN: &str = "[Result \"*\"]\n\n1. e4 e5 *\n\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n";

fn polyglot(games: &str, args: &[&str]) -> Vec<u8> {
    let outcome =
        program().file("in.pgn", games).args(["book", "-o", "x.bin", "in.pgn"]).args(args).run();
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    outcome.file("x.bin").unwrap()
}

#[test]
fn games_without_a_result_are_draws_in_a_polyglot_book_unless_they_are_skipped() {
    // Entries of 16 bytes, their weight in bytes 10 and 11: e4 and e5 as draws, d5 as a win.
    let book = polyglot(UNKNOWN, &[]);
    let mut weights: Vec<u16> =
        book.chunks(16).map(|entry| u16::from_be_bytes([entry[10], entry[11]])).collect();
    weights.sort();
    assert_eq!(weights, [1, 1, 2]);
    assert_eq!(polyglot(UNKNOWN, &["--unknown-result", "draw"]), book);
    assert_eq!(polyglot(UNKNOWN, &["--unknown-result", "skip"]).len(), 16);
}

#[test]
fn equal_weights_are_those_of_all_moves_also_of_lost_ones() {
    // Keys, moves and weights: e4 once, both answers, and both moves after them.
    let games =
        "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result \"0-1\"]\n\n1. e4 c5 2. d4 0-1\n";
    let weights = |args: &[&str]| {
        let book = polyglot(games, args);
        let weight = |entry: &[u8]| u16::from_be_bytes([entry[10], entry[11]]);
        book.chunks(16).map(weight).collect::<Vec<_>>()
    };
    assert_eq!(weights(&["--weights", "uniform"]), [1, 1, 1, 1, 1]);
    assert_eq!(weights(&[]).len(), 3);
    let unknown = "1. e4 e5 2. Nf3 *\n";
    let skipped = ["--weights", "uniform", "--unknown-result", "skip"];
    assert_eq!(polyglot(unknown, &skipped).len(), 3 * 16);
}

#[test]
fn a_position_that_a_variation_leaves_counts_with_its_comments_and_nags() {
    let pgn = "1. e4 $1 {[%eval 0.3,12] good} e5 (1... c5 2. Nf3 (2. c3) (2. d4)) 2. d4 *\n";
    // By hand: what is known of the position after 1. e4 holds for each move from it.
    let cases = [
        ("comment = 'good'", "c5 e5"),
        ("nags ~ '$1'", "c5 e5"),
        ("eval = -30", "c5 e5"),
        ("depth = 12", "c5 e5"),
        ("not comment and ply = 1", ""),
        ("nags then ply = 2", "Nf3 c3 d4 d4"),
        ("not comment and ply = 2", "Nf3 c3 d4 d4"),
    ];
    for (condition, moves) in cases {
        let args = ["book", "--variations", "--where", condition, "--format", "csv", "-"];
        let outcome = program().args(args).stdin(pgn).run();
        let column = |line: &str| line.split(',').nth(1).unwrap().to_owned();
        let mut found: Vec<String> = outcome.lines()[1..].iter().map(|line| column(line)).collect();
        found.retain(|san| !san.is_empty());
        found.sort();
        assert_eq!(found.join(" "), moves, "{condition}: {}", outcome.stderr);
    }
}

#[test]
fn games_without_a_result_have_no_score_unless_they_are_draws() {
    let after_e4 = ["--ply", "1", "--ops", "none", "--min-score", "0.5"];
    for (args, lines) in [(&[][..], 0), (&["--unknown-result", "draw"], 1)] {
        let outcome = program().arg("book").args(after_e4).args(args).stdin(UNKNOWN).run();
        let status = i32::from(lines == 0);
        assert_eq!((outcome.status, outcome.lines().len()), (status, lines), "{args:?}");
    }
    // The counts are written unchanged.
    let outcome =
        program().args(["book", "--ply", "1", "--unknown-result", "draw"]).stdin(UNKNOWN).run();
    assert!(outcome.text().contains("games 1 white 0 draws 0 black 0"), "{}", outcome.text());
}

#[test]
fn the_share_of_draws_is_that_of_the_games_with_a_result() {
    // After e4 one of two games with a result is drawn, after d4 both are, after c4 none has a
    // result.
    let game = |moves: &str, result| format!("[Result \"{result}\"]\n\n1. {moves} {result}\n\n");
    let games = [
        game("e4", "1-0"),
        game("e4", "1/2-1/2"),
        game("e4", "*"),
        game("d4", "1/2-1/2"),
        game("c4", "*"),
    ]
    .concat();
    let kept = |args: &[&str]| {
        let book = ["book", "--ply", "1", "--ops", "none"];
        let outcome = program().args(book).args(args).stdin(&*games).run();
        assert_eq!(outcome.status == 1, outcome.text().is_empty(), "{}", outcome.stderr);
        let squares = ["4P3", "3P4", "2P5"];
        let has = |square: &&str| outcome.text().contains(&format!("/{square}/"));
        squares.into_iter().filter(has).collect::<Vec<_>>()
    };
    assert_eq!(kept(&["--max-draws", "1"]), ["4P3", "3P4"]);
    assert_eq!(kept(&["--max-draws", "0.5"]), ["4P3"]);
    assert_eq!(kept(&["--max-draws", "0.499999"]), [""; 0]);
    assert_eq!(kept(&["--max-draws", "0.5", "--unknown-result", "draw"]), [""; 0]);
}

#[test]
fn a_partial_result_keeps_games_without_a_result() {
    let outcome = program()
        .args(["book", "--partial", "--unknown-result", "skip", "-o", "x.part"])
        .stdin(UNKNOWN)
        .run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("--partial keeps all"), "{}", outcome.stderr);
}

#[test]
fn an_empty_book_is_reported_with_its_reason() {
    let lost = "[Result \"0-1\"]\n\n1. e4 0-1\n";
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    for (input, args, reason) in [
        ("", &[][..], "the input has no games and no positions"),
        (GAMES, &["--where", "White = \"X\""], "--where excludes all of 4 games"),
        (
            GAMES,
            &["--ply", "30..", "--omit", "mates"],
            "no position of 4 games meets --ply, --omit\n",
        ),
        (GAMES, &["--min-games", "9"], "no position was reached by 9 games (--min-games)"),
        (
            GAMES,
            &["--min-score", "1", "--max-score", "0.9"],
            "no position has a result that meets --min-score, --max-score\n",
        ),
        (
            GAMES,
            &["--ply", "1", "--equal-turns"],
            "all 2 positions have Black to move (--equal-turns)",
        ),
        (GAMES, &["--sample", "1", "--equal-turns"], "--sample 1 leaves no position"),
        (MATED, &["--last", "--preset", "match"], "no position of 1 game meets --last, --preset\n"),
        (
            GAMES,
            &["--format", "bin", "--min-move-games", "9", "--min-move-score", "0.1"],
            "no move with a point meets --min-move-games, --min-move-score",
        ),
        (fen, &["--format", "bin"], "no position has a move"),
        (lost, &["--format", "bin"], "no move has a point"),
        (
            lost,
            &["--format", "bin", "--weights", "uniform", "--min-move-games", "2"],
            "no move meets --min-move-games",
        ),
    ] {
        let outcome = program().arg("book").args(args).stdin(input).run();
        assert_eq!((outcome.status, outcome.text()), (1, ""), "{args:?}");
        let message = format!("pgn2epd: no positions: {reason}");
        assert!(outcome.stderr.starts_with(&message), "{args:?}: {}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 1, "{args:?}: {}", outcome.stderr);
        let quiet = program().args(["book", "-q"]).args(args).stdin(input).run();
        assert_eq!((quiet.status, &*quiet.stderr), (1, ""), "{args:?}");
        let old = program().file("old.bin", "old").file("old.bin.json", "old").arg("book");
        let kept = old.args(args).args(["--metadata", "-o", "old.bin"]).stdin(input).run();
        assert_eq!(kept.status, 1, "{args:?}: {}", kept.stderr);
        for name in ["old.bin", "old.bin.json"] {
            assert_eq!(kept.file(name).unwrap(), b"old", "{args:?}");
        }
    }
}

const MATED: &str = "1. f3 e5 2. g4 Qh4# 0-1\n";

#[test]
fn an_empty_partial_result_and_an_empty_merge_are_reported() {
    let count = program().args(["book", "--partial", "--ply", "30..", "-o", "x.part"]).stdin(GAMES);
    let outcome = count.run();
    assert_eq!(outcome.status, 0);
    let message = "pgn2epd: no positions: no position of 4 games";
    assert!(outcome.stderr.starts_with(message), "{}", outcome.stderr);
    let merge = program()
        .file("x.part", outcome.file("x.part").unwrap())
        .args(["book", "merge", "x.part"])
        .run();
    assert_eq!((merge.status, merge.text()), (1, ""));
    assert_eq!(merge.stderr, "pgn2epd: no positions: no position was counted\n");
}

#[test]
fn the_summary_has_the_positions_that_were_counted_and_those_that_were_written() {
    let run = |args: &[&str]| {
        let outcome = program().file("in.pgn", GAMES).arg("book").args(args).arg("in.pgn").run();
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        outcome
    };
    let outcome = run(&["--ply", "1..4", "--min-games", "2", "--summary=json"]);
    let summary: serde_json::Value = serde_json::from_str(&outcome.stderr).unwrap();
    assert_eq!(summary["written"], outcome.lines().len());
    assert_eq!(summary["positions"], 14);
    let outcome = run(&["--ply", "1..4", "--min-games", "2", "--summary"]);
    let expected = format!("4 games, 14 positions counted, {} written", outcome.lines().len());
    assert!(outcome.stderr.starts_with(&expected), "{}", outcome.stderr);
    let outcome = run(&["--partial", "-o", "x.part", "--summary=json"]);
    let summary: serde_json::Value = serde_json::from_str(&outcome.stderr).unwrap();
    assert!(summary["written"].is_null());
}

/// White is better after e4, Black after e5. In the second game both positions are nearly equal.
const JUDGED: &str =
    "1. e4 {[%eval 1.0]} e5 {[%eval -1.0]} *\n\n1. d4 {[%eval 0.1]} d5 {[%eval 0.0]} *\n";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
const AFTER_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

#[test]
fn evaluations_are_in_the_view_of_the_side_to_move_or_in_that_of_white() {
    for (args, expected) in [
        (&["--eval", "90..119"][..], &[][..]),
        (&["--eval", "-119..-90"], &[AFTER_E4, AFTER_E5]),
        (&["--eval", "white:90..119"], &[AFTER_E4]),
        (&["--eval", "white:-1.19..-0.90"], &[AFTER_E5]),
        (&["--eval", "-1.19..-0.90"], &[AFTER_E4, AFTER_E5]),
    ] {
        let args = [&["book", "--ops", "none"], args].concat();
        let outcome = program().args(&args).stdin(JUDGED).run();
        let status = i32::from(expected.is_empty());
        assert_eq!((outcome.status, outcome.lines()), (status, expected.to_vec()), "{args:?}");
        // In a file of positions, evaluations are in `ce`.
        let records = format!("{AFTER_E4} ce -100;\n{AFTER_E5} ce -100;\n");
        let outcome = program().args(&args).stdin(records).run();
        assert_eq!((outcome.status, outcome.lines()), (status, expected.to_vec()), "{args:?}");
    }
}

#[test]
fn the_evaluation_that_selected_a_position_is_written_and_survives_parts() {
    let eval = ["--eval", "white:90..119"];
    let part = program().args(["book", "--partial", "-o", "x.part"]).args(eval).stdin(JUDGED).run();
    assert_eq!((part.status, &*part.stderr), (0, ""));
    let part = part.file("x.part").unwrap();
    let merged = |args: &[&str]| {
        let merge = program().file("x.part", &part).args(["book", "merge", "x.part"]);
        merge.args(args).run().text().to_owned()
    };
    let direct = |args: &[&str]| {
        program().arg("book").args(eval).args(args).stdin(JUDGED).run().text().to_owned()
    };
    for format in ["epd", "csv", "jsonl"] {
        assert_eq!(merged(&["--format", format]), direct(&["--format", format]), "{format}");
    }
    assert!(direct(&[]).starts_with(&format!("{AFTER_E4} c0 ")));
    assert!(direct(&[]).contains(" ce -100; "));
    let csv = direct(&["--format", "csv"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].ends_with(",eval") && rows[1].ends_with(",-100"), "{csv}");
    assert!(direct(&["--format", "jsonl"]).contains("\"eval\":-100"));
    assert!(program().arg("book").stdin(JUDGED).run().text().lines().all(|l| !l.contains(" ce ")));
}

#[test]
fn evaluations_in_two_views_are_not_merged() {
    let part = |view: &str| {
        let eval = format!("{view}-119..119");
        let args = ["book", "--partial", "-o", "x.part", "--eval", &eval];
        program().args(args).stdin(JUDGED).run().file("x.part").unwrap()
    };
    let outcome = program()
        .file("a.part", part("white:"))
        .file("b.part", part(""))
        .args(["book", "merge", "a.part", "b.part"])
        .run();
    assert_eq!(outcome.status, 2);
    let message = "eval -119..119, not ply 0.., eval white:-119..119";
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
}

#[test]
fn once_per_game_counts_the_first_position_that_all_options_want() {
    for (args, expected) in [
        (&["--eval", "-119..119"][..], &[AFTER_E4, AFTER_D4][..]),
        (&["--eval", "-5..119"], &[AFTER_D5]),
        (&["--eval", "-119..119", "--ply", "2.."], &[AFTER_E5, AFTER_D5]),
        (&["--ply", "1.."], &[AFTER_E4, AFTER_D4]),
        (&["--last"], &[AFTER_E5, AFTER_D5]),
    ] {
        for jobs in ["1", "3"] {
            let outcome = program()
                .args(["book", "--ops", "none", "--once-per-game", "-j", jobs])
                .args(args)
                .stdin(JUDGED)
                .run();
            assert_eq!((outcome.status, outcome.lines()), (0, expected.to_vec()), "{args:?}");
        }
    }
}

const AFTER_D4: &str = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -";
const AFTER_D5: &str = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -";

#[test]
fn the_strongest_game_has_all_its_moves_of_a_position() {
    let games = "[WhiteElo \"2000\"]\n[BlackElo \"2000\"]\n\n1. d4 d5 (1... Nf6) *\n\n1. d4 e6 *\n";
    let args = ["book", "--variations", "--best-rated", "--ply", "1", "--format", "csv"];
    let outcome = program().args(args).stdin(games).run();
    let mut moves: Vec<&str> =
        outcome.lines().iter().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    moves.sort_unstable();
    assert_eq!(moves, ["Nf6", "d5"]);
}

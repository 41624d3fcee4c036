//! Positions labelled with game results, for tuning. The expected values were computed by hand.

use std::collections::HashMap;

use pgn2epd::Options;
use pgn2epd::options::{Conflicts, Format, LabelForm};
use testkit::generate::{Generator, Style};

use crate::support::{convert, jobs, program};

/// After 1. e4 Black is better by 0.3, after 1... f5 White mates in 2. White wins.
const GAME: &str = "[Result \"1-0\"]\n\n1. e4 {[%eval -0.3]} f5 {[%eval #2]} 2. exf5 g5 {[%eval #1]} 3. Qh5# {[%eval #0]} 1-0\n";
#[test]
fn threads_and_chunks_do_not_matter() {
    let pgn = Generator::text(Style::Lichess, 11, 60_000);
    for form in [LabelForm::Bracket, LabelForm::C9] {
        for conflicts in [Conflicts::Keep, Conflicts::Drop, Conflicts::Mean] {
            let options = |threads, chunk_bytes| {
                Options::default()
                    .format(Format::Label(form))
                    .conflicts(conflicts)
                    .skip(3)
                    .limit(Some(400))
                    .jobs(jobs(threads))
                    .chunk_bytes(chunk_bytes)
            };
            let expected = convert(&pgn, &options(1, 4 << 20));
            assert!(!expected.output.is_empty());
            for (threads, chunk_bytes) in [(1, 700), (4, 3000)] {
                let actual = convert(&pgn, &options(threads, chunk_bytes));
                assert!(actual.output == expected.output, "{form:?} {conflicts:?}");
                assert_eq!(actual.summary.positions, expected.summary.positions);
                assert_eq!(actual.summary.bytes_written, expected.output.len() as u64);
            }
        }
    }
}

#[test]
fn dropped_and_averaged_positions_equal_a_naive_count() {
    let pgn = Generator::text(Style::Lichess, 12, 60_000);
    let lines = |conflicts| {
        let options = Options::default()
            .format(Format::Label(LabelForm::Bracket))
            .en_passant(pgn2epd::options::EnPassantPolicy::Legal)
            .conflicts(conflicts);
        let lines = convert(&pgn, &options);
        lines.lines().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    // Points by the four fields.
    let mut points: HashMap<String, Vec<f64>> = HashMap::new();
    let key = |line: &str| line.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let label = |line: &str| line.split_once('[').unwrap().1.trim_end_matches(']').parse().unwrap();
    for line in lines(Conflicts::Keep) {
        points.entry(key(&line)).or_default().push(label(&line));
    }
    let dropped = lines(Conflicts::Drop);
    let agree = points.values().filter(|points| points.iter().all(|point| *point == points[0]));
    assert_eq!(dropped.len(), agree.count());
    let merged = lines(Conflicts::Mean);
    assert_eq!(merged.len(), points.len());
    assert!(dropped.len() < merged.len());
    for line in merged {
        let points = &points[&key(&line)];
        let mean = points.iter().sum::<f64>() / points.len() as f64;
        assert!((label(&line) - mean).abs() < 1e-4, "{line} {points:?}");
    }
}

/// Games in which something is missing or wrong, with options, and the tails of their lines in
/// `bullet`.
const ODD: [(&str, &[&str], &str, &[&str]); 10] = [
    (
        "a move without a comment",
        &[],
        "1. e4 {+0.10/12 1s} e5 2. Nf3 {+0.20/12 1s} Nc6 1-0",
        &["10 | 1.0", "20 | 1.0"],
    ),
    (
        "an odd comment",
        &[],
        "1. e4 {+0.10/12 oops]]} e5 {-0.x1/9 1s} 2. Nf3 {[%eval 0.} Nc6 {+0.30/9 1s} 1-0",
        &["-30 | 1.0"],
    ),
    (
        "a comment in another encoding",
        &[],
        "1. e4 {+0.10/12 1s, g\u{fc}nstig} e5 {-0.20/9 1s} 1-0",
        &["10 | 1.0", "20 | 1.0"],
    ),
    (
        "a null move",
        &["--null-moves"],
        "1. e4 {+0.10/12 1s} -- {-0.20/9 1s} 2. Nf3 {+0.30/12 1s} Nc6 {+0.40/9 1s} 1/2-1/2",
        &["10 | 0.5", "30 | 0.5", "-40 | 0.5"],
    ),
    (
        "a null move that is not allowed",
        &[],
        "1. e4 {+0.10/12 1s} -- {-0.20/9 1s} 2. Nf3 {+0.30/12 1s} Nc6 1/2-1/2",
        &["10 | 0.5"],
    ),
    (
        "an illegal move",
        &[],
        "1. e4 {+0.10/12 1s} e5 {-0.20/9 1s} 2. Ke3 {+0.30/12 1s} Nc6 0-1",
        &["10 | 0.0", "20 | 0.0"],
    ),
    (
        "a variant",
        &[],
        "[Variant \"Crazyhouse\"]\n\n1. e4 {+0.10/12 1s} d5 {-0.20/9 1s} 2. exd5 {+0.30/12 1s} 1-0",
        &["10 | 1.0", "20 | 1.0", "30 | 1.0"],
    ),
    (
        "a variation",
        &[],
        "1. e4 {+0.10/12 1s} (1. d4 {+9.90/12 1s} d5) e5 {-0.20/9 1s} 1-0",
        &["10 | 1.0", "20 | 1.0"],
    ),
    (
        "castling in Chess960",
        &[],
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nqbbrkrn/pppppppp/8/8/8/8/PPPPPPPP/NQBBRKRN w KQkq - 0 1\"]\n\n\
         1. O-O {+0.10/12 1s} O-O {-0.20/9 1s} 1-0",
        &["10 | 1.0", "20 | 1.0"],
    ),
    (
        "no result in the tag",
        &[],
        "[Result \"*\"]\n\n1. e4 {+0.10/12 1s} e5 {-0.20/9 1s, Black resigns} 1-0",
        &["10 | 1.0", "20 | 1.0"],
    ),
];

#[test]
fn an_odd_game_has_the_labels_that_are_known_and_costs_no_other_game() {
    let run = |args: &[&str], pgn: &str| program().args(args).stdin(pgn).run();
    for (what, args, game, expected) in ODD {
        for format in ["c9", "bracket", "bullet", "c-chess-cli", "plain"] {
            let args = [&["--format", format], args].concat();
            let good = run(&args, GAME).text().to_owned();
            let both = run(&args, &format!("[White \"A\"]\n{game}\n\n{GAME}"));
            assert!(both.text().ends_with(&good), "{what}, {format}: {}", both.text());
            let own = &both.text()[..both.text().len() - good.len()];
            assert!(!own.is_empty(), "{what}, {format}");
            if format == "bullet" {
                let tails: Vec<&str> =
                    own.lines().map(|line| line.split_once(" | ").unwrap().1).collect();
                assert_eq!(tails, expected, "{what}");
            }
        }
    }
    // King takes rook, as UCI engines of Chess960 expect it.
    let (_, _, castling, _) = ODD[8];
    let plain = run(&["--format", "plain"], castling).text().to_owned();
    assert!(plain.contains("\nmove f1g1\nscore 10\n"), "{plain}");
    assert!(plain.contains("\nmove f8g8\nscore -20\n"), "{plain}");
}

//! Positions labelled with game results, for tuning. The expected values were computed by hand.

use std::collections::HashMap;

use pgn2epd::options::{Conflicts, Format, LabelForm};
use pgn2epd::{Options, epd};
use testkit::generate::{Generator, Style};

use super::{assert_failed, assert_quiet};
use crate::support::{convert, jobs, program};

/// After 1. e4 Black is better by 0.3, after 1... f5 White mates in 2. White wins.
const GAME: &str = "[Result \"1-0\"]\n\n1. e4 {[%eval -0.3]} f5 {[%eval #2]} 2. exf5 g5 {[%eval #1]} 3. Qh5# {[%eval #0]} 1-0\n";

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
const AFTER_F5: &str = "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq";

#[track_caller]
fn labelled(args: &[&str], pgn: &str) -> Vec<String> {
    let outcome = program().args(["--ep", "legal"]).args(args).stdin(pgn).run();
    assert_quiet(&outcome);
    outcome.lines().into_iter().map(str::to_owned).collect()
}

#[test]
fn results_and_evaluations_have_the_point_of_view_of_the_format() {
    let two = |format| labelled(&["--format", format, "--ply", "1..2"], GAME);
    assert_eq!(
        two("c9"),
        [format!("{AFTER_E4} - c9 \"1-0\";"), format!("{AFTER_F5} - c9 \"1-0\";")]
    );
    assert_eq!(
        two("bracket"),
        [format!("{AFTER_E4} - 0 1 [1.0]"), format!("{AFTER_F5} - 0 2 [1.0]")]
    );
    // Mate in two moves is three plies: 32767 minus 3.
    assert_eq!(
        two("bullet"),
        [format!("{AFTER_E4} - 0 1 | -30 | 1.0"), format!("{AFTER_F5} - 0 2 | 32764 | 1.0")]
    );
    assert_eq!(
        two("c-chess-cli"),
        [format!("{AFTER_E4} - 0 1,30,0"), format!("{AFTER_F5} - 0 2,32764,2")]
    );
    let expected = format!(
        "fen {AFTER_E4} - 0 1\nmove f7f5\nscore 30\nply 1\nresult -1\ne\n\
         fen {AFTER_F5} - 0 2\nmove e4f5\nscore 31997\nply 2\nresult 1\ne"
    );
    assert_eq!(two("plain").join("\n"), expected);
}

#[test]
fn draws_and_losses_belong_to_the_right_side() {
    let tails = |format, result: &str| {
        let pgn = format!("1. e4 {{[%eval 0.2]}} e5 {{[%eval 0.1]}} {result}");
        let lines = labelled(&["--format", format, "--omit", "start"], &pgn);
        lines
            .iter()
            .map(|line| line.split_once(['"', '[', '|', ',']).unwrap().1.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(tails("c9", "0-1"), ["0-1\";", "0-1\";"]);
    assert_eq!(tails("c9", "1/2-1/2"), ["1/2-1/2\";", "1/2-1/2\";"]);
    assert_eq!(tails("bracket", "0-1"), ["0.0]", "0.0]"]);
    assert_eq!(tails("bracket", "1/2-1/2"), ["0.5]", "0.5]"]);
    assert_eq!(tails("bullet", "0-1"), [" 20 | 0.0", " 10 | 0.0"]);
    assert_eq!(tails("bullet", "1/2-1/2"), [" 20 | 0.5", " 10 | 0.5"]);
    assert_eq!(tails("c-chess-cli", "0-1"), ["-20,2", "10,0"]);
    assert_eq!(tails("c-chess-cli", "1/2-1/2"), ["-20,1", "10,1"]);
}

#[test]
fn an_engine_evaluates_the_position_before_its_move() {
    let pgn = "1. e4 {+0.10/12 1.6s} e5 {-0.31/10 0.2s} 2. Nf3 {-M2/31 1s} Nc6 {+M1/9 1s} 0-1";
    let lines = labelled(&["--format", "bullet"], pgn);
    let tails: Vec<&str> = lines.iter().map(|line| line.split_once(" | ").unwrap().1).collect();
    // A mate that White gets in two plies: -32767 and 2. One that Black gives in one: 32766,
    // White's view.
    assert_eq!(tails, ["10 | 0.0", "31 | 0.0", "-32765 | 0.0", "-32766 | 0.0"]);
}

#[test]
fn positions_without_a_label_are_omitted_and_counted() {
    let pgn = "1. e4 {[%eval 0.2]} e5 1-0\n\n1. d4 {[%eval 0.2]} d5 *\n";
    let cases =
        [("c9", 3, 3), ("bracket", 3, 3), ("bullet", 1, 5), ("c-chess-cli", 1, 5), ("plain", 1, 5)];
    for (format, written, unlabelled) in cases {
        let run = |extra: &[&str]| {
            program().args(["--format", format, "--summary"]).args(extra).stdin(pgn).run()
        };
        let outcome = run(&[]);
        let lines = if format == "plain" { 6 * written } else { written };
        assert_eq!((outcome.status, outcome.lines().len()), (0, lines), "{format}");
        let expected = format!("{unlabelled} positions that cannot be labelled");
        assert!(outcome.stderr.contains(&expected), "{format}: {}", outcome.stderr);
        // The same with a selection of records.
        let outcome = run(&["--unique", "--conflicts", "drop"]);
        assert!(outcome.stderr.contains(&expected), "{format}: {}", outcome.stderr);
        let json = program().args(["--format", format, "--summary=json"]).stdin(pgn).run().stderr;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(
            (&json["positions"], &json["unlabelled"]),
            (&written.into(), &unlabelled.into())
        );
    }
    // Positions without a move are not written to .plain.
    let last = "1. e4 {[%eval 0.2]} e5 {[%eval 0.3]} 1-0";
    assert_eq!(labelled(&["--format", "plain"], last).len(), 6);
    assert_eq!(labelled(&["--format", "c-chess-cli"], last).len(), 2);
}

#[test]
fn the_result_tag_takes_precedence_over_the_movetext() {
    let lines = labelled(&["--format", "bracket"], "[Result \"0-1\"]\n\n1. e4 *\n");
    assert!(lines.len() == 2 && lines.iter().all(|line| line.ends_with(" [0.0]")), "{lines:?}");
}

#[test]
fn labels_are_read_back_correctly() {
    let cases: [(&str, &[&str]); 3] = [
        ("c9", &["c9 \"1-0\";", "c9 \"1-0\";"]),
        ("bracket", &["c9 \"1-0\"; fmvn 1; hmvc 0;", "c9 \"1-0\"; fmvn 2; hmvc 0;"]),
        (
            "bullet",
            &["c9 \"1-0\"; ce 30; fmvn 1; hmvc 0;", "c9 \"1-0\"; ce 32764; fmvn 2; hmvc 0;"],
        ),
    ];
    for (format, expected) in cases {
        let lines = labelled(&["--format", format, "--ply", "1..2"], GAME);
        for (line, expected) in lines.iter().zip(expected) {
            assert_eq!(read(line), *expected, "{line}");
        }
    }
}

/// The operations of a line as read by the EPD reader.
#[track_caller]
fn read(line: &str) -> String {
    let mut faults = Vec::new();
    let read = epd::read_line(line, &epd::ReadOptions::default(), &mut |fault| faults.push(fault));
    let epd::Line::Record(record) = read else { panic!("{line}: {faults:?}") };
    record.to_record().to_string().splitn(5, ' ').nth(4).unwrap_or_default().to_owned()
}

#[test]
fn quiet_positions_are_those_without_a_check_a_capture_or_a_large_evaluation() {
    let plies = |args: &[&str]| {
        let args = [&["--ops", "none", "--add", "Ply={ply}", "--registers", "off"], args].concat();
        let lines = labelled(&args, GAME);
        let ply = |line: &String| line.rsplit(' ').next().unwrap().trim_end_matches(';').to_owned();
        lines.iter().map(ply).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(plies(&[]), "0 1 2 3 4 5");
    // The last position is mate, and thus a check.
    assert_eq!(plies(&["--omit", "check"]), "0 1 2 3 4");
    // 2. exf5 is a capture, 3. Qh5 is a check, and no move is played from the last position.
    assert_eq!(plies(&["--omit", "captures,promotions,checking-moves"]), "0 1 3 5");
    assert_eq!(plies(&["--omit", "captures,promotions,checking-moves,check"]), "0 1 3");
    assert_eq!(plies(&["--ply", "2.."]), "2 3 4 5");
    assert_eq!(plies(&["--ply", "2..3"]), "2 3");
    assert_eq!(plies(&["--move", "2"]), "2 3");
    // The start and the position after 2. exf5 have no evaluation.
    assert_eq!(plies(&["--eval", "-30..30"]), "1");
    assert_eq!(plies(&["--eval", "white:-30..-30"]), "1");
    assert_eq!(plies(&["--eval", "31.."]), "2 4");
    let near = "not (eval > 29 or eval < -29)";
    assert_eq!(plies(&["--where", near, "--omit", "check"]), "0 3");
}

#[test]
fn equal_positions_with_different_results_are_kept_dropped_or_averaged() {
    // The same position by two move orders, with a win and a draw. The start has three results from
    // three games.
    let pgn =
        "1. d4 Nf6 2. c4 {[%eval 0.1]} 1-0\n\n1. c4 Nf6 2. d4 {[%eval 0.4]} 1/2-1/2\n\n1. a3 1-0\n";
    let run = |args: &[&str]| labelled(&[&["--format", "bracket"], args].concat(), pgn);
    assert_eq!(run(&[]).len(), 10);
    let dropped = run(&["--conflicts", "drop"]);
    assert_eq!(dropped.len(), 5);
    assert!(dropped[0].contains("/3P4/8/PPP1PPPP/RNBQKBNR b") && dropped[0].ends_with("[1.0]"));
    let mean = run(&["--conflicts", "mean"]);
    assert_eq!(mean.len(), 7);
    // Two and a half points out of three.
    assert_eq!(mean[0], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 [0.8333]");
    let both: Vec<&String> = mean.iter().filter(|line| line.contains("/2PP4/")).collect();
    assert_eq!(both.len(), 1);
    assert!(both[0].ends_with(" [0.75]"), "{both:?}");
    assert!(read(both[0]).contains("c9 \"0.75\";"));
    let evaluated = |format| labelled(&["--format", format, "--conflicts", "mean"], pgn);
    assert!(evaluated("bullet")[0].ends_with(" | 25 | 0.75"));
    // Black is to move and has a quarter of the points.
    assert!(evaluated("c-chess-cli")[0].ends_with(",-25,0.25"));
}

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

#[test]
fn impossible_combinations_are_reported() {
    let cases: [(&[&str], &str); 5] = [
        (&["--format", "c9", "--conflicts", "mean"], "--conflicts mean is not for --format c9"),
        (
            &["--format", "plain", "--conflicts", "mean"],
            "--conflicts mean is not for --format plain",
        ),
        (&["--conflicts", "drop"], "--conflicts is for labels"),
        (&["--format", "c-chess-cli", "--ops", "sm"], "--format c-chess-cli has no operations"),
        (&["--format", "c9", "--variations"], "no positions of variations"),
    ];
    for (args, expected) in cases {
        let outcome = program().args(args).stdin(GAME).run();
        assert_failed(&outcome);
        assert!(outcome.stderr.contains(expected), "{args:?}: {}", outcome.stderr);
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

#[test]
fn a_truncated_game_keeps_its_labels_up_to_the_end() {
    let cut = "[Result \"1-0\"]\n\n1. e4 {+0.10/12 1s} e5 {-0.20/9 1s} 2. Nf3 {+0.3";
    let outcome = program().args(["--format", "bullet"]).stdin(format!("{GAME}\n{cut}")).run();
    let lines = outcome.lines();
    let tails: Vec<&str> = lines.iter().map(|line| line.split_once(" | ").unwrap().1).collect();
    let good = program().args(["--format", "bullet"]).stdin(GAME).run().lines().len();
    assert_eq!(tails[good..], ["10 | 1.0", "20 | 1.0"]);
}

/// Two games of engines: opening moves, an evaluation of each kind, and the way it ended.
const MATCH: &str = "[Result \"1-0\"]\n\n1. e4 {book} e5 {book} 2. Nf3 {+0.20/12 1s} Nc6 3. Bc4 {+3.10/12 1s} Nd4 {-M8/12 1s} 1-0\n\n\
    [Result \"0-1\"]\n[Termination \"time forfeit\"]\n\n1. d4 {+0.10/12 1s} d5 {+0.10/12 1s} 0-1\n\n\
    [Result \"0-1\"]\n[Termination \"stalled connection\"]\n\n1. d4 {+0.10/12 1s} 0-1\n\n\
    [Result \"1-0\"]\n[Termination \"adjudication\"]\n\n1. c4 {+0.10/12 1s} 1-0\n";

#[test]
fn positions_and_games_that_are_omitted_are_counted_by_reason() {
    /// Options, records, and the reasons in the summary.
    type Case<'a> = (&'a [&'a str], u64, &'a [(&'a str, u64)]);
    let cases: [Case<'_>; 11] = [
        (&[], 14, &[]),
        (&["--omit", "book-moves"], 12, &[("book-moves", 2)]),
        // Without comments: two moves of the book, 2... Nc6, the ends of the games.
        (&["--omit", "unevaluated"], 7, &[("unevaluated", 7)]),
        (&["--omit", "book-moves,unevaluated"], 7, &[("book-moves", 2), ("unevaluated", 5)]),
        (&["--omit", "mates"], 13, &[("mates", 1)]),
        (&["--eval", "-300..300"], 5, &[("eval", 2), ("unevaluated", 7)]),
        (
            &["--omit", "mates", "--eval", "-300..300"],
            5,
            &[("mates", 1), ("eval", 1), ("unevaluated", 7)],
        ),
        (&["--ply", "1.."], 10, &[("ply", 4)]),
        (&["--where", "turn = w"], 8, &[("where", 6)]),
        (&["--omit", "time-forfeits,abandoned"], 9, &[("time-forfeits", 1), ("abandoned", 1)]),
        (&["--omit", "adjudicated"], 12, &[("adjudicated", 1)]),
    ];
    for (args, positions, expected) in cases {
        for more in [&[][..], &["--unique", "-j2"], &["--format", "bracket"]] {
            let args = [args, more, &["-q", "--ops", "none", "--summary=json"]].concat();
            let args: Vec<&str> = match more.first() {
                Some(&"--format") => {
                    args.iter().copied().filter(|a| !["--ops", "none"].contains(a)).collect()
                }
                _ => args,
            };
            let outcome = program().args(&args).stdin(MATCH).run();
            let json: serde_json::Value = serde_json::from_str(&outcome.stderr).unwrap();
            let written =
                json["positions"].as_u64().unwrap() + json["duplicates"].as_u64().unwrap();
            assert_eq!(written, positions, "{args:?}");
            let counts = json["omitted"].as_object().unwrap().iter();
            let found: Vec<(&str, u64)> = counts
                .map(|(reason, count)| (reason.as_str(), count.as_u64().unwrap()))
                .filter(|(_, count)| *count > 0)
                .collect();
            let mut expected = expected.to_vec();
            expected.sort_by_key(|(reason, _)| found.iter().position(|(found, _)| found == reason));
            assert_eq!(found, expected, "{args:?}");
        }
    }
    let args = ["--omit", "book-moves,adjudicated", "--summary"];
    let outcome = program().args(args).stdin(MATCH).run();
    let summary = outcome.stderr.lines().last().unwrap();
    let expected = "4 games, 10 positions, 3 omitted (book-moves 2, adjudicated 1); ";
    assert!(summary.starts_with(expected), "{summary}");
}

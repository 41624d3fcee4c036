//! The openings of games: rows of a table, and `--games openings`, the games with these tags.

use std::fs;
use std::num::NonZeroUsize;

use pgn2epd::options::{Format, Ops};
use pgn2epd::{Options, Problem, Summary};
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::shared::is_full;

use crate::support::{convert, decoded, fixture, program};

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4 h5 *\n\n\
                     [White \"C\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n";

/// The options of the games with their opening tags, and of the table of their openings.
fn forms() -> [Options; 2] {
    let table = [("format", "csv"), ("rows", "games"), ("columns", "game,eco,opening,plies")];
    [
        Options::default().format(Format::Pgn).games("openings".parse().unwrap()),
        Options::from_names(table).unwrap(),
    ]
}

fn named(pgn: &[u8], options: Options, jobs: usize, chunk_bytes: usize) -> (Vec<u8>, Summary) {
    let jobs = NonZeroUsize::new(jobs);
    let converted = convert(pgn, &options.jobs(jobs).chunk_bytes(chunk_bytes));
    (converted.output, converted.summary)
}

fn rewritten(pgn: impl AsRef<[u8]>) -> Vec<u8> {
    let [games, _] = forms();
    named(pgn.as_ref(), games, 1, 4 << 20).0
}

#[track_caller]
fn assert_rewritten(pgn: &str, expected: &str) {
    assert_eq!(String::from_utf8(rewritten(pgn)).unwrap(), expected);
}

/// The text with CR LF for LF and the reverse.
fn crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

/// Runs the program with a table of the openings of games.
fn table(args: &[&str], pgn: &str) -> Vec<String> {
    let options = ["--rows", "games", "-f", "csv", "--columns", "game,eco,opening,White,Black"];
    let outcome = program().args(options).args(args).stdin(pgn).run();
    outcome.lines().into_iter().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_table_has_the_openings_of_games() {
    let expected = ["1,B90,Sicilian Defense: Najdorf Variation,A,B", "2,,,C,"];
    assert_eq!(table(&[], GAMES), expected);
}

#[test]
fn a_condition_chooses_the_games_of_a_table() {
    let pgn = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. d4 d5 2. c4 *\n\n[White \"A\"]\n\n1. d4 *\n";
    for (condition, numbers) in [
        ("White = 'A'", "1 3"),
        ("player ~ 'b' and color = w", "2"),
        ("line = '1. d4'", "2 3"),
        ("eco = 'D06'", "2"),
        ("White = 'A' and eco = 'D06'", ""),
        ("plies > 0", "1 2 3"),
    ] {
        for chunk in ["20", "1M"] {
            let rows = table(&["--where", condition, "--chunk-bytes", chunk], pgn);
            let found: Vec<&str> = rows.iter().map(|row| row.split(',').next().unwrap()).collect();
            assert_eq!(found.join(" "), numbers, "{condition}");
        }
    }
}

#[test]
fn tags_are_added_after_the_others() {
    let outcome = program().args(["--format", "pgn", "--games", "openings"]).stdin(GAMES).run();
    let with_tags = GAMES.replacen(
        "[Result \"*\"]\n",
        "[Result \"*\"]\n[ECO \"B90\"]\n[Opening \"Sicilian Defense: Najdorf Variation\"]\n",
        1,
    );
    assert_eq!(outcome.text(), with_tags);
}

#[test]
fn wrong_tags_are_corrected_in_place() {
    let game = |tags: &str| format!("{tags}\n\n1. e4 e5 2. f4 *\n");
    let right = "[ECO \"C30\"]\n[White \"x\"]\n[Opening \"King's Gambit\"]";
    for wrong in [
        right,
        "[ECO \"?\"]\n[White \"x\"]\n[Opening \"\"]",
        "[ECO \"A00\"]\n[White \"x\"]\n[Opening \"Kings \\\"Gambit\\\"\"]",
    ] {
        assert_rewritten(&game(wrong), &game(right));
        assert_rewritten(&crlf(&game(wrong)), &crlf(&game(right)));
    }
    let finer = game("[ECO \"C30/05\"]\n[Opening \"King's Gambit\"]\n[Variation \"Declined\"]");
    assert_rewritten(&finer, &finer);
}

#[test]
fn games_without_tags_get_them_before_their_moves() {
    let e4 = "[ECO \"B00\"]\n[Opening \"King's Pawn Game\"]\n\n";
    let d4 = "[ECO \"A40\"]\n[Opening \"Queen's Pawn Game\"]\n\n";
    assert_rewritten("1. e4 *\n\n1. d4 *\n", &format!("{e4}1. e4 *\n\n{d4}1. d4 *\n"));
    assert_rewritten("1. e4 * 1. d4 *", &format!("{e4}1. e4 * \n{d4}1. d4 *"));
    assert_rewritten("\u{feff}1. e4 *\n", &format!("\u{feff}{e4}1. e4 *\n"));
}

#[test]
fn games_of_a_data_set_have_their_tags() {
    let pgn = "[Event \"x\"]\r\n\r\n1. e4 *\r\n\r\n\r\n[Event \"y\"]\r\n\r\n1. d4 *\r\n\r\n1. e4 *";
    let args = ["--format", "pgn", "--games", "openings", "--skip", "1"];
    let outcome = program().args(args).stdin(pgn).run();
    let expected = "[Event \"y\"]\r\n[ECO \"A40\"]\r\n[Opening \"Queen's Pawn Game\"]\r\n\r\n1. d4 *\r\n\r\n\
                    [ECO \"B00\"]\n[Opening \"King's Pawn Game\"]\n\n1. e4 *\n\n";
    assert_eq!(outcome.text(), expected, "{}", outcome.stderr);
}

#[test]
fn unusual_tag_sections_are_unchanged() {
    let tags = "[ECO \"B00\"]\n[Opening \"King's Pawn Game\"]";
    assert_rewritten("[Event \"x\"] 1. e4 *\n", &format!("[Event \"x\"]\n{tags} 1. e4 *\n"));
    assert_rewritten(
        "[White \"x\"]\n[Event \"x\"\n1. e4 *\n",
        &format!("[White \"x\"]\n{tags}\n[Event \"x\"\n1. e4 *\n"),
    );
}

#[test]
fn names_are_latin_1_if_the_tags_are() {
    let pgn = b"[White \"M\xfcller\"]\n\n1. h4 *\n";
    let expected =
        b"[White \"M\xfcller\"]\n[ECO \"A00\"]\n[Opening \"K\xe1das Opening\"]\n\n1. h4 *\n";
    assert_eq!(rewritten(pgn), expected);
    assert_rewritten(
        "[White \"x\"]\n\n1. h4 *\n",
        "[White \"x\"]\n[ECO \"A00\"]\n[Opening \"Kádas Opening\"]\n\n1. h4 *\n",
    );
}

#[test]
fn a_game_with_an_error_is_named_up_to_the_error() {
    let pgn = "[White \"x\"]\n\n1. e4 e5 2. f4 Ke6 3. Nf3 *\n";
    let args = ["--rows", "games", "-f", "csv", "--columns", "plies,eco,opening,White"];
    let outcome = program().args(args).stdin(pgn).run();
    assert_eq!(outcome.status, 1);
    assert_eq!(outcome.text(), "plies,eco,opening,White\n3,C30,King's Gambit,x\n");
    let message = "-:3:16: game 1 (x - ?), 2... Ke6: illegal: no black king can reach e6\n";
    assert!(outcome.stderr.starts_with(message), "{}", outcome.stderr);
}

#[test]
fn a_game_above_the_limit_is_copied_unchanged() {
    let long = format!("[White \"long\"]\n\n1. e4 {{{}}} e5 *\n\n", "x".repeat(5000));
    let pgn = format!("{GAMES}\n{long}{GAMES}");
    let args = ["--format", "pgn", "--games", "openings", "-q", "--max-game-bytes", "1K"];
    let outcome = program().args(args).args(["--chunk-bytes", "300"]).stdin(&*pgn).run();
    assert_eq!(outcome.status, 1);
    let around = String::from_utf8(rewritten(GAMES)).unwrap();
    assert_eq!(outcome.text(), format!("{around}\n{long}{around}"));
}

#[test]
fn opening_tables_replace_or_extend_the_built_in_one() {
    let mine = "eco\tnic\tname\tpgn\n\tKP 1\tMine\t1. e4\n";
    let run = |openings: &[&str]| {
        let args = openings.iter().flat_map(|file| ["--openings", file]);
        let outcome = program()
            .file("mine.tsv", mine)
            .args(["--rows", "games", "-f", "csv", "--columns", "eco,opening"])
            .args(args)
            .stdin("1. e4 *\n\n1. d4 *\n")
            .run();
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
        outcome.lines()[1..].join(" ")
    };
    assert_eq!(run(&["mine.tsv"]), ",Mine ,");
    assert_eq!(run(&["default", "mine.tsv"]), "B00,Mine A40,Queen's Pawn Game");
}

#[test]
fn a_bad_table_is_reported_with_its_place() {
    let outcome = program()
        .file("mine.tsv", "A00\tx\t1. e5\n")
        .args(["--openings", "mine.tsv"])
        .stdin(GAMES)
        .run();
    assert_eq!((outcome.status, outcome.text()), (2, ""));
    assert_eq!(outcome.stderr, "pgn2epd: mine.tsv:1:10: e5: illegal: no white pawn can reach e5\n");
    let outcome = program().args(["--openings", "none.tsv"]).stdin(GAMES).run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("cannot read none.tsv"), "{}", outcome.stderr);
}

/// The records of all games, without data from tags, and the number of problems.
fn records(pgn: &[u8]) -> (Vec<u8>, usize) {
    let options = Options::default().ops(Some(Ops::COUNTERS_AND_MOVE.into()));
    let converted = convert(pgn, &options);
    // Only a game with tags must end with a result or a line end.
    let is_truncated =
        |problem: &Problem| problem.reason.to_string().starts_with("the text ends here");
    let problems = converted.problems.iter().filter(|problem| !is_truncated(problem));
    (converted.output, problems.count())
}

#[track_caller]
fn assert_only_tags_change(called: &str, pgn: &[u8]) {
    let [games, table] = forms();
    let (written, summary) = named(pgn, games, 1, 4 << 20);
    if summary.games == 0 {
        return assert!(written.is_empty(), "{called}");
    }
    assert!(records(&written) == records(pgn), "{called}: other games");
    assert!(rewritten(&written) == written, "{called}: not the same the second time");
    let tags = |pgn: &[u8]| named(pgn, table.clone(), 1, 4 << 20).0;
    assert!(tags(&written) == tags(pgn), "{called}: other names");
    let without = |pgn: &[u8]| {
        let lines = pgn.split(|byte| matches!(byte, b'\n' | b'\r'));
        let is_other = |line: &&[u8]| {
            !line.is_empty()
                && ![&b"[ECO "[..], b"[NIC ", b"[Opening "].iter().any(|t| line.starts_with(t))
        };
        lines.filter(is_other).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    if pgn.starts_with(b"[") && !called.contains("hostile") {
        assert!(without(&written) == without(pgn), "{called}: other lines");
    }
}

#[test]
fn writing_only_changes_tags() {
    for style in [Style::Plain, Style::Annotated, Style::Lichess, Style::Engine, Style::Chess960] {
        let games = Generator::text(style, 7, 60_000);
        assert_only_tags_change(&format!("{style:?}"), &games);
    }
    for file in ["annotated.pgn", "chess960.pgn", "classics.pgn", "immortal.pgn", "bad.pgn"] {
        assert_only_tags_change(file, &fixture(file));
    }
    for (called, pgn) in hostile() {
        if let Some(text) = decoded(&pgn).filter(|text| text.len() < 50_000) {
            assert_only_tags_change(&format!("hostile {called}"), &text);
        }
    }
}

#[test]
fn threads_and_chunks_do_not_matter() {
    let mut texts: Vec<(&str, Vec<u8>)> =
        vec![("lichess", Generator::text(Style::Lichess, 3, 60_000))];
    texts.extend(hostile().into_iter().filter_map(|(called, pgn)| Some((called, decoded(&pgn)?))));
    let texts = texts.iter().filter(|(_, pgn)| pgn.len() < 100_000);
    for (number, (called, pgn)) in texts.enumerate() {
        // Each text in one of the forms, unless all are wanted.
        let (first, step) = if is_full() { (0, 1) } else { (number % 2, 2) };
        for options in forms().into_iter().skip(first).step_by(step) {
            let expected = named(pgn, options.clone(), 1, 4 << 20);
            for (jobs, chunk_bytes) in [(1, 64), (2, 700), (3, 5_000)] {
                let found = named(pgn, options.clone(), jobs, chunk_bytes);
                assert!(found == expected, "{called}: {options:?}, -j {jobs}, {chunk_bytes} bytes");
            }
        }
    }
}

#[test]
fn only_tags_of_the_corpus_change() {
    let Some(shared) = testkit::shared::shared() else { return };
    for file in ["corpus/worldcup2005.pgn", "corpus/twic1599_first555.pgn"] {
        let pgn = fs::read(shared.join(file)).unwrap();
        assert_only_tags_change(file, &pgn);
    }
}

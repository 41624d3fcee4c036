//! The openings of games: rows of a table, and `--games openings`, the games with these tags.

use pgn2epd::options::{Format, Ops};
use pgn2epd::{Options, Problem};
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::shared::{corpus_file, is_full};

use crate::chunks::assert_runs_agree;
use crate::support::{Converted, convert, decoded, fixture};

/// The options of the games with their opening tags, and of the table of their openings.
fn forms() -> [Options; 2] {
    let table = [("format", "csv"), ("rows", "games"), ("columns", "game,eco,opening,plies")];
    [
        Options::default().format(Format::Pgn).games("openings".parse().unwrap()),
        Options::from_names(table).unwrap(),
    ]
}

fn rewritten(pgn: impl AsRef<[u8]>) -> Vec<u8> {
    let [games, _] = forms();
    convert(pgn.as_ref(), &games).output
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
    let Converted { output: written, summary, .. } = convert(pgn, &games);
    if summary.games == 0 {
        return assert!(written.is_empty(), "{called}");
    }
    assert!(records(&written) == records(pgn), "{called}: other games");
    assert!(rewritten(&written) == written, "{called}: not the same the second time");
    let tags = |pgn: &[u8]| convert(pgn, &table).output;
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
            let what = format!("{called}: {options:?}");
            assert_runs_agree(&what, pgn, &options, &[(1, 64), (2, 700), (3, 5_000)]);
        }
    }
}

#[test]
fn only_tags_of_the_corpus_change() {
    for file in ["worldcup2005", "twic1599_first555"] {
        let Some(pgn) = corpus_file(file) else { continue };
        assert_only_tags_change(file, &pgn.read().unwrap());
    }
}

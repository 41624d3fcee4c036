//! What is read from the comments of programs.

use std::time::Duration;

use emit::read_comment;
use epd::Centipawns;
use proptest::prelude::*;
use san::Color;
use serde::Deserialize;
use testkit::naive::remarks;

#[derive(Deserialize)]
struct Table {
    comment: Vec<Comment>,
}

/// A comment of `fixtures/engine-comments.toml`, with times in milliseconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Comment {
    program: String,
    text: String,
    #[serde(default)]
    mover: Mover,
    before: Option<i32>,
    depth: Option<u32>,
    selective_depth: Option<u32>,
    time: Option<u64>,
    nodes: Option<u64>,
    line: Option<String>,
    ending: Option<String>,
    after: Option<i32>,
    after_depth: Option<u32>,
    clock: Option<u64>,
    elapsed: Option<u64>,
    #[serde(default)]
    is_book: bool,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mover {
    #[default]
    White,
    Black,
}

#[test]
fn comments_of_programs_are_read_as_in_the_table() {
    let table: Table =
        toml::from_str(include_str!("../../../fixtures/engine-comments.toml")).unwrap();
    for comment in table.comment {
        let Comment { program, text, .. } = &comment;
        let mover = match comment.mover {
            Mover::White => Color::White,
            Mover::Black => Color::Black,
        };
        let (report, commands) = read_comment(text.as_bytes(), mover);
        let report = report.unwrap_or_default();
        let milliseconds = |time: Option<u64>| time.map(Duration::from_millis);
        let as_text =
            |text: Option<&[u8]>| text.map(|text| String::from_utf8(text.to_vec()).unwrap());
        assert_eq!(report.evaluation.map(Centipawns::get), comment.before, "{program}");
        assert_eq!(report.depth, comment.depth, "{program}");
        assert_eq!(report.selective_depth, comment.selective_depth, "{program}");
        assert_eq!(report.time, milliseconds(comment.time), "{program}");
        assert_eq!(report.nodes, comment.nodes, "{program}");
        assert_eq!(as_text(report.line), comment.line, "{program}");
        assert_eq!(as_text(report.ending), comment.ending, "{program}");
        assert_eq!(commands.evaluation.map(Centipawns::get), comment.after, "{program}");
        assert_eq!(commands.depth, comment.after_depth, "{program}");
        assert_eq!(commands.clock, milliseconds(comment.clock), "{program}");
        assert_eq!(commands.elapsed, milliseconds(comment.elapsed), "{program}");
        assert_eq!(emit::is_book(text.as_bytes()), comment.is_book, "{program}");
        assert_eq!(as_naive(text.as_bytes(), mover), naive(text.as_bytes(), mover), "{program}");
    }
}

fn naive(comment: &[u8], mover: Color) -> remarks::Remarks {
    remarks::read(comment, mover == Color::White)
}

/// Reads a comment, and returns it in the types of the naive reader.
fn as_naive(comment: &[u8], mover: Color) -> remarks::Remarks {
    let (report, commands) = read_comment(comment, mover);
    let nanoseconds = |time: Option<Duration>| time.map(|time| time.as_nanos());
    let text = |text: &[u8]| text.iter().map(|byte| char::from(*byte)).collect();
    remarks::Remarks {
        report: report.map(|report| remarks::Report {
            evaluation: report.evaluation.map(Centipawns::get),
            depth: report.depth,
            selective_depth: report.selective_depth,
            time: nanoseconds(report.time),
            clock: nanoseconds(report.clock),
            nodes: report.nodes,
            line: report.line.map(text),
            ending: report.ending.map(text),
        }),
        evaluation: commands.evaluation.map(Centipawns::get),
        depth: commands.depth,
        clock: nanoseconds(commands.clock),
        elapsed: nanoseconds(commands.elapsed),
    }
}

/// Texts like comments of programs, with parts missing, repeated and out of place. Boxed parts are
/// compiled in a fraction of the time.
fn comments() -> impl Strategy<Value = String> {
    let number = "[0-9]{1,3}|[0-9]{15,40}|0[0-9]{20,40}";
    // A form with four numbers is rarely read if each may be too large.
    let mostly_small = || prop_oneof![9 => "[0-9]{1,3}", 1 => number].boxed();
    let score = "[-+]?(M|#)?-?[0-9]{0,5}[.]?(\n|\r\n)?[0-9]{0,4}";
    let time = "[0-9]{0,3}(:[0-9]{1,2}){0,3}[.]?[0-9]{0,11}(s|ms)?";
    let piece = prop_oneof![
        (score, " ?", number)
            .prop_map(|(score, space, depth)| format!("{score}/{space}{depth}"))
            .boxed(),
        (score, " ?", mostly_small(), " ?/ ?", mostly_small(), mostly_small(), mostly_small())
            .prop_map(|(score, space, depth, slash, a, b, c)| format!(
                "{score} {space}{depth}{slash}{a} {b} {c}"
            ))
            .boxed(),
        time.prop_map(|time| format!(" {time}")).boxed(),
        (
            prop::sample::select(vec!["d", "sd", "n", "nodes", "mt", "tl", "timeleft", "x", " n "]),
            prop_oneof![number, time.prop_map(|time| time)]
        )
            .prop_map(|(name, value)| format!("{name}={value},"))
            .boxed(),
        score.prop_map(|score| format!("wv={score},")).boxed(),
        (
            prop::sample::select(vec!["eval", "clk", "emt", "timestamp", "csl"]),
            prop_oneof![score.prop_map(|score| score), time.prop_map(|time| time)],
            "(,? ?[0-9]{0,3})?"
        )
            .prop_map(|(name, value, more)| format!("[%{name} {value}{more}]"))
            .boxed(),
        prop::sample::select(vec![
            " ", ",", ", ", "\"", "(Nf6) ", "(exd6)", "pv=\"e4, e5\"", "pv=d4 d5,", "White mates",
            "[%", "]", "[", "\u{e9}", "\t", "=", "book", "M", "-", "d=",
        ])
        .prop_map(str::to_owned)
        .boxed(),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_comment_is_read_as_by_the_naive_reader(comment in comments(), is_white: bool) {
        let mover = if is_white { Color::White } else { Color::Black };
        prop_assert_eq!(as_naive(comment.as_bytes(), mover), naive(comment.as_bytes(), mover));
    }

    #[test]
    fn any_bytes_are_read_as_by_the_naive_reader(
        comment in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"0123./-+Ms,:[%] ".to_vec())], 0..40),
    ) {
        prop_assert_eq!(as_naive(&comment, Color::Black), naive(&comment, Color::Black));
    }

    #[test]
    fn the_evaluation_alone_is_that_of_the_whole_comment(
        comment in comments(),
        is_white: bool,
    ) {
        let position = if is_white { "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1" } else { "4k3/8/8/8/8/8/PPPP4/4K3 b - - 0 1" };
        let position = san::Position::from_fen(position).unwrap();
        let comments = [comment.as_bytes()];
        let ahead = emit::Ahead { comments: &comments, plies: None, known: None };
        let ply = emit::Ply { ahead: Some(&ahead), ..emit::Ply::new(&position, None, 0) };
        let mover = san::AnyPosition::turn(&position);
        let report = read_comment(comment.as_bytes(), mover).0;
        let expected = report.and_then(|report| report.evaluation).map(Centipawns::with_possible_mate);
        prop_assert_eq!(emit::evaluation(&ply), expected);
    }
}

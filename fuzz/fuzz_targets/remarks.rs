//! Any comment is read as by the naive reader, and its text and its evaluation are those of the
//! whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use san::{Color, Position};
use testkit::naive::remarks;

fuzz_target!(|comment: &[u8]| {
    for mover in Color::ALL {
        let (report, commands) = emit::read_comment(comment, mover);
        let text = |text: &[u8]| text.iter().map(|byte| char::from(*byte)).collect();
        let found = remarks::Remarks {
            report: report.map(|report| remarks::Report {
                evaluation: report.evaluation.map(|evaluation| evaluation.get()),
                depth: report.depth,
                selective_depth: report.selective_depth,
                time: report.time.map(|time| time.as_nanos()),
                clock: report.clock.map(|time| time.as_nanos()),
                nodes: report.nodes,
                line: report.line.map(text),
                ending: report.ending.map(text),
            }),
            evaluation: commands.evaluation.map(|evaluation| evaluation.get()),
            depth: commands.depth,
            clock: commands.clock.map(|time| time.as_nanos()),
            elapsed: commands.elapsed.map(|time| time.as_nanos()),
        };
        assert_eq!(found, remarks::read(comment, mover == Color::White));

        let side = if mover == Color::White { "w" } else { "b" };
        let position =
            Position::from_fen(format!("4k3/8/8/8/8/8/PPPP4/4K3 {side} - - 0 1")).unwrap();
        let comments = [comment];
        let ahead = emit::Ahead { comments: &comments, plies: None, known: None };
        let ply = emit::Ply { ahead: Some(&ahead), ..emit::Ply::new(&position, None, 0) };
        let evaluation = report.and_then(|report| report.evaluation);
        assert_eq!(emit::evaluation(&ply), evaluation.map(|value| value.with_possible_mate()));
        emit::comment_text(comment, mover, false);
        emit::is_book(comment);
    }
});

//! The program as a user runs it.
#![cfg_attr(not(unix), allow(dead_code, reason = "used by tests for Unix"))]

mod arguments;
mod check;
#[cfg(feature = "compression")]
mod compressed;
#[cfg(feature = "compression")]
mod compressed_output;
#[cfg(feature = "compression")]
mod damage;
mod decode;
#[cfg(target_os = "linux")]
mod faults;
mod game_tables;
#[cfg(target_os = "linux")]
mod guard;
#[cfg(feature = "compression")]
mod inputs;
mod labels;
#[cfg(target_os = "linux")]
mod limits;
mod manual;
mod messages;
#[cfg(unix)]
mod output;
mod presets;
mod records;
mod show;
mod sources;
#[cfg(target_os = "linux")]
mod streams;
#[cfg(target_os = "linux")]
mod terminal;
mod training;

use testkit::program::Outcome;

/// Three records.
const GOOD: &str = "1. e4 e5 *\n";

/// Two games, the first with an illegal king move.
const BAD: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 Ke6 2. d4 *\n\n1. d4 *\n";

/// The records of [`GOOD`].
const RECORDS: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0; eco; fmvn 1; hmvc 0; sm e4; v0;
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 eco \"B00\"; fmvn 1; hmvc 0; sm e5; v0 \"King's Pawn Game\";
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 eco \"C20\"; fmvn 2; hmvc 0;
";

/// Success without any message.
#[track_caller]
fn assert_quiet(outcome: &Outcome) {
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
}

/// The run failed and wrote no records.
#[track_caller]
fn assert_failed(outcome: &Outcome) {
    assert_eq!((outcome.status, outcome.text()), (2, ""), "{}", outcome.stderr);
}

//! Reading one move ahead gives what buffering whole games gives.

use emit::{Format, LabelForm, LookAhead, Plan, Replay, Text};
use pgn::Chunk;
use testkit::generate::{Generator, Style};

use crate::support::bare;

fn plans() -> Vec<Plan> {
    let labels = [
        LabelForm::C9,
        LabelForm::Bracket,
        LabelForm::Bullet,
        LabelForm::CChessCli,
        LabelForm::Plain,
    ];
    let labels = labels.map(|form| Plan { format: Format::Label(form), ..bare() });
    let filter = Some("eval > 20 or check or clock > 30".parse().unwrap());
    let templates = ["Xx={eval|-}/{depth|-}/{seldepth|-}/{nodes|-}/{time|-}/{clock|-}"];
    let templates = templates.map(|template| template.parse().unwrap()).to_vec();
    let omit = "book-moves,unevaluated,mates".parse().unwrap();
    let ops = "ce,acd,acn,acs,dm,pv,resign,rc".parse().unwrap();
    let mut plans = labels.to_vec();
    plans.extend([
        Plan { filter: filter.clone(), ..Plan::default() },
        Plan { templates, null_moves: true, ..bare() },
        Plan { omit, eval: "-200..200".parse().ok(), ..plans[2].clone() },
        Plan {
            select: emit::Select { first: 4, last: 20, ..Default::default() },
            ..plans[2].clone()
        },
        Plan { select: emit::Select { only_final: true, ..Default::default() }, filter, ..bare() },
        Plan { ops, ..Plan::default() },
        Plan { null_moves: true, ..plans[4].clone() },
    ]);
    plans
}

#[track_caller]
fn assert_equal_when_buffered(pgn: &[u8]) {
    for plan in plans() {
        assert!(!plan.looks_ahead(), "{plan:?}");
        let (mut direct, mut buffered) = (Text::default(), Text::default());
        let replay = || Replay::new(Chunk::whole(pgn), &plan);
        let (counts, end) = replay().run(&mut direct.sink(&plan));
        let (expected, expected_end) =
            replay().run(&mut LookAhead::new(&mut buffered.sink(&plan), &plan));
        assert_eq!((counts, end), (expected, expected_end), "{plan:?}");
        let text = |text: &Text| String::from_utf8_lossy(text.bytes.as_bytes()).into_owned();
        assert_eq!(text(&direct), text(&buffered), "{plan:?}");
        assert_eq!(direct.positions, buffered.positions, "{plan:?}");
        assert_eq!(direct.unlabelled, buffered.unlabelled, "{plan:?}");
        assert_eq!(direct.omitted, buffered.omitted, "{plan:?}");
        assert_eq!(direct.problems, buffered.problems, "{plan:?}");
    }
}

#[test]
fn generated_games_have_the_same_records_as_when_they_are_buffered() {
    for style in Style::ALL {
        assert_equal_when_buffered(&Generator::text(style, 5, 150_000));
    }
}

#[test]
fn damaged_and_odd_games_have_the_same_records_as_when_they_are_buffered() {
    let moves = [
        "1. e4 {+0.1/9 1s} e5 {-0.2/9 1s} 2. Nf3 Nc6 {+M5/9 1s} 1-0",
        "1. e4 $1 {+0.1/9 1s} e5! {-0.2/9 1s} N {novelty} 2. Nf3 ; [%eval 0.3]\n Nc6 * {[%eval 1]}",
        "1. e4 (1. d4 {+0.5/9 1s}) {+0.1/9 1s} e5 {book} 2. -- {+0.3/9 1s} Nc6 {0.4/9 1s} 0-1",
        "1. e4 {+0.1/9 1s} e5 {-0.2/9 1s} 2. Ke3 {+0.7/9 1s} Nc6 1/2-1/2",
        "1. e4 {+0.1/9 1s} e5 {-0.2/9 1s} 2. N f3 {+0.7/9 1s} Nc6 1/2-1/2",
        "1. e4 {[%eval 0.1]} {[%clk 0:01:00]} e5 {[%eval #-3]} 2. Nf3 {[%eval ",
        "{before [%eval 0.3]} 1. e4 e5 2. ??? {+0.1/9 1s} d4 1-0",
        "*",
        "1. e4 {+0.1/9 1s} e5 {-0.2/9 1s} 1-0 {White wins} 1. d4 {+0.1/9 1s} d5 0-1",
    ];
    let tags = [
        "",
        "[Result \"0-1\"]\n\n",
        "[Variant \"Atomic\"]\n[Result \"*\"]\n\n",
        "[Variant \"Crazyhouse\"]\n\n",
    ];
    let mut all = String::new();
    for tags in tags {
        for moves in moves {
            let game = format!("{tags}{moves}");
            assert_equal_when_buffered(game.as_bytes());
            // An open comment continues to the end of the text.
            if !game.ends_with("[%eval ") {
                all += &format!("[White \"A\"]\n{game}\n\n");
            }
        }
    }
    assert_equal_when_buffered(all.as_bytes());
}

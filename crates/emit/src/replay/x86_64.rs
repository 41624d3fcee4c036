//! The same code, compiled once more for processors of today (x86-64-v3: AVX2, BMI and their like).
//!
//! Worth 7 % of the time on 8moves_v3 and 6 % on TWIC (`--registers off --names off`), 2 to 3 % where most moves have comments. What is
//! called and not inlined stays as it is, so the loop and all that is on its way is `inline(always)`.
#![allow(unsafe_code)]

use super::Replay;
use crate::Sink;

/// Plays all games; `false` if the processor cannot do it so, and nothing is done.
pub(super) fn play_games(replay: &mut Replay<'_>, sink: &mut impl Sink) -> bool {
    let has_all = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt");
    if has_all {
        // SAFETY: the processor has everything that the function is compiled for, as was just asked.
        unsafe { with_v3(replay, sink) }
    }
    has_all
}

#[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
fn with_v3(replay: &mut Replay<'_>, sink: &mut impl Sink) {
    replay.play_games(sink);
}

#[cfg(test)]
mod tests {
    use testkit::generate::{Generator, Style};

    use super::*;
    use crate::{Counts, Op, Ops, Plan, Text, TextSink};

    fn written(
        pgn: &[u8],
        plan: &Plan,
        play: impl Fn(&mut Replay<'_>, &mut TextSink<'_>) -> bool,
    ) -> Option<(Counts, Vec<u8>)> {
        let mut text = Text::default();
        let mut replay = Replay::new(pgn::Chunk::whole(pgn), plan);
        let is_done = play(&mut replay, &mut text.sink(plan));
        is_done.then(|| (replay.finish().0, text.bytes.as_bytes().to_vec()))
    }

    fn compare(pgn: &[u8]) {
        let plain = Plan { ops: Ops::of(&[Op::Sm]), ..Plan::default() };
        for plan in [Plan::default(), plain] {
            let as_compiled = |replay: &mut Replay<'_>, sink: &mut TextSink<'_>| {
                replay.play_games(sink);
                true
            };
            let expected = written(pgn, &plan, as_compiled).unwrap();
            assert!(expected.0.games > 0 && !expected.1.is_empty());
            // An old processor has one way only.
            let other = written(pgn, &plan, |replay, sink| play_games(replay, sink));
            assert!(other.is_none_or(|other| other == expected));
        }
    }

    /// Short enough for Miri.
    #[test]
    fn both_ways_of_compiling_it_write_the_same_of_a_short_game() {
        compare(b"1. e4 {good} e5 2. Nf3 Nc6 3. Bb5 a6 *");
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long")]
    fn both_ways_of_compiling_it_write_the_same() {
        for style in Style::ALL {
            compare(&Generator::text(style, 11, 300_000));
        }
    }
}

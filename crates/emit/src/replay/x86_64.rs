//! The same code, compiled once more for processors of today (x86-64-v3: AVX2, BMI and their like).
//!
//! Worth 4 to 6 % of the time on 8moves_v3 and TWIC (`--ops fmvn,hmvc`), 2 to 3 % where most moves have comments. What is called
//! and not inlined stays as it is, so the loop and all that is on its way is `inline(always)`.
#![allow(unsafe_code)]

use pgn::Worked;

use super::{Counts, Replay};
use crate::Sink;

/// Plays all games, in the way that is best for the processor. The replay is moved, so that it is a local variable of the loop: by
/// reference it would be in memory, and most of what is gained lost.
pub(super) fn run(replay: Replay<'_>, sink: &mut impl Sink) -> (Counts, Worked) {
    let has_v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt");
    if has_v3 {
        // SAFETY: the processor has everything that the function is compiled for, as was just asked.
        unsafe { run_with_v3(replay, sink) }
    } else {
        replay.run_as_compiled(sink)
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
fn run_with_v3(replay: Replay<'_>, sink: &mut impl Sink) -> (Counts, Worked) {
    replay.run_as_compiled(sink)
}

#[cfg(test)]
mod tests {
    use testkit::generate::{Generator, Style};

    use super::*;
    use crate::{Op, Ops, Plan, Text};

    fn compare(pgn: &[u8]) {
        let plain = Plan { ops: Ops::of(&[Op::Sm]), ..Plan::default() };
        for plan in [Plan::default(), plain] {
            let (mut expected, mut text) = (Text::default(), Text::default());
            let replay = || Replay::new(pgn::Chunk::whole(pgn), &plan);
            let (expected_counts, _) = replay().run_as_compiled(&mut expected.sink(&plan));
            let (counts, _) = run(replay(), &mut text.sink(&plan));
            assert!(counts.games > 0 && !text.bytes.is_empty());
            assert_eq!(counts, expected_counts);
            assert!(text.bytes.as_bytes() == expected.bytes.as_bytes());
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

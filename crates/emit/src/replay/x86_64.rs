//! The replay compiled a second time for current processors (x86-64-v3: AVX2, BMI and others).
//!
//! Saves 4 to 6 % of the time on 8moves_v3 and TWIC (`--ops fmvn,hmvc`), and 2 to 3 % where most
//! moves have comments. Functions that are not inlined keep their baseline code, so the loop and
//! its hot path are `inline(always)`.
#![allow(unsafe_code)]

use pgn::ChunkEnd;

use super::{Counts, Replay};
use crate::sink::Sink;

/// Takes the replay by value, as a local variable: a reference would lose most of the gain.
pub(super) fn run(replay: Replay<'_>, sink: &mut (impl Sink + ?Sized)) -> (Counts, ChunkEnd) {
    let has_v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt");
    if has_v3 {
        // SAFETY: `has_v3` checks all features that the function is compiled for.
        unsafe { run_with_v3(replay, sink) }
    } else {
        replay.run_as_compiled(sink)
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
fn run_with_v3(replay: Replay<'_>, sink: &mut (impl Sink + ?Sized)) -> (Counts, ChunkEnd) {
    replay.run_as_compiled(sink)
}

#[cfg(test)]
mod tests {
    use testkit::generate::{Generator, Style};

    use super::*;
    use crate::records::Text;
    use crate::records::op::{Op, Ops};
    use crate::records::plan::Plan;

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

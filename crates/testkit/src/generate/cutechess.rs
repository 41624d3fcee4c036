//! Games in the style of cutechess-cli: an evaluation, a depth and a time after each move.

use super::pool::Part;
use super::wrap::Wrapped;
use super::{append_hundredths, append_number, tags};
use crate::rng::Rng;

const ENGINES: [&str; 3] = ["New-0a1b2c3", "Base-d4e5f60", "Alpha 17.1"];

/// Number of plies from the opening book, which have no evaluation.
const BOOK_PLIES: usize = 8;

pub(super) fn append(part: &Part<'_>, rng: &mut Rng, out: &mut Vec<u8>) {
    tags::append_tag(out, "Event", "My Tournament");
    tags::append_tag(out, "Site", "?");
    tags::append_tag(out, "Date", "2025.05.24");
    tags::append_tag_with(out, "Round", |out| append_number(rng.between(1, 5000), out));
    tags::append_tag(out, "White", rng.pick(&ENGINES));
    tags::append_tag(out, "Black", rng.pick(&ENGINES));
    tags::append_result(part.result, out);
    tags::append_number_tag(out, "PlyCount", part.plies as u32);
    tags::append_tag(out, "TimeControl", "10+0.1");
    out.push(b'\n');
    let mut movetext = Wrapped::new(out);
    let (mut eval, mut comment) = (20, Vec::new());
    for ply in 0..part.plies {
        if ply % 2 == 0 {
            movetext.number(ply as u32 / 2 + 1, b".");
        }
        movetext.word(part.san(ply));
        if ply < BOOK_PLIES {
            movetext.word(b"{book}");
            continue;
        }
        // From the view of the side that has moved.
        eval = rng.between(0, 60) as i32 - 30 - eval;
        comment.clear();
        append_evaluation(eval, rng, &mut comment);
        movetext.words(&comment);
    }
    movetext.word(part.result.text().as_bytes());
    movetext.end_line();
}

/// Appends a comment such as `{+0.25/12 0.300s}`.
fn append_evaluation(eval: i32, rng: &mut Rng, out: &mut Vec<u8>) {
    out.extend_from_slice(if eval < 0 { b"{" } else { b"{+" });
    if rng.one_in(60) {
        out.extend_from_slice(if eval < 0 { b"-M" } else { b"M" });
        // Plies: odd for the side that mates.
        append_number(2 * rng.between(1, 20) + u32::from(eval >= 0), out);
    } else {
        append_hundredths(eval, out);
    }
    out.push(b'/');
    append_number(rng.between(8, 24), out);
    out.push(b' ');
    append_number(rng.below(2), out);
    out.push(b'.');
    let milliseconds = rng.below(1000);
    out.extend([100, 10, 1].map(|unit| b'0' + (milliseconds / unit % 10) as u8));
    out.extend_from_slice(b"s}");
}

//! Games with moves only.

use super::pool::Part;
use super::tags;
use super::wrap::Wrapped;
use crate::rng::Rng;

pub(super) fn append(part: &Part<'_>, rng: &mut Rng, out: &mut Vec<u8>) {
    tags::append_roster(part, rng, out);
    tags::append_ratings_and_eco(rng, out);
    tags::append_start(part, out);
    out.push(b'\n');
    let mut movetext = Wrapped::new(out);
    for ply in 0..part.plies {
        if ply % 2 == 0 {
            movetext.number(ply as u32 / 2 + 1, b".");
        }
        movetext.word(part.san(ply));
    }
    movetext.word(part.result.text().as_bytes());
    movetext.end_line();
}

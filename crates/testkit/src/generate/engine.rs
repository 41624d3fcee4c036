//! Games in the style of the TCEC archive, with far more engine output than moves.

use super::pool::Part;
use super::{append_hundredths, append_number, tags};
use crate::rng::Rng;

const ENGINES: [&str; 5] =
    ["Alpha 20240508", "Bravo 0.30-dev+_783162", "Charlie 16.1", "Delta NNUE 4", "Echo_x64-avx2"];

/// Number of plies from the opening book, which have no engine output.
const BOOK_PLIES: usize = 8;

const OPTIONS: &str = "{WhiteEngineOptions: Protocol=uci; Threads=104; Hash=65536; OwnBook=false; Ponder=false;, \
    BlackEngineOptions: Protocol=uci; MoveOverheadMs=1000; BackendOptions=backend=cuda-fp16,(gpu=0),(gpu=1); \
    CPuct=1.5842704172439972; CommandLineOptions=--show-hidden;}\n";

pub(super) fn append(part: &Part<'_>, rng: &mut Rng, out: &mut Vec<u8>) {
    append_tags(part, rng, out);
    out.push(b'\n');
    out.extend_from_slice(OPTIONS.as_bytes());
    let mut eval = 30;
    let mut time_left = 1_800_000;
    for ply in 0..part.plies {
        if ply % 2 == 0 {
            append_number(ply as u32 / 2 + 1, out);
            out.extend_from_slice(b". ");
        }
        out.extend_from_slice(part.san(ply));
        if ply < BOOK_PLIES {
            out.extend_from_slice(b" {book, mb=+0+0+0+0+0,}\n");
            continue;
        }
        eval += rng.between(0, 40) as i32 - 20;
        append_comment(part, ply, eval, &mut time_left, rng, out);
    }
    out.extend_from_slice(part.result.text().as_bytes());
    out.push(b'\n');
}

fn append_tags(part: &Part<'_>, rng: &mut Rng, out: &mut Vec<u8>) {
    tags::append_tag(out, "Event", "Engine Cup 10 Final");
    tags::append_tag(out, "Site", "https://example.org/engines");
    tags::append_tag(out, "Date", "2024.05.24");
    tags::append_tag_with(out, "Round", |out| {
        append_number(rng.between(1, 50), out);
        out.extend_from_slice(b".1");
    });
    tags::append_tag(out, "White", rng.pick(&ENGINES));
    tags::append_tag(out, "Black", rng.pick(&ENGINES));
    tags::append_result(part.result, out);
    tags::append_ratings_and_eco(rng, out);
    tags::append_number_tag(out, "PlyCount", part.plies as u32);
    tags::append_tag(out, "Termination", "adjudication");
    tags::append_tag(out, "TimeControl", "1800+3");
}

fn append_comment(
    part: &Part<'_>,
    ply: usize,
    eval: i32,
    time_left: &mut u32,
    rng: &mut Rng,
    out: &mut Vec<u8>,
) {
    let mut key = |name: &str, value: u32| {
        out.extend_from_slice(name.as_bytes());
        append_number(value, out);
    };
    let depth = rng.between(18, 45);
    let time = rng.between(500, 60_000);
    *time_left = time_left.saturating_sub(time / 20).max(1000);
    let speed = rng.between(80_000, 90_000_000);
    key(" {d=", depth);
    key(", sd=", depth + rng.below(40));
    key(", mt=", time);
    key(", tl=", *time_left);
    key(", s=", speed);
    key(", n=", speed / 1000 * (time / 60));
    // The principal variation consists of later moves of the game, so it is legal.
    out.extend_from_slice(b", pv=");
    out.extend_from_slice(part.line(ply, rng.between(24, 110) as usize));
    out.extend_from_slice(b", tb=null, h=");
    append_hundredths(rng.below(10_000) as i32, out);
    out.extend_from_slice(b", ph=0.0, wv=");
    if rng.one_in(50) {
        out.extend_from_slice(if eval < 0 { b"-M" } else { b"M" });
        append_number(rng.between(2, 40), out);
    } else {
        append_hundredths(eval, out);
    }
    out.extend_from_slice(b", R50=");
    append_number(rng.between(0, 50), out);
    out.extend_from_slice(b", Rd=-11, Rr=-1000, mb=+0+0+0+0+0,}\n");
}

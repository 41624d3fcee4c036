//! Games in the style of the Lichess database.

use super::pool::{Part, Result};
use super::{append_hundredths, append_number, append_two_digits, tags};
use crate::rng::Rng;

/// Start time and increment in seconds.
const TIME_CONTROLS: [(u32, u32); 5] = [(60, 0), (180, 0), (180, 2), (300, 3), (600, 5)];
const OPENINGS: [&str; 5] = [
    "Three Knights Opening",
    "Sicilian Defense: Najdorf Variation, English Attack",
    "Queen's Pawn Game",
    "Van't Kruijs Opening",
    "Grünfeld Defense: Exchange Variation",
];
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

pub(super) fn append(part: &Part<'_>, rng: &mut Rng, out: &mut Vec<u8>) {
    let (seconds, increment) = rng.pick(&TIME_CONTROLS);
    append_tags(part, (seconds, increment), rng, out);
    out.push(b'\n');

    // About a third of the games in the database have been analysed.
    let analysed = rng.one_in(3);
    let mut clocks = [seconds; 2];
    let mut eval = 20;
    for ply in 0..part.plies {
        let number = ply as u32 / 2 + 1;
        append_number(number, out);
        out.extend_from_slice(if ply % 2 == 0 { b". " } else { b"... " });
        let san = part.san(ply);
        out.extend_from_slice(san);
        if analysed && rng.one_in(10) {
            out.extend_from_slice(rng.pick(&["?!", "?", "??"]).as_bytes());
        }
        out.extend_from_slice(b" { ");
        if analysed && !san.ends_with(b"#") {
            eval += rng.between(0, 80) as i32 - 40;
            append_eval(eval, rng, out);
        }
        let clock = &mut clocks[ply % 2];
        append_clock(*clock, out);
        out.extend_from_slice(b" } ");
        *clock = clock.saturating_sub(rng.between(0, seconds / 20)) + increment;
    }
    out.extend_from_slice(part.result.text().as_bytes());
    out.push(b'\n');
}

fn append_tags(part: &Part<'_>, time: (u32, u32), rng: &mut Rng, out: &mut Vec<u8>) {
    tags::append_tag(out, "Event", "Rated Blitz game");
    tags::append_tag_with(out, "Site", |out| {
        out.extend_from_slice(b"https://lichess.org/");
        out.extend((0..8).map(|_| rng.pick(LETTERS)));
    });
    let day = rng.between(1, 28);
    for name in ["Date", "UTCDate"] {
        tags::append_tag_with(out, name, |out| {
            out.extend_from_slice(b"2025.05.");
            append_two_digits(day, out);
        });
    }
    tags::append_tag(out, "Round", "-");
    for name in ["White", "Black"] {
        tags::append_tag_with(out, name, |out| {
            let length = rng.between(3, 14);
            out.extend((0..length).map(|_| rng.pick(LETTERS)));
        });
    }
    tags::append_result(part.result, out);
    tags::append_tag_with(out, "UTCTime", |out| {
        append_two_digits(rng.below(24), out);
        for _ in 0..2 {
            out.push(b':');
            append_two_digits(rng.below(60), out);
        }
    });
    tags::append_number_tag(out, "WhiteElo", rng.between(600, 3000));
    tags::append_number_tag(out, "BlackElo", rng.between(600, 3000));
    for name in ["WhiteRatingDiff", "BlackRatingDiff"] {
        tags::append_tag_with(out, name, |out| {
            out.push(rng.pick(b"+-"));
            append_number(rng.below(12), out);
        });
    }
    tags::append_eco(rng, out);
    tags::append_tag(out, "Opening", rng.pick(&OPENINGS));
    tags::append_tag_with(out, "TimeControl", |out| {
        append_number(time.0, out);
        out.push(b'+');
        append_number(time.1, out);
    });
    let termination = if part.result == Result::Unknown { "Unterminated" } else { "Normal" };
    tags::append_tag(out, "Termination", termination);
}

fn append_eval(hundredths: i32, rng: &mut Rng, out: &mut Vec<u8>) {
    out.extend_from_slice(b"[%eval ");
    if rng.one_in(40) {
        out.extend_from_slice(if hundredths < 0 { b"#-" } else { b"#" });
        append_number(rng.between(1, 12), out);
    } else {
        append_hundredths(hundredths, out);
    }
    out.extend_from_slice(b"] ");
}

fn append_clock(seconds: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(b"[%clk ");
    append_number(seconds / 3600, out);
    out.push(b':');
    append_two_digits(seconds / 60 % 60, out);
    out.push(b':');
    append_two_digits(seconds % 60, out);
    out.push(b']');
}

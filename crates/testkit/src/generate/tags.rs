//! Tag sections.

use super::pool::{Part, Result};
use super::{append_number, append_two_digits};
use crate::rng::Rng;

/// Surnames as found in files: with commas, apostrophes, particles and letters outside ASCII.
pub(super) const PLAYERS: [&str; 12] = [
    "Anderson, Ruth",
    "O'Neill, Sean",
    "van der Berg, Jan",
    "Müller, Jörg",
    "Łukasik, Zofia",
    "García Peña, Inés",
    "Ng, W",
    "Đorđević, Ana",
    "Иванов, Пётр",
    "Smith, John Jr.",
    "?",
    "Þórsson, Ólafur",
];
const EVENTS: [&str; 6] = [
    "Club Championship",
    "Rapid Open 2019",
    "12. Stadtmeisterschaft",
    "Casual game",
    "?",
    "1-0 Cup",
];
const SITES: [&str; 5] =
    ["Reykjavík ISL", "Leeds ENG", "Graz AUT", "?", "https://example.org/x7Yz"];

/// Appends a tag pair. The value must not contain unescaped quotes or backslashes.
pub(super) fn append_tag(out: &mut Vec<u8>, name: &str, value: &str) {
    append_tag_with(out, name, |out| out.extend_from_slice(value.as_bytes()));
}

/// Appends a tag pair whose value is a number.
pub(super) fn append_number_tag(out: &mut Vec<u8>, name: &str, value: u32) {
    append_tag_with(out, name, |out| append_number(value, out));
}

/// Appends a tag pair whose value `write` appends.
pub(super) fn append_tag_with(out: &mut Vec<u8>, name: &str, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    write(out);
    out.extend_from_slice(b"\"]\n");
}

/// Appends the seven tag roster.
pub(super) fn append_roster(part: &Part<'_>, rng: &mut Rng, out: &mut Vec<u8>) {
    append_tag(out, "Event", rng.pick(&EVENTS));
    append_tag(out, "Site", rng.pick(&SITES));
    append_date(rng, out);
    append_tag_with(out, "Round", |out| {
        append_number(rng.between(1, 11), out);
        if rng.one_in(2) {
            out.push(b'.');
            append_number(rng.between(1, 40), out);
        }
    });
    append_tag(out, "White", rng.pick(&PLAYERS));
    append_tag(out, "Black", rng.pick(&PLAYERS));
    append_result(part.result, out);
}

/// Appends the date, parts of which may be unknown.
fn append_date(rng: &mut Rng, out: &mut Vec<u8>) {
    append_tag_with(out, "Date", |out| {
        append_number(rng.between(1850, 2025), out);
        match rng.below(8) {
            0 => out.extend_from_slice(b".??.??"),
            _ => {
                out.push(b'.');
                append_two_digits(rng.between(1, 12), out);
                out.push(b'.');
                append_two_digits(rng.between(1, 28), out);
            }
        }
    });
}

pub(super) fn append_result(result: Result, out: &mut Vec<u8>) {
    append_tag(out, "Result", result.text());
}

/// Appends the ratings and a random ECO code; the moves are random, so no code would be correct.
pub(super) fn append_ratings_and_eco(rng: &mut Rng, out: &mut Vec<u8>) {
    append_number_tag(out, "WhiteElo", rng.between(800, 2850));
    append_number_tag(out, "BlackElo", rng.between(800, 2850));
    append_eco(rng, out);
}

pub(super) fn append_eco(rng: &mut Rng, out: &mut Vec<u8>) {
    append_tag_with(out, "ECO", |out| {
        out.push(rng.pick(b"ABCDE"));
        append_two_digits(rng.below(100), out);
    });
}

/// Appends the tags required for a game that does not start from the standard position.
pub(super) fn append_start(part: &Part<'_>, out: &mut Vec<u8>) {
    if let Some(fen) = part.fen() {
        append_tag(out, "Variant", "Chess960");
        append_tag(out, "SetUp", "1");
        append_tag(out, "FEN", fen);
    }
}

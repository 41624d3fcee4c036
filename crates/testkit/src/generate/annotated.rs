//! Games in the style of annotated books and studies, with more comments than moves.

use super::pool::Part;
use super::tags;
use super::wrap::Wrapped;
use crate::rng::Rng;

/// Sentences of annotators, with text that is meaningless inside a comment but significant outside.
const SENTENCES: [&str; 10] = [
    "A natural developing move.",
    "White has a lasting initiative (see 12. Qxf7+ in the notes).",
    "Now 1-0 would be deserved; instead the game goes on.",
    "\"The threat is stronger than its execution\", as they say.",
    "Überraschend, aber gut: Schwarz steht fein.",
    "[%csl Ra3,Gb4][%cal Rc2c8]",
    "Better was $5 or so :-) but who knows",
    "Black could resign *here*.",
    "An old move; 50% of the games went 1/2-1/2.",
    "[a bracket that is no tag]",
];

/// A tag section inside a comment, one tag per line: a trap for readers that search for `[Event`.
const QUOTED_TAGS: &[u8] = b"{\n[Event \"Quoted\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n}";

const GLYPHS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

pub(super) fn append(part: &Part<'_>, rng: &mut Rng, out: &mut Vec<u8>) {
    tags::append_roster(part, rng, out);
    tags::append_ratings_and_eco(rng, out);
    // Quotes and backslashes are escaped in tag values; some readers end the value there.
    tags::append_tag(out, "Annotator", r#"J. \"Kibitz\" Doe \\ friends"#);
    out.push(b'\n');

    let mut text = Wrapped::new(out);
    let mut wants_number = true;
    if rng.one_in(2) {
        append_comment(rng, &mut text);
    }
    for ply in 0..part.plies {
        let number = ply as u32 / 2 + 1;
        if ply % 2 == 0 {
            text.number(number, b".");
        } else if wants_number {
            text.number(number, b"...");
        }
        wants_number = append_annotated_move(part, ply, rng, &mut text);
    }
    text.word(part.result.text().as_bytes());
    text.end_line();
}

/// Appends the move and its annotations. Returns whether the next move needs its number.
fn append_annotated_move(
    part: &Part<'_>,
    ply: usize,
    rng: &mut Rng,
    text: &mut Wrapped<'_>,
) -> bool {
    if rng.one_in(8) {
        text.word(&[part.san(ply), rng.pick(&GLYPHS).as_bytes()].concat());
    } else {
        text.word(part.san(ply));
    }
    if rng.one_in(8) {
        text.glyph(rng.between(0, 140));
    }
    let mut interrupted = false;
    if rng.one_in(6) {
        append_comment(rng, text);
        interrupted = true;
    }
    if rng.one_in(20) {
        text.line_comment(rng.pick(&SENTENCES).as_bytes());
        interrupted = true;
    }
    if rng.one_in(600) {
        text.raw_line(QUOTED_TAGS);
        interrupted = true;
    }
    if let Some(variation) = part.variation(ply)
        && !rng.one_in(3)
    {
        text.words(variation);
        interrupted = true;
    }
    interrupted
}

fn append_comment(rng: &mut Rng, text: &mut Wrapped<'_>) {
    let spaced = rng.one_in(3);
    let mut comment = Vec::new();
    comment.extend_from_slice(if spaced { b"{ " } else { b"{" });
    for sentence in 0..rng.between(1, 5) {
        if sentence > 0 {
            comment.push(b' ');
        }
        comment.extend_from_slice(rng.pick(&SENTENCES).as_bytes());
    }
    comment.extend_from_slice(if spaced { b" }" } else { b"}" });
    text.words(&comment);
}

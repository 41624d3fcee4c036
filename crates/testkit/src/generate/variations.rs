//! Generates variations.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position};

use super::{append_number, pool};
use crate::rng::Rng;

/// Maximum nesting depth of variations.
const LEVELS: u32 = 4;

const REMARKS: [&str; 6] = [
    "{with equality}",
    "{and White is (slightly) better :)}",
    "{!}",
    "{this loses at once; see the next game}",
    "{[%cal Ge2e4,Rd8d1][%csl Gd5] unclear}",
    "{}",
];
const GLYPHS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Appends a variation on `played`, the move of this ply, in parentheses. Its moves are legal and
/// separated by single spaces. Appends nothing if there is no other move.
pub(super) fn append(before: &Chess, played: Move, ply: usize, rng: &mut Rng, out: &mut Vec<u8>) {
    append_level(before, played, ply, 1, rng, out);
}

fn append_level(
    before: &Chess,
    played: Move,
    ply: usize,
    level: u32,
    rng: &mut Rng,
    out: &mut Vec<u8>,
) {
    let mut others = pool::sorted_moves(before);
    others.retain(|&m| m != played);
    if others.is_empty() {
        return;
    }
    let mut position = before.clone();
    let mut chosen = rng.pick(&others);
    let length = rng.between(1, 10) as usize;
    let mut wants_number = true;
    out.push(b'(');
    for at in ply..ply + length {
        if at > ply {
            out.push(b' ');
        }
        wants_number = append_move(&position, chosen, at, wants_number, rng, out);
        if level < LEVELS && rng.one_in(5) {
            let length = out.len();
            out.push(b' ');
            append_level(&position, chosen, at, level + 1, rng, out);
            if out.len() == length + 1 {
                out.truncate(length);
            } else {
                wants_number = true;
            }
        }
        position.play_unchecked(chosen);
        if position.is_game_over() {
            break;
        }
        chosen = pool::choose(&position, rng);
    }
    out.push(b')');
}

/// Appends a move with its number and annotations. Returns whether the next move needs its number.
fn append_move(
    position: &Chess,
    m: Move,
    ply: usize,
    wants_number: bool,
    rng: &mut Rng,
    out: &mut Vec<u8>,
) -> bool {
    let white = position.turn() == Color::White;
    if white || wants_number {
        append_number(ply as u32 / 2 + 1, out);
        out.extend_from_slice(if white { b". " } else { b"... " });
    }
    SanPlus::from_move(position.clone(), m).append_ascii_to(out);
    if rng.one_in(8) {
        out.extend_from_slice(rng.pick(&GLYPHS).as_bytes());
    }
    if rng.one_in(8) {
        out.extend_from_slice(b" $");
        append_number(rng.between(0, 140), out);
    }
    let remarked = rng.one_in(8);
    if remarked {
        out.push(b' ');
        out.extend_from_slice(rng.pick(&REMARKS).as_bytes());
    }
    remarked
}

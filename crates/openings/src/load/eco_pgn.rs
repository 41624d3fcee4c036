//! PGN files of openings: one line per game, with its name in the tags.

use pgn::{Chunk, Place, Scanner, TagPair, Token, known_value, text_of};
use san::{Color, Position, PositionKey};

use crate::error::{LoadError, LoadReason};
use crate::known_lines::{KnownLines, START};
use crate::name::Name;
use crate::table::{EnPassant, Openings};

pub(super) fn read(file: &[u8], openings: &mut Openings) -> Result<(), LoadError> {
    let chunk = Chunk::whole(file);
    let mut scanner = Scanner::of_chunk(chunk);
    let error_at = |at: usize, reason| {
        let Place { line, column, .. } = chunk.place(at);
        LoadError { line, column, reason }
    };
    while scanner.next_game() {
        let start = scanner.game_start();
        let name = name_of(scanner.tags());
        let known = openings.known_lines();
        let position = last_position(&mut scanner, known).map_err(|(at, why)| error_at(at, why))?;
        if let Some(fault) = scanner.diagnostics().find(|fault| fault.kind.loses_text()) {
            return Err(error_at(fault.span.start, LoadReason::Text(fault.kind)));
        }
        if name == Name::default() {
            return Err(error_at(start, LoadReason::NoName));
        }
        openings.insert(&position, Some(plies_before(&position)), EnPassant::WhereLegal, name);
    }
    match scanner.diagnostics().find(|fault| fault.kind.loses_text()) {
        Some(fault) => Err(error_at(fault.span.start, LoadReason::Text(fault.kind))),
        None => Ok(()),
    }
}

/// Returns the number of plies before this position, according to its move number.
pub(super) fn plies_before(position: &Position) -> u32 {
    let moves = position.fullmoves().saturating_sub(1);
    moves.saturating_mul(2).saturating_add(u32::from(position.turn() == Color::Black))
}

fn name_of(tags: &[TagPair<'_>]) -> Name {
    let tag = |name: &[u8]| known_value(tags, name);
    let mut opening = tag(b"Opening").unwrap_or_default().into_owned();
    for (name, separator) in [(&b"Variation"[..], ": "), (b"SubVariation", ", ")] {
        if let Some(part) = tag(name) {
            opening += if opening.is_empty() { "" } else { separator };
            opening += &part;
        }
    }
    Name::new(tag(b"ECO").as_deref(), tag(b"NIC").as_deref(), &opening)
}

/// Adds its moves to `known` if it begins at the start; an error has the offset of its text.
fn last_position(
    scanner: &mut Scanner<'_>,
    known: &mut KnownLines,
) -> Result<Position, (usize, LoadReason)> {
    let fen = scanner.tags().iter().find(|tag| tag.name() == b"FEN").map(TagPair::value);
    let mut position = match &fen {
        Some(fen) => Position::from_fen(fen)
            .map_err(|error| (scanner.game_start(), LoadReason::Position(error)))?,
        None => Position::default(),
    };
    let mut node = (position == Position::default()).then_some(START);
    while let Some(token) = scanner.next_token() {
        if scanner.depth() > 0 {
            continue;
        }
        let at = scanner.token_span().start;
        match token {
            Token::Move(text) => {
                let next = san::resolve(&position, text).map_err(|error| {
                    (at, LoadReason::Move { token: text_of(text).into_owned(), error })
                })?;
                position.play_unchecked(next);
                node = node.map(|node| known.go_on(node, next, || PositionKey::of(&position)));
            }
            Token::Unknown(text) => {
                return Err((at, LoadReason::Token(text_of(text).into_owned())));
            }
            _ => {}
        }
    }
    Ok(position)
}

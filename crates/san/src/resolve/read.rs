//! Parses the text of a move in all notations. Legality is not checked here.

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, File, Rank, Role, Square};

use crate::error::SanError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelled {
    Castle(CastlingSide),
    Piece(PieceMove),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceMove {
    /// The piece; `None` if only squares are given, as in UCI.
    pub(super) role: Option<Role>,
    pub(super) file: Option<File>,
    pub(super) rank: Option<Rank>,
    pub(super) to: Square,
    /// The promotion piece; any piece that has a letter.
    pub(super) promotion: Option<Role>,
}

/// Longest notation of a move without suffixes: `Ng1-f3`, `e7xd8=Q`, `O-O-O`.
type Plain = ArrayVec<u8, 10>;

/// Signs after a move that do not affect its meaning.
const SUFFIXES: &[&str] = &[
    "!", "?", "+", "#", "=", "-", "/", "~", "†", "‡", "‼", "⁇", "⁉", "⁈", "∞", "±", "∓", "⩲", "⩱",
    "□", "⨀", "○", "↑", "→", "⇆", "⊕", "∆", "⌓", "dbl", "dis", "disc", "ch", "mate", "e.p", "ep",
    "–", "—", "−", ".", ",",
];

pub(super) fn read(token: &[u8]) -> Result<Spelled, SanError> {
    if matches!(token, b"Z0" | b"0000" | b"@@@@" | b"null" | b"pass" | b"<>") || is_dashes(token) {
        return Err(SanError::NullMove);
    }
    let bare = without_suffixes(token);
    let text = plain(bare).ok_or(SanError::NotAMove)?;
    if text.contains(&b'@') {
        return Err(SanError::Drop);
    }
    match castling(&text) {
        // `O-O-` is a damaged `O-O-O`.
        Some(CastlingSide::KingSide) if dash(&token[bare.len()..]) > 0 => Err(SanError::NotAMove),
        Some(side) => Ok(Spelled::Castle(side)),
        None => piece_move(&text).map(Spelled::Piece).ok_or(SanError::NotAMove),
    }
}

pub(super) fn without_suffixes(mut token: &[u8]) -> &[u8] {
    let suffix = |token: &[u8]| {
        SUFFIXES
            .iter()
            .filter_map(|suffix| token.strip_suffix(suffix.as_bytes()))
            .next()
            .map(<[u8]>::len)
    };
    while let Some(len) = suffix(token) {
        token = &token[..len];
    }
    token
}

/// Unifies dashes, captures, figurines; drops soft hyphens, blanks at dashes, a sign at `=Q`.
fn plain(mut text: &[u8]) -> Option<Plain> {
    let mut plain = Plain::new();
    while let [byte, rest @ ..] = text {
        let (sign, len) = match (*byte, figurine(text)) {
            (_, Some((role, len))) => (role.upper_char() as u8, len),
            (b'+' | b'#' | b'=', _) if matches!(rest, [b'=' | b'(', ..]) => {
                text = rest;
                continue;
            }
            // `O - O`
            (b' ', _) if dash(rest) > 0 || plain.last() == Some(&b'-') => {
                text = rest;
                continue;
            }
            (0xc2, _) if rest.first() == Some(&0xad) => {
                text = &rest[1..];
                continue;
            }
            // In ISO 8859-1.
            (0xad, _) => {
                text = rest;
                continue;
            }
            (0x80.., _) if dash(text) > 0 => (b'-', dash(text)),
            (0xc3, _) if rest.first() == Some(&0x97) => (b'x', 2),
            (b':', _) => (b'x', 1),
            // Multiplication sign in ISO 8859-1.
            (0xd7, _) => (b'x', 1),
            (0x80.., _) => return None,
            (byte, _) => (byte, 1),
        };
        plain.try_push(sign).ok()?;
        text = &text[len..];
    }
    Some(plain)
}

/// The length of `-`, U+2010 to U+2015, minus or a dash of Windows-1252 at the start, or 0.
fn dash(text: &[u8]) -> usize {
    match text {
        [b'-', ..] | [0x96 | 0x97, ..] => 1,
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => 3,
        _ => 0,
    }
}

fn is_dashes(mut token: &[u8]) -> bool {
    let is_empty = token.is_empty();
    while dash(token) > 0 {
        token = &token[dash(token)..];
    }
    token.is_empty() && !is_empty
}

fn castling(text: &[u8]) -> Option<CastlingSide> {
    let is_sign = |byte: &u8| matches!(byte, b'O' | b'o' | b'0');
    let signs = text.iter().filter(|byte| is_sign(byte)).count();
    let with_dashes = text.len() == 2 * signs - signs.min(1)
        && text.iter().enumerate().all(|(i, b)| if i % 2 == 0 { is_sign(b) } else { *b == b'-' });
    match signs {
        2 if with_dashes || text.len() == 2 => Some(CastlingSide::KingSide),
        3 if with_dashes || text.len() == 3 => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// `[piece] [file] [rank] [x or -] file rank [promotion]`
fn piece_move(text: &[u8]) -> Option<PieceMove> {
    let (text, promotion) = promotion(text);
    // A capture sign at the very end: `Nf3x`.
    let text = text.strip_suffix(b"x").unwrap_or(text);
    let (role, text) = match text {
        [b'P', rest @ ..] => (Some(Role::Pawn), rest),
        [b'N', rest @ ..] => (Some(Role::Knight), rest),
        [b'B', rest @ ..] => (Some(Role::Bishop), rest),
        [b'R', rest @ ..] => (Some(Role::Rook), rest),
        [b'Q', rest @ ..] => (Some(Role::Queen), rest),
        [b'K', rest @ ..] => (Some(Role::King), rest),
        _ => (None, text),
    };
    let [hints @ .., file, rank] = text else { return None };
    let to = Square::from_coords(file_of(*file)?, rank_of(*rank)?);
    let (hints, marked) = match hints {
        [hints @ .., b'x' | b'-'] => (hints, true),
        _ => (hints, false),
    };
    let (file, rank) = match hints {
        [] => (None, None),
        [file, rank] => (Some(file_of(*file)?), Some(rank_of(*rank)?)),
        [hint] => match (file_of(*hint), rank_of(*hint)) {
            (None, None) => return None,
            // A pawn is identified by its file only.
            (None, Some(_)) if role.is_none() => return None,
            (file, rank) => (file, rank),
        },
        _ => return None,
    };
    // `xe4` does not identify the pawn.
    if marked && role.is_none() && file.is_none() {
        return None;
    }
    // Two squares and no letter: UCI, or long algebraic notation for pawns.
    let role = match (role, file, rank) {
        (None, Some(_), Some(_)) => None,
        (None, ..) => Some(Role::Pawn),
        (role, ..) => role,
    };
    Some(PieceMove { role, file, rank, to, promotion })
}

/// Splits off `=Q`, `Q`, `(Q)`, `(=Q)`, `/q`; any piece, so `e8=K` fails for the right reason.
fn promotion(text: &[u8]) -> (&[u8], Option<Role>) {
    let role = |letter: u8| Role::from_char(char::from(letter));
    let found = match text {
        [rest @ .., b'(', b'=', piece, b')'] | [rest @ .., b'(', piece, b')'] => {
            (rest, role(*piece))
        }
        [rest @ .., b'=' | b'/', piece] => (rest, role(*piece)),
        [rest @ .., b'1' | b'8', piece] => (&text[..rest.len() + 1], role(*piece)),
        _ => (text, None),
    };
    if found.1.is_some() { found } else { (text, None) }
}

fn file_of(byte: u8) -> Option<File> {
    if byte.is_ascii_uppercase() { None } else { File::from_char(char::from(byte)) }
}

fn rank_of(byte: u8) -> Option<Rank> {
    Rank::from_char(char::from(byte))
}

/// A figurine at the beginning, and its length in bytes with the selector of text or emoji.
pub(super) fn figurine(text: &[u8]) -> Option<(Role, usize)> {
    // U+2654 to U+265F: king, queen, rook, bishop, knight, pawn; white, then black.
    let [0xe2, 0x99, last @ 0x94..=0x9f, ..] = *text else { return None };
    let role = match (last - 0x94) % 6 {
        0 => Role::King,
        1 => Role::Queen,
        2 => Role::Rook,
        3 => Role::Bishop,
        4 => Role::Knight,
        _ => Role::Pawn,
    };
    let is_selected = matches!(text[3..], [0xef, 0xb8, 0x8e | 0x8f, ..]);
    Some((role, if is_selected { 6 } else { 3 }))
}

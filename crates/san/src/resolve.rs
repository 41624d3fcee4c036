//! Resolves the text of a move, backward from its target square: of the squares from which such a
//! piece can reach it, those that the token excludes are removed and the others, nearly always one
//! are tested for king safety. Legal moves are never enumerated.
//!
//! Tokens in the form of the PGN standard (8.2.3) are read by the fast path, [`resolve_plain`]; all
//! others by `relaxed`, which accepts any notation or finds why the move cannot be played.

mod in_variant;
mod read;
mod relaxed;

pub(crate) use in_variant::in_variant;

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use crate::error::SanError;
use crate::position::{Move, Position};

/// Returns the move that a token denotes.
///
/// Accepts, in addition to SAN: `0-0`, `o-o`, `O–O`, `OO`; `e8Q`, `e8(Q)`, `e8/Q`, `e8=q`; a
/// missing or superfluous `x`, `:` or `×`; missing or wrong check and mate marks, or `++`, `ch`,
/// `mate`, `†`, `‡`; `e.p.`; `!?` and the signs of Informator after a move; unnecessary
/// disambiguation; long algebraic notation (`Ng1-f3`, `e2-e4`) and UCI (`g1f3`, `e7e8q`, castling
/// as `e1g1` or `e1h1`); a leading `P`; figurines. Ambiguous text is rejected. Fails if the token
/// is not a move, or the move is not legal: the [`SanError`] gives the reason, with squares.
///
/// ```
/// use san::{Position, resolve};
///
/// let position = Position::from_fen("4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1").unwrap();
/// let error = resolve(&position, b"Nd5").unwrap_err();
/// assert_eq!(error.to_string(), "the knight on c3 is pinned to the king on e1 by the bishop on b4");
/// ```
// Not inlined: a second copy of the fast path would displace the hot one in the caller's loop.
#[inline(never)]
pub fn resolve(position: &Position, token: &[u8]) -> Result<Move, SanError> {
    match resolve_plain(position, token) {
        Some(next) => Ok(next),
        None => relaxed::resolve(position, token),
    }
}

/// Returns the move that a token in plain SAN denotes (PGN standard 8.2.3); `None` if it uses
/// another notation or cannot be played. [`resolve`] accepts more and gives reasons.
///
/// Plain SAN consists of letters, digits and `x`, `=`, `-`, `+`, `#`; they may be superfluous. No
/// move needs more than seven characters.
///
/// ```
/// let position = san::Position::default();
/// assert!(san::resolve_plain(&position, b"Ng1f3").is_some());
/// assert!(san::resolve_plain(&position, b"e2-e4").is_none());
/// assert!(san::resolve_plain(&position, b"Nf3!").is_none());
/// ```
#[inline(always)]
pub fn resolve_plain(position: &Position, token: &[u8]) -> Option<Move> {
    let mut bytes = [0; 8];
    bytes.get_mut(..token.len())?.copy_from_slice(token);
    resolve_plain_word(position, bytes, token.len())
}

/// Like [`resolve_plain`], for a token of 1 to 8 bytes at the beginning of `bytes`: a register.
///
/// ```
/// let position = san::Position::default();
/// assert!(san::resolve_plain_word(&position, *b"Nf3 Nf6 ", 3).is_some());
/// ```
#[inline(always)]
pub fn resolve_plain_word(position: &Position, bytes: [u8; 8], len: usize) -> Option<Move> {
    // The last byte of the move is the highest one; those after the word are removed.
    let mut word = u64::from_le_bytes(bytes) << ((64 - 8 * len as u32) & 63);
    let mut len = len;
    if matches!((word >> 56) as u8, b'+' | b'#') {
        word <<= 8;
        len -= 1;
    }
    if len == 2 {
        return advance(position, square(word)?);
    }
    if len < 2 {
        return None;
    }
    let first = bytes[0];
    let Some(role) = PIECES[usize::from(first)] else {
        let move_text = bytes.get(..len)?;
        return match first {
            b'a'..=b'h' => pawn_capture_or_promotion(position, move_text),
            b'O' => castle(position, move_text),
            _ => None,
        };
    };
    let to = square(word)?;
    let mut from = Bitboard::FULL;
    if len > 3 {
        from = hints(bytes.get(1..len - 2)?)?;
    }
    piece(position, role, from, to)
}

#[inline]
fn hints(hints: &[u8]) -> Option<Bitboard> {
    let hints = match hints {
        [rest @ .., b'x'] => rest,
        _ => hints,
    };
    hints.iter().try_fold(Bitboard::FULL, |from, hint| Some(from & hint_mask(*hint)?))
}

/// The piece of each SAN letter; a table lookup avoids a branch.
static PIECES: [Option<Role>; 256] = {
    let mut table = [None; 256];
    table[b'N' as usize] = Some(Role::Knight);
    table[b'B' as usize] = Some(Role::Bishop);
    table[b'R' as usize] = Some(Role::Rook);
    table[b'Q' as usize] = Some(Role::Queen);
    table[b'K' as usize] = Some(Role::King);
    table
};

/// Returns the square that the two highest bytes of a word name.
#[inline(always)]
fn square(word: u64) -> Option<Square> {
    let coordinates = ((word >> 48) as u16).wrapping_sub(u16::from_le_bytes(*b"a1"));
    if coordinates & !0x0707 != 0 {
        return None;
    }
    Square::try_from((coordinates | coordinates >> 5) as u8 & 0x3f).ok()
}

#[inline]
fn square_of(file: u8, rank: u8) -> Option<Square> {
    square(u64::from(u16::from_le_bytes([file, rank])) << 48)
}

#[inline(always)]
fn hint_mask(hint: u8) -> Option<Bitboard> {
    match hint {
        b'a'..=b'h' => Some(Bitboard(0x0101_0101_0101_0101 << (hint - b'a'))),
        b'1'..=b'8' => Some(Bitboard(0xff << (8 * (hint - b'1')))),
        _ => None,
    }
}

/// Returns the only legal move of such a piece from one of these squares.
#[inline(always)]
fn piece(position: &Position, role: Role, from: Bitboard, to: Square) -> Option<Move> {
    let candidates = candidates(position, role, from, to);
    let first = candidates.first()?;
    let from = if candidates.without_first().is_empty() && position.is_safe(first, to) {
        first
    } else {
        only_legal(position, candidates, to)?
    };
    Some(position.step(role, from, to))
}

/// Returns the squares from which a piece can go to `to`, ignoring the safety of its king.
#[inline(always)]
fn candidates(position: &Position, role: Role, from: Bitboard, to: Square) -> Bitboard {
    if position.us().contains(to) {
        return Bitboard::EMPTY;
    }
    position.movers(role, to, from)
}

#[cold]
fn only_legal(position: &Position, candidates: Bitboard, to: Square) -> Option<Square> {
    let mut legal = candidates.into_iter().filter(|from| position.is_safe(*from, to));
    legal.next().filter(|_| legal.next().is_none())
}

/// `e4`
#[inline(always)]
fn advance(position: &Position, to: Square) -> Option<Move> {
    if Bitboard::BACKRANKS.contains(to) {
        return None;
    }
    let from = advance_from(position, to)?;
    position.is_safe(from, to).then(|| position.pawn_move(from, to, None))
}

#[inline(always)]
fn advance_from(position: &Position, to: Square) -> Option<Square> {
    let color = position.turn();
    let back: i32 = color.fold_wb(-8, 8);
    let pawn = color.fold_wb(b'P', b'p');
    let letters = &position.letters.0;
    // Squares beyond the edge are those of the opposite edge, where there are no pawns.
    let behind = |steps: i32| (to as i32 + steps * back) as usize & 63;
    if letters[to.to_usize()] != 0 {
        return None;
    }
    // Branch-free, because the choice between one and two squares is unpredictable.
    let (one, two) = (behind(1), behind(2));
    let by_one = letters[one] == pawn;
    let on_fourth = to.rank() == color.relative_rank(Rank::Fourth);
    let by_two = letters[one] == 0 && on_fourth && letters[two] == pawn;
    let from = if by_one { one } else { two };
    (by_one | by_two).then(|| Square::new(from as u32))
}

/// `exd5`, `exd8=Q`, `e8=Q`
#[inline]
fn pawn_capture_or_promotion(position: &Position, text: &[u8]) -> Option<Move> {
    let (text, promotion) = match text {
        [rest @ .., b'=', piece] => (rest, Some(promoted(*piece)?)),
        _ => (text, None),
    };
    let (from, to) = match *text {
        [from_file, b'x', file, rank] => {
            let to = square_of(file, rank)?;
            (pawn_beside(position, from_file, to)?, to)
        }
        [file, rank] => {
            let to = square_of(file, rank)?;
            (advance_from(position, to)?, to)
        }
        _ => return None,
    };
    if promotion.is_some() != (to.rank() == last_rank(position.turn())) {
        return None;
    }
    pawn(position, from, to, promotion)
}

/// `None` unless the pawn can capture on `to`, or `to` is empty, and its king stays safe.
#[inline]
fn pawn(position: &Position, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
    if Some(to) == position.en_passant && from.file() != to.file() {
        return position.is_safe_en_passant(from, to).then(|| position.en_passant_move(from, to));
    }
    if from.file() != to.file() && !position.them().contains(to) {
        return None;
    }
    position.is_safe(from, to).then(|| position.pawn_move(from, to, promotion))
}

/// Returns our pawn on an adjacent file of the target, one rank before it.
#[inline]
fn pawn_beside(position: &Position, file: u8, to: Square) -> Option<Square> {
    let attackers = attacks::pawn_attacks(!position.turn(), to);
    let pawns = attackers & position.pieces(Role::Pawn) & position.us();
    (pawns & hint_mask(file)?).first()
}

fn promoted(piece: u8) -> Option<Role> {
    match piece {
        b'Q' => Some(Role::Queen),
        b'R' => Some(Role::Rook),
        b'B' => Some(Role::Bishop),
        b'N' => Some(Role::Knight),
        _ => None,
    }
}

#[inline]
fn last_rank(color: Color) -> Rank {
    color.fold_wb(Rank::Eighth, Rank::First)
}

fn castle(position: &Position, text: &[u8]) -> Option<Move> {
    match text {
        b"O-O" => position.castling_move(CastlingSide::KingSide),
        b"O-O-O" => position.castling_move(CastlingSide::QueenSide),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_a_file_and_a_rank() {
        for file in 0..=u8::MAX {
            for rank in 0..=u8::MAX {
                let name = [file, rank];
                let expected = std::str::from_utf8(&name).ok().and_then(|name| name.parse().ok());
                assert_eq!(square_of(file, rank), expected, "{}", name.escape_ascii());
            }
        }
    }

    #[test]
    fn a_word_ends_where_its_length_says() {
        let position = Position::default();
        for (text, len) in [("Nf3 Nf6 ", 3), ("Nf3+ d5 ", 4), ("Ng1f3#xy", 6), ("e4 e5 2.", 2)] {
            let bytes = text.as_bytes().try_into().unwrap();
            let expected = resolve_plain(&position, &text.as_bytes()[..len]);
            assert!(expected.is_some(), "{text}");
            assert_eq!(resolve_plain_word(&position, bytes, len), expected, "{text}");
        }
        for text in ["", "+", "e", "N", "Nf", "Nf3Nf3Nf3"] {
            assert_eq!(resolve_plain(&position, text.as_bytes()), None, "{text}");
        }
    }
}

//! Castling rights, each the square of a rook, and their three notations.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};

use crate::buffer::Line;
use crate::position::Position;

/// Notation of castling rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CastlingStyle {
    /// X-FEN: `KQkq` if the right belongs to the outermost rook of that side, otherwise the letter
    /// of the rook's file. In standard chess this agrees with the standard (EPD 3.3).
    #[default]
    XFen,
    /// Shredder-FEN: always the letter of the rook's file, `HAha`.
    Shredder,
    /// Always `KQkq`, even if it is ambiguous in Chess960.
    Standard,
}

crate::keywords! { CastlingStyle:
    "xfen" [CastlingStyle::XFen] "KQkq, and the letter of a file where that would be ambiguous (Chess960)";
    "shredder" [CastlingStyle::Shredder] "The letters of the rooks' files: HAha";
    "standard" [CastlingStyle::Standard] "Always KQkq";
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The second and third field for each side and rights of corner rooks, outermost for any king.
struct Texts([[u8; 8]; 32]);

static LETTERS: Texts = texts(b"KQkq");
static FILES: Texts = texts(b"HAha");
static LENGTHS: [u8; 16] = [5, 5, 5, 6, 5, 6, 6, 7, 5, 6, 6, 7, 6, 7, 7, 8];

/// The bits of the rights in writing order.
const BITS: [usize; 4] = [2, 1, 8, 4];

const fn texts(letters: &[u8; 4]) -> Texts {
    let mut table = [*b" w -    "; 32];
    let mut index = 0;
    while index < 32 {
        let text = &mut table[index];
        text[1] = if index < 16 { b'b' } else { b'w' };
        let (mut letter, mut len) = (0, 3);
        while letter < 4 {
            if index & BITS[letter] != 0 {
                text[len] = letters[letter];
                len += 1;
            }
            letter += 1;
        }
        index += 1;
    }
    Texts(table)
}

/// Writes the side to move and the castling rights, each preceded by a space, and a trailing space.
#[inline(always)]
pub(crate) fn write(position: &Position, style: CastlingStyle, line: &mut Line<'_>) {
    let rooks = position.castling_rooks.0;
    if rooks & !CORNERS != 0 {
        return line.fill(|room| any(position, style, room));
    }
    // The product has the four corners as its highest bits, and no two terms with a bit in common.
    let corners = (rooks.wrapping_mul(1 << 60 | 1 << 54 | 1 << 6 | 1) >> 60) as usize;
    let texts = if style == CastlingStyle::Shredder { &FILES } else { &LETTERS };
    let text = &texts.0[16 * position.turn as usize + corners];
    line.text_of_len(text, usize::from(LENGTHS[corners]));
}

#[cold]
fn any(position: &Position, style: CastlingStyle, room: &mut [u8; 8]) -> usize {
    *room = *if position.turn.is_white() { b" w      " } else { b" b      " };
    let mut len = 3;
    for color in Color::ALL {
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            let Some(rook) = position.castling_rook(color, side) else { continue };
            let outermost = side_rooks(position, color, side);
            let is_outermost = match side {
                CastlingSide::KingSide => outermost.last() == Some(rook),
                CastlingSide::QueenSide => outermost.first() == Some(rook),
            };
            let letter = match style {
                CastlingStyle::Standard => side_letter(side),
                CastlingStyle::XFen if is_outermost => side_letter(side),
                _ => rook.file().upper_char(),
            };
            room[len] = color.fold_wb(letter as u8, letter.to_ascii_lowercase() as u8);
            len += 1;
        }
    }
    len + 1
}

fn side_letter(side: CastlingSide) -> char {
    if side.is_king_side() { 'K' } else { 'Q' }
}

/// Returns the rooks on the king's first rank, on the given side of the king.
fn side_rooks(position: &Position, color: Color, side: CastlingSide) -> Bitboard {
    let home = Bitboard::from_rank(color.backrank());
    let rooks = position.pieces(Role::Rook) & position.side(color) & home;
    rooks & beside(position.king(color), side)
}

/// Returns the squares on one side of a square, on all ranks.
#[inline]
pub(crate) fn beside(king: Square, side: CastlingSide) -> Bitboard {
    let file = king.file() as u32;
    let files = match side {
        CastlingSide::KingSide => 0xfe << file & 0xff,
        CastlingSide::QueenSide => (1 << file) - 1,
    };
    // Copies the files to every rank.
    Bitboard(0x0101_0101_0101_0101 * files)
}

impl Position {
    /// Returns the rook with which a side may still castle.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling_rooks & Bitboard::from_rank(color.backrank());
        rooks
            .into_iter()
            .find(|rook| CastlingSide::from_queen_side(*rook < self.king(color)) == side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_a_square_has_another_file() {
        for king in Square::ALL {
            for other in Square::ALL {
                let lies = |side| beside(king, side).contains(other);
                assert_eq!(lies(CastlingSide::KingSide), other.file() > king.file());
                assert_eq!(lies(CastlingSide::QueenSide), other.file() < king.file());
            }
        }
    }
}

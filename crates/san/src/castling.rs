//! Castling rights: each is the square of a rook; their text has three styles.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};

use crate::{Line, Position};

/// How castling rights are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingStyle {
    /// X-FEN: `KQkq` wherever the right belongs to the outermost rook of that side, else the letter of the rook's file. In
    /// standard chess this is what the standard says (EPD 3.3).
    #[default]
    XFen,
    /// Shredder-FEN: always the letter of the rook's file, `HAha`.
    Shredder,
    /// Always `KQkq`, even where a reader cannot tell which rook of Chess960 is meant.
    Standard,
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Texts of the rights of rooks on a1, h1, a8 and h8 (bits 0 to 3): all there is in standard chess. They are the
/// outermost ones wherever the king stands.
static CORNER_TEXTS: [[u8; 4]; 16] = corner_texts(b"KQkq");
static CORNER_FILES: [[u8; 4]; 16] = corner_texts(b"HAha");
static CORNER_LENS: [u8; 16] = [1, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

const fn corner_texts(letters: &[u8; 4]) -> [[u8; 4]; 16] {
    let mut table = [[0; 4]; 16];
    table[0][0] = b'-';
    let bits = [2, 1, 8, 4];
    let mut rights = 1;
    while rights < 16 {
        let (mut letter, mut len) = (0, 0);
        while letter < 4 {
            if rights & bits[letter] != 0 {
                table[rights][len] = letters[letter];
                len += 1;
            }
            letter += 1;
        }
        rights += 1;
    }
    table
}

/// Writes the castling field.
#[inline]
pub(crate) fn write(position: &Position, style: CastlingStyle, line: &mut Line<'_>) {
    let rooks = position.castling_rooks.0;
    if rooks & !CORNERS != 0 {
        return write_any(position, style, line);
    }
    let corners = (rooks & 1 | rooks >> 6 & 2 | rooks >> 54 & 4 | rooks >> 60 & 8) as usize;
    let texts = if style == CastlingStyle::Shredder { &CORNER_FILES } else { &CORNER_TEXTS };
    line.text_of_len(&texts[corners], usize::from(CORNER_LENS[corners]));
}

#[cold]
fn write_any(position: &Position, style: CastlingStyle, line: &mut Line<'_>) {
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
            line.push(color.fold_wb(letter as u8, letter.to_ascii_lowercase() as u8));
        }
    }
}

fn side_letter(side: CastlingSide) -> char {
    if side.is_king_side() { 'K' } else { 'Q' }
}

/// The rooks of a side of the board, seen from the king, on the king's own first rank.
fn side_rooks(position: &Position, color: Color, side: CastlingSide) -> Bitboard {
    let home = Bitboard::from_rank(color.backrank());
    let rooks = position.pieces(Role::Rook) & position.side(color) & home;
    rooks & beside(position.king(color), side)
}

/// The squares to one side of a square, on all ranks.
pub(crate) fn beside(king: Square, side: CastlingSide) -> Bitboard {
    let is_beside = |square: Square| match side {
        CastlingSide::KingSide => square.file() > king.file(),
        CastlingSide::QueenSide => square.file() < king.file(),
    };
    Square::ALL.into_iter().filter(|square| is_beside(*square)).collect()
}

impl Position {
    /// The rook with which a side may still castle.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling_rooks & Bitboard::from_rank(color.backrank());
        rooks
            .into_iter()
            .find(|rook| CastlingSide::from_queen_side(*rook < self.king(color)) == side)
    }
}

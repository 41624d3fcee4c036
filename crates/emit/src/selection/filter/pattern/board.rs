//! Pieces on squares: `8/8/p7/8/8/1B3N2/8/8`, with the other squares free.

use san::{Bitboard, Color, File, Position, Rank, Role, Square};

use super::{PatternFault, PieceSet};

/// Sets of pieces, each with the squares where one of them is.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct BoardPattern(Vec<(PieceSet, Bitboard)>);

impl BoardPattern {
    /// From the eighth rank, as in a FEN: letters of pieces; a digit: free squares, `?`: one free;
    /// `_`: an empty square; `!`: any piece; `A`, `a`: any of White, Black; `[QR]`: one of several.
    pub(in super::super) fn read(text: &str) -> Result<Self, PatternFault> {
        let mut pattern = BoardPattern(Vec::new());
        let (mut rank, mut file) = (7, 0);
        let mut chars = text.char_indices();
        while let Some((at, c)) = chars.next() {
            let here = at..at + c.len_utf8();
            if c == '/' {
                if file != 8 {
                    return Err((here, format!("rank {} has {file} squares", rank + 1)));
                }
                if rank == 0 {
                    return Err((here, "more than eight ranks".into()));
                }
                (rank, file) = (rank - 1, 0);
                continue;
            }
            let (width, set) = match c {
                '1'..='8' => (c as u32 - '0' as u32, None),
                '?' => (1, None),
                '[' => {
                    let mut set = PieceSet(0);
                    loop {
                        match chars.next() {
                            Some((_, ']')) if set != PieceSet(0) => break,
                            Some((at, c)) => match pieces(c) {
                                Some(pieces) => set = set.with(pieces),
                                None => return Err((at..at + c.len_utf8(), not_a_piece(c))),
                            },
                            None => return Err((here, "`]` is missing".into())),
                        }
                    }
                    (1, Some(set))
                }
                c => match pieces(c) {
                    Some(set) => (1, Some(set)),
                    None => return Err((here, not_a_piece(c))),
                },
            };
            if file + width > 8 {
                return Err((here, format!("rank {} has more than 8 squares", rank + 1)));
            }
            if let Some(set) = set {
                pattern.add(set, Square::from_coords(File::new(file), Rank::new(rank)));
            }
            file += width;
        }
        match (rank, file) {
            (0, 8) => Ok(pattern),
            (0, _) => Err((text.len()..text.len(), format!("rank 1 has {file} squares"))),
            _ => Err((text.len()..text.len(), "eight ranks are expected, as in a FEN".into())),
        }
    }

    fn add(&mut self, set: PieceSet, square: Square) {
        match self.0.iter_mut().find(|(other, _)| *other == set) {
            Some((_, squares)) => squares.add(square),
            None => self.0.push((set, Bitboard::from(square))),
        }
    }

    pub(super) fn holds(&self, position: &Position) -> bool {
        self.0.iter().all(|(set, squares)| (*squares & !set.squares(position)).is_empty())
    }

    pub(super) fn for_other_colors(&self) -> Self {
        let turned = |(set, squares): &(PieceSet, Bitboard)| {
            (set.for_other_colors(), squares.flip_vertical())
        };
        BoardPattern(self.0.iter().map(turned).collect())
    }

    pub(super) fn mirrored(&self) -> Self {
        let turned = |(set, squares): &(PieceSet, Bitboard)| (*set, squares.flip_horizontal());
        BoardPattern(self.0.iter().map(turned).collect())
    }
}

fn pieces(c: char) -> Option<PieceSet> {
    Some(match c {
        'A' => PieceSet::side(Color::White),
        'a' => PieceSet::side(Color::Black),
        '!' => PieceSet::side(Color::White).with(PieceSet::side(Color::Black)),
        '_' => PieceSet::EMPTY_SQUARE,
        c => PieceSet::piece(Color::from_white(c.is_ascii_uppercase()), Role::from_char(c)?),
    })
}

fn not_a_piece(c: char) -> String {
    format!("{c:?} is not a piece, a number of squares, or one of ? _ ! A a")
}

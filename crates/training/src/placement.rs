//! Pieces on squares that become a position.

use san::{Bitboard, Color, File, Position, Rank, Setup, Square};

use crate::error::Damage;

#[derive(Debug)]
pub(crate) struct Placement {
    /// The FEN letter of the piece on each square; 0 for none.
    letters: [u8; 64],
    /// The FEN letters of the files of rooks with castling rights.
    rights: Vec<u8>,
    pub(crate) turn: Color,
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
}

impl Placement {
    /// Makes an empty board with White to move.
    fn new() -> Self {
        Placement {
            letters: [0; 64],
            rights: Vec::new(),
            turn: Color::White,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// From byte 8 on, `packed` has the code of each occupied square: half a byte, low half first.
    pub(crate) fn read(
        occupied: u64,
        packed: &[u8; 32],
        mut place: impl FnMut(&mut Placement, u8, Square) -> Result<(), Damage>,
    ) -> Result<Self, Damage> {
        if occupied.count_ones() > 32 {
            return Err(Damage::TooManyPieces(occupied.count_ones()));
        }
        let mut placement = Placement::new();
        for (index, square) in Bitboard(occupied).into_iter().enumerate() {
            place(&mut placement, packed[8 + index / 2] >> (index % 2 * 4) & 15, square)?;
        }
        Ok(placement)
    }

    /// Places a piece of White, or of Black if the letter is small.
    pub(crate) fn place(&mut self, letter: u8, square: Square) {
        self.letters[square.to_usize()] = letter;
    }

    pub(crate) fn add_right(&mut self, color: Color, file: File) {
        let letter = file.upper_char() as u8;
        self.rights.push(color.fold_wb(letter, letter.to_ascii_lowercase()));
    }

    /// Returns the letter of the piece on a square; 0 for none.
    pub(crate) fn letter(&self, square: Square) -> u8 {
        self.letters[square.to_usize()]
    }

    /// Returns the position, if moves can be played from it.
    pub(crate) fn position(&self) -> Result<Position, Damage> {
        let mut fen = Vec::with_capacity(96);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let letter = self.letter(Square::from_coords(file, rank));
                if letter == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    fen.push(b'0' + empty);
                    empty = 0;
                }
                fen.push(letter);
            }
            if empty > 0 {
                fen.push(b'0' + empty);
            }
            fen.push(if rank == Rank::First { b' ' } else { b'/' });
        }
        fen.push(self.turn.char() as u8);
        fen.push(b' ');
        fen.extend_from_slice(if self.rights.is_empty() { b"-" } else { &self.rights });
        fen.push(b' ');
        match self.en_passant {
            Some(square) => fen.extend_from_slice(square.to_string().as_bytes()),
            None => fen.push(b'-'),
        }
        fen.extend_from_slice(b" 0 1");
        let mut setup = Setup::from_fen(&fen).map_err(Damage::Illegal)?;
        setup.set_clocks(self.halfmoves, self.fullmoves);
        setup.playable().map(|(position, _)| position).map_err(Damage::Illegal)
    }
}

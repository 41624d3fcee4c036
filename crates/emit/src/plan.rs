//! What is to be written: decided once, before the first game.

use san::FieldStyle;

/// The options of a run, compiled for the loop over positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How castling rights and the en passant square are written.
    pub fields: FieldStyle,
    /// The form of a record.
    pub format: Format,
    /// The operations of a record.
    pub ops: Ops,
    /// The positions of a game that are written.
    pub select: Select,
    /// Whether an empty line follows the records of each game.
    pub blank_line: bool,
    /// What is done with a game that has an error.
    pub on_error: OnError,
    /// A game larger than this, in bytes, is an error.
    pub max_game_bytes: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            fields: FieldStyle::default(),
            format: Format::default(),
            ops: Ops::default(),
            select: Select::default(),
            blank_line: false,
            on_error: OnError::default(),
            max_game_bytes: 64 << 20,
        }
    }
}

/// The form of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Four fields, then operations: the standard's record (EPD 3 and 4).
    #[default]
    Epd,
    /// Six fields, as FEN has them, then operations other than `fmvn` and `hmvc`, which the fields hold.
    Fen,
}

/// The operations that are made from the game itself. They are written in the ASCII order of their opcodes (EPD 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ops {
    /// `fmvn`: the fullmove number (EPD 5.13).
    pub fmvn: bool,
    /// `hmvc`: the halfmove clock (EPD 5.14).
    pub hmvc: bool,
    /// `sm`: the move that was played from the position (EPD 5.22).
    pub sm: bool,
}

impl Ops {
    /// No operation at all.
    pub const NONE: Ops = Ops { fmvn: false, hmvc: false, sm: false };
    /// Every operation there is.
    pub const ALL: Ops = Ops { fmvn: true, hmvc: true, sm: true };
}

impl Default for Ops {
    fn default() -> Self {
        Ops::ALL
    }
}

/// Which positions of a game are written. Position 0 is the start, position `n` stands after the `n`-th ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Select {
    /// The first position.
    pub first: u32,
    /// The last position.
    pub last: u32,
    /// Of these only the one that the game ends with.
    pub only_final: bool,
}

impl Default for Select {
    fn default() -> Self {
        Select { first: 0, last: u32::MAX, only_final: false }
    }
}

impl Select {
    /// Whether the position after `ply` plies is wanted; `is_final` says that the game ends with it.
    #[inline]
    pub fn wants(&self, ply: u32, is_final: bool) -> bool {
        ply >= self.first && ply <= self.last && (is_final || !self.only_final)
    }
}

/// What is done with a game that has an error, an illegal move say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnError {
    /// The positions before the error are written, the rest of the game is not.
    #[default]
    Keep,
    /// Nothing of the game is written.
    Skip,
    /// The positions before the error are written, and the run ends.
    Stop,
}

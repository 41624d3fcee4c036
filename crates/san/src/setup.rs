//! What a FEN says, right or wrong.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Color, File, Role, Square};

use crate::error::{FenError, Field};
use crate::mailbox::Mailbox;
use crate::{Position, fen, validate};

/// A position that may not be legal, with rights that may not be there: what a FEN says.
///
/// ```
/// use san::Setup;
///
/// // Rights without rooks, and no pawn that could have advanced.
/// let mut setup = Setup::from_fen(b"4k3/8/8/8/8/8/4P3/4K3 w KQ e6 0 1")?;
/// assert!(setup.clone().into_position().is_err());
/// assert_eq!(setup.repair().len(), 3);
/// assert_eq!(setup.into_position()?.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
/// # Ok::<_, san::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub(crate) letters: Mailbox,
    pub(crate) by_role: [Bitboard; 6],
    pub(crate) by_color: [Bitboard; 2],
    pub(crate) turn: Color,
    pub(crate) rights: ArrayVec<Right, 16>,
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
    pub(crate) repairs: ArrayVec<Repair, 8>,
}

/// A castling right as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// `K` or `Q`: that of the outermost rook.
    Side(Color, CastlingSide),
    /// `A` to `H`: that of the rook on this file.
    File(Color, File),
}

/// Something in a FEN that has one sensible reading, and that reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Repair {
    /// What cannot be was left out: a castling right or an en passant square.
    #[error("{0}: left out")]
    LeftOut(FenError),
    /// The FEN ends early.
    #[error("no {}: taken as {}", field_name(*.0), field_default(*.0))]
    Missing(Field),
    /// `W` or `B` instead of `w` or `b`.
    #[error("the side to move is a capital letter: taken as the small one")]
    CapitalSide,
    /// `-` instead of a clock.
    #[error("the {} is -: taken as {}", field_name(*.0), field_default(*.0))]
    Dash(Field),
    /// In a variant: castling rights, an en passant square, or pieces that cannot be.
    #[error("there is something that cannot be: left out where it does not matter")]
    OfVariant,
    /// A semicolon behind it, as behind an operation of EPD.
    #[error("a semicolon behind it: passed over")]
    Semicolon,
    /// Fullmove numbers begin with 1.
    #[error("the fullmove number is 0: taken as 1")]
    ZeroFullmove,
}

fn field_name(field: Field) -> &'static str {
    match field {
        Field::Placement => "piece placement",
        Field::SideToMove => "side to move",
        Field::Castling => "castling field",
        Field::EnPassant => "en passant field",
        Field::HalfmoveClock => "halfmove clock",
        Field::FullmoveNumber => "fullmove number",
    }
}

fn field_default(field: Field) -> &'static str {
    match field {
        Field::HalfmoveClock => "0",
        Field::FullmoveNumber => "1",
        _ => "-",
    }
}

impl Setup {
    /// Reads a FEN, X-FEN or Shredder-FEN (PGN standard 16.1).
    ///
    /// Accepts: blanks around and between the fields, `W` and `B` for the side to move, missing fields behind it, `-` for
    /// a clock, a fullmove number of 0. [`Setup::repair`] lists which of these there were.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN. Whether the position is legal is not asked here.
    pub fn from_fen(fen: &[u8]) -> Result<Self, FenError> {
        fen::read(fen)
    }

    /// Reads the four fields of an EPD record, each by itself (EPD 3). The clocks are 0 and 1.
    ///
    /// # Errors
    ///
    /// If a field is none; [`FenError::field`] says which. Whether the position is legal is not asked here.
    ///
    /// ```
    /// use san::{Field, Setup};
    ///
    /// assert!(Setup::from_fields(["4k3/8/8/8/8/8/8/4K3", "w", "-", "-"]).is_ok());
    /// let error = Setup::from_fields(["4k3/8/8/8/8/8/8/4K3", "x", "-", "-"]).unwrap_err();
    /// assert_eq!(error.field(), Some(Field::SideToMove));
    /// ```
    #[inline(always)]
    pub fn from_fields(fields: [&str; 4]) -> Result<Self, FenError> {
        fen::read_fields(fields.map(str::as_bytes))
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Gives the position its clocks: plies since the last capture or pawn move, and the number of the move.
    pub fn set_clocks(&mut self, halfmoves: u32, fullmoves: u32) {
        (self.halfmoves, self.fullmoves) = (halfmoves, fullmoves.max(1));
    }

    /// Leaves out castling rights and an en passant square that cannot be, and says what was done, and what
    /// [`Setup::from_fen`] had to make of the text.
    pub fn repair(&mut self) -> Vec<Repair> {
        let mut repairs: Vec<Repair> = self.repairs.drain(..).collect();
        if Color::ALL.into_iter().any(|color| self.only_king(color).is_none()) {
            return repairs;
        }
        let mut rooks = Bitboard::EMPTY;
        let mut rights = std::mem::take(&mut self.rights);
        rights.retain(|right| match validate::rook_of(self, *right, rooks) {
            Ok(rook) => {
                rooks.add(rook);
                true
            }
            Err(error) => {
                repairs.push(Repair::LeftOut(error));
                false
            }
        });
        self.rights = rights;
        if let Err(error) = validate::en_passant(self) {
            repairs.push(Repair::LeftOut(error));
            self.en_passant = None;
        }
        repairs
    }

    /// The position, if it is legal.
    ///
    /// Legal is what a player, an engine or a server would accept: one king each, no pawn on the first or eighth rank, no
    /// more pieces than can be had by promotion, checks that can have been given, castling rights with king and rook in
    /// place, an en passant square behind a pawn that can just have advanced. Whether a game leads to the position is not
    /// asked. It is what the crate shakmaty calls legal.
    ///
    /// # Errors
    ///
    /// The first reason why it is not.
    pub fn into_position(self) -> Result<Position, FenError> {
        self.position()
    }

    /// The same as [`Setup::into_position`], for those who may want to [`repair`](Setup::repair) it.
    ///
    /// # Errors
    ///
    /// The first reason why the position is not legal.
    #[inline(always)]
    pub fn position(&self) -> Result<Position, FenError> {
        validate::position(self)
    }

    /// The FEN letter of the piece on a square.
    pub fn letter(&self, square: Square) -> Option<char> {
        Some(self.letters[square]).filter(|letter| *letter != 0).map(char::from)
    }

    /// The position if moves can be played from it, and why no game leads to it, if none does.
    ///
    /// Suites of problems and perft have such positions: two bishops of one color beside eight pawns, checks that no move
    /// can have given. [`Setup::position`] refuses them.
    ///
    /// # Errors
    ///
    /// The first reason why moves cannot be played.
    ///
    /// ```
    /// let setup = san::Setup::from_fen(b"nr1kqrbn/pbpppppp/1p6/8/8/BP6/P1PPPPPP/NR1KQRBN b - - 0 1")?;
    /// assert!(setup.position().is_err());
    /// let (position, oddity) = setup.playable()?;
    /// assert!(oddity.is_some() && !position.legal_moves().is_empty());
    /// # Ok::<_, san::FenError>(())
    /// ```
    pub fn playable(&self) -> Result<(Position, Option<FenError>), FenError> {
        validate::playable(self)
    }

    /// All pieces of a kind and side.
    #[inline]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.by_role[role as usize - 1] & self.by_color[color as usize]
    }

    /// The king of a side, if there is just one.
    pub(crate) fn only_king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Role::King).single_square()
    }

    /// The position as it stands, without rights and en passant square; both kings must be there.
    pub(crate) fn bare_position(&self) -> Position {
        Position {
            letters: self.letters.clone(),
            by_role: self.by_role,
            by_color: self.by_color,
            castling_rooks: Bitboard::EMPTY,
            turn: self.turn,
            en_passant: None,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        let rights = position.castling_rooks.into_iter().map(|rook| {
            let color = Color::from_white(position.side(Color::White).contains(rook));
            Right::File(color, rook.file())
        });
        Setup {
            letters: position.letters.clone(),
            by_role: position.by_role,
            by_color: position.by_color,
            turn: position.turn,
            rights: rights.collect(),
            en_passant: position.en_passant,
            halfmoves: position.halfmoves,
            fullmoves: position.fullmoves,
            repairs: ArrayVec::new(),
        }
    }
}

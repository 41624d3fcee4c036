//! The content of a FEN, legal or not.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Color, File, Role, Square};

use crate::error::{FenError, Field};
use crate::mailbox::Mailbox;
use crate::position::Position;
use crate::{fen, validate};

/// A position that may be illegal, with rights that may be impossible: the content of a FEN.
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

/// A castling right as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// `K` or `Q`: the right of the outermost rook.
    Side(Color, CastlingSide),
    /// `A` to `H`: the right of the rook on this file.
    File(Color, File),
}

/// A repair of a FEN that has one sensible reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Repair {
    /// An impossible castling right or en passant square was removed.
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
    /// In a variant: impossible castling rights or en passant square, or several consecutive digits.
    #[error(
        "impossible castling rights or en passant square left out, or digits in a row read as their sum"
    )]
    OfVariant,
    /// A trailing semicolon, as after an operation of EPD.
    #[error("trailing semicolon: ignored")]
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
    /// Accepts: spaces around and between the fields, `W` and `B` for the side to move, missing fields after it, `-` for
    /// a clock, a fullmove number of 0. [`Setup::repair`] lists which of these occurred.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN. Legality is not checked here.
    pub fn from_fen(fen: &[u8]) -> Result<Self, FenError> {
        fen::read(fen)
    }

    /// Reads the four fields of an EPD record, passed separately (EPD 3). The clocks are 0 and 1.
    ///
    /// # Errors
    ///
    /// If a field is malformed; [`FenError::field`] tells which. Legality is not checked here.
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

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Sets the clocks: plies since the last capture or pawn move, and the fullmove number.
    pub fn set_clocks(&mut self, halfmoves: u32, fullmoves: u32) {
        (self.halfmoves, self.fullmoves) = (halfmoves, fullmoves.max(1));
    }

    /// Removes impossible castling rights and en passant squares, and returns all repairs, including those made by
    /// [`Setup::from_fen`].
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

    /// Removes castling rights of kings and rooks that are not on their starting squares of standard chess, by whose rules they
    /// have moved, and returns them. [`Setup::repair`] keeps such rights, which are valid in Chess960.
    ///
    /// ```
    /// let mut setup = san::Setup::from_fen(b"r5k1/8/8/8/8/8/8/R3K2R w KQq - 0 1")?;
    /// assert_eq!(setup.leave_out_moved().len(), 1);
    /// assert_eq!(setup.into_position()?.to_string(), "r5k1/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    /// # Ok::<_, san::FenError>(())
    /// ```
    pub fn leave_out_moved(&mut self) -> Vec<Repair> {
        let mut repairs = Vec::new();
        let mut rights = std::mem::take(&mut self.rights);
        rights.retain(|right| {
            let (Right::Side(color, _) | Right::File(color, _)) = *right;
            let (Ok(rook), Some(king)) =
                (validate::rook_of(self, *right, Bitboard::EMPTY), self.only_king(color))
            else {
                // There is no such rook: left to `repair`.
                return true;
            };
            let is_initial = king.file() == File::E && Bitboard::CORNERS.contains(rook);
            if !is_initial {
                let side = CastlingSide::from_queen_side(rook < king);
                repairs.push(Repair::LeftOut(FenError::NoSuchRight { color, side }));
            }
            is_initial
        });
        self.rights = rights;
        repairs
    }

    /// Returns the position if it is legal.
    ///
    /// Legal means what a player, an engine or a server would accept: one king each, no pawn on the first or eighth rank, no
    /// more pieces than can result from promotions, checks that a move can have given, castling rights with king and rook in
    /// place, an en passant square behind a pawn that can have just advanced. Reachability by a game is not
    /// checked. The definition agrees with that of the crate shakmaty.
    ///
    /// # Errors
    ///
    /// The first reason why the position is not legal.
    pub fn into_position(self) -> Result<Position, FenError> {
        self.position()
    }

    /// Like [`Setup::into_position`], but keeps the setup, for example to [`repair`](Setup::repair) it.
    ///
    /// # Errors
    ///
    /// The first reason why the position is not legal.
    #[inline(always)]
    pub fn position(&self) -> Result<Position, FenError> {
        validate::position(self)
    }

    /// Returns the FEN letter of the piece on a square.
    pub fn letter(&self, square: Square) -> Option<char> {
        Some(self.letters[square]).filter(|letter| *letter != 0).map(char::from)
    }

    /// Returns the position if moves can be played from it, and the reason why it is unreachable, if it is.
    ///
    /// Problem collections and perft suites contain such positions: two bishops of one color with eight pawns, checks that no
    /// move can have given. [`Setup::position`] rejects them.
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

    /// Returns all pieces of a kind and side.
    #[inline]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.by_role[role as usize - 1] & self.by_color[color as usize]
    }

    /// Returns the king of a side, if there is exactly one.
    pub(crate) fn only_king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Role::King).single_square()
    }

    /// Returns the position without rights and en passant square; both kings must exist.
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

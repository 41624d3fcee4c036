//! The content of a FEN, legal or not; how it is repaired and validated.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Color, File, Piece, Rank, Role, Square, attacks};

use crate::error::{FenError, Field};
use crate::position::{CastlingNotation, Mailbox, Position};

/// A position that may be illegal, with rights that may be impossible: the content of a FEN.
///
/// ```
/// use san::Setup;
///
/// // Rights without rooks, and no pawn that could have advanced.
/// let mut setup = Setup::from_fen(b"4k3/8/8/8/8/8/4P3/4K3 w KQ e6 0 1")?;
/// assert!(setup.clone().position().is_err());
/// assert_eq!(setup.repair().len(), 3);
/// assert_eq!(setup.position()?.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
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
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum Repair {
    /// An impossible castling right or en passant square.
    #[error("{0}: left out")]
    LeftOut(FenError),
    #[error("the en passant field names the square of the pawn, {pawn}: taken as {passed}")]
    SquareOfPawn { pawn: Square, passed: Square },
    #[error("no {}: taken as {}", .0.name(), field_default(*.0))]
    Missing(Field),
    #[error("the side to move is a capital letter: taken as the small one")]
    CapitalSide,
    #[error("the {} is -: taken as {}", .0.name(), field_default(*.0))]
    Dash(Field),
    #[error(
        "impossible castling rights or en passant square left out, or digits in a row read as their sum"
    )]
    OfVariant,
    /// As after an operation of EPD.
    #[error("trailing semicolon: ignored")]
    Semicolon,
    #[error("the fullmove number is 0: taken as 1")]
    ZeroFullmove,
}

fn field_default(field: Field) -> &'static str {
    match field {
        Field::HalfmoveClock => "0",
        Field::FullmoveNumber => "1",
        _ => "-",
    }
}

impl Setup {
    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Sets the clocks: plies since the last capture or pawn move, and the fullmove number.
    pub fn set_clocks(&mut self, halfmoves: u32, fullmoves: u32) {
        (self.halfmoves, self.fullmoves) = (halfmoves, fullmoves.max(1));
    }

    /// Returns an empty board with White to move.
    pub fn empty() -> Self {
        Setup {
            letters: Mailbox::EMPTY,
            by_role: [Bitboard::EMPTY; 6],
            by_color: [Bitboard::EMPTY; 2],
            turn: Color::White,
            rights: ArrayVec::new(),
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
            repairs: ArrayVec::new(),
        }
    }

    /// Puts a piece on an empty square.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.letters[square] = piece.char() as u8;
        self.by_role[piece.role as usize - 1].add(square);
        self.by_color[piece.color as usize].add(square);
    }

    /// Adds the castling right of the rook on a file, which need not be possible.
    pub fn add_right(&mut self, color: Color, file: File) {
        self.rights.push(Right::File(color, file));
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    /// Sets the en passant square, which need not be possible.
    pub fn set_en_passant(&mut self, square: Option<Square>) {
        self.en_passant = square;
    }

    /// Returns the FEN letter of the piece on a square.
    pub fn letter(&self, square: Square) -> Option<char> {
        Some(self.letters[square]).filter(|letter| *letter != 0).map(char::from)
    }

    #[inline]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.by_role[role as usize - 1] & self.by_color[color as usize]
    }

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
            notation: CastlingNotation { takes_rook: false },
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

// Validates and repairs a [`Setup`]: one function per kind of illegality.

impl Setup {
    /// Removes impossible castling rights and en passant squares, replaces the square of a pawn
    /// that has just advanced by the en passant square behind it, and returns all repairs,
    /// including those made by [`Setup::from_fen`].
    pub fn repair(&mut self) -> Vec<Repair> {
        let mut repairs: Vec<Repair> = self.repairs.drain(..).collect();
        if Color::ALL.into_iter().any(|color| self.only_king(color).is_none()) {
            return repairs;
        }
        let mut rooks = Bitboard::EMPTY;
        let mut rights = std::mem::take(&mut self.rights);
        rights.retain(|right| match rook_of(self, *right, rooks) {
            Ok(rook) => {
                rooks.add(rook);
                true
            }
            // A damaged field: which right is meant is not known.
            Err(FenError::Castling) => true,
            Err(error) => {
                repairs.push(Repair::LeftOut(error));
                false
            }
        });
        self.rights = rights;
        if let (Some(square), Err(error)) = (self.en_passant, en_passant(self)) {
            self.en_passant = (square.rank() == self.turn.relative_rank(Rank::Fifth))
                .then(|| square.offset(self.turn.fold_wb(8, -8)))
                .flatten();
            repairs.push(match self.en_passant {
                Some(passed) if en_passant(self).is_ok() => {
                    Repair::SquareOfPawn { pawn: square, passed }
                }
                _ => {
                    self.en_passant = None;
                    Repair::LeftOut(error)
                }
            });
        }
        repairs
    }

    /// Removes castling rights of kings and rooks that are not on their starting squares of
    /// standard chess, by whose rules they have moved, and returns them. [`Setup::repair`] keeps
    /// such rights, which are valid in Chess960.
    ///
    /// ```
    /// let mut setup = san::Setup::from_fen(b"r5k1/8/8/8/8/8/8/R3K2R w KQq - 0 1")?;
    /// assert_eq!(setup.leave_out_moved().len(), 1);
    /// assert_eq!(setup.position()?.to_string(), "r5k1/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    /// # Ok::<_, san::FenError>(())
    /// ```
    pub fn leave_out_moved(&mut self) -> Vec<Repair> {
        let mut repairs = Vec::new();
        let mut rights = std::mem::take(&mut self.rights);
        rights.retain(|right| {
            let (Right::Side(color, _) | Right::File(color, _)) = *right;
            let (Ok(rook), Some(king)) =
                (rook_of(self, *right, Bitboard::EMPTY), self.only_king(color))
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
    /// Legal means what a player, an engine or a server would accept: one king each, no pawn on the
    /// first or eighth rank, no more pieces than can result from promotions, checks that a move can
    /// have given, castling rights with king and rook in place, an en passant square behind a pawn
    /// that can have just advanced. Reachability by a game is not checked. The definition agrees
    /// with that of the crate shakmaty. Fails with the first reason why it is not legal.
    #[inline(always)]
    pub fn position(&self) -> Result<Position, FenError> {
        self.checked(Err)
    }

    /// Returns the position if moves can be played from it, and why it is unreachable, if it is.
    ///
    /// Problem collections, studies and perft suites contain such positions: more pieces than eight
    /// pawns can become, checks that no move can have given. [`Setup::position`] rejects them.
    /// Fails with the first reason why moves cannot be played.
    ///
    /// ```
    /// let setup = san::Setup::from_fen(b"nr1kqrbn/pbpppppp/1p6/8/8/BP6/P1PPPPPP/NR1KQRBN b - - 0 1")?;
    /// assert!(setup.position().is_err());
    /// let (position, oddity) = setup.playable()?;
    /// assert!(oddity.is_some() && !position.legal_moves().is_empty());
    /// # Ok::<_, san::FenError>(())
    /// ```
    pub fn playable(&self) -> Result<(Position, Option<FenError>), FenError> {
        let mut oddity = None;
        let position = self.checked(|error| {
            oddity.get_or_insert(error);
            Ok(())
        })?;
        Ok((position, oddity))
    }

    /// `odd` decides on what no game leads to: too many pieces, impossible checks.
    #[inline(always)]
    fn checked(
        &self,
        mut odd: impl FnMut(FenError) -> Result<(), FenError>,
    ) -> Result<Position, FenError> {
        let mut unless_odd = |result| match result {
            Err(error @ (FenError::TooMuchMaterial(_) | FenError::ImpossibleCheck(_))) => {
                odd(error)
            }
            result => result,
        };
        for color in Color::ALL {
            kings(self, color)?;
            pawns(self, color)?;
            unless_odd(material(self, color))?;
        }
        let mut position = self.bare_position();
        for right in &self.rights {
            let rook = rook_of(self, *right, position.castling_rooks)?;
            position.castling_rooks.add(rook);
        }
        en_passant(self)?;
        unless_odd(checks(&position))?;
        unless_odd(check_after_advance(self, &position))?;
        position.en_passant = self.en_passant;
        position.notation.takes_rook = position.has_chess960_rights();
        Ok(position)
    }
}

impl Position {
    /// Returns the position with an en passant square that is [pinned](Position::pinned_en_passant),
    /// if the last move can have been a pawn's that makes one.
    ///
    /// ```
    /// let position = san::Position::from_fen("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 2")?;
    /// assert_eq!(position.with_pinned_en_passant().map(|pinned| pinned.key()), Some(0x2874_1f70_99a3_606f));
    /// assert!(san::Position::default().with_pinned_en_passant().is_none());
    /// # Ok::<_, san::FenError>(())
    /// ```
    pub fn with_pinned_en_passant(&self) -> Option<Self> {
        File::ALL.into_iter().find_map(|file| {
            let square = Square::from_coords(file, self.turn.relative_rank(Rank::Sixth));
            let pinned = Position { en_passant: Some(square), ..self.clone() };
            let setup = Setup::from(&pinned);
            let is_possible = self.en_passant_captors(square).any()
                && en_passant(&setup).and_then(|()| check_after_advance(&setup, &pinned)).is_ok();
            (is_possible && pinned.pinned_en_passant().is_some()).then_some(pinned)
        })
    }
}

fn kings(setup: &Setup, color: Color) -> Result<(), FenError> {
    match setup.pieces(color, Role::King).count() {
        0 => Err(FenError::NoKing(color)),
        1 => Ok(()),
        _ => Err(FenError::ManyKings(color)),
    }
}

fn pawns(setup: &Setup, color: Color) -> Result<(), FenError> {
    let misplaced = (setup.pieces(color, Role::Pawn) & Bitboard::BACKRANKS).first();
    misplaced.map_or(Ok(()), |square| Err(FenError::PawnOnBackRank(square)))
}

/// Checks that pieces in excess of the initial number are promoted pawns, of which there are eight.
fn material(setup: &Setup, color: Color) -> Result<(), FenError> {
    let pieces = |role| setup.pieces(color, role);
    let beyond = |mut pieces: Bitboard, at_start| {
        (0..at_start).for_each(|_| pieces.discard_first());
        pieces
    };
    let promoted = [
        beyond(pieces(Role::Queen), 1),
        beyond(pieces(Role::Rook), 2),
        beyond(pieces(Role::Knight), 2),
        beyond(pieces(Role::Bishop) & Bitboard::LIGHT_SQUARES, 1),
        beyond(pieces(Role::Bishop) & Bitboard::DARK_SQUARES, 1),
    ];
    let mut pawns_and_promoted = pieces(Role::Pawn).count();
    // Nearly never; to count each kind takes a hundred instructions.
    if promoted.into_iter().fold(Bitboard::EMPTY, |all, some| all | some).any() {
        pawns_and_promoted += promoted.into_iter().map(Bitboard::count).sum::<usize>();
    }
    if pawns_and_promoted > 8 { Err(FenError::TooMuchMaterial(color)) } else { Ok(()) }
}

/// `taken` are the rooks of the rights before it: a side has at most one right per direction.
fn rook_of(setup: &Setup, right: Right, taken: Bitboard) -> Result<Square, FenError> {
    let (Right::Side(color, _) | Right::File(color, _)) = right;
    let home = Bitboard::from_rank(color.backrank());
    let rooks = setup.pieces(color, Role::Rook) & home;
    let king = (setup.pieces(color, Role::King) & home).first();
    let side = match right {
        Right::Side(_, side) => side,
        Right::File(_, file) => {
            CastlingSide::from_queen_side(file < king.map_or(File::E, Square::file))
        }
    };
    let rook = king.and_then(|king| {
        let rooks = rooks & beside(king, side);
        let rook = match (right, side) {
            (Right::File(_, file), _) => (rooks & Bitboard::from_file(file)).first(),
            (Right::Side(..), CastlingSide::KingSide) => rooks.last(),
            (Right::Side(..), CastlingSide::QueenSide) => rooks.first(),
        };
        rook.filter(|rook| (taken & rooks).without(*rook).is_empty())
    });
    match rook {
        // `KHkq`: one right twice.
        Some(rook) if taken.contains(rook) => Err(FenError::Castling),
        rook => rook.ok_or(FenError::NoSuchRight { color, side }),
    }
}

/// The square must be behind a pawn that can have just advanced, over empty squares.
fn en_passant(setup: &Setup) -> Result<(), FenError> {
    let Some(square) = setup.en_passant else { return Ok(()) };
    let error = Err(FenError::NoSuchAdvance(square));
    let them = !setup.turn;
    if square.rank() != setup.turn.relative_rank(Rank::Sixth) {
        return error;
    }
    let (from_rank, to_rank) =
        them.fold_wb((Rank::Second, Rank::Fourth), (Rank::Seventh, Rank::Fifth));
    let from = Square::from_coords(square.file(), from_rank);
    let to = Square::from_coords(square.file(), to_rank);
    let is_present = setup.letters[to] == them.pawn().char() as u8;
    if !is_present || setup.letters[square] != 0 || setup.letters[from] != 0 {
        return error;
    }
    Ok(())
}

/// Any check must be by the pawn that has just advanced, or through the square that it left.
fn check_after_advance(setup: &Setup, position: &Position) -> Result<(), FenError> {
    let Some(square) = setup.en_passant else { return Ok(()) };
    let checkers = position.checkers();
    if checkers.is_empty() {
        return Ok(());
    }
    let (them, king) = (!setup.turn, position.king(setup.turn));
    let step = them.fold_wb(8, -8);
    let (Some(from), Some(to)) = (square.offset(-step), square.offset(step)) else { return Ok(()) };
    let before = position.occupied().without(to).with(from);
    let by_pawn = checkers == Bitboard::from_square(to);
    let discovered = !checkers.more_than_one() && position.attackers(king, them, before).is_empty();
    if by_pawn || discovered { Ok(()) } else { Err(FenError::ImpossibleCheck(king)) }
}

fn checks(position: &Position) -> Result<(), FenError> {
    let (us, them) = (position.turn(), !position.turn());
    if position.attackers(position.king(them), us, position.occupied()).any() {
        return Err(FenError::OtherSideInCheck(them));
    }
    let king = position.king(us);
    let checkers = position.checkers();
    let steppers =
        position.pieces(Role::Pawn) | position.pieces(Role::Knight) | position.pieces(Role::King);
    // At most two checkers, one of them discovered: they are not on one line, and not both are
    // non-sliders.
    let in_line = match (checkers.first(), checkers.last()) {
        (Some(first), Some(last)) => first != last && attacks::aligned(first, king, last),
        _ => false,
    };
    if checkers.count() > 2 || in_line || (checkers & steppers).more_than_one() {
        return Err(FenError::ImpossibleCheck(king));
    }
    Ok(())
}

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

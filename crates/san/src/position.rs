//! Positions, which are always legal: pieces, side to move and rights; and their moves.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, File, Rank, Role, Setup as ChessSetup,
    Square,
};

use crate::error::{FenError, IllegalMove};

/// A legal position of standard chess or Chess960.
///
/// It is created from a [`Setup`](crate::Setup) that is legal, or by a legal move. Therefore both
/// kings exist, castling rights have their rooks, and the side that is not to move is not in check.
///
/// Besides bitboards it has the FEN letter of each square, from which records are written.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) letters: Mailbox,
    pub(crate) by_role: [Bitboard; 6],
    pub(crate) by_color: [Bitboard; 2],
    pub(crate) castling_rooks: Bitboard,
    pub(crate) turn: Color,
    /// The square behind a pawn that advanced by two with the last move.
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
    pub(crate) notation: CastlingNotation,
}

/// How engines write castling. It belongs to the game and does not distinguish positions.
#[derive(Clone, Copy)]
pub(crate) struct CastlingNotation {
    /// Whether the king takes its rook, as in Chess960.
    pub(crate) takes_rook: bool,
}

impl PartialEq for CastlingNotation {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for CastlingNotation {}

impl std::hash::Hash for CastlingNotation {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

impl Default for Position {
    fn default() -> Self {
        const START: Position = start();
        START
    }
}

const fn start() -> Position {
    let mut letters = [0; 64];
    let (white, black) = (b"RNBQKBNR", b"rnbqkbnr");
    let mut file = 0;
    while file < 8 {
        letters[file] = white[file];
        letters[8 + file] = b'P';
        letters[48 + file] = b'p';
        letters[56 + file] = black[file];
        file += 1;
    }
    Position {
        letters: Mailbox(letters),
        by_role: [
            Bitboard(0x00ff_0000_0000_ff00),
            Bitboard(0x4200_0000_0000_0042),
            Bitboard(0x2400_0000_0000_0024),
            Bitboard(0x8100_0000_0000_0081),
            Bitboard(0x0800_0000_0000_0008),
            Bitboard(0x1000_0000_0000_0010),
        ],
        by_color: [Bitboard(0xffff_0000_0000_0000), Bitboard(0x0000_0000_0000_ffff)],
        castling_rooks: Bitboard(0x8100_0000_0000_0081),
        turn: Color::White,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
        notation: CastlingNotation { takes_rook: false },
    }
}

impl Position {
    /// Returns the side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the halfmove clock: plies since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// Returns the fullmove number: 1 at the beginning, incremented after each move of Black.
    #[inline]
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// Returns the position with another halfmove clock and fullmove number.
    #[must_use]
    pub fn with_clocks(mut self, halfmoves: u32, fullmoves: u32) -> Self {
        self.set_clocks(halfmoves, fullmoves);
        self
    }

    /// Sets the clocks in place; see [`Position::with_clocks`].
    #[inline]
    pub fn set_clocks(&mut self, halfmoves: u32, fullmoves: u32) {
        (self.halfmoves, self.fullmoves) = (halfmoves, fullmoves.max(1));
    }

    /// Makes this a position of a game of Chess960, in which [`Position::uci_of`] writes castling
    /// as the king taking its rook, whichever squares they stand on. A position whose castling
    /// rights only Chess960 has is one from the beginning.
    pub fn set_chess960(&mut self) {
        self.notation.takes_rook = true;
    }

    /// Whether a castling right is for a king or a rook on another square than in standard chess.
    #[inline]
    pub fn has_chess960_rights(&self) -> bool {
        let kings = self.pieces(Role::King) & Bitboard::from_file(File::E);
        (self.castling_rooks & !Bitboard::CORNERS).any()
            || Color::ALL.into_iter().any(|color| {
                let own = self.castling_rooks & self.side(color);
                own.any() && (kings & self.side(color)).is_empty()
            })
    }

    /// Returns the FEN letter of the piece on a square.
    #[inline]
    pub fn letter(&self, square: Square) -> Option<char> {
        match self.letters[square] {
            0 => None,
            letter => Some(char::from(letter)),
        }
    }

    /// Returns the kind of piece on a square, of either side.
    #[inline]
    pub fn role(&self, square: Square) -> Option<Role> {
        match self.letters[square] {
            0 => None,
            letter => Role::from_char(char::from(letter)),
        }
    }

    /// Returns all pieces of one kind, of both sides.
    #[inline]
    pub fn pieces(&self, role: Role) -> Bitboard {
        self.by_role[role as usize - 1]
    }

    /// Returns all pieces of one side.
    #[inline]
    pub fn side(&self, color: Color) -> Bitboard {
        self.by_color[color as usize]
    }

    /// Returns all occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// Returns the square of a king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        (self.pieces(Role::King) & self.side(color))
            .first()
            .expect("a legal position has both kings")
    }

    /// Returns the squares of rooks with castling rights.
    #[inline]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    #[inline]
    pub(crate) fn us(&self) -> Bitboard {
        self.side(self.turn)
    }

    #[inline]
    pub(crate) fn them(&self) -> Bitboard {
        self.side(!self.turn)
    }

    /// Plays a move. Fails if the move is not legal here, for example because it was created for
    /// another position.
    ///
    /// ```
    /// let mut position = san::Position::default();
    /// let next = san::resolve(&position, b"e4")?;
    /// position.play(next).unwrap();
    /// assert!(position.play(next).is_err());
    /// # Ok::<_, san::SanError>(())
    /// ```
    pub fn play(&mut self, next: Move) -> Result<(), IllegalMove> {
        if !self.legal_moves().contains(&next) {
            return Err(IllegalMove);
        }
        self.play_unchecked(next);
        Ok(())
    }

    /// Plays a move made for this position; any other would make the position illegal.
    #[inline(always)]
    pub fn play_unchecked(&mut self, next: Move) {
        let Move { from, to, role, kind, .. } = next;
        let them = !self.turn;
        let halfmoves = self.halfmoves.saturating_add(1);
        if kind == MoveKind::Castle {
            (self.en_passant, self.halfmoves) = (None, halfmoves);
            self.castle(from, to);
        } else {
            // Masks and selections: branches on the kind of move would be mispredicted.
            let letter = self.letters[from];
            let resets = (role == Role::Pawn) | (self.letters[to] != 0);
            self.halfmoves = if resets { 0 } else { halfmoves };
            self.en_passant = if kind == MoveKind::Double { Some(between(from, to)) } else { None };
            // Clears the target square without testing what was on it.
            for pieces in &mut self.by_role {
                pieces.0 &= !(1 << to as u32);
            }
            self.by_color[them as usize].0 &= !(1 << to as u32);
            let both = Bitboard(1 << from as u32 | 1 << to as u32);
            self.by_role[role as usize - 1] ^= both;
            self.by_color[self.turn as usize] ^= both;
            self.letters[from] = 0;
            self.letters[to] = letter;
            let home = Bitboard::from_rank(self.turn.backrank());
            let lost = both | if role == Role::King { home } else { Bitboard::EMPTY };
            self.castling_rooks &= !lost;
            if kind >= MoveKind::EnPassant {
                self.pawn_special(next, letter);
            }
        }
        self.fullmoves = self.fullmoves.saturating_add(u32::from(self.turn == Color::Black));
        self.turn = them;
    }

    /// Passes the turn to the other side (a null move). Returns `false` and does nothing in check.
    ///
    /// ```
    /// let mut position = san::Position::default();
    /// assert!(position.pass());
    /// assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1");
    /// ```
    pub fn pass(&mut self) -> bool {
        if self.is_check() {
            return false;
        }
        self.en_passant = None;
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.fullmoves = self.fullmoves.saturating_add(u32::from(self.turn == Color::Black));
        self.turn = !self.turn;
        true
    }

    #[cold]
    fn pawn_special(&mut self, next: Move, letter: u8) {
        let Move { from, to, promotion, .. } = next;
        match promotion {
            None => {
                let captured = Square::from_coords(to.file(), from.rank());
                self.letters[captured] = 0;
                self.by_role[Role::Pawn as usize - 1].discard(captured);
                self.by_color[!self.turn as usize].discard(captured);
            }
            Some(role) => {
                let case = letter & 0x20;
                self.letters[to] = role.upper_char() as u8 | case;
                self.by_role[Role::Pawn as usize - 1].discard(to);
                self.by_role[role as usize - 1].add(to);
            }
        }
    }

    #[cold]
    fn castle(&mut self, king: Square, rook: Square) {
        let side = shakmaty::CastlingSide::from_queen_side(rook < king);
        let (king_to, rook_to) = (side.king_to(self.turn), side.rook_to(self.turn));
        let (king_letter, rook_letter) = (self.letters[king], self.letters[rook]);
        (self.letters[king], self.letters[rook]) = (0, 0);
        (self.letters[king_to], self.letters[rook_to]) = (king_letter, rook_letter);
        // In this order, because in Chess960 the targets may be each other's origins.
        let ours = &mut self.by_color[self.turn as usize];
        ours.discard(king);
        ours.discard(rook);
        ours.add(king_to);
        ours.add(rook_to);
        let kings = &mut self.by_role[Role::King as usize - 1];
        kings.discard(king);
        kings.add(king_to);
        let rooks = &mut self.by_role[Role::Rook as usize - 1];
        rooks.discard(rook);
        rooks.add(rook_to);
        self.castling_rooks &= !Bitboard::from_rank(self.turn.backrank());
    }
}

#[inline]
fn between(from: Square, to: Square) -> Square {
    let rank = if to.rank() == Rank::Fourth { Rank::Third } else { Rank::Sixth };
    Square::from_coords(from.file(), rank)
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({self})")
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::AnyPosition::fen(self, crate::FieldStyle::default()))
    }
}

// Moves, created only by code that checks the rules: the move generator and the resolver.

/// A legal move of the position for which it was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: Square,
    /// The target; for castling, the square of the rook.
    pub(crate) to: Square,
    pub(crate) role: Role,
    pub(crate) kind: MoveKind,
    pub(crate) promotion: Option<Role>,
}

/// Special effects of a move. Variants from [`MoveKind::EnPassant`] on are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum MoveKind {
    Quiet,
    Capture,
    /// A two-square pawn advance.
    Double,
    EnPassant,
    Castle,
    Promotion,
    CapturePromotion,
}

/// The legal moves of a position. In games there are at most 218. Where pieces are too many, at
/// most eight sliders and pawns can go to each free square, and each knight to eight: less than
/// 600, with promotions and castling.
pub type MoveList = ArrayVec<Move, 600>;

impl Move {
    /// Returns the moving piece; the king when castling.
    pub fn role(self) -> Role {
        self.role
    }

    /// Returns the origin square.
    pub fn from(self) -> Square {
        self.from
    }

    /// Returns the target square; when castling, the target of the king.
    pub fn to(self) -> Square {
        match self.castling() {
            Some(CastlingSide::KingSide) => Square::from_coords(File::G, self.to.rank()),
            Some(CastlingSide::QueenSide) => Square::from_coords(File::C, self.to.rank()),
            None => self.to,
        }
    }

    /// Returns the promotion piece.
    pub fn promotion(self) -> Option<Role> {
        self.promotion
    }

    /// Whether this is a capture, including en passant.
    pub fn is_capture(self) -> bool {
        matches!(self.kind, MoveKind::Capture | MoveKind::EnPassant | MoveKind::CapturePromotion)
    }

    /// Whether this is an en passant capture.
    pub fn is_en_passant(self) -> bool {
        self.kind == MoveKind::EnPassant
    }

    /// Returns the side to which the king castles.
    pub fn castling(self) -> Option<CastlingSide> {
        let side = CastlingSide::from_queen_side(self.to < self.from);
        (self.kind == MoveKind::Castle).then_some(side)
    }

    /// Returns the square of the castling rook.
    pub fn castling_rook(self) -> Option<Square> {
        (self.kind == MoveKind::Castle).then_some(self.to)
    }
}

/// The FEN letter of the piece on each square, 0 for an empty one: A1, B1, …, H8.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Mailbox(pub(crate) [u8; 64]);

impl Mailbox {
    pub(crate) const EMPTY: Mailbox = Mailbox([0; 64]);
}

impl Index<Square> for Mailbox {
    type Output = u8;

    #[inline]
    fn index(&self, square: Square) -> &u8 {
        // The mask has no effect but elides the bounds check.
        &self.0[square.to_usize() & 63]
    }
}

impl IndexMut<Square> for Mailbox {
    #[inline]
    fn index_mut(&mut self, square: Square) -> &mut u8 {
        &mut self.0[square.to_usize() & 63]
    }
}

impl From<&Position> for Chess {
    fn from(position: &Position) -> Chess {
        let board = shakmaty::Board::try_from_bitboards(
            shakmaty::ByRole {
                pawn: position.by_role[0],
                knight: position.by_role[1],
                bishop: position.by_role[2],
                rook: position.by_role[3],
                queen: position.by_role[4],
                king: position.by_role[5],
            },
            shakmaty::ByColor { black: position.by_color[0], white: position.by_color[1] },
        );
        let setup = ChessSetup {
            board: board.expect("bitboards of one position agree"),
            promoted: shakmaty::Bitboard::EMPTY,
            pockets: None,
            turn: position.turn,
            castling_rights: position.castling_rooks,
            ep_square: position.en_passant,
            remaining_checks: None,
            halfmoves: position.halfmoves,
            fullmoves: position.fullmoves.try_into().unwrap_or(std::num::NonZeroU32::MIN),
        };
        let mode = CastlingMode::detect(&setup);
        setup.position(mode).expect("a legal position is legal there too")
    }
}

impl TryFrom<&Chess> for Position {
    type Error = FenError;

    /// Fails if the position is legal only because shakmaty ignored errors that are not ignored here.
    fn try_from(chess: &Chess) -> Result<Position, FenError> {
        let fen = shakmaty::fen::Fen::from_position(chess, shakmaty::EnPassantMode::Always);
        Position::from_fen(fen.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_small() {
        assert!(size_of::<Move>() <= 8);
        assert!(size_of::<Result<Move, crate::SanError>>() <= 16);
    }
}

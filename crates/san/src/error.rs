//! Errors of FENs and moves.

use std::fmt;

use shakmaty::{CastlingSide, Color, File, Rank, Role, Square};

/// The move is not legal in this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove;

/// A field of a FEN (PGN standard 16.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Field {
    Placement,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

/// Why a FEN cannot be read, or why its position is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is empty.
    #[error("it is empty")]
    Empty,
    /// A letter that does not denote a piece.
    #[error("rank {}: {} is not a piece", .rank.char(), Shown(*.byte))]
    NotAPiece {
        /// The rank that contains it.
        rank: Rank,
        /// The byte.
        byte: u8,
    },
    /// A rank with too few or too many squares.
    #[error("rank {} has {squares} squares, not 8", .rank.char())]
    RankLength {
        /// The rank.
        rank: Rank,
        /// Its number of squares, counted up to 99.
        squares: u8,
    },
    /// Too few or too many ranks.
    #[error("{0} ranks, not 8")]
    RankCount(u8),
    /// The side to move is neither `w` nor `b`.
    #[error("the side to move is neither w nor b")]
    SideToMove,
    /// The castling field is malformed.
    #[error("the castling field is neither - nor a list of castling rights")]
    Castling,
    /// The en passant field holds neither `-` nor a square.
    #[error("the en passant field is neither - nor a square")]
    EnPassant,
    /// A clock is not a number.
    #[error("the {} is not a number", if *.0 == Field::HalfmoveClock { "halfmove clock" } else { "fullmove number" })]
    NotANumber(Field),
    /// There is text after the sixth field.
    #[error("more than six fields")]
    TooLong,
    /// Not a FEN, not even with the extensions for variants.
    #[error("not a FEN")]
    NoVariantFen,
    /// A position that is not legal in a variant.
    #[error("not a legal position of this variant")]
    NotInVariant,
    /// More pieces than the rules of a variant allow.
    #[error("more pieces than are possible in this variant")]
    VariantMaterial,
    /// A side has no king.
    #[error("{0:?} has no king")]
    NoKing(Color),
    /// A side has more than one king.
    #[error("{0:?} has more than one king")]
    ManyKings(Color),
    /// A pawn is on the first or eighth rank.
    #[error("a pawn on {0}")]
    PawnOnBackRank(Square),
    /// More pieces than can result from promotions.
    #[error("{0:?} has more pieces than eight pawns can become")]
    TooMuchMaterial(Color),
    /// A castling right whose king or rook is not in place.
    #[error("{color:?} cannot have the right to castle {}: king and rook are not in place", Side(*.side))]
    NoSuchRight {
        /// The side.
        color: Color,
        /// The direction of castling.
        side: CastlingSide,
    },
    /// No pawn can have just advanced over the en passant square.
    #[error("no pawn has just advanced over the en passant square {0}")]
    NoSuchAdvance(Square),
    /// The side that is not to move is in check.
    #[error("{0:?} is in check, but it is {other:?}'s turn", other = !*.0)]
    OtherSideInCheck(Color),
    /// No move can have given these checks.
    #[error("no move can have given the checks to the king on {0}")]
    ImpossibleCheck(Square),
}

impl FenError {
    /// Returns the offending field; `None` if the position as a whole is illegal.
    pub fn field(&self) -> Option<Field> {
        match self {
            FenError::Empty
            | FenError::NotAPiece { .. }
            | FenError::RankLength { .. }
            | FenError::RankCount(_)
            | FenError::PawnOnBackRank(_)
            | FenError::NoKing(_)
            | FenError::ManyKings(_)
            | FenError::TooMuchMaterial(_) => Some(Field::Placement),
            FenError::SideToMove => Some(Field::SideToMove),
            FenError::Castling | FenError::NoSuchRight { .. } => Some(Field::Castling),
            FenError::EnPassant | FenError::NoSuchAdvance(_) => Some(Field::EnPassant),
            FenError::NotANumber(field) => Some(*field),
            FenError::TooLong
            | FenError::OtherSideInCheck(_)
            | FenError::ImpossibleCheck(_)
            | FenError::NoVariantFen
            | FenError::NotInVariant
            | FenError::VariantMaterial => None,
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not a move in any notation.
    #[error("not a move")]
    NotAMove,
    /// A null move; passing is not allowed.
    #[error("a null move, which is not chess")]
    NullMove,
    /// A drop, as in Crazyhouse: `N@f3`.
    #[error("a drop, which is not chess")]
    Drop,
    /// Not a legal move of a variant.
    #[error("not a legal move in this variant")]
    NotInVariant,
    /// The game is already over.
    #[error("{0:?} is checkmated: the game is over")]
    Checkmated(Color),
    /// The game is already over.
    #[error("{0:?} is stalemated: the game is over")]
    Stalemated(Color),
    /// The side has no such piece, or none on the given file or rank.
    #[error("{color:?} has no {}{}", Name(*.role), Where(*.file, *.rank))]
    NoSuchPiece {
        /// The side to move.
        color: Color,
        /// The piece.
        role: Role,
        /// The file, if given.
        file: Option<File>,
        /// The rank, if given.
        rank: Option<Rank>,
    },
    /// The origin square is empty.
    #[error("no piece on {0}")]
    EmptySquare(Square),
    /// The piece on the origin square belongs to the other side.
    #[error("the {} on {from} is {}, but it is {color:?}'s turn", Name(*.role), Colored(!*.color))]
    OtherSide {
        /// The side to move.
        color: Color,
        /// The piece.
        role: Role,
        /// Its square.
        from: Square,
    },
    /// A different piece is on the given square.
    #[error("the piece on {from} is a {}, not a {}", Name(*.found), Name(*.role))]
    OtherPiece {
        /// The square.
        from: Square,
        /// The piece there.
        found: Role,
        /// The given piece.
        role: Role,
    },
    /// A piece of the same side is on the target.
    #[error("{color:?}'s own {} is on {to}", Name(*.role))]
    OwnPiece {
        /// The side to move.
        color: Color,
        /// The piece there.
        role: Role,
        /// The target.
        to: Square,
    },
    /// There are such pieces, but none can make the move.
    #[error("no {} {}{} can reach {to}", Colored(*.color), Name(*.role), Where(*.file, *.rank))]
    CannotReach {
        /// The side to move.
        color: Color,
        /// The piece.
        role: Role,
        /// The file, if given.
        file: Option<File>,
        /// The rank, if given.
        rank: Option<Rank>,
        /// The target.
        to: Square,
    },
    /// Another piece blocks the only candidate.
    #[error("the {} on {from} cannot reach {to}: the {} on {by} is in the way", Name(*.role), Name(*.blocker))]
    Blocked {
        /// The piece.
        role: Role,
        /// Its square.
        from: Square,
        /// The target.
        to: Square,
        /// The piece in the way.
        blocker: Role,
        /// Its square.
        by: Square,
    },
    /// The piece must stay between its king and an enemy piece.
    #[error("the {} on {from} is pinned to the king on {king} by the {} on {by}", Name(*.role), Name(*.pinner))]
    Pinned {
        /// The piece.
        role: Role,
        /// Its square.
        from: Square,
        /// The king.
        king: Square,
        /// The piece that pins it.
        pinner: Role,
        /// Its square.
        by: Square,
    },
    /// The king is in check, and the move does not end it.
    #[error("the king on {king} would stay in check from the {} on {by}", Name(*.checker))]
    InCheck {
        /// The king.
        king: Square,
        /// The piece that gives check.
        checker: Role,
        /// Its square.
        by: Square,
    },
    /// The king would move into check.
    #[error("the king would be in check on {to} from the {} on {by}", Name(*.checker))]
    IntoCheck {
        /// The target.
        to: Square,
        /// The piece that would give check.
        checker: Role,
        /// Its square.
        by: Square,
    },
    /// Capturing en passant would open a line to the king.
    #[error("capturing en passant would leave the king on {king} in check from the {} on {by}", Name(*.checker))]
    EnPassantPinned {
        /// The king.
        king: Square,
        /// The piece that would give check.
        checker: Role,
        /// Its square.
        by: Square,
    },
    /// The path of a pawn is blocked.
    #[error("the pawn on {from} is blocked by the {} on {by}", Name(*.blocker))]
    PawnBlocked {
        /// The pawn.
        from: Square,
        /// The piece there.
        blocker: Role,
        /// Its square.
        by: Square,
    },
    /// The pawn has nothing to capture.
    #[error("the pawn on {from} has nothing to capture on {to}")]
    NothingToCapture {
        /// The pawn.
        from: Square,
        /// The target.
        to: Square,
    },
    /// The adjacent pawn did not advance with the last move.
    #[error(
        "the pawn on {from} may not capture en passant on {to}: the other pawn did not advance with the last move"
    )]
    EnPassantGone {
        /// The pawn.
        from: Square,
        /// The target.
        to: Square,
    },
    /// The promotion piece is missing.
    #[error("the promotion piece on {0} is missing, for example {0}=Q")]
    PromotionMissing(Square),
    /// A promotion on a square where no pawn is promoted.
    #[error("no pawn is promoted on {0}")]
    PromotionMisplaced(Square),
    /// Only pawns are promoted.
    #[error("a {} is not promoted", Name(*.0))]
    PromotionOfPiece(Role),
    /// A pawn cannot become a king or a pawn.
    #[error("a pawn does not become a {}", Name(*.0))]
    PromotionToThat(Role),
    /// Several pieces could make the move.
    #[error("ambiguous: the {name}s on {first} and {second} can both go to {to}", name = Name(*.role))]
    Ambiguous {
        /// The pieces.
        role: Role,
        /// One origin.
        first: Square,
        /// Another origin.
        second: Square,
        /// The target.
        to: Square,
    },
    /// The side does not have the right to castle.
    #[error("{color:?} does not have the right to castle {}", Side(*.side))]
    CastlingNoRight {
        /// The side to move.
        color: Color,
        /// The direction of castling.
        side: CastlingSide,
    },
    /// A piece is in the way.
    #[error("castling {} is blocked by the {} on {by}", Side(*.side), Name(*.blocker))]
    CastlingBlocked {
        /// The direction of castling.
        side: CastlingSide,
        /// The piece there.
        blocker: Role,
        /// Its square.
        by: Square,
    },
    /// Castling out of check is not allowed.
    #[error("no castling in check: the {} on {by} gives check", Name(*.checker))]
    CastlingInCheck {
        /// The piece that gives check.
        checker: Role,
        /// Its square.
        by: Square,
    },
    /// The king would cross or reach an attacked square.
    #[error("castling {} is not possible: {over} is attacked by the {} on {by}", Side(*.side), Name(*.attacker))]
    CastlingThroughCheck {
        /// The direction of castling.
        side: CastlingSide,
        /// The attacked square.
        over: Square,
        /// The piece that attacks it.
        attacker: Role,
        /// Its square.
        by: Square,
    },
}

struct Name(Role);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        })
    }
}

struct Colored(Color);

impl fmt::Display for Colored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.fold_wb("white", "black"))
    }
}

struct Side(CastlingSide);

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_king_side() { "kingside" } else { "queenside" })
    }
}

/// The given file, rank or square: ` on the g-file`, ` on rank 1`, ` on g1`.
struct Where(Option<File>, Option<Rank>);

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (None, None) => Ok(()),
            (Some(file), None) => write!(f, " on the {}-file", file.char()),
            (None, Some(rank)) => write!(f, " on rank {}", rank.char()),
            (Some(file), Some(rank)) => write!(f, " on {}", Square::from_coords(file, rank)),
        }
    }
}

struct Shown(u8);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            byte @ 0x21..=0x7e => write!(f, "{}", char::from(byte)),
            byte => write!(f, "byte {byte:#04x}"),
        }
    }
}

//! What can be wrong: with a FEN, with a move.

use std::fmt;

use shakmaty::{CastlingSide, Color, File, Rank, Role, Square};

/// A move that is not legal in the position it was to be played in.
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

/// Why a FEN is not read, or its position is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// A letter that stands for no piece.
    #[error("rank {}: {} is no piece", .rank.char(), Shown(*.byte))]
    NotAPiece {
        /// The rank that holds it.
        rank: Rank,
        /// The byte.
        byte: u8,
    },
    /// A rank with too few or too many squares.
    #[error("rank {} has {squares} squares, not 8", .rank.char())]
    RankLength {
        /// The rank.
        rank: Rank,
        /// How many squares it has, counted up to 99.
        squares: u8,
    },
    /// Too few or too many ranks.
    #[error("{0} ranks, not 8")]
    RankCount(u8),
    /// The side to move is neither `w` nor `b`.
    #[error("the side to move is neither w nor b")]
    SideToMove,
    /// The castling field holds something that is no right.
    #[error("the castling field is none")]
    Castling,
    /// The en passant field holds neither `-` nor a square.
    #[error("the en passant field is neither - nor a square")]
    EnPassant,
    /// A clock is not a number.
    #[error("the {} is not a number", if *.0 == Field::HalfmoveClock { "halfmove clock" } else { "fullmove number" })]
    NotANumber(Field),
    /// There is something behind the sixth field.
    #[error("more than six fields")]
    TooLong,
    /// No FEN, with what variants add to one.
    #[error("it is no FEN")]
    NoVariantFen,
    /// A position that cannot be in a variant.
    #[error("it is no legal position of this variant")]
    NotInVariant,
    /// A side has no king.
    #[error("{0:?} has no king")]
    NoKing(Color),
    /// A side has more than one king.
    #[error("{0:?} has more than one king")]
    ManyKings(Color),
    /// A pawn stands on the first or eighth rank.
    #[error("a pawn on {0}")]
    PawnOnBackRank(Square),
    /// More pieces than pawns could have become.
    #[error("{0:?} has more pieces than eight pawns can become")]
    TooMuchMaterial(Color),
    /// A castling right without its king and rook.
    #[error("{color:?} cannot have the right to castle {}: king and rook do not stand there", Side(*.side))]
    NoSuchRight {
        /// Whose right.
        color: Color,
        /// To which side.
        side: CastlingSide,
    },
    /// No pawn can have advanced over the en passant square.
    #[error("no pawn has just advanced over the en passant square {0}")]
    NoSuchAdvance(Square),
    /// The side that is not to move is in check.
    #[error("{0:?} is in check, but it is {other:?}'s turn", other = !*.0)]
    OtherSideInCheck(Color),
    /// Checks that no move can have given.
    #[error("no move can have given the checks to the king on {0}")]
    ImpossibleCheck(Square),
}

impl FenError {
    /// The field of the text that says what cannot be; none where the whole position does.
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
            | FenError::NotInVariant => None,
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is no move in any notation.
    #[error("not a move")]
    NotAMove,
    /// A null move: no side may pass.
    #[error("a null move, which is not chess")]
    NullMove,
    /// A drop of another variant: `N@f3`.
    #[error("a drop, which is not chess")]
    Drop,
    /// No legal move of a variant.
    #[error("no legal move of this variant is that")]
    NotInVariant,
    /// The game was over before.
    #[error("{0:?} is checkmated: the game is over")]
    Checkmated(Color),
    /// The game was over before.
    #[error("{0:?} is stalemated: the game is over")]
    Stalemated(Color),
    /// The side has no such piece, or none on the file or rank that is named.
    #[error("{color:?} has no {}{}", Name(*.role), Where(*.file, *.rank))]
    NoSuchPiece {
        /// Whose turn it is.
        color: Color,
        /// The piece.
        role: Role,
        /// The file that is named.
        file: Option<File>,
        /// The rank that is named.
        rank: Option<Rank>,
    },
    /// The square that a move is to start from is empty.
    #[error("there is no piece on {0}")]
    EmptySquare(Square),
    /// The piece on the square that a move is to start from belongs to the other side.
    #[error("the {} on {from} is not {color:?}'s, whose turn it is", Name(*.role))]
    OtherSide {
        /// Whose turn it is.
        color: Color,
        /// The piece.
        role: Role,
        /// Its square.
        from: Square,
    },
    /// On the named square stands another piece.
    #[error("the piece on {from} is a {}, not a {}", Name(*.found), Name(*.role))]
    OtherPiece {
        /// The square.
        from: Square,
        /// What stands there.
        found: Role,
        /// What was named.
        role: Role,
    },
    /// A piece of the same side stands on the target.
    #[error("{color:?}'s own {} stands on {to}", Name(*.role))]
    OwnPiece {
        /// Whose turn it is.
        color: Color,
        /// What stands there.
        role: Role,
        /// The target.
        to: Square,
    },
    /// Pieces of this kind are there, but none that moves so.
    #[error("no {} of {color:?}'s{} can reach {to}", Name(*.role), Where(*.file, *.rank))]
    CannotReach {
        /// Whose turn it is.
        color: Color,
        /// The piece.
        role: Role,
        /// The file that is named.
        file: Option<File>,
        /// The rank that is named.
        rank: Option<Rank>,
        /// The target.
        to: Square,
    },
    /// The only piece that could go there has another one in its way.
    #[error("the {} on {from} cannot reach {to}: the {} on {by} stands between", Name(*.role), Name(*.blocker))]
    Blocked {
        /// The piece.
        role: Role,
        /// Its square.
        from: Square,
        /// The target.
        to: Square,
        /// What stands between.
        blocker: Role,
        /// And where.
        by: Square,
    },
    /// The piece must stay between its king and an enemy piece.
    #[error("the {} on {from} is pinned to the king on {king} by the {} on {by}", Name(*.role), Name(*.pinner))]
    Pinned {
        /// The piece.
        role: Role,
        /// Its square.
        from: Square,
        /// The king behind it.
        king: Square,
        /// The piece that pins it.
        pinner: Role,
        /// And where.
        by: Square,
    },
    /// The king is in check, and the move does not end it.
    #[error("the king on {king} would stay in check from the {} on {by}", Name(*.checker))]
    InCheck {
        /// The king.
        king: Square,
        /// The piece that gives check.
        checker: Role,
        /// And where.
        by: Square,
    },
    /// The king would walk into check.
    #[error("the king would be in check on {to} from the {} on {by}", Name(*.checker))]
    IntoCheck {
        /// The target.
        to: Square,
        /// The piece that would give check.
        checker: Role,
        /// And where.
        by: Square,
    },
    /// Capturing en passant would open a line to the king.
    #[error("capturing en passant would leave the king on {king} in check from the {} on {by}", Name(*.checker))]
    EnPassantPinned {
        /// The king.
        king: Square,
        /// The piece that would give check.
        checker: Role,
        /// And where.
        by: Square,
    },
    /// A pawn's way straight ahead is not free.
    #[error("the pawn on {from} is blocked by the {} on {by}", Name(*.blocker))]
    PawnBlocked {
        /// The pawn.
        from: Square,
        /// What stands there.
        blocker: Role,
        /// And where.
        by: Square,
    },
    /// A pawn captures only where there is something.
    #[error("the pawn on {from} has nothing to capture on {to}")]
    NothingToCapture {
        /// The pawn.
        from: Square,
        /// The target.
        to: Square,
    },
    /// The pawn beside did not advance with the last move.
    #[error(
        "the pawn on {from} may not capture en passant on {to}: the other pawn did not advance with the last move"
    )]
    EnPassantGone {
        /// The pawn.
        from: Square,
        /// The target.
        to: Square,
    },
    /// A pawn that arrives on the last rank becomes something: what?
    #[error("the pawn becomes a piece on {0}: it must be named, as in {0}=Q")]
    PromotionMissing(Square),
    /// A promotion on a square where no pawn is promoted.
    #[error("no pawn is promoted on {0}")]
    PromotionMisplaced(Square),
    /// Only pawns are promoted.
    #[error("a {} is not promoted", Name(*.0))]
    PromotionOfPiece(Role),
    /// A pawn becomes neither king nor pawn.
    #[error("a pawn does not become a {}", Name(*.0))]
    PromotionToThat(Role),
    /// More than one piece could go there.
    #[error("ambiguous: the {name}s on {first} and {second} can both go to {to}", name = Name(*.role))]
    Ambiguous {
        /// The pieces.
        role: Role,
        /// One.
        first: Square,
        /// Another.
        second: Square,
        /// The target.
        to: Square,
    },
    /// The right to castle is gone, or never was.
    #[error("{color:?} has not the right to castle {}", Side(*.side))]
    CastlingNoRight {
        /// Whose turn it is.
        color: Color,
        /// To which side.
        side: CastlingSide,
    },
    /// A piece stands in the way.
    #[error("castling {} is blocked by the {} on {by}", Side(*.side), Name(*.blocker))]
    CastlingBlocked {
        /// To which side.
        side: CastlingSide,
        /// What stands there.
        blocker: Role,
        /// And where.
        by: Square,
    },
    /// No castling out of check.
    #[error("no castling in check: the {} on {by} gives check", Name(*.checker))]
    CastlingInCheck {
        /// The piece that gives check.
        checker: Role,
        /// And where.
        by: Square,
    },
    /// The king would pass or reach a square that is attacked.
    #[error("castling {} is not possible: {over} is attacked by the {} on {by}", Side(*.side), Name(*.attacker))]
    CastlingThroughCheck {
        /// To which side.
        side: CastlingSide,
        /// The square that the king passes or reaches.
        over: Square,
        /// The piece that attacks it.
        attacker: Role,
        /// And where.
        by: Square,
    },
}

/// The English name of a piece.
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

struct Side(CastlingSide);

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_king_side() { "kingside" } else { "queenside" })
    }
}

/// The file, rank or square that a move names: ` on the g-file`, ` on rank 1`, ` on g1`.
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

/// A byte as it can be shown.
struct Shown(u8);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            byte @ 0x21..=0x7e => write!(f, "{}", char::from(byte)),
            byte => write!(f, "byte {byte:#04x}"),
        }
    }
}

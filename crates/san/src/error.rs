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

impl Field {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Field::Placement => "piece placement",
            Field::SideToMove => "side to move",
            Field::Castling => "castling field",
            Field::EnPassant => "en passant field",
            Field::HalfmoveClock => "halfmove clock",
            Field::FullmoveNumber => "fullmove number",
        }
    }
}

/// Why a FEN cannot be read, or why its position is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum FenError {
    #[error("it is empty")]
    Empty,
    #[error("rank {}: {} is not a piece", .rank.char(), shown(*.byte))]
    NotAPiece { rank: Rank, byte: u8 },
    /// The number of squares is counted up to 99.
    #[error("rank {} has {squares} squares, not 8", .rank.char())]
    RankLength { rank: Rank, squares: u8 },
    #[error("{0} ranks, not 8")]
    RankCount(u8),
    #[error("the side to move is neither w nor b")]
    SideToMove,
    #[error("the castling field is neither - nor a list of castling rights")]
    Castling,
    #[error("the en passant field is neither - nor a square")]
    EnPassant,
    #[error("the {} is not a number", .0.name())]
    NotANumber(Field),
    #[error("more than six fields")]
    TooLong,
    /// Not even with the extensions for variants.
    #[error("not a FEN")]
    NoVariantFen,
    #[error("not a legal position of this variant")]
    NotInVariant,
    #[error("more pieces than are possible in this variant")]
    VariantMaterial,
    #[error("{0:?} has no king")]
    NoKing(Color),
    #[error("{0:?} has more than one king")]
    ManyKings(Color),
    #[error("a pawn on {0}")]
    PawnOnBackRank(Square),
    #[error("{0:?} has more pieces than eight pawns can become")]
    TooMuchMaterial(Color),
    #[error("{color:?} cannot have the right to castle {}: king and rook are not in place", wing(*.side))]
    NoSuchRight { color: Color, side: CastlingSide },
    #[error("no pawn has just advanced over the en passant square {0}")]
    NoSuchAdvance(Square),
    #[error("{0:?} is in check, but it is {other:?}'s turn", other = !*.0)]
    OtherSideInCheck(Color),
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
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum SanError {
    /// In no notation.
    #[error("not a move")]
    NotAMove,
    #[error("a null move, which is not chess")]
    NullMove,
    /// As in Crazyhouse: `N@f3`.
    #[error("a drop, which is not chess")]
    Drop,
    #[error("not a legal move in this variant")]
    NotInVariant,
    #[error("{0:?} is checkmated: the game is over")]
    Checkmated(Color),
    #[error("{0:?} is stalemated: the game is over")]
    Stalemated(Color),
    #[error("{color:?} has no {}{}", role_name(*.role), Where(*.file, *.rank))]
    NoSuchPiece { color: Color, role: Role, file: Option<File>, rank: Option<Rank> },
    #[error("no piece on {0}")]
    EmptySquare(Square),
    #[error("the {found} is {}, but it is {turn:?}'s turn", turn.fold_wb("black", "white"))]
    OtherSide { turn: Color, found: PieceOn },
    #[error("the piece on {} is a {}, not a {}", .found.1, role_name(.found.0), role_name(*.role))]
    OtherPiece { found: PieceOn, role: Role },
    #[error("{color:?}'s own {} is on {to}", role_name(*.role))]
    OwnPiece { color: Color, role: Role, to: Square },
    #[error("no {} {}{} can reach {to}", color.fold_wb("white", "black"), role_name(*.role), Where(*.file, *.rank))]
    CannotReach { color: Color, role: Role, file: Option<File>, rank: Option<Rank>, to: Square },
    #[error("the {piece} cannot reach {to}: the {by} is in the way")]
    Blocked { piece: PieceOn, to: Square, by: PieceOn },
    #[error("the {piece} is pinned to the king on {king} by the {by}")]
    Pinned { piece: PieceOn, king: Square, by: PieceOn },
    #[error("the king on {king} would stay in check from the {by}")]
    InCheck { king: Square, by: PieceOn },
    #[error("the king would be in check on {to} from the {by}")]
    IntoCheck { to: Square, by: PieceOn },
    #[error("capturing en passant would leave the king on {king} in check from the {by}")]
    EnPassantPinned { king: Square, by: PieceOn },
    #[error("the pawn on {from} is blocked by the {by}")]
    PawnBlocked { from: Square, by: PieceOn },
    #[error("the pawn on {from} has nothing to capture on {to}")]
    NothingToCapture { from: Square, to: Square },
    #[error(
        "the pawn on {from} may not capture en passant on {to}: the other pawn did not advance with the last move"
    )]
    EnPassantGone { from: Square, to: Square },
    #[error("the promotion piece on {0} is missing, for example {0}=Q")]
    PromotionMissing(Square),
    #[error("no pawn is promoted on {0}")]
    PromotionMisplaced(Square),
    #[error("a {} is not promoted", role_name(*.0))]
    PromotionOfPiece(Role),
    #[error("a pawn does not become a {}", role_name(*.0))]
    PromotionToThat(Role),
    #[error("ambiguous: the {name}s on {first} and {second} can both go to {to}", name = role_name(*.role))]
    Ambiguous { role: Role, first: Square, second: Square, to: Square },
    #[error("{color:?} does not have the right to castle {}", wing(*.side))]
    CastlingNoRight { color: Color, side: CastlingSide },
    #[error("castling {} is blocked by the {by}", wing(*.side))]
    CastlingBlocked { side: CastlingSide, by: PieceOn },
    #[error("no castling in check: the {0} gives check")]
    CastlingInCheck(PieceOn),
    #[error("castling {} is not possible: {over} is attacked by the {by}", wing(*.side))]
    CastlingThroughCheck { side: CastlingSide, over: Square, by: PieceOn },
}

/// A piece and its square: `bishop on b4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceOn(pub Role, pub Square);

impl fmt::Display for PieceOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", role_name(self.0), self.1)
    }
}

/// Returns the name of a piece, such as `knight`.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn wing(side: CastlingSide) -> &'static str {
    if side.is_king_side() { "kingside" } else { "queenside" }
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

fn shown(byte: u8) -> String {
    match byte {
        0x21..=0x7e => char::from(byte).to_string(),
        byte => format!("byte {byte:#04x}"),
    }
}

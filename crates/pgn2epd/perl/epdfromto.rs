use san::{CastlingSide, Color, File, Move, Square};

use super::Board;
use super::epdlist::trimmed;
use crate::EpdListError;
use crate::epdlist::play;

/// What a move does, in the words of the module. What does not apply is an empty string.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FromTo {
    /// The FEN letter of the piece that moves; `KR` when castling.
    pub piece: String,
    /// The square it leaves; when castling those of king and rook, `e1h1`.
    pub from: String,
    /// The square it goes to; when castling those of king and rook, `g1f1`.
    pub to: String,
    /// The FEN letter of the piece that a pawn becomes.
    pub promotion: String,
    /// The square of the pawn that is captured en passant.
    pub enpassant: String,
    /// `O-O` or `O-O-O`, with the check mark that the move has in the list.
    pub castles: String,
}

/// What each of the moves does, from the usual array.
///
/// # Errors
///
/// If a move cannot be played. The module says `Not yet handled` in the place of the piece.
///
/// ```
/// let moves = pgn2epd::perl::epdfromto(["e4", "a6", "e5", "d5", "exd6"])?;
/// assert_eq!((&*moves[4].from, &*moves[4].to, &*moves[4].enpassant), ("e5", "d6", "d5"));
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdfromto<I>(moves: I) -> Result<Vec<FromTo>, EpdListError>
where
    I: IntoIterator<Item: AsRef<str>>,
{
    Board::default().epdfromto(moves)
}

impl Board {
    /// What each of the moves does, from this position. The board stays as it is.
    ///
    /// # Errors
    ///
    /// If the position is not legal, or a move cannot be played.
    pub fn epdfromto<I>(&self, moves: I) -> Result<Vec<FromTo>, EpdListError>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let moves: Vec<I::Item> = moves.into_iter().collect();
        let mut all = Vec::new();
        play(self.position()?, trimmed(&moves), |token, next, after| {
            all.push(from_to(token, next, !after.turn()));
        })?;
        Ok(all)
    }
}

fn from_to(token: &str, next: Move, color: Color) -> FromTo {
    if let (Some(side), Some(rook)) = (next.castling(), next.castling_rook()) {
        return castling(token, next, side, rook);
    }
    let promotion = next.promotion().map(|role| role.of(color).char().to_string());
    let captured = Square::from_coords(next.to().file(), next.from().rank());
    FromTo {
        piece: next.role().of(color).char().to_string(),
        from: next.from().to_string(),
        to: next.to().to_string(),
        promotion: promotion.unwrap_or_default(),
        enpassant: if next.is_en_passant() { captured.to_string() } else { String::new() },
        castles: String::new(),
    }
}

fn castling(token: &str, next: Move, side: CastlingSide, rook: Square) -> FromTo {
    let (name, rook_file) = match side {
        CastlingSide::KingSide => ("O-O", File::F),
        CastlingSide::QueenSide => ("O-O-O", File::D),
    };
    let mark = token.trim_end_matches(['!', '?']).chars().last();
    let mark = mark.filter(|mark| matches!(mark, '+' | '#')).map(String::from);
    FromTo {
        piece: "KR".into(),
        from: format!("{}{rook}", next.from()),
        to: format!("{}{}", next.to(), Square::from_coords(rook_file, rook.rank())),
        castles: format!("{name}{}", mark.unwrap_or_default()),
        ..FromTo::default()
    }
}

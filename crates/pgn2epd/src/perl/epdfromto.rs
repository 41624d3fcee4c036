use san::{CastlingSide, Color, File, Move, Square};

use super::Board;
use super::epdlist::trimmed;
use crate::epdlist::{EpdListError, play};

/// The effect of a move, in the terms of the module. Fields that do not apply are empty strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FromTo {
    /// The FEN letter of the piece that moves; `KR` when castling.
    pub piece: String,
    /// The origin square; for castling those of king and rook, `e1h1`.
    pub from: String,
    /// The destination square; for castling those of king and rook, `g1f1`.
    pub to: String,
    /// The FEN letter of the promotion piece.
    pub promotion: String,
    /// The square of the pawn that is captured en passant.
    pub enpassant: String,
    /// `O-O` or `O-O-O`, with the check mark given in the list.
    pub castles: String,
}

/// Returns the effect of each move, from the starting position.
///
/// # Errors
///
/// Returns an error if a move is illegal. The module returns `Not yet handled` as the piece.
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
    /// Returns the effect of each move, from this position. The board is not changed.
    ///
    /// # Errors
    ///
    /// Returns an error if the position or a move is illegal.
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

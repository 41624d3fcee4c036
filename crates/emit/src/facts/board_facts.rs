//! Facts that follow from the board and the move played: counts of pieces, pawns, the rules.

use epd::RecordRef;
use san::{AnyPosition, Bitboard, Color, File, Position, Role, Square};

use super::Fact;
use super::fact_value::FactValue;
use crate::ply::Ply;

/// Returns the value of a fact that is [of the board](Fact::is_of_board), if there is one.
#[inline(never)]
pub(super) fn value<P: AnyPosition>(fact: Fact, ply: &Ply<'_, P>) -> Option<FactValue<'static>> {
    let position = ply.position;
    match fact {
        Fact::Capture => return Some(FactValue::Truth(position.is_capture(ply.next?))),
        Fact::Castle => {
            let san = position.san_of(ply.next?);
            return Some(FactValue::Truth(san.as_bytes().starts_with(b"O")));
        }
        Fact::Castling => return Some(FactValue::Field(2)),
        Fact::Ep => return Some(FactValue::Field(3)),
        Fact::Hmvc => {
            let written = ply.known().and_then(|known| known.written);
            let is_known = written.is_none_or(RecordRef::has_halfmove_clock);
            return is_known.then(|| FactValue::Number(position.halfmoves().into()));
        }
        Fact::Insufficient => return Some(FactValue::Truth(position.is_insufficient_material())),
        Fact::Piece => return Some(FactValue::Text(piece(position.san_of(ply.next?).as_bytes()))),
        _ => {}
    }
    of_chess(fact, position.as_chess()?)
}

fn of_chess(fact: Fact, position: &Position) -> Option<FactValue<'static>> {
    let both = |role| position.pieces(role).count();
    let of = |color, role| (position.pieces(role) & position.side(color)).count();
    let (white, black) = (|role| of(Color::White, role), |role| of(Color::Black, role));
    let number = match fact {
        Fact::BlackBishops => black(Role::Bishop),
        Fact::BlackKnights => black(Role::Knight),
        Fact::BlackPawns => black(Role::Pawn),
        Fact::BlackQueens => black(Role::Queen),
        Fact::BlackRooks => black(Role::Rook),
        Fact::WhiteBishops => white(Role::Bishop),
        Fact::WhiteKnights => white(Role::Knight),
        Fact::WhitePawns => white(Role::Pawn),
        Fact::WhiteQueens => white(Role::Queen),
        Fact::WhiteRooks => white(Role::Rook),
        Fact::Bishops => both(Role::Bishop),
        Fact::Knights => both(Role::Knight),
        Fact::Pawns => both(Role::Pawn),
        Fact::Queens => both(Role::Queen),
        Fact::Rooks => both(Role::Rook),
        Fact::Minors => both(Role::Bishop) + both(Role::Knight),
        Fact::Npm => {
            let minors = both(Role::Bishop) + both(Role::Knight);
            9 * both(Role::Queen) + 5 * both(Role::Rook) + 3 * minors
        }
        Fact::Legal => position.legal_moves().len(),
        Fact::Blocked => pawns(position, |pawn, _, enemies| enemies.contains(pawn.next())),
        Fact::Doubled => pawns(position, |pawn, own, _| {
            own.into_iter().any(|other| pawn.files_to(other) == 0 && pawn.is_before(other))
        }),
        Fact::Islands => Color::ALL.into_iter().map(|color| islands(position, color)).sum(),
        Fact::Isolated => {
            pawns(position, |pawn, own, _| own.into_iter().all(|other| pawn.files_to(other) != 1))
        }
        Fact::Passed => pawns(position, |pawn, _, enemies| {
            enemies.into_iter().all(|other| pawn.files_to(other) > 1 || !pawn.is_before(other))
        }),
        _ => return truth(fact, position).map(FactValue::Truth),
    };
    Some(FactValue::Number(number as u64))
}

fn truth(fact: Fact, position: &Position) -> Option<bool> {
    let bishops = |color| position.pieces(Role::Bishop) & position.side(color);
    Some(match fact {
        Fact::Checkmate => position.is_checkmate(),
        Fact::Stalemate => position.is_stalemate(),
        Fact::OppositeBishops => {
            let [white, black] = Color::ALL.map(bishops);
            let is_light = |bishops: Bitboard| (bishops & Bitboard::LIGHT_SQUARES).any();
            white.count() == 1 && black.count() == 1 && is_light(white) != is_light(black)
        }
        Fact::OppositeCastling => {
            let [white, black] = Color::ALL.map(|color| position.king(color).file());
            let are_apart = |queen: File, king: File| queen <= File::C && king >= File::F;
            are_apart(white, black) || are_apart(black, white)
        }
        _ => return None,
    })
}

/// Returns the letter of the piece that a move in SAN moves.
fn piece(san: &[u8]) -> &'static str {
    match san.first() {
        Some(b'K' | b'O') => "K",
        Some(b'Q') => "Q",
        Some(b'R') => "R",
        Some(b'B') => "B",
        Some(b'N') => "N",
        _ => "P",
    }
}

/// A pawn of a side.
struct Pawn {
    square: Square,
    color: Color,
}

impl Pawn {
    /// Returns the number of files between the pawn and a square.
    fn files_to(&self, other: Square) -> u32 {
        (self.square.file() as u32).abs_diff(other.file() as u32)
    }

    /// Whether a square is on a rank that the pawn has not reached.
    fn is_before(&self, other: Square) -> bool {
        self.color.fold_wb(other.rank() > self.square.rank(), other.rank() < self.square.rank())
    }

    /// Returns the square before the pawn. No pawn is on the last rank.
    fn next(&self) -> Square {
        self.square.offset(self.color.fold_wb(8, -8)).unwrap_or(self.square)
    }
}

/// Counts the pawns of both sides of which something holds: the pawn, those of its side, and those of the other.
fn pawns(position: &Position, holds: impl Fn(&Pawn, Bitboard, Bitboard) -> bool) -> usize {
    let all = position.pieces(Role::Pawn);
    let of_side = |color: Color| {
        let (own, enemies) = (all & position.side(color), all & position.side(!color));
        let holds = |square: &Square| holds(&Pawn { square: *square, color }, own, enemies);
        own.into_iter().filter(holds).count()
    };
    Color::ALL.into_iter().map(of_side).sum()
}

/// Counts the groups of neighbouring files with pawns of a side.
fn islands(position: &Position, color: Color) -> usize {
    let own = position.pieces(Role::Pawn) & position.side(color);
    let has_pawn = |file: File| (own & Bitboard::from(file)).any();
    let begins =
        |file: &File| has_pawn(*file) && file.offset(-1).is_none_or(|left| !has_pawn(left));
    File::ALL.into_iter().filter(begins).count()
}

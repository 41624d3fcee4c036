//! Facts that follow from the board and the move played: counts of pieces, pawns, the rules.

use epd::RecordRef;
use san::{AnyPosition, Bitboard, Color, File, Position, Role};

use super::Fact;
use super::fact_value::{FactValue, Written};
use crate::ply::Ply;

#[inline(never)]
pub(super) fn value<P: AnyPosition>(fact: Fact, ply: &Ply<'_, P>) -> Option<FactValue<'static>> {
    let position = ply.position;
    match fact {
        Fact::Capture => return Some(FactValue::Truth(position.is_capture(ply.next?))),
        Fact::Captured => {
            let (next, chess) = (ply.next?, position.as_chess()?);
            if !position.is_capture(next) {
                return None;
            }
            // En passant the square is empty.
            let role = chess.role(position.squares_of(next)?.1).unwrap_or(Role::Pawn);
            return Some(FactValue::Text(role_name(role)));
        }
        Fact::Castle => return Some(FactValue::Truth(position.is_castling(ply.next?))),
        Fact::Castling => return Some(FactValue::Written(Written::Field(2))),
        Fact::Ep => return Some(FactValue::Written(Written::Field(3))),
        Fact::Hmvc => {
            let written = ply.known().and_then(|known| known.written);
            let is_known = written.is_none_or(RecordRef::has_halfmove_clock);
            return is_known.then(|| FactValue::Number(position.halfmoves().into()));
        }
        Fact::Insufficient => return Some(FactValue::Truth(position.is_insufficient_material())),
        Fact::Piece => return Some(FactValue::Text(role_name(position.role_of(ply.next?)))),
        _ => {}
    }
    of_chess(fact, position.as_chess()?)
}

fn of_chess(fact: Fact, position: &Position) -> Option<FactValue<'static>> {
    if let Some(count) = count(fact, position, u32::MAX) {
        return Some(FactValue::Number(count.into()));
    }
    truth(fact, position).map(FactValue::Truth)
}

/// Returns the value of a fact that is a count on the board of chess; of legal moves up to `most`.
#[inline(never)]
pub(super) fn count(fact: Fact, position: &Position, most: u32) -> Option<u32> {
    let both = |role| position.pieces(role).count();
    let of = |color, role| (position.pieces(role) & position.side(color)).count();
    let (white, black) = (|role| of(Color::White, role), |role| of(Color::Black, role));
    let count = match fact {
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
        Fact::Legal => position.count_legal_moves(most) as usize,
        Fact::Blocked | Fact::Doubled | Fact::Islands | Fact::Isolated | Fact::Passed => {
            Color::ALL.into_iter().map(|color| of_pawns(fact, position, color)).sum()
        }
        _ => return None,
    };
    Some(count as u32)
}

/// Counts the pawns of a side of which something holds, or their groups.
fn of_pawns(fact: Fact, position: &Position, color: Color) -> usize {
    let all = position.pieces(Role::Pawn);
    let own = (all & position.side(color)).0;
    let enemies = (all & position.side(!color)).0;
    let (a, h) = (Bitboard::from(File::A).0, Bitboard::from(File::H).0);
    let beside = |squares: u64| (squares & !a) >> 1 | (squares & !h) << 1;
    // The squares behind some, seen from this side.
    let behind = |squares: u64| color.fold_wb(south(squares), north(squares));
    let files = |squares: u64| north(squares) | south(squares) | squares;
    let found = match fact {
        Fact::Blocked => own & color.fold_wb(enemies >> 8, enemies << 8),
        Fact::Doubled => own & behind(own),
        Fact::Isolated => own & !files(beside(own)),
        Fact::Passed => {
            let in_front = behind(enemies);
            own & !(in_front | beside(in_front))
        }
        // The first file of each group, on one rank.
        _ => {
            let files = files(own) & 0xff;
            files & !(files << 1)
        }
    };
    found.count_ones() as usize
}

fn north(squares: u64) -> u64 {
    let mut all = squares << 8;
    all |= all << 8;
    all |= all << 16;
    all | all << 32
}

fn south(squares: u64) -> u64 {
    let mut all = squares >> 8;
    all |= all >> 8;
    all |= all >> 16;
    all | all >> 32
}

pub(super) fn truth(fact: Fact, position: &Position) -> Option<bool> {
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

fn role_name(role: Role) -> &'static str {
    match role {
        Role::King => "K",
        Role::Queen => "Q",
        Role::Rook => "R",
        Role::Bishop => "B",
        Role::Knight => "N",
        Role::Pawn => "P",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with values that were counted by hand.
    #[test]
    fn the_facts_of_a_board_are_those_counted_by_hand() {
        let rooks = "4k3/p1p2p2/p7/1P3P2/3r4/3P4/5P1R/1B2K1b1 w - - 0 1";
        let cases: [(&str, &[(Fact, u64)]); 4] = [
            (
                rooks,
                &[
                    (Fact::WhitePawns, 4),
                    (Fact::BlackPawns, 4),
                    (Fact::Pawns, 8),
                    (Fact::WhiteRooks, 1),
                    (Fact::BlackRooks, 1),
                    (Fact::Rooks, 2),
                    (Fact::WhiteBishops, 1),
                    (Fact::BlackBishops, 1),
                    (Fact::Minors, 2),
                    (Fact::Npm, 16),
                    // f7 is before f5, b5 before a6 and c7, and c7 before d3.
                    (Fact::Passed, 0),
                    // b5, d3, f2, f5, and all of Black.
                    (Fact::Isolated, 8),
                    // f2, a7.
                    (Fact::Doubled, 2),
                    (Fact::Blocked, 0),
                    // b, d, f; a, c, f.
                    (Fact::Islands, 6),
                ],
            ),
            (
                "4k3/3p4/3P4/8/pP6/8/6pP/4K3 w - - 0 1",
                &[
                    (Fact::Blocked, 2),
                    // a4, b4, g2 and h2: no pawn is before one beside it.
                    (Fact::Passed, 4),
                    (Fact::Isolated, 6),
                    (Fact::Islands, 6),
                ],
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                &[
                    (Fact::Npm, 62),
                    (Fact::Legal, 20),
                    (Fact::Islands, 2),
                    (Fact::Passed, 0),
                    (Fact::Queens, 2),
                    (Fact::Knights, 4),
                    (Fact::WhiteQueens, 1),
                    (Fact::BlackKnights, 2),
                    (Fact::Hmvc, 0),
                ],
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 b - - 7 90",
                &[(Fact::Npm, 0), (Fact::Legal, 5), (Fact::Hmvc, 7)],
            ),
        ];
        for (fen, facts) in cases {
            let position = Position::from_fen(fen).unwrap();
            for (fact, expected) in facts {
                let found = value(*fact, &Ply::new(&position, None, 0));
                assert_eq!(found, Some(FactValue::Number(*expected)), "{fact} of {fen}");
            }
        }
    }

    #[test]
    fn what_is_true_of_a_board_and_a_move() {
        let truths = [
            Fact::Checkmate,
            Fact::Stalemate,
            Fact::Insufficient,
            Fact::OppositeBishops,
            Fact::OppositeCastling,
        ];
        let cases: [(&str, &[Fact]); 6] = [
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", &[Fact::Checkmate]),
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", &[Fact::Stalemate, Fact::OppositeCastling]),
            ("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", &[Fact::Insufficient]),
            ("2b1k3/p7/8/8/8/8/P7/2B1K3 w - - 0 1", &[Fact::OppositeBishops]),
            ("4kb2/p7/8/8/8/8/P7/2B1K3 w - - 0 1", &[]),
            ("2kr4/p7/8/8/8/8/P7/5RK1 w - - 0 1", &[Fact::OppositeCastling]),
        ];
        for (fen, expected) in cases {
            let position = Position::from_fen(fen).unwrap();
            for fact in truths {
                let found = value(fact, &Ply::new(&position, None, 0));
                let expected = expected.contains(&fact);
                assert_eq!(found, Some(FactValue::Truth(expected)), "{fact} of {fen}");
            }
        }
        let position = Position::from_fen("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2").unwrap();
        let moves = [
            ("O-O", None, true, "K"),
            ("exd6", Some("P"), false, "P"),
            ("Rxa8+", Some("R"), false, "R"),
            ("b8=N", None, false, "P"),
            ("Kd2", None, false, "K"),
        ];
        for (san, captured, castle, piece) in moves {
            let capture = captured.is_some();
            let next = san::resolve(&position, san.as_bytes()).unwrap();
            let of = |fact| value(fact, &Ply::new(&position, Some(next), 0));
            assert_eq!(of(Fact::Capture), Some(FactValue::Truth(capture)), "{san}");
            assert_eq!(of(Fact::Captured), captured.map(FactValue::Text), "{san}");
            assert_eq!(of(Fact::Castle), Some(FactValue::Truth(castle)), "{san}");
            assert_eq!(of(Fact::Piece), Some(FactValue::Text(piece)), "{san}");
        }
        let end = Ply::new(&position, None, 0);
        let of_moves = [Fact::Capture, Fact::Captured, Fact::Castle, Fact::Piece];
        assert!(of_moves.into_iter().all(|fact| value(fact, &end).is_none()));
    }
}

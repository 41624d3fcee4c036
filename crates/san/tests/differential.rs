//! Random games, compared move by move with shakmaty.

use std::collections::BTreeSet;

use san::{
    Buffer, CastlingStyle, EnPassantPolicy, FieldStyle, Move, Position, resolve, resolve_plain,
    san_of, uci_of,
};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Epd};

use crate::random_game;

const GAMES: u64 = 3_000;

#[test]
fn random_games_are_those_of_shakmaty() {
    for seed in 0..GAMES {
        let mut ours: Option<Position> = None;
        random_game::play(seed, 120, |theirs, their_next| {
            let ours = ours.get_or_insert_with(|| Position::try_from(theirs).unwrap());
            assert_eq!(Chess::from(&*ours), *theirs);
            assert_same_text(ours, theirs);
            assert_same_state(ours, theirs);
            let san = SanPlus::from_move(theirs.clone(), their_next).to_string();
            let next =
                resolve(ours, san.as_bytes()).unwrap_or_else(|e| panic!("{ours}: {san}: {e}"));
            assert_eq!(resolve_plain(ours, san.as_bytes()), Some(next), "{ours}: {san}");
            assert_eq!(san_of(ours, next).as_str(), san, "{ours}");
            let gives_check = san.ends_with(['+', '#']);
            assert_eq!(ours.gives_check(next), gives_check, "{ours}: {san}");
            ours.play_unchecked(next);
        });
    }
}

/// All legal moves, in SAN and UCI, in both directions; for some positions of each game only, since
/// it is slow.
#[test]
fn the_legal_moves_of_random_positions_and_their_text_are_those_of_shakmaty() {
    for seed in 0..GAMES / 10 {
        let mut ply = seed;
        random_game::play(seed ^ 0xabcdef, 160, |theirs, _| {
            ply += 1;
            if ply.is_multiple_of(7) {
                assert_same_moves(&Position::try_from(theirs).unwrap(), theirs);
            }
        });
    }
}

fn assert_same_moves(ours: &Position, theirs: &Chess) {
    let our_moves = ours.legal_moves();
    let our_text: BTreeSet<String> =
        our_moves.iter().map(|m| san_of(ours, *m).to_string()).collect();
    let their_moves = theirs.legal_moves();
    let their_text: BTreeSet<String> =
        their_moves.iter().map(|m| SanPlus::from_move(theirs.clone(), *m).to_string()).collect();
    assert_eq!(our_text, their_text, "{ours}");
    assert_eq!(our_moves.len(), their_moves.len(), "{ours}");
    for next in our_moves {
        let san = san_of(ours, next);
        assert_eq!(resolve(ours, san.as_bytes()), Ok(next), "{ours}: {san}");
        assert_eq!(resolve(ours, uci_of(next).as_bytes()), Ok(next), "{ours}: {san}");
        assert_uci(ours, theirs, next);
    }
}

fn assert_uci(ours: &Position, theirs: &Chess, next: Move) {
    let uci: UciMove = uci_of(next).as_str().parse().unwrap();
    let their_next = uci.to_move(theirs).unwrap();
    assert_eq!(
        their_next.to_uci(CastlingMode::Chess960).to_string(),
        king_takes_rook(next),
        "{ours}"
    );
}

fn king_takes_rook(next: Move) -> String {
    match next.castling_rook() {
        Some(rook) => format!("{}{rook}", next.from()),
        None => uci_of(next).to_string(),
    }
}

fn assert_same_text(ours: &Position, theirs: &Chess) {
    let policies = [
        (EnPassantPolicy::Always, EnPassantMode::Always),
        (EnPassantPolicy::Pseudo, EnPassantMode::PseudoLegal),
        (EnPassantPolicy::Legal, EnPassantMode::Legal),
    ];
    let mut buffer = Buffer::default();
    for (en_passant, mode) in policies {
        buffer.clear();
        let mut line = buffer.line();
        let style = FieldStyle { castling: CastlingStyle::XFen, en_passant };
        san::write_fields(ours, style, &mut line);
        line.finish();
        let expected = Epd::from_position(theirs, mode).to_string();
        assert_eq!(String::from_utf8_lossy(buffer.as_bytes()), expected);
    }
}

fn assert_same_state(ours: &Position, theirs: &Chess) {
    assert_eq!(ours.halfmoves(), theirs.halfmoves());
    assert_eq!(ours.fullmoves(), theirs.fullmoves().get());
    assert_eq!(ours.castling_rooks(), theirs.castles().castling_rights());
    assert_eq!(ours.checkers(), theirs.checkers());
    let key: Zobrist64 = theirs.zobrist_hash(EnPassantMode::PseudoLegal);
    assert_eq!(ours.key(), key.0, "{ours}");
}

//! Laws for arbitrary input: no panics, written text is read back, and the fast path agrees with a
//! slow one.

use std::collections::HashMap;

use proptest::prelude::*;
use san::{EnPassantPolicy, Move, Position, SanError, Setup, resolve, resolve_plain, san_of};

use crate::random_game;

/// Returns all legal moves by all tokens of canonical form that they match: with any
/// disambiguation, with or without `x`.
///
/// A token that exactly one legal move matches means that move.
fn moves_by_token(position: &Position) -> HashMap<String, Vec<Move>> {
    let mut moves: HashMap<String, Vec<Move>> = HashMap::new();
    for next in position.legal_moves() {
        for token in tokens_of(position, next) {
            moves.entry(token).or_default().push(next);
        }
    }
    moves
}

fn tokens_of(position: &Position, next: Move) -> Vec<String> {
    if next.castling().is_some() {
        return vec![san_of(position, next).as_str().trim_end_matches(['+', '#']).to_owned()];
    }
    let letter = match next.role() {
        san::Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    let promotion =
        next.promotion().map_or(String::new(), |role| format!("={}", role.upper_char()));
    let (from, to) = (next.from().to_string(), next.to());
    let hints: &[&str] = match next.role() {
        san::Role::Pawn if next.is_capture() => &[&from[..1]],
        san::Role::Pawn => &["", &from[..1]],
        _ => &["", &from[..1], &from[1..], &from],
    };
    let mut tokens = Vec::new();
    for hint in hints {
        let marks: &[&str] = if letter.is_empty() && hint.is_empty() { &[""] } else { &["", "x"] };
        tokens.extend(marks.iter().map(|mark| format!("{letter}{hint}{mark}{to}{promotion}")));
    }
    tokens
}

/// Returns all tokens of canonical form that give a piece and a square, legal or not.
fn tokens() -> Vec<String> {
    let mut tokens = vec!["O-O".to_owned(), "O-O-O".to_owned()];
    for to in san::Square::ALL {
        for letter in ["N", "B", "R", "Q", "K"] {
            for hint in ["", "a", "e", "1", "4", "g", "7", "b1"] {
                tokens.push(format!("{letter}{hint}{to}"));
            }
        }
        tokens.push(to.to_string());
        tokens.push(format!("{to}=Q"));
        for file in ["a", "d", "h"] {
            tokens.push(format!("{file}x{to}"));
            tokens.push(format!("{file}x{to}=N"));
        }
    }
    tokens
}

#[test]
fn resolving_backwards_finds_what_the_list_of_legal_moves_has() {
    let tokens = tokens();
    for seed in 0..12 {
        let mut ply = 0;
        random_game::play(seed, 100, |theirs, _| {
            ply += 1;
            if ply % 9 != 0 {
                return;
            }
            let position = Position::try_from(theirs).unwrap();
            let moves = moves_by_token(&position);
            for token in &tokens {
                let only = match moves.get(token).map(Vec::as_slice) {
                    Some([only]) => Some(*only),
                    _ => None,
                };
                let found = resolve(&position, token.as_bytes()).ok();
                assert_eq!(found, only, "{token} in {position}");
                // A pawn that advances with an `x` is not written in plain SAN.
                let is_plain = |next: &Move| {
                    next.is_capture() || next.role() != san::Role::Pawn || !token.contains('x')
                };
                let plain = resolve_plain(&position, token.as_bytes());
                assert_eq!(plain, only.filter(is_plain), "{token} in {position}");
            }
        });
    }
}

fn position_of(seed: u64, plies: usize) -> Position {
    let mut last = Position::default();
    random_game::play(seed, plies, |theirs, _| last = Position::try_from(theirs).unwrap());
    last
}

proptest! {
    #[test]
    fn whatever_the_token_it_is_a_legal_move_or_a_reason(
        seed: u64, plies in 0_usize..80, token in proptest::collection::vec(any::<u8>(), 0..12),
    ) {
        let position = position_of(seed, plies);
        if let Ok(next) = resolve(&position, &token) {
            prop_assert!(position.legal_moves().contains(&next));
        }
    }

    #[test]
    fn whatever_looks_like_a_move_is_a_legal_move_or_a_reason(
        seed: u64, plies in 0_usize..80,
        token in "[NBRQKPa-h]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[QRBNKqrbn]|\\([QN]\\))?(\\+|#|!|e\\.p\\.)?",
    ) {
        let position = position_of(seed, plies);
        match resolve(&position, token.as_bytes()) {
            Ok(next) => prop_assert!(position.legal_moves().contains(&next)),
            Err(SanError::NotAMove) => {
                // A legal move of that form must never be reported as not a move.
                let written = position.legal_moves().iter().any(|next| san_of(&position, *next).as_str() == token);
                prop_assert!(!written);
            }
            Err(_) => {}
        }
    }

    #[test]
    fn whatever_the_bytes_a_fen_is_read_or_refused(fen in proptest::collection::vec(any::<u8>(), 0..100)) {
        let _ = Position::from_fen(&fen);
    }

    #[test]
    fn what_looks_like_a_fen_is_legal_there_as_here(
        ranks in proptest::collection::vec("[1-8kKpPrRnQ]{1,4}", 8), side in "[wb]", rights in "-|[KQkqAHah]{1,4}", square in "-|[a-h][36]",
    ) {
        let fen = format!("k6K/{} {side} {rights} {square} 0 1", ranks[1..].join("/"));
        let mut setup = match Setup::from_fen(fen.as_bytes()) { Ok(setup) => setup, Err(_) => return Ok(()) };
        let strict = setup.clone().position().is_ok();
        let theirs = fen.parse::<shakmaty::fen::Fen>().unwrap();
        let theirs = theirs.into_position::<shakmaty::Chess>(shakmaty::CastlingMode::Chess960);
        prop_assert_eq!(strict, theirs.is_ok(), "{}: {:?}", fen, theirs);
        let repairs = setup.repair();
        if strict {
            prop_assert!(repairs.is_empty());
        }
    }

    #[test]
    fn a_position_is_read_back_as_it_was_written(seed: u64, plies in 0_usize..120) {
        let position = position_of(seed, plies);
        prop_assert_eq!(Position::from_fen(position.to_string()).unwrap(), position.clone());
        let setup = Setup::from(&position);
        prop_assert_eq!(setup.position().unwrap(), position);
    }

    #[test]
    fn after_a_null_move_the_position_is_legal_and_has_no_en_passant_square(seed: u64, plies in 0_usize..80) {
        let mut position = position_of(seed, plies);
        let before = position.clone();
        if position.pass() {
            prop_assert_eq!(position.en_passant(EnPassantPolicy::Always), None);
            prop_assert_eq!(position.turn(), !before.turn());
            prop_assert_eq!(Position::from_fen(position.to_string()), Ok(position));
        } else {
            prop_assert_eq!(position, before);
        }
    }
}

//! The weights of Polyglot books, compared with a count on shakmaty's board.

use std::collections::{BTreeMap, BTreeSet};

use book::{Form, MoveChoice, Selection, UnknownResult};
use proptest::prelude::*;
use shakmaty::fen::Epd;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::algebra::{Game, counted as of_counts, game};
use crate::explorer::{counted, write};

/// The weights of the moves of each key, in the order of the book: by key, and by falling weight.
fn expected(games: &[Game], choice: MoveChoice, unknown: UnknownResult) -> Vec<(u64, u64)> {
    // Wins, draws, losses of the mover, and games without a result.
    let mut counts: BTreeMap<(u64, String), [u64; 4]> = BTreeMap::new();
    for game in games {
        let mut board = Chess::default();
        let mut played = BTreeSet::new();
        for san in game.moves() {
            let key: Zobrist64 = board.zobrist_hash(EnPassantMode::PseudoLegal);
            let result = match (game.result, board.turn()) {
                ("1-0", shakmaty::Color::White) | ("0-1", shakmaty::Color::Black) => 0,
                ("1/2-1/2", _) => 1,
                ("*", _) => 3,
                _ => 2,
            };
            // A game counts once for a position, with the first move from it.
            let fields = Epd::from_position(&board, EnPassantMode::Legal).to_string();
            if played.insert(fields) {
                counts.entry((key.0, san.clone())).or_default()[result] += 1;
            }
            let next = san.parse::<shakmaty::san::San>().unwrap().to_move(&board).unwrap();
            board.play_unchecked(next);
        }
    }
    let mut weights: Vec<(u64, u64)> = Vec::new();
    for ((key, _), [wins, draws, losses, unknowns]) in counts {
        let all = wins + draws + losses + unknowns;
        let draws = draws + if unknown == UnknownResult::Draw { unknowns } else { 0 };
        let (points, scored) = (2 * wins + draws, wins + draws + losses);
        // Of a million for each game, as points are two for each win.
        let has_score = choice.min_score.is_none_or(|least| points * 500_000 >= least * scored);
        if points > 0 && all >= choice.min_games && has_score {
            weights.push((key, points));
        }
    }
    weights.sort_by_key(|(key, weight)| (*key, std::cmp::Reverse(*weight)));
    weights
}

proptest! {
    #[test]
    fn weights_are_the_points_of_the_mover(
        games in prop::collection::vec(game(), 0..20),
        min_games in 0..4_u64,
        min_score in prop::option::of(0..1_000_000_u64),
        unknown_result in prop::sample::select(vec![UnknownResult::Draw, UnknownResult::Skip]),
    ) {
        let moves = MoveChoice { min_games, min_score, ..MoveChoice::default() };
        let selection = Selection { moves, unknown_result, ..Selection::default() };
        let source = of_counts(counted(&games), 1);
        let book = write(source, Form::Polyglot, &selection);
        let entries = book.as_chunks::<16>().0.iter().map(|entry| {
            let key = u64::from_be_bytes(entry[..8].try_into().unwrap());
            (key, u64::from(u16::from_be_bytes([entry[10], entry[11]])))
        });
        prop_assert_eq!(entries.collect::<Vec<_>>(), expected(&games, moves, unknown_result));
    }
}

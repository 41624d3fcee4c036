//! A slow, obvious conversion of games to records, used as a reference for the fast one.
//!
//! The input must be well-formed PGN with legal moves. Otherwise these functions panic with the
//! offending word: a tolerant reference would itself need to be verified.

use std::collections::HashMap;

use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, Setup};

pub mod remarks;
mod words;

pub use words::{Word, words};

/// A game: its tags, and the moves of its main line as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveGame {
    /// The tags by name; the last one of each name.
    pub tags: HashMap<String, String>,
    /// The moves, without numbers, glyphs etc.
    pub moves: Vec<String>,
}

/// Returns the games of a text. A tag after moves, a second `Event` tag, or anything after a result
/// begins a new game.
pub fn games(pgn: &str) -> Vec<NaiveGame> {
    let mut games = Vec::new();
    let mut game = NaiveGame::default();
    let mut is_open = false;
    for word in words(pgn) {
        match word {
            Word::Tag(name, value) => {
                if !game.moves.is_empty() || (name == "Event" && game.tags.contains_key("Event")) {
                    games.push(std::mem::take(&mut game));
                }
                game.tags.insert(name, value);
                is_open = true;
            }
            Word::Move(san) => {
                game.moves.push(san);
                is_open = true;
            }
            Word::Result => {
                games.push(std::mem::take(&mut game));
                is_open = false;
            }
        }
    }
    if is_open {
        games.push(game);
    }
    games
}

/// Returns the records of all games, as `pgn2epd` writes them by default, one per line, without
/// line ends.
///
/// A game of N plies has N+1 records: `PIECES SIDE CASTLING EP fmvn N; hmvc N; sm SAN;`, where `sm`
/// is the move played from this position, in canonical SAN; the last record has no `sm`. Castling
/// rights are in X-FEN.
pub fn records(pgn: &str, ep: EnPassantMode) -> Vec<String> {
    games(pgn).iter().flat_map(|game| game.records(ep)).collect()
}

impl NaiveGame {
    /// Returns the records of this game; see [`records`].
    pub fn records(&self, ep: EnPassantMode) -> Vec<String> {
        let mut position = start(self);
        let mut records = Vec::new();
        for text in &self.moves {
            let m = read_san(text, &position);
            let san = SanPlus::from_move(position.clone(), m);
            records.push(format!("{} sm {san};", fields(&position, ep)));
            position.play_unchecked(m);
        }
        records.push(fields(&position, ep));
        records
    }
}

fn fields(position: &Chess, ep: EnPassantMode) -> String {
    let epd = Epd::from_position(position, ep);
    format!("{epd} fmvn {}; hmvc {};", position.fullmoves(), position.halfmoves())
}

fn read_san(text: &str, position: &Chess) -> shakmaty::Move {
    let bare = text.trim_end_matches(['!', '?']);
    // Castling is often written with zeros, contrary to the standard; no other move begins with a
    // zero.
    let bare = if bare.starts_with("0-0") { bare.replace('0', "O") } else { bare.to_owned() };
    let san: SanPlus = bare.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"));
    san.san.to_move(position).unwrap_or_else(|error| {
        panic!("{text:?} in {}: {error}", Fen::from_position(position, EnPassantMode::Always))
    })
}

/// Returns the start position given by the tags.
#[expect(
    clippy::result_large_err,
    reason = "the error of shakmaty holds the position, to be forgiven"
)]
fn start(game: &NaiveGame) -> Chess {
    let Some(fen) = game.tags.get("FEN") else {
        return Chess::default();
    };
    let parsed: Fen = fen.parse().unwrap_or_else(|error| panic!("FEN {fen:?}: {error}"));
    let setup = parsed.into_setup();
    let mode = castling_mode(game, &setup);
    Chess::from_setup(setup, mode)
        .or_else(|error| error.ignore_invalid_ep_square())
        .or_else(|error| error.ignore_too_much_material())
        .or_else(|error| error.ignore_impossible_check())
        .unwrap_or_else(|error| panic!("FEN {fen:?}: {error}"))
}

/// Returns Chess960 if the tags state it, or if a king or a rook with castling rights is not on its
/// standard square.
fn castling_mode(game: &NaiveGame, setup: &Setup) -> CastlingMode {
    let variant =
        game.tags.get("Variant").map(|name| name.to_ascii_lowercase()).unwrap_or_default();
    if variant.contains("960") || variant.contains("fischer") {
        CastlingMode::Chess960
    } else {
        CastlingMode::detect(setup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_position_is_a_record_with_the_move_played_from_it() {
        assert_eq!(
            records("1. e4 (1. d4 d5) e5!? {odd} 2. Qh5 $1 Ke7 3. Qxe5 1-0", EnPassantMode::Always),
            [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - fmvn 1; hmvc 0; sm e4;",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 fmvn 1; hmvc 0; sm e5;",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 fmvn 2; hmvc 0; sm Qh5;",
                "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - fmvn 2; hmvc 1; sm Ke7;",
                "rnbq1bnr/ppppkppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQ - fmvn 3; hmvc 2; sm Qxe5#;",
                "rnbq1bnr/ppppkppp/8/4Q3/4P3/8/PPPP1PPP/RNB1KBNR b KQ - fmvn 3; hmvc 0;",
            ]
        );
    }

    #[test]
    fn the_three_en_passant_policies_differ() {
        let squares = |pgn, mode| {
            let last = records(pgn, mode).pop().unwrap();
            last.split(' ').nth(3).unwrap().to_owned()
        };
        // The rook on e8 pins the pawn that could capture.
        let pinned = "[FEN \"4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1\"]\n1... d5 *";
        assert_eq!(squares("1. e4 *", EnPassantMode::Always), "e3");
        assert_eq!(squares("1. e4 *", EnPassantMode::PseudoLegal), "-");
        assert_eq!(squares(pinned, EnPassantMode::PseudoLegal), "d6");
        assert_eq!(squares(pinned, EnPassantMode::Legal), "-");
    }

    #[test]
    fn chess960_games_castle_with_their_own_rooks() {
        let pgn = "[Variant \"Chess960\"]\n[FEN \"nqbbrkrn/pppppppp/8/8/8/8/PPPPPPPP/NQBBRKRN w GEge - 0 1\"]\n\n\
                   1. e4 e5 2. O-O O-O *";
        let records = records(pgn, EnPassantMode::Legal);
        assert!(records[0].contains(" w KQkq - "), "{}", records[0]);
        assert_eq!(
            records[4],
            "nqbbrrkn/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/NQBBRRKN w - - fmvn 3; hmvc 2;"
        );
    }

    #[test]
    fn games_are_separated() {
        let pgn =
            "[Event \"a\"]\n\n[Event \"b\"]\n\n*\n\n1. e4 *\n1. d4 d5 1-0 [Event \"c\"]\n1. c4";
        let moves: Vec<usize> = games(pgn).iter().map(|game| game.moves.len()).collect();
        assert_eq!(moves, [0, 0, 1, 2, 1]);
    }
}

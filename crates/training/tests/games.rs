//! Random games.

use san::{AnyPosition, CastlingStyle, EnPassantPolicy, FieldStyle, Move, Position};
use testkit::rng::Rng;
use training::{Encoder, GameResult, Score, TrainingFormat};

/// A game: positions, each with the move played from it and a score of the side to move, or without
/// a score.
#[derive(Debug)]
pub(crate) struct RandomGame {
    pub(crate) plies: Vec<(Position, Move, Option<Score>)>,
    pub(crate) result: GameResult,
}

/// Plays a game. `chess960` is whether it starts from a position of Chess960.
pub(crate) fn random(dice: &mut Rng, chess960: bool) -> RandomGame {
    let mut position = if chess960 { start960(dice) } else { Position::default() };
    if dice.one_in(4) {
        position.set_clocks(dice.below(120), dice.below(400));
    }
    let mut plies = Vec::new();
    let mut centipawns = 20;
    for _ in 0..dice.between(1, 140) {
        let moves = position.legal_moves();
        // Castling, en passant captures and promotions are rare.
        let rare = moves.iter().filter(|played| {
            played.castling().is_some() || played.is_en_passant() || played.promotion().is_some()
        });
        let rare: Vec<&Move> = rare.collect();
        if moves.is_empty() {
            break;
        }
        let played = if rare.is_empty() { dice.pick(&moves) } else { *dice.pick(&rare) };
        centipawns = -centipawns + dice.below(61) as i32 - 30;
        let score = match dice.below(40) {
            0 => None,
            1 => Some(Score::mates_in(dice.below(300))),
            2 => Some(Score::mated_in(dice.below(300))),
            3 => Some(Score::new(dice.below(80_000) as i32 - 40_000)),
            _ => Some(Score::new(centipawns)),
        };
        plies.push((position.clone(), played, score));
        position.play_unchecked(played);
    }
    let result = dice.pick(&[GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins]);
    RandomGame { plies, result }
}

fn start960(dice: &mut Rng) -> Position {
    let board = shakmaty::Board::chess960(dice.below(960));
    let setup =
        shakmaty::Setup { castling_rights: board.rooks(), board, ..shakmaty::Setup::initial() };
    let fen = shakmaty::fen::Fen::try_from(setup).unwrap().to_string();
    Position::from_fen(&fen).unwrap()
}

/// An entry that the format can represent.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) position: Position,
    pub(crate) played: Move,
    pub(crate) score: Score,
    pub(crate) result: GameResult,
}

/// Encodes games; returns the entries that the format can represent.
pub(crate) fn encode(encoder: &mut Encoder, games: &[RandomGame]) -> Vec<Expected> {
    let mut written = Vec::new();
    for game in games {
        encoder.begin_game();
        for (position, played, score) in &game.plies {
            let Some(score) = *score else {
                encoder.skip();
                continue;
            };
            if encoder.push(position, Some(*played), score) {
                let (position, played, result) = (position.clone(), *played, game.result);
                written.push(Expected { position, played, score, result });
            }
        }
        encoder.end_game(game.result);
    }
    written
}

/// Returns the bytes of a file.
pub(crate) fn file(format: TrainingFormat, encoder: &Encoder) -> Vec<u8> {
    if format != TrainingFormat::Binpack {
        return encoder.bytes().to_vec();
    }
    let (mut blocks, mut file) = (training::Blocks::default(), Vec::new());
    let mut written = blocks.add(encoder.bytes(), encoder.ends(), &mut file).unwrap();
    written += blocks.finish(&mut file).unwrap();
    assert_eq!(written, file.len() as u64);
    file
}

/// The FEN with the en passant square that a decoder has.
pub(crate) fn fen(
    position: &Position,
    castling: CastlingStyle,
    en_passant: EnPassantPolicy,
) -> String {
    let style = FieldStyle { castling, en_passant };
    position.fen(style)
}

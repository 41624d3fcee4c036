//! Evaluations as scores of training data.

use epd::{Centipawns, Mate};
use san::Position;
use training::{Score, ScoreUnit};

/// Returns the score of an evaluation of a position; `None` for the value of an illegal position.
///
/// ```
/// use epd::Centipawns;
/// use san::Position;
/// use training::ScoreUnit;
///
/// let start = Position::default();
/// let mate = Centipawns::gives_mate_in_moves(2).unwrap();
/// assert_eq!(emit::score_of(mate, ScoreUnit::Centipawns, &start).unwrap().get(), 31997);
/// let evaluation = Centipawns::new(-219).unwrap();
/// assert_eq!(emit::score_of(evaluation, ScoreUnit::Stockfish, &start).unwrap().get(), -829);
/// ```
#[inline(always)]
pub fn score_of(evaluation: Centipawns, unit: ScoreUnit, position: &Position) -> Option<Score> {
    score_with(evaluation, |centipawns| unit.of_centipawns(centipawns, position))
}

/// Returns the score of an evaluation in centipawns, which are those of any variant.
pub fn plain_score_of(evaluation: Centipawns) -> Option<Score> {
    score_with(evaluation, Score::new)
}

#[inline(always)]
fn score_with(evaluation: Centipawns, other: impl FnOnce(i32) -> Score) -> Option<Score> {
    match evaluation.mate() {
        Some(Mate::Gives { plies }) => Some(Score::mates_in(plies)),
        Some(Mate::Gets { plies }) => Some(Score::mated_in(plies)),
        None if evaluation.is_illegal_position() => None,
        None => Some(other(evaluation.get())),
    }
}

/// Returns the evaluation that a score stands for; `None` if it stands for none.
///
/// ```
/// use san::Position;
/// use training::{Score, ScoreUnit};
///
/// let start = Position::default();
/// let evaluation = |score| emit::evaluation_of(Score::of_raw(score), ScoreUnit::Stockfish, &start);
/// assert_eq!(evaluation(-829).unwrap().get(), -219);
/// assert_eq!(evaluation(31997), epd::Centipawns::gives_mate_in_moves(2));
/// assert_eq!(evaluation(32002), None);
/// ```
pub fn evaluation_of(score: Score, unit: ScoreUnit, position: &Position) -> Option<Centipawns> {
    let evaluation = match score.mate() {
        Some((true, plies)) => Centipawns::gives_mate_in_plies(plies.max(1)),
        Some((false, plies)) => Centipawns::gets_mated_in_plies(plies.max(1)),
        None if score.is_none() => None,
        None => Some(Centipawns::without_mate(unit.to_centipawns(score, position).into())),
    };
    evaluation.map(Centipawns::with_possible_mate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_after_an_impossible_number_of_plies_is_that_in_the_same_number_of_moves() {
        // Scores count plies from 32000.
        for (score, evaluation) in
            [(31999, 32766), (31998, 32766), (31997, 32764), (-31998, -32765), (-31999, -32765)]
        {
            let score = Score::of_raw(score);
            let read = evaluation_of(score, ScoreUnit::Centipawns, &Position::default());
            assert_eq!(read.map(Centipawns::get), Some(evaluation), "{score:?}");
        }
    }

    #[test]
    fn a_mate_that_was_stored_is_stored_the_same_again() {
        let (unit, start) = (ScoreUnit::Centipawns, Position::default());
        for moves in 1..380 {
            let mates = [
                Centipawns::gives_mate_in_moves(moves).unwrap(),
                Centipawns::gets_mated_in_moves(moves).unwrap(),
            ];
            for mate in mates {
                let score = score_of(mate, unit, &start).unwrap();
                let read = evaluation_of(score, unit, &start).unwrap();
                assert_eq!(score_of(read, unit, &start), Some(score), "{moves}");
                assert_eq!(read == mate, moves <= 123, "{moves}");
            }
        }
    }
}

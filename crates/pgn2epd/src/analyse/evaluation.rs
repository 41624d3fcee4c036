//! An answer as operations.

use engine::{Answer, EvaluatedLine, Score, WinDrawLoss};
use epd::Centipawns;
use san::MoveText;

use super::options::AnalyseOptions;
use crate::options::best_moves::BestMoves;

/// Operations by opcode, with their operands.
pub(super) type Operations = Vec<(&'static str, String)>;

/// Which operations are written.
pub(super) struct EvaluationForm {
    bm: Option<BestMoves>,
    has_wdl: bool,
    /// Whether the time is written: it is not the same in each run, unless it is the limit.
    has_time: bool,
}

impl EvaluationForm {
    pub(super) fn new(options: &AnalyseOptions) -> Self {
        let AnalyseOptions { bm, movetime, .. } = options;
        EvaluationForm { bm: *bm, has_wdl: options.has_wdl(), has_time: movetime.is_some() }
    }

    /// Returns opcodes to replace, also without a new value: the old is not what this engine says.
    pub(super) fn opcodes(&self) -> &'static [&'static str] {
        const ALL: &[&str] = &["acd", "acn", "acs", "ce", "dm", "pm", "pv", "wdl", "bm"];
        if self.bm.is_some() { ALL } else { &ALL[..ALL.len() - 1] }
    }

    pub(super) fn operations(&self, answer: &Answer) -> Operations {
        let mut operations = Operations::new();
        let line = answer.lines.first();
        let mut add = |name, value: Option<String>| {
            operations.extend(value.map(|value| (name, value)));
        };
        add("acd", line.and_then(|line| line.depth).map(|depth| depth.to_string()));
        add("acn", answer.nodes.map(|nodes| nodes.to_string()));
        let time = answer.time.filter(|_| self.has_time);
        add("acs", time.map(|time| time.as_secs().to_string()));
        let score = line.map(|line| line.score);
        add("ce", score.and_then(centipawns).map(|ce| ce.to_string()));
        add(
            "dm",
            match score {
                Some(Score::Mate(moves @ 1..)) => Some(moves.to_string()),
                _ => None,
            },
        );
        let pv = line.map(|line| words(&line.moves)).filter(|pv| !pv.is_empty());
        add("pv", pv);
        let wdl = line.and_then(|line| line.wdl).filter(|_| self.has_wdl);
        add(
            "wdl",
            wdl.map(|WinDrawLoss { wins, draws, losses }| format!("{wins} {draws} {losses}")),
        );
        match self.bm {
            None => add("pm", Some(answer.best.to_string())),
            Some(bm) => add("bm", Some(words(&best_moves(answer, bm)))),
        }
        operations
    }
}

/// Returns an evaluation as the operation `ce` has it.
pub(super) fn centipawns(score: Score) -> Option<i32> {
    let ce = match score {
        Score::Centipawns(value) => Some(Centipawns::without_mate(value)),
        Score::Mate(moves) => Centipawns::mate_in_moves(moves),
    };
    ce.map(Centipawns::get)
}

/// Returns the best move, then others that are about as good.
fn best_moves(answer: &Answer, bm: BestMoves) -> Vec<MoveText> {
    let mut moves = vec![answer.best];
    if let (BestMoves::Within(centipawns), Some(best)) = (bm, answer.lines.first()) {
        let least = value(best.score) - i64::from(centipawns);
        let good = |line: &&EvaluatedLine| value(line.score) >= least;
        let first = |line: &EvaluatedLine| line.moves.first().copied();
        for mv in answer.lines.iter().filter(good).filter_map(first) {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
    }
    moves
}

/// Makes evaluations comparable: a mate is better than all else, an early one than a late one.
fn value(score: Score) -> i64 {
    const MATE: i64 = 1 << 40;
    match score {
        Score::Centipawns(value) => value.clamp(-MATE / 2, MATE / 2),
        Score::Mate(moves @ 1..) => MATE - moves.min(MATE / 4),
        Score::Mate(moves) => -MATE - moves.max(-MATE / 4),
    }
}

fn words(moves: &[MoveText]) -> String {
    let words: Vec<&str> = moves.iter().map(MoveText::as_str).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The better, the earlier in the list.
    #[test]
    fn a_mate_is_better_than_all_else_and_the_sooner_the_better_for_who_gives_it() {
        let mates = [1, 2, 3, 99, 1_000_000].map(Score::Mate);
        let mated = [i64::MIN, -1_000_000, -99, -3, -2, -1, 0].map(Score::Mate);
        let others = [i64::MAX / 2, 32_766, 5, 0, -5, -32_766, i64::MIN].map(Score::Centipawns);
        let order = [&mates[..], &others, &mated].concat();
        for pair in order.windows(2) {
            assert!(value(pair[0]) > value(pair[1]), "{pair:?}");
        }
    }
}

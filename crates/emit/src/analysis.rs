//! What an engine thought of a position, put together from the comments around it.

use std::time::Duration;

use san::MoveText;

use crate::remark::{commands, engine};
use crate::{Centipawns, Mate, Ply};

/// What is known of an engine's search of the position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Analysis {
    /// From the view of the side to move.
    pub(crate) evaluation: Option<Centipawns>,
    /// In plies.
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<Duration>,
    /// Legal moves, in the order of play.
    pub(crate) line: Vec<MoveText>,
}

impl Analysis {
    /// The analysis of a position: from the comments on it, which say what it is worth, and from those on the move that was
    /// played from it, where the engine that moved says what it had found.
    pub(crate) fn of(ply: &Ply<'_>) -> Self {
        let turn = ply.position.turn();
        let before = commands(ply.comments, turn);
        let behind = ply.ahead.map_or(&[][..], |ahead| ahead.comments);
        let Some(engine) = behind.iter().find_map(|comment| engine(comment, turn)) else {
            let (evaluation, depth) = (before.evaluation, before.depth);
            return Analysis { evaluation, depth, ..Analysis::default() };
        };
        Analysis {
            evaluation: engine.evaluation.or(before.evaluation),
            depth: engine.depth.or(before.depth),
            nodes: engine.nodes,
            time: engine.time,
            line: engine.line.map(|line| legal_line(ply, line)).unwrap_or_default(),
        }
    }

    /// The evaluation alone.
    pub(crate) fn evaluation(ply: &Ply<'_>) -> Option<Centipawns> {
        let turn = ply.position.turn();
        let behind = ply.ahead.map_or(&[][..], |ahead| ahead.comments);
        let engine = behind.iter().find_map(|comment| engine(comment, turn));
        engine
            .and_then(|engine| engine.evaluation)
            .or_else(|| commands(ply.comments, turn).evaluation)
    }

    /// In how many moves the side to move mates.
    pub(crate) fn mate_in_moves(&self) -> Option<u32> {
        match self.evaluation?.mate()? {
            Mate::Gives { plies } => Some(plies.div_ceil(2)),
            Mate::Gets { .. } => None,
        }
    }
}

/// The moves of an engine's line, up to the first that cannot be played.
fn legal_line(ply: &Ply<'_>, text: &str) -> Vec<MoveText> {
    let mut position = ply.position.clone();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let mut line = Vec::new();
    for word in text.split_whitespace().filter(|word| !is_number(word)) {
        let Ok(next) = san::resolve(&position, word.as_bytes()) else { break };
        line.push(san::san_of(&position, next));
        position.play_unchecked(next);
    }
    line
}

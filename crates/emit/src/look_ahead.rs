//! A sink that waits for the end of a game before it hands on what it got, so that each position comes with what follows.

use std::ops::Range;

use pgn::{Outcome, Place, TagPair};
use san::{Move, Position};

use crate::{Ahead, Branch, Ply, Problem, Sink, VariantPly};

/// Gives another sink the plies of a game once it is over, with [what comes behind them](crate::Ply::ahead).
///
/// It holds one game: some 200 bytes a ply.
#[derive(Debug)]
pub struct LookAhead<S> {
    sink: S,
    steps: Vec<Step>,
    branches: Vec<Branch>,
    /// Where each comment lies in `text`.
    comments: Vec<Range<usize>>,
    text: Vec<u8>,
}

#[derive(Debug)]
struct Step {
    position: Position,
    next: Option<Move>,
    number: u32,
    branches: Range<usize>,
    comments: Range<usize>,
    /// Whether the plan selects it.
    is_selected: bool,
}

impl<S: Sink> LookAhead<S> {
    /// Before `sink`.
    pub fn new(sink: S) -> Self {
        let (steps, branches, comments, text) = Default::default();
        LookAhead { sink, steps, branches, comments, text }
    }

    fn keep(&mut self, ply: Ply<'_>, is_selected: bool) {
        let branches = self.branches.len()..self.branches.len() + ply.branches.len();
        self.branches.extend_from_slice(ply.branches);
        let comments = self.comments.len()..self.comments.len() + ply.comments.len();
        for comment in ply.comments {
            let start = self.text.len();
            self.text.extend_from_slice(comment);
            self.comments.push(start..self.text.len());
        }
        let Ply { position, next, number, .. } = ply;
        let position = position.clone();
        self.steps.push(Step { position, next, number, branches, comments, is_selected });
    }

    fn clear(&mut self) {
        self.steps.clear();
        self.branches.clear();
        self.comments.clear();
        self.text.clear();
    }

    /// For each step the one that follows it in its line, and how many do.
    fn followers(&self) -> Vec<(Option<usize>, u32)> {
        let mut followers = vec![(None, 0); self.steps.len()];
        // From behind: the first step of each line that was met last, by its depth.
        let mut behind: Vec<Option<usize>> = Vec::new();
        for (i, step) in self.steps.iter().enumerate().rev() {
            let depth = step.branches.len();
            behind.resize(behind.len().max(depth + 1), None);
            if let Some(next) = behind[depth].filter(|_| step.next.is_some()) {
                followers[i] = (Some(next), followers[next].1 + 1);
            }
            behind[depth] = Some(i);
        }
        followers
    }

    fn hand_on(&mut self, outcome: Option<Outcome>) {
        let followers = self.followers();
        let comments: Vec<&[u8]> = self.comments.iter().map(|r| &self.text[r.clone()]).collect();
        for (step, (next, plies)) in self.steps.iter().zip(followers) {
            let next_comments = next.map_or(0..0, |i| self.steps[i].comments.clone());
            let ahead = Ahead { comments: &comments[next_comments], plies, outcome };
            let ply = Ply {
                position: &step.position,
                next: step.next,
                number: step.number,
                comments: &comments[step.comments.clone()],
                branches: &self.branches[step.branches.clone()],
                ahead: Some(&ahead),
            };
            if step.is_selected { self.sink.ply(ply) } else { self.sink.pass(ply) }
        }
    }
}

impl<S: Sink> Sink for LookAhead<S> {
    fn number(&mut self, game: u64, place: Place) {
        self.sink.number(game, place);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.clear();
        self.sink.begin(tags);
    }

    fn leave_out(&mut self) {
        self.sink.leave_out();
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.keep(ply, true);
    }

    fn pass(&mut self, ply: Ply<'_>) {
        self.keep(ply, false);
    }

    fn takes_variants(&self) -> bool {
        self.sink.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        self.sink.variant(ply);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.hand_on(outcome);
        self.clear();
        self.sink.end(outcome);
    }

    fn undo(&mut self) {
        self.clear();
        self.sink.undo();
    }

    fn problem(&mut self, problem: Problem) {
        self.sink.problem(problem);
    }
}

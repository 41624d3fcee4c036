//! Variations: lines that leave another one before its last move (PGN standard 8.2.5).

use san::{Move, MoveText};

use super::Replay;
use super::line::{Line, Mark};
use crate::ply::{Branch, Ply};
use crate::problem::Reason;
use crate::selection::filter::Verdict;
use crate::sink::{Movetext, Sink};

/// Maximum nesting of variations; deeper ones are skipped, so that no input exhausts memory.
const DEEPEST: usize = 100;

impl Replay<'_> {
    /// Handles `(`, which begins an alternative to the last move, or else to the next one.
    pub(super) fn open_variation(
        &mut self,
        line: &mut Line,
        depth: usize,
        sink: &mut (impl Sink + ?Sized),
    ) {
        if depth != self.outer.len() + 1 {
            return;
        }
        if depth > DEEPEST {
            self.token_problem(&line.position, b"(", Reason::TooDeep { limit: DEEPEST });
            return;
        }
        let here = Mark { comments: self.comments.len(), nags: self.nags.len() };
        let (position, number, noted) = match &line.before_last {
            Some(before) => (before.clone(), line.number - 1, line.noted),
            None if line.is_shown => (line.position.clone(), line.number, [line.from, here]),
            None => (line.position.clone(), line.number, line.noted),
        };
        let inner = Line {
            position,
            before_last: None,
            number,
            begin: here,
            from: here,
            noted,
            pending: None,
            is_main: false,
            is_shown: false,
        };
        self.outer.push(std::mem::replace(line, inner));
        self.tell(Movetext::Open, sink);
    }

    /// Handles the first move of a variation, which may be a null move.
    #[cold]
    pub(super) fn enter_variation(
        &mut self,
        line: &mut Line,
        first: Option<Move>,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let [from, to] = line.noted;
        let ply = Ply {
            comments: &self.comments[from.comments..to.comments],
            nags: &self.nags[from.nags..to.nags],
            branches: &self.branches,
            ..Ply::new(&line.position, first, line.number)
        };
        let is_wanted = match &mut self.condition {
            Some(condition) if self.decides_positions && self.verdict == Verdict::Depends => {
                condition.follow(&ply, true)
            }
            _ => true,
        };
        sink.alternative(ply, is_wanted && self.select.wants(line.number, false));
        let first = first.map_or(MoveText::NULL, |first| san::san_of(&line.position, first));
        self.branches.push(Branch { ply: line.number, first });
        // Comments before the first move go with the position after it.
        line.is_shown = true;
    }

    /// Handles `)`, or a move that cannot be played, and continues with the enclosing line.
    pub(super) fn close_variation(&mut self, line: &mut Line, sink: &mut (impl Sink + ?Sized)) {
        let outer = self.outer.pop().expect("a line is outside of every variation");
        self.end_variation(line, sink);
        self.tell(Movetext::Close, sink);
        *line = outer;
    }

    /// Passes the last position of a variation to the sink.
    fn end_variation(&mut self, line: &mut Line, sink: &mut (impl Sink + ?Sized)) {
        if !line.is_shown {
            // The variation has no move, so its comments belong to the enclosing line.
            return;
        }
        self.show(line, None, true, sink);
        self.branches.pop();
    }
}

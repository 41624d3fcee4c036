//! A sink that writes records as text.

use pgn::{Outcome, TagPair};
use san::Buffer;

use crate::compose::Compose;
use crate::{Plan, Ply, Problem, Sink, write};

/// Writes the records of games into a buffer, and keeps the problems.
#[derive(Debug, Default)]
pub struct Text {
    /// The records, each with its line end.
    pub bytes: Buffer,
    /// How many records there are.
    pub positions: u64,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    /// How much there was before the current game.
    mark: (usize, u64, u64),
    compose: Compose,
}

impl Text {
    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.problems.clear();
        self.compose.shortened = 0;
        (self.positions, self.mark) = (0, (0, 0, 0));
    }

    /// How many strings were cut, being longer than a string may be.
    pub fn shortened(&self) -> u64 {
        self.compose.shortened
    }

    /// A sink that writes into this as the plan says.
    pub fn sink<'t>(&'t mut self, plan: &'t Plan) -> TextSink<'t> {
        TextSink { text: self, plan }
    }
}

/// Writes records as a [`Plan`] says; made by [`Text::sink`].
#[derive(Debug)]
pub struct TextSink<'t> {
    text: &'t mut Text,
    plan: &'t Plan,
}

impl Sink for TextSink<'_> {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        let Text { bytes, positions, mark, compose, .. } = &mut *self.text;
        *mark = (bytes.len(), *positions, compose.shortened);
        compose.begin(tags, self.plan);
    }

    #[inline(always)]
    fn ply(&mut self, ply: Ply<'_>) {
        if self.text.compose.is_plain(&ply) {
            let mut line = self.text.bytes.line();
            write::plain(&ply, self.plan, &mut line);
            line.finish();
        } else {
            self.composed(&ply);
        }
        self.text.positions += 1;
    }

    fn end(&mut self, _outcome: Option<Outcome>) {
        if self.plan.blank_line {
            self.text.bytes.extend(b"\n");
        }
    }

    fn undo(&mut self) {
        let (len, positions, shortened) = self.text.mark;
        self.text.bytes.truncate(len);
        self.text.positions = positions;
        self.text.compose.shortened = shortened;
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}

impl TextSink<'_> {
    /// A record with operations that not every record has.
    #[inline(never)]
    fn composed(&mut self, ply: &Ply<'_>) {
        let Text { bytes, compose, .. } = &mut *self.text;
        write::composed(ply, self.plan, compose.operations(ply, self.plan), bytes);
    }
}

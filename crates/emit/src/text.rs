//! A sink that writes records as text.

use pgn::TagPair;
use san::Buffer;

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
    mark: (usize, u64),
}

impl Text {
    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.problems.clear();
        (self.positions, self.mark) = (0, (0, 0));
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
    fn begin(&mut self, _tags: &[TagPair<'_>]) {
        self.text.mark = (self.text.bytes.len(), self.text.positions);
    }

    #[inline(always)]
    fn ply(&mut self, ply: Ply<'_>) {
        let mut line = self.text.bytes.line();
        write::write(&ply, self.plan, &mut line);
        line.finish();
        self.text.positions += 1;
    }

    fn end(&mut self) {
        if self.plan.blank_line {
            self.text.bytes.extend(b"\n");
        }
    }

    fn undo(&mut self) {
        let (len, positions) = self.text.mark;
        self.text.bytes.truncate(len);
        self.text.positions = positions;
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}

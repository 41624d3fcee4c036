//! The operations that a user describes, game by game and record by record.

use std::borrow::Cow;

use pgn::{Place, TagPair};
use san::{Buffer, Color};

use crate::analysis::Analysis;
use crate::operations::Operations;
use crate::problem::{self, MoveNumber, Problem, Reason, text_of};
use crate::remark::commands;
use crate::template::{Fact, Filled, Placeholder, fill};
use crate::{Plan, Ply};

/// What templates need to know of the game.
#[derive(Debug, Default)]
pub(crate) struct Described {
    tags: Vec<(Vec<u8>, String)>,
    /// The number of the game in the chunk.
    game: u64,
    place: Place,
    /// Whether a template was told of in this game: once is enough.
    told: Vec<bool>,
}

impl Described {
    pub(crate) fn number(&mut self, game: u64, place: Place) {
        (self.game, self.place) = (game, place);
    }

    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>], plan: &Plan) {
        self.told.clear();
        self.told.resize(plan.templates.len(), false);
        self.tags.clear();
        if plan.templates.is_empty() {
            return;
        }
        for tag in tags {
            let value = text_of(&tag.value());
            if !matches!(value.trim(), "" | "?") {
                self.tags.push((tag.name().to_vec(), value));
            }
        }
    }

    /// Adds the operations of a record. `games_before` are the games of the file before the chunk.
    pub(crate) fn fill(
        &mut self,
        ply: &Ply<'_>,
        plan: &Plan,
        games_before: u64,
        operations: &mut Operations,
        problems: &mut Vec<Problem>,
    ) -> u64 {
        let mut shortened = 0;
        for (i, template) in plan.templates.iter().enumerate() {
            let value = |what: &Placeholder| self.value(what, ply, plan, games_before);
            let Some(text) = template.text(value) else { continue };
            match fill(template, &text, ply.position, operations) {
                Filled::Whole => {}
                Filled::Shortened => shortened += 1,
                Filled::Misfit(wanted) if !self.told[i] => {
                    self.told[i] = true;
                    let opcode = template.opcode().to_owned();
                    problems.push(self.problem(ply, &text, Reason::Misfit { opcode, wanted }));
                }
                Filled::Misfit(_) => {}
            }
        }
        shortened
    }

    fn value(
        &self,
        what: &Placeholder,
        ply: &Ply<'_>,
        plan: &Plan,
        games_before: u64,
    ) -> Option<Cow<'_, str>> {
        let fact = match what {
            Placeholder::Tag(name) => return self.tag(name).map(Cow::Borrowed),
            Placeholder::Fact(fact) => *fact,
        };
        let position = ply.position;
        let text = match fact {
            Fact::Clock => {
                let clock = commands(ply.comments, position.turn()).clock?;
                format!("{}", (clock.as_millis() as f64) / 1000.0)
            }
            Fact::Eval => Analysis::evaluation(ply)?.to_string(),
            Fact::Fen => {
                let mut buffer = Buffer::default();
                let mut line = buffer.line();
                san::write_fen(position, plan.fields, &mut line);
                line.finish();
                String::from_utf8_lossy(buffer.as_bytes()).into_owned()
            }
            Fact::File => plan.file.clone(),
            Fact::Game => (games_before + self.game).to_string(),
            Fact::Key => format!("{:016x}", position.key()),
            Fact::Line => self.place.line.to_string(),
            Fact::Move => position.fullmoves().to_string(),
            Fact::Ply => ply.number.to_string(),
            Fact::San => san::san_of(position, ply.next?).to_string(),
            Fact::Turn => if position.turn() == Color::White { "w" } else { "b" }.to_owned(),
            Fact::Uci => san::uci_of(ply.next?).to_string(),
        };
        Some(Cow::Owned(text))
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(other, _)| other == name.as_bytes())?;
        Some(tag.1.trim())
    }

    fn problem(&self, ply: &Ply<'_>, text: &str, reason: Reason) -> Problem {
        let position = ply.position;
        Problem {
            place: self.place,
            game: self.game,
            white: self.tag("White").map(str::to_owned),
            black: self.tag("Black").map(str::to_owned),
            move_number: Some(MoveNumber { fullmove: position.fullmoves(), turn: position.turn() }),
            in_variation: !ply.branches.is_empty(),
            strict: false,
            token: problem::shown_token(text.as_bytes()),
            reason,
        }
    }
}

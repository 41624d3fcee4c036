//! Operations defined by the user's templates.

use epd::{Operations, PackedOpcode, Register, legal_string};
use openings::Opening;
use pgn::{Place, TagPair};
use san::{AnyPosition, Buffer};

use crate::facts::{self, Fact, FactValue, GameFacts, Ratings, TimeTags, Variable};
use crate::games::game_identity::GameIdentity;
use crate::games::game_result::GameResult;
use crate::games::losses::Losses;
use crate::ply::Ply;
use crate::problem::{self, MoveNumber, Problem, Reason};
use crate::records::plan::Plan;
use crate::sink::GameAhead;
use crate::template::{Filled, fill};

#[derive(Debug, Default)]
pub(crate) struct TemplateOperations {
    tags: Vec<(Vec<u8>, String)>,
    text: String,
    registers: Vec<(Register, String)>,
    /// Number of the game in the chunk.
    game: u64,
    place: Place,
    ahead: GameAhead,
    ratings: Ratings,
    times: TimeTags,
    ending: GameResult,
    /// For each template, whether a problem with it was reported in this game: only once.
    reported: Vec<bool>,
    /// Whether a `pm` that is not the first move of `pv` was reported in this game.
    has_reported_pm: bool,
}

pub(crate) const SM: PackedOpcode = PackedOpcode::new("sm");
const PM: PackedOpcode = PackedOpcode::new("pm");
const PV: PackedOpcode = PackedOpcode::new("pv");

/// Adds the move played, which these operations require (EPD 5.9, 5.10); `false` if none was.
fn with_move<P: AnyPosition>(ply: &Ply<'_, P>, operations: &mut impl Operations) -> bool {
    let Some(next) = ply.next else { return false };
    if !operations.has(SM) {
        operations.moves(SM, [ply.position.san_of(next).as_bytes()]);
    }
    true
}

impl TemplateOperations {
    pub(crate) fn number(&mut self, game: u64, place: Place) {
        (self.game, self.place) = (game, place);
    }

    pub(crate) fn ahead(&mut self, game: GameAhead) {
        self.ahead = game;
    }

    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>], plan: &Plan) {
        self.has_reported_pm = false;
        self.reported.clear();
        self.reported.resize(plan.templates.len(), false);
        self.tags.clear();
        if plan.templates.is_empty() {
            return;
        }
        let wanted = plan.facts_of_templates();
        self.ratings = if wanted.needs_ratings() { Ratings::of(tags) } else { Ratings::default() };
        self.times =
            if wanted.needs_time_tags() { TimeTags::of(tags) } else { TimeTags::default() };
        self.ending =
            if wanted.needs_result() { GameResult::of(tags) } else { GameResult::default() };
        for tag in tags {
            if let Some(value) = tag.known_text() {
                self.tags.push((tag.name().to_vec(), value.into_owned()));
            }
        }
    }

    /// Returns the losses. `games_before` is the number of games in the file before the chunk.
    pub(crate) fn fill<P: AnyPosition>(
        &mut self,
        ply: &Ply<'_, P>,
        opening: &Opening<'_>,
        plan: &Plan,
        games_before: u64,
        operations: &mut impl Operations,
        problems: &mut Vec<Problem>,
    ) -> Losses {
        let mut losses = Losses::default();
        let game = GameFacts {
            file: &plan.file,
            number: games_before + self.game,
            line: self.place.line,
            offset: plan.start + self.place.byte,
            plies: self.ahead.plies,
            termination: self.ahead.termination,
            ratings: self.ratings,
            times: self.times,
            result: self.ending.known(ply.ahead.and_then(|ahead| ahead.outcome)),
        };
        let mut text = std::mem::take(&mut self.text);
        self.registers.clear();
        for (i, template) in plan.templates.iter().enumerate() {
            text.clear();
            let is_whole = template.write(&mut text, |what, text| match what {
                Variable::Tag(name) => self.tag(name).is_some_and(|value| {
                    text.push_str(value);
                    true
                }),
                Variable::Fact(fact) => write_fact(*fact, ply, &game, opening, plan, text),
            });
            if !is_whole {
                continue;
            }
            if matches!(template.opcode(), "draw_offer" | "draw_claim")
                && !with_move(ply, operations)
            {
                if !std::mem::replace(&mut self.reported[i], true) {
                    let reason = Reason::NoMovePlayed { opcode: template.opcode().to_owned() };
                    problems.push(self.problem(ply, "", reason));
                }
                continue;
            }
            let filled = match template.register() {
                Some(register) => {
                    self.registers.push((register, legal_string(&text).into_owned()));
                    Filled::of_string(&text)
                }
                None => fill(template, &text, ply.position, operations),
            };
            match filled {
                Filled::Whole => {}
                Filled::Shortened => losses.shortened += 1,
                Filled::WrongOperand(wanted) if !self.reported[i] => {
                    self.reported[i] = true;
                    let opcode = template.opcode().to_owned();
                    problems.push(self.problem(
                        ply,
                        &text,
                        Reason::WrongOperand { opcode, wanted },
                    ));
                }
                Filled::WrongOperand(_) => {}
            }
        }
        self.text = text;
        // “The first move of the predicted variation is the same as the predicted move” (EPD 5.18).
        let first = operations.first_move(PV);
        if first.is_some() && operations.first_move(PM).is_some_and(|pm| Some(pm) != first) {
            operations.remove(PM);
            if !std::mem::replace(&mut self.has_reported_pm, true) {
                problems.push(self.problem(ply, "", Reason::OtherPrediction));
            }
        }
        losses
    }

    #[inline]
    pub(crate) fn register(&self, register: Register) -> Option<&str> {
        let own = self.registers.iter().rev().find(|(own, _)| *own == register)?;
        Some(&own.1)
    }

    pub(crate) fn registers(&self) -> impl Iterator<Item = (Register, &str)> {
        self.registers.iter().map(|(register, text)| (*register, &**text))
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(other, _)| other == name.as_bytes())?;
        Some(&tag.1)
    }

    fn problem<P: AnyPosition>(&self, ply: &Ply<'_, P>, text: &str, reason: Reason) -> Problem {
        let position = ply.position;
        Problem {
            game: self.game,
            identity: GameIdentity::from_values(|name| self.tag(name).map(str::to_owned)),
            move_number: Some(MoveNumber { fullmove: position.fullmoves(), turn: position.turn() }),
            in_variation: !ply.branches.is_empty(),
            token: problem::shown_token(text.as_bytes()),
            ..Problem::at(self.place, reason)
        }
    }
}

#[inline(always)]
fn write_fact<'v, P: AnyPosition>(
    fact: Fact,
    ply: &Ply<'_, P>,
    game: &GameFacts<'v>,
    opening: &Opening<'v>,
    plan: &Plan,
    text: &mut String,
) -> bool {
    let Some(value) = facts::value(fact, ply, game, opening) else { return false };
    match value {
        FactValue::Text(value) => text.push_str(value),
        FactValue::Number(number) => text.push_str(itoa::Buffer::new().format(number)),
        FactValue::Signed(number) => text.push_str(itoa::Buffer::new().format(number)),
        FactValue::Decimal(number) => text.push_str(&number.to_string()),
        FactValue::Seconds(time) => facts::write_seconds(time, text),
        FactValue::Date(days) => {
            let mut date = Vec::new();
            table::write_date(days, &mut date);
            text.push_str(&String::from_utf8_lossy(&date));
        }
        FactValue::Key(key) => text.push_str(&format!("{key:016x}")),
        // Only in columns.
        FactValue::Packed(_)
        | FactValue::Board(_)
        | FactValue::Bitboards(_)
        | FactValue::LegalMoves => return false,
        FactValue::Truth(truth) => text.push_str(if truth { "true" } else { "false" }),
        FactValue::Move(mv) => text.push_str(mv.as_str()),
        FactValue::Written(written) => {
            let mut buffer = Buffer::default();
            if !facts::write_text(written, ply, plan.fields, &mut buffer) {
                return false;
            }
            text.push_str(&String::from_utf8_lossy(buffer.as_bytes()));
        }
    }
    true
}

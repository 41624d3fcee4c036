//! Operations that occur in few records or change rarely: templates of the user, comments,
//! openings, analysis.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use epd::is_plain;
use epd::string::{has_forbidden, pieces, printable};
use epd::{
    LONGEST_STRING, Opcode, Operand, OperationList, PackedOpcode, REGISTER_RANKS, RankedRegisters,
    Record, Register, RegisterStyle, Registers, SingleRegister, legal_string,
};
use openings::{NameSource, Opening, texts_of_tags};
use pgn::{Outcome, TagPair};
use san::{AnyPosition, Buffer, Color, Keyword};

use super::op::Op;
use super::plan::{Comments, Format, OF_ENGINES, Plan, register};
use crate::annotations::{EngineReport, append_text, legal_line};
use crate::facts::value::{Value, value_of_game, value_of_ply};
use crate::facts::{Fact, Variable};
use crate::game::GameContext;
use crate::ply::{Branch, Known, Ply, Repetition};
use crate::problem::{self, GameIdentity, MoveNumber, Problem, Reason};
use crate::selection::Losses;
use crate::template::{Filled, fill};

#[derive(Debug, Default)]
pub(crate) struct TemplateOperations {
    games_before: u64,
    text: String,
    value: Buffer,
    registers: Vec<(Register, String)>,
    /// Whether a problem with each template, and last with `pm`, was reported in this game: only once.
    reported: Vec<bool>,
}

pub(crate) const SM: PackedOpcode = PackedOpcode::new("sm");
const PM: PackedOpcode = PackedOpcode::new("pm");
const PV: PackedOpcode = PackedOpcode::new("pv");

/// Adds the move played, which these operations require (EPD 5.9, 5.10); `false` if none was.
fn with_move<P: AnyPosition>(ply: &Ply<'_, P>, operations: &mut OperationList) -> bool {
    let Some(next) = ply.next else { return false };
    if !operations.has(SM) {
        operations.moves(SM, [ply.position.san_of(next).as_bytes()]);
    }
    true
}

impl TemplateOperations {
    fn begin(&mut self, plan: &Plan, games_before: u64) {
        self.games_before = games_before;
        self.reported.clear();
        self.reported.resize(plan.templates.len() + 1, false);
    }

    /// Returns the losses.
    pub(crate) fn fill<P: AnyPosition>(
        &mut self,
        ply: &Ply<'_, P>,
        game: &GameContext<'_>,
        opening: &Opening<'_>,
        plan: &Plan,
        operations: &mut OperationList,
        problems: &mut Vec<Problem>,
    ) -> Losses {
        let mut losses = Losses::default();
        let TemplateOperations { games_before, text, value, registers, reported } = self;
        let mut report = |index: usize, token: &str, reason| {
            if !std::mem::replace(&mut reported[index], true) {
                problems.push(problem_of(ply, game, token, reason));
            }
        };
        registers.clear();
        for (i, template) in plan.templates.iter().enumerate() {
            text.clear();
            let is_whole = template.write(text, |what, text| {
                let value = match what {
                    Variable::Tag(name) => {
                        let tag = pgn::known_value(&game.tags, name.as_bytes());
                        tag.iter().for_each(|tag| text.push_str(tag));
                        return tag.is_some();
                    }
                    Variable::Fact(Fact::Game) => {
                        Some(Value::Integer((*games_before + game.number) as i64))
                    }
                    Variable::Fact(fact) if fact.is_of_game() => {
                        value_of_game(*fact, game, Some(opening), Color::White).unwrap_or_default()
                    }
                    Variable::Fact(fact) => value_of_ply(*fact, ply, game, plan.fields, value),
                };
                value.inspect(|value| value.write(text)).is_some()
            });
            if !is_whole {
                continue;
            }
            let opcode = template.opcode();
            if matches!(opcode, "draw_offer" | "draw_claim") && !with_move(ply, operations) {
                report(i, "", Reason::NoMovePlayed { opcode: opcode.to_owned() });
                continue;
            }
            let filled = match template.register() {
                Some(register) => {
                    registers.push((register, legal_string(text).into_owned()));
                    Filled::of_string(text)
                }
                None => fill(template, text, ply.position, operations),
            };
            match filled {
                Filled::Whole => {}
                Filled::Shortened => losses.shortened += 1,
                Filled::WrongOperand(wanted) => {
                    report(i, text, Reason::WrongOperand { opcode: opcode.to_owned(), wanted });
                }
            }
        }
        // “The first move of the predicted variation is the same as the predicted move” (EPD 5.18).
        let first = operations.first_move(PV);
        if first.is_some() && operations.first_move(PM).is_some_and(|pm| Some(pm) != first) {
            operations.remove(PM);
            report(plan.templates.len(), "", Reason::OtherPrediction);
        }
        losses
    }

    #[inline]
    pub(crate) fn register(&self, register: Register) -> Option<&str> {
        let own = self.registers.iter().rev().find(|(own, _)| *own == register)?;
        Some(&own.1)
    }
}

fn problem_of<P: AnyPosition>(
    ply: &Ply<'_, P>,
    game: &GameContext<'_>,
    text: &str,
    reason: Reason,
) -> Problem {
    let position = ply.position;
    Problem {
        game: game.number,
        identity: GameIdentity::from_values(|name| {
            pgn::known_value(&game.tags, name.as_bytes()).map(Cow::into_owned)
        }),
        move_number: Some(MoveNumber::of(position)),
        in_variation: !ply.branches.is_empty(),
        token: problem::shown_token(text.as_bytes()),
        ..Problem::at(game.place, reason)
    }
}

// Comments, openings, analysis.

const LOWEST_COMMENT: usize = 9;
const DRAW_CLAIM: PackedOpcode = PackedOpcode::new("draw_claim");
const RC: PackedOpcode = PackedOpcode::new("rc");
const RESIGN: PackedOpcode = PackedOpcode::new("resign");
const ECO: PackedOpcode = PackedOpcode::new("eco");
const NIC: PackedOpcode = PackedOpcode::new("nic");
pub(crate) const FULLMOVES: PackedOpcode = PackedOpcode::new("fmvn");
pub(crate) const HALFMOVES: PackedOpcode = PackedOpcode::new("hmvc");

/// Recursive variation (PGN standard 8.2.5); private, hence its capital letter (EPD 4.2).
const RAV: PackedOpcode = PackedOpcode::new("Rav");

/// The record that sets all registers of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FirstRecord {
    #[default]
    Unwritten,
    /// By another code path, and the tracked registers do not have its values yet.
    WrittenDirectly,
    Noted,
}

/// Makes the operations of records and tracks the registers of the program that reads them.
#[derive(Debug, Default)]
pub(crate) struct OperationBuilder {
    game: String,
    /// Value of `c1`, or in a variation of a register of higher rank.
    comment: String,
    c: RankedRegisters,
    v: RankedRegisters,
    eco: SingleRegister,
    nic: SingleRegister,
    operations: OperationList,
    repetition: Repetition,
    described: TemplateOperations,
    /// Whether the reader's comment registers are right for a main line position without comments.
    comments_are_up_to_date: bool,
    /// Whether the reader's opening registers are right until the next named position.
    pub(super) opening_is_up_to_date: bool,
    first_record: FirstRecord,
    /// Whether every record must be composed, for reasons other than outdated registers.
    writes_every_record: bool,
    pub(crate) losses: Losses,
    pub(crate) set: Vec<Register>,
}

impl OperationBuilder {
    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>], plan: &Plan, games_before: u64) {
        self.writes_every_record = plan.registers == RegisterStyle::Full || plan.composes_all();
        self.comments_are_up_to_date = !plan.has_register(Op::C);
        self.opening_is_up_to_date = !plan.has_names();
        if plan.has_register(Op::C) {
            if !write_title(tags, &mut self.game) {
                self.losses.altered += u64::from(make_printable(&mut self.game));
            }
            if self.game.len() > LONGEST_STRING {
                self.losses.shortened += 1;
                self.game.truncate(legal_string(&self.game).len());
            }
        }
        if plan.has_names() && matches!(plan.names, NameSource::Tags) {
            self.names_of_tags(tags, plan);
        }
        self.first_record = FirstRecord::Unwritten;
        self.c.begin();
        self.v.begin();
        self.eco.begin();
        self.nic.begin();
        if plan.composes_all() {
            self.repetition.begin();
            self.described.begin(plan, games_before);
        }
    }

    #[cold]
    fn names_of_tags(&mut self, tags: &[TagPair<'_>], plan: &Plan) {
        let texts = [Op::Eco, Op::Nic, Op::V].into_iter().zip(texts_of_tags(tags));
        for (_, text) in texts.filter(|(op, _)| plan.has_register(*op)) {
            self.losses.altered += u64::from(has_forbidden(&text));
            self.losses.shortened += u64::from(printable(&text).len() > LONGEST_STRING);
        }
    }

    pub(crate) fn pass<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, plan: &Plan) {
        if plan.counts_repetitions() {
            self.repetition.follow(ply, plan.variations);
        }
    }

    /// Whether a main line position without comments changes no registers but those of the opening.
    pub(crate) fn changes_only_opening(&self) -> bool {
        self.comments_are_up_to_date
            && !self.writes_every_record
            && self.first_record != FirstRecord::Unwritten
    }

    /// Whether the next record is the first of its game and needs nothing but registers.
    pub(crate) fn begins_plainly(&self) -> bool {
        self.first_record == FirstRecord::Unwritten
            && !self.comments_are_up_to_date
            && !self.writes_every_record
    }

    /// Returns `c0` for the first record; the code that writes it must set other registers to null.
    pub(crate) fn first_comment(&mut self) -> &str {
        self.first_record = FirstRecord::WrittenDirectly;
        (self.comments_are_up_to_date, self.opening_is_up_to_date) = (true, true);
        &self.game
    }

    fn note_first(&mut self) {
        if self.first_record == FirstRecord::WrittenDirectly {
            let game = Some(&*self.game).filter(|game| !game.is_empty());
            self.c.note(|rank| game.filter(|_| rank == 0));
            self.v.note(|_| None);
            self.eco.note(|_| None);
        }
        self.first_record = FirstRecord::Noted;
    }

    pub(crate) fn set_opening(&mut self, opening: &Opening<'_>) {
        self.note_first();
        self.eco.note(|_| opening.eco());
        self.nic.note(|_| opening.nic());
        self.v.note(|rank| opening.name()?.part(rank));
    }

    pub(crate) fn is_up_to_date(&self) -> bool {
        self.comments_are_up_to_date && self.opening_is_up_to_date && !self.writes_every_record
    }

    pub(crate) fn operations<P: AnyPosition>(
        &mut self,
        ply: &Ply<'_, P>,
        game: &GameContext<'_>,
        opening: &Opening<'_>,
        plan: &Plan,
        problems: &mut Vec<Problem>,
    ) -> &mut OperationList {
        self.note_first();
        self.operations.clear();
        self.comment.clear();
        if let Some(known) = ply.known() {
            return self.of_record(known, ply, game, opening, plan, problems);
        }
        if !ply.branches.is_empty() && plan.ops.has(Op::Rav) {
            let (place, is_whole) = place_of_variation(ply.branches);
            self.operations.string(RAV, &place);
            self.losses.shortened += u64::from(!is_whole);
        }
        if plan.composes_all() {
            self.by_rule(ply, game, plan);
            self.analysis(ply, plan);
            let OperationBuilder { described, operations, losses, .. } = self;
            *losses += described.fill(ply, game, opening, plan, operations, problems);
        }
        self.registers(ply.comments, ply.position.turn(), ply.branches, opening, plan);
        &mut self.operations
    }

    fn of_record<P: AnyPosition>(
        &mut self,
        known: &Known<'_>,
        ply: &Ply<'_, P>,
        game: &GameContext<'_>,
        opening: &Opening<'_>,
        plan: &Plan,
        problems: &mut Vec<Problem>,
    ) -> &mut OperationList {
        let OperationBuilder { described, operations, losses, set, .. } = self;
        for operation in known.record.map_or(&[][..], Record::operations) {
            let is_written = match operation.opcode() {
                Some(Opcode::Fmvn | Opcode::Hmvc) => plan.format != Format::Fen,
                Some(opcode) if opcode.register().is_some() => match plan.registers {
                    RegisterStyle::Delta => true,
                    // Those of training data depend on no other record.
                    RegisterStyle::Full => known.registers.is_none(),
                    _ => false,
                },
                _ => true,
            };
            if is_written && plan.kept.has(operation.name()) {
                operations.operation(operation);
                add(set, operation.opcode().and_then(Opcode::register));
            }
        }
        if let (RegisterStyle::Full, Some(registers)) = (plan.registers, known.registers) {
            *losses += full_registers(known.record, registers, plan, operations);
            registers.iter().for_each(|(register, _)| add(set, Some(register)));
        }
        if !plan.templates.is_empty() {
            *losses += described.fill(ply, game, opening, plan, operations, problems);
            for (register, text) in &described.registers {
                operations.string(PackedOpcode::new(Opcode::of_register(*register).name()), text);
                add(set, Some(*register));
            }
        }
        &mut self.operations
    }

    fn by_rule<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, game: &GameContext<'_>, plan: &Plan) {
        if plan.counts_repetitions() {
            let count = self.repetition.follow(ply, plan.variations);
            if plan.ops.has(Op::Rc) {
                self.operations.number(RC, count.into());
            }
        }
        if !ply.branches.is_empty() {
            return;
        }
        let resigns = plan.ops.has(Op::Resign) && ply.next.is_none();
        let turn = ply.position.turn();
        if resigns && game.has_resigned(turn, ply.comments) {
            self.operations.bare(RESIGN);
        }
        let is_last = plan.ops.has(Op::DrawClaim) && ply.ahead.and_then(|of| of.plies) == Some(1);
        let Some(last) = ply.next.filter(|_| is_last) else { return };
        let mut after = ply.position.clone();
        after.play_unchecked(last);
        let is_drawn = game.result() == Some(Outcome::Draw);
        if is_drawn && (is_draw(&after) || self.repetition.count_with(&after) >= 3) {
            self.operations.bare(DRAW_CLAIM);
            // A claim requires the move with which it is made (EPD 5.9).
            self.operations.moves(SM, [ply.position.san_of(last).as_bytes()]);
        }
    }

    fn analysis<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, plan: &Plan) {
        if !plan.ops.has_any(OF_ENGINES) {
            return;
        }
        let analysis = EngineReport::of(ply);
        let OperationBuilder { operations, losses, .. } = self;
        let mut number = |op: Op, value: Option<i64>| {
            if let Some(value) = value.filter(|_| plan.ops.has(op)) {
                operations.number(PackedOpcode::new(op.word()), value);
            }
        };
        number(Op::Acd, analysis.depth.map(i64::from));
        number(Op::Acn, analysis.nodes.and_then(|nodes| i64::try_from(nodes).ok()));
        let seconds = analysis.time.and_then(|time| {
            i64::try_from(time.as_secs() + u64::from(time.subsec_millis() >= 500)).ok()
        });
        number(Op::Acs, seconds);
        number(Op::Ce, analysis.evaluation.map(|ce| i64::from(ce.get())));
        number(Op::Dm, analysis.mate_in_moves().map(i64::from));
        if let Some(text) = analysis.line.filter(|_| plan.ops.has(Op::Pv)) {
            let (line, is_cut) = legal_line(ply, text);
            losses.cut_lines += u64::from(is_cut);
            if !line.is_empty() {
                operations.moves(PV, line.iter().map(san::MoveText::as_bytes));
            }
        }
    }

    fn registers(
        &mut self,
        comments: &[&[u8]],
        turn: Color,
        branches: &[Branch],
        opening: &Opening<'_>,
        plan: &Plan,
    ) {
        let is_main = branches.is_empty();
        let comments_stay = self.comments_are_up_to_date && comments.is_empty() && is_main;
        if (self.writes_every_record || !comments_stay)
            && let Some(lowest) = plan.lowest_register(Op::C)
        {
            self.comments(comments, turn, branches.len(), lowest, plan);
            self.comments_are_up_to_date = self.comment.is_empty() && is_main;
        }
        if self.opening_is_up_to_date && !self.writes_every_record {
            return;
        }
        self.names(opening, plan);
        // After a variation, the opening is that of the enclosing line.
        self.opening_is_up_to_date = is_main || !plan.has_names();
    }

    #[inline]
    fn names(&mut self, opening: &Opening<'_>, plan: &Plan) {
        let OperationBuilder { eco, nic, v, operations, described, .. } = self;
        let part = |rank| opening.name()?.part(rank);
        // Nearly all plans: without templates, a family is either planned as a whole or not at all.
        if plan.registers == RegisterStyle::Delta && plan.templates.is_empty() {
            if plan.has_register(Op::Eco) {
                eco.update(|_| ECO, 0, 1, |_| opening.eco(), operations);
            }
            if plan.has_register(Op::Nic) {
                nic.update(|_| NIC, 0, 1, |_| opening.nic(), operations);
            }
            if plan.has_register(Op::V) {
                let name = |rank| PackedOpcode::ranked(b'v', rank);
                v.update(name, 0, REGISTER_RANKS, part, operations);
            }
            return;
        }
        let mut single = |op, register, name, held: &mut SingleRegister, planned: Option<_>| {
            let own = described.register(register);
            let wanted = own.or_else(|| planned.filter(|_| plan.has_register(op)));
            if plan.lowest_register(op).is_some() {
                let is_repeated = own.is_some() || plan.registers == RegisterStyle::Full;
                held.update(|_| name, 0, usize::from(!is_repeated), |_| wanted, operations);
            }
        };
        single(Op::Eco, Register::ECO, ECO, eco, opening.eco());
        single(Op::Nic, Register::NIC, NIC, nic, opening.nic());
        if let Some(lowest) = plan.lowest_register(Op::V) {
            let has_names = plan.has_register(Op::V);
            let part = |rank| part(rank).filter(|_| has_names);
            update_family(v, Op::V, lowest, part, described, plan, operations);
        }
    }

    /// `c0` is the game, `c1` the comment, a rank higher per level of variation; parts follow it.
    fn comments(
        &mut self,
        comments: &[&[u8]],
        turn: Color,
        depth: usize,
        lowest: usize,
        plan: &Plan,
    ) {
        let OperationBuilder { game, comment, losses, c, operations, described, .. } = self;
        let has_comments = plan.has_register(Op::C);
        if has_comments && !comments.is_empty() {
            for bytes in comments {
                let text =
                    crate::annotations::comment_text(bytes, !turn, plan.comments == Comments::Raw);
                append_text(comment, &text);
            }
            losses.altered += u64::from(make_printable(comment));
        }
        let rank = (1 + depth).min(LOWEST_COMMENT);
        let mut parts: ArrayVec<&str, REGISTER_RANKS> = ArrayVec::new();
        if comment.len() <= LONGEST_STRING {
            parts.extend(Some(&**comment).filter(|text| !text.is_empty()));
        } else {
            losses.long_comments += 1;
            match plan.comments {
                Comments::Cut => parts.push(&comment[..legal_string(comment).len()]),
                Comments::Split | Comments::Raw => {
                    parts.extend(pieces(comment).take(REGISTER_RANKS - rank))
                }
                Comments::Drop => {}
            }
            // Only blanks between parts may be missing.
            let letters = |text: &str| text.bytes().filter(|byte| *byte != b' ').count();
            let kept: usize = parts.iter().map(|part| letters(part)).sum();
            losses.shortened += u64::from(kept < letters(comment));
        }
        let wanted = |register: usize| match register.checked_sub(rank) {
            Some(part) => parts.get(part).copied(),
            None => Some(&**game).filter(|text| register == 0 && has_comments && !text.is_empty()),
        };
        update_family(c, Op::C, lowest, wanted, described, plan, operations);
    }
}

/// Whether a player may claim a draw: fifty moves (FIDE Laws 9.3), or insufficient material.
fn is_draw<P: AnyPosition>(position: &P) -> bool {
    position.halfmoves() >= 100 || position.is_insufficient_material()
}

fn add(set: &mut Vec<Register>, register: Option<Register>) {
    set.extend(register.filter(|register| !set.contains(register)));
}

/// Adds all registers, also cleared ones: records that cleared them may be left out.
fn full_registers(
    record: Option<&Record>,
    registers: &Registers,
    plan: &Plan,
    operations: &mut OperationList,
) -> Losses {
    let mut losses = Losses::default();
    let of_record = |register: Register| record?.get(Opcode::of_register(register));
    let mut written: Option<Register> = None;
    for register in Register::all() {
        let name = Opcode::of_register(register).name();
        let value = registers.get(register).or_else(|| match of_record(register)? {
            Operand::Text(text) => Some(text),
            _ => None,
        });
        let is_implied = written.is_some_and(|lower| lower.clears(register));
        let is_cleared =
            !is_implied && (of_record(register).is_some() || registers.was_set(register));
        if !plan.kept.has(name) || value.is_none() && !is_cleared {
            continue;
        }
        let string = value.map(legal_string);
        losses.shortened += u64::from(string.as_ref().map(|text| text.len()) < value.map(str::len));
        operations.register(PackedOpcode::new(name), string.as_deref());
        written = Some(register);
    }
    losses
}

fn update_family<'t>(
    held: &mut RankedRegisters,
    op: Op,
    lowest: usize,
    planned: impl Fn(usize) -> Option<&'t str>,
    described: &'t TemplateOperations,
    plan: &Plan,
    operations: &mut OperationList,
) {
    let name = |rank| PackedOpcode::ranked(if op == Op::C { b'c' } else { b'v' }, rank);
    let is_full = plan.registers == RegisterStyle::Full;
    if !is_full && plan.templates.is_empty() {
        return held.update(name, lowest, REGISTER_RANKS, planned, operations);
    }
    let own = |rank| described.register(register(op, rank)?);
    // A template is an operation of each record.
    let repeated = (0..REGISTER_RANKS).find(|rank| is_full || own(*rank).is_some());
    let wanted = |rank| own(rank).or_else(|| planned(rank));
    held.update(name, lowest, repeated.unwrap_or(REGISTER_RANKS), wanted, operations);
}

/// Branches as `0 d4 1 Nf6`, outermost first; `false` if not all fit into a string operand.
fn place_of_variation(branches: &[Branch]) -> (String, bool) {
    let mut place = String::new();
    for Branch { ply, first } in branches {
        let level = format!("{ply} {first}");
        if place.len() + 1 + level.len() > LONGEST_STRING {
            return (place, false);
        }
        append_text(&mut place, &level);
    }
    (place, true)
}

/// Replaces what a string operand cannot hold; `true` for a quote or a control character.
fn make_printable(text: &mut String) -> bool {
    match printable(text) {
        Cow::Borrowed(_) => false,
        Cow::Owned(printable) => {
            let is_altered = has_forbidden(text);
            *text = printable;
            is_altered
        }
    }
}

// The title of a game: `White - Black, Event, Site, Date, Round, Result`, without unknown parts.

const DATE: usize = 4;

#[inline(always)]
fn title_place(name: &[u8]) -> Option<usize> {
    match name {
        b"White" => Some(0),
        b"Black" => Some(1),
        b"Event" => Some(2),
        b"Site" => Some(3),
        b"Date" => Some(DATE),
        b"Round" => Some(5),
        b"Result" => Some(6),
        _ => None,
    }
}

fn write_title(tags: &[TagPair<'_>], title: &mut String) -> bool {
    let mut bytes = std::mem::take(title).into_bytes();
    // Nearly all titles are plain, which is cheaper to find out as a whole than for each tag.
    let mut is_trimmed = true;
    append(tags, &mut bytes, |tag, bytes| {
        is_trimmed &= !tag.raw_value().ends_with(b" ");
        bytes.extend_from_slice(tag.raw_value());
    });
    let has_escapes = memchr::memchr(b'\\', &bytes).is_some();
    let mut is_printable = is_trimmed && !has_escapes && is_plain(&bytes);
    if !is_printable {
        append(tags, &mut bytes, |tag, bytes| bytes.extend_from_slice(tag.value().trim_ascii()));
        is_printable = is_plain(&bytes);
    }
    *title = String::from_utf8(bytes).unwrap_or_else(|error| {
        // Each tag has its own encoding.
        let mut bytes = error.into_bytes();
        append(tags, &mut bytes, |tag, bytes| {
            bytes.extend_from_slice(tag.text().trim().as_bytes())
        });
        String::from_utf8(bytes).unwrap_or_default()
    });
    is_printable
}

#[inline(always)]
fn append(
    tags: &[TagPair<'_>],
    title: &mut Vec<u8>,
    mut push: impl FnMut(&TagPair<'_>, &mut Vec<u8>),
) {
    let mut values: [Option<&TagPair<'_>>; 7] = [None; 7];
    for tag in tags {
        if let Some(i) = title_place(tag.name()) {
            values[i].get_or_insert(tag);
        }
    }
    let [white, black, rest @ ..] = values.map(|tag| tag.filter(|tag| is_known(tag)));
    title.clear();
    if white.is_some() || black.is_some() {
        let mut player = |tag: Option<&TagPair<'_>>, title: &mut Vec<u8>| match tag {
            Some(tag) => push(tag, title),
            None => title.push(b'?'),
        };
        player(white, title);
        title.extend_from_slice(b" - ");
        player(black, title);
    }
    for (i, value) in rest.into_iter().enumerate() {
        if let Some(tag) = value {
            if !title.is_empty() {
                title.extend_from_slice(b", ");
            }
            push(tag, title);
            // `1992.??.??` is 1992.
            while 2 + i == DATE && title.ends_with(b".??") {
                title.truncate(title.len() - 3);
            }
        }
    }
}

/// Whether the value of a tag of the title is known; most begin with a letter or digit.
#[inline(always)]
fn is_known(tag: &TagPair<'_>) -> bool {
    tag.raw_value().first().is_some_and(u8::is_ascii_alphanumeric) || !tag.is_unknown()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_has_what_is_known() {
        let cases = [
            ("", ""),
            (r#"[Event "E "] [White "W "] [Black "B "]"#, "W - B, E"),
            (
                r#"[Event "?"] [Site "?"] [Date "????.??.??"] [Round "?"] [White "?"] [Black "?"] [Result "*"]"#,
                "",
            ),
            (
                r#"[Result "1-0"] [Event "London"] [Site "London ENG"] [Date "1851.06.21"] [White "Anderssen, Adolf"] [Black "Kieseritzky, Lionel"]"#,
                "Anderssen, Adolf - Kieseritzky, Lionel, London, London ENG, 1851.06.21, 1-0",
            ),
            (r#"[White "A"] [Round "3"] [Date "1992.??.??"]"#, "A - ?, 1992, 3"),
            (r#"[Event "E"] [Event "F"]"#, "E"),
        ];
        for (tags, expected) in cases {
            let text = format!("{tags} 1. e4 *");
            let game = pgn::games(text.as_bytes()).next().unwrap();
            let mut title = String::new();
            write_title(game.tags(), &mut title);
            assert_eq!(title, expected, "{tags}");
        }
    }

    #[test]
    fn each_tag_of_a_title_has_its_own_encoding() {
        let text = b"[White \"\xc4\x90or\xc4\x91e\"] [Black \"M\xfcller \"] [Event \"a\"] 1. e4 *";
        let mut title = String::new();
        write_title(pgn::games(text).next().unwrap().tags(), &mut title);
        assert_eq!(title, "Đorđe - Müller, a");
    }
}

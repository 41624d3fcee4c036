//! Passes the records of a text to a sink, as [`Replay`](crate::Replay) does with the positions of games.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

use arrayvec::ArrayVec;

use epd::{
    Centipawns, Columns, EpdDiagnostic, EpdDiagnosticKind, Line, Opcode, Operand, OperandRef,
    Operation, OperationRef, ReadOptions, Record, RecordRef, Register, RegisterStyle, Registers,
    Severity, read_line,
};
use pgn::{Outcome, Place, TagPair};
use san::AnyPosition;

use crate::known::{Known, operand_text};
use crate::ply::{Ahead, Ply};
use crate::problem::{self, Problem, Reason};
use crate::records::plan::{OnError, Plan};
use crate::replay::Counts;
use crate::shown_positions::{ShowPly, ShownPositions};
use crate::sink::Sink;
use crate::source::{Found, LineKind};

/// Passes records to a sink, each as a game of one position. Its tags are its result, the opening, and the operations that the plan
/// uses by their names.
///
/// ```
/// use emit::{LineKind, OpList, Plan, RecordReplay, Text};
///
/// let plan = Plan::default().of_records("bm".parse()?, &[]);
/// let mut text = Text::default();
/// let mut sink = text.sink(&plan);
/// let mut replay = RecordReplay::new(&plan, LineKind::Records, Default::default());
/// let line = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"pawn\"; bm e3 e4;";
/// replay.line(line, Default::default(), &mut Vec::new(), &mut sink);
/// assert_eq!(text.bytes.as_bytes(), b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e3 e4;\n");
/// # Ok::<_, emit::OpsError>(())
/// ```
#[derive(Debug)]
pub struct RecordReplay<'p> {
    plan: &'p Plan,
    kind: LineKind,
    shown: ShownPositions<'p>,
    options: ReadOptions,
    /// Whether operations are read.
    wants_operations: bool,
    /// Whether records are needed in normal form.
    wants_record: bool,
    /// The operations that are tags.
    operations: Vec<&'p str>,
    /// Whether the opening is a tag.
    names_openings: bool,
    registers: Option<Registers>,
    /// The registers that the first record sets.
    first_set: Vec<Register>,
    /// The registers that the first record clears, because the output may have set them before.
    to_clear: Vec<Register>,
}

/// The most tags of a record.
const MOST_TAGS: usize = 64;

/// A line with its place.
struct Whole<'l> {
    text: &'l str,
    place: Place,
}

impl Whole<'_> {
    fn problem(&self, fault: EpdDiagnostic) -> Problem {
        self.problem_at(fault.at, Reason::Record(fault.kind))
    }

    fn problem_at(&self, at: Range<usize>, reason: Reason) -> Problem {
        let (byte, column) = (at.start as u64, Columns::new(self.text).of(at.start) as u64);
        Problem {
            place: Place { byte: self.place.byte + byte, column, ..self.place },
            game: 0,
            identity: Default::default(),
            move_number: None,
            in_variation: false,
            strict: false,
            token: problem::shown_token(self.text[at].as_bytes()),
            reason,
        }
    }
}

impl<'p> RecordReplay<'p> {
    /// Makes a replay according to a plan [of records](Plan::of_records). `registers` are those before the first line. If the plan does
    /// not [resolve](Plan::resolves_registers) them, those that had a value before are cleared by the first record.
    pub fn new(plan: &'p Plan, kind: LineKind, registers: Registers) -> Self {
        let wants_record = plan.needs_records();
        RecordReplay {
            plan,
            kind,
            shown: ShownPositions::new(plan),
            options: ReadOptions {
                operations: wants_record,
                moves: wants_record,
                strict: plan.strict,
                ..ReadOptions::default()
            },
            wants_operations: wants_record || plan.reads_operations(),
            wants_record,
            operations: plan.operations_used(),
            names_openings: plan.names_records(),
            to_clear: match plan.resolves_registers() || plan.registers != RegisterStyle::Delta {
                true => Vec::new(),
                false => Register::all().filter(|held| registers.was_set(*held)).collect(),
            },
            registers: plan.resolves_registers().then_some(registers),
            first_set: Vec::new(),
        }
    }

    /// Passes the record of a line to the sink; does nothing for an empty line and a comment. `faults` has what was found while the
    /// line was decoded, and is emptied. Returns whether the line has no position.
    pub fn line(
        &mut self,
        text: &str,
        place: Place,
        faults: &mut Vec<EpdDiagnostic>,
        sink: &mut dyn Sink,
    ) -> bool {
        if self.shown.counts.stopped {
            return false;
        }
        let whole = Whole { text, place };
        if self.kind != LineKind::Records {
            faults.clear();
            return self.found(&whole, sink);
        }
        let line = read_line(text, &self.options, &mut |fault| faults.push(fault));
        match &line {
            Line::Blank | Line::Comment => {}
            Line::Bad => self.bad(&whole, faults, sink),
            Line::Record(record) => {
                self.record(&line, record, record.position(), &whole, faults, sink);
            }
            Line::Variant(variant) if sink.takes_variants() => {
                self.record(&line, variant.operations(), variant.position(), &whole, faults, sink);
            }
            Line::Variant(_) => {
                faults.clear();
                faults.push(EpdDiagnostic { at: 0..text.len(), kind: EpdDiagnosticKind::Variant });
                self.bad(&whole, faults, sink);
            }
        }
        faults.clear();
        matches!(line, Line::Bad)
    }

    /// Returns the statistics, the registers that the first record set, and those after the last.
    pub fn finish(self) -> (Counts, Vec<Register>, Registers) {
        (self.shown.counts, self.first_set, self.registers.unwrap_or_default())
    }

    /// Reports a line without a position that can be used.
    #[cold]
    fn bad(&mut self, whole: &Whole<'_>, faults: &mut Vec<EpdDiagnostic>, sink: &mut dyn Sink) {
        self.shown.counts.bad_games += 1;
        self.shown.counts.stopped = self.plan.on_error == OnError::Stop;
        let errors = faults.drain(..).filter(|fault| fault.kind.severity() == Severity::Error);
        errors.for_each(|fault| sink.problem(whole.problem(fault)));
    }

    /// Passes on the position of a line that is not a record; returns whether it has none.
    fn found(&mut self, whole: &Whole<'_>, sink: &mut dyn Sink) -> bool {
        let text = whole.text.trim();
        if text.is_empty() {
            return false;
        }
        let found = match self.kind.read(text) {
            Ok(Some(found)) => found,
            Ok(None) => return false,
            Err((at, fault)) => {
                self.shown.counts.bad_games += 1;
                self.shown.counts.stopped = self.plan.on_error == OnError::Stop;
                let at = text.floor_char_boundary(at);
                let end = text[at..].find([',', '"']).map_or(text.len(), |len| at + len);
                let before = whole.text.len() - whole.text.trim_start().len();
                sink.problem(whole.problem_at(before + at..before + end, Reason::Line(fault)));
                return true;
            }
        };
        self.shown.counts.records += 1;
        let Found { record, played, evaluation, depth, nodes, tags } = found;
        let operand = |name: &&'p str| Some((*name, operand_text(record.get_other(name)?)));
        let operations: Vec<_> = self.operations.iter().filter_map(operand).collect();
        let tag = |name: &'p str, value| TagPair::of_value(name.as_bytes(), value);
        let mut pairs: Vec<TagPair<'_>> =
            tags.iter().map(|(name, value)| tag(name, value.as_bytes())).collect();
        pairs.extend(operations.iter().map(|(name, value)| tag(name, value.as_bytes())));
        if !self.shown.begin(&pairs, whole.place, sink) {
            return false;
        }
        let position = record.position();
        let known = Known {
            written: None,
            record: Some(&record),
            registers: None,
            evaluation,
            score: None,
            depth,
            nodes,
            time: None,
        };
        let ahead = Ahead { comments: &[], plies: None, outcome: None, known: Some(&known) };
        let number = 2 * (position.fullmoves().max(1) - 1) + u32::from(position.turn().is_black());
        let ply = Ply { ahead: Some(&ahead), ..Ply::new(position, played, number) };
        let is_numbered = self.kind == LineKind::Puzzles;
        self.shown.ply(ply, || is_numbered, sink);
        if self.plan.wants_text {
            sink.text_of_game(text.as_bytes());
        }
        sink.end(None);
        false
    }

    fn record<P: ShowPly>(
        &mut self,
        line: &Line<'_>,
        written: &RecordRef<'_>,
        position: &P,
        whole: &Whole<'_>,
        faults: &[EpdDiagnostic],
        sink: &mut dyn Sink,
    ) {
        self.shown.counts.records += 1;
        if let Some(registers) = &mut self.registers {
            registers.read(written);
            if self.shown.counts.records == 1 {
                let set =
                    |operation: OperationRef<'_>| operation.opcode().and_then(Opcode::register);
                self.first_set = written.operations().filter_map(set).collect();
            }
        }
        let record = if self.wants_record { self.normal(line, faults) } else { None };
        let mut read = Read::nothing();
        if self.wants_operations {
            read.operations(written, position);
        }
        let result = read.result(written, self.registers.as_ref());
        let values = Tags {
            operations: &self.operations,
            names_openings: self.names_openings,
            registers: self.registers.as_ref(),
            written,
            record: record.as_ref(),
        }
        .all(result);
        let tags: Vec<TagPair<'_>> = values
            .iter()
            .map(|(name, value)| TagPair::of_value(name.as_bytes(), value.as_bytes()))
            .collect();
        let tags = &tags[..];
        if !self.shown.begin(tags, whole.place, sink) {
            return;
        }
        let known = Known {
            written: Some(written),
            record: record.as_ref(),
            registers: self.registers.as_ref(),
            evaluation: read.evaluation,
            score: None,
            depth: read.depth,
            nodes: read.nodes,
            time: read.time,
        };
        let ahead = Ahead { comments: &[], plies: None, outcome: result, known: Some(&known) };
        let number = 2 * (position.fullmoves().max(1) - 1) + u32::from(position.turn().is_black());
        let ply = Ply { ahead: Some(&ahead), ..Ply::new(position, read.next, number) };
        self.shown.ply(ply, || written.has_fullmove_number(), sink);
        if self.plan.wants_text {
            sink.text_of_game(whole.text.trim_ascii().as_bytes());
        }
        sink.end(result);
        let oddities =
            faults.iter().filter(|fault| matches!(fault.kind, EpdDiagnosticKind::Unreachable(_)));
        oddities.for_each(|fault| sink.problem(whole.problem(fault.clone())));
    }

    /// Returns the record in normal form; text that is none of its operations is a comment.
    fn normal(&mut self, line: &Line<'_>, faults: &[EpdDiagnostic]) -> Option<Record> {
        let mut readable = line.readable(faults)?;
        if !readable.unread.is_empty() {
            self.shown.counts.unread_texts += readable.unread.len() as u64;
            let held =
                self.registers.as_ref().filter(|_| self.plan.registers == RegisterStyle::Full);
            let is_kept = readable.keep_unread(held.unwrap_or(&Registers::default()));
            self.shown.counts.lost_texts += u64::from(!is_kept);
        }
        let mut record = readable.record;
        for register in self.to_clear.drain(..) {
            let set = |operation: &Operation| operation.opcode().and_then(Opcode::register);
            if !record.operations().iter().filter_map(set).any(|set| set.clears(register)) {
                // A register may be without an operand.
                let _ = record.set(Opcode::of_register(register), Operand::Nothing);
            }
        }
        Some(record)
    }
}

/// What the tags of a record are made from.
struct Tags<'r> {
    /// The operations that are tags.
    operations: &'r [&'r str],
    names_openings: bool,
    registers: Option<&'r Registers>,
    written: &'r RecordRef<'r>,
    record: Option<&'r Record>,
}

impl<'r> Tags<'r> {
    /// Returns the tags of a record.
    fn all(&self, result: Option<Outcome>) -> ArrayVec<(&'r str, Cow<'r, str>), MOST_TAGS> {
        let mut values = ArrayVec::new();
        values.extend(result.map(|result| ("Result", result.as_str().into())));
        if let Some(registers) = self.registers.filter(|_| self.names_openings) {
            values.extend(registers.eco().map(|code| ("ECO", code.into())));
            values.extend(registers.nic().map(|code| ("NIC", code.into())));
            let parts: Vec<&str> = (0..10).map_while(|rank| registers.variation(rank)).collect();
            let name = match &parts[..] {
                [] => None,
                [opening] => Some(Cow::Borrowed(*opening)),
                [opening, names @ ..] => Some(format!("{opening}: {}", names.join(", ")).into()),
            };
            values.extend(name.map(|name| ("Opening", name)));
        }
        for name in self.operations.iter().copied().take(values.remaining_capacity()) {
            values.extend(self.operand(name).map(|text| (name, text)));
        }
        values
    }

    /// Returns the operands of an operation, or the register that it sets, as text.
    fn operand(&self, name: &str) -> Option<Cow<'r, str>> {
        let opcode = Opcode::from_name(name);
        let register = opcode.and_then(Opcode::register);
        if let (Some(registers), Some(register)) = (self.registers, register) {
            return registers.get(register).map(Cow::Borrowed);
        }
        if let Some(record) = self.record {
            return record.get_other(name).map(operand_text);
        }
        match self.written.get(opcode?)? {
            OperandRef::Integer(number) => Some(number.to_string().into()),
            OperandRef::Evaluation(value) => Some(value.to_string().into()),
            _ => None,
        }
    }
}

/// What the operations of a record say.
struct Read<M> {
    next: Option<M>,
    evaluation: Option<Centipawns>,
    mate: Option<Centipawns>,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<Duration>,
    result: Option<Outcome>,
}

impl<M> Read<M> {
    fn nothing() -> Self {
        let (evaluation, mate) = Default::default();
        Read { next: None, evaluation, mate, depth: None, nodes: None, time: None, result: None }
    }

    fn operations<P: AnyPosition<Move = M>>(&mut self, record: &RecordRef<'_>, position: &P) {
        for operation in record.operations() {
            let Some(opcode) = operation.opcode() else { continue };
            if !matches!(
                opcode,
                Opcode::Sm
                    | Opcode::Ce
                    | Opcode::Dm
                    | Opcode::Acd
                    | Opcode::Acn
                    | Opcode::Acs
                    | Opcode::C9
            ) {
                continue;
            }
            match (opcode, record.operands(&operation)) {
                (Opcode::Sm, OperandRef::Moves(mut moves)) => {
                    self.next =
                        moves.next().and_then(|text| position.resolve(text.as_bytes()).ok());
                }
                (_, OperandRef::Evaluation(value)) => self.evaluation = Some(value),
                (Opcode::Dm, OperandRef::Integer(moves)) => {
                    self.mate = u32::try_from(moves).ok().and_then(Centipawns::gives_mate_in_moves);
                }
                (Opcode::Acd, OperandRef::Integer(plies)) => self.depth = u32::try_from(plies).ok(),
                (Opcode::Acn, OperandRef::Integer(nodes)) => self.nodes = u64::try_from(nodes).ok(),
                (Opcode::Acs, OperandRef::Integer(seconds)) => {
                    self.time = u64::try_from(seconds).ok().map(Duration::from_secs);
                }
                (Opcode::C9, OperandRef::Text(text)) => self.result = known_result(&text),
                _ => {}
            }
        }
        let of_label = record.label().and_then(|(evaluation, _)| evaluation);
        self.evaluation = self.evaluation.or(of_label).or(self.mate);
    }

    /// Returns the result of the game: that of the label, or of `c9`.
    fn result(&self, record: &RecordRef<'_>, registers: Option<&Registers>) -> Option<Outcome> {
        let of_label = record.label().and_then(|(_, result)| result);
        let held = || registers.and_then(|registers| registers.comment(9));
        of_label.and_then(known_result).or(self.result).or_else(|| held().and_then(known_result))
    }
}

fn known_result(text: &str) -> Option<Outcome> {
    Some(Outcome::of_tag(text.as_bytes())).filter(|outcome| *outcome != Outcome::Unknown)
}

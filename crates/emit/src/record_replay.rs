//! Passes records to a sink, as [`Replay`](crate::Replay) does with games; and lines that are not
//! records. What a record says depends on the registers after those before it; text that is none of
//! its operations becomes a comment.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use epd::{
    Centipawns, Columns, EpdDiagnostic, EpdDiagnosticKind, Line, Opcode, Operand, OperandRef,
    Operation, OperationRef, ReadOptions, Readable, Record, RecordRef, Register, RegisterStyle,
    Registers, Severity, move_texts, read_line,
};
use pgn::{Outcome, Place, TagPair};
use san::AnyPosition;

use crate::game::GameContext;
use crate::labels::WIN;
use crate::ply::{Ahead, Known, Ply, operand_text};
use crate::problem::{self, Problem, Reason};
use crate::records::plan::{OnError, Plan};
use crate::replay::Counts;
use crate::shown_positions::{ShowPly, ShownPositions};
use crate::sink::Sink;
#[cfg(feature = "evaluations")]
use crate::source::json;
use crate::source::table::{self, NamedCell, TableColumns};
use crate::source::{Found, LineFault, LineKind};

/// Passes records to a sink, each as a game of one position. Its tags are its result, the opening,
/// and the operations that the plan uses by their names.
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
    csv: Option<csv_core::Reader>,
    shown: ShownPositions<'p>,
    options: ReadOptions,
    wants_operations: bool,
    wants_record: bool,
    operations: Vec<&'p str>,
    names_openings: bool,
    registers: Option<Registers>,
    read: ReadRegisters,
    /// The comment that was added to the last record, as a reader would go on to hold it.
    added: Option<Register>,
    to_clear: Vec<Register>,
}

impl<'p> RecordReplay<'p> {
    /// Makes a replay of the lines after `before`, by a plan [of records](Plan::of_records).
    pub fn new(plan: &'p Plan, kind: LineKind, before: ReadRegisters) -> Self {
        let wants_record = plan.needs_records();
        let depends = plan.resolves_registers();
        let read = ReadRegisters { depends, ..ReadRegisters::default() };
        let (mut registers, added) = (before.after, before.added);
        registers.note_changes();
        let kind = match kind {
            LineKind::Csv(header) => LineKind::Csv(Arc::new(header.renamed(&plan.column_names))),
            kind => kind,
        };
        let csv = match &kind {
            LineKind::Csv(header) => Some(header.reader()),
            _ => None,
        };
        RecordReplay {
            plan,
            kind,
            csv,
            shown: ShownPositions::new(plan),
            options: ReadOptions {
                operations: wants_record,
                moves: wants_record,
                strict: plan.strict,
                rules: plan.rules,
                ..ReadOptions::default()
            },
            wants_operations: wants_record || plan.reads_operations(),
            wants_record,
            operations: plan.operations_used(),
            names_openings: plan.names_records(),
            // They must be known where a comment is added to a record.
            registers: (depends || plan.registers == RegisterStyle::Delta && plan.kept.has("c0"))
                .then_some(registers),
            read,
            added,
            to_clear: before.to_clear,
        }
    }

    /// Passes the record of a line to the sink; does nothing for an empty line and a comment.
    /// `faults` has what was found while the line was decoded, and is emptied. Returns whether the
    /// line has no position.
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
        if !matches!(self.kind, LineKind::Records) {
            faults.clear();
            return self.other_line(&whole, sink);
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

    /// Returns the statistics, and the registers.
    pub fn finish(self) -> (Counts, ReadRegisters) {
        let (after, added, to_clear) =
            (self.registers.unwrap_or_default(), self.added, self.to_clear);
        (self.shown.counts, ReadRegisters { after, added, to_clear, ..self.read })
    }

    #[cold]
    fn bad(&mut self, whole: &Whole<'_>, faults: &mut Vec<EpdDiagnostic>, sink: &mut dyn Sink) {
        self.shown.counts.bad_games += 1;
        self.shown.counts.stopped = self.plan.on_error == OnError::Stop;
        if self.plan.reports_faults {
            let place = whole.place;
            let number = self.shown.counts.games;
            let text = whole.text.as_bytes();
            sink.begin(&GameContext { number, place, text, ..GameContext::default() });
            sink.discard_game();
        }
        let errors = faults.drain(..).filter(|fault| fault.kind.severity() == Severity::Error);
        errors.for_each(|fault| sink.problem(whole.problem(fault)));
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
                self.read.first_set = written.operations().filter_map(set).collect();
            }
        }
        let record = if self.wants_record { self.normal(line, faults) } else { None };
        let registers = self.registers.take();
        let known = Known {
            written: Some(written),
            record: record.as_ref(),
            registers: registers.as_ref(),
            ..Known::default()
        };
        let mut read = ReadRecord::of(known, registers.as_ref(), &[]);
        if self.wants_operations {
            read.operations(written, position);
        }
        read.find_result(written);
        let ply = Ply::new(position, read.next, number_of(position));
        if self.pass(ply, &read, whole, || written.has_fullmove_number(), sink) {
            let mut is_bad = false;
            let is_reported = |fault: &&EpdDiagnostic| {
                fault.kind.changes_record()
                    || self.plan.reports_faults && fault.kind.severity() == Severity::Error
            };
            for fault in faults.iter().filter(is_reported) {
                let problem = Problem { strict: self.plan.strict, ..whole.problem(fault.clone()) };
                is_bad |= problem.is_error();
                sink.problem(problem);
            }
            self.shown.counts.bad_games += u64::from(is_bad);
        }
        self.registers = registers;
    }

    /// Shows the record as a game of one position; returns `false` if its tags rule it out.
    fn pass<P: ShowPly>(
        &mut self,
        ply: Ply<'_, P>,
        read: &ReadRecord<'_, P::Move>,
        whole: &Whole<'_>,
        is_numbered: impl FnOnce() -> bool,
        sink: &mut dyn Sink,
    ) -> bool {
        let values = read.tags(&self.operations, self.names_openings);
        let tags = read.variables.iter().chain(&values).map(pair).collect();
        let mut game = self.shown.context(tags, whole.place, read.result);
        if self.plan.wants_text {
            game.text = whole.text.trim_ascii().as_bytes();
        }
        let ahead = Ahead { known: Some(&read.known), ..Ahead::default() };
        let ply = Ply { ahead: Some(&ahead), ..ply };
        self.shown.pass(ply, &game, is_numbered, sink)
    }
}

// A line with its place, for problems in it.

struct Whole<'l> {
    text: &'l str,
    place: Place,
}

impl Whole<'_> {
    fn problem(&self, fault: EpdDiagnostic) -> Problem {
        self.problem_at(fault.at, Reason::Record(fault.kind))
    }

    fn token(&self, at: usize) -> Range<usize> {
        let at = self.text.floor_char_boundary(at);
        let at = self.text.len() - self.text[at..].trim_start().len();
        at..self.text[at..].find([',', '"']).map_or(self.text.len(), |len| at + len)
    }

    fn problem_at(&self, at: Range<usize>, reason: Reason) -> Problem {
        let (byte, column) = (at.start as u64, Columns::new(self.text).of(at.start) as u64);
        let place = Place { byte: self.place.byte + byte, column, ..self.place };
        let token = problem::shown_token(self.text[at].as_bytes());
        Problem { token, ..Problem::at(place, reason) }
    }
}

// The registers after the records of a chunk, which the next chunk begins with.

/// The registers after records, and what depends on those before.
#[derive(Clone, Debug, Default)]
pub struct ReadRegisters {
    after: Registers,
    added: Option<Register>,
    first_set: Vec<Register>,
    /// The registers that the next record clears, because the output may have set them before.
    to_clear: Vec<Register>,
    /// Whether what was made of the records depends on the registers before them.
    depends: bool,
}

impl ReadRegisters {
    /// Returns those before the first record of a text.
    pub fn before(plan: &Plan) -> Self {
        // Full records clear them by themselves.
        let is_delta = plan.registers == RegisterStyle::Delta && !plan.resolves_registers();
        ReadRegisters {
            after: Registers::null_after(&plan.held),
            to_clear: if is_delta { plan.held.clone() } else { Vec::new() },
            ..ReadRegisters::default()
        }
    }

    /// Whether records that were read after `before` are the same after `others`.
    pub fn is_same_after(&self, before: &ReadRegisters, others: &ReadRegisters) -> bool {
        (before.added, &before.to_clear) == (others.added, &others.to_clear)
            && (!self.depends || before.after.agree_after(&others.after, &self.first_set))
    }

    /// Adds what later records change.
    pub fn follow(&mut self, later: &ReadRegisters) {
        self.after.follow(&later.after);
        self.added = later.added;
        self.to_clear.clone_from(&later.to_clear);
    }
}

fn pair<'t>((name, value): &'t (&str, Cow<'_, str>)) -> TagPair<'t> {
    TagPair::of_value(name.as_bytes(), value.as_bytes())
}

// What the operations and the label of a record say of its position.

fn number_of<P: AnyPosition>(position: &P) -> u32 {
    2 * (position.fullmoves().max(1) - 1) + u32::from(position.turn().is_black())
}

struct ReadRecord<'r, M> {
    next: Option<M>,
    mate: Option<Centipawns>,
    result: Option<Outcome>,
    known: Known<'r>,
    /// The registers after the record, if they are needed.
    registers: Option<&'r Registers>,
    variables: &'r [(&'r str, Cow<'r, str>)],
}

impl<'r, M> ReadRecord<'r, M> {
    fn of(
        known: Known<'r>,
        registers: Option<&'r Registers>,
        variables: &'r [(&'r str, Cow<'r, str>)],
    ) -> Self {
        ReadRecord { next: None, mate: None, result: None, known, registers, variables }
    }

    fn tags(&self, operations: &[&'r str], names_openings: bool) -> Vec<(&'r str, Cow<'r, str>)> {
        // Nearly always empty, without an allocation.
        let mut values = Vec::new();
        values.extend(self.result.map(|result| ("Result", result.as_str().into())));
        if let Some(registers) = self.registers.filter(|_| names_openings) {
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
        for name in operations {
            values.extend(self.operand(name).map(|text| (*name, text)));
        }
        values
    }

    fn operand(&self, name: &str) -> Option<Cow<'r, str>> {
        let opcode = Opcode::from_name(name);
        let register = opcode.and_then(Opcode::register);
        if let (Some(registers), Some(register)) = (self.registers, register) {
            return registers.get(register).map(Cow::Borrowed);
        }
        if let Some(record) = self.known.record {
            return record.get_other(name).map(operand_text);
        }
        match self.known.written?.get(opcode?)? {
            OperandRef::Integer(number) => Some(number.to_string().into()),
            OperandRef::Evaluation(value) => Some(value.to_string().into()),
            _ => None,
        }
    }

    fn operations<P: AnyPosition<Move = M>>(&mut self, record: &RecordRef<'_>, position: &P) {
        use Opcode::{Acd, Acn, Acs, C9, Ce, Dm, Sm};
        for operation in record.operations() {
            if let Some(opcode @ (Acd | Acn | Acs | C9 | Ce | Dm | Sm)) = operation.opcode() {
                self.operation(opcode, record.operands(&operation), position);
            }
        }
        let of_label = record.label().and_then(|(evaluation, _)| evaluation);
        self.known.evaluation = self.known.evaluation.or(of_label).or(self.mate);
        if let Some(played) = record.played_by_label() {
            self.next = self.next.take().or_else(|| position.resolve(played.as_bytes()).ok());
        }
    }

    fn operation<P: AnyPosition<Move = M>>(
        &mut self,
        opcode: Opcode,
        operand: OperandRef<'_>,
        position: &P,
    ) {
        match (opcode, operand) {
            (Opcode::Sm, OperandRef::Moves(mut moves)) => {
                self.next = moves.next().and_then(|text| position.resolve(text.as_bytes()).ok());
            }
            (_, OperandRef::Evaluation(value)) => self.known.evaluation = Some(value),
            (Opcode::Dm, OperandRef::Integer(moves)) => {
                self.mate = u32::try_from(moves).ok().and_then(Centipawns::gives_mate_in_moves);
            }
            (Opcode::Acd, OperandRef::Integer(plies)) => {
                self.known.depth = u32::try_from(plies).ok()
            }
            (Opcode::Acn, OperandRef::Integer(nodes)) => {
                self.known.nodes = u64::try_from(nodes).ok()
            }
            (Opcode::Acs, OperandRef::Integer(seconds)) => {
                self.known.time = u64::try_from(seconds).ok().map(Duration::from_secs);
            }
            (Opcode::C9, OperandRef::Text(text)) => {
                (self.result, self.known.points) = (known_result(&text), mean_points(&text));
            }
            _ => {}
        }
    }

    fn find_result(&mut self, record: &RecordRef<'_>) {
        let of_label = record.label().and_then(|(_, result)| result);
        self.known.points = of_label.and_then(mean_points).or(self.known.points);
        let held = self.registers.and_then(|registers| registers.comment(9));
        self.result = of_label.and_then(known_result).or(self.result);
        self.result = self.result.or_else(|| held.and_then(known_result));
    }
}

#[cold]
fn mean_points(text: &str) -> Option<u64> {
    let mean: f64 = text.parse().ok().filter(|mean| (0.0..=1.0).contains(mean))?;
    Some((mean * WIN as f64).round() as u64)
}

fn known_result(text: &str) -> Option<Outcome> {
    Some(Outcome::of_tag(text.as_bytes())).filter(|outcome| *outcome != Outcome::Unknown)
}

impl RecordReplay<'_> {
    /// Returns the record in normal form; text that is none of its operations is a comment.
    fn normal(&mut self, line: &Line<'_>, faults: &[EpdDiagnostic]) -> Option<Record> {
        let mut readable = line.readable(faults)?;
        if self.plan.reports_faults {
            return Some(readable.record);
        }
        let registers = self.registers.take();
        self.keep_unread(&mut readable, registers.as_ref());
        self.registers = registers;
        Some(readable.record)
    }

    fn keep_unread(&mut self, readable: &mut Readable, held: Option<&Registers>) {
        let is_delta = self.plan.registers == RegisterStyle::Delta;
        let before = self.added.take().filter(|_| is_delta);
        // A text that is not wanted is not lost.
        if !readable.unread.is_empty() && self.plan.kept.has("c0") {
            let record = readable.record.clone();
            self.shown.counts.unread_texts += readable.unread.len() as u64;
            let is_kept = match (held, self.plan.registers) {
                (Some(held), RegisterStyle::Delta | RegisterStyle::Full) => {
                    readable.keep_unread(held)
                }
                _ => readable.keep_unread(&Registers::default()),
            };
            self.shown.counts.lost_texts += u64::from(!is_kept);
            let mut comments = (0..10).filter_map(Register::comment);
            self.added = comments.find(|register| {
                let opcode = Opcode::of_register(*register);
                readable.record.get(opcode) != record.get(opcode)
            });
            self.read.depends |= is_delta;
        }
        if let Some(before) = before {
            self.read.depends = true;
            restore_comments(&mut readable.record, before, held);
        }
        for register in self.to_clear.drain(..) {
            let set = |operation: &Operation| operation.opcode().and_then(Opcode::register);
            let record = &mut readable.record;
            if !record.operations().iter().filter_map(set).any(|set| set.clears(register)) {
                // A register may be without an operand.
                let _ = record.set(Opcode::of_register(register), Operand::Nothing);
            }
        }
    }
}

/// Sets the comments that a record has from those before it, after one with an added comment.
#[cold]
fn restore_comments(record: &mut Record, added: Register, held: Option<&Registers>) {
    let mut is_cleared = false;
    for register in (0..10).filter_map(Register::comment) {
        let opcode = Opcode::of_register(register);
        let value = held.and_then(|held| held.get(register));
        let operand = match value {
            _ if register < added || record.get(opcode).is_some() => None,
            Some(text) => Some(Operand::Text(text.to_owned())),
            None if register == added && !is_cleared => Some(Operand::Nothing),
            None => None,
        };
        if let Some(operand) = operand {
            // A text that was read can be written.
            let _ = record.set(opcode, operand);
        }
        is_cleared |= record.get(opcode).is_some();
    }
}

// Lines that are not records: rows of tables, evaluations.

impl RecordReplay<'_> {
    /// Passes on the position of a row; its number is its line, the number of a cell its column.
    pub fn row<'r>(
        &mut self,
        columns: &'r TableColumns,
        texts: impl IntoIterator<Item = &'r str>,
        number: u64,
        sink: &mut dyn Sink,
    ) {
        if self.shown.counts.stopped {
            return;
        }
        let cells = columns.cells(texts.into_iter().map(Cow::Borrowed));
        let place = Place { line: number, ..Place::default() };
        let problem = |cell: usize, fault| {
            let text = cells.get(cell).map_or("", |cell| &cell.text);
            let problem = Whole { text, place }.problem_at(0..text.len(), Reason::Line(fault));
            Problem { place: Place { column: cell as u64 + 1, ..place }, ..problem }
        };
        self.cells(&cells, place, "", &problem, sink);
    }

    fn other_line(&mut self, whole: &Whole<'_>, sink: &mut dyn Sink) -> bool {
        let text = whole.text.trim_end_matches(['\r', '\n']);
        if text.trim().is_empty() {
            return false;
        }
        match &self.kind {
            LineKind::Records => false,
            LineKind::Csv(header) => {
                let header = Arc::clone(header);
                let line = text.trim_start_matches('\u{feff}');
                let is_row = !header.lines.iter().any(|other| **other == *line);
                let Some(reader) = self.csv.as_mut().filter(|_| is_row) else { return false };
                match header.row(text, reader) {
                    Ok((cells, places)) => {
                        let problem = |cell: usize, fault| {
                            whole.problem_at(places[cell].clone(), Reason::Line(fault))
                        };
                        self.cells(&cells, whole.place, text, &problem, sink)
                    }
                    Err((at, fault)) => {
                        self.bad_row(whole.problem_at(at, Reason::Line(fault)), sink)
                    }
                }
            }
            #[cfg(feature = "evaluations")]
            LineKind::JsonLines(keys) => match json::parse(text) {
                Ok(object) => {
                    let (keys, plan) = (Arc::clone(keys), self.plan);
                    let cells = json::row(&object, &keys, &plan.column_names);
                    let problem = |cell: usize, fault| {
                        let at = json::place_of(text, cells.get(cell).map_or("", |cell| cell.name));
                        whole.problem_at(whole.token(at), Reason::Line(fault))
                    };
                    self.cells(&cells, whole.place, text, &problem, sink)
                }
                Err((at, fault)) => self.bad_line(whole, at, fault, sink),
            },
            #[cfg(feature = "evaluations")]
            LineKind::Evaluations(evals) => match crate::source::json::read(text, *evals) {
                Ok(all) => {
                    for found in all {
                        self.found(found, whole.place, text, sink);
                    }
                    false
                }
                Err((at, fault)) => self.bad_line(whole, at, fault, sink),
            },
            #[cfg(not(feature = "evaluations"))]
            _ => self.bad_line(whole, 0, LineFault::NotBuilt, sink),
        }
    }

    /// Passes on the position of a row; returns whether it has none. `problem` takes a cell.
    fn cells(
        &mut self,
        cells: &[NamedCell<'_>],
        place: Place,
        text: &str,
        problem: &dyn Fn(usize, LineFault) -> Problem,
        sink: &mut dyn Sink,
    ) -> bool {
        let options = ReadOptions { operations: true, moves: true, ..self.options };
        match table::read(cells, &options) {
            Ok(mut found) => {
                let mut is_bad = !found.faults.is_empty();
                let at = table::position_of(cells).unwrap_or_default();
                for fault in found.changes.drain(..) {
                    let reason = problem(at, LineFault::NoPosition);
                    let reason = Problem { reason: Reason::Record(fault.kind), ..reason };
                    let reason = Problem { strict: self.plan.strict, ..reason };
                    is_bad |= reason.is_error();
                    sink.problem(reason);
                }
                // By its name, a cell is a variable too.
                let is_named = |cell: &&NamedCell<'_>| {
                    self.operations.contains(&cell.name)
                        && !cell.text.is_empty()
                        && Opcode::from_name(cell.name).is_none()
                };
                let named = cells.iter().filter(is_named);
                found.variables.extend(named.map(|cell| (cell.name, (&*cell.text).into())));
                self.shown.counts.bad_games += u64::from(is_bad);
                for (cell, fault) in found.faults.drain(..) {
                    sink.problem(problem(cell, fault));
                }
                self.found(found, place, text, sink);
                false
            }
            Err((cell, fault)) => self.bad_row(problem(cell, fault), sink),
        }
    }

    fn bad_line(
        &mut self,
        whole: &Whole<'_>,
        at: usize,
        fault: LineFault,
        sink: &mut dyn Sink,
    ) -> bool {
        self.bad_row(whole.problem_at(whole.token(at), Reason::Line(fault)), sink)
    }

    #[cold]
    fn bad_row(&mut self, problem: Problem, sink: &mut dyn Sink) -> bool {
        self.shown.counts.bad_games += 1;
        self.shown.counts.stopped = self.plan.on_error == OnError::Stop;
        sink.problem(problem);
        true
    }

    fn found(&mut self, mut found: Found<'_>, place: Place, text: &str, sink: &mut dyn Sink) {
        self.keep_unread(&mut found.readable, None);
        match &found.readable.variant {
            Some(_) if !sink.takes_variants() => {
                let whole = Whole { text, place };
                let reason = Reason::Record(EpdDiagnosticKind::Variant);
                self.bad_row(whole.problem_at(0..text.len(), reason), sink);
            }
            Some(variant) => self.found_at(&found, variant, place, text, sink),
            None => self.found_at(&found, found.readable.record.position(), place, text, sink),
        }
    }

    fn found_at<P: ShowPly>(
        &mut self,
        found: &Found<'_>,
        position: &P,
        place: Place,
        text: &str,
        sink: &mut dyn Sink,
    ) {
        self.shown.counts.records += 1;
        let record = &found.readable.record;
        let mut registers = Registers::default();
        for operation in record.operations() {
            let register = operation.opcode().and_then(Opcode::register);
            if let (Some(register), Operand::Text(text)) = (register, operation.operand()) {
                registers.apply(register, Some(text));
            }
        }
        let known = Known { record: Some(record), ..found.known };
        let mut read = ReadRecord::of(known, Some(&registers), &found.variables);
        for operation in record.operations() {
            let Some(opcode) = operation.opcode() else { continue };
            let operand = match operation.operand() {
                Operand::Integer(number) => OperandRef::Integer(*number),
                Operand::Evaluation(value) => OperandRef::Evaluation(*value),
                Operand::Move(text) => OperandRef::Moves(move_texts(text)),
                Operand::Text(text) => OperandRef::Text(Cow::Borrowed(text)),
                _ => continue,
            };
            read.operation(opcode, operand, position);
        }
        if let Some(played) = &found.played {
            read.next = position.resolve(played.as_bytes()).ok();
        }
        read.known.evaluation = read.known.evaluation.or(read.mate);
        read.known.time = found.known.time.or(read.known.time);
        let ply = Ply {
            comments: found.comment.as_slice(),
            nags: &found.nags,
            ..Ply::new(position, read.next, found.ply.unwrap_or(number_of(position)))
        };
        let is_numbered = found.ply.is_some() || record.get(Opcode::Fmvn).is_some();
        self.pass(ply, &read, &Whole { text, place }, || is_numbered, sink);
    }
}

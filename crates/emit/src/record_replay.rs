//! Passes the records of a text to a sink, as [`Replay`](crate::Replay) does with the positions of
//! games.
//!
//! * `registers`: what depends on the records before;
//! * `operations`, `tags`: what is known of the position of a record;
//! * `added_comments`: text that is none of the operations;
//! * `rows`: lines that are not records;
//! * `line_place`: the places of problems.

mod added_comments;
mod line_place;
mod operations;
pub(crate) mod registers;
mod rows;
mod tags;

use epd::{
    EpdDiagnostic, EpdDiagnosticKind, Line, Opcode, OperationRef, ReadOptions, RecordRef, Register,
    Registers, Severity, read_line,
};
use pgn::{Place, TagPair};
use std::sync::Arc;

use self::line_place::Whole;
use self::operations::{Read, number_of};
use self::registers::ReadRegisters;
use self::tags::Tags;
use crate::known::Known;
use crate::ply::{Ahead, Ply};
use crate::problem::Problem;
use crate::records::plan::{OnError, Plan};
use crate::replay::Counts;
use crate::shown_positions::{ShowPly, ShownPositions};
use crate::sink::Sink;
use crate::source::LineKind;

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
    /// Makes a replay according to a plan [of records](Plan::of_records). `before` has the
    /// registers before the first line.
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
            registers: (depends || plan.follows_registers()).then_some(registers),
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
            sink.number(self.shown.counts.games, whole.place);
            sink.begin(&[]);
            sink.text_of_game(whole.text.as_bytes());
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
        let mut read = Read::nothing();
        if self.wants_operations {
            read.operations(written, position);
        }
        let result = read.result(written, self.registers.as_ref());
        let values = Tags {
            operations: &self.operations,
            names_openings: self.names_openings,
            registers: self.registers.as_ref(),
            written: Some(written),
            record: record.as_ref(),
        }
        .all(result);
        let tags: Vec<TagPair<'_>> = values.iter().map(tags::pair).collect();
        let known = Known {
            written: Some(written),
            record: record.as_ref(),
            registers: self.registers.as_ref(),
            evaluation: read.evaluation,
            points: read.points,
            depth: read.depth,
            nodes: read.nodes,
            time: read.time,
            ..Known::default()
        };
        let ahead = Ahead { comments: &[], plies: None, outcome: result, known: Some(&known) };
        let ply = Ply { ahead: Some(&ahead), ..Ply::new(position, read.next, number_of(position)) };
        let is_numbered = || written.has_fullmove_number();
        if self.shown.pass(&tags, ply, is_numbered, whole.place, whole.text, sink) {
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
    }
}

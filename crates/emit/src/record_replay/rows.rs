//! Lines that are not records: rows of tables, evaluations.

use std::borrow::Cow;
use std::sync::Arc;

use epd::{EpdDiagnosticKind, Opcode, Operand, OperandRef, ReadOptions, Registers, move_texts};
use pgn::{Place, TagPair};

use super::RecordReplay;
use super::line_place::Whole;
use super::operations::{Read, number_of};
use super::tags::{self, Tags};
use crate::known::Known;
use crate::ply::{Ahead, Ply};
use crate::problem::{Problem, Reason};
use crate::records::plan::OnError;
use crate::shown_positions::ShowPly;
use crate::sink::Sink;
use crate::source::table::{self, Cell, TableColumns};
use crate::source::{Found, LineFault, LineKind};
#[cfg(feature = "evaluations")]
use crate::source::{evaluation, json};

impl RecordReplay<'_> {
    /// Passes on the position of a row of a table, whose number is its line, and the number of a
    /// cell its column.
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

    /// Passes on the positions of a line that is not a record; returns whether it has none.
    pub(super) fn other_line(&mut self, whole: &Whole<'_>, sink: &mut dyn Sink) -> bool {
        let text = whole.text.trim_end_matches(['\r', '\n']);
        if text.trim().is_empty() {
            return false;
        }
        match &self.kind {
            LineKind::Records => false,
            LineKind::Csv(header) => {
                let header = Arc::clone(header);
                let Some(reader) = self.csv.as_mut().filter(|_| !header.is_header(text)) else {
                    return false;
                };
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
            LineKind::JsonLines(keys) => match json::object(text) {
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
            LineKind::Evaluations(evals) => match evaluation::read(text, *evals) {
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
        cells: &[Cell<'_>],
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
                let is_named = |cell: &&Cell<'_>| {
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
        let mut read = Read::nothing();
        let mut registers = Registers::default();
        for operation in record.operations() {
            let Some(opcode) = operation.opcode() else { continue };
            let operand = match operation.operand() {
                Operand::Integer(number) => OperandRef::Integer(*number),
                Operand::Evaluation(value) => OperandRef::Evaluation(*value),
                Operand::Move(text) => OperandRef::Moves(move_texts(text)),
                Operand::Text(text) => OperandRef::Text(Cow::Borrowed(text)),
                _ => continue,
            };
            if let (Some(register), OperandRef::Text(text)) = (opcode.register(), &operand) {
                registers.apply(register, Some(text));
            }
            read.operation(opcode, operand, position);
        }
        if let Some(played) = &found.played {
            read.next = position.resolve(played.as_bytes()).ok();
        }
        read.evaluation = read.evaluation.or(read.mate);
        let values = Tags {
            operations: &self.operations,
            names_openings: self.names_openings,
            registers: Some(&registers),
            written: None,
            record: Some(record),
        }
        .all(read.result);
        let tags: Vec<TagPair<'_>> =
            found.variables.iter().chain(&values).map(tags::pair).collect();
        let known = Known {
            record: Some(record),
            evaluation: read.evaluation,
            points: read.points,
            depth: read.depth,
            nodes: read.nodes,
            time: found.known.time.or(read.time),
            ..found.known
        };
        let ahead = Ahead { comments: &[], plies: None, outcome: read.result, known: Some(&known) };
        let ply = Ply {
            ahead: Some(&ahead),
            comments: found.comment.as_slice(),
            nags: &found.nags,
            ..Ply::new(position, read.next, found.ply.unwrap_or(number_of(position)))
        };
        let is_numbered = found.ply.is_some() || record.get(Opcode::Fmvn).is_some();
        self.shown.pass(&tags, ply, || is_numbered, place, text, sink);
    }
}

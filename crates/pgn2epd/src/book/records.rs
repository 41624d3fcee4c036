//! Counts the records of an existing book on several workers.

use ::book::{Aggregate, Counts, PositionFilter, RecordedCounts};
use epd::{
    EpdDiagnostic, EpdDiagnosticKind, Line, Opcode, OperandRef, ReadOptions, Severity, read_line,
};

use crate::epd::line_diagnostic::LineDiagnostic;
use crate::observer::Observer;
use crate::run::lines::{ChunkLines, LineConsumer, ReadLines};
use crate::summary::Summary;

/// Counts the records of a chunk.
pub(super) struct CountRecords<'f> {
    pub(super) wanted: &'f PositionFilter,
    pub(super) aggregate: &'f Aggregate,
}

#[derive(Debug, Default)]
pub(super) struct CountedRecords {
    pub(super) counts: Counts,
    records: u64,
    faults: Vec<LineDiagnostic>,
}

impl LineConsumer for CountRecords<'_> {
    type Result = CountedRecords;

    fn chunk(&self, lines: ChunkLines<'_>, counted: &mut CountedRecords) -> ReadLines {
        self.aggregate.count_waiting();
        counted.counts.clear();
        counted.records = 0;
        counted.faults.clear();
        let read = lines.for_each(|line, faults| {
            faults.clear();
            counted.line(line.text, line.number, faults, self.wanted)
        });
        self.aggregate.divide(&mut counted.counts);
        read
    }
}

impl CountedRecords {
    /// Counts a line; returns whether it has an error.
    fn line(
        &mut self,
        line: &str,
        number: u64,
        faults: &mut Vec<EpdDiagnostic>,
        wanted: &PositionFilter,
    ) -> bool {
        let options = ReadOptions { moves: false, ..ReadOptions::default() };
        let read = read_line(line, &options, &mut |fault| faults.push(fault));
        let is_bad = matches!(read, Line::Bad);
        // Faults in operations do not invalidate the position.
        faults.retain(|fault| match fault.kind {
            EpdDiagnosticKind::Unreachable(_) => true,
            _ => is_bad && fault.kind.severity() == Severity::Error,
        });
        if let Line::Variant(_) = read {
            faults.push(EpdDiagnostic { at: 0..line.len(), kind: EpdDiagnosticKind::Variant });
        }
        let faults = faults.drain(..).map(|fault| LineDiagnostic::new(number, line, fault));
        self.faults.extend(faults);
        let Line::Record(record) = read else {
            return matches!(read, Line::Bad | Line::Variant(_));
        };
        self.records += 1;
        let evaluation = match record.get(Opcode::Ce) {
            Some(OperandRef::Evaluation(evaluation)) => Some(evaluation),
            _ => None,
        };
        let given = match record.get(Opcode::C0) {
            Some(OperandRef::Text(text)) => RecordedCounts::of_comment(&text),
            _ => None,
        };
        let given = given.unwrap_or_default();
        self.counts.record(record.position(), number, &given, evaluation, wanted);
        false
    }

    pub(super) fn deliver(&self, bytes: u64, summary: &mut Summary, observer: &mut dyn Observer) {
        for fault in &self.faults {
            observer.line_diagnostic(fault);
            summary.count(fault.kind.severity());
        }
        summary.games += self.records;
        summary.positions += self.counts.positions;
        summary.bytes_read += bytes;
        observer.progress(summary);
    }
}

//! Counts the records of an existing book on several workers.

use ::book::{Aggregate, Counts, PositionFilter, RecordedCounts};
use epd::{
    EpdDiagnostic, EpdDiagnosticKind, LONGEST_LINE, Line, Lines, Opcode, OperandRef, OverlongLine,
    RawLine, ReadOptions, Severity, read_line,
};
use pgn::Place;
use stream::chunk::Chunk;
use stream::ordered::{ChunkEnd, ChunkWorker, LineCutter, whole_lines};

use crate::epd::line_diagnostic::LineDiagnostic;
use crate::epd::line_text::line_text;
use crate::observer::Observer;
use crate::summary::Summary;

/// The worker that counts the records of a chunk.
pub(super) struct CountRecords<'f> {
    pub(super) wanted: &'f PositionFilter,
    pub(super) aggregate: &'f Aggregate,
}

#[derive(Debug, Default)]
pub(super) struct CountedRecords {
    pub(super) counts: Counts,
    /// The end of the first line with an error. Cut there, that line is torn, and the one before it is whole.
    pub(super) first_error: Option<Place>,
    /// A line that exceeds the limit; the lines after it are not counted.
    pub(super) overlong: Option<OverlongLine>,
    records: u64,
    faults: Vec<LineDiagnostic>,
}

impl ChunkWorker for CountRecords<'_> {
    type Cutter = LineCutter;
    type Output = CountedRecords;

    fn chunk(&self, chunk: Chunk<'_, ()>, counted: &mut CountedRecords) -> ChunkEnd<()> {
        self.aggregate.count_waiting();
        let (lines, end) = whole_lines(chunk);
        counted.clear();
        let mut at = 0;
        for RawLine { number, bytes, len_with_end } in Lines::numbered(lines, chunk.start().line) {
            if len_with_end > LONGEST_LINE {
                counted.overlong = Some(OverlongLine { line: number });
                break;
            }
            let is_bad = counted.line(bytes, number, self.wanted);
            if is_bad && counted.first_error.is_none() {
                let len = bytes.strip_suffix(b"\r").unwrap_or(bytes).len();
                counted.first_error = Some(chunk.place(at + len));
            }
            at += len_with_end;
        }
        self.aggregate.divide(&mut counted.counts);
        end
    }

    fn too_large(&self, chunk: Chunk<'_, ()>, counted: &mut CountedRecords) {
        counted.clear();
        counted.overlong = Some(OverlongLine { line: chunk.start().line });
    }
}

impl CountedRecords {
    fn clear(&mut self) {
        self.counts.clear();
        (self.first_error, self.overlong, self.records) = (None, None, 0);
        self.faults.clear();
    }

    /// Counts a line; returns whether it has an error.
    fn line(&mut self, bytes: &[u8], number: u64, wanted: &PositionFilter) -> bool {
        let options = ReadOptions { moves: false, ..ReadOptions::default() };
        let mut faults = Vec::new();
        let line = &*line_text(bytes, &mut |_| {});
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
        let faults = faults.into_iter().map(|fault| LineDiagnostic::new(number, line, fault));
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

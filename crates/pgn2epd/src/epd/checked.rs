//! Checks the lines of a chunk and prepares the output.

use epd::{
    Columns, Dialect, EpdDiagnostic, EpdDiagnosticKind, Line, Opcode, Operation, OperationRef,
    OverlongLine, ReadOptions, Readable, Record, RecordRef, RecordedPosition, Register, Severity,
    read_line, string,
};
use san::Buffer;

use super::check_options::{CheckCounts, CheckOptions};
use super::line_diagnostic::LineDiagnostic;
use crate::options::keywords::Unreadable;
use crate::run::lines::{ChunkLines, LineConsumer};

pub(super) struct CheckLines<'o> {
    pub(super) options: &'o CheckOptions,
}

impl LineConsumer for CheckLines<'_> {
    type Result = Checked;

    fn chunk(&self, lines: ChunkLines<'_>, checked: &mut Checked) -> Option<OverlongLine> {
        checked.clear();
        lines.for_each(|line, faults| {
            checked.line(line.text, line.bytes, line.number, self.options, faults);
            if !faults.is_empty() {
                checked.tell(line.text, line.number, faults);
            }
        })
    }
}

#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Errors and warnings are counted when they are reported.
    pub(super) counts: CheckCounts,
    pub(super) faults: Vec<LineDiagnostic>,
    /// The first line whose castling rights can only be those of Chess960.
    pub(super) chess960_from: Option<u64>,
    /// The pieces that are written or whose positions are needed.
    pub(super) items: Vec<Item>,
    /// Whether all pieces are written and none has registers.
    pub(super) is_plain: bool,
    out: Buffer,
    /// Faults of every line of the file, stored once.
    kept_once: Vec<EpdDiagnosticKind>,
}

/// A piece of output: a record or another line.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The position of a record, if it is counted.
    pub(super) position: Option<RecordedPosition>,
    /// The end of the piece in the text.
    pub(super) end: usize,
    pub(super) registers: RegisterUse,
    /// The number of a line that is not written, as it cannot be repaired; the piece is that line.
    pub(super) rejected: Option<u64>,
    pub(super) unread: Option<Unread>,
}

/// The text of a line that could not be read, and the number of texts in it.
type Unread = (Box<str>, u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegisterUse {
    /// The piece has no operations, such as a line that is not a record.
    NoOperations,
    /// A record without register operations. Its operations begin at this byte of the piece.
    None(usize),
    /// A record with register operations. Its operations begin at this byte of the piece.
    Some(usize),
    /// A label written as a record; its `c9` is the result of its own game.
    Label(usize),
}

impl Checked {
    pub(super) fn text(&self) -> &[u8] {
        self.out.as_bytes()
    }

    fn clear(&mut self) {
        self.counts = CheckCounts::default();
        self.faults.clear();
        self.items.clear();
        self.chess960_from = None;
        self.is_plain = true;
        self.out.clear();
        self.kept_once.clear();
    }

    fn line(
        &mut self,
        line: &str,
        bytes: &[u8],
        number: u64,
        options: &CheckOptions,
        faults: &mut Vec<EpdDiagnostic>,
    ) {
        let read = read_line(line, &options.read_options(), &mut |fault| faults.push(fault));
        match &read {
            Line::Blank => {}
            Line::Comment => self.counts.comments += 1,
            Line::Bad => self.counts.bad_lines += 1,
            Line::Record(_) | Line::Variant(_) => self.counts.records += 1,
        }
        if let Line::Record(record) = &read
            && self.chess960_from.is_none()
            && record.is_of_chess960()
        {
            self.chess960_from = Some(number);
        }
        let operations = match &read {
            Line::Record(record) => Some(record),
            Line::Variant(variant) => Some(variant.operations()),
            _ => None,
        };
        let start = self.out.len();
        let (mut registers, mut unread) = (RegisterUse::NoOperations, None);
        let mut is_rejected = false;
        if options.fix && !matches!(read, Line::Blank | Line::Comment) {
            match self.normal(&read, faults, options) {
                Some(normal) => (registers, unread) = normal,
                None => {
                    self.out.truncate(start);
                    is_rejected = true;
                    self.counts.rejected += 1;
                    self.out.extend(bytes);
                    self.out.extend(b"\n");
                    if let Some(record) = operations {
                        registers = RegisterUse::of_line(record);
                    }
                }
            }
        }
        let position = match &read {
            Line::Record(record) if options.statistics => {
                Some(RecordedPosition::new(record.position()))
            }
            _ => None,
        };
        if position.is_some() || self.out.len() > start {
            self.is_plain &= !is_rejected
                && unread.is_none()
                && matches!(registers, RegisterUse::NoOperations | RegisterUse::None(_));
            let rejected = is_rejected.then_some(number);
            let end = self.out.len();
            self.items.push(Item { position, end, registers, rejected, unread });
        }
    }

    /// Returns registers and unread text; `None` if not all of this text can become comments.
    fn normal(
        &mut self,
        line: &Line<'_>,
        faults: &[EpdDiagnostic],
        options: &CheckOptions,
    ) -> Option<(RegisterUse, Option<Unread>)> {
        let start = self.out.len();
        let Readable { mut record, variant, mut unread } = line.readable(faults)?;
        // Most lines have only the fault of their dialect, and their normal form is what was read.
        // The evaluation of a label may be none of EPD, which has 0 for drawn positions.
        let is_label = matches!(line, Line::Record(record) if record.dialect() == Dialect::Label);
        let is_sound = !is_label && faults.iter().all(|fault| fault.kind.is_of_file());
        let operations_at = loop {
            self.out.truncate(start);
            let readable = Readable { record, variant: variant.clone(), unread: Vec::new() };
            let operations_at = readable.write(&mut self.out);
            record = readable.record;
            if is_sound {
                break operations_at;
            }
            // Without what cannot be read, more may be wrong: `draw_offer` needs `sm`.
            let text = String::from_utf8_lossy(&self.out.as_bytes()[start..]).into_owned();
            let dialect = variant.is_none().then_some(Dialect::Standard);
            let read_options = ReadOptions { dialect, ..options.read_options() };
            let mut errors = Vec::new();
            let read = read_line(&text, &read_options, &mut |fault| {
                if fault.kind.severity() == Severity::Error {
                    errors.push(fault);
                }
            });
            let mut again = read.readable(&errors)?;
            if errors.is_empty() {
                break operations_at;
            }
            if again.unread.is_empty() {
                // Of two moves that can be read, that of the line counts.
                let is_contradicted = |fault: &EpdDiagnostic| {
                    matches!(fault.kind, EpdDiagnosticKind::PredictedMove { .. })
                };
                let pm = again.record.remove("pm").filter(|_| errors.iter().any(is_contradicted));
                again.unread.push(format!("pm {}", pm?));
            }
            unread.extend(again.unread);
            record = again.record;
        };
        if faults.iter().any(|fault| fault.kind == EpdDiagnosticKind::TooMany) {
            return None;
        }
        let dropped = faults.iter().filter(|f| matches!(f.kind, EpdDiagnosticKind::LeftOut(_)));
        self.counts.dropped += dropped.count() as u64;
        let registers = RegisterUse::of_record(line, &record, operations_at);
        self.out.extend(b"\n");
        let count = unread.len() as u64;
        if count == 0 {
            return Some((registers, None));
        }
        if options.unreadable == Unreadable::Drop {
            self.counts.dropped += count;
            return Some((registers, None));
        }
        let text = unread.join("; ");
        let text = string::printable(&text).into_owned();
        let is_free = |register: &Register| {
            (0..10).any(|rank| Register::comment(rank) == Some(*register))
                && record.get(Opcode::of_register(*register)).is_none()
        };
        let free = Register::all().filter(is_free).count();
        let has_room = string::pieces(&text).count() <= free;
        has_room.then(|| (registers, Some((text.into(), count))))
    }

    /// Stores the faults of a line, from left to right.
    #[cold]
    fn tell(&mut self, line: &str, number: u64, faults: &mut Vec<EpdDiagnostic>) {
        faults.sort_by_key(|fault| fault.at.start);
        let mut columns = Columns::new(line);
        for fault in faults.drain(..) {
            if fault.kind.is_of_file() {
                if self.kept_once.contains(&fault.kind) {
                    continue;
                }
                self.kept_once.push(fault.kind.clone());
            }
            let column = columns.of(fault.at.start) as u64;
            self.faults.push(LineDiagnostic::at(number, column, line, fault));
        }
    }
}

impl RegisterUse {
    /// Classifies a record in its line. A label ends its line, so operations cannot be added to it.
    fn of_line(record: &RecordRef<'_>) -> Self {
        let is_register =
            |operation: OperationRef<'_>| operation.opcode().and_then(Opcode::register).is_some();
        match record.operations_at() {
            _ if record.dialect() == Dialect::Label && record.operations().next().is_none() => {
                RegisterUse::NoOperations
            }
            at if record.operations().any(is_register) => RegisterUse::Some(at),
            at => RegisterUse::None(at),
        }
    }

    fn of_record(line: &Line<'_>, normal: &Record, at: usize) -> Self {
        let is_register =
            |operation: &Operation| operation.opcode().and_then(Opcode::register).is_some();
        match line {
            Line::Record(record) if record.dialect() == Dialect::Label => RegisterUse::Label(at),
            _ if normal.operations().iter().any(is_register) => RegisterUse::Some(at),
            _ => RegisterUse::None(at),
        }
    }
}

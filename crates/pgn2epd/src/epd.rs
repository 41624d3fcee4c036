//! Reads, writes and checks EPD records. Section numbers are those of the EPD standard (PGN
//! standard 16.2).
//!
//! [`read_line`] reads a line of any [`Dialect`], a [`Scanner`] also tracks the [`Registers`], and a
//! [`Checker`] checks and repairs whole files.
//!
//! ```
//! use pgn2epd::epd::{Opcode, Operand, Record};
//!
//! let record: Record = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";".parse()?;
//! assert_eq!(record.get(Opcode::Bm), Some(&Operand::Moves(vec!["Qd1+".to_owned()])));
//! # Ok::<_, pgn2epd::epd::ReadError>(())
//! ```
//!
//! A conversion yields each [`Record`] in a [`PlayedPosition`](crate::PlayedPosition), with the
//! position, the move played and the game.

pub(crate) mod line;

pub use crate::options::values::{OnOff, Unreadable};
pub use epd::{
    Blanks, Centipawns, Columns, Dialect, EpdDiagnostic, EpdDiagnosticKind, ExpectedOperand, Line,
    Mate, MoveTexts, NameError, Opcode, Operand, OperandError, OperandRef, OperandType, Operation,
    OperationRef, ReadError, ReadOptions, Record, RecordRef, RecordScanner as Scanner,
    RecordedPosition, Register, Registers, Rules, Statistics, StatisticsReport, VariantRef,
    read_line,
};
pub use line::LineDiagnostic;

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use epd::{OverlongLine, Readable, RegisterKeeper, Severity, string};
use san::Buffer;
use stream::ordered::Threads;

use crate::convert::ConvertError;
use crate::inputs::{InputText, for_each_text};
use crate::options::option_spec::{OptionSet, options};
use crate::options::{OnDamage, Options};
use crate::run::{ChunkLines, LineConsumer, run_lines};
use crate::summary::{add, flow};
use line::line_text;

options! {
    /// Options for checking and repairing files of records.
    ///
    /// ```
    /// use pgn2epd::epd::CheckOptions;
    ///
    /// let options = CheckOptions::from_names([("stats", "true"), ("strict", "true")])?;
    /// assert!(options.statistics && options.strict);
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CheckOptions {
        "Reading": {
            /// The dialect of all lines [default: detected for each line]
            dialect: Option<Dialect> = None, value("NAME");

            /// Whether to play the moves in operands.
            moves: OnOff = OnOff::On, value("WHETHER");

            /// Rules of all positions.
            rules: Rules = Rules::Detected, name("variant"), value("NAME");

            /// Refuse positions that no game leads to, even if moves can be played.
            strict: bool = false;

            /// Count positions and different positions, in the terms used for the books of
            /// Stockfish.
            statistics: bool = false, name("stats");
        }
        "Records": {
            /// Write the records in their normal form.
            ///
            /// A record that still has an error in that form is not written, nor are comments and
            /// empty lines.
            fix: bool = false;

            /// What becomes of text that --fix cannot read.
            unreadable: Unreadable = Unreadable::Comment, value("WHAT"), for_any(&["fix"]);
        }
        "Running": {
            jobs: Option<NonZeroUsize> = None, shared();
            on_damage: OnDamage = OnDamage::Stop, shared();
        }
    }
}

impl OptionSet for CheckOptions {}

impl CheckOptions {
    fn read_options(&self) -> ReadOptions {
        let CheckOptions { dialect, moves, rules, strict, .. } = *self;
        let moves = moves == OnOff::On;
        ReadOptions { dialect, moves, rules, strict, ..ReadOptions::default() }
    }
}

/// The totals of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// Lines with a record.
    pub records: u64,
    /// Lines that should have a record but do not.
    pub bad_lines: u64,
    /// Comment lines.
    pub comments: u64,
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Notes.
    pub notes: u64,
    /// Texts that could not be read and were written as comments.
    pub commented: u64,
    /// Texts that are not written: what cannot be read, with [`Unreadable::Drop`], and impossible
    /// castling rights and en passant squares.
    pub dropped: u64,
    /// Lines not written because their position, or all of their text, cannot be kept.
    pub rejected: u64,
}

/// A line that is not written because its position, or all of its text, cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RejectedLine<'l> {
    /// The line number in its file, counted from 1.
    pub line: u64,
    /// The line as read, without its end.
    pub bytes: &'l [u8],
}

impl std::ops::AddAssign for CheckCounts {
    fn add_assign(&mut self, other: Self) {
        add! {
            self += other: records bad_lines comments errors warnings notes commented dropped
                rejected
        }
    }
}

impl LineConsumer for CheckOptions {
    type Result = Checked;

    fn chunk(&self, lines: ChunkLines<'_>, checked: &mut Checked) -> Option<OverlongLine> {
        checked.clear();
        lines.for_each(|line, faults| {
            checked.line(line.text, line.bytes, line.number, self, faults);
            if !faults.is_empty() {
                checked.tell(line.text, line.number, faults);
            }
        })
    }
}

#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Errors and warnings are counted when they are reported.
    counts: CheckCounts,
    faults: Vec<LineDiagnostic>,
    chess960_from: Option<u64>,
    items: Vec<OutputItem>,
    is_plain: bool,
    out: Buffer,
    /// Faults of every line of the file, stored once.
    kept_once: Vec<EpdDiagnosticKind>,
}

#[derive(Clone, Debug)]
struct OutputItem {
    position: Option<RecordedPosition>,
    end: usize,
    registers: RegisterUse,
    /// The number of a line that is not written, as it cannot be repaired; the piece is that line.
    rejected: Option<u64>,
    unread: Option<UnreadText>,
}

type UnreadText = (Box<str>, u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RegisterUse {
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
    fn text(&self) -> &[u8] {
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
            let normal = self.normal(&read, faults, options);
            is_rejected = normal.is_none();
            (registers, unread) = normal.unwrap_or_else(|| {
                self.out.truncate(start);
                self.counts.rejected += 1;
                self.out.extend(bytes);
                self.out.extend(b"\n");
                (operations.map_or(RegisterUse::NoOperations, RegisterUse::of_line), None)
            });
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
            self.items.push(OutputItem { position, end, registers, rejected, unread });
        }
    }

    /// Returns registers and unread text; `None` if not all of this text can become comments.
    fn normal(
        &mut self,
        line: &Line<'_>,
        faults: &[EpdDiagnostic],
        options: &CheckOptions,
    ) -> Option<(RegisterUse, Option<UnreadText>)> {
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
        if count == 0 || options.unreadable == Unreadable::Drop {
            self.counts.dropped += count;
            return Some((registers, None));
        }
        let text = string::printable(&unread.join("; ")).into_owned();
        let is_free = |register: &Register| {
            (0..10).any(|rank| Register::comment(rank) == Some(*register))
                && record.get(Opcode::of_register(*register)).is_none()
        };
        let free = Register::all().filter(is_free).count();
        let has_room = string::pieces(&text).count() <= free;
        has_room.then(|| (registers, Some((text.into(), count))))
    }

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
        let is_label = record.dialect() == Dialect::Label;
        let mut opcodes = record.operations().map(|operation| operation.opcode());
        match record.operations_at() {
            _ if is_label && record.operations().next().is_none() => RegisterUse::NoOperations,
            at if opcodes.any(is_register) => RegisterUse::Some(at),
            at => RegisterUse::None(at),
        }
    }

    fn of_record(line: &Line<'_>, normal: &Record, at: usize) -> Self {
        let mut opcodes = normal.operations().iter().map(Operation::opcode);
        match line {
            Line::Record(record) if record.dialect() == Dialect::Label => RegisterUse::Label(at),
            _ if opcodes.any(is_register) => RegisterUse::Some(at),
            _ => RegisterUse::None(at),
        }
    }
}

fn is_register(opcode: Option<Opcode>) -> bool {
    opcode.and_then(Opcode::register).is_some()
}

/// Chunk size in bytes: large enough to justify a thread, small enough for the cache.
const CHUNK_BYTES: usize = 512 << 10;
type Reject<'r> = &'r mut dyn FnMut(&RejectedLine<'_>) -> io::Result<()>;

/// Checks files of records in sequence.
#[derive(Debug)]
pub struct Checker {
    options: CheckOptions,
    counts: CheckCounts,
    statistics: Statistics,
    chess960_from: Option<u64>,
    /// Adds the register operations of omitted records to those written.
    keeper: RegisterKeeper,
}

impl Checker {
    /// Creates a checker.
    pub fn new(options: CheckOptions) -> Self {
        Checker {
            options,
            // The normal form is in the standard dialect.
            keeper: RegisterKeeper::default(),
            counts: CheckCounts::default(),
            statistics: Statistics::default(),
            chess960_from: None,
        }
    }

    /// Checks all lines of `input`, writes to `output` as configured, and reports every fault in
    /// line order. Lines that cannot be repaired are not written, but passed to `reject`.
    ///
    /// A fault common to all lines, such as the dialect, is reported once. Memory does not grow
    /// with the input, except with [`CheckOptions::statistics`]. Fails if the input cannot be read,
    /// the output cannot be written, or `reject` fails.
    ///
    /// ```
    /// use pgn2epd::epd::{Checker, CheckOptions};
    ///
    /// let records = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 dm 9\n8/8/8/8/8/8/8/8 w - -\n";
    /// let mut checker = Checker::new(CheckOptions::default().fix(true));
    /// let (mut repaired, mut rejected) = (Vec::new(), Vec::new());
    /// checker.check(records.as_bytes(), &mut repaired, &mut |_| {}, &mut |line| {
    ///     rejected.push(line.line);
    ///     Ok(())
    /// })?;
    /// assert_eq!(String::from_utf8(repaired).unwrap(), "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; dm 9;\n");
    /// assert_eq!(rejected, [2]);
    /// # Ok::<_, pgn2epd::ConvertError>(())
    /// ```
    pub fn check(
        &mut self,
        input: impl Read,
        mut output: impl Write,
        tell: &mut dyn FnMut(&LineDiagnostic),
        reject: Reject<'_>,
    ) -> Result<(), ConvertError> {
        for_each_text(input, &mut (), None, ConvertError::Read, |text, _| {
            self.any_text(text, &mut output, tell, reject)?;
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Checks all lines of a text, like [`Checker::check`]. Fails if the text cannot be read or
    /// begins with a game, the output cannot be written, or `reject` fails.
    pub fn text(
        &mut self,
        text: InputText<'_>,
        mut output: impl Write,
        tell: &mut dyn FnMut(&LineDiagnostic),
        reject: Reject<'_>,
    ) -> Result<(), ConvertError> {
        let text = text.of_positions().map_err(ConvertError::Read)?;
        self.any_text(text, &mut output, tell, reject)
    }

    fn any_text(
        &mut self,
        text: InputText<'_>,
        output: &mut dyn Write,
        tell: &mut dyn FnMut(&LineDiagnostic),
        reject: Reject<'_>,
    ) -> Result<(), ConvertError> {
        let threads = Threads::new(Options::default().jobs(self.options.jobs).workers());
        let options = self.options.clone();
        self.keeper.begin();
        self.chess960_from = None;
        let (mut told, mut delivered) = (Vec::new(), Ok(()));
        let mut deliver = |checked: &mut Checked, _| {
            delivered = self.deliver(checked, output, &mut told, tell, reject);
            flow(delivered.is_err())
        };
        let read = run_lines(text, &threads, CHUNK_BYTES, &options, &mut deliver);
        delivered?;
        output.flush().map_err(ConvertError::Write)?;
        read.map_err(ConvertError::Read)
    }

    /// Returns the totals of all files so far.
    pub fn counts(&self) -> CheckCounts {
        self.counts
    }

    /// Returns the statistics of all files so far.
    pub fn statistics(&mut self) -> StatisticsReport {
        self.statistics.report()
    }

    fn deliver(
        &mut self,
        checked: &Checked,
        output: &mut dyn Write,
        told: &mut Vec<EpdDiagnosticKind>,
        tell: &mut dyn FnMut(&LineDiagnostic),
        reject: Reject<'_>,
    ) -> Result<(), ConvertError> {
        self.counts += checked.counts;
        let chess960_from = self.chess960_from.or(checked.chess960_from);
        self.chess960_from = chess960_from;
        for fault in &checked.faults {
            // The file says that it is Chess960.
            let is_expected = chess960_from.is_some_and(|from| fault.line > from);
            if is_expected && matches!(fault.kind, EpdDiagnosticKind::Chess960Castling(_)) {
                continue;
            }
            if fault.kind.is_of_file() {
                if told.contains(&fault.kind) {
                    continue;
                }
                told.push(fault.kind.clone());
            }
            match fault.kind.severity() {
                Severity::Error => self.counts.errors += 1,
                Severity::Warning => self.counts.warnings += 1,
                Severity::Note => self.counts.notes += 1,
            }
            tell(fault);
        }
        let positions = checked.items.iter().filter_map(|item| item.position.as_ref());
        positions.for_each(|position| self.statistics.add(position));
        if checked.is_plain && self.keeper.is_level() {
            return output.write_all(checked.text()).map_err(ConvertError::Write);
        }
        let mut written = Vec::with_capacity(checked.text().len());
        let mut start = 0;
        for item in &checked.items {
            let piece = &checked.text()[start..item.end];
            start = item.end;
            if let Some(line) = item.rejected {
                if let RegisterUse::Some(at) = item.registers {
                    let text = line_text(piece, &mut |_| {});
                    self.keeper.pass(self.options.dialect, &text[at..]);
                }
                let bytes = piece.strip_suffix(b"\n").unwrap_or(piece);
                reject(&RejectedLine { line, bytes }).map_err(ConvertError::Write)?;
                continue;
            }
            let unread = item.unread.as_ref().map(|(text, _)| &**text);
            self.counts.commented += item.unread.as_ref().map_or(0, |(_, count)| *count);
            self.piece(piece, item.registers, unread, &mut written);
        }
        output.write_all(&written).map_err(ConvertError::Write)
    }

    fn piece(
        &mut self,
        piece: &[u8],
        registers: RegisterUse,
        unread: Option<&str>,
        out: &mut Vec<u8>,
    ) {
        let keeper = &mut self.keeper;
        let text = String::from_utf8_lossy(piece);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        use RegisterUse::{Label, NoOperations, None as Without, Some as With};
        match (registers, unread) {
            (NoOperations, None) => return out.extend_from_slice(piece),
            (Without(_), None) if keeper.is_level() => return out.extend_from_slice(piece),
            (With(at) | Without(at) | Label(at), Some(unread)) => {
                keeper.write_with_comment(text, at, unread, out);
            }
            (Label(at), None) => keeper.write_label(text, at, out),
            (With(at) | Without(at), None) => keeper.write(text, at, out),
            (NoOperations, Some(_)) => {}
        }
        out.push(b'\n');
    }
}

//! Checks and repairs files of records, on all cores and in input order.

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use epd::{EpdDiagnosticKind, RegisterKeeper, Severity, Statistics, StatisticsReport};
use stream::ordered::Threads;

use super::check_options::{CheckCounts, CheckOptions, RejectedLine};
use super::checked::{CheckLines, Checked, RegisterUse};
use super::line_diagnostic::LineDiagnostic;
use super::line_text::line_text;
use crate::convert::ConvertError;
use crate::inputs::{InputText, for_each_text};
use crate::observer::Observer;
use crate::run::lines::run_lines;

/// Chunk size in bytes: large enough to justify a thread, small enough for the cache.
const CHUNK_BYTES: usize = 512 << 10;

/// Receives the lines that are not written.
type Reject<'r> = &'r mut dyn FnMut(&RejectedLine<'_>) -> io::Result<()>;

struct Tell<'t>(&'t mut dyn FnMut(&LineDiagnostic));

impl Observer for Tell<'_> {
    fn line_diagnostic(&mut self, fault: &LineDiagnostic) {
        (self.0)(fault);
    }
}

/// Checks files of records in sequence.
///
/// ```
/// use pgn2epd::epd::{Checker, CheckOptions};
///
/// let records = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\n";
/// let mut checker = Checker::new(CheckOptions::default());
/// let mut said = Vec::new();
/// checker.check(records.as_bytes(), std::io::sink(), &mut |fault| said.push(fault.to_string()))?;
/// assert_eq!(said, ["1:32: e5: illegal: no white pawn can reach e5"]);
/// assert_eq!(checker.counts().errors, 1);
/// # Ok::<_, pgn2epd::ConvertError>(())
/// ```
#[derive(Debug)]
pub struct Checker {
    options: CheckOptions,
    counts: CheckCounts,
    statistics: Statistics,
    /// The first line of the text whose castling rights can only be those of Chess960.
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
    /// line order.
    ///
    /// A fault common to all lines, such as the dialect, is reported once. Memory does not grow
    /// with the input, except with [`CheckOptions::statistics`].
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read or the output cannot be written.
    pub fn check(
        &mut self,
        input: impl Read,
        output: impl Write,
        tell: &mut dyn FnMut(&LineDiagnostic),
    ) -> Result<(), ConvertError> {
        self.check_and_reject(input, output, tell, &mut |_| Ok(()))
    }

    /// The same as [`Checker::check`], with lines that cannot be repaired, and are therefore not
    /// written, passed to `reject`.
    ///
    /// # Errors
    ///
    /// The same as [`Checker::check`], or an error of `reject`.
    ///
    /// ```
    /// use pgn2epd::epd::{Checker, CheckOptions};
    ///
    /// let records = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 dm 9\n8/8/8/8/8/8/8/8 w - -\n";
    /// let mut checker = Checker::new(CheckOptions::default().fix(true));
    /// let (mut repaired, mut rejected) = (Vec::new(), Vec::new());
    /// checker.check_and_reject(records.as_bytes(), &mut repaired, &mut |_| {}, &mut |line| {
    ///     rejected.push(line.line);
    ///     Ok(())
    /// })?;
    /// assert_eq!(String::from_utf8(repaired).unwrap(), "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; dm 9;\n");
    /// assert_eq!(rejected, [2]);
    /// # Ok::<_, pgn2epd::ConvertError>(())
    /// ```
    pub fn check_and_reject(
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

    /// Checks all lines of a text, like [`Checker::check_and_reject`].
    ///
    /// # Errors
    ///
    /// Returns an error if the text cannot be read or begins with a game, the output cannot be
    /// written, or `reject` fails.
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
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = Threads::new(self.options.jobs.unwrap_or_else(cores).get());
        let options = self.options.clone();
        let work = CheckLines { options: &options };
        self.keeper.begin();
        self.chess960_from = None;
        let (mut told, mut delivered) = (Vec::new(), Ok(()));
        let mut deliver = |checked: &mut Checked, _, observer: &mut dyn Observer| {
            delivered = self.deliver(checked, output, &mut told, observer, reject);
            if delivered.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let read = run_lines(text, &threads, CHUNK_BYTES, &work, &mut Tell(tell), &mut deliver);
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
        observer: &mut dyn Observer,
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
            observer.line_diagnostic(fault);
        }
        if self.options.statistics {
            checked
                .items
                .iter()
                .filter_map(|item| item.position.as_ref())
                .for_each(|position| self.statistics.add(position));
        }
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

    /// Writes a piece, and updates the registers.
    fn piece(
        &mut self,
        piece: &[u8],
        registers: RegisterUse,
        unread: Option<&str>,
        out: &mut Vec<u8>,
    ) {
        let keeper = &mut self.keeper;
        let is_as_it_is = match registers {
            _ if unread.is_some() => false,
            RegisterUse::NoOperations => true,
            RegisterUse::None(_) => keeper.is_level(),
            RegisterUse::Some(_) | RegisterUse::Label(_) => false,
        };
        if is_as_it_is {
            return out.extend_from_slice(piece);
        }
        let text = String::from_utf8_lossy(piece);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        match (registers, unread) {
            (
                RegisterUse::Some(at) | RegisterUse::None(at) | RegisterUse::Label(at),
                Some(unread),
            ) => keeper.write_with_comment(text, at, unread, out),
            (RegisterUse::Label(at), None) => keeper.write_label(text, at, out),
            (RegisterUse::Some(at) | RegisterUse::None(at), None) => keeper.write(text, at, out),
            (RegisterUse::NoOperations, _) => {}
        }
        out.push(b'\n');
    }
}

//! Positions evaluated by an engine, and test suites solved.
//!
//! The records of a conversion go to an engine instead of an output, so every source and every
//! selection of a conversion is one of an analysis.

mod evaluator;
mod options;
#[cfg(feature = "output")]
mod partial;
mod solve;

use std::cell::RefCell;
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::rc::Rc;

use crate::convert::Conversion;
use crate::inputs::InputText;
use crate::options::{Format, OptionConflict, Options};
use crate::summary::{Observer, Summary};
use evaluator::MOST_KNOWN;
pub(crate) use evaluator::{AnsweredRecords, Evaluator};

pub use engine::{
    CommandError, EngineCommand, EngineError, Finding, OptionSetting, Score, StopCheck,
};
pub use evaluator::{AnalyseError, Analysed, FailedPosition};
#[cfg(feature = "book")]
pub(crate) use evaluator::{EngineRecord, NamedOperands};
pub use options::{AnalyseOptions, BestMoves, MoveNames, book_has};
#[cfg(feature = "output")]
pub use partial::{PartialFile, use_cache};
pub use solve::{Attempt, Exercise, Suite, SuiteResult, SuiteTotals};

/// An analysis: the records that a conversion selects are written with what an engine says of them,
/// in their order.
///
/// ```no_run
/// use pgn2epd::Options;
/// use pgn2epd::analyse::{Analysis, AnalyseOptions};
///
/// let engine = AnalyseOptions::from_names([("engine", "stockfish"), ("nodes", "10000")])?;
/// let last = Options::default().only_final(true);
/// let mut epd = Vec::new();
/// let mut analysis = Analysis::new(&mut epd, &last, &engine)?;
/// analysis.input(&b"1. e4 e5 *"[..], &mut ())?;
/// assert_eq!(analysis.finish()?.1.asked, 1);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct Analysis<'o> {
    conversion: Conversion<'o>,
    evaluator: Rc<RefCell<Evaluator<'o>>>,
}

/// The size of the pieces in which texts are read, in bytes: small, so that progress is seen.
const CHUNK: usize = 8 << 10;

impl<'o> Analysis<'o> {
    /// Starts an engine. Fails if options are in conflict, or the engine cannot be used.
    pub fn new(
        output: impl Write + 'o,
        options: &Options,
        analyse: &AnalyseOptions,
    ) -> Result<Self, AnalyseError> {
        let conversions = "conversions, such as that of the result";
        let unused = [
            (options.compress.is_some(), "compress", conversions),
            (options.blank_line, "blank-line", conversions),
            (analyse.draws.is_some(), "draws", "books"),
        ];
        if let Some((_, option, what)) = unused.into_iter().find(|(is_given, ..)| *is_given) {
            return Err(OptionConflict::Unused(option, what).into());
        }
        analyse.conflict_with(options).map_or(Ok(()), Err)?;
        let style = options.registers.unwrap_or_default();
        let evaluator =
            Evaluator::start(AnsweredRecords::Lines(Box::new(output)), style, analyse, MOST_KNOWN)?;
        let evaluator = Rc::new(RefCell::new(evaluator));
        let options = as_records(options).rules(analyse.variant);
        let options = options.clone().chunk_bytes(options.chunk_bytes.min(CHUNK));
        let conversion = Conversion::new(ConvertedRecords(evaluator.clone()), &options);
        Ok(Analysis { conversion, evaluator })
    }

    /// Lets the output be continued by a later run: each record gets digits that stand for all
    /// settings, and a checksum. `earlier` has the records that the output has already, if any. The
    /// input and the settings must be the same.
    pub fn continue_after(&mut self, earlier: impl BufRead + 'o) {
        self.evaluator.borrow_mut().continue_after(Box::new(earlier));
    }

    /// Uses the evaluations of a cache, and adds those that are made: records that each have digits
    /// for all settings, and a checksum. Evaluations of other engines, or with other limits, stay.
    ///
    /// Those that are used are held in memory. Fails if the cache cannot be read, or a line is
    /// damaged; comments may be among them.
    pub fn use_cache(
        &mut self,
        cache: impl BufRead,
        additions: impl Write + 'o,
    ) -> Result<(), AnalyseError> {
        self.evaluator.borrow_mut().use_cache(cache, Box::new(additions))
    }

    /// Calls `report` for each position that the engine does not evaluate.
    pub fn on_failure(&mut self, report: impl FnMut(&FailedPosition) + 'o) {
        self.evaluator.borrow_mut().on_failure = Box::new(report);
    }

    /// Calls `report` with the number of records that are written, after each of them.
    pub fn on_progress(&mut self, report: impl FnMut(u64) + 'o) {
        self.evaluator.borrow_mut().on_progress = Box::new(report);
    }

    /// Analyses the positions of an input; `observer` receives problems and progress. Fails if the
    /// input cannot be read, the output cannot be written, or the engine cannot be started again.
    pub fn input(
        &mut self,
        input: impl Read,
        observer: &mut dyn Observer,
    ) -> Result<Summary, AnalyseError> {
        Ok(self.conversion.input(input, observer)?)
    }

    /// Analyses the positions of a text, like [`Analysis::input`].
    pub fn text(
        &mut self,
        text: InputText<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Summary, AnalyseError> {
        Ok(self.conversion.text(text, observer)?)
    }

    /// Whether no further position is selected.
    pub fn is_over(&self) -> bool {
        self.conversion.is_over()
    }

    /// Waits for the last answers, and returns the totals.
    pub fn finish(self) -> Result<(Summary, Analysed), AnalyseError> {
        let Analysis { conversion, evaluator } = self;
        let summary = conversion.finish()?;
        let analysed = evaluator.borrow_mut().finish()?;
        Ok((summary, analysed))
    }
}

impl fmt::Debug for Analysis<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analysis").finish_non_exhaustive()
    }
}

/// An analysis selects records: they are EPD, whatever is made of them.
fn as_records(options: &Options) -> Options {
    let Options { columns, csv_safe, games, .. } = Options::default();
    let mut templates = options.templates.clone();
    // Labels and training data need the result, which records have in this register.
    let needs_result = matches!(options.format, Format::Label(_) | Format::Training(_));
    if needs_result && !templates.iter().any(|template| template.opcode() == "c9") {
        templates.extend("c9={Result}".parse());
    }
    let options = options.clone().format(Format::Epd).templates(templates);
    options.columns(columns).csv_safe(csv_safe).games(games)
}

struct ConvertedRecords<'o>(Rc<RefCell<Evaluator<'o>>>);

impl Write for ConvertedRecords<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().text(text).map_err(io::Error::other)?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

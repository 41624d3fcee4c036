//! Positions of a book selected by the evaluations of an engine.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::rc::Rc;

use ::book::{BookError, Evaluate, Evaluated, Evaluation, Figures, Source, four_fields};
use ::engine::WinDrawLoss;
use emit::EvaluationRange;
use epd::{RegisterStyle, Rules};
use san::Position;

use super::BookOptions;
use crate::analyse::{
    AnalyseError, AnalyseOptions, Analysed, Evaluator, FailedPosition, RecordOfLine,
};
use crate::options::{OptionConflict, ShareRange};

/// The positions that have an evaluation in a range, those of a book among them.
///
/// ```no_run
/// use pgn2epd::analyse::AnalyseOptions;
/// use pgn2epd::book::{BookOptions, Counting, EngineWindow, write_evaluated_book};
///
/// let engine = AnalyseOptions::from_names([("engine", "stockfish"), ("nodes", "10000")])?;
/// let mut options = BookOptions::from_names([("ply", "8"), ("eval", "white:90..130")])?;
/// let mut window = EngineWindow::start(&mut options, &engine)?;
/// let mut counting = Counting::new(&options, ["games.pgn"]);
/// counting.input("games.pgn", std::fs::File::open("games.pgn")?, &mut ())?;
/// let mut book = Vec::new();
/// write_evaluated_book(counting.finish(), &options, &mut window, &mut book)?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct EngineWindow<'o> {
    evaluator: Evaluator<'o>,
    eval: Option<EvaluationRange>,
    draws: Option<ShareRange>,
    records: Written,
    positions: u64,
    on_progress: Box<dyn FnMut(u64, u64) + 'o>,
}

/// The operations of the record that a book has in another place.
const OTHERS: &[&str] = &["ce", "fmvn", "hmvc"];

impl<'o> EngineWindow<'o> {
    /// Starts an engine. It takes the range [`eval`](BookOptions::eval) out of the options of the
    /// book, since that is for its evaluations, and not for those of the games.
    ///
    /// # Errors
    ///
    /// If options are in conflict, or the engine cannot be used.
    pub fn start(options: &mut BookOptions, engine: &AnalyseOptions) -> Result<Self, AnalyseError> {
        let (eval, draws) = (options.eval.take(), engine.draws);
        if eval.is_none() && draws.is_none() {
            let ranges = "--eval 90..130 or --draws 0.48..0.52";
            return Err(OptionConflict::Missing("a range of evaluations", ranges).into());
        }
        let records = Written::default();
        let output = Box::new(records.clone());
        // The positions of a book are different ones.
        let evaluator = Evaluator::start(output, RegisterStyle::Off, engine, 0)?;
        Ok(EngineWindow {
            evaluator,
            eval,
            draws,
            records,
            positions: 0,
            on_progress: Box::new(|_, _| {}),
        })
    }

    /// Uses and keeps evaluations, like
    /// [`Analysis::use_cache`](crate::analyse::Analysis::use_cache).
    ///
    /// # Errors
    ///
    /// If the cache cannot be read, or has other lines.
    pub fn use_cache(
        &mut self,
        cache: impl BufRead,
        additions: impl Write + 'o,
    ) -> Result<(), AnalyseError> {
        self.evaluator.use_cache(cache, Box::new(additions))
    }

    /// Calls `report` for each position that the engine does not evaluate; the book does not have
    /// it.
    pub fn on_failure(&mut self, report: impl FnMut(&FailedPosition) + 'o) {
        self.evaluator.on_failure(Box::new(report));
    }

    /// Calls `report` with the number of positions that were decided since the last call, and that
    /// of all positions; a sample needs less.
    pub fn on_progress(&mut self, report: impl FnMut(u64, u64) + 'o) {
        self.on_progress = Box::new(report);
    }

    /// Returns the totals.
    pub fn analysed(&self) -> Analysed {
        self.evaluator.analysed()
    }

    fn answers(&mut self) -> Vec<Option<Evaluated>> {
        let records = self.records.0.take();
        let answers: Vec<_> =
            String::from_utf8_lossy(&records).lines().map(|record| self.answer(record)).collect();
        (self.on_progress)(answers.len() as u64, self.positions);
        answers
    }

    /// Returns what a record says; `None` if the book does not have its position.
    fn answer(&self, record: &str) -> Option<Evaluated> {
        let mut record = RecordOfLine::read(record, Rules::Detected)?;
        let ce = record.operands("ce").and_then(|ce| ce.parse().ok());
        let wdl = record.operands("wdl").and_then(win_draw_loss);
        let turn = record.question.turn();
        let is_wanted = self.eval.is_none_or(|range| ce.is_some_and(|ce| range.contains(ce, turn)))
            && self.draws.is_none_or(|range| wdl.is_some_and(|wdl| has_draws(range, wdl)));
        if !is_wanted {
            return None;
        }
        record.take(OTHERS);
        let lines = record.operations().map(|(name, operands)| format!("{name} {operands}\n"));
        Some(Evaluated {
            evaluation: ce.map(Evaluation::new).unwrap_or_default(),
            operations: lines.collect(),
        })
    }
}

impl fmt::Debug for EngineWindow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineWindow").finish_non_exhaustive()
    }
}

fn has_draws(ShareRange { least, most }: ShareRange, wdl: WinDrawLoss) -> bool {
    let WinDrawLoss { wins, draws, losses } = wdl;
    let [wins, draws, losses] = [wins, draws, losses].map(u64::from);
    let millionths = (draws * 1_000_000).checked_div(wins + draws + losses);
    millionths.is_some_and(|draws| (least.0..=most.0).contains(&draws))
}

fn win_draw_loss(operands: &str) -> Option<WinDrawLoss> {
    let mut numbers = operands.split(' ').map(|number| number.parse().ok());
    let mut number = || numbers.next().flatten();
    Some(WinDrawLoss { wins: number()?, draws: number()?, losses: number()? })
}

impl Evaluate for EngineWindow<'_> {
    fn expect(&mut self, positions: u64) {
        self.positions = positions;
    }

    fn add(&mut self, position: &Position) -> Result<Vec<Option<Evaluated>>, BookError> {
        let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
        let fields = four_fields(position);
        let record = format!("{fields} fmvn {fullmoves}; hmvc {halfmoves};\n");
        self.evaluator.lines(record.as_bytes()).map_err(failed)?;
        Ok(self.answers())
    }

    fn finish(&mut self) -> Result<Vec<Option<Evaluated>>, BookError> {
        self.evaluator.finish().map_err(failed)?;
        Ok(self.answers())
    }

    fn description(&self) -> String {
        self.evaluator.description().to_owned()
    }
}

fn failed(error: AnalyseError) -> BookError {
    BookError::Evaluate(Box::new(error))
}

/// Writes the selected positions of a book that an engine has evaluated.
///
/// # Errors
///
/// Returns an error if a part, the output or a temporary file cannot be read or written, or the
/// engine cannot be started again.
pub fn write_evaluated_book(
    source: Source,
    options: &BookOptions,
    window: &mut EngineWindow<'_>,
    output: &mut dyn Write,
) -> Result<Figures, BookError> {
    super::write(source, options, Some(window), output)
}

#[derive(Clone, Default)]
struct Written(Rc<RefCell<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_range_of_draws_are_in_it() {
        let range: ShareRange = "0.48..0.52".parse().unwrap();
        for (draws, is_inside) in [(479, false), (480, true), (520, true), (521, false)] {
            let wdl = WinDrawLoss { wins: 1000 - draws, draws, losses: 0 };
            assert_eq!(has_draws(range, wdl), is_inside, "{draws}");
        }
        assert!(!has_draws(range, WinDrawLoss { wins: 0, draws: 0, losses: 0 }));
    }
}

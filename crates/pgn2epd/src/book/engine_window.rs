//! Positions of a book selected by the evaluations of an engine.

use std::fmt;
use std::io::{BufRead, Write};

use ::book::{BookError, Evaluate, Evaluated, Evaluation, Figures, Source, four_fields};
use ::engine::WinDrawLoss;
use emit::EvaluationRange;
use epd::RegisterStyle;
use san::Position;

use super::BookOptions;
use crate::analyse::{
    AnalyseError, AnalyseOptions, Analysed, AnsweredRecords, EngineRecord, Evaluator,
    FailedPosition, NamedOperands,
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
    positions: u64,
    on_progress: Box<dyn FnMut(u64, u64) + 'o>,
}

impl<'o> EngineWindow<'o> {
    /// Starts an engine. It takes the range [`eval`](BookOptions::eval) out of the options of the
    /// book, since that is for its evaluations, and not for those of the games. Fails if options
    /// are in conflict, or the engine cannot be used.
    pub fn start(options: &mut BookOptions, engine: &AnalyseOptions) -> Result<Self, AnalyseError> {
        let (eval, draws) = (options.eval.take(), engine.draws);
        if eval.is_none() && draws.is_none() {
            let ranges = "--eval 90..130 or --draws 0.48..0.52";
            return Err(OptionConflict::Missing("a range of evaluations", ranges).into());
        }
        let output = AnsweredRecords::Answers(Vec::new());
        // The positions of a book are different ones.
        let evaluator = Evaluator::start(output, RegisterStyle::Off, engine, 0)?;
        Ok(EngineWindow { evaluator, eval, draws, positions: 0, on_progress: Box::new(|_, _| {}) })
    }

    /// Uses and keeps evaluations, like
    /// [`Analysis::use_cache`](crate::analyse::Analysis::use_cache). Fails if the cache cannot be
    /// read, or has other lines.
    pub fn use_cache(
        &mut self,
        cache: impl BufRead,
        additions: impl Write + 'o,
    ) -> Result<(), AnalyseError> {
        self.evaluator.use_cache(cache, Box::new(additions))
    }

    /// Calls `report` for each position that the engine does not evaluate; it is left out.
    pub fn on_failure(&mut self, report: impl FnMut(&FailedPosition) + 'o) {
        self.evaluator.on_failure = Box::new(report);
    }

    /// Calls `report` with the number of positions that were decided since the last call, and that
    /// of all positions; a sample needs less.
    pub fn on_progress(&mut self, report: impl FnMut(u64, u64) + 'o) {
        self.on_progress = Box::new(report);
    }

    /// Returns the totals.
    pub fn analysed(&self) -> Analysed {
        self.evaluator.counts
    }

    fn answers(&mut self) -> Vec<Option<Evaluated>> {
        let answers = self.evaluator.take_answers().into_iter();
        let answers: Vec<_> = answers.map(|(record, said)| self.answer(&record, &*said?)).collect();
        (self.on_progress)(answers.len() as u64, self.positions);
        answers
    }

    fn answer(&self, record: &EngineRecord, said: &NamedOperands) -> Option<Evaluated> {
        let operands =
            |name| said.iter().find(|(other, _)| *other == name).map(|(_, operands)| &**operands);
        let ce = operands("ce").and_then(|ce| ce.parse().ok());
        let wdl = operands("wdl").and_then(win_draw_loss);
        let turn = record.question.turn();
        let is_wanted = self.eval.is_none_or(|range| ce.is_some_and(|ce| range.contains(ce, turn)))
            && self.draws.is_none_or(|range| wdl.is_some_and(|wdl| has_draws(range, wdl)));
        if !is_wanted {
            return None;
        }
        let mut lines: Vec<_> =
            said.iter().map(|(name, operands)| format!("{name} {operands}\n")).collect();
        // The book has the evaluation in another place.
        lines.retain(|line| !line.starts_with("ce "));
        lines.sort_unstable();
        let evaluation = ce.map(Evaluation::new).unwrap_or_default();
        Some(Evaluated { evaluation, operations: lines.concat() })
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
        let record = EngineRecord::of(position, four_fields(position).to_string());
        self.evaluator.record(record).map_err(failed)?;
        Ok(self.answers())
    }

    fn finish(&mut self) -> Result<Vec<Option<Evaluated>>, BookError> {
        self.evaluator.finish().map_err(failed)?;
        Ok(self.answers())
    }

    fn description(&self) -> String {
        self.evaluator.header.description.clone()
    }
}

fn failed(error: AnalyseError) -> BookError {
    BookError::Evaluate(Box::new(error))
}

/// Writes the selected positions of a book that an engine has evaluated. Fails if a part, the
/// output or a temporary file cannot be read or written, or the engine cannot be started again.
pub fn write_evaluated_book(
    source: Source,
    options: &BookOptions,
    window: &mut EngineWindow<'_>,
    output: &mut dyn Write,
) -> Result<Figures, BookError> {
    super::write(source, options, Some(window), output)
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

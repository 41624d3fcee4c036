//! The engine that evaluates the positions of a book.

use std::cell::OnceCell;
use std::io::Write;
use std::rc::Rc;

use pgn2epd::analyse::{AnalyseOptions, FailedPosition, use_cache};
use pgn2epd::book::{
    BookError, BookOptions, EngineWindow, Figures, Source, write_book, write_evaluated_book,
};

use crate::args::BookEngine;
use crate::output::Guard;
use crate::progress::Progress;
use crate::report;
use crate::run::analyse::print_totals;

/// What selects positions after the counts: an engine, or nothing.
pub(super) struct Evaluating(Option<Running>);

struct Running {
    engine: AnalyseOptions,
    window: EngineWindow<'static>,
    progress: Rc<OnceCell<Progress>>,
}

impl Evaluating {
    /// Starts an engine. The option for evaluations is taken out of those of the book.
    pub(super) fn start(
        args: &BookEngine,
        options: &mut BookOptions,
        guard: &mut Guard,
        is_shown: bool,
    ) -> anyhow::Result<Self> {
        let Some(engine) = args.options()? else { return Ok(Evaluating(None)) };
        args.kept.cache.as_deref().map_or(Ok(()), |path| guard.output("--cache", path))?;
        let mut window = EngineWindow::start(options, &engine)?;
        if let Some(path) = &args.kept.cache {
            use_cache(path, |cache, additions| window.use_cache(cache, additions))?;
        }
        let progress = Rc::new(OnceCell::new());
        let bar = progress.clone();
        window.on_progress(move |decided, all| {
            bar.get_or_init(|| Progress::of_answers(all, is_shown)).advance(decided);
        });
        let bar = progress.clone();
        window.on_failure(move |FailedPosition { fen, error, .. }| {
            let print = || report::failed_search(None, error, &format!("{fen}: {error}"));
            bar.get().map_or_else(print, |bar: &Progress| bar.suspend(print));
        });
        Ok(Evaluating(Some(Running { engine, window, progress })))
    }

    /// Writes a book, and returns the number of positions that the engine did not evaluate too.
    pub(super) fn write(
        self,
        source: Source,
        options: &BookOptions,
        output: &mut dyn Write,
        quiet: bool,
    ) -> Result<(Figures, u64), BookError> {
        let Some(Running { engine, mut window, progress }) = self.0 else {
            return Ok((write_book(source, options, output)?, 0));
        };
        let figures = write_evaluated_book(source, options, &mut window, output);
        progress.get().inspect(|bar| bar.clear());
        let analysed = window.analysed();
        if !quiet {
            print_totals(&analysed, &engine, 0);
        }
        Ok((figures?, analysed.failed))
    }
}

//! Observer of a run: problems and progress.

use std::ops::ControlFlow;

use emit::Problem;

use crate::epd::line::LineDiagnostic;
use crate::summary::Summary;

/// Callbacks for problems and progress, invoked on the calling thread.
pub trait Observer {
    /// Reports that the following input is from this archive member; line numbers start again from
    /// 1.
    fn member(&mut self, name: &str) {
        let _ = name;
    }

    /// Reports an error in a game, or one that was corrected.
    fn problem(&mut self, problem: &Problem) {
        let _ = problem;
    }

    /// Reports an error in a line of a file of positions.
    fn line_diagnostic(&mut self, fault: &LineDiagnostic) {
        let _ = fault;
    }

    /// Reports the totals so far. [`ControlFlow::Break`] ends the reading of the text, without an
    /// error.
    fn progress(&mut self, summary: &Summary) -> ControlFlow<()> {
        let _ = summary;
        ControlFlow::Continue(())
    }
}

/// A no-op observer.
impl Observer for () {}

//! The evaluations that a book wants, and when a search may stop.

use emit::EvaluationRange;
use engine::{Info, Question, WinDrawLoss};
use san::Color;

use super::evaluation::centipawns;
use super::options::AnalyseOptions;
use crate::options::{Share, ShareRange};

/// The evaluations that a book wants.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    eval: Option<EvaluationRange>,
    draws: Option<ShareRange>,
    /// How many times the mean change an evaluation must be outside for a search to stop.
    means: Option<f64>,
}

/// The mean change of the evaluation of a depth up to the end of the search, in centipawns, and
/// that of the share of draws, in millionths.
fn mean_changes(depth: u32) -> (f64, f64) {
    let _ = depth;
    (20.0, 50_000.0)
}

impl Window {
    /// `None` if all evaluations are wanted.
    pub(crate) fn new(eval: Option<EvaluationRange>, options: &AnalyseOptions) -> Option<Self> {
        let AnalyseOptions { draws, early_stop, .. } = *options;
        // Changes have about an exponential distribution.
        let means = early_stop.map(|Share(millionths)| -(1.0 - millionths as f64 / 1e6).ln());
        (eval.is_some() || draws.is_some()).then_some(Window { eval, draws, means })
    }

    /// Whether an evaluation is wanted, given `ce` and `wdl`.
    pub(crate) fn contains(&self, ce: Option<i32>, wdl: Option<WinDrawLoss>, turn: Color) -> bool {
        self.distances(ce, wdl, turn) == Some((0, 0))
    }

    /// Whether the evaluation of a depth is too far outside for the end of the search to be inside.
    pub(crate) fn is_out_of_reach(&self, question: &Question, info: &Info<'_>) -> bool {
        let ce = info.score.and_then(centipawns);
        let (Some(means), Some((eval, draws))) =
            (self.means, self.distances(ce, info.wdl, question.turn()))
        else {
            return false;
        };
        let (mean_eval, mean_draws) = mean_changes(info.depth.unwrap_or_default());
        f64::from(eval) > means * mean_eval || draws as f64 > means * mean_draws
    }

    /// Returns how far an evaluation is from the ranges, in centipawns and in millionths; `None` if
    /// one is missing.
    fn distances(
        &self,
        ce: Option<i32>,
        wdl: Option<WinDrawLoss>,
        turn: Color,
    ) -> Option<(u32, u64)> {
        let eval = match self.eval {
            Some(range) => range.distance(ce?, turn),
            None => 0,
        };
        let draws = match self.draws {
            Some(ShareRange { least, most }) => {
                let draws = share_of_draws(wdl?)?;
                draws.clamp(least.0, most.0).abs_diff(draws)
            }
            None => 0,
        };
        Some((eval, draws))
    }
}

/// Returns the share of draws in millionths.
fn share_of_draws(wdl: WinDrawLoss) -> Option<u64> {
    let WinDrawLoss { wins, draws, losses } = wdl;
    let [wins, draws, losses] = [wins, draws, losses].map(u64::from);
    (draws * 1_000_000).checked_div(wins + draws + losses)
}

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

/// The depth before which no search stops: evaluations of lower depths change more, and take less
/// than a tenth of a search with 50,000 nodes.
const LEAST_DEPTH: u32 = 8;

/// The mean change of an evaluation from a depth to the end of a search, times the number of plies
/// that the depth exceeds [`SHALLOW`]: in centipawns, and in the logarithm of the odds of a draw.
/// Both are measured with Stockfish 15.1; see docs/decisions.md.
const MEAN_CHANGES: (f64, f64) = (150.0, 8.0);

const SHALLOW: u32 = 4;

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
        matches!(self.distances(ce, wdl, turn), Some((0, 0.0)))
    }

    /// Whether the evaluation of a depth is too far outside for the end of the search to be inside.
    pub(crate) fn is_out_of_reach(&self, question: &Question, info: &Info<'_>) -> bool {
        let ce = info.score.and_then(centipawns);
        let (Some(means), Some(depth @ LEAST_DEPTH..), Some((eval, draws))) =
            (self.means, info.depth, self.distances(ce, info.wdl, question.turn()))
        else {
            return false;
        };
        let means = means / f64::from(depth - SHALLOW);
        f64::from(eval) > means * MEAN_CHANGES.0 || draws > means * MEAN_CHANGES.1
    }

    /// Returns how far an evaluation is from the ranges, in centipawns and in the logarithm of
    /// odds; `None` if one is missing.
    fn distances(
        &self,
        ce: Option<i32>,
        wdl: Option<WinDrawLoss>,
        turn: Color,
    ) -> Option<(u32, f64)> {
        let eval = match self.eval {
            Some(range) => range.distance(ce?, turn),
            None => 0,
        };
        let draws = match self.draws {
            Some(ShareRange { least, most }) => {
                let draws = share_of_draws(wdl?)?;
                let nearest = draws.clamp(least.0, most.0);
                (log_odds(draws) - log_odds(nearest)).abs()
            }
            None => 0.0,
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

/// Returns the logarithm of the odds of a share in millionths; engines write thousandths.
fn log_odds(share: u64) -> f64 {
    let share = share.clamp(500, 999_500) as f64;
    (share / (1e6 - share)).ln()
}

#[cfg(test)]
mod tests {
    use engine::Board;
    use san::{AnyPosition, Position};

    use super::*;

    fn window(options: &[(&str, &str)], eval: Option<&str>) -> Window {
        let needed = [("engine", "x"), ("nodes", "1")];
        let options = AnalyseOptions::from_names(needed.into_iter().chain(options.iter().copied()));
        Window::new(eval.map(|eval| eval.parse().unwrap()), &options.unwrap()).unwrap()
    }

    /// What an engine says of a position with this side to move.
    fn stops(window: &Window, turn: Color, info: &str) -> bool {
        let mut position = Position::default();
        if turn.is_black() {
            position.play_unchecked(position.resolve(b"e4").unwrap());
        }
        window.is_out_of_reach(&Question::new(Board::Chess(position)), &Info::read(info))
    }

    #[test]
    fn a_search_stops_if_so_great_a_change_is_rarer_than_the_confidence_allows() {
        // ln 100 = 4.605 times 150 / 4 = 37.5 centipawns, or 150 / 10 = 15.
        let of_white = window(&[("early-stop", "0.99")], Some("white:90..130"));
        for (depth, score, is_stopped) in [
            (8, -82, false),
            (8, -83, true),
            (8, 90, false),
            (8, 302, false),
            (8, 303, true),
            (14, 21, false),
            (14, 20, true),
            (7, -3000, false),
        ] {
            let info = |score| format!("depth {depth} score cp {score} pv e2e4");
            assert_eq!(stops(&of_white, Color::White, &info(score)), is_stopped, "{depth} {score}");
            assert_eq!(stops(&of_white, Color::Black, &info(-score)), is_stopped);
        }
        assert!(stops(&of_white, Color::White, "depth 8 score mate 3"));
        assert!(!stops(&of_white, Color::White, "score cp -3000"), "without a depth");
        let mover = window(&[("early-stop", "0.99")], Some("90..130"));
        assert!(stops(&mover, Color::Black, "depth 14 score cp 20"));
        for confidence in [&[][..], &[("early-stop", "1")]] {
            let never = window(confidence, Some("90..130"));
            assert!(!stops(&never, Color::White, "depth 99 score cp -30000"));
        }
    }

    #[test]
    fn shares_of_draws_are_a_window_of_their_own() {
        // ln 100 = 4.605 times 8 / 16 = 2.303, which is ln 10: odds of a tenth of 0.48 to 0.52, or
        // ten times 0.52 to 0.48.
        let draws = window(&[("draws", "0.48..0.52"), ("early-stop", "0.99")], None);
        for (wdl, is_stopped) in
            [("0 84 916", true), ("430 85 485", false), ("0 915 85", false), ("0 916 84", true)]
        {
            let info = format!("depth 20 score cp 5 wdl {wdl}");
            assert_eq!(stops(&draws, Color::White, &info), is_stopped, "{wdl}");
        }
        assert!(!stops(&draws, Color::White, "depth 20 score cp 5"));
        for (draws_of, is_inside) in [(479, false), (480, true), (520, true), (521, false)] {
            let wdl = WinDrawLoss { wins: 1000 - draws_of, draws: draws_of, losses: 0 };
            assert_eq!(draws.contains(Some(9), Some(wdl), Color::Black), is_inside);
        }
        assert!(!draws.contains(Some(9), None, Color::Black));
        let none = WinDrawLoss { wins: 0, draws: 0, losses: 0 };
        assert!(!draws.contains(None, Some(none), Color::Black));
        let both = window(&[("draws", "0.4..0.6")], Some("10..20"));
        let even = Some(WinDrawLoss { wins: 250, draws: 500, losses: 250 });
        assert!(both.contains(Some(15), even, Color::White));
        assert!(!both.contains(Some(25), even, Color::White));
        assert!(!both.contains(None, even, Color::White));
    }
}

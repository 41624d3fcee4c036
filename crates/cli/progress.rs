//! The progress bar.

use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use pgn2epd::Summary;

/// A progress bar, which its clones share, hidden if it would not be visible to the user.
#[derive(Clone)]
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Creates a bar for a total of `bytes`, or a spinner if the total is unknown.
    pub(super) fn new(bytes: Option<u64>, shown: bool) -> Self {
        if !shown {
            return Progress { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::with_draw_target(bytes, ProgressDrawTarget::stderr_with_hz(5));
        let template = match bytes {
            Some(_) => "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {msg} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec} {msg} {elapsed}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("a template of ours"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar }
    }

    /// Creates a bar for a number of answers.
    pub(super) fn of_answers(all: u64, shown: bool) -> Self {
        let progress = Progress::new(Some(all), shown);
        let template = "{wide_bar} {human_pos}/{human_len} positions {per_sec} {eta}";
        let style = ProgressStyle::with_template(template).expect("a template of ours");
        progress.bar.set_style(style);
        progress
    }

    /// Adds answers.
    pub(super) fn advance(&self, answers: u64) {
        self.bar.inc(answers);
    }

    /// Shows the totals so far, and the number of bytes read.
    pub(super) fn show(&self, summary: &Summary, bytes: u64) {
        if self.bar.is_hidden() {
            return;
        }
        let (games, positions) = (HumanCount(summary.games), HumanCount(summary.positions));
        let duplicates = match summary.duplicates {
            0 => String::new(),
            duplicates => format!(" {} duplicates", HumanCount(duplicates)),
        };
        self.bar.set_message(format!("{games} games {positions} positions{duplicates}"));
        self.bar.set_position(bytes);
    }

    /// Runs `action`, which writes to standard error, with the bar hidden.
    pub(super) fn suspend(&self, action: impl FnOnce()) {
        self.bar.suspend(action);
    }

    /// Removes the bar.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

//! The progress bar.

use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use pgn2epd::Summary;

use super::host::host;

/// A progress bar, which its clones share, hidden if it would not be visible to the user.
#[derive(Clone)]
pub(super) struct Progress {
    bar: ProgressBar,
    /// The bytes of the input and the most positions, if answers are counted.
    input: Option<(Option<u64>, Option<u64>)>,
}

impl Progress {
    /// Creates a bar for a total of `bytes`, or a spinner if the total is unknown.
    pub(super) fn new(bytes: Option<u64>, shown: bool) -> Self {
        if !shown || !host().is_process() {
            return Progress { bar: ProgressBar::hidden(), input: None };
        }
        let bar = ProgressBar::with_draw_target(bytes, ProgressDrawTarget::stderr_with_hz(5));
        let template = match bytes {
            Some(_) => "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {msg} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec} {msg} {elapsed}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("a template of ours"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar, input: None }
    }

    pub(super) fn of_answers(all: u64, shown: bool) -> Self {
        let progress = Progress::new(Some(all), shown);
        let template = "{wide_bar} {human_pos}/{human_len} positions {per_sec} {eta}";
        let style = ProgressStyle::with_template(template).expect("a template of ours");
        progress.bar.set_style(style);
        progress
    }

    /// Creates a bar for the answers to the positions of an input, at most this many.
    pub(super) fn of_input(bytes: Option<u64>, most: Option<u64>, shown: bool) -> Self {
        Progress { input: Some((bytes, most)), ..Progress::of_answers(0, shown) }
    }

    /// Sets the number of answers.
    pub(super) fn reach(&self, answers: u64) {
        self.bar.set_position(answers);
    }

    pub(super) fn advance(&self, answers: u64) {
        self.bar.inc(answers);
    }

    pub(super) fn show(&self, summary: &Summary, bytes: u64) {
        if self.bar.is_hidden() {
            return;
        }
        if let Some((all_bytes, most)) = self.input {
            // As many positions in each byte that follows. The text of a compressed file is longer.
            let read = u128::from(bytes.min(summary.bytes_read).max(1));
            let all = u128::from(summary.positions) * u128::from(all_bytes.unwrap_or(0)) / read;
            let all = u64::try_from(all).unwrap_or(u64::MAX).max(summary.positions);
            return self.bar.set_length(all.min(most.unwrap_or(u64::MAX)));
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

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

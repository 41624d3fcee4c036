//! How far it is, on a terminal.

use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use pgn2epd::Summary;

/// The progress bar; hidden where nobody would see it.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for so many bytes, or one without an end where nobody knows.
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

    /// Shows what was done up to now, of so many bytes.
    pub(super) fn show(&self, summary: &Summary, bytes: u64) {
        if self.bar.is_hidden() {
            return;
        }
        let (games, positions) = (HumanCount(summary.games), HumanCount(summary.positions));
        self.bar.set_message(format!("{games} games {positions} positions"));
        self.bar.set_position(bytes);
    }

    /// Does something to standard error while the bar is away.
    pub(super) fn suspend(&self, action: impl FnOnce()) {
        self.bar.suspend(action);
    }

    /// Takes the bar away.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

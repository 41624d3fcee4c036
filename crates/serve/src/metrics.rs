//! What the server counts of its own work, as Prometheus reads it.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use axum::http::StatusCode;

/// Counters since the start.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Answers by the first digit of their status, from 1.
    answers: [AtomicU64; 5],
    found: AtomicU64,
    missing: AtomicU64,
    /// Requests that took at most the time of [`BOUNDS`], and all.
    times: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
}

/// In seconds.
const BOUNDS: [f64; 5] = [0.0001, 0.001, 0.005, 0.05, 0.5];

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, status: StatusCode, time: Duration) {
        let class = usize::from(status.as_u16() / 100);
        self.answers[class.clamp(1, 5) - 1].fetch_add(1, Relaxed);
        let bounds = BOUNDS.iter().position(|bound| time.as_secs_f64() <= *bound);
        self.times[bounds.unwrap_or(BOUNDS.len())].fetch_add(1, Relaxed);
        self.microseconds.fetch_add(time.as_micros() as u64, Relaxed);
    }

    /// Counts a position that was looked up.
    pub(crate) fn looked_up(&self, is_found: bool) {
        if is_found { &self.found } else { &self.missing }.fetch_add(1, Relaxed);
    }

    /// Returns the counters as text, given the number of open connections.
    pub(crate) fn text(&self, connections: usize) -> String {
        let mut text = String::new();
        let _ = self.write(&mut text, connections);
        text
    }

    fn write(&self, text: &mut String, connections: usize) -> std::fmt::Result {
        let mut kind = |name: &str, kind: &str| writeln!(text, "# TYPE {name} {kind}");
        kind("pgn2epd_connections", "gauge")?;
        writeln!(text, "pgn2epd_connections {connections}")?;
        writeln!(text, "# TYPE pgn2epd_requests_total counter")?;
        for (i, count) in self.answers.iter().enumerate() {
            let count = count.load(Relaxed);
            writeln!(text, "pgn2epd_requests_total{{status=\"{}xx\"}} {count}", i + 1)?;
        }
        writeln!(text, "# TYPE pgn2epd_positions_total counter")?;
        for (found, count) in [("yes", &self.found), ("no", &self.missing)] {
            let count = count.load(Relaxed);
            writeln!(text, "pgn2epd_positions_total{{found=\"{found}\"}} {count}")?;
        }
        writeln!(text, "# TYPE pgn2epd_request_seconds histogram")?;
        let mut all = 0;
        for (i, count) in self.times.iter().enumerate() {
            all += count.load(Relaxed);
            let bound = BOUNDS.get(i).map_or("+Inf".to_owned(), f64::to_string);
            writeln!(text, "pgn2epd_request_seconds_bucket{{le=\"{bound}\"}} {all}")?;
        }
        let seconds = self.microseconds.load(Relaxed) as f64 / 1e6;
        writeln!(text, "pgn2epd_request_seconds_sum {seconds}")?;
        writeln!(text, "pgn2epd_request_seconds_count {all}")
    }
}

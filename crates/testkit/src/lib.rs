//! Helpers for tests and benches.

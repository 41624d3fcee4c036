//! The threads that help to decompress.

use std::sync::{Arc, OnceLock};

use crate::ordered::Threads;

/// The threads that help to decompress an input. An input is opened before it is known how it is processed, so the threads of
/// the run are added later; until then there are none.
#[derive(Clone, Debug, Default)]
pub struct DecodingThreads(Arc<OnceLock<Threads>>);

impl DecodingThreads {
    /// Adds the threads of a run, once.
    pub fn add(&self, threads: &Threads) {
        self.0.get_or_init(|| threads.clone());
    }

    pub(super) fn get(&self) -> Option<&Threads> {
        self.0.get()
    }
}

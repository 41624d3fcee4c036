//! The threads of a run.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads of a run, including the calling one. The others are started when they are first
/// needed; clones share them.
///
/// ```
/// use stream::ordered::Threads;
///
/// assert_eq!(Threads::new(0).count(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Threads {
    count: usize,
    pool: Arc<Mutex<Option<Arc<ThreadPool>>>>,
}

impl Threads {
    /// Returns this number of threads, at least one.
    pub fn new(count: usize) -> Self {
        Threads { count: count.max(1), pool: Arc::default() }
    }

    /// Returns the number of threads.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the threads besides the calling one; `None` if there are none.
    pub(crate) fn pool(&self) -> io::Result<Option<Arc<ThreadPool>>> {
        if self.count == 1 {
            return Ok(None);
        }
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.is_none() {
            let builder = ThreadPoolBuilder::new().num_threads(self.count - 1);
            *pool = Some(Arc::new(builder.build().map_err(io::Error::other)?));
        }
        Ok(pool.clone())
    }
}

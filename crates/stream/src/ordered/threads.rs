//! The threads of a run.

use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

    /// Calls `work` with each item, on all threads, and returns the results in the order of the
    /// items.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    ///
    /// ```
    /// use stream::ordered::Threads;
    ///
    /// assert_eq!(Threads::new(2).map(vec![1, 2, 3], |number| 2 * number)?, [2, 4, 6]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn map<T: Send, R: Send>(
        &self,
        items: Vec<T>,
        work: impl Fn(T) -> R + Sync,
    ) -> io::Result<Vec<R>> {
        let mut results = Vec::with_capacity(items.len());
        let mut take = |result| {
            results.push(result);
            Ok::<_, Infallible>(())
        };
        let Ok(()) =
            self.map_produced(work, &mut take, |give| items.into_iter().try_for_each(give))?;
        Ok(results)
    }

    /// Returns the threads besides the calling one; `None` if there are none.
    pub(crate) fn pool(&self) -> io::Result<Option<Arc<ThreadPool>>> {
        if self.count == 1 {
            return Ok(None);
        }
        let mut pool = lock(&self.pool);
        if pool.is_none() {
            let builder = ThreadPoolBuilder::new().num_threads(self.count - 1);
            *pool = Some(Arc::new(builder.build().map_err(io::Error::other)?));
        }
        Ok(pool.clone())
    }
}

/// Locks a value. A panic of the thread that used it is reported where the result of that thread is
/// awaited.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn items_are_worked_on_by_all_threads_at_once() {
        for count in 1..4 {
            let threads = Threads::new(count);
            // No item is done before as many have begun as there are threads.
            let barrier = Barrier::new(count);
            let work = |item: usize| {
                barrier.wait();
                item + 1
            };
            let done = threads.map((0..2 * count).collect(), work).unwrap();
            assert!(done.into_iter().eq(1..=2 * count), "{count}");
            assert_eq!(threads.map(vec![7], |item| item).unwrap(), [7]);
        }
    }
}

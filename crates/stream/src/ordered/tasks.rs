//! Tasks whose results leave in the order in which the tasks were given.

use std::io;
use std::sync::Arc;

use super::jobs::Jobs;
use super::threads::Threads;

/// Tasks that run on the threads of a [pipeline](super::Pipeline) besides its chunks, for work on
/// results that are already in order. The calling thread runs a task itself while as many are
/// waiting as there are threads, or [as set](OrderedTasks::with_most), so that memory is bounded.
///
/// ```
/// use stream::ordered::{OrderedTasks, Threads};
///
/// let mut tasks = OrderedTasks::new(Threads::new(2));
/// for number in 0..5 {
///     tasks.push(move || number * number)?;
/// }
/// let mut results = Vec::new();
/// while let Some(result) = tasks.wait() {
///     results.push(result);
/// }
/// assert_eq!(results, [0, 1, 4, 9, 16]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct OrderedTasks<T> {
    threads: Threads,
    /// Number of tasks that may wait.
    most: usize,
    jobs: Arc<Jobs<Task<T>, T>>,
}

type Task<T> = Box<dyn FnOnce() -> T + Send>;

impl<T: Send + 'static> OrderedTasks<T> {
    /// Creates a queue without tasks.
    pub fn new(threads: Threads) -> Self {
        OrderedTasks { most: threads.count(), threads, jobs: Arc::default() }
    }

    /// Sets the number of tasks that may wait, so that other threads have work while the calling
    /// one uses a result.
    #[must_use]
    pub fn with_most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Adds a task.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    pub fn push(&mut self, task: impl FnOnce() -> T + Send + 'static) -> io::Result<()> {
        let pool = self.threads.pool()?;
        let has_room = self.jobs.len() < self.most;
        self.jobs.push(Box::new(task));
        match pool {
            Some(pool) if has_room => {
                let jobs = Arc::clone(&self.jobs);
                pool.spawn(move || {
                    jobs.run_next(|task| task());
                });
            }
            _ => {
                self.jobs.run_next(|task| task());
            }
        }
        Ok(())
    }

    /// Returns the next result if it is there, or if too many tasks are waiting for it.
    pub fn next_ready(&mut self) -> Option<T> {
        if self.jobs.len() > self.most { self.wait() } else { self.jobs.pop() }
    }

    /// Returns the next result, and runs tasks that no other thread has begun until it is there;
    /// returns `None` after the last one.
    pub fn wait(&mut self) -> Option<T> {
        while self.jobs.len() > 0 {
            if let Some(result) = self.jobs.pop() {
                return Some(result);
            }
            self.jobs.run_next_or_wait(|task| task());
        }
        None
    }
}

impl<T> Drop for OrderedTasks<T> {
    /// Frees the threads from work whose result is not needed.
    fn drop(&mut self) {
        self.jobs.drop_waiting();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::mpsc::sync_channel;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_leave_in_the_order_of_the_tasks() {
        for (threads, most) in [(1, 1), (2, 2), (2, 5), (3, 3), (3, 7)] {
            let mut tasks = OrderedTasks::new(Threads::new(threads)).with_most(most);
            let mut results = Vec::new();
            for number in 0..100_u64 {
                tasks
                    .push(move || {
                        thread::sleep(Duration::from_micros(number * 37 % 11));
                        number
                    })
                    .unwrap();
                while let Some(result) = tasks.next_ready() {
                    results.push(result);
                }
                assert!(tasks.jobs.len() <= most);
            }
            while let Some(result) = tasks.wait() {
                results.push(result);
            }
            assert!(results.iter().copied().eq(0..100), "{threads} threads: {results:?}");
        }
    }

    #[test]
    fn a_thread_that_waits_runs_tasks_that_no_other_has_begun() {
        for threads in 1..4 {
            let mut tasks = OrderedTasks::new(Threads::new(threads));
            let (sender, receiver) = sync_channel(0);
            // Occupies the only other thread until the calling one has run the second task.
            if threads == 2 {
                tasks.push(move || receiver.recv().unwrap()).unwrap();
                tasks.push(move || sender.send(1).map_or(0, |()| 2)).unwrap();
            } else {
                tasks.push(|| 1).unwrap();
                tasks.push(|| 2).unwrap();
            }
            assert_eq!([(); 3].map(|()| tasks.wait()), [Some(1), Some(2), None]);
        }
    }

    #[test]
    fn a_panic_reaches_the_thread_that_waits() {
        let mut tasks = OrderedTasks::new(Threads::new(2));
        tasks.push(|| 1).unwrap();
        tasks.push(|| panic!("a task fails")).unwrap();
        assert_eq!(tasks.wait(), Some(1));
        let panic = panic::catch_unwind(AssertUnwindSafe(|| tasks.wait())).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"a task fails"));
    }
}

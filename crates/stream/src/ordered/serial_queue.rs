//! Jobs on a value, one at a time and in their order, on the threads of a run.

use std::collections::VecDeque;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};

use super::threads::{Threads, lock};

/// A value and the jobs that wait for it. Queues with a value each share work that depends on the
/// order of the input.
///
/// ```
/// use std::sync::mpsc::channel;
/// use stream::ordered::{SerialQueue, Threads};
///
/// let sums = SerialQueue::new(0, Threads::new(2));
/// let (sender, receiver) = channel();
/// for number in 1..=4 {
///     let sender = sender.clone();
///     sums.push(move |sum| {
///         *sum += number;
///         sender.send(*sum).expect("it is received");
///     })?;
/// }
/// sums.run_waiting();
/// drop(sender);
/// assert_eq!(receiver.iter().collect::<Vec<_>>(), [1, 3, 6, 10]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct SerialQueue<S> {
    threads: Threads,
    queue: Arc<Mutex<Queue<S>>>,
}

struct Queue<S> {
    jobs: VecDeque<Job<S>>,
    /// Nothing while a job runs.
    value: Option<S>,
    /// Whether a job has panicked.
    is_broken: bool,
}

type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

impl<S> std::fmt::Debug for Queue<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("jobs", &self.jobs.len()).finish_non_exhaustive()
    }
}

impl<S: Send + 'static> SerialQueue<S> {
    /// Creates a queue without jobs.
    pub fn new(value: S, threads: Threads) -> Self {
        let queue = Queue { jobs: VecDeque::new(), value: Some(value), is_broken: false };
        SerialQueue { threads, queue: Arc::new(Mutex::new(queue)) }
    }

    /// Adds a job, which runs on another thread, or on one that [runs what
    /// waits](SerialQueue::run_waiting). If a job panics, all others are dropped.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    pub fn push(&self, job: impl FnOnce(&mut S) + Send + 'static) -> io::Result<()> {
        let pool = self.threads.pool()?;
        let mut queue = lock(&self.queue);
        if queue.is_broken {
            return Ok(());
        }
        queue.jobs.push_back(Box::new(job));
        drop(queue);
        if let Some(pool) = pool {
            let queue = Arc::clone(&self.queue);
            // The one that waits for results sees that there are none.
            pool.spawn(move || {
                drop(panic::catch_unwind(AssertUnwindSafe(|| while run_next(&queue) {})))
            });
        }
        Ok(())
    }

    /// Runs the jobs that wait on this thread, unless another one runs them.
    pub fn run_waiting(&self) {
        while self.run_next() {}
    }

    /// Runs the next job on this thread, if one waits and no other thread runs one. Returns whether
    /// it did.
    pub fn run_next(&self) -> bool {
        run_next(&self.queue)
    }
}

fn run_next<S>(shared: &Mutex<Queue<S>>) -> bool {
    let mut queue = lock(shared);
    if queue.jobs.is_empty() {
        return false;
    }
    let Some(mut value) = queue.value.take() else { return false };
    let Some(job) = queue.jobs.pop_front() else { return false };
    drop(queue);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| job(&mut value)));
    let mut queue = lock(shared);
    if let Err(panic) = outcome {
        queue.is_broken = true;
        let dropped = std::mem::take(&mut queue.jobs);
        drop(queue);
        drop(dropped);
        panic::resume_unwind(panic);
    }
    queue.value = Some(value);
    true
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn jobs_run_in_their_order_on_any_number_of_threads() {
        for threads in 1..4 {
            let queues: Vec<_> =
                (0..3).map(|_| SerialQueue::new(Vec::new(), Threads::new(threads))).collect();
            let (sender, receiver) = channel();
            for number in 0..300 {
                queues[number % 3].push(move |numbers| numbers.push(number)).unwrap();
            }
            for queue in &queues {
                let sender = sender.clone();
                queue.push(move |numbers| sender.send(std::mem::take(numbers)).unwrap()).unwrap();
                queue.run_waiting();
            }
            drop(sender);
            let mut all: Vec<Vec<usize>> = receiver.iter().collect();
            all.sort();
            for (first, numbers) in all.iter().enumerate() {
                assert!(numbers.iter().copied().eq((first..300).step_by(3)), "{threads}");
            }
        }
    }

    #[test]
    fn a_panic_of_a_job_drops_its_sender() {
        let queue = SerialQueue::new((), Threads::new(2));
        let (sender, receiver) = channel::<()>();
        queue
            .push(move |()| {
                let _sender = sender;
                panic!("a job fails")
            })
            .unwrap();
        assert!(receiver.recv().is_err());
        let (sender, receiver) = channel();
        queue.push(move |()| sender.send(()).unwrap()).unwrap();
        assert!(receiver.recv().is_err());
    }
}

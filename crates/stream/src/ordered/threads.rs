//! The threads of a run, and the jobs that any of them runs: with results in the order of the jobs,
//! while others are still produced, or one at a time on a value.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rayon::{ScopeFifo, ThreadPool, ThreadPoolBuilder};

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
    /// items. Fails if threads cannot be started.
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

    /// Calls `produce` with a function that takes items, `work` with each of them, on all threads,
    /// and `take` with the results in the order of the items. Results are taken while `produce`
    /// goes on; it waits while there are more items than a few for each thread. Fails if threads
    /// cannot be started. The inner result has errors of `produce` and `take`.
    ///
    /// ```
    /// use stream::ordered::Threads;
    ///
    /// let mut doubled = Vec::new();
    /// let mut take = |number| {
    ///     doubled.push(number);
    ///     Ok::<_, std::io::Error>(())
    /// };
    /// Threads::new(2).map_produced(|number| 2 * number, &mut take, |give| (0..4).try_for_each(give))??;
    /// assert_eq!(doubled, [0, 2, 4, 6]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn map_produced<T: Send, R: Send, X, E>(
        &self,
        work: impl Fn(T) -> R + Sync,
        take: &mut dyn FnMut(R) -> Result<(), E>,
        produce: impl FnOnce(&mut dyn FnMut(T) -> Result<(), E>) -> Result<X, E>,
    ) -> io::Result<Result<X, E>> {
        let Some(pool) = self.pool()? else { return Ok(produce(&mut |item| take(work(item)))) };
        // Others have work while one thread produces, takes or works.
        let most = 4 * self.count();
        let work = &work;
        let jobs = Jobs::new();
        pool.in_place_scope_fifo(|scope| {
            // Works on items until at most `most` of them have results that were not taken.
            let mut take_until = |most| loop {
                while let Some(result) = jobs.pop() {
                    take(result)?;
                }
                if jobs.len() <= most {
                    return Ok(());
                }
                jobs.run_next_or_wait();
            };
            let mut give = |item| {
                jobs.push(move || work(item));
                jobs.run_in(scope);
                take_until(most)
            };
            let produced = produce(&mut give);
            let produced = produced.and_then(|produced| take_until(0).map(|()| produced));
            // After an error the scope waits only for items that have begun.
            jobs.drop_waiting();
            Ok(produced)
        })
    }

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

/// Locks a value. A panic of another thread is reported where its result is awaited.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Jobs in their order: first those that have ended, or that a thread runs, then those that wait.
pub(super) struct Jobs<'j, R> {
    state: Mutex<SharedCutter<'j, R>>,
    ended: Condvar,
}

struct SharedCutter<'j, R> {
    first: usize,
    /// The results of jobs that have begun; nothing while a job runs.
    begun: VecDeque<Option<thread::Result<R>>>,
    waiting: VecDeque<Box<dyn FnOnce() -> R + Send + 'j>>,
    unfinished: usize,
}

impl<R> fmt::Debug for Jobs<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jobs").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<'j, R> Jobs<'j, R> {
    pub(super) fn new() -> Arc<Self> {
        let (begun, waiting) = (VecDeque::new(), VecDeque::new());
        let state = Mutex::new(SharedCutter { first: 0, begun, waiting, unfinished: 0 });
        Arc::new(Jobs { state, ended: Condvar::new() })
    }

    pub(super) fn push(&self, job: impl FnOnce() -> R + Send + 'j) {
        let mut state = lock(&self.state);
        state.waiting.push_back(Box::new(job));
        state.unfinished += 1;
    }

    /// Returns the number of jobs whose results have not been taken.
    pub(super) fn len(&self) -> usize {
        let state = lock(&self.state);
        state.begun.len() + state.waiting.len()
    }

    /// Returns the number of jobs without a result.
    pub(super) fn unfinished(&self) -> usize {
        lock(&self.state).unfinished
    }

    pub(super) fn drop_waiting(&self) {
        let mut state = lock(&self.state);
        let dropped = std::mem::take(&mut state.waiting);
        state.unfinished -= dropped.len();
        // What a job owns may be of any kind.
        drop(state);
    }

    /// Takes the result of the first job, if it is there, or resumes its panic.
    pub(super) fn pop(&self) -> Option<R> {
        let mut state = lock(&self.state);
        let ended = state.begun.front_mut()?.take()?;
        state.begun.pop_front();
        state.first += 1;
        drop(state);
        Some(ended.unwrap_or_else(|panic| panic::resume_unwind(panic)))
    }

    pub(super) fn run_next(&self) -> bool {
        let mut state = lock(&self.state);
        let Some(job) = state.waiting.pop_front() else { return false };
        state.begun.push_back(None);
        let number = state.first + state.begun.len() - 1;
        drop(state);
        // The thread that takes the result would otherwise wait forever.
        let ended = panic::catch_unwind(AssertUnwindSafe(|| run_job(job)));
        let mut state = lock(&self.state);
        let place = number - state.first;
        state.begun[place] = Some(ended);
        state.unfinished -= 1;
        self.ended.notify_one();
        true
    }

    /// Runs the oldest job that waits, or else waits until another thread has finished one.
    pub(super) fn run_next_or_wait(&self) {
        if self.run_next() {
            return;
        }
        let state = lock(&self.state);
        let unfinished = state.unfinished;
        let is_waiting = |state: &mut SharedCutter<'_, R>| {
            state.unfinished == unfinished && state.begun.front().is_some_and(Option::is_none)
        };
        drop(self.ended.wait_while(state, is_waiting).unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn run_in<'s>(self: &Arc<Self>, scope: &ScopeFifo<'s>)
    where
        R: Send + 's,
        'j: 's,
    {
        let jobs = Arc::clone(self);
        scope.spawn_fifo(move |_| {
            jobs.run_next();
        });
    }
}

/// What any thread may do; the benchmark `scaling` finds it by this name.
#[inline(never)]
fn run_job<R>(job: Box<dyn FnOnce() -> R + Send + '_>) -> R {
    job()
}

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
    most: usize,
    jobs: Arc<Jobs<'static, T>>,
}

impl<T: Send + 'static> OrderedTasks<T> {
    /// Creates a queue without tasks.
    pub fn new(threads: Threads) -> Self {
        OrderedTasks { most: threads.count(), threads, jobs: Jobs::new() }
    }

    /// Sets the number of tasks that may wait, so that other threads have work meanwhile.
    #[must_use]
    pub fn with_most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Adds a task. Fails if threads cannot be started.
    pub fn push(&mut self, task: impl FnOnce() -> T + Send + 'static) -> io::Result<()> {
        let pool = self.threads.pool()?;
        let has_room = self.jobs.len() < self.most;
        self.jobs.push(task);
        match pool {
            Some(pool) if has_room => {
                let jobs = Arc::clone(&self.jobs);
                pool.spawn(move || {
                    jobs.run_next();
                });
            }
            _ => {
                self.jobs.run_next();
            }
        }
        Ok(())
    }

    /// Returns the next result if it is there, or if too many tasks are waiting for it.
    pub fn next_ready(&mut self) -> Option<T> {
        if self.jobs.len() > self.most { self.wait() } else { self.jobs.pop() }
    }

    /// Returns the next result, and runs tasks until it is there; `None` after the last one.
    pub fn wait(&mut self) -> Option<T> {
        while self.jobs.len() > 0 {
            if let Some(result) = self.jobs.pop() {
                return Some(result);
            }
            self.jobs.run_next_or_wait();
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
    jobs: VecDeque<ThreadJob<S>>,
    /// Nothing while a job runs.
    value: Option<S>,
    is_broken: bool,
}

type ThreadJob<S> = Box<dyn FnOnce(&mut S) + Send>;

impl<S> fmt::Debug for Queue<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("jobs", &self.jobs.len()).finish_non_exhaustive()
    }
}

impl<S: Send + 'static> SerialQueue<S> {
    /// Creates a queue without jobs.
    pub fn new(value: S, threads: Threads) -> Self {
        let queue = Queue { jobs: VecDeque::new(), value: Some(value), is_broken: false };
        SerialQueue { threads, queue: Arc::new(Mutex::new(queue)) }
    }

    /// Adds a job for another thread, or for one that [runs what waits](SerialQueue::run_waiting).
    /// If a job panics, all others are dropped. Fails if threads cannot be started.
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

    /// Runs the next job, if one waits and no other thread runs one. Returns whether it did.
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
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::Barrier;
    use std::sync::mpsc::{channel, sync_channel};
    use std::thread;
    use std::time::Duration;

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

    #[test]
    fn results_are_taken_in_order_while_items_are_produced() {
        for count in 1..4 {
            let (mut taken, mut ahead) = (Vec::new(), 0);
            let work = |number: usize| {
                thread::sleep(Duration::from_micros(number as u64 * 37 % 110));
                number
            };
            let produced = std::cell::Cell::new(0);
            let mut take = |number| {
                taken.push(number);
                ahead = ahead.max(produced.get() - taken.len());
                Ok::<_, io::Error>(())
            };
            let end = Threads::new(count).map_produced(work, &mut take, |give| {
                for number in 0..200 {
                    produced.set(number + 1);
                    give(number)?;
                }
                Ok(7)
            });
            assert_eq!(end.unwrap().unwrap(), 7);
            assert!(taken.into_iter().eq(0..200), "{count}");
            assert!(ahead <= 4 * count, "{ahead}");
        }
    }

    #[test]
    fn an_error_of_the_producer_or_of_the_taker_ends_the_work() {
        for count in 1..4 {
            let threads = Threads::new(count);
            let stopped = || io::Error::from(io::ErrorKind::StorageFull);
            let mut fail = |number| if number < 50 { Ok(()) } else { Err(stopped()) };
            let result =
                threads.map_produced(|number| number, &mut fail, |give| (0..).try_for_each(give));
            assert_eq!(result.unwrap().unwrap_err().kind(), io::ErrorKind::StorageFull);
            let result = threads.map_produced(
                |number| number,
                &mut |_: i32| Ok(()),
                |give| {
                    give(1)?;
                    Err::<(), _>(stopped())
                },
            );
            assert_eq!(result.unwrap().unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }

    #[test]
    fn a_panic_reaches_the_thread_that_takes() {
        for count in 1..4 {
            let work = |number: i32| assert!(number != 30, "item {number} fails");
            let run = || {
                let mut take = |()| Ok::<_, io::Error>(());
                Threads::new(count).map_produced(work, &mut take, |give| (0..60).try_for_each(give))
            };
            let panic = panic::catch_unwind(run).unwrap_err();
            assert_eq!(panic.downcast_ref::<String>().unwrap(), "item 30 fails");
        }
    }

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

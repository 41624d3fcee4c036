//! Jobs that any thread runs, whose results leave in the order of the jobs.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use super::threads::lock;

/// Jobs in their order: first those with a result, or that a thread runs, then those that wait.
pub(super) struct Jobs<J, R> {
    state: Mutex<State<J, R>>,
    finished: Condvar,
}

struct State<J, R> {
    first: usize,
    /// The results of jobs that have begun; nothing while a job runs.
    begun: VecDeque<Option<thread::Result<R>>>,
    waiting: VecDeque<J>,
    unfinished: usize,
}

impl<J, R> Default for Jobs<J, R> {
    fn default() -> Self {
        let (begun, waiting) = (VecDeque::new(), VecDeque::new());
        let state = State { first: 0, begun, waiting, unfinished: 0 };
        Jobs { state: Mutex::new(state), finished: Condvar::new() }
    }
}

impl<J, R> fmt::Debug for Jobs<J, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jobs").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<J, R> Jobs<J, R> {
    /// Returns the number of jobs whose results have not been taken.
    pub(super) fn len(&self) -> usize {
        let state = lock(&self.state);
        state.begun.len() + state.waiting.len()
    }

    /// Returns the number of jobs without a result.
    pub(super) fn unfinished(&self) -> usize {
        lock(&self.state).unfinished
    }

    pub(super) fn push(&self, job: J) {
        let mut state = lock(&self.state);
        state.waiting.push_back(job);
        state.unfinished += 1;
    }

    pub(super) fn drop_waiting(&self) {
        let mut state = lock(&self.state);
        let dropped = std::mem::take(&mut state.waiting);
        state.unfinished -= dropped.len();
        drop(state);
    }

    /// Takes the result of the first job, if it is there, or resumes its panic.
    pub(super) fn pop(&self) -> Option<R> {
        let mut state = lock(&self.state);
        let result = state.begun.front_mut()?.take()?;
        state.begun.pop_front();
        state.first += 1;
        drop(state);
        Some(result.unwrap_or_else(|panic| panic::resume_unwind(panic)))
    }

    pub(super) fn run_next(&self, run: impl FnOnce(J) -> R) -> bool {
        let mut state = lock(&self.state);
        let Some(job) = state.waiting.pop_front() else { return false };
        state.begun.push_back(None);
        let number = state.first + state.begun.len() - 1;
        drop(state);
        // The thread that takes the result would otherwise wait forever.
        let result = panic::catch_unwind(AssertUnwindSafe(|| run_job(job, run)));
        let mut state = lock(&self.state);
        let place = number - state.first;
        state.begun[place] = Some(result);
        state.unfinished -= 1;
        self.finished.notify_one();
        true
    }

    /// Runs the oldest job that waits, or else waits until another thread has finished one.
    pub(super) fn run_next_or_wait(&self, run: impl FnOnce(J) -> R) {
        if self.run_next(run) {
            return;
        }
        let state = lock(&self.state);
        let unfinished = state.unfinished;
        let is_waiting = |state: &mut State<J, R>| {
            state.unfinished == unfinished && state.begun.front().is_some_and(Option::is_none)
        };
        drop(self.finished.wait_while(state, is_waiting).unwrap_or_else(PoisonError::into_inner));
    }
}

/// What any thread may do; the benchmark `scaling` finds it by this name.
#[inline(never)]
fn run_job<J, R>(job: J, run: impl FnOnce(J) -> R) -> R {
    run(job)
}

//! A bounded queue from a thread that reads ahead to an iterator.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::panic;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use crate::summary::Summary;

/// The maximum number of batches in the queue, which bounds memory.
const BATCHES_AHEAD: usize = 1;

type Run<T> = Box<dyn FnOnce(&FeedSender<T>) -> io::Result<Summary> + Send>;

/// The receiving end.
pub(crate) struct Feed<T> {
    state: State<T>,
    batch: std::vec::IntoIter<T>,
    summary: Option<Summary>,
}

enum State<T> {
    /// Nothing has been read.
    Waiting(Run<T>),
    Running(Receiver<Vec<T>>, JoinHandle<io::Result<Summary>>),
    Ended,
}

pub(crate) struct FeedSender<T>(SyncSender<Vec<T>>);

impl<T> FeedSender<T> {
    /// Sends a batch; breaks if the iterator has been dropped.
    pub(crate) fn send(&self, batch: Vec<T>) -> ControlFlow<()> {
        let is_sent = batch.is_empty() || self.0.send(batch).is_ok();
        if is_sent { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl<T: Send + 'static> Feed<T> {
    /// `run` sends batches, on a separate thread from the first item on.
    pub(crate) fn new(
        run: impl FnOnce(&FeedSender<T>) -> io::Result<Summary> + Send + 'static,
    ) -> Self {
        let state = State::Waiting(Box::new(run));
        Feed { state, batch: Vec::new().into_iter(), summary: None }
    }

    /// Returns the totals, after the last item.
    pub(crate) fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// Returns the next item. The error of the stream is the last one.
    pub(crate) fn next(&mut self) -> Option<io::Result<T>> {
        loop {
            if let Some(item) = self.batch.next() {
                return Some(Ok(item));
            }
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Waiting(run) => {
                    let (sender, receiver) = sync_channel(BATCHES_AHEAD);
                    let run = move || run(&FeedSender(sender));
                    match thread::Builder::new().spawn(run) {
                        Ok(thread) => self.state = State::Running(receiver, thread),
                        Err(error) => return Some(Err(error)),
                    }
                }
                State::Running(receiver, thread) => match receiver.recv() {
                    Ok(batch) => {
                        self.batch = batch.into_iter();
                        self.state = State::Running(receiver, thread);
                    }
                    // The sender is gone, so the thread has ended.
                    Err(_) => match thread.join() {
                        Ok(Ok(summary)) => self.summary = Some(summary),
                        Ok(Err(error)) => return Some(Err(error)),
                        Err(panic) => panic::resume_unwind(panic),
                    },
                },
                State::Ended => return None,
            }
        }
    }
}

impl<T> fmt::Debug for Feed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").field("summary", &self.summary).finish_non_exhaustive()
    }
}

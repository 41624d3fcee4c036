//! Reorder buffer: items are done in any order and leave in their own.

use std::collections::VecDeque;

/// Items that are worked on, or are done and wait for those before them.
pub(super) struct Reorder<T> {
    /// The number of the first item.
    first: usize,
    items: VecDeque<Option<T>>,
}

impl<T> Reorder<T> {
    pub(super) fn new() -> Self {
        Reorder { first: 0, items: VecDeque::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Registers the next item and returns its number.
    pub(super) fn begin(&mut self) -> usize {
        self.items.push_back(None);
        self.first + self.items.len() - 1
    }

    /// Adds the item with a number, which is done.
    pub(super) fn put(&mut self, number: usize, done: T) {
        self.items[number - self.first] = Some(done);
    }

    /// Removes and returns the first item, if it is done.
    pub(super) fn pop(&mut self) -> Option<T> {
        let done = self.items.front_mut()?.take()?;
        self.items.pop_front();
        self.first += 1;
        Some(done)
    }
}

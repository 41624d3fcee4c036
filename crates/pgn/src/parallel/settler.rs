//! Delivers what workers made of chunks, in order, once it is known to be true.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::thread;

use super::in_flight::InFlight;
use super::passing::Passing;
use super::{Pipeline, Work, Worked};
use crate::Place;
use crate::boundary::{Follow, Tail};
use crate::chunk::{Chunks, OwnedChunk};

/// A chunk that a worker has done.
pub(super) struct Done<T> {
    pub(super) number: usize,
    chunk: OwnedChunk,
    output: T,
    worked: Worked,
}

/// Delivers what is true, and does again what was not.
pub(super) struct Settler<'w, W: Work> {
    pipeline: &'w Pipeline,
    work: &'w W,
    deliver: &'w mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
    state: State,
    old_outputs: Vec<W::Output>,
    old_buffers: Vec<Vec<u8>>,
}

/// What is known of the end of all that was delivered.
enum State {
    /// It ended where the next chunk begins.
    Whole,
    /// A game is unfinished: its bytes so far, not to be tried again before they are `retry_at`.
    Carry { chunk: OwnedChunk, retry_at: usize },
    /// A game that is too large is being passed over.
    Skip(Passing),
}

impl<'w, W: Work> Settler<'w, W> {
    pub(super) fn new(
        pipeline: &'w Pipeline,
        work: &'w W,
        deliver: &'w mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
    ) -> Self {
        Settler {
            pipeline,
            work,
            deliver,
            state: State::Whole,
            old_outputs: Vec::new(),
            old_buffers: Vec::new(),
        }
    }

    pub(super) fn run_alone<R: Read>(&mut self, chunks: &mut Chunks<R>) -> io::Result<()> {
        loop {
            let (chunk, outcome) = chunks.next(self.old_buffers.pop().unwrap_or_default());
            if let Some(chunk) = chunk {
                // What is carried is worked on together with the chunk: alone it would be in vain.
                let flow = if matches!(self.state, State::Whole) {
                    let mut output = self.old_outputs.pop().unwrap_or_default();
                    let worked = self.work.chunk(chunk.borrow(), &mut output);
                    self.settle(Done { number: 0, chunk, output, worked })
                } else {
                    self.settle_after_carry(chunk)
                };
                if flow.is_break() {
                    return outcome;
                }
            } else {
                return outcome;
            }
            outcome?;
        }
    }

    pub(super) fn run_with_workers<'s, R: Read>(
        &mut self,
        chunks: &mut Chunks<R>,
        scope: &rayon::Scope<'s>,
    ) -> io::Result<()>
    where
        'w: 's,
    {
        // This thread works on chunks too while nothing can be delivered. So the others need some that wait, and there must be room
        // for what this one does meanwhile: with fewer they wait for it, with more given away it has nothing to do.
        let most_in_flight = Pipeline::most_in_flight(self.pipeline.workers);
        let most_given = most_in_flight - self.pipeline.workers - 1;
        let (sender, receiver) = mpsc::channel();
        let mut in_flight = InFlight::new();
        let mut given = 0;
        let mut outcome = Ok(());
        let mut ended = false;
        loop {
            while let Ok(done) = receiver.try_recv() {
                given -= 1;
                in_flight.put(or_panic(done));
            }
            let reads = !ended && in_flight.len() < most_in_flight;
            let gives = reads && given < most_given;
            if !gives && let Some(done) = in_flight.pop() {
                if self.settle(done).is_break() {
                    return outcome;
                }
                continue;
            }
            if reads {
                let (chunk, read) = chunks.next(self.old_buffers.pop().unwrap_or_default());
                ended = chunk.is_none() || read.is_err();
                outcome = read;
                let Some(chunk) = chunk else { continue };
                let number = in_flight.begin();
                let mut output = self.old_outputs.pop().unwrap_or_default();
                let work = self.work;
                let run = move || {
                    let worked = work.chunk(chunk.borrow(), &mut output);
                    Done { number, chunk, output, worked }
                };
                if !gives {
                    in_flight.put(run());
                    continue;
                }
                given += 1;
                let sender = sender.clone();
                // A panic is carried to the thread that waits, which would else wait for ever; nobody listens any more where
                // delivery was ended early.
                scope.spawn(move |_| drop(sender.send(panic::catch_unwind(AssertUnwindSafe(run)))));
            } else if in_flight.len() == 0 {
                return outcome;
            } else {
                given -= 1;
                in_flight.put(or_panic(receiver.recv().expect("this thread keeps a sender")));
            }
        }
    }

    fn settle(&mut self, done: Done<W::Output>) -> ControlFlow<()> {
        let Done { chunk, output, worked, .. } = done;
        if !matches!(self.state, State::Whole) {
            self.old_outputs.push(output);
            return self.settle_after_carry(chunk);
        }
        self.deliver_worked(chunk, output, worked)
    }

    /// Settles a chunk whose beginning belongs to a game that began before it.
    fn settle_after_carry(&mut self, mut chunk: OwnedChunk) -> ControlFlow<()> {
        match std::mem::replace(&mut self.state, State::Whole) {
            State::Whole => {}
            State::Carry { chunk: mut carry, retry_at } => {
                carry.bytes.extend_from_slice(&chunk.bytes);
                carry.follow = chunk.follow;
                self.old_buffers.push(chunk.bytes);
                if carry.bytes.len() < retry_at && !carry.follow.is_last() {
                    self.state = State::Carry { chunk: carry, retry_at };
                    return ControlFlow::Continue(());
                }
                // To scan is cheap, to work is not: it is done once, when the game is whole.
                let worked = scan(&carry);
                if worked.up_to == 0 {
                    return self.carry(carry, worked.tail, worked.game_start);
                }
                if worked.up_to <= self.pipeline.max_game_bytes {
                    return self.settle_in_parts(carry);
                }
                chunk = carry;
            }
            State::Skip(passing) => {
                let (at, passing) = passing.over(&chunk);
                let skipped = at as u64;
                if let Some(passing) = passing {
                    self.state = State::Skip(passing);
                }
                (self.deliver)(&mut W::Output::default(), skipped)?;
                if at == chunk.bytes.len() {
                    self.old_buffers.push(chunk.bytes);
                    return ControlFlow::Continue(());
                }
                chunk = split_off(chunk, at);
            }
        }
        let mut output = self.old_outputs.pop().unwrap_or_default();
        let worked = self.work.chunk(chunk.borrow(), &mut output);
        self.deliver_worked(chunk, output, worked)
    }

    fn settle_in_parts(&mut self, chunk: OwnedChunk) -> ControlFlow<()> {
        let mut output = self.old_outputs.pop().unwrap_or_default();
        let mut flow = ControlFlow::Continue(());
        let worked = self.work.chunk_in_parts(chunk.borrow(), &mut output, &mut |part| {
            if flow.is_continue() {
                flow = (self.deliver)(part, 0);
            }
        });
        flow?;
        self.deliver_worked(chunk, output, worked)
    }

    fn deliver_worked(
        &mut self,
        chunk: OwnedChunk,
        mut output: W::Output,
        worked: Worked,
    ) -> ControlFlow<()> {
        let flow = (self.deliver)(&mut output, worked.up_to as u64);
        self.old_outputs.push(output);
        flow?;
        if worked.up_to == chunk.bytes.len() {
            self.old_buffers.push(chunk.bytes);
            return ControlFlow::Continue(());
        }
        let game_start = worked.game_start - worked.up_to;
        self.carry(split_off(chunk, worked.up_to), worked.tail, game_start)
    }

    /// Keeps the bytes of an unfinished game and what stands before it, or gives it up where it is too large.
    fn carry(&mut self, mut chunk: OwnedChunk, tail: Tail, game_start: usize) -> ControlFlow<()> {
        let len = chunk.bytes.len();
        let no_game = tail.is_outside();
        let unfinished = if no_game { len } else { len - game_start };
        if unfinished <= self.pipeline.max_game_bytes {
            // Tried again only when there is as much again: so the cost stays linear however long the game.
            self.state = State::Carry { chunk, retry_at: 2 * len };
            return ControlFlow::Continue(());
        }
        let mut output = self.old_outputs.pop().unwrap_or_default();
        if no_game {
            // What is wrong with text outside of every game is said once, whatever its length.
            chunk.follow = Follow::End;
            self.work.chunk(chunk.borrow(), &mut output);
        } else {
            self.work.too_large(chunk.borrow(), &mut output);
        }
        let flow = (self.deliver)(&mut output, len as u64);
        self.old_outputs.push(output);
        self.state = State::Skip(Passing::begin(&chunk, tail));
        flow
    }
}

/// What a worker has done; a panic goes on here.
fn or_panic<T>(done: thread::Result<T>) -> T {
    done.unwrap_or_else(|panic| panic::resume_unwind(panic))
}

/// How far one comes in a chunk that begins with an unfinished game, up to the end of that game.
fn scan(chunk: &OwnedChunk) -> Worked {
    let mut scanner = chunk.borrow().scanner();
    let mut at_end = !scanner.next_game();
    while !at_end && scanner.last_end() == 0 {
        at_end = scanner.next_token().is_none() && !scanner.next_game();
    }
    Worked::of(&scanner)
}

/// What is left of the chunk from the byte `at` on.
fn split_off(chunk: OwnedChunk, at: usize) -> OwnedChunk {
    let start: Place = chunk.borrow().place(at);
    let mut bytes = chunk.bytes;
    bytes.drain(..at);
    OwnedChunk { bytes, start, follow: chunk.follow }
}

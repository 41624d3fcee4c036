//! Decompression on a separate thread, which runs ahead of the reader by a few buffers.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Read};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// Size of a buffer, in bytes.
const BUFFER: usize = 256 << 10;

/// Maximum number of buffers that wait to be read.
const WAITING: usize = 4;

pub(super) enum Event {
    Member(String),
    Bytes(Vec<u8>),
    Skipped(String),
    /// The current member is complete: a later error does not concern it.
    MemberEnd,
    /// The current member cannot be read any further; others may.
    Failed(io::Error),
    End(io::Result<()>),
}

pub(super) struct BufferSender {
    events: SyncSender<Event>,
    /// Buffers returned by the reader.
    back: Receiver<Vec<u8>>,
}

/// The reading side: one text, or several in sequence.
#[derive(Debug)]
pub(super) struct ReadAhead {
    events: Receiver<Event>,
    back: Sender<Vec<u8>>,
    buffer: Vec<u8>,
    given: usize,
    state: ReadState,
    members: usize,
    pub(super) skipped: Skipped,
}

#[derive(Debug)]
enum ReadState {
    Reading,
    AtEnd,
    /// The current text is at its end, and the next one has this name.
    Next(String),
    Ended,
}

impl ReadAhead {
    /// Data sent by `work` can be read here; its thread ends early if the reader is dropped.
    pub(super) fn new(
        work: impl FnOnce(&mut BufferSender) -> io::Result<()> + Send + 'static,
    ) -> io::Result<Self> {
        let (events, received) = sync_channel(WAITING);
        let (back, returned) = channel();
        thread::Builder::new().name("unpack".to_owned()).spawn(move || {
            let mut sender = BufferSender { events, back: returned };
            let outcome = work(&mut sender);
            // The reader may have been dropped.
            let _ = sender.events.send(Event::End(outcome));
        })?;
        Ok(ReadAhead {
            events: received,
            back,
            buffer: Vec::new(),
            given: 0,
            state: ReadState::Reading,
            members: 0,
            skipped: Skipped::default(),
        })
    }

    /// Discards the rest of this text of an archive, and returns the next one's name and number.
    pub(super) fn next_member(&mut self) -> io::Result<Option<(String, usize)>> {
        while matches!(self.state, ReadState::Reading | ReadState::AtEnd) {
            self.return_buffer();
            let outcome = self.take_event();
            // Errors in the discarded text are ignored.
            if matches!(self.state, ReadState::Ended) {
                outcome?;
            }
        }
        match std::mem::replace(&mut self.state, ReadState::Ended) {
            ReadState::Next(name) => {
                self.state = ReadState::Reading;
                self.members += 1;
                Ok(Some((name, self.members)))
            }
            _ => Ok(None),
        }
    }

    fn return_buffer(&mut self) {
        let mut old = std::mem::take(&mut self.buffer);
        old.clear();
        self.given = 0;
        // The thread may have ended.
        let _ = self.back.send(old);
    }

    fn take_event(&mut self) -> io::Result<()> {
        match self.events.recv() {
            Ok(Event::Bytes(bytes)) => self.buffer = bytes,
            Ok(Event::Skipped(name)) => self.skipped.add(name),
            Ok(Event::Member(name)) => self.state = ReadState::Next(name),
            Ok(Event::MemberEnd) => self.state = ReadState::AtEnd,
            Ok(Event::Failed(error)) => return Err(error),
            Ok(Event::End(outcome)) => {
                self.state = ReadState::Ended;
                return outcome;
            }
            // The sender was dropped without an end event: the thread panicked.
            Err(_) => {
                self.state = ReadState::Ended;
                return Err(io::Error::other("the decompression thread panicked"));
            }
        }
        Ok(())
    }
}

impl Read for ReadAhead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.buffer.len() && matches!(self.state, ReadState::Reading) {
            self.return_buffer();
            self.take_event()?;
        }
        let len = buffer.len().min(self.buffer.len() - self.given);
        buffer[..len].copy_from_slice(&self.buffer[self.given..self.given + len]);
        self.given += len;
        Ok(len)
    }
}

pub(super) struct Member {
    pub(super) ahead: Rc<RefCell<ReadAhead>>,
    pub(super) number: usize,
}

impl Read for Member {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut ahead = self.ahead.borrow_mut();
        if ahead.members == self.number { ahead.read(buffer) } else { Ok(0) }
    }
}

impl BufferSender {
    /// Sends all data of `reader`. Data read before an error is sent before the error.
    pub(super) fn all(&mut self, reader: &mut dyn Read) -> io::Result<()> {
        loop {
            let mut buffer = self.back.try_recv().unwrap_or_default();
            let read = reader.take(BUFFER as u64).read_to_end(&mut buffer);
            let ended = buffer.is_empty();
            if !ended {
                self.send(Event::Bytes(buffer))?;
            }
            read?;
            if ended {
                return Ok(());
            }
        }
    }

    pub(super) fn send(&mut self, event: Event) -> io::Result<()> {
        self.events.send(event).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Archive members that are not read because of their file name extensions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// The first few names.
    pub names: Vec<String>,
    /// Total number of skipped members.
    pub count: u64,
}

const NAMES: usize = 3;

impl Skipped {
    fn add(&mut self, name: String) {
        self.count += 1;
        if self.names.len() < NAMES {
            self.names.push(name);
        }
    }
}

impl fmt::Display for Skipped {
    /// `readme.txt, cover.png and 3 more`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(", "))?;
        match self.count - self.names.len() as u64 {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_before_an_error_is_read_first() {
        let mut ahead = ReadAhead::new(|sender| {
            sender.all(&mut &b"1. e4"[..])?;
            Err(io::Error::other("torn"))
        })
        .unwrap();
        let mut text = Vec::new();
        assert_eq!(ahead.read_to_end(&mut text).unwrap_err().to_string(), "torn");
        assert_eq!(text, b"1. e4");
    }

    #[test]
    fn members_follow_each_other_even_if_unread() {
        let mut ahead = ReadAhead::new(|sender| {
            for name in ["a", "b", "c"] {
                sender.send(Event::Member(name.to_owned()))?;
                sender.all(&mut name.repeat(3 * BUFFER).as_bytes())?;
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(ahead.next_member().unwrap().unwrap(), ("a".to_owned(), 1));
        assert_eq!(ahead.next_member().unwrap().unwrap(), ("b".to_owned(), 2));
        let mut text = String::new();
        ahead.read_to_string(&mut text).unwrap();
        assert_eq!(text, "b".repeat(3 * BUFFER));
        assert_eq!(ahead.next_member().unwrap().unwrap(), ("c".to_owned(), 3));
        assert_eq!(ahead.next_member().unwrap(), None);
        assert_eq!(ahead.next_member().unwrap(), None);
    }

    #[test]
    fn a_member_that_fails_does_not_fail_the_next() {
        let mut ahead = ReadAhead::new(|sender| {
            sender.send(Event::Member("a".to_owned()))?;
            sender.send(Event::Failed(io::Error::other("torn")))?;
            sender.send(Event::Member("b".to_owned()))?;
            sender.all(&mut &b"b"[..])
        })
        .unwrap();
        for _ in 0..2 {
            ahead.next_member().unwrap();
        }
        let mut text = String::new();
        ahead.read_to_string(&mut text).unwrap();
        assert_eq!(text, "b");
    }

    #[test]
    fn the_thread_ends_when_its_reader_is_dropped() {
        let (outcomes, receiver) = channel();
        let ahead = ReadAhead::new(move |sender| {
            let outcome = sender.all(&mut io::repeat(b' '));
            outcomes.send(outcome.is_err()).unwrap();
            outcome
        })
        .unwrap();
        drop(ahead);
        assert!(receiver.recv().unwrap());
    }
}

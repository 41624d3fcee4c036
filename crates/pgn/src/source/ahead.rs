//! Unpacking on a thread of its own, which runs ahead of whoever reads, by a few buffers and no more.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// The size of a buffer, in bytes.
const BUFFER: usize = 256 << 10;

/// So many buffers may wait to be read.
const WAITING: usize = 4;

enum Event {
    /// What follows is a file of this name.
    Member(String),
    Bytes(Vec<u8>),
    /// The file of the last name is at its end: what is wrong behind it is not its fault.
    MemberEnd,
    /// The file of the last name cannot be read any further; others may.
    Failed(io::Error),
    /// The thread has ended well, or not.
    End(io::Result<()>),
}

/// What the thread gives to its reader.
pub(super) struct Giver {
    events: SyncSender<Event>,
    /// Buffers that were read.
    back: Receiver<Vec<u8>>,
}

/// Reads what a thread unpacks: one text, or one after the other.
#[derive(Debug)]
pub(super) struct Ahead {
    events: Receiver<Event>,
    back: Sender<Vec<u8>>,
    buffer: Vec<u8>,
    given: usize,
    state: State,
}

#[derive(Debug)]
enum State {
    Reading,
    /// This text is at its end.
    Between,
    /// This text is at its end, and the next one has this name.
    Next(String),
    Ended,
}

impl Ahead {
    /// Starts the thread. What `work` gives can be read here; it ends early where nobody reads any more.
    pub(super) fn new(
        work: impl FnOnce(&mut Giver) -> io::Result<()> + Send + 'static,
    ) -> io::Result<Self> {
        let (events, received) = sync_channel(WAITING);
        let (back, returned) = channel();
        thread::Builder::new().name("unpack".to_owned()).spawn(move || {
            let mut giver = Giver { events, back: returned };
            let outcome = work(&mut giver);
            // Nobody may listen any more.
            let _ = giver.events.send(Event::End(outcome));
        })?;
        Ok(Ahead { events: received, back, buffer: Vec::new(), given: 0, state: State::Reading })
    }

    /// Goes to the next text, if its thread gives more than one; what is left of this one is passed over.
    pub(super) fn next_member(&mut self) -> io::Result<Option<String>> {
        while matches!(self.state, State::Reading | State::Between) {
            self.give_back();
            let outcome = self.take_event();
            // What is passed over may be damaged.
            if matches!(self.state, State::Ended) {
                outcome?;
            }
        }
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Next(name) => {
                self.state = State::Reading;
                Ok(Some(name))
            }
            _ => Ok(None),
        }
    }

    fn give_back(&mut self) {
        let mut old = std::mem::take(&mut self.buffer);
        old.clear();
        self.given = 0;
        // The thread may have ended.
        let _ = self.back.send(old);
    }

    fn take_event(&mut self) -> io::Result<()> {
        match self.events.recv() {
            Ok(Event::Bytes(bytes)) => self.buffer = bytes,
            Ok(Event::Member(name)) => self.state = State::Next(name),
            Ok(Event::MemberEnd) => self.state = State::Between,
            Ok(Event::Failed(error)) => return Err(error),
            Ok(Event::End(outcome)) => {
                self.state = State::Ended;
                return outcome;
            }
            // It went away without a word: it panicked.
            Err(_) => {
                self.state = State::Ended;
                return Err(io::Error::other("the thread that unpacks has failed"));
            }
        }
        Ok(())
    }
}

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.buffer.len() && matches!(self.state, State::Reading) {
            self.give_back();
            self.take_event()?;
        }
        let len = buffer.len().min(self.buffer.len() - self.given);
        buffer[..len].copy_from_slice(&self.buffer[self.given..self.given + len]);
        self.given += len;
        Ok(len)
    }
}

impl Giver {
    /// What follows is a file of this name.
    pub(super) fn member(&mut self, name: &str) -> io::Result<()> {
        self.send(Event::Member(name.to_owned()))
    }

    /// The file of the last name is at its end.
    pub(super) fn member_ends(&mut self) -> io::Result<()> {
        self.send(Event::MemberEnd)
    }

    /// The file of the last name cannot be read any further; others may.
    pub(super) fn failed(&mut self, error: io::Error) -> io::Result<()> {
        self.send(Event::Failed(error))
    }

    /// Gives all that `reader` has. What it gave before an error comes before the error.
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

    fn send(&mut self, event: Event) -> io::Result<()> {
        self.events.send(event).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_before_an_error_is_read_before_it() {
        let mut ahead = Ahead::new(|giver| {
            giver.all(&mut &b"1. e4"[..])?;
            Err(io::Error::other("torn"))
        })
        .unwrap();
        let mut text = Vec::new();
        assert_eq!(ahead.read_to_end(&mut text).unwrap_err().to_string(), "torn");
        assert_eq!(text, b"1. e4");
    }

    #[test]
    fn members_follow_each_other_read_or_not() {
        let mut ahead = Ahead::new(|giver| {
            for name in ["a", "b", "c"] {
                giver.member(name)?;
                giver.all(&mut name.repeat(3 * BUFFER).as_bytes())?;
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(ahead.next_member().unwrap().as_deref(), Some("a"));
        assert_eq!(ahead.next_member().unwrap().as_deref(), Some("b"));
        let mut text = String::new();
        ahead.read_to_string(&mut text).unwrap();
        assert_eq!(text, "b".repeat(3 * BUFFER));
        assert_eq!(ahead.next_member().unwrap().as_deref(), Some("c"));
        assert_eq!(ahead.next_member().unwrap(), None);
        assert_eq!(ahead.next_member().unwrap(), None);
    }

    #[test]
    fn a_member_that_fails_does_not_fail_the_next() {
        let mut ahead = Ahead::new(|giver| {
            giver.member("a")?;
            giver.failed(io::Error::other("torn"))?;
            giver.member("b")?;
            giver.all(&mut &b"b"[..])
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
    fn a_thread_that_nobody_reads_ends() {
        let (sender, receiver) = channel();
        let ahead = Ahead::new(move |giver| {
            let outcome = giver.all(&mut io::repeat(b' '));
            sender.send(outcome.is_err()).unwrap();
            outcome
        })
        .unwrap();
        drop(ahead);
        assert!(receiver.recv().unwrap());
    }
}

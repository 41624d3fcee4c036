//! A piece of a text, what follows it, and where it begins: workers count the lines and items of
//! their chunks, and the counts are added up in input order.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use crate::ordered::threads::lock;
use crate::place::{Extent, Place};
use crate::read_at::{ReadAt, ReaderAt, fill};

/// What follows the bytes of a chunk. `S` describes the beginning of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NextInput<S> {
    /// The text ends.
    #[default]
    End,
    /// What looks like the beginning of an item.
    Item(S),
    /// Anything: the buffer was full, so the cut is arbitrary.
    Anything,
    /// Nothing readable: the stream failed at an arbitrary point.
    Fault,
}

impl<S> NextInput<S> {
    /// Whether the input has ended.
    pub fn is_last(&self) -> bool {
        matches!(self, NextInput::End | NextInput::Fault)
    }
}

/// A piece of text that begins at or between items.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a, S> {
    bytes: &'a [u8],
    start: &'a ChunkStart,
    next_input: NextInput<S>,
}

impl<'a, S: Copy> Chunk<'a, S> {
    /// Returns a whole text as one chunk.
    pub fn whole(bytes: &'a [u8]) -> Self {
        Chunk { bytes, start: &OF_TEXT, next_input: NextInput::End }
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the place of the first byte in the file. Waits until the lines of earlier chunks
    /// have been counted, so not for the hot path.
    pub fn start(&self) -> Place {
        self.start.start.wait().place
    }

    /// Returns the number of items before the chunk according to
    /// [`ChunkWorker::count_items`](crate::ordered::ChunkWorker::count_items), which is wrong if an
    /// earlier cut is; `None` if they are not counted. Waits like [`Chunk::start`].
    pub fn items_before(&self) -> Option<u64> {
        self.start.start.wait().items
    }

    /// Returns the offset of the first byte in the file.
    pub fn start_byte(&self) -> u64 {
        self.start.byte
    }

    /// Whether the chunk begins within a line.
    pub fn begins_within_line(&self) -> bool {
        self.start.is_within_line
    }

    /// Returns what follows the bytes.
    pub fn next_input(&self) -> NextInput<S> {
        self.next_input
    }

    /// Returns the place in the file of byte `at`. Counts lines, so not for the hot path.
    pub fn place(&self, at: usize) -> Place {
        self.start().after(&self.bytes[..at])
    }
}

pub(crate) struct OwnedChunk<S> {
    pub(crate) bytes: Vec<u8>,
    pub(crate) start: ChunkStart,
    pub(crate) next_input: NextInput<S>,
    /// The file from which [`OwnedChunk::load`] reads the bytes, if they have not been read.
    pub(crate) file: Option<Arc<dyn ReadAt>>,
}

impl<S: Copy> OwnedChunk<S> {
    /// Reads once and counts lines and items for the next chunk; an error leaves what was read.
    pub(crate) fn load(
        &mut self,
        count_items: impl FnOnce(Chunk<'_, S>) -> Option<u64>,
    ) -> io::Result<()> {
        let loaded = match self.file.take() {
            Some(file) => self.read_from(&*file),
            None => Ok(()),
        };
        if let Some((counts, number)) = &self.start.counted {
            let extent = Extent::of(&self.bytes, self.start.byte);
            counts.add(*number, (extent, count_items(self.borrow())));
        }
        loaded
    }

    fn read_from(&mut self, file: &dyn ReadAt) -> io::Result<()> {
        let mut reader = ReaderAt { file, offset: self.start.byte };
        let (read, outcome) = fill(&mut reader, &mut self.bytes);
        let outcome = match outcome {
            Ok(()) if read < self.bytes.len() => Err(io::ErrorKind::UnexpectedEof.into()),
            outcome => outcome,
        };
        if outcome.is_err() {
            self.bytes.truncate(read);
            self.next_input = NextInput::Fault;
        }
        outcome
    }

    pub(crate) fn borrow(&self) -> Chunk<'_, S> {
        Chunk { bytes: &self.bytes, start: &self.start, next_input: self.next_input }
    }

    pub(crate) fn split_off(mut self, at: usize) -> Self {
        self.start = ChunkStart::at(self.borrow().place(at));
        self.bytes.drain(..at);
        self
    }
}

/// The line may be unknown: other threads count the lines of earlier chunks.
#[derive(Clone, Debug)]
pub(crate) struct ChunkStart {
    byte: u64,
    is_within_line: bool,
    start: Arc<OnceLock<CutStart>>,
    /// What counts the chunk, and its number there, unless its start was known from the beginning.
    counted: Option<(Arc<ChunkCounts>, usize)>,
}

#[derive(Clone, Copy, Debug)]
struct CutStart {
    place: Place,
    items: Option<u64>,
}

static OF_TEXT: LazyLock<ChunkStart> = LazyLock::new(|| ChunkStart::at(Place::FIRST));

impl ChunkStart {
    fn at(place: Place) -> Self {
        ChunkStart {
            byte: place.byte,
            is_within_line: place.column > 1,
            start: Arc::new(OnceLock::from(CutStart { place, items: None })),
            counted: None,
        }
    }
}

/// The lines and items of chunks in a row, counted in any order.
#[derive(Debug)]
pub(crate) struct ChunkCounts(Mutex<Uncounted>);

/// The chunks from the first one that has not been counted.
#[derive(Debug)]
struct Uncounted {
    first: usize,
    /// The last one has not been read yet.
    chunks: VecDeque<UncountedChunk>,
}

#[derive(Debug, Default)]
struct UncountedChunk {
    start: Arc<OnceLock<CutStart>>,
    content: Option<(Extent, Option<u64>)>,
}

impl UncountedChunk {
    fn end(&self) -> Option<CutStart> {
        let (CutStart { place, items: before }, (extent, items)) =
            (*self.start.get()?, self.content?);
        let items = before.zip(items).map(|(before, items)| before + items);
        Some(CutStart { place: place.plus(extent), items })
    }
}

impl ChunkCounts {
    pub(crate) fn new() -> Arc<Self> {
        let start = CutStart { place: Place::default(), items: Some(0) };
        let first = UncountedChunk { start: Arc::new(OnceLock::from(start)), content: None };
        let uncounted = Uncounted { first: 0, chunks: VecDeque::from([first]) };
        Arc::new(ChunkCounts(Mutex::new(uncounted)))
    }

    pub(crate) fn next_start(self: &Arc<Self>, byte: u64, is_within_line: bool) -> ChunkStart {
        let mut uncounted = lock(&self.0);
        let number = uncounted.first + uncounted.chunks.len() - 1;
        let start = uncounted.chunks.back().map(|chunk| Arc::clone(&chunk.start));
        uncounted.chunks.push_back(UncountedChunk::default());
        let (start, counted) = (start.unwrap_or_default(), Some((Arc::clone(self), number)));
        ChunkStart { byte, is_within_line, start, counted }
    }

    fn add(&self, number: usize, content: (Extent, Option<u64>)) {
        let mut uncounted = lock(&self.0);
        let Uncounted { first, chunks } = &mut *uncounted;
        chunks[number - *first].content = Some(content);
        while let Some(end) = chunks.front().and_then(UncountedChunk::end) {
            chunks.pop_front();
            *first += 1;
            if let Some(next) = chunks.front() {
                next.start.set(end).expect("a start is set once");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const PIECES: [&str; 5] = ["\u{feff}1. e4", " e5\n2. N", "f3\r", "", "\n\nNc6"];

    fn starts() -> Vec<(ChunkStart, &'static str)> {
        let counts = ChunkCounts::new();
        let mut byte = 0;
        let start = |piece: &'static str| {
            let start = counts.next_start(byte, false);
            byte += piece.len() as u64;
            (start, piece)
        };
        PIECES.into_iter().map(start).collect()
    }

    fn count(starts: &[(ChunkStart, &str)], number: usize) {
        let (start, piece) = &starts[number];
        let (counts, place) = start.counted.as_ref().unwrap();
        counts.add(*place, (Extent::of(piece.as_bytes(), start.byte), Some(number as u64)));
    }

    #[test]
    fn chunks_begin_where_the_ones_before_them_end_in_whatever_order_they_are_counted() {
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
            let starts = starts();
            order.into_iter().for_each(|number| count(&starts, number));
            let mut place = Place::default();
            for (start, piece) in &starts {
                assert_eq!(start.start.wait().place, place, "{piece:?} {order:?}");
                place = place.after(piece.as_bytes());
            }
            let items = starts.iter().map(|(start, _)| start.start.wait().items);
            assert!(items.eq([0, 0, 1, 3, 6].map(Some)), "{order:?}");
        }
    }

    #[test]
    fn a_start_is_awaited() {
        let starts = starts();
        count(&starts, 1);
        let place = thread::scope(|scope| {
            let awaited = scope.spawn(|| starts[2].0.start.wait().place);
            count(&starts, 0);
            awaited.join().unwrap()
        });
        assert_eq!((place.byte, place.line, place.column), (16, 2, 5));
    }
}

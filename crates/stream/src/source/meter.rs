//! Progress on a compressed input.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::ordered::lock;
use crate::read_at::ReadAt;

/// Counts the bytes read of an input as stored (compressed). Can be read from any thread.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Returns the number of bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns a reader whose bytes are counted, each once even if it is read again.
    pub fn on<R>(&self, reader: R) -> Metered<R> {
        let (meter, seen) = (self.clone(), SharedSeen::default());
        Metered { reader, meter, position: 0, seen, most: u64::MAX }
    }

    /// Returns a reader whose first `most` bytes are counted.
    pub fn on_first<R>(&self, most: u64, reader: R) -> Metered<R> {
        Metered { most, ..self.on(reader) }
    }
}

/// A reader with a [`Meter`].
#[derive(Debug)]
pub struct Metered<R> {
    reader: R,
    meter: Meter,
    /// The offset of the next byte; from the start of the file after a seek.
    position: u64,
    seen: SharedSeen,
    /// The number of bytes that may still be counted.
    most: u64,
}

/// A file with a [`Meter`], of which any part can be read.
#[derive(Debug)]
pub struct MeteredFile<F> {
    file: F,
    meter: Meter,
    seen: SharedSeen,
}

impl<R> Metered<R> {
    /// Returns a second way to read the same file, of which no byte is counted twice.
    pub fn file<F: ReadAt>(&self, file: F) -> MeteredFile<F> {
        MeteredFile { file, meter: self.meter.clone(), seen: self.seen.clone() }
    }
}

impl<F: ReadAt> ReadAt for MeteredFile<F> {
    fn file_len(&self) -> u64 {
        self.file.file_len()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.file.read_at(buffer, offset)?;
        let new = lock(&self.seen).add(offset..offset + read as u64);
        self.meter.0.fetch_add(new, Ordering::Relaxed);
        Ok(read)
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let end = self.position + read as u64;
        let new = lock(&self.seen).add(self.position..end).min(self.most);
        self.position = end;
        self.most -= new;
        self.meter.0.fetch_add(new, Ordering::Relaxed);
        Ok(read)
    }
}

impl<R: Seek> Seek for Metered<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.reader.seek(to)?;
        Ok(self.position)
    }
}

/// The parts that have been read, by any thread.
type SharedSeen = Arc<Mutex<SeenRanges>>;

/// Disjoint, sorted and few: archives are read from end and start, and threads read neighbours.
#[derive(Debug, Default)]
struct SeenRanges(Vec<Range<u64>>);

impl SeenRanges {
    /// Adds a range and returns the number of bytes in it that are new.
    fn add(&mut self, range: Range<u64>) -> u64 {
        let first = self.0.partition_point(|part| part.end < range.start);
        let last = first + self.0[first..].partition_point(|part| part.start <= range.end);
        let touched = &self.0[first..last];
        let overlap =
            |part: &Range<u64>| part.end.min(range.end).saturating_sub(part.start.max(range.start));
        let new = range.end - range.start - touched.iter().map(overlap).sum::<u64>();
        let start = touched.first().map_or(range.start, |part| part.start.min(range.start));
        let end = touched.last().map_or(range.end, |part| part.end.max(range.end));
        self.0.splice(first..last, std::iter::once(start..end));
        new
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_byte_is_counted_once(reads in prop::collection::vec((0usize..40, 0usize..20), 0..30)) {
            let (meter, mut seen) = (Meter::default(), [false; 40]);
            let mut reader = meter.on(Cursor::new([0; 40]));
            for (start, len) in reads {
                reader.seek(SeekFrom::Start(start as u64)).unwrap();
                let read = reader.read(&mut vec![0; len]).unwrap();
                seen[start..start + read].fill(true);
                let expected = seen.iter().filter(|is_read| **is_read).count();
                prop_assert_eq!(meter.bytes(), expected as u64);
            }
        }
    }

    #[test]
    fn bytes_of_a_file_that_was_read_as_a_stream_are_not_counted_again() {
        #[derive(Debug)]
        struct Zeros;
        impl ReadAt for Zeros {
            fn file_len(&self) -> u64 {
                40
            }

            fn read_at(&self, buffer: &mut [u8], _: u64) -> io::Result<usize> {
                Ok(buffer.len())
            }
        }
        let meter = Meter::default();
        let mut reader = meter.on(Cursor::new([0; 40]));
        let file = reader.file(Zeros);
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 8);
        for (offset, len, expected) in [(20, 10, 18), (4, 6, 20), (0, 40, 40)] {
            assert_eq!(file.read_at(&mut vec![0; len], offset).unwrap(), len);
            assert_eq!(meter.bytes(), expected);
        }
    }

    #[test]
    fn no_more_than_the_stated_number_of_bytes_is_counted() {
        let meter = Meter::default();
        let mut reader = meter.on_first(5, &[0; 8][..]);
        assert_eq!(reader.read(&mut [0; 3]).unwrap(), 3);
        assert_eq!(meter.bytes(), 3);
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 5);
        assert_eq!(meter.bytes(), 5);
    }
}

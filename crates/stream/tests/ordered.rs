//! The ordered pipeline delivers the result of one pass over the text, whatever the chunk size, the
//! number of threads and the order in which they finish.
//!
//! The items of these tests are paragraphs: an empty line ends one, except inside braces. So a cut
//! at an empty line may be wrong.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use stream::chunk::{Chunk, NextInput};
use stream::ordered::{
    ChunkEnd, ChunkInput, ChunkWorker, Cutter, LineCutter, Pipeline, Threads, in_order, whole_lines,
};
use stream::place::Place;
use stream::read_at::ReadAt;

/// State inside a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Inside {
    has_brace: bool,
    after_line_end: bool,
}

impl Inside {
    /// Returns the offset after the end of the paragraph.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                b'{' => self.has_brace = true,
                b'}' => self.has_brace = false,
                b'\n' if self.after_line_end && !self.has_brace => return Some(at + 1),
                _ => {}
            }
            self.after_line_end = *byte == b'\n';
        }
        None
    }
}

enum ParagraphCutter {}

impl Cutter for ParagraphCutter {
    type Start = ();
    type State = Inside;
    type Skipped = Inside;

    fn last_cut(bytes: &[u8]) -> Option<(usize, ())> {
        let empty_line = bytes.windows(2).rposition(|pair| pair == b"\n\n")?;
        Some((empty_line + 2, ()))
    }

    fn end_of_first(chunk: Chunk<'_, ()>) -> ChunkEnd<Inside> {
        let mut state = Inside::default();
        match state.end(chunk.bytes()) {
            Some(up_to) => ChunkEnd { up_to, rest_start: up_to, item_start: None, state },
            None => end_of_chunk(chunk, 0, state),
        }
    }

    fn begin_skip(_: Chunk<'_, ()>, state: Inside) -> Inside {
        state
    }

    fn resume_skip(mut state: Inside, chunk: Chunk<'_, ()>) -> (usize, Option<Inside>) {
        match state.end(chunk.bytes()) {
            Some(end) => (end, None),
            None => (chunk.bytes().len(), Some(state)),
        }
    }
}

/// Returns the end of a chunk whose last paragraph begins at `start` and is not ended by an empty
/// line.
fn end_of_chunk(chunk: Chunk<'_, ()>, start: usize, state: Inside) -> ChunkEnd<Inside> {
    let len = chunk.bytes().len();
    match chunk.next_input() == NextInput::End || start == len {
        true => ChunkEnd { up_to: len, rest_start: len, item_start: None, state },
        false => {
            let item_start = Some(start + preface_len(&chunk.bytes()[start..]));
            ChunkEnd { up_to: start, rest_start: start, item_start, state }
        }
    }
}

/// Returns the length of the preface of a paragraph, which belongs to it unless it exceeds the size
/// limit.
fn preface_len(paragraph: &[u8]) -> usize {
    paragraph.iter().take_while(|byte| **byte == b'#').count()
}

/// Lists paragraphs with their places.
struct ListParagraphs {
    max_item_bytes: usize,
    /// Whether every third chunk takes longer than those after it.
    is_uneven: bool,
}

const LIST: ListParagraphs = ListParagraphs { max_item_bytes: usize::MAX, is_uneven: false };

impl ChunkWorker for ListParagraphs {
    type Cutter = ParagraphCutter;
    type Output = Vec<String>;

    fn chunk(&self, chunk: Chunk<'_, ()>, paragraphs: &mut Vec<String>) -> ChunkEnd<Inside> {
        paragraphs.clear();
        if self.is_uneven && chunk.bytes().len() % 3 == 0 {
            std::thread::sleep(Duration::from_millis(2));
        }
        // Not a panic: chunks after one that cannot be read have wrong places, and are not
        // delivered.
        if chunk.begins_within_line() != (chunk.start().column > 1) {
            paragraphs.push(format!("contradictory start: {:?}", chunk.start()));
        }
        let mut start = 0;
        loop {
            let rest = &chunk.bytes()[start..];
            assert!(!rest.starts_with(b"bad"), "injected panic");
            let mut state = Inside::default();
            let end = match state.end(rest) {
                Some(end) => start + end,
                None => {
                    let worked = end_of_chunk(chunk, start, state);
                    if worked.up_to == start {
                        return worked;
                    }
                    worked.up_to
                }
            };
            paragraphs.push(self.paragraph(chunk, start, end));
            start = end;
        }
    }

    fn too_large(&self, chunk: Chunk<'_, ()>, paragraphs: &mut Vec<String>) {
        paragraphs.clear();
        paragraphs.push(self.paragraph(chunk, 0, chunk.bytes().len()));
    }
}

impl ListParagraphs {
    fn paragraph(&self, chunk: Chunk<'_, ()>, start: usize, end: usize) -> String {
        let preface = preface_len(&chunk.bytes()[start..end]);
        let start = if preface > self.max_item_bytes { start + preface } else { start };
        let Place { byte, line, .. } = chunk.place(start);
        match end - start > self.max_item_bytes {
            true => format!("too large: {byte}, line {line}"),
            false => {
                let text = String::from_utf8_lossy(&chunk.bytes()[start..end]);
                format!("{byte}, line {line}: {text:?}")
            }
        }
    }
}

/// How reading ended, what was delivered, and the number of bytes that it reports to cover.
type Delivered<T> = (io::Result<()>, Vec<T>, u64);

/// Runs work on an input with this number of threads, bytes in a chunk and in an item.
fn run<T: Send>(
    input: ChunkInput<'_>,
    work: &impl ChunkWorker<Output = Vec<T>>,
    [workers, chunk_bytes, max_item_bytes]: [usize; 3],
) -> Delivered<T> {
    let pipeline = Pipeline { threads: Threads::new(workers), chunk_bytes, max_item_bytes };
    let (mut items, mut bytes) = (Vec::new(), 0);
    let outcome = in_order(input, &pipeline, work, &mut |output, read| {
        items.append(output);
        bytes += read;
        ControlFlow::Continue(())
    });
    (outcome, items, bytes)
}

fn delivered(
    mut input: impl Read,
    work: &ListParagraphs,
    workers: usize,
    chunk_bytes: usize,
) -> Delivered<String> {
    run(ChunkInput::Stream(&mut input), work, [workers, chunk_bytes, work.max_item_bytes])
}

/// A file in memory that cannot be read beyond some byte.
#[derive(Debug)]
struct MemoryFile {
    bytes: Vec<u8>,
    readable: usize,
    stated_len: u64,
    /// A byte at which the file seems to end, although there are bytes after it.
    gap: usize,
}

impl MemoryFile {
    fn new(bytes: &[u8]) -> Self {
        let (bytes, stated_len) = (bytes.to_vec(), bytes.len() as u64);
        MemoryFile { readable: bytes.len(), bytes, stated_len, gap: usize::MAX }
    }
}

impl ReadAt for MemoryFile {
    fn file_len(&self) -> u64 {
        self.stated_len
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let offset = (offset as usize).min(self.bytes.len());
        if offset >= self.readable && self.readable < self.bytes.len() {
            return Err(io::Error::other("the disk is gone"));
        }
        // In pieces, as a file may be read.
        let end = if offset <= self.gap { self.readable.min(self.gap) } else { self.readable };
        let len = buffer.len().min(end - offset).min(1000);
        buffer[..len].copy_from_slice(&self.bytes[offset..offset + len]);
        Ok(len)
    }
}

/// Like [`delivered`], with workers that read the file.
fn delivered_of_file(
    file: MemoryFile,
    work: &ListParagraphs,
    workers: usize,
    chunk_bytes: usize,
) -> Delivered<String> {
    run(ChunkInput::File(Arc::new(file)), work, [workers, chunk_bytes, work.max_item_bytes])
}

/// Returns the result of one pass over the whole text.
fn expected(text: &[u8], work: &ListParagraphs) -> Vec<String> {
    let mut paragraphs = Vec::new();
    work.chunk(Chunk::whole(text), &mut paragraphs);
    paragraphs
}

#[track_caller]
fn assert_is_one_pass(text: &[u8], work: &ListParagraphs, chunk_sizes: &[usize]) {
    let expected = expected(text, work);
    for chunk_bytes in chunk_sizes {
        for workers in [1, 2, 5] {
            for (outcome, paragraphs, bytes) in [
                delivered(text, work, workers, *chunk_bytes),
                delivered_of_file(MemoryFile::new(text), work, workers, *chunk_bytes),
            ] {
                outcome.unwrap();
                assert_eq!(paragraphs, expected, "{workers} workers, {chunk_bytes} bytes a chunk");
                assert_eq!(bytes, text.len() as u64);
            }
        }
    }
}

/// Returns paragraphs of different lengths.
fn text(paragraphs: usize) -> Vec<u8> {
    let paragraph = |number| format!("{number}\n{}\n\n", "word ".repeat(number * 7 % 40));
    (0..paragraphs).map(paragraph).collect::<String>().into_bytes()
}

#[test]
fn results_are_delivered_in_input_order() {
    let work = ListParagraphs { is_uneven: true, ..LIST };
    assert_is_one_pass(&text(300), &work, &[64, 500, 4000, 1 << 20]);
}

#[test]
fn a_wrong_cut_is_processed_again() {
    let text = "a {\n\nb\n\n} c\n\nd\n\n".repeat(20);
    let sizes: Vec<usize> = (64..64 + 20).collect();
    assert_is_one_pass(text.as_bytes(), &LIST, &sizes);
}

#[test]
fn an_unfinished_item_is_carried_until_it_is_complete() {
    let large = format!("large {{{}}}\n\n", "a\n\n".repeat(2000));
    let text = format!("a\n\n{large}b\n\n{large}{large}c");
    assert_is_one_pass(text.as_bytes(), &LIST, &[64, 100, 5000]);
}

#[test]
fn an_oversized_item_is_reported_once_and_those_around_it_are_delivered() {
    let large = format!("large {{{}}}\n\n", "a\n\n".repeat(300));
    for max_item_bytes in [0, 2, 3, 100, large.len() - 1, large.len()] {
        let work = ListParagraphs { max_item_bytes, ..LIST };
        let several = format!("a\n\n{large}b\n\n{large}{large}c\n\n");
        for text in [several, format!("{large}a"), format!("a\n\n{large}")] {
            assert_is_one_pass(text.as_bytes(), &work, &[64, 100, 1 << 20]);
        }
    }
}

#[test]
fn an_oversized_preface_does_not_make_its_item_oversized() {
    let item = format!("{}{}\n", "#".repeat(50), "a\n".repeat(20));
    // The item has 41 bytes without its preface.
    for max_item_bytes in [40, 41, 45, 49, 50, 90, 91] {
        let work = ListParagraphs { max_item_bytes, ..LIST };
        assert_is_one_pass(format!("b\n\n{item}{item}b").as_bytes(), &work, &[64, 70, 1 << 20]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_delivered_as_by_one_pass(
        pieces in prop::collection::vec(prop::sample::select(&["a", "word ", "{", "}", "\n", "\n\n"][..]), 0..400),
        max_item_bytes in prop::sample::select(&[20, 200, usize::MAX][..]),
        chunk_bytes in 64..200usize,
    ) {
        let work = ListParagraphs { max_item_bytes, ..LIST };
        assert_is_one_pass(pieces.concat().as_bytes(), &work, &[chunk_bytes]);
    }
}

struct CountRead<'a> {
    text: &'a [u8],
    read: &'a Cell<usize>,
}

impl Read for CountRead<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.text.read(buffer)?;
        self.read.set(self.read.get() + len);
        Ok(len)
    }
}

#[test]
fn nothing_is_delivered_after_an_early_end_and_the_rest_is_not_read() {
    let text = text(2000);
    let all = expected(&text, &LIST);
    for workers in [1, 4] {
        let read = Cell::new(0);
        let mut input = CountRead { text: &text, read: &read };
        let pipeline =
            Pipeline { threads: Threads::new(workers), chunk_bytes: 1000, max_item_bytes: 1 << 20 };
        let mut paragraphs: Vec<String> = Vec::new();
        let mut has_ended = false;
        in_order(ChunkInput::Stream(&mut input), &pipeline, &LIST, &mut |output, _| {
            assert!(!has_ended, "delivered after the end");
            paragraphs.append(output);
            has_ended = paragraphs.len() >= 3;
            if has_ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        assert!(paragraphs.len() >= 3 && all.starts_with(&paragraphs), "{workers} workers");
        assert!(read.get() < text.len() / 2, "{workers} workers: {} bytes", read.get());
    }
}

#[test]
fn the_text_read_and_not_yet_delivered_is_bounded() {
    let text = text(2000);
    let work = ListParagraphs { is_uneven: true, ..LIST };
    for workers in [1, 2, 5] {
        let read = Cell::new(0);
        let mut input = CountRead { text: &text, read: &read };
        let pipeline =
            Pipeline { threads: Threads::new(workers), chunk_bytes: 1000, max_item_bytes: 1 << 20 };
        let most = (Pipeline::most_in_flight(workers) + 1) * pipeline.chunk_bytes;
        let mut bytes = 0;
        in_order(ChunkInput::Stream(&mut input), &pipeline, &work, &mut |_, len| {
            let ahead = read.get() - bytes;
            assert!(ahead <= most, "{workers} workers: {ahead} bytes");
            bytes += len as usize;
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(bytes, text.len());
    }
}

#[test]
fn a_panic_in_a_worker_reaches_the_caller() {
    let text = [text(100), b"bad\n\n".to_vec(), text(100)].concat();
    for workers in [1, 2, 5] {
        let run = || delivered(&*text, &LIST, workers, 100).1;
        let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("the worker panics");
        let message = panic.downcast_ref::<&str>().map(ToString::to_string);
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
        assert_eq!(message.as_deref(), Some("injected panic"), "{workers} workers");
    }
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is gone"))
    }
}

#[test]
fn whole_items_before_an_error_of_the_input_are_delivered() {
    let text = text(40);
    let all = expected(&text, &LIST);
    for cut in (0..text.len()).step_by(61) {
        for workers in [1, 3] {
            let input = text[..cut].chain(Broken);
            let file = MemoryFile { readable: cut, ..MemoryFile::new(&text) };
            for (outcome, paragraphs, _) in [
                delivered(input, &LIST, workers, 300),
                delivered_of_file(file, &LIST, workers, 300),
            ] {
                assert_eq!(outcome.unwrap_err().to_string(), "the disk is gone", "{cut}");
                let before = expected(&text[..cut], &LIST);
                let whole = before.iter().zip(&all).filter(|(paragraph, whole)| paragraph == whole);
                assert_eq!(paragraphs, all[..whole.count()], "{cut}, {workers} workers");
            }
        }
    }
}

#[test]
fn a_file_of_another_length_than_stated_is_read_to_its_end() {
    let text = text(100);
    for stated_len in [0, 100, text.len() as u64 / 2, 2 * text.len() as u64] {
        let file = MemoryFile { stated_len, ..MemoryFile::new(&text) };
        let (outcome, paragraphs, _) = delivered_of_file(file, &LIST, 3, 300);
        outcome.unwrap();
        assert_eq!(paragraphs, expected(&text, &LIST), "{stated_len}");
    }
}

#[test]
fn a_file_that_ends_within_a_chunk_is_an_error() {
    let text = text(1000);
    let gap = 5000;
    for workers in [1, 3] {
        let file = MemoryFile { gap, ..MemoryFile::new(&text) };
        let (outcome, paragraphs, _) = delivered_of_file(file, &LIST, workers, 20_000);
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        let all = expected(&text, &LIST);
        assert!(!paragraphs.is_empty() && all.starts_with(&paragraphs), "{workers} workers");
        assert!(paragraphs.len() < all.len() / 2);
    }
}

/// Lists lines with their numbers.
struct ListLines {
    max_item_bytes: usize,
}

impl ChunkWorker for ListLines {
    type Cutter = LineCutter;
    type Output = Vec<(u64, usize)>;

    fn chunk(&self, chunk: Chunk<'_, ()>, lines: &mut Vec<(u64, usize)>) -> ChunkEnd<()> {
        lines.clear();
        assert_eq!(chunk.begins_within_line(), chunk.start().column > 1);
        let (text, end) = whole_lines(chunk);
        lines.extend((chunk.start().line..).zip(line_lengths(text)));
        lines.iter_mut().for_each(|(_, len)| *len = (*len).min(self.max_item_bytes + 1));
        end
    }

    fn too_large(&self, chunk: Chunk<'_, ()>, lines: &mut Vec<(u64, usize)>) {
        *lines = vec![(chunk.start().line, self.max_item_bytes + 1)];
    }
}

/// Counts the lines of a chunk, and says how many are before it.
struct CountLines;

impl ChunkWorker for CountLines {
    type Cutter = LineCutter;
    type Output = (Option<u64>, u64);

    fn chunk(&self, chunk: Chunk<'_, ()>, counts: &mut Self::Output) -> ChunkEnd<()> {
        let (text, end) = whole_lines(chunk);
        *counts = (chunk.items_before(), line_lengths(text).len() as u64);
        end
    }

    fn count_items(&self, chunk: Chunk<'_, ()>) -> Option<u64> {
        Some(line_lengths(chunk.bytes()).len() as u64)
    }

    fn too_large(&self, _: Chunk<'_, ()>, _: &mut Self::Output) {}
}

/// Unless the chunk is processed again.
#[test]
fn a_chunk_knows_how_many_items_are_before_it() {
    let text: String = (0..3000).map(|line| "x".repeat(line % 17) + "\n").collect();
    let (mut before, mut known) = (0, 0);
    let pipeline = Pipeline { threads: Threads::new(3), chunk_bytes: 500, max_item_bytes: 500 };
    in_order(
        ChunkInput::Stream(&mut text.as_bytes()),
        &pipeline,
        &CountLines,
        &mut |(found, lines), _| {
            if let Some(found) = *found {
                assert_eq!(found, before);
                known += 1;
            }
            before += *lines;
            ControlFlow::Continue(())
        },
    )
    .unwrap();
    assert_eq!(before, 3000);
    assert!(known > 10, "{known}");
}

/// Notes where the chunks begin, in the order in which they are processed.
#[derive(Default)]
struct NoteStarts(Mutex<Vec<u64>>);

impl ChunkWorker for NoteStarts {
    type Cutter = LineCutter;
    type Output = ();

    fn chunk(&self, chunk: Chunk<'_, ()>, (): &mut ()) -> ChunkEnd<()> {
        self.0.lock().unwrap().push(chunk.start_byte());
        std::thread::sleep(Duration::from_micros(200));
        whole_lines(chunk).1
    }

    fn too_large(&self, _: Chunk<'_, ()>, (): &mut ()) {}
}

/// So the place where a chunk begins is known as soon as possible.
#[test]
fn chunks_are_begun_in_input_order() {
    for workers in 1..5 {
        let text = "line\n".repeat(2000);
        let pipeline =
            Pipeline { threads: Threads::new(workers), chunk_bytes: 100, max_item_bytes: 100 };
        let work = NoteStarts::default();
        in_order(ChunkInput::Stream(&mut text.as_bytes()), &pipeline, &work, &mut |(), _| {
            ControlFlow::Continue(())
        })
        .unwrap();
        let starts = work.0.into_inner().unwrap();
        let mut sorted = starts.clone();
        sorted.sort_unstable();
        for (index, start) in starts.iter().enumerate() {
            let number = sorted.binary_search(start).unwrap();
            // Each other thread may have a chunk that it has not noted yet.
            assert!(number < index + workers, "chunk {number} is begun after {index} others");
        }
    }
}

/// Returns the length of each line, with its end.
fn line_lengths(text: &[u8]) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut start = 0;
    for at in 0..text.len() {
        let ends = text[at] == b'\n' || text[at] == b'\r' && text.get(at + 1) != Some(&b'\n');
        if ends || at + 1 == text.len() {
            lengths.push(at + 1 - start);
            start = at + 1;
        }
    }
    lengths
}

#[track_caller]
fn assert_lines(text: &[u8], max_item_bytes: usize, chunk_bytes: usize) {
    let work = ListLines { max_item_bytes };
    let mut expected = Vec::new();
    work.chunk(Chunk::whole(text), &mut expected);
    for workers in [1, 3] {
        let sizes = [workers, chunk_bytes, max_item_bytes];
        let (mut stream, file) = (text, Arc::new(MemoryFile::new(text)));
        for input in [ChunkInput::Stream(&mut stream), ChunkInput::File(file)] {
            let (outcome, lines, _) = run(input, &work, sizes);
            outcome.unwrap();
            assert_eq!(lines, expected, "{workers} workers");
        }
    }
}

proptest! {
    #[test]
    fn lines_are_numbered_whatever_the_chunk_size(text in "[ab\\r\\n]{0,600}", chunk_bytes in 64..99usize) {
        assert_lines(text.as_bytes(), usize::MAX - 1, chunk_bytes);
    }
}

#[test]
fn an_oversized_line_is_reported_once_and_those_around_it_are_delivered() {
    for end in ["\n", "\r", "\r\n"] {
        for blank in ["x", "a b "] {
            let long = blank.repeat(3 << 18);
            let text = ["one", "two", &long, "three", &long, &long[..1 << 18], "four"].join(end);
            assert_lines(text.as_bytes(), 2 << 18, 64);
            assert_lines(text.as_bytes(), 2 << 18, 1 << 18);
            assert_lines(text.as_bytes(), usize::MAX - 1, 100_000);
        }
    }
}

#[test]
fn a_line_torn_by_an_error_of_the_input_is_dropped() {
    for (text, whole) in [("one\ntwo", 1), ("one\r\ntwo\r", 1), ("one\rtwo\n", 2), ("one", 0)] {
        let mut input = text.as_bytes().chain(Broken);
        let work = ListLines { max_item_bytes: 100 };
        let (read, lines, _) = run(ChunkInput::Stream(&mut input), &work, [1, 100, 100]);
        assert_eq!(read.unwrap_err().to_string(), "the disk is gone");
        assert_eq!(lines.len(), whole, "{text:?}");
    }
}

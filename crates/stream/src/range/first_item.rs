//! The first item after an offset, as a reader of the whole file finds it.
//!
//! A line in the middle of a file may look like the beginning of an item and be part of a comment.
//! So the search goes backward for a place where an item certainly begins, usually a few kilobytes,
//! and the text is scanned from there; without such a place, it is scanned from the beginning of
//! the file.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use crate::ordered::{ChunkWorker, Pipeline, Threads, in_order};

/// Finds items from the middle of a text. As a worker it returns the offset in its text of the
/// first item that it was asked for.
///
/// A comment is a text between two delimiters in which no item begins, however long it is.
pub trait FirstItemFinder: ChunkWorker<Output = Option<u64>> {
    /// Returns the worker that finds the first item whose offset is at least `from`.
    fn from(from: u64) -> Self;

    /// Finds the last offset in `bytes` where an item certainly begins. A line that may begin
    /// before them is not used.
    fn last_sync_point(bytes: &[u8], before: PrecedingText) -> SyncPoint;

    /// Finds the last byte that ends a comment or, outside of a comment, opens one.
    fn last_delimiter(bytes: &[u8]) -> Option<(usize, CommentDelimiter)>;
}

/// What is known about the text before some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrecedingText {
    /// There is no text before them.
    Nothing,
    /// No comment is open at its end.
    NoComment,
    /// Nothing is known.
    Anything,
}

/// Result of a search for a place where an item certainly begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncPoint {
    /// An item begins at this byte.
    Start(usize),
    /// No certain start; the answer depends on whether a comment is open before the bytes.
    IfNoComment,
    /// No certain start.
    Nothing,
}

/// A byte at one end of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentDelimiter {
    /// Begins a comment unless it is inside of one.
    Open,
    /// After it no comment is open.
    Close,
}

/// How far back to search for a certain start, in bytes: the first step, growing up to the last.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The first step.
    pub first: u64,
    /// The largest step.
    pub last: u64,
}

impl Default for Reach {
    fn default() -> Self {
        Reach { first: 64 << 10, last: 64 << 20 }
    }
}

const GROWTH: u64 = 16;

/// Minimum search distance in bytes, however close damage is.
const LEAST_REACH: u64 = 1 << 10;

/// The search before an open comment is abandoned after this number of comments.
const MOST_COMMENTS: usize = 16;

const CHUNK_BYTES: usize = 64 << 10;

/// Items larger than this, in bytes, are skipped in pieces, which bounds memory.
const MAX_ITEM_BYTES: usize = 64 << 20;

/// Returns the offset of the first item that begins at or after `at`, or the length of the file,
/// `len`.
///
/// # Errors
///
/// If the file cannot be read up to that item.
pub fn first_item<F: FirstItemFinder>(
    input: &mut (impl Read + Seek),
    at: u64,
    len: u64,
    reach: Reach,
) -> io::Result<u64> {
    let certain = sync_point_before::<F>(input, at, reach)?;
    input.seek(SeekFrom::Start(certain))?;
    let pipeline = Pipeline {
        threads: Threads::new(1),
        chunk_bytes: CHUNK_BYTES,
        max_item_bytes: MAX_ITEM_BYTES,
    };
    let mut first = None;
    let read = in_order(input, &pipeline, &F::from(at - certain), &mut |start, _| {
        first = start.take();
        if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match first {
        // Reads ahead of the item, so damage after it must not count as an error of the item.
        Some(start) => Ok(certain + start),
        None => read.map(|()| len),
    }
}

/// Returns an offset before `at` where an item certainly begins, or the beginning of the file.
fn sync_point_before<F: FirstItemFinder>(
    input: &mut (impl Read + Seek),
    at: u64,
    reach: Reach,
) -> io::Result<u64> {
    let (mut end, mut size) = (at, reach.first);
    let mut comments = 0;
    let mut damage = None;
    loop {
        let start = end.saturating_sub(size);
        let bytes = match read_at(input, start, end) {
            Ok(bytes) => bytes,
            // An item may begin between the damage and here.
            Err(fault) if size > LEAST_REACH => {
                damage = Some(fault);
                size /= 2;
                continue;
            }
            Err(fault) => return Err(fault),
        };
        let mut before = if start == 0 { PrecedingText::Nothing } else { PrecedingText::Anything };
        let mut found = F::last_sync_point(&bytes, before);
        if found == SyncPoint::IfNoComment {
            match last_delimiter_before::<F>(input, start)? {
                Some((at, CommentDelimiter::Open)) if comments < MOST_COMMENTS => {
                    (end, size, damage) = (at, reach.first, None);
                    comments += 1;
                    continue;
                }
                Some((_, CommentDelimiter::Open)) => return Ok(0),
                _ => before = PrecedingText::NoComment,
            }
            found = F::last_sync_point(&bytes, before);
        }
        match found {
            SyncPoint::Start(at) => return Ok(start + at as u64),
            _ if let Some(fault) = damage => return Err(fault),
            _ if start == 0 || size >= reach.last => return Ok(0),
            _ => size = (size * GROWTH).min(reach.last),
        }
    }
}

fn last_delimiter_before<F: FirstItemFinder>(
    input: &mut (impl Read + Seek),
    mut at: u64,
) -> io::Result<Option<(u64, CommentDelimiter)>> {
    const BLOCK: u64 = 1 << 20;
    while at > 0 {
        let start = at.saturating_sub(BLOCK);
        let bytes = read_at(input, start, at)?;
        if let Some((found, delimiter)) = F::last_delimiter(&bytes) {
            return Ok(Some((start + found as u64, delimiter)));
        }
        at = start;
    }
    Ok(None)
}

fn read_at(input: &mut (impl Read + Seek), start: u64, end: u64) -> io::Result<Vec<u8>> {
    input.seek(SeekFrom::Start(start))?;
    let mut bytes = vec![0; (end - start) as usize];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

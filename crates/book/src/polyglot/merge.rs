//! Merges Polyglot books.

use std::io::{BufWriter, Read, Write};
use std::iter::Peekable;

use super::{Entries, PolyglotEntry, PolyglotError};
use crate::error::BookError;

/// Merges books as Polyglot's merge-book does: the moves of a position are those of the first book
/// that has it, since the weights of different books cannot be compared. Returns the number of
/// entries.
///
/// # Errors
///
/// If a book, given with its name, cannot be read or is damaged, or the output cannot be written.
///
/// ```
/// let entry = |key: u64, weight: u16| [&key.to_be_bytes()[..], &[3, 28], &weight.to_be_bytes(), &[0; 4]].concat();
/// let (first, second) = ([entry(1, 7), entry(3, 7)].concat(), [entry(1, 8), entry(2, 8)].concat());
/// let mut merged = Vec::new();
/// book::merge_polyglot([("first", &first[..]), ("second", &second)], &mut merged)?;
/// assert_eq!(merged, [entry(1, 7), entry(2, 8), entry(3, 7)].concat());
/// # Ok::<_, book::BookError>(())
/// ```
pub fn merge_polyglot<N: Into<String>, R: Read>(
    books: impl IntoIterator<Item = (N, R)>,
    output: &mut dyn Write,
) -> Result<u64, BookError> {
    let mut output = BufWriter::new(output);
    let open =
        |(name, book): (N, R)| Book { name: name.into(), entries: Entries::new(book).peekable() };
    let mut books: Vec<Book<R>> = books.into_iter().map(open).collect();
    let mut written = 0;
    loop {
        let mut least = None;
        for book in &mut books {
            least = [least, book.next_key()?].into_iter().flatten().min();
        }
        let Some(key) = least else { break };
        let mut is_written = false;
        for book in &mut books {
            let mut has_key = false;
            while book.next_key()? == Some(key)
                && let Some(Ok((_, entry))) = book.entries.next()
            {
                has_key = true;
                if !is_written {
                    let PolyglotEntry { code, weight, learn, .. } = entry;
                    output.write_all(&key.to_be_bytes())?;
                    let move_bytes = [code.to_be_bytes(), weight.to_be_bytes()].concat();
                    output.write_all(&move_bytes)?;
                    output.write_all(&learn.to_be_bytes())?;
                    written += 1;
                }
            }
            is_written |= has_key;
        }
    }
    output.flush()?;
    Ok(written)
}

struct Book<R: Read> {
    name: String,
    entries: Peekable<Entries<R>>,
}

impl<R: Read> Book<R> {
    /// Returns the key of the next entry.
    fn next_key(&mut self) -> Result<Option<u64>, BookError> {
        match self.entries.peek() {
            None => Ok(None),
            Some(Ok((key, _))) => Ok(Some(*key)),
            Some(Err(_)) => {
                let error = self.entries.next().and_then(Result::err);
                let error = error.unwrap_or(PolyglotError::TooMany);
                Err(BookError::PolyglotBook { name: self.name.clone(), error })
            }
        }
    }
}

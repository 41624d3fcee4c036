//! The files of a folder.

use std::path::PathBuf;

/// A number of rows, and of bytes before compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSize {
    /// The number of rows.
    pub rows: u64,
    /// The number of bytes.
    pub bytes: u64,
}

/// Divides records among files: each part of a data set has a folder, in which files of a number of
/// rows or bytes follow each other.
///
/// ```
/// use dataset::{FileSize, Files, NextFile};
///
/// let most = FileSize { rows: 2, bytes: 100 };
/// let mut files = Files::new(most, "epd".to_owned(), false);
/// files.add_parts(["train", "test"]);
/// let next = [0, 1, 0, 0].map(|part| files.next(part, FileSize { rows: 1, bytes: 50 }));
/// assert_eq!(next.map(|next| next.file), [0, 1, 0, 2]);
/// assert_eq!(next[3], NextFile { file: 2, is_new: true, ended: Some(0) });
/// assert!(files.names().iter().eq(["train/part-00000.epd", "test/part-00000.epd", "train/part-00001.epd"]));
/// ```
#[derive(Debug)]
pub struct Files {
    parts: Vec<Part>,
    /// The part of the last record.
    part: usize,
    /// The size of a file at most, unless it has one record.
    most: FileSize,
    suffix: String,
    /// Whether the records of a part follow each other.
    are_parts_sorted: bool,
    /// The names of the files so far.
    names: Vec<PathBuf>,
}

#[derive(Debug)]
struct Part {
    name: String,
    /// The file that is written now, and its size.
    last: Option<(usize, FileSize)>,
    /// The number of files.
    files: u64,
}

/// The file for the next record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextFile {
    /// Its number.
    pub file: usize,
    /// Whether nothing was written to it.
    pub is_new: bool,
    /// A file that is complete, since nothing else is for it.
    pub ended: Option<usize>,
}

impl Files {
    /// Makes files of this size at most, one after the other if the parts are sorted.
    pub fn new(most: FileSize, suffix: String, are_parts_sorted: bool) -> Self {
        let (parts, names) = Default::default();
        Files { parts, part: 0, most, suffix, are_parts_sorted, names }
    }

    /// Adds parts with these folders; that of a part without a name is the whole one.
    pub fn add_parts<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let part = |name: &str| Part { name: name.to_owned(), last: None, files: 0 };
        self.parts.extend(names.into_iter().map(part));
    }

    /// Returns the number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns the file for the next record, which has this size.
    pub fn next(&mut self, part: usize, size: FileSize) -> NextFile {
        let before = std::mem::replace(&mut self.part, part);
        let ended = match self.are_parts_sorted && before != part {
            true => self.parts[before].last.map(|(ended, _)| ended),
            false => None,
        };
        let part = &mut self.parts[part];
        if let Some((file, FileSize { rows, bytes })) = &mut part.last
            && *rows < self.most.rows
            && bytes.saturating_add(size.bytes) <= self.most.bytes
        {
            (*rows, *bytes) = (*rows + size.rows, *bytes + size.bytes);
            return NextFile { file: *file, is_new: false, ended };
        }
        let file = self.names.len();
        let name = format!("part-{:05}.{}", part.files, self.suffix);
        // With slashes on every system, as in the list of files.
        self.names.push(match &*part.name {
            "" => name.into(),
            folder => format!("{folder}/{name}").into(),
        });
        part.files += 1;
        let ended = part.last.replace((file, size)).map(|(ended, _)| ended).or(ended);
        NextFile { file, is_new: true, ended }
    }

    /// Returns the names of the files in the folder, in the order of their first records.
    pub fn names(&self) -> &[PathBuf] {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_ends_where_the_next_part_begins_if_parts_are_sorted() {
        for are_sorted in [false, true] {
            let most = FileSize { rows: 2, bytes: 10 };
            let mut files = Files::new(most, "epd".to_owned(), are_sorted);
            files.add_parts(["a", "b"]);
            let next = [0, 0, 0, 1, 1].map(|part| files.next(part, FileSize { rows: 1, bytes: 1 }));
            let expected = [None, None, Some(0), Some(1).filter(|_| are_sorted), None];
            assert_eq!(next.map(|next| next.ended), expected);
            assert_eq!(next.map(|next| next.file), [0, 0, 1, 2, 2]);
        }
    }
}

//! The files of a folder.

use std::path::PathBuf;

/// Divides records among files: each part of a data set has a folder, in which files of a number of
/// rows follow each other.
///
/// ```
/// use dataset::{Files, NextFile};
///
/// let mut files = Files::new(["train", "test"], 2, "epd".to_owned());
/// let next = [0, 1, 0, 0].map(|part| files.next(part, 1));
/// assert_eq!(next.map(|next| next.file), [0, 1, 0, 2]);
/// assert_eq!(next[3], NextFile { file: 2, is_new: true, ended: Some(0) });
/// assert!(files.names().iter().eq(["train/part-00000.epd", "test/part-00000.epd", "train/part-00001.epd"]));
/// ```
#[derive(Debug)]
pub struct Files {
    parts: Vec<Part>,
    /// The number of rows of a file.
    rows: u64,
    suffix: String,
    /// The names of the files so far.
    names: Vec<PathBuf>,
}

#[derive(Debug)]
struct Part {
    name: String,
    /// The file that is written now, and the number of rows in it.
    last: Option<(usize, u64)>,
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
    /// Makes files of this number of `rows` for each part; the folder of a part without a name is
    /// the whole one.
    pub fn new<'n>(parts: impl IntoIterator<Item = &'n str>, rows: u64, suffix: String) -> Self {
        let part = |name: &str| Part { name: name.to_owned(), last: None, files: 0 };
        let parts = parts.into_iter().map(part).collect();
        Files { parts, rows, suffix, names: Vec::new() }
    }

    /// Returns the file for the next record, which has this number of rows.
    pub fn next(&mut self, part: usize, rows: u64) -> NextFile {
        let part = &mut self.parts[part];
        if let Some((file, written)) = &mut part.last
            && *written < self.rows
        {
            *written += rows;
            return NextFile { file: *file, is_new: false, ended: None };
        }
        let file = self.names.len();
        let name = format!("part-{:05}.{}", part.files, self.suffix);
        self.names.push([&*part.name, &name].iter().collect());
        part.files += 1;
        let ended = part.last.replace((file, rows)).map(|(ended, _)| ended);
        NextFile { file, is_new: true, ended }
    }

    /// Returns the names of the files in the folder, in the order of their first records.
    pub fn names(&self) -> &[PathBuf] {
        &self.names
    }
}

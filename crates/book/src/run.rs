//! Sorted blocks: of a part that is merged, or of what did not fit in memory, in a temporary file.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use san::MoveCode;
use stream::read_at::ReadAt;
use stream::spill::{SpillError, temporary_file};

use crate::block::{BlockBuilder, BlockPosition, CountsEntry};
use crate::count_file::{CountFile, Header, NOT_DECODED, SectionRecord, section, stored};
use crate::error::{BookError, CountFileError};
use crate::tally::Game;

/// Blocks in the order of their keys.
#[derive(Debug)]
pub(crate) struct SortedRun {
    pub(crate) input: Arc<dyn ReadAt>,
    pub(crate) blocks: Vec<SectionRecord>,
    pub(crate) origin: Origin,
}

#[derive(Debug)]
pub(crate) enum Origin {
    /// The name of a part, and the numbers of its files among those of all parts.
    Part(String, Vec<u32>),
    /// The folder of a temporary file.
    Temporary(PathBuf),
}

/// How many times as large the blocks of parts are when they are decompressed, at most as a rule.
const COMPRESSION: u64 = 3;

impl SortedRun {
    /// Returns about the size of a block in memory.
    pub(crate) fn bytes_of(&self, block: &SectionRecord) -> u64 {
        let is_part = matches!(self.origin, Origin::Part(..));
        u64::from(block.len) * if is_part { COMPRESSION } else { 1 }
    }

    pub(crate) fn section(&self, block: &SectionRecord) -> Result<Vec<u8>, BookError> {
        section(&*self.input, block).map_err(|error| self.failed(error))
    }

    pub(crate) fn damaged(&self, block: &SectionRecord) -> BookError {
        self.failed(block.damaged(NOT_DECODED))
    }

    fn failed(&self, error: CountFileError) -> BookError {
        match &self.origin {
            Origin::Part(name, _) => BookError::partial(name, error),
            Origin::Temporary(folder) => {
                let source = match error {
                    CountFileError::Read(error) => error,
                    error => io::Error::other(error),
                };
                BookError::Temporary(SpillError { folder: folder.clone(), source })
            }
        }
    }

    /// Sets the numbers of the files in the games of a block.
    pub(crate) fn place(
        &self,
        block: &SectionRecord,
        games: &mut [Arc<Game>],
    ) -> Result<(), BookError> {
        let Origin::Part(_, places) = &self.origin else { return Ok(()) };
        for game in games {
            let place = places.get(game.file as usize);
            Arc::make_mut(game).file = *place.ok_or_else(|| self.damaged(block))?;
        }
        Ok(())
    }

    /// Checks a position of a part, which another program may have written.
    pub(crate) fn check(
        &self,
        block: &SectionRecord,
        position: &BlockPosition<'_>,
    ) -> Result<(), BookError> {
        let Origin::Part(..) = &self.origin else { return Ok(()) };
        let refused = |reason| self.failed(block.damaged(reason));
        let legal = position.key.position(0, 1);
        let legal = legal.map_err(|error| refused(format!("a position is not legal: {error}")))?;
        let legal: Vec<MoveCode> = legal.legal_moves().into_iter().map(san::Move::code).collect();
        let is_legal = |code: MoveCode| code.is_none() || legal.contains(&code.without_pin());
        match position.counts.iter().find(|(code, _)| !is_legal(*code)) {
            Some((code, _)) => {
                Err(refused(format!("the move {} is not legal in its position", code.0)))
            }
            None => Ok(()),
        }
    }
}

/// A temporary file of runs, created when it is first written. It has no name, so none is left.
#[derive(Debug)]
pub(crate) struct TempFile {
    folder: PathBuf,
    file: Option<Arc<File>>,
    len: u64,
}

impl TempFile {
    pub(crate) fn new(folder: &Path) -> Self {
        TempFile { folder: folder.to_owned(), file: None, len: 0 }
    }

    fn file(&mut self) -> io::Result<&Arc<File>> {
        if self.file.is_none() {
            self.file = Some(Arc::new(temporary_file(&self.folder)?));
        }
        Ok(self.file.as_ref().expect("it was just made"))
    }

    fn write(&mut self, first: [u8; 32], bytes: &[u8]) -> io::Result<SectionRecord> {
        let (bytes, offset) = (stored(bytes), self.len);
        let written = (&**self.file()?).write_all(&bytes);
        let folder = || self.folder.clone();
        written.map_err(|source| io::Error::other(SpillError { folder: folder(), source }))?;
        self.len += bytes.len() as u64;
        Ok(SectionRecord::of(first, offset, &bytes))
    }
}

#[derive(Debug)]
pub(crate) struct RunWriter<'f> {
    temp: &'f mut TempFile,
    builder: BlockBuilder,
    blocks: Vec<SectionRecord>,
}

impl<'f> RunWriter<'f> {
    pub(crate) fn new(temp: &'f mut TempFile, size: usize) -> Self {
        RunWriter { temp, builder: BlockBuilder::of_size(size), blocks: Vec::new() }
    }

    pub(crate) fn push(&mut self, entry: &CountsEntry<'_>) -> io::Result<()> {
        let RunWriter { temp, builder, blocks } = self;
        builder.push(["", ""], entry, &mut |first, bytes| {
            blocks.push(temp.write(first, bytes)?);
            Ok(())
        })
    }

    pub(crate) fn finish(mut self) -> io::Result<SortedRun> {
        let RunWriter { temp, builder, blocks } = &mut self;
        builder.end(&mut |first, bytes| {
            blocks.push(temp.write(first, bytes)?);
            Ok::<_, io::Error>(())
        })?;
        let origin = Origin::Temporary(temp.folder.clone());
        Ok(SortedRun { input: temp.file()?.clone(), blocks: self.blocks, origin })
    }
}

/// An open count file that is merged: a partial result, or an explorer file of all positions.
#[derive(Debug)]
pub struct Part {
    name: String,
    file: CountFile,
}

impl Part {
    /// Opens a count file. Fails if the file cannot be read, or is not a count file.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        match CountFile::open(path) {
            Ok(file) => Ok(Part { name, file }),
            Err(error) => Err(BookError::partial(&name, error)),
        }
    }
}

/// Returns the counts of parts as if the games of all had been counted together.
pub(crate) fn merged(parts: &[Part]) -> Result<(Header, Vec<SortedRun>), BookError> {
    let mut header = Header::default();
    for (number, Part { name, file }) in parts.iter().enumerate() {
        let Header { files, counted, grouped_by, moves, selected, .. } = file.header();
        if *selected {
            return Err(BookError::Refused(format!(
                "{name} has selected positions only: merge partial results, which have all"
            )));
        }
        if number == 0 {
            (header.counted, header.moves) = (counted.clone(), *moves);
            header.grouped_by = grouped_by.clone();
        } else if (&header.counted, header.moves) != (counted, *moves) {
            let ours = header.counted;
            return Err(BookError::Refused(format!(
                "{name} was counted differently from the others: {counted}, not {ours}"
            )));
        }
        header.files.extend_from_slice(files);
    }
    header.files.sort();
    header.files.dedup();
    let place = |name: &String| header.files.binary_search(name).expect("it is in the list") as u32;
    let mut runs = Vec::new();
    for Part { name, file } in parts {
        let places = file.header().files.iter().map(place).collect();
        let (input, blocks) = file.all_blocks().map_err(|error| BookError::partial(name, error))?;
        runs.push(SortedRun { input, blocks, origin: Origin::Part(name.clone(), places) });
    }
    Ok((header, runs))
}

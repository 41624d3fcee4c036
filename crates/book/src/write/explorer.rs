//! Explorer files: blocks of positions, compressed by any thread, and the pages that list them.

use std::io::Write;

use openings::{Name, Openings};

use super::form::PieceForm;
use crate::error::BookError;
use crate::explorer::{
    BlockBuilder, EntryParts, ExplorerHeader, MAGIC, SectionCompressor, SectionRecord, VERSION,
};
use crate::partial::Header;
use crate::select::SelectedPosition;

/// Blocks of positions in the order of their keys.
pub(super) struct Explorer<'w> {
    pub(super) names: Option<&'w Openings>,
}

/// Some blocks, and the positions of the last one.
#[derive(Default)]
pub(super) struct Blocks {
    compressed: Vec<CompressedBlock>,
    current: BlockBuilder,
    compressor: SectionCompressor,
    has_classes: bool,
}

/// The first key of a block, and its bytes.
type CompressedBlock = ([u8; 32], std::io::Result<Vec<u8>>);

impl Blocks {
    fn end_block(&mut self) {
        let block = self.current.take();
        let compress = |(first, bytes): (_, std::io::Result<Vec<u8>>)| {
            (first, bytes.and_then(|bytes| self.compressor.compress(&bytes)))
        };
        self.compressed.extend(block.map(compress));
    }
}

impl PieceForm for Explorer<'_> {
    type Piece = Blocks;

    // The same for any number of threads, since the file depends on it. The last block of a piece
    // is smaller than the others.
    const SIZE: usize = 1 << 16;

    fn write(&self, selected: &SelectedPosition<'_>, blocks: &mut Blocks) -> bool {
        let name = selected.name(self.names);
        let entry = EntryParts {
            eco: name.and_then(Name::eco),
            opening: name.and_then(Name::opening),
            moves: &selected.moves,
            classes: &selected.classes,
        };
        blocks.has_classes |= !selected.classes.is_empty();
        blocks.current.push(selected.key, &entry);
        if blocks.current.is_full() {
            blocks.end_block();
        }
        true
    }

    fn end(blocks: &mut Blocks) {
        blocks.end_block();
    }
}

/// Number of blocks that a page lists.
const PAGE: usize = 512;

/// Writes the blocks, a page after every 512 of them, and the list of the pages.
pub(super) struct ExplorerWriter<'o> {
    output: &'o mut dyn Write,
    offset: u64,
    blocks: Vec<SectionRecord>,
    pages: Vec<SectionRecord>,
    has_classes: bool,
}

impl<'o> ExplorerWriter<'o> {
    pub(super) fn new(output: &'o mut dyn Write) -> Result<Self, BookError> {
        let head = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        output.write_all(&head)?;
        Ok(ExplorerWriter {
            output,
            offset: head.len() as u64,
            blocks: Vec::new(),
            pages: Vec::new(),
            has_classes: false,
        })
    }

    pub(super) fn write(&mut self, blocks: Blocks) -> Result<(), BookError> {
        self.has_classes |= blocks.has_classes;
        for (first, bytes) in blocks.compressed {
            let block = self.section(first, &bytes?)?;
            self.blocks.push(block);
            if self.blocks.len() == PAGE {
                self.end_page()?;
            }
        }
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), BookError> {
        let Some(block) = self.blocks.first() else { return Ok(()) };
        let first = block.first;
        let mut page = Vec::new();
        self.blocks.drain(..).for_each(|block| block.write(&mut page));
        let page = self.section(first, &SectionCompressor::default().compress(&page)?)?;
        self.pages.push(page);
        Ok(())
    }

    /// Writes a block or a page, and returns its record.
    fn section(&mut self, first: [u8; 32], bytes: &[u8]) -> Result<SectionRecord, BookError> {
        self.output.write_all(bytes)?;
        let (offset, crc) = (self.offset, crc32fast::hash(bytes));
        self.offset += bytes.len() as u64;
        Ok(SectionRecord { first, offset, len: bytes.len() as u32, crc })
    }

    pub(super) fn finish(mut self, header: &Header, positions: u64) -> Result<(), BookError> {
        self.end_page()?;
        let names = (0..header.files.len() as u32).filter_map(|file| header.published_name(file));
        // A header of another program need not tell it.
        let grouped_by = header.grouped_by().unwrap_or("?");
        let grouped_by = if self.has_classes { grouped_by } else { "" }.to_owned();
        let header = ExplorerHeader {
            positions,
            files: names.map(str::to_owned).collect(),
            counted: header.counted.clone(),
            grouped_by,
        };
        let mut root = serde_json::to_vec(&header).map_err(std::io::Error::from)?;
        root.push(b'\n');
        self.pages.iter().for_each(|page| page.write(&mut root));
        let len = (root.len() as u64).to_le_bytes();
        let mut crc = crc32fast::Hasher::new();
        crc.update(&root);
        crc.update(&len);
        self.output.write_all(&root)?;
        self.output.write_all(&[&len[..], &crc.finalize().to_le_bytes(), MAGIC].concat())?;
        Ok(())
    }
}

//! Texts that repeat as a column of a Parquet row group.
//!
//! The Parquet library hashes each text of each row. Here a text is hashed once for each batch, and rows are numbers.

use std::io;

use bytes::Bytes;
use emit::Dictionary;
use parquet::basic::{Compression as Codec, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use stream::compress::encoder::{EncodedFrames, FrameEncoder};

use super::hybrid;

/// The length in bytes of the longest text in statistics.
const LONGEST: usize = 64;

/// A column under construction.
#[derive(Debug, Default)]
pub(super) struct DictionaryColumn {
    texts: Dictionary,
    /// The texts of the rows that have one.
    keys: Vec<u32>,
    /// For each row 1 if it has a text, otherwise 0; empty if all have one.
    levels: Vec<u32>,
    rows: usize,
}

impl DictionaryColumn {
    /// Appends the rows of a batch; `is_there` is empty if all have a text.
    pub(super) fn push(&mut self, keys: &[u32], texts: &Dictionary, is_there: &[bool]) {
        // Texts that are not in use get no number.
        let mut numbers = vec![u32::MAX; texts.len()];
        let mut number = |key: u32, column: &mut Dictionary| {
            let number = &mut numbers[key as usize];
            if *number == u32::MAX {
                *number = column.key(texts.text(key));
            }
            *number
        };
        if is_there.is_empty() {
            let all = &mut self.texts;
            self.keys.extend(keys.iter().map(|key| number(*key, all)));
            if !self.levels.is_empty() {
                self.levels.resize(self.rows + keys.len(), 1);
            }
        } else {
            self.levels.resize(self.rows, 1);
            for (key, is_there) in keys.iter().zip(is_there) {
                self.levels.push((*is_there).into());
                if *is_there {
                    self.keys.push(number(*key, &mut self.texts));
                }
            }
        }
        self.rows += keys.len();
    }

    /// Encodes the column: its pages, and what the file says of them.
    pub(super) fn finish(
        mut self,
        column: ColumnDescPtr,
        codec: Codec,
        mut encoder: Option<&mut FrameEncoder>,
    ) -> Result<(Vec<u8>, ColumnCloseResult), ParquetError> {
        let (statistics, is_compressed) = (self.statistics(), encoder.is_some());
        if self.texts.is_empty() {
            // Some readers expect a text.
            self.texts.key(b"");
        }
        let mut texts = Vec::new();
        for text in self.texts.texts() {
            texts.extend_from_slice(&(text.len() as u32).to_le_bytes());
            texts.extend_from_slice(text);
        }
        let mut data = Vec::new();
        if column.max_def_level() > 0 {
            data.extend_from_slice(&[0; 4]);
            self.levels.resize(self.rows, 1);
            hybrid::encode(&self.levels, 1, &mut data);
            let len = data.len() as u32 - 4;
            data[..4].copy_from_slice(&len.to_le_bytes());
        }
        let width = hybrid::width(self.texts.len() as u32 - 1);
        data.push(width as u8);
        hybrid::encode(&self.keys, width, &mut data);

        let mut file = TrackedWrite::new(Vec::new());
        let mut writer = SerializedPageWriter::new(&mut file);
        let mut compressed = |bytes: &[u8]| -> io::Result<Bytes> {
            let mut frames = EncodedFrames::default();
            match &mut encoder {
                Some(encoder) => encoder.encode(bytes, &mut frames)?,
                None => frames.bytes.extend_from_slice(bytes),
            }
            Ok(frames.bytes.into())
        };
        let page = Page::DictionaryPage {
            buf: compressed(&texts)?,
            num_values: self.texts.len() as u32,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let dictionary = writer.write_page(CompressedPage::new(page, texts.len()))?;
        let page = Page::DataPage {
            buf: compressed(&data)?,
            num_values: self.rows as u32,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let page = writer.write_page(CompressedPage::new(page, data.len()))?;
        writer.close()?;

        let one = |page_type, encoding| PageEncodingStats { page_type, encoding, count: 1 };
        let metadata = ColumnChunkMetaData::builder(column)
            .set_compression(if is_compressed { codec } else { Codec::UNCOMPRESSED })
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
            .set_page_encoding_stats(vec![
                one(PageType::DICTIONARY_PAGE, Encoding::PLAIN),
                one(PageType::DATA_PAGE, Encoding::RLE_DICTIONARY),
            ])
            .set_total_compressed_size((dictionary.compressed_size + page.compressed_size) as i64)
            .set_total_uncompressed_size(
                (dictionary.uncompressed_size + page.uncompressed_size) as i64,
            )
            .set_num_values(self.rows as i64)
            .set_dictionary_page_offset(Some(0))
            .set_data_page_offset(page.offset as i64)
            .set_statistics(statistics)
            .build()?;
        let mut offsets = OffsetIndexBuilder::new();
        offsets.append_row_count(self.rows as i64);
        offsets.append_offset_and_size(page.offset as i64, page.compressed_size as i32);
        let bytes = file.into_inner()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: self.rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(offsets.build()),
        };
        Ok((bytes, close))
    }

    /// Returns the smallest and the greatest text, and the number of missing ones.
    fn statistics(&self) -> Statistics {
        let is_short = self.texts.texts().all(|text| text.len() <= LONGEST);
        let texts = || self.texts.texts().filter(|_| is_short).map(<[u8]>::to_vec);
        let (least, most) =
            (texts().min().map(ByteArray::from), texts().max().map(ByteArray::from));
        let missing = (self.rows - self.keys.len()) as u64;
        ValueStatistics::new(least, most, None, Some(missing), false).into()
    }
}

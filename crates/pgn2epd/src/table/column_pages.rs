//! The pages of a column of a Parquet row group.

use bytes::Bytes;
use parquet::basic::{Compression as Codec, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use stream::compress::encoder::FrameEncoder;

use super::hybrid;

/// Collects compressed pages and what the file says of them.
pub(super) struct ColumnPages<'e> {
    column: ColumnDescPtr,
    encoder: &'e mut FrameEncoder,
    frame: &'e mut Vec<u8>,
    bytes: TrackedWrite<Vec<u8>>,
    /// The sizes of all pages with their headers.
    compressed: i64,
    uncompressed: i64,
    dictionary: Option<i64>,
    first: Option<i64>,
    pages: i32,
    rows: u64,
    encoding: Encoding,
    offsets: OffsetIndexBuilder,
}

impl<'e> ColumnPages<'e> {
    /// Begins a column whose values have this encoding; `frame` is memory for a compressed page.
    pub(super) fn new(
        column: &ColumnDescPtr,
        encoding: Encoding,
        encoder: &'e mut FrameEncoder,
        frame: &'e mut Vec<u8>,
    ) -> Self {
        ColumnPages {
            column: ColumnDescPtr::clone(column),
            encoder,
            frame,
            bytes: TrackedWrite::new(Vec::new()),
            compressed: 0,
            uncompressed: 0,
            dictionary: None,
            first: None,
            pages: 0,
            rows: 0,
            encoding,
            offsets: OffsetIndexBuilder::new(),
        }
    }

    /// Writes the page with the values of the dictionary.
    pub(super) fn write_dictionary(
        &mut self,
        values: &[u8],
        count: usize,
    ) -> Result<(), ParquetError> {
        let page = Page::DictionaryPage {
            buf: self.compress(values)?,
            num_values: count as u32,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let (offset, _) = self.write(page, values.len())?;
        self.dictionary = Some(offset);
        Ok(())
    }

    /// Writes a page of rows: [levels](write_levels), if values may be missing, and values.
    pub(super) fn write_rows(&mut self, data: &[u8], rows: usize) -> Result<(), ParquetError> {
        let page = Page::DataPage {
            buf: self.compress(data)?,
            num_values: rows as u32,
            encoding: self.encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let (offset, size) = self.write(page, data.len())?;
        self.offsets.append_row_count(rows as i64);
        self.offsets.append_offset_and_size(offset, size);
        self.first.get_or_insert(offset);
        self.pages += 1;
        self.rows += rows as u64;
        Ok(())
    }

    fn compress(&mut self, bytes: &[u8]) -> Result<Bytes, ParquetError> {
        self.encoder.encode_frame(bytes, self.frame)?;
        Ok(Bytes::copy_from_slice(self.frame))
    }

    /// Writes a page; returns its offset and its size.
    fn write(&mut self, page: Page, size: usize) -> Result<(i64, i32), ParquetError> {
        let mut writer = SerializedPageWriter::new(&mut self.bytes);
        let page = writer.write_page(CompressedPage::new(page, size))?;
        self.compressed += page.compressed_size as i64;
        self.uncompressed += page.uncompressed_size as i64;
        Ok((page.offset as i64, page.compressed_size as i32))
    }

    /// Returns the pages, and what the file says of them.
    pub(super) fn finish(
        self,
        codec: Codec,
        statistics: Option<Statistics>,
    ) -> Result<(Vec<u8>, ColumnCloseResult), ParquetError> {
        let stats = |page_type, encoding, count| PageEncodingStats { page_type, encoding, count };
        let mut encodings = vec![Encoding::RLE, self.encoding];
        let mut page_stats = vec![stats(PageType::DATA_PAGE, self.encoding, self.pages)];
        if self.dictionary.is_some() {
            encodings.insert(0, Encoding::PLAIN);
            page_stats.insert(0, stats(PageType::DICTIONARY_PAGE, Encoding::PLAIN, 1));
        }
        let mut metadata = ColumnChunkMetaData::builder(self.column)
            .set_compression(codec)
            .set_encodings(encodings)
            .set_page_encoding_stats(page_stats)
            .set_total_compressed_size(self.compressed)
            .set_total_uncompressed_size(self.uncompressed)
            .set_num_values(self.rows as i64)
            .set_dictionary_page_offset(self.dictionary)
            .set_data_page_offset(self.first.unwrap_or_default());
        if let Some(statistics) = statistics {
            metadata = metadata.set_statistics(statistics);
        }
        let bytes = self.bytes.into_inner()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: self.rows,
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(self.offsets.build()),
        };
        Ok((bytes, close))
    }
}

/// Appends whether rows have a value, with the size of these levels before them.
pub(super) fn write_levels(levels: &[bool], data: &mut Vec<u8>) {
    let start = data.len();
    data.extend_from_slice(&[0; 4]);
    hybrid::encode_levels(levels, data);
    let len = (data.len() - start - 4) as u32;
    data[start..start + 4].copy_from_slice(&len.to_le_bytes());
}

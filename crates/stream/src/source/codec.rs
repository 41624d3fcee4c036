//! Compressed streams: gzip, bzip2, zstd and xz, each with any number of concatenated members or frames.

use std::io::{self, BufReader, Read};

use super::{Format, SourceError};

/// Maximum window of a zstd frame, in bytes, and the library's message for a larger one.
pub(super) const ZSTD_WINDOW: u64 = 128 << 20;
pub(super) const ZSTD_WINDOW_TOO_LARGE: &str = "Frame requires too much memory for decoding";

/// Compressed data is read in pieces of this size, in bytes.
const PIECE: usize = 64 << 10;

/// Output piece size in bytes. A decoder returns no data of the piece in which it finds damage, so the pieces are small.
const ASKED: usize = 4 << 10;

/// Returns a decoder for a compressed stream.
pub(super) fn decoder<'r>(
    format: Format,
    reader: Box<dyn Read + 'r>,
) -> io::Result<Box<dyn Read + 'r>> {
    let decoder = library_decoder(format, BufReader::with_capacity(PIECE, reader))?;
    Ok(Box::new(Named { format, decoder: InPieces(decoder) }))
}

#[cfg_attr(not(feature = "compression"), allow(unused_variables))]
fn library_decoder<'r>(
    format: Format,
    reader: BufReader<Box<dyn Read + 'r>>,
) -> io::Result<Box<dyn Read + 'r>> {
    match format {
        #[cfg(feature = "gzip")]
        Format::Gzip => Ok(Box::new(flate2::bufread::MultiGzDecoder::new(reader))),
        #[cfg(feature = "bzip2")]
        Format::Bzip2 => Ok(Box::new(bzip2::bufread::MultiBzDecoder::new(reader))),
        #[cfg(feature = "zstd")]
        Format::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(reader)?;
            decoder.window_log_max(ZSTD_WINDOW.ilog2())?;
            Ok(Box::new(decoder))
        }
        #[cfg(feature = "xz")]
        Format::Xz => {
            use liblzma::stream::{CONCATENATED, Stream};

            let stream = Stream::new_stream_decoder(super::MEMORY, CONCATENATED)?;
            Ok(Box::new(liblzma::bufread::XzDecoder::new_stream(reader, stream)))
        }
        _ => Err(SourceError::NotBuiltFor(format).into()),
    }
}

/// Limits the size of reads from a decoder, whatever its caller requests.
pub(super) struct InPieces<D>(pub(super) D);

impl<D: Read> Read for InPieces<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(ASKED);
        self.0.read(&mut buffer[..len])
    }
}

/// Adds the format to the errors of a decoder.
struct Named<D> {
    format: Format,
    decoder: D,
}

impl<D: Read> Read for Named<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| SourceError::of(self.format, error))
    }
}

//! Compressed streams: gzip, bzip2, zstd and xz, each with as many members or frames behind each other as there are.

use std::io::{self, BufReader, Read};

use super::{Format, SourceError};

/// The memory that an xz stream may ask for, in bytes: more than any preset of xz does.
const XZ_MEMORY: u64 = 512 << 20;

/// Compressed data is read in pieces of so many bytes.
const PIECE: usize = 64 << 10;

/// A decoder gives nothing of the piece in which it finds damage, so it is asked for small ones, in bytes.
const ASKED: usize = 4 << 10;

/// What comes of a compressed stream.
pub(super) fn decoder<'r>(
    format: Format,
    reader: Box<dyn Read + 'r>,
) -> io::Result<Box<dyn Read + 'r>> {
    let reader = BufReader::with_capacity(PIECE, reader);
    let decoder: Box<dyn Read + 'r> = match format {
        Format::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(reader)),
        Format::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(reader)),
        Format::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(reader)?),
        Format::Xz => {
            let stream = liblzma::stream::Stream::new_stream_decoder(
                XZ_MEMORY,
                liblzma::stream::CONCATENATED,
            )?;
            Box::new(liblzma::bufread::XzDecoder::new_stream(reader, stream))
        }
        _ => return Err(SourceError::NotBuiltFor(format).into()),
    };
    Ok(Box::new(Named { format, decoder: InPieces(decoder) }))
}

/// A decoder that is asked for small pieces, whatever its reader wants.
pub(super) struct InPieces<D>(pub(super) D);

impl<D: Read> Read for InPieces<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(ASKED);
        self.0.read(&mut buffer[..len])
    }
}

/// A decoder whose errors say what it decodes.
struct Named<D> {
    format: Format,
    decoder: D,
}

impl<D: Read> Read for Named<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| SourceError::of(self.format, error))
    }
}

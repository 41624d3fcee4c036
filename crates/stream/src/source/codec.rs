//! Compressed streams: gzip, bzip2, zstd and xz, each with any number of concatenated members or
//! frames.

use std::io::{self, BufReader, Read};

use super::{Format, SourceError};

/// Maximum window of a zstd frame, in bytes, and the library's message for a larger one.
pub(super) const ZSTD_WINDOW: u64 = 128 << 20;
pub(super) const ZSTD_WINDOW_TOO_LARGE: &str = "Frame requires too much memory for decoding";

/// Compressed data is read in pieces of this size, in bytes.
const PIECE: usize = 64 << 10;

/// Size of all output pieces in bytes; small, since a decoder drops the piece that has damage.
const ASKED: usize = 4 << 10;

pub(super) fn decoder<'r>(
    format: Format,
    reader: Box<dyn Read + 'r>,
) -> io::Result<Box<dyn Read + 'r>> {
    let decoder = library_decoder(format, BufReader::with_capacity(PIECE, reader))?;
    Ok(Box::new(Named { format, decoder: in_pieces(decoder) }))
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

/// Returns a reader that reads from a decoder in pieces of one size, whatever its caller requests.
pub(super) fn in_pieces<D: Read>(decoder: D) -> BufReader<InPieces<D>> {
    BufReader::with_capacity(ASKED, InPieces(decoder))
}

pub(super) struct InPieces<D>(D);

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

#[cfg(feature = "compression")]
#[cfg(test)]
mod tests {
    use testkit::generate::{Generator, Style};
    use testkit::pack;

    use super::*;

    #[test]
    fn the_text_before_damage_does_not_depend_on_how_much_is_asked_for() {
        let text = Generator::text(Style::Lichess, 8, 200_000);
        let members = |pack: fn(&[u8]) -> Vec<u8>| text.chunks(50_000).flat_map(pack).collect();
        let files: [(Format, Vec<u8>); 4] = [
            (Format::Gzip, members(pack::gzip)),
            (Format::Bzip2, members(pack::bzip2)),
            (Format::Zstd, members(pack::zstd_with_checksum)),
            (Format::Xz, members(pack::xz)),
        ];
        for (format, mut file) in files {
            let at = file.len() / 2;
            file[at] ^= 0x10;
            let read = |asked: usize| {
                let mut decoder = decoder(format, Box::new(&file[..])).unwrap();
                let (mut text, mut piece) = (Vec::new(), vec![0; asked]);
                while let Ok(len @ 1..) = decoder.read(&mut piece) {
                    text.extend_from_slice(&piece[..len]);
                }
                text
            };
            let expected = read(1 << 20);
            assert!(!expected.is_empty() && expected.len() < text.len(), "{format}");
            for asked in [1, 7, 32, 4095, 4096, 4097, 10_000] {
                assert!(read(asked) == expected, "{format}, {asked}");
            }
        }
    }
}

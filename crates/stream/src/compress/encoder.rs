//! Texts as compressed frames.

use std::io;

#[cfg(feature = "gzip")]
use flate2::{Compress, Crc, FlushCompress, Status};

use super::Compression;

#[cfg(feature = "zstd")]
/// Largest text of a zstd frame in bytes; readers hold whole frames in memory.
const LARGEST_FRAME: usize = 8 << 20;

#[cfg(feature = "gzip")]
/// In bytes of text: a block that cannot be compressed must fit into 64 KiB.
const LARGEST_BLOCK: usize = 0xff00;

#[cfg(feature = "gzip")]
/// Size in bytes of the header of a stored text (RFC 1951, 3.2.4).
const STORED: usize = 5;

/// A block of BGZF without text, the last one of a file.
pub(super) const EMPTY_BLOCK: [u8; 28] = [
    0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0, 27, 0, 3, 0, 0, 0, 0, 0, 0, 0,
    0, 0,
];

/// Compressed frames, in order. Its memory is reusable.
#[derive(Debug, Default)]
pub struct EncodedFrames {
    /// The frames.
    pub bytes: Vec<u8>,
    /// The stored size of each zstd frame and that of its text, in bytes.
    pub(super) sizes: Vec<(u32, u32)>,
}

impl EncodedFrames {
    /// Removes all frames.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.sizes.clear();
    }
}

/// Compresses texts as frames. Each thread has its own, because it needs some megabytes of memory.
pub struct FrameEncoder(Encoder);

enum Encoder {
    #[cfg(feature = "zstd")]
    Zstd(zstd::bulk::Compressor<'static>),
    #[cfg(feature = "gzip")]
    Gzip(Box<Compress>),
}

impl FrameEncoder {
    /// Creates an encoder.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or this build was made without the format.
    pub fn new(compression: Compression) -> io::Result<Self> {
        match compression {
            #[cfg(feature = "zstd")]
            Compression::Zstd { level } => {
                let mut encoder = zstd::bulk::Compressor::new(level.into())?;
                encoder.set_parameter(zstd::zstd_safe::CParameter::ChecksumFlag(true))?;
                Ok(FrameEncoder(Encoder::Zstd(encoder)))
            }
            #[cfg(feature = "gzip")]
            Compression::Gzip { level } => {
                let encoder = Compress::new(flate2::Compression::new(level.into()), false);
                Ok(FrameEncoder(Encoder::Gzip(Box::new(encoder))))
            }
            #[cfg(not(all(feature = "gzip", feature = "zstd")))]
            _ => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                format!("this build does not write {}", compression.format()),
            )),
        }
    }

    /// Appends frames with a text. An empty text has no frames.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn encode(&mut self, text: &[u8], frames: &mut EncodedFrames) -> io::Result<()> {
        #[cfg(not(any(feature = "gzip", feature = "zstd")))]
        let _ = (text, frames);
        match self.0 {
            #[cfg(feature = "zstd")]
            Encoder::Zstd(ref mut encoder) => {
                text.chunks(LARGEST_FRAME).try_for_each(|piece| zstd_frame(encoder, piece, frames))
            }
            #[cfg(feature = "gzip")]
            Encoder::Gzip(ref mut encoder) => text
                .chunks(LARGEST_BLOCK)
                .try_for_each(|piece| gzip_block(encoder, piece, &mut frames.bytes)),
        }
    }
}

impl std::fmt::Debug for FrameEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrameEncoder").finish_non_exhaustive()
    }
}

#[cfg(feature = "zstd")]
fn zstd_frame(
    encoder: &mut zstd::bulk::Compressor<'_>,
    text: &[u8],
    frames: &mut EncodedFrames,
) -> io::Result<()> {
    let start = frames.bytes.len();
    frames.bytes.resize(start + zstd::zstd_safe::compress_bound(text.len()), 0);
    let stored = encoder.compress_to_buffer(text, &mut frames.bytes[start..])?;
    frames.bytes.truncate(start + stored);
    // Both are far below 4 GiB.
    frames.sizes.push((stored as u32, text.len() as u32));
    Ok(())
}

#[cfg(feature = "gzip")]
/// Appends a block: a gzip member whose extra field states its size less one.
fn gzip_block(encoder: &mut Compress, text: &[u8], bytes: &mut Vec<u8>) -> io::Result<()> {
    let start = bytes.len();
    bytes.extend_from_slice(&EMPTY_BLOCK[..18]);
    encoder.reset();
    let deflated = bytes.len();
    // The encoder uses spare capacity only, and version 0.6.8 of zlib-rs panics at level 1 if that
    // is short.
    bytes.reserve(2 * text.len() + 1024);
    let status = encoder.compress_vec(text, bytes, FlushCompress::Finish)?;
    // A text that cannot be compressed is stored.
    if status != Status::StreamEnd || bytes.len() - deflated > text.len() + STORED {
        bytes.truncate(deflated);
        let len = text.len() as u16;
        bytes.push(1);
        bytes.extend_from_slice(&len.to_le_bytes());
        bytes.extend_from_slice(&(!len).to_le_bytes());
        bytes.extend_from_slice(text);
    }
    let mut crc = Crc::new();
    crc.update(text);
    bytes.extend_from_slice(&crc.sum().to_le_bytes());
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    let size = u16::try_from(bytes.len() - start - 1)
        .map_err(|_| io::Error::other("a block of gzip is above 64 KiB"))?;
    bytes[start + 16..start + 18].copy_from_slice(&size.to_le_bytes());
    Ok(())
}

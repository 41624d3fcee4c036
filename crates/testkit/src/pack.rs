//! Creates compressed files and archives from bytes.

use std::io::{Cursor, Read, Write};

/// A function that compresses a stream.
pub type Packer = fn(&[u8]) -> Vec<u8>;

/// All compression functions, with their file extensions.
pub const PACKERS: [(&str, Packer); 4] = [("gz", gzip), ("bz2", bzip2), ("zst", zstd), ("xz", xz)];

/// Compresses like `gzip`.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
}

/// Compresses like `bzip2`.
pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
}

/// Compresses like `zstd`.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("memory takes all")
}

/// Compresses like the program `zstd`, which appends a checksum of the text.
pub fn zstd_with_checksum(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("memory takes all");
    encoder.include_checksum(true).expect("it is an option");
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
}

/// Compresses like `zstd --long=28`: with a window of 256 MiB.
pub fn zstd_long(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("memory takes all");
    encoder.window_log(28).expect("it is a window");
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
}

/// Concatenates frames of `size` bytes of text, like `zstd` for several files: each frame states
/// its content size.
pub fn zstd_frames(bytes: &[u8], size: usize) -> Vec<u8> {
    let pack = |piece| zstd::bulk::compress(piece, 1).expect("memory takes all");
    bytes.chunks(size).flat_map(pack).collect()
}

/// Compresses like `pzstd`: before each frame of `size` bytes of text there is one with its
/// compressed size.
pub fn pzstd(bytes: &[u8], size: usize) -> Vec<u8> {
    let frame = |piece| {
        let frame = zstd(piece);
        [b"\x50\x2a\x4d\x18\x04\0\0\0", &(frame.len() as u32).to_le_bytes()[..], &frame].concat()
    };
    bytes.chunks(size).flat_map(frame).collect()
}

/// Compresses pieces of `size` bytes as frames, followed by a seek table.
pub fn seekable_zstd(bytes: &[u8], size: usize) -> Vec<u8> {
    let (mut packed, mut table) = (Vec::new(), Vec::new());
    for piece in bytes.chunks(size) {
        // Frames without their content size.
        let frame = zstd(piece);
        table.extend((frame.len() as u32).to_le_bytes());
        table.extend((piece.len() as u32).to_le_bytes());
        packed.extend(frame);
    }
    let frames = bytes.chunks(size).len() as u32;
    table.extend(frames.to_le_bytes());
    table.extend(b"\0\xb1\xea\x92\x8f");
    packed.extend(b"\x5e\x2a\x4d\x18");
    packed.extend((table.len() as u32).to_le_bytes());
    packed.extend(table);
    packed
}

/// Compresses like `bgzip`: gzip members with at most `size` bytes of text, which state their
/// length, and an empty one.
pub fn bgzf(bytes: &[u8], size: usize) -> Vec<u8> {
    let pieces = bytes.chunks(size).chain([&[][..]]);
    let block = |piece| {
        let builder = flate2::GzBuilder::new().extra(*b"BC\x02\0\0\0");
        let mut encoder = builder.write(Vec::new(), flate2::Compression::fast());
        encoder.write_all(piece).expect("memory takes all");
        let mut block = encoder.finish().expect("memory takes all");
        let last = u16::try_from(block.len() - 1).expect("a block is short");
        block[16..18].copy_from_slice(&last.to_le_bytes());
        block
    };
    pieces.flat_map(block).collect()
}

/// Compresses like `xz`.
pub fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = liblzma::read::XzEncoder::new(bytes, 1);
    encoder.read_to_end(&mut packed).expect("memory gives all");
    packed
}

/// Creates a zip archive of named files; a name that ends with `/` is a folder.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        if name.ends_with('/') {
            writer.add_directory(*name, options).expect(name);
        } else {
            writer.start_file(*name, options).expect(name);
            writer.write_all(bytes).expect(name);
        }
    }
    writer.finish().expect("memory takes all").into_inner()
}

/// Creates a 7z archive of named files.
pub fn seven_zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer =
        sevenz_rust2::ArchiveWriter::new(Cursor::new(Vec::new())).expect("memory takes all");
    for (name, bytes) in files {
        let entry = sevenz_rust2::ArchiveEntry::new_file(name);
        writer.push_archive_entry(entry, Some(*bytes)).expect(name);
    }
    writer.finish().expect("memory takes all").into_inner()
}

/// Returns the text of a zstd file with any number of frames.
pub fn text_of_zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::decode_all(bytes).expect("a zstd file")
}

/// Returns the text of a gzip file with any number of members.
pub fn text_of_gzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut decoder = flate2::read::MultiGzDecoder::new(bytes);
    std::io::Read::read_to_end(&mut decoder, &mut text).expect("a gzip file");
    text
}

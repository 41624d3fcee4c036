//! Compressed files and archives, made of bytes.

use std::io::{Cursor, Read, Write};

/// A way to compress a stream.
pub type Packer = fn(&[u8]) -> Vec<u8>;

/// The ways to compress a stream, with the names of their files.
pub const PACKERS: [(&str, Packer); 4] = [("gz", gzip), ("bz2", bzip2), ("zst", zstd), ("xz", xz)];

/// As `gzip` does.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
}

/// As `bzip2` does.
pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
}

/// As `zstd` does.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("memory takes all")
}

/// As `xz` does.
pub fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = liblzma::read::XzEncoder::new(bytes, 1);
    encoder.read_to_end(&mut packed).expect("memory gives all");
    packed
}

/// A zip archive of files with names; a name that ends with `/` is a folder.
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

/// A 7z archive of files with names.
pub fn seven_zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer =
        sevenz_rust2::ArchiveWriter::new(Cursor::new(Vec::new())).expect("memory takes all");
    for (name, bytes) in files {
        let entry = sevenz_rust2::ArchiveEntry::new_file(name);
        writer.push_archive_entry(entry, Some(*bytes)).expect(name);
    }
    writer.finish().expect("memory takes all").into_inner()
}

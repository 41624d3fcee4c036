//! An explorer file is read or refused, whatever is in it. The first byte selects what the others
//! are: a file, a block of positions, or a page with records of blocks, in a file whose checksums
//! are right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn2epd::book::explorer::{ExplorerFile, MAGIC};
use pgn2epd::chess::PositionKey;

/// Appends a compressed part to a file, and returns its record, with the key of the position that a
/// block without texts begins with.
fn add(file: &mut Vec<u8>, part: &[u8], first: &[u8; 32]) -> Vec<u8> {
    let bytes = zstd::bulk::compress(part, 1).expect("it fits into memory");
    let offset = file.len() as u64;
    file.extend_from_slice(&bytes);
    let (len, crc) = (bytes.len() as u32, crc32fast::hash(&bytes));
    [&first[..], &offset.to_le_bytes(), &len.to_le_bytes(), &crc.to_le_bytes()].concat()
}

fn file(kind: u8, data: &[u8]) -> Vec<u8> {
    let mut file = [&MAGIC[..], &1_u32.to_le_bytes()].concat();
    let first = data.get(2..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; 32]);
    let page = match kind % 3 {
        0 => return data.to_vec(),
        1 => add(&mut file, data, first),
        _ => data.to_vec(),
    };
    let by = if kind >= 128 { "player" } else { "" };
    let header = format!(r#"{{"positions":1,"files":["a.pgn"],"counted":"","grouped_by":"{by}"}}"#);
    let record = add(&mut file, &page, page.first_chunk().unwrap_or(&[0; 32]));
    let root = [header.as_bytes(), b"\n", &record].concat();
    let len = (root.len() as u64).to_le_bytes();
    let crc = crc32fast::hash(&[&root[..], &len].concat()).to_le_bytes();
    [&file[..], &root, &len, &crc, MAGIC].concat()
}

fuzz_target!(|data: &[u8]| {
    let Some((kind, data)) = data.split_first() else { return };
    let Ok(file) = ExplorerFile::new(Box::new(file(*kind, data))) else { return };
    for entry in file.entries().flatten().take(100) {
        let _ = entry.row(file.header());
        let _ = file.find(entry.key);
    }
    let _ = file.find(PositionKey::default());
});

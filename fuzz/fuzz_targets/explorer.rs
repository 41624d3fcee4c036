//! An explorer file is read or refused, whatever is in it. The first byte selects what the others
//! are: a file, a block of positions, or a page with records of blocks, in a file whose checksums
//! are right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn2epd::book::count_file::CountFile;
use pgn2epd::chess::PositionKey;
use pgn2epd_fuzz::count_file;

fuzz_target!(|data: &[u8]| {
    let Some((kind, data)) = data.split_first() else { return };
    let Ok(file) = CountFile::new(Box::new(count_file(*kind, data))) else { return };
    for entry in file.entries().flatten().take(100) {
        let _ = entry.row(file.header());
        let _ = file.find(entry.key);
    }
    let _ = file.find(PositionKey::default());
});

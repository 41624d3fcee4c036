//! Any text has the same games and names after opening tags are written into it, and writing them
//! again changes nothing.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use pgn2epd::openings::{NameOptions, name};

fn run(text: &[u8], writes: bool, jobs: usize, chunk_bytes: usize) -> Option<Vec<u8>> {
    let options = NameOptions::default().write(writes).table(!writes);
    let options = options.jobs(NonZeroUsize::new(jobs)).chunk_bytes(chunk_bytes);
    let mut output = Vec::new();
    name(text, &mut output, &options, &mut ()).ok()?;
    Some(output)
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, text) = input;
    let whole = 4 << 20;
    let Some(written) = run(text, true, 1, whole) else { return };
    assert_eq!(run(text, true, 3, 1 + usize::from(size)).as_ref(), Some(&written));
    // The output for UTF-16 and compressed inputs is the text in them.
    let table = |text: &[u8]| run(text, false, 1, whole);
    assert_eq!(table(&written), table(text));
    assert_eq!(run(&written, true, 1, whole), Some(written));
});

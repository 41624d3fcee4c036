//! Any text has the same games and names after opening tags are written into it, and writing them again changes
//! nothing.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use pgn2epd::{NameForm, NameOptions, name};

fn run(text: &[u8], form: NameForm, jobs: usize, chunk_bytes: usize) -> Option<Vec<u8>> {
    let options =
        NameOptions { form, jobs: NonZeroUsize::new(jobs), chunk_bytes, ..NameOptions::default() };
    let mut output = Vec::new();
    name(text, &mut output, &options, &mut ()).ok()?;
    Some(output)
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, text) = input;
    let whole = 4 << 20;
    let Some(written) = run(text, NameForm::Pgn, 1, whole) else { return };
    assert_eq!(run(text, NameForm::Pgn, 3, 1 + usize::from(size)).as_ref(), Some(&written));
    // The output for UTF-16 and compressed inputs is the text in them.
    let table = |text: &[u8]| run(text, NameForm::Table, 1, whole);
    assert_eq!(table(&written), table(text));
    assert_eq!(run(&written, NameForm::Pgn, 1, whole), Some(written));
});

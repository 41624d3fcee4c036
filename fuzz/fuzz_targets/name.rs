//! Any text has the same games and names after opening tags are written into it, and writing them
//! again changes nothing. In every form games are the same for other threads and chunks.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use pgn2epd::options::{Format, GameForm, GameStyle, Keyword};
use pgn2epd::{Options, convert};

fn written(text: &[u8], form: GameForm, jobs: usize, chunk_bytes: usize) -> Option<Vec<u8>> {
    let options = Options::default().format(Format::Pgn).games(form);
    let options = options.jobs(NonZeroUsize::new(jobs)).chunk_bytes(chunk_bytes);
    let mut output = Vec::new();
    convert(text, &mut output, &options).ok()?;
    Some(output)
}

fuzz_target!(|input: (u8, u16, &[u8])| {
    let (size, styles, text) = input;
    let (whole, small) = (4 << 20, 1 + usize::from(size));
    let of_bit = |(bit, style): (usize, &GameStyle)| (styles >> bit & 1 == 1).then_some(*style);
    let form: GameForm = GameStyle::ALL.iter().enumerate().filter_map(of_bit).collect();
    assert_eq!(written(text, form, 3, small), written(text, form, 1, whole));
    let openings = GameForm::from_iter([GameStyle::Openings]);
    let Some(games) = written(text, openings, 1, whole).filter(|games| !games.is_empty()) else {
        return;
    };
    let table = |text: &[u8]| {
        let names = [("format", "csv"), ("rows", "games"), ("columns", "game,eco,opening")];
        let mut rows = Vec::new();
        convert(text, &mut rows, &Options::from_names(names).ok()?).ok()?;
        Some(rows)
    };
    assert_eq!(table(&games), table(text));
    assert_eq!(written(&games, openings, 1, whole), Some(games));
});

//! For any bytes and any cut, the texts of two ranges make up the text, cut at the beginning of a
//! game. This includes compressed files with frames, and damaged ones.
#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn::{Scanner, Unit, part, splits};
use testkit::pack;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    cut: u32,
    /// The number of games between the two halves: the program first looks back over 64 KiB.
    games: u16,
    before: &'a [u8],
    after: &'a [u8],
    /// A compressed format that can be cut, and the size of its frames in bytes.
    packed: Option<(u8, u16)>,
}

const GAME: &[u8] = b"[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n";

fn text_of(text: &[u8], range: std::ops::Range<u64>) -> (u64, Vec<u8>) {
    let mut part =
        part(Cursor::new(text.to_vec()), range, |_| Some(Unit::Game)).expect("it is in memory");
    let mut read = Vec::new();
    let mut text = part.source.next_text().expect("it is in memory").expect("there is one");
    text.read_to_end(&mut read).expect("it is in memory");
    (part.start, read)
}

/// The text of a range of any file, unless it is damaged.
fn try_text_of(file: &[u8], range: std::ops::Range<u64>) -> Option<Vec<u8>> {
    let mut part = part(Cursor::new(file.to_vec()), range, |_| Some(Unit::Game)).ok()?;
    let mut read = Vec::new();
    while let Some(mut text) = part.source.next_text().ok()? {
        text.read_to_end(&mut read).ok()?;
    }
    Some(read)
}

/// Ranges of a compressed file in which some bytes were changed.
fn ranges_of_frames(input: &Input<'_>, form: u8, size: u16) {
    let size = usize::from(size) % 40_000 + 1;
    let mut text = GAME.repeat(usize::from(input.games) % 400 + 1);
    text.splice(0..0, input.before.iter().copied());
    // The text of these is different, and text that looks compressed is decompressed again.
    text.insert(0, b'\n');
    if text[1] == 0 {
        return;
    }
    let pack = [pack::seekable_zstd, pack::bgzf][usize::from(form) % 2];
    // A file with thousands of frames takes long and does not test more.
    let mut file = pack(&text, size.max(text.len() / 50));
    let cut = u64::from(input.cut) % (text.len() as u64 + 1);
    let at = input.cut as usize % file.len();
    let len = input.after.len().min(file.len() - at);
    file[at..at + len].copy_from_slice(&input.after[..len]);
    let ranges = [0..u64::MAX, 0..cut, cut..u64::MAX].map(|range| try_text_of(&file, range));
    if let [Some(all), Some(before), Some(after)] = ranges {
        assert!([before, after].concat() == all);
        assert!(len > 0 || all == text);
    } else {
        assert!(len > 0, "nothing was damaged");
    }
    let _ = splits(Cursor::new(file), cut, |_| Some(Unit::Game));
}

fuzz_target!(|input: Input<'_>| {
    if let Some((form, size)) = input.packed {
        return ranges_of_frames(&input, form, size);
    }
    let mut text = input.before.to_vec();
    text.extend(GAME.repeat(usize::from(input.games) % 4000));
    text.extend(input.after);
    // Other encodings and compressed texts are not cut.
    if !text.starts_with(b"[") {
        text.insert(0, b'\n');
    }
    if text.get(1) == Some(&0) {
        return;
    }
    let cut = u64::from(input.cut) % (text.len() as u64 + 1);
    let (start, after) = text_of(&text, cut..u64::MAX);
    let (_, mut all) = text_of(&text, 0..cut);
    assert_eq!(all.len() as u64, start);
    all.extend(after);
    assert!(all == text);

    let mut scanner = Scanner::new(&text);
    let mut expected = text.len() as u64;
    let mut has_tokens = true;
    while scanner.next_game() {
        let start = scanner.game_start();
        // A game with tags only that ends with a comment is not separated from the next one.
        let is_apart = has_tokens || !text[..start].trim_ascii_end().ends_with(b"}");
        if is_apart && start as u64 >= cut {
            expected = start as u64;
            break;
        }
        has_tokens = scanner.next_token().is_some();
    }
    assert_eq!(start, if cut == 0 { 0 } else { expected });
});

//! Damaged and truncated files: an error with its place, and everything before it.

use std::io::{self, Read};

use proptest::prelude::*;
use san::{Keyword, Position, resolve};
use testkit::rng::Rng;
use training::{Damage, Encoder, Entries, GameResult, Score, TrainingFormat};

use crate::games::{self, encode, file};

/// 1. e4 e5 2. Nf3 with scores 10, 20, 30.
fn short_file(format: TrainingFormat) -> Vec<u8> {
    let mut encoder = Encoder::new(format);
    let mut position = Position::default();
    encoder.begin_game();
    for (score, san) in [(10, "e4"), (20, "e5"), (30, "Nf3")] {
        let played = resolve(&position, san.as_bytes()).unwrap();
        assert!(encoder.push(&position, Some(played), Score::new(score)));
        position.play_unchecked(played);
    }
    encoder.end_game(GameResult::WhiteWins);
    file(format, &encoder)
}

/// Reads a file; returns the number of entries and the error.
fn read(format: TrainingFormat, bytes: &[u8]) -> (usize, String) {
    let mut entries = Entries::new(format, bytes);
    let count = entries.by_ref().take_while(Result::is_ok).count();
    let error = Entries::new(format, bytes).nth(count).map(|entry| entry.unwrap_err().to_string());
    assert!(entries.next().is_none());
    (count, error.unwrap_or_default())
}

#[test]
fn an_error_has_its_offset_and_what_is_before_it_is_read() {
    use TrainingFormat::{Binpack, Bulletformat, Marlinformat, Viriformat};
    type Change = fn(&mut Vec<u8>);
    let cases: [(TrainingFormat, Change, usize, &str); 21] = [
        (Viriformat, |_| {}, 3, ""),
        (Viriformat, |file| file.truncate(47), 3, "byte 47: the file ends within a game"),
        (Viriformat, |file| file.truncate(44), 3, "byte 44: the file ends within a game"),
        (Viriformat, |file| file.truncate(31), 0, "byte 31: the file ends within a position"),
        (Viriformat, |file| file[36] = 0, 1, "byte 36: the move is illegal: 0x0900 in rnbqkbnr/"),
        (Viriformat, |file| file[30] = 3, 0, "byte 0: unknown result 3"),
        (Binpack, |_| {}, 3, ""),
        (
            Binpack,
            |file| file[0] = b'b',
            0,
            "byte 0: a block of a binpack begins with BINP, this with \"bINP\"",
        ),
        (
            Binpack,
            |file| file[7] = 9,
            0,
            "byte 0: the block has 150994982 bytes, more than 100 MiB",
        ),
        (Binpack, |file| file.truncate(20), 0, "byte 20: the file ends within a block"),
        (Binpack, |file| file.truncate(5), 0, "byte 5: the file ends within the header of a block"),
        (Binpack, |file| file.truncate(45), 2, "byte 45: the file ends within a block"),
        (Binpack, |file| file[41] = 9, 3, "byte 46: the file ends within a chain"),
        (Binpack, |file| file[36] |= 0xc0, 0, "byte 8: unknown result 3"),
        (Bulletformat, |_| {}, 3, ""),
        (Bulletformat, |file| file.truncate(95), 2, "byte 95: the file ends within a position"),
        (Bulletformat, |file| file[40] = 0x66, 1, "byte 32: unknown code 6 of the piece on a1"),
        (Bulletformat, |file| file[58] = 9, 1, "byte 32: unknown result 9"),
        (Marlinformat, |_| {}, 3, ""),
        (Marlinformat, |file| file[24] = 65, 0, "byte 0: unknown en passant square 65"),
        (
            Marlinformat,
            |file| file[..8].fill(255),
            0,
            "byte 0: the position has 64 pieces, more than 32",
        ),
    ];
    for (format, change, entries, message) in cases {
        let mut bytes = short_file(format);
        change(&mut bytes);
        let (count, error) = read(format, &bytes);
        assert_eq!(count, entries, "{format}: {error}");
        assert_eq!(message.is_empty(), error.is_empty(), "{format}: {error}");
        assert!(error.starts_with(message), "{format}: {error}");
    }
}

#[test]
fn an_empty_file_has_no_entries() {
    for format in TrainingFormat::ALL {
        assert_eq!(read(*format, b""), (0, String::new()), "{format}");
    }
}

#[test]
fn a_file_that_cannot_be_read_on_keeps_its_beginning() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("no more"))
        }
    }
    for format in TrainingFormat::ALL {
        let bytes = short_file(*format);
        let mut entries = Entries::new(*format, bytes[..bytes.len() - 1].chain(Fails));
        let count = entries.by_ref().take(2).filter(|entry| entry.is_ok()).count();
        let error = entries.find_map(Result::err).unwrap();
        assert_eq!((count, error.offset), (2, bytes.len() as u64 - 1), "{format}");
        assert!(matches!(error.damage, Damage::Unreadable(_)), "{format}");
    }
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes: Vec<u8>) {
        for format in TrainingFormat::ALL {
            Entries::new(*format, &bytes[..]).for_each(drop);
        }
    }

    #[test]
    fn a_change_leaves_what_is_before_it(seed: u64, at: prop::sample::Index, byte: u8, cuts: bool) {
        let mut dice = Rng::new(seed);
        let games: Vec<_> = (0..2).map(|_| games::random(&mut dice, false)).collect();
        for format in TrainingFormat::ALL {
            let mut encoder = Encoder::new(*format);
            encode(&mut encoder, &games);
            let whole = file(*format, &encoder);
            if whole.is_empty() {
                continue;
            }
            let at = at.index(whole.len());
            let mut changed = whole.clone();
            changed[at] ^= byte;
            if cuts {
                changed.truncate(at);
            }
            let mut before = Entries::new(*format, &whole[..]);
            let mut after = Entries::new(*format, &changed[..]);
            while let Some(expected) = before.next() {
                // A block is read as a whole, and its header may be what is changed.
                let end = before.bytes_read();
                let found = after.next();
                if *format != TrainingFormat::Binpack && end <= at as u64 {
                    prop_assert_eq!(found.unwrap().unwrap(), expected.unwrap());
                } else if !matches!(found, Some(Ok(_))) {
                    break;
                }
            }
            after.for_each(drop);
        }
    }
}

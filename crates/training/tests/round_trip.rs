//! What the encoder writes is read back.

use proptest::prelude::*;
use san::{Keyword, PositionKey};
use testkit::rng::Rng;
use training::{Encoder, Entries, TrainingFormat};

use crate::games::{self, encode};

/// Writes games and reads them.
fn check(format: TrainingFormat, seed: u64, chess960: bool) {
    let mut dice = Rng::new(seed);
    let games: Vec<_> = (0..4).map(|_| games::random(&mut dice, chess960)).collect();
    let mut encoder = Encoder::new(format);
    let written = encode(&mut encoder, &games);
    let file = games::file(format, &encoder);
    let mut starts = 0;
    let mut entries = Entries::new(format, &file[..]);
    for expected in &written {
        let entry = entries.next().unwrap().unwrap();
        starts += usize::from(entry.is_start);
        assert_eq!(entry.score, expected.score);
        if format == TrainingFormat::Bulletformat {
            assert_eq!(entry.result as u8, expected.result.halves(expected.position.turn()));
            continue;
        }
        assert_eq!(entry.result, expected.result);
        assert_eq!(PositionKey::of(&entry.position), PositionKey::of(&expected.position));
        assert_eq!(entry.position.halfmoves(), expected.position.halfmoves());
        assert_eq!(entry.position.fullmoves(), expected.position.fullmoves());
        assert_eq!(entry.played, format.has_games().then_some(expected.played));
    }
    assert!(entries.next().is_none());
    assert_eq!(entries.bytes_read(), file.len() as u64);
    assert!(written.is_empty() || starts > 0);
    // Entries of a game that continues are not starts.
    assert!(!format.has_games() || written.len() < 100 || starts < written.len() / 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn entries_are_read_as_they_were_written(seed: u64, chess960: bool) {
        for format in TrainingFormat::ALL {
            check(*format, seed, chess960);
        }
    }

    #[test]
    fn blocks_do_not_depend_on_pieces(seed: u64) {
        let mut dice = Rng::new(seed);
        let games: Vec<_> = (0..12).map(|_| games::random(&mut dice, false)).collect();
        let format = TrainingFormat::Binpack;
        let mut all = Encoder::new(format);
        encode(&mut all, &games);
        let (mut blocks, mut file) = (training::Blocks::default(), Vec::new());
        let mut piece = Encoder::new(format);
        for games in games.chunks(1 + dice.below(5) as usize) {
            piece.clear();
            encode(&mut piece, games);
            blocks.add(piece.bytes(), piece.ends(), &mut file).unwrap();
        }
        blocks.finish(&mut file).unwrap();
        prop_assert!(file == games::file(format, &all));
    }
}

#[test]
fn a_large_binpack_has_blocks_of_a_mebibyte_as_those_of_its_crate() {
    let mut dice = Rng::new(7);
    let games: Vec<_> = (0..60).map(|_| games::random(&mut dice, false)).collect();
    let games: Vec<_> = (0..180).flat_map(|_| &games).collect();
    let mut encoder = Encoder::new(TrainingFormat::Binpack);
    let mut writer = sfbinpack::CompressedTrainingDataEntryWriter::new_in_memory().unwrap();
    for game in &games {
        encode(&mut encoder, std::slice::from_ref(*game));
    }
    let file = games::file(TrainingFormat::Binpack, &encoder);
    assert!(file.len() > 2 << 20, "{}", file.len());
    let mut reader = sfbinpack::CompressedTrainingDataEntryReader::from_slice(&file).unwrap();
    while reader.has_next() {
        writer.write_entry(&reader.next()).unwrap();
    }
    assert!(writer.into_bytes().unwrap() == file);
}

#[test]
fn a_discarded_game_leaves_nothing() {
    let mut dice = Rng::new(3);
    let games: Vec<_> = (0..3).map(|_| games::random(&mut dice, false)).collect();
    for format in TrainingFormat::ALL {
        let (mut with, mut without) = (Encoder::new(*format), Encoder::new(*format));
        for encoder in [&mut with, &mut without] {
            encode(encoder, &games[..1]);
        }
        with.begin_game();
        for (position, played, score) in &games[1].plies {
            with.push(position, Some(*played), score.unwrap_or_default());
        }
        with.discard_game();
        for encoder in [&mut with, &mut without] {
            encode(encoder, &games[2..]);
        }
        assert!(with.bytes() == without.bytes() && with.ends() == without.ends(), "{format}");
    }
}

#[test]
fn the_units_of_a_game_have_its_positions_and_bytes() {
    let mut dice = Rng::new(5);
    for format in TrainingFormat::ALL {
        let mut encoder = Encoder::new(*format);
        for _ in 0..20 {
            let game = games::random(&mut dice, false);
            let start = encoder.bytes().len();
            let written = encode(&mut encoder, std::slice::from_ref(&game));
            let units: Vec<_> = encoder.units().collect();
            let positions: u64 = units.iter().map(|unit| unit.positions).sum();
            assert_eq!(positions, written.len() as u64, "{format}");
            let mut end = start;
            for unit in units {
                assert_eq!(unit.bytes.start, end, "{format}");
                end = unit.bytes.end;
            }
            assert_eq!(end, encoder.bytes().len(), "{format}");
        }
    }
}

#[test]
fn the_suffix_of_a_file_states_its_format() {
    use TrainingFormat::{Binpack, Bulletformat, Viriformat};
    for (suffix, format) in [("vf", Viriformat), ("binpack", Binpack), ("BULLET", Bulletformat)] {
        assert_eq!(TrainingFormat::of_suffix(suffix), Some(format));
        assert_eq!(format.suffix(), suffix.to_ascii_lowercase());
    }
    assert_eq!(TrainingFormat::of_suffix("epd"), None);
}

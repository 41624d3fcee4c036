//! Any bytes are read as training data up to the first damage, and what was read is read again as
//! it is when it is written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn2epd::options::Keyword;
use pgn2epd::training::{Entries, Entry, ReadError, TrainingFormat};
use pgn2epd::{ConvertError, Options, convert};
use san::{EnPassantPolicy, Position};
use training::{Blocks, Encoder};

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let format = TrainingFormat::ALL[usize::from(choice) % TrainingFormat::ALL.len()];
    let (entries, error) = read(format, bytes);
    if let Some(error) = &error {
        assert!(error.offset <= bytes.len() as u64, "{error}");
    }
    // What is before a place does not depend on what follows.
    let cut = bytes.len() * usize::from(choice >> 2) / 64;
    let (before, _) = read(format, &bytes[..cut]);
    assert!(before.len() <= entries.len() && before == entries[..before.len()]);

    check_forms(format, bytes, entries.len(), error.is_some());
    // Bulletformat states neither the side to move nor the clocks.
    if format != TrainingFormat::Bulletformat {
        check_again(format, &entries);
    }
});

fn read(format: TrainingFormat, bytes: &[u8]) -> (Vec<Entry>, Option<ReadError>) {
    let (mut entries, mut error) = (Vec::new(), None);
    let mut reader = Entries::new(format, bytes);
    for entry in &mut reader {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(damage) => error = Some(damage),
        }
    }
    assert!(reader.next().is_none());
    (entries, error)
}

/// All formats of text have all positions, up to the damage.
fn check_forms(format: TrainingFormat, bytes: &[u8], positions: usize, is_damaged: bool) {
    for (form, unit) in [("epd", "cp"), ("fen", "stockfish"), ("pgn", "cp"), ("plain", "stockfish")]
    {
        let options = [("input", format.word()), ("format", form), ("score", unit)];
        let options = Options::from_names(options).expect("they are options");
        let mut text = Vec::new();
        match convert(bytes, &mut text, &options) {
            Ok(summary) => {
                assert!(!is_damaged, "{form}");
                let all = summary.positions + summary.unlabelled;
                assert_eq!(all, positions as u64, "{form}");
            }
            Err(ConvertError::Read(_)) => assert!(is_damaged, "{form}"),
            Err(ConvertError::Source { .. }) => assert!(form == "pgn" && !format.has_games()),
            Err(error) => panic!("{error}"),
        }
        let lines = text.iter().filter(|&&byte| byte == b'\n').count();
        match form {
            "epd" | "fen" => assert_eq!(lines, positions, "{form}"),
            "plain" => assert!(lines % 6 == 0 && lines <= 6 * positions),
            _ => {}
        }
    }
}

/// The entries are read as they are from a file that is written with them.
fn check_again(format: TrainingFormat, entries: &[Entry]) {
    let mut encoder = Encoder::new(format);
    let mut written = Vec::new();
    for game in entries.chunk_by(|_, next| !next.is_start) {
        encoder.begin_game();
        for entry in game {
            if encoder.push(&entry.position, entry.played, entry.score) {
                written.push(entry);
            }
        }
        encoder.end_game(game[0].result);
    }
    let mut bytes = encoder.bytes().to_vec();
    if format == TrainingFormat::Binpack {
        let mut blocks = Blocks::default();
        bytes.clear();
        blocks.add(encoder.bytes(), encoder.ends(), &mut bytes).expect("memory is written");
        blocks.finish(&mut bytes).expect("memory is written");
    }
    let (again, error) = read(format, &bytes);
    assert!(error.is_none(), "{error:?}");
    assert_eq!(again.len(), written.len());
    for (again, written) in again.iter().zip(written) {
        assert_eq!(fields(&again.position), fields(&written.position));
        assert_eq!((again.played, again.score), (written.played, written.score));
        assert_eq!(again.result, written.result);
    }
}

/// The fields of a FEN. An en passant square is stated only if a pawn attacks it, but read wherever
/// it is.
fn fields(position: &Position) -> Vec<String> {
    let mut fields: Vec<String> = position.to_string().split(' ').map(str::to_owned).collect();
    fields[3] = format!("{:?}", position.en_passant(EnPassantPolicy::Pseudo));
    fields
}

//! Games as training data: the formats agree with each other and with labels, neither threads nor
//! chunks change a byte, and games that were decoded give the same bytes again.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::options::{EnPassantPolicy, Format, Keyword, LabelForm, OnError};
use pgn2epd::training::{ScoreUnit, TrainingFormat};
use pgn2epd::{Options, Summary, convert};
use pgn2epd_fuzz::Game;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    games: Vec<Game<'a>>,
    raw: &'a [u8],
    on_error: u8,
    unit: bool,
    first_ply: u8,
    chunk_bytes: u8,
}

/// Returns the output, unless the input begins like a compressed file, and is then damaged.
fn converted(pgn: &[u8], options: &Options) -> Option<(Vec<u8>, Summary)> {
    let mut bytes = Vec::new();
    let summary = convert(pgn, &mut bytes, options).ok()?;
    Some((bytes, summary))
}

fn decoded(bytes: &[u8], from: TrainingFormat, to: Format, unit: ScoreUnit) -> Vec<u8> {
    let input = from.word().parse().ok();
    let options = Options::default().input(input).format(to).score(unit);
    converted(bytes, &options).expect("what was written is not damaged").0
}

fuzz_target!(|input: Input<'_>| {
    let mut pgn: Vec<u8> =
        input.games.iter().take(6).flat_map(|game| game.write(60).text.into_bytes()).collect();
    pgn.extend_from_slice(input.raw);
    let unit = if input.unit { ScoreUnit::Stockfish } else { ScoreUnit::Centipawns };
    let on_error = [OnError::Keep, OnError::Skip][usize::from(input.on_error % 2)];
    let options = Options::default().on_error(on_error).plies(pgn2epd::options::Plies {
        first: (input.first_ply % 20).into(),
        ..Default::default()
    });
    for format in TrainingFormat::ALL {
        let name = Format::Training(*format);
        let one = options.clone().format(name).score(unit).jobs(NonZeroUsize::new(1));
        let Some((bytes, summary)) = converted(&pgn, &one) else { return };
        let chunk = 64 + 16 * usize::from(input.chunk_bytes);
        let two = one.clone().jobs(NonZeroUsize::new(2)).chunk_bytes(chunk);
        let (chunked, counts) = converted(&pgn, &two).expect("it was converted");
        assert!(chunked == bytes && counts == summary, "{format}: chunks of {chunk}");

        let fens = decoded(&bytes, *format, Format::Fen, unit);
        let positions = fens.iter().filter(|&&byte| byte == b'\n').count() as u64;
        assert_eq!(positions, summary.positions, "{format}");
        if format.has_games() && unit == ScoreUnit::Centipawns {
            let games = decoded(&bytes, *format, Format::Pgn, unit);
            let options = Options::default().format(name);
            let (again, _) = converted(&games, &options).expect("these are games");
            assert!(again == bytes, "{format}: the games decoded differ");
        }
        if *format == TrainingFormat::Binpack && unit == ScoreUnit::Centipawns {
            let plain = LabelForm::Plain;
            let found = decoded(&bytes, *format, Format::Label(plain), unit);
            let text = options.clone().format(Format::Label(plain));
            let text = text.en_passant(EnPassantPolicy::Legal).filter("not Variant".parse().ok());
            let (expected, of_text) = converted(&pgn, &text).expect("it was converted");
            if of_text.positions == summary.positions && !has_large_scores(&expected) {
                assert!(found == expected, "binpack and its text differ");
            }
        }
    }
});

/// Returns whether a score is beyond those of the binary formats, or a mate in more plies than
/// these have.
fn has_large_scores(plain: &[u8]) -> bool {
    let text = String::from_utf8_lossy(plain);
    let mut scores = text.lines().filter_map(|line| line.strip_prefix("score "));
    scores.any(|score| {
        score.parse::<i32>().is_ok_and(|score| (31_754..32_521).contains(&score.abs()))
    })
}

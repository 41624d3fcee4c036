//! Training data of engines as text: records, labels, games.
//!
//! `form` lists the forms, `record` writes positions, `game` writes games.

mod form;
mod game;
mod record;

use std::io::{self, Read, Write};

use san::Buffer;
use training::{Entries, ReadError, ScoreUnit, TrainingFormat};

pub use form::DecodedForm;
use game::GameWriter;

/// Options for [`decode`].
#[derive(Clone, Copy, Debug)]
pub struct DecodeOptions {
    /// The format of the input.
    pub format: TrainingFormat,
    /// The form of the output.
    pub form: DecodedForm,
    /// The unit of scores in the input; text has centipawns.
    pub unit: ScoreUnit,
}

/// Numbers of positions read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeCounts {
    /// Positions read.
    pub positions: u64,
    /// Positions that were not written, because the form needs a score or a move that they lack.
    pub left_out: u64,
}

/// An error that ends decoding.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The input is damaged, or could not be read. Everything before is written, and counted.
    #[error("the input cannot be read")]
    Read(#[source] ReadError, DecodeCounts),
    /// The output could not be written.
    #[error("the output cannot be written")]
    Write(#[source] io::Error),
    /// Games are wanted of a format that has only positions.
    #[error("{0} contains positions, not games")]
    NoGames(TrainingFormat),
}

/// Writes training data as text. Memory is bounded, except that a game is held until it is written.
///
/// # Errors
///
/// If the input is damaged or cannot be read, the output cannot be written, or games are wanted of
/// a format of positions. Everything before the damage is written.
///
/// ```
/// use pgn2epd::{Options, convert};
/// use pgn2epd::training::{DecodeOptions, DecodedForm, ScoreUnit, TrainingFormat, decode};
///
/// let mut binpack = Vec::new();
/// let options = Options::from_names([("format", "binpack")])?;
/// convert(&b"1. e4 {+0.25/12 1s} e5 {-0.20/11 1s} 1-0"[..], &mut binpack, &options)?;
///
/// let (format, unit) = (TrainingFormat::Binpack, ScoreUnit::Centipawns);
/// let options = DecodeOptions { format, form: DecodedForm::Epd, unit };
/// let mut epd = Vec::new();
/// assert_eq!(decode(&binpack[..], &mut epd, options)?.positions, 2);
/// assert_eq!(
///     String::from_utf8(epd)?.lines().next(),
///     Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c9 \"1-0\"; ce 25; fmvn 1; hmvc 0; sm e4;"),
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn decode(
    input: impl Read,
    mut output: impl Write,
    options: DecodeOptions,
) -> Result<DecodeCounts, DecodeError> {
    let DecodeOptions { format, form, unit } = options;
    if form == DecodedForm::Pgn && !format.has_games() {
        return Err(DecodeError::NoGames(format));
    }
    let mut counts = DecodeCounts::default();
    let mut buffer = Buffer::default();
    let mut game = GameWriter::default();
    let mut damage = None;
    for entry in Entries::new(format, input) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                damage = Some(error);
                break;
            }
        };
        counts.positions += 1;
        let is_written = match form {
            DecodedForm::Pgn => game.add(&entry, unit, &mut buffer),
            _ => record::write(&entry, format, form, unit, &mut buffer),
        };
        counts.left_out += u64::from(!is_written);
        if buffer.len() >= 1 << 16 {
            output.write_all(buffer.as_bytes()).map_err(DecodeError::Write)?;
            buffer.clear();
        }
    }
    game.finish(&mut buffer);
    let written = output.write_all(buffer.as_bytes()).and_then(|()| output.flush());
    written.map_err(DecodeError::Write)?;
    damage.map_or(Ok(counts), |error| Err(DecodeError::Read(error, counts)))
}

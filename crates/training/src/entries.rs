//! Reads files entry by entry.

use std::io::Read;

use san::{Color, Position};

use crate::binpack::reader::BinpackReader;
use crate::binpack::stem::{find, ply_of};
use crate::bulletformat;
use crate::entry::{Entry, GameResult};
use crate::error::{Damage, ReadError};
use crate::format::TrainingFormat;
use crate::input::Input;
use crate::marlinformat::{self, Label};
use crate::score::Score;
use crate::viriformat;

/// Reads the entries of a file, in bounded memory: a block of a binpack (a mebibyte, at most 100),
/// otherwise 64 KiB. The first error is the last item.
///
/// ```
/// use training::{Damage, Entries, TrainingFormat};
///
/// let mut entries = Entries::new(TrainingFormat::Bulletformat, &[1; 33][..]);
/// let error = entries.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "byte 0: the position is illegal: White has no king");
/// assert!(entries.next().is_none());
/// ```
#[derive(Debug)]
pub struct Entries<R> {
    input: Input<R>,
    state: State,
}

#[derive(Debug)]
enum State {
    Bulletformat,
    Marlinformat,
    /// The position before the next ply and the result, within a game.
    Viriformat(Option<(Box<Position>, GameResult, bool)>),
    Binpack(Box<BinpackReader>),
    Over,
}

impl<R: Read> Entries<R> {
    /// Reads a file of a format.
    pub fn new(format: TrainingFormat, read: R) -> Self {
        let state = match format {
            TrainingFormat::Viriformat => State::Viriformat(None),
            TrainingFormat::Binpack => State::Binpack(Box::default()),
            TrainingFormat::Bulletformat => State::Bulletformat,
            TrainingFormat::Marlinformat => State::Marlinformat,
        };
        Entries { input: Input::new(read), state }
    }

    /// Returns the number of bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.input.offset()
    }
}

impl<R: Read> Iterator for Entries<R> {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let input = &mut self.input;
        let next = match &mut self.state {
            State::Bulletformat => of_bulletformat(input).transpose(),
            State::Marlinformat => of_marlinformat(input).transpose(),
            State::Viriformat(game) => of_viriformat(input, game).transpose(),
            State::Binpack(reader) => reader.next(input),
            State::Over => None,
        };
        if !matches!(next, Some(Ok(_))) {
            self.state = State::Over;
        }
        next
    }
}

fn of_bulletformat<R: Read>(input: &mut Input<R>) -> Result<Option<Entry>, ReadError> {
    let offset = input.offset();
    let Some(packed) = input.next("a position")? else { return Ok(None) };
    let read = bulletformat::read(&packed);
    let (position, score, result) = read.map_err(|damage| ReadError { offset, damage })?;
    Ok(Some(Entry { position, played: None, score, ply: 0, result, is_start: true }))
}

fn of_marlinformat<R: Read>(input: &mut Input<R>) -> Result<Option<Entry>, ReadError> {
    let Some((position, Label { white, result })) = packed_position(input)? else {
        return Ok(None);
    };
    let (score, ply) = (of_mover(white, position.turn()), ply_of(&position));
    Ok(Some(Entry { position, played: None, score, ply, result, is_start: true }))
}

fn of_viriformat<R: Read>(
    input: &mut Input<R>,
    game: &mut Option<(Box<Position>, GameResult, bool)>,
) -> Result<Option<Entry>, ReadError> {
    loop {
        let Some((position, result, is_start)) = game else {
            let Some((position, label)) = packed_position(input)? else { return Ok(None) };
            *game = Some((Box::new(position), label.result, true));
            continue;
        };
        let offset = input.offset();
        let truncated = ReadError { offset, damage: Damage::Truncated("a game") };
        let ply: [u8; viriformat::PLY] = input.next("a game")?.ok_or(truncated)?;
        if ply == viriformat::END {
            *game = None;
            continue;
        }
        let [a, b, c, d] = ply;
        let code = viriformat::decode(u16::from_le_bytes([a, b]));
        let played = find(position, code.0).map_err(|damage| ReadError { offset, damage })?;
        let white = Score::of_raw(i16::from_le_bytes([c, d]));
        let before = Position::clone(position);
        position.play_unchecked(played);
        return Ok(Some(Entry {
            score: of_mover(white, before.turn()),
            ply: ply_of(&before),
            position: before,
            played: Some(played),
            result: *result,
            is_start: std::mem::replace(is_start, false),
        }));
    }
}

fn packed_position<R: Read>(input: &mut Input<R>) -> Result<Option<(Position, Label)>, ReadError> {
    let offset = input.offset();
    let Some(packed) = input.next("a position")? else { return Ok(None) };
    marlinformat::read(&packed).map(Some).map_err(|damage| ReadError { offset, damage })
}

fn of_mover(white: Score, turn: Color) -> Score {
    turn.fold_wb(white, white.of_other_side())
}

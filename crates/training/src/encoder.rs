//! Turns games into bytes.

use std::ops::Range;

use san::{Color, Move, Position};

use crate::binpack::chain::Chain;
use crate::binpack::stem;
use crate::bulletformat;
use crate::entry::GameResult;
use crate::format::TrainingFormat;
use crate::marlinformat;
use crate::score::Score;
use crate::viriformat;

/// Writes games as bytes. The bytes of several encoders follow each other, except for chains of a
/// binpack, which [`Blocks`](crate::Blocks) puts into blocks.
///
/// Formats of games store consecutive positions as moves. Where a position is missing, because it
/// was [skipped](Encoder::skip) or the format cannot represent it, a game continues as another one
/// that begins with the next position.
#[derive(Debug)]
pub struct Encoder {
    format: TrainingFormat,
    bytes: Vec<u8>,
    /// The end of each chain of a binpack, and of each game of viriformat.
    ends: Vec<usize>,
    /// The lengths of `bytes` and `ends` before the current game.
    before: (usize, usize),
    /// Each record of the game that has a result: its offset and the side to move.
    labels: Vec<(usize, Color)>,
    run: Run,
}

/// Bytes that can be written in any order: a game of viriformat, a chain of a binpack, or a
/// position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Where they are among those of all games.
    pub bytes: Range<usize>,
    /// The number of positions.
    pub positions: u64,
}

/// Consecutive positions of a game.
#[derive(Clone, Copy, Debug)]
enum Run {
    /// No position, or the next one does not continue those before it.
    None,
    Game,
    Chain(Chain),
}

/// The size of a position in bytes, in the formats other than binpack.
const POSITION: usize = 32;

impl Encoder {
    /// Makes an encoder without games.
    pub fn new(format: TrainingFormat) -> Self {
        Encoder {
            format,
            bytes: Vec::new(),
            ends: Vec::new(),
            before: (0, 0),
            labels: Vec::new(),
            run: Run::None,
        }
    }

    /// Returns the format.
    pub fn format(&self) -> TrainingFormat {
        self.format
    }

    /// Returns the bytes of all games.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the offsets at which chains of a binpack, or games of viriformat, end.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Removes all games.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.begin_game();
    }

    /// Begins a game.
    pub fn begin_game(&mut self) {
        self.before = (self.bytes.len(), self.ends.len());
        self.labels.clear();
        self.run = Run::None;
    }

    /// Adds a position of the game with the move played from it and its score, from the view of the
    /// side to move. Returns `false`, and [skips](Encoder::skip) the position, if the format needs
    /// a move and there is none, or has no room for the clocks, castling rights or pieces.
    #[inline(always)]
    pub fn push(&mut self, position: &Position, played: Option<Move>, score: Score) -> bool {
        let turn = position.turn();
        let white = || turn.fold_wb(score, score.of_other_side());
        let bytes = &mut self.bytes;
        match (self.format, played) {
            _ if position.occupied().count() > 32 => {
                self.skip();
                return false;
            }
            (TrainingFormat::Bulletformat, _) => {
                self.labels.push((bytes.len(), turn));
                bulletformat::write(position, score, bytes);
            }
            (TrainingFormat::Marlinformat, _) if marlinformat::fits(position) => {
                self.labels.push((bytes.len(), turn));
                marlinformat::write(position, white(), bytes);
            }
            (TrainingFormat::Viriformat, Some(played)) if marlinformat::fits(position) => {
                if let Run::None = self.run {
                    self.labels.push((bytes.len(), turn));
                    marlinformat::write(position, Score::default(), bytes);
                    self.run = Run::Game;
                }
                let (code, score) = (viriformat::code(played), white().get());
                let [low, high] = code.to_le_bytes();
                let [score_low, score_high] = score.to_le_bytes();
                bytes.extend_from_slice(&[low, high, score_low, score_high]);
            }
            (TrainingFormat::Binpack, Some(played)) if stem::fits(position) => {
                match &mut self.run {
                    Run::Chain(chain) if chain.has_room(bytes) => {
                        chain.push(position, played, score, bytes)
                    }
                    _ => self.begin_chain(position, played, score),
                }
            }
            _ => {
                self.skip();
                return false;
            }
        }
        true
    }

    /// Skips a position of the game: the next one does not continue those before it.
    #[inline]
    pub fn skip(&mut self) {
        match std::mem::replace(&mut self.run, Run::None) {
            Run::None => {}
            Run::Game => {
                self.bytes.extend_from_slice(&viriformat::END);
                self.ends.push(self.bytes.len());
            }
            Run::Chain(chain) => {
                chain.end(&mut self.bytes);
                self.ends.push(self.bytes.len());
            }
        }
    }

    /// Ends the game.
    pub fn end_game(&mut self, result: GameResult) {
        self.skip();
        for (start, turn) in self.labels.drain(..) {
            let record = &mut self.bytes[start..start + 32];
            match self.format {
                TrainingFormat::Bulletformat => record[bulletformat::RESULT] = result.halves(turn),
                TrainingFormat::Binpack => stem::set_result(record, result.halves(turn)),
                TrainingFormat::Viriformat | TrainingFormat::Marlinformat => {
                    record[marlinformat::RESULT] = result.halves(Color::White);
                }
            }
        }
    }

    /// Returns the parts of the game ended last, in order.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        let (mut start, first) = self.before;
        let mut ends = self.ends[first..].iter();
        std::iter::from_fn(move || {
            let end = match self.format {
                TrainingFormat::Bulletformat | TrainingFormat::Marlinformat => {
                    Some(start + POSITION).filter(|end| *end <= self.bytes.len())?
                }
                TrainingFormat::Viriformat | TrainingFormat::Binpack => *ends.next()?,
            };
            let bytes = start..end;
            start = end;
            let positions = self.positions(&self.bytes[bytes.clone()]);
            Some(Unit { bytes, positions })
        })
    }

    fn positions(&self, unit: &[u8]) -> u64 {
        match self.format {
            // A position, then a move and a score for each, then the mark of the end.
            TrainingFormat::Viriformat => (unit.len().saturating_sub(POSITION) / 4) as u64 - 1,
            TrainingFormat::Binpack => {
                // The number of positions after the first.
                let count = unit.get(stem::LEN..).and_then(<[u8]>::first_chunk);
                count.map_or(0, |count| u64::from(u16::from_be_bytes(*count)) + 1)
            }
            TrainingFormat::Bulletformat | TrainingFormat::Marlinformat => 1,
        }
    }

    /// Removes the game begun last.
    pub fn discard_game(&mut self) {
        let (bytes, ends) = self.before;
        self.bytes.truncate(bytes);
        self.ends.truncate(ends);
        self.begin_game();
    }

    #[cold]
    fn begin_chain(&mut self, position: &Position, played: Move, score: Score) {
        self.skip();
        self.labels.push((self.bytes.len(), position.turn()));
        self.run = Run::Chain(Chain::begin(position, played, score, &mut self.bytes));
    }
}

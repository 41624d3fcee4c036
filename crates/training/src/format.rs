//! The formats, what each of them stores, and how files are read and written entry by entry.

use std::io::Read;
use std::ops::Range;

use san::{Color, Move, Position, keywords};

use crate::binpack::{BinpackReader, Chain, find};
use crate::entry::{Damage, Entry, GameResult, Input, ReadError, Score, ply_of};
use crate::packed::{self, POSITION, read_bulletformat, read_marlinformat};

keywords! {
    /// A binary format of training data.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum TrainingFormat {
        /// Games of moves with scores, binary (.vf): scores and results are White's; bullet and Viridithas read it
        ///
        /// A start position in marlinformat, then a move and a score for each ply.
        Viriformat = "viriformat",
        /// Stockfish's compressed games, binary (.binpack): scores and results are those of the side to move; nnue-pytorch and bullet read it
        ///
        /// Chains of positions, some three bytes each.
        Binpack = "binpack",
        /// Positions of 32 bytes without moves, binary (.bullet): scores and results are those of the side to move; bullet reads it
        ///
        /// Turned so that the side to move is White, without castling rights, en passant squares and clocks.
        Bulletformat = "bulletformat",
        /// Positions of 32 bytes without moves, binary: scores and results are White's; bullet-utils and marlinflow read it
        Marlinformat = "marlinformat",
    }
}

/// What a format has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Castling rights of Chess960.
    Castling,
    /// The halfmove clock or the fullmove number.
    Clocks,
}

const SUFFIXES: [(&str, TrainingFormat); 3] = [
    ("vf", TrainingFormat::Viriformat),
    ("binpack", TrainingFormat::Binpack),
    ("bullet", TrainingFormat::Bulletformat),
];

impl TrainingFormat {
    /// Returns the format of files with this suffix, in upper or lower case.
    ///
    /// ```
    /// use training::TrainingFormat;
    ///
    /// assert_eq!(TrainingFormat::of_suffix("vf"), Some(TrainingFormat::Viriformat));
    /// assert_eq!(TrainingFormat::of_suffix("epd"), None);
    /// ```
    pub fn of_suffix(suffix: &str) -> Option<Self> {
        let found = SUFFIXES.iter().find(|(known, _)| known.eq_ignore_ascii_case(suffix));
        found.map(|(_, format)| *format)
    }

    /// Returns the suffix of files.
    ///
    /// ```
    /// use training::TrainingFormat;
    ///
    /// assert_eq!(TrainingFormat::Viriformat.suffix(), "vf");
    /// assert_eq!(TrainingFormat::Marlinformat.suffix(), "bin");
    /// ```
    pub fn suffix(self) -> &'static str {
        let known = SUFFIXES.iter().find(|(_, format)| *format == self);
        // Marlinformat has no suffix of its own.
        known.map_or("bin", |(suffix, _)| suffix)
    }

    /// Returns what the format has no room for in a position.
    ///
    /// ```
    /// use training::{TrainingFormat, Unfit};
    ///
    /// let position = san::Position::from_fen("1r2k1nr/8/8/8/8/8/8/1R2K1NR w KQkq - 0 1")?;
    /// assert_eq!(TrainingFormat::Binpack.unfit(&position), Some(Unfit::Castling));
    /// assert_eq!(TrainingFormat::Viriformat.unfit(&position), None);
    /// # Ok::<_, san::FenError>(())
    /// ```
    pub fn unfit(self, position: &Position) -> Option<Unfit> {
        match self {
            TrainingFormat::Bulletformat => None,
            TrainingFormat::Binpack if position.has_chess960_rights() => Some(Unfit::Castling),
            TrainingFormat::Binpack => (!crate::binpack::fits(position)).then_some(Unfit::Clocks),
            TrainingFormat::Viriformat | TrainingFormat::Marlinformat => {
                (!packed::fits(position)).then_some(Unfit::Clocks)
            }
        }
    }

    /// Returns whether the moves of a game are stored, so that games can be read back.
    pub fn has_games(self) -> bool {
        matches!(self, TrainingFormat::Viriformat | TrainingFormat::Binpack)
    }
}

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
    state: LayoutState,
}

#[derive(Debug)]
enum LayoutState {
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
            TrainingFormat::Viriformat => LayoutState::Viriformat(None),
            TrainingFormat::Binpack => LayoutState::Binpack(Box::default()),
            TrainingFormat::Bulletformat => LayoutState::Bulletformat,
            TrainingFormat::Marlinformat => LayoutState::Marlinformat,
        };
        Entries { input: Input::new(read), state }
    }

    /// Returns the number of bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.input.offset
    }
}

impl<R: Read> Iterator for Entries<R> {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let input = &mut self.input;
        let next = match &mut self.state {
            LayoutState::Bulletformat => packed_entry(input, read_bulletformat).transpose(),
            LayoutState::Marlinformat => packed_entry(input, read_marlinformat).transpose(),
            LayoutState::Viriformat(game) => of_viriformat(input, game).transpose(),
            LayoutState::Binpack(reader) => reader.next(input),
            LayoutState::Over => None,
        };
        if !matches!(next, Some(Ok(_))) {
            self.state = LayoutState::Over;
        }
        next
    }
}

fn of_viriformat<R: Read>(
    input: &mut Input<R>,
    game: &mut Option<(Box<Position>, GameResult, bool)>,
) -> Result<Option<Entry>, ReadError> {
    loop {
        let Some((position, result, is_start)) = game else {
            let Some(start) = packed_entry(input, read_marlinformat)? else { return Ok(None) };
            *game = Some((Box::new(start.position), start.result, true));
            continue;
        };
        let offset = input.offset;
        let truncated = ReadError { offset, damage: Damage::Truncated("a game") };
        let ply: [u8; packed::VIRIFORMAT_PLY] = input.next("a game")?.ok_or(truncated)?;
        if ply == packed::VIRIFORMAT_END {
            *game = None;
            continue;
        }
        let [a, b, c, d] = ply;
        let code = packed::viriformat_decode(u16::from_le_bytes([a, b]));
        let played = find(position, code.0).map_err(|damage| ReadError { offset, damage })?;
        let white = Score::of_raw(i16::from_le_bytes([c, d]));
        let before = Position::clone(position);
        position.play_unchecked(played);
        return Ok(Some(Entry {
            score: before.turn().fold_wb(white, white.of_other_side()),
            ply: ply_of(&before),
            position: before,
            played: Some(played),
            result: *result,
            is_start: std::mem::replace(is_start, false),
        }));
    }
}

fn packed_entry<R: Read>(
    input: &mut Input<R>,
    read: impl FnOnce(&[u8; POSITION]) -> Result<Entry, Damage>,
) -> Result<Option<Entry>, ReadError> {
    let offset = input.offset;
    let Some(packed) = input.next("a position")? else { return Ok(None) };
    read(&packed).map(Some).map_err(|damage| ReadError { offset, damage })
}

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
    before: (usize, usize),
    /// Each record of the game that has a result: its offset and the side to move.
    labels: Vec<(usize, Color)>,
    run: PositionRun,
}

/// Bytes in any order: a game of viriformat, a chain of a binpack, or a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Where they are among those of all games.
    pub bytes: Range<usize>,
    /// The number of positions.
    pub positions: u64,
}

/// Consecutive positions of a game.
#[derive(Clone, Copy, Debug)]
enum PositionRun {
    /// No position, or the next one does not continue those before it.
    None,
    Game,
    Chain(Chain),
}

impl Encoder {
    /// Makes an encoder without games.
    pub fn new(format: TrainingFormat) -> Self {
        let (bytes, ends, before, labels) = Default::default();
        Encoder { format, bytes, ends, before, labels, run: PositionRun::None }
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
        self.run = PositionRun::None;
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
                packed::write_bulletformat(position, score, bytes);
            }
            (TrainingFormat::Marlinformat, _) if packed::fits(position) => {
                self.labels.push((bytes.len(), turn));
                packed::write_marlinformat(position, white(), bytes);
            }
            (TrainingFormat::Viriformat, Some(played)) if packed::fits(position) => {
                if let PositionRun::None = self.run {
                    self.labels.push((bytes.len(), turn));
                    packed::write_marlinformat(position, Score::default(), bytes);
                    self.run = PositionRun::Game;
                }
                let (code, score) = (packed::viriformat_code(played), white().get());
                let [low, high] = code.to_le_bytes();
                let [score_low, score_high] = score.to_le_bytes();
                bytes.extend_from_slice(&[low, high, score_low, score_high]);
            }
            (TrainingFormat::Binpack, Some(played)) if crate::binpack::fits(position) => {
                match &mut self.run {
                    PositionRun::Chain(chain) if chain.has_room(bytes) => {
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
        match std::mem::replace(&mut self.run, PositionRun::None) {
            PositionRun::None => return,
            PositionRun::Game => self.bytes.extend_from_slice(&packed::VIRIFORMAT_END),
            PositionRun::Chain(chain) => chain.end(&mut self.bytes),
        }
        self.ends.push(self.bytes.len());
    }

    /// Ends the game.
    pub fn end_game(&mut self, result: GameResult) {
        self.skip();
        for (start, turn) in self.labels.drain(..) {
            let record = &mut self.bytes[start..start + POSITION];
            match self.format {
                TrainingFormat::Bulletformat => {
                    record[packed::BULLETFORMAT_RESULT] = result.halves(turn)
                }
                TrainingFormat::Binpack => crate::binpack::set_result(record, result.halves(turn)),
                TrainingFormat::Viriformat | TrainingFormat::Marlinformat => {
                    record[packed::MARLINFORMAT_RESULT] = result.halves(Color::White);
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
                let count = unit.get(POSITION..).and_then(<[u8]>::first_chunk);
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
        self.run = PositionRun::Chain(Chain::begin(position, played, score, &mut self.bytes));
    }
}

//! A position of a game with its score; the input that entries are read from, and its errors.

use std::io::{self, Read};

use san::{Color, FenError, Move, Position, Role, keywords};

/// An error in reading a file; entries before it are good.
#[derive(Debug, thiserror::Error)]
#[error("byte {offset}: {damage}")]
pub struct ReadError {
    /// The offset in bytes of the damaged part from the start of the file.
    pub offset: u64,
    /// The kind of damage.
    pub damage: Damage,
}

/// The kind of damage of a file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum Damage {
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("the file ends within {0}")]
    Truncated(&'static str),
    #[error("a block of a binpack begins with BINP, this with {:?}", String::from_utf8_lossy(.0))]
    NoBlock([u8; 4]),
    #[error("the block has {0} bytes, more than 100 MiB")]
    BlockTooLarge(u32),
    #[error("unknown code {0} of the piece on {1}")]
    NoPiece(u8, san::Square),
    #[error("the position has {0} pieces, more than 32")]
    TooManyPieces(u32),
    #[error("the position is illegal: {0}")]
    Illegal(#[source] FenError),
    #[error("unknown en passant square {0}")]
    NoSquare(u8),
    #[error("the move is illegal: {0:#06x} in {1}")]
    IllegalMove(u16, String),
    #[error("the piece has {1} moves, and this is number {0}")]
    NoMove(u8, u32),
    #[error("the score has more than 16 bits")]
    LongNumber,
    #[error("unknown result {0}")]
    NoResult(u8),
}

/// Bytes read in pieces of known size.
#[derive(Debug)]
pub(crate) struct Input<R> {
    read: io::BufReader<R>,
    pub(crate) offset: u64,
}

impl<R: Read> Input<R> {
    pub(crate) fn new(read: R) -> Self {
        Input { read: io::BufReader::with_capacity(1 << 16, read), offset: 0 }
    }

    /// `None` if the file ends before the bytes; `what` names them if it ends within them.
    pub(crate) fn next<const N: usize>(
        &mut self,
        what: &'static str,
    ) -> Result<Option<[u8; N]>, ReadError> {
        let mut bytes = [0; N];
        let mut filled = 0;
        while filled < N {
            match self.read.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(self.error(Damage::Truncated(what), filled)),
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error(Damage::Unreadable(error), filled)),
            }
        }
        self.offset += N as u64;
        Ok(Some(bytes))
    }

    /// Memory grows only as far as the file goes; returns the error that ends the bytes early.
    pub(crate) fn block(&mut self, len: u32, block: &mut Vec<u8>) -> Option<ReadError> {
        block.clear();
        let outcome = (&mut self.read).take(len.into()).read_to_end(block);
        let damage = match outcome {
            Err(error) => Damage::Unreadable(error),
            Ok(_) if block.len() < len as usize => Damage::Truncated("a block"),
            Ok(_) => {
                self.offset += u64::from(len);
                return None;
            }
        };
        Some(self.error(damage, block.len()))
    }

    fn error(&self, damage: Damage, read: usize) -> ReadError {
        ReadError { offset: self.offset + read as u64, damage }
    }
}

// Scores in 16 bits, and the conversion of centipawns to Stockfish's internal unit.

/// A score from the view of the side to move, in 16 bits.
///
/// A mate in `n` plies is 32000 − n, or n − 32000 for the side that is mated, as in Stockfish and
/// Viridithas. Other scores made here are between −31753 and 31753, so that they cannot be mistaken
/// for a mate; those read from files may be any number.
///
/// ```
/// use training::Score;
///
/// assert_eq!(Score::new(-40).get(), -40);
/// assert_eq!(Score::mates_in(3).get(), 31997);
/// assert_eq!(Score::mated_in(2).mate(), Some((false, 2)));
/// assert_eq!(Score::new(40_000).get(), 31753);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

/// The score of a mate on the board.
const MATE: i16 = 32000;

/// The longest mate, in plies (`MAX_PLY` of Stockfish).
const LONGEST_MATE: u32 = 246;

/// The lowest score of a mate (`VALUE_MATE_IN_MAX_PLY`).
const LOWEST_MATE: i16 = MATE - LONGEST_MATE as i16;

/// A win found in a tablebase (`VALUE_TB`), less the plies to it.
const TABLEBASE: i32 = LOWEST_MATE as i32 - 1;

/// The highest score that is neither a mate nor a win in a tablebase.
const HIGHEST_EVALUATION: i32 = TABLEBASE - LONGEST_MATE as i32 - 1;

/// A win found in a tablebase as Stockfish prints it, in centipawns, less the plies to it.
const PRINTED_TABLEBASE: i32 = 20_000;

impl Score {
    /// Returns the score that is stored as this number.
    pub fn of_raw(raw: i16) -> Self {
        Score(raw)
    }

    /// Creates a score that is not a mate, limited to ±31753.
    pub fn new(score: i32) -> Self {
        let most = i32::from(LOWEST_MATE) - 1;
        Score(score.clamp(-most, most) as i16)
    }

    /// Creates the score of the side that mates in `plies` plies; more than 245 count as 245, since
    /// the number is odd.
    pub fn mates_in(plies: u32) -> Self {
        Score(MATE - plies.min(LONGEST_MATE - 1) as i16)
    }

    /// Creates the score of the side that is mated in `plies` plies; more than 246 count as 246.
    pub fn mated_in(plies: u32) -> Self {
        Score(plies.min(LONGEST_MATE) as i16 - MATE)
    }

    /// Returns the score as stored.
    pub fn get(self) -> i16 {
        self.0
    }

    /// Returns the score of the other side.
    #[must_use]
    pub fn of_other_side(self) -> Self {
        // -32768 has no counterpart; only damaged files have it.
        Score(self.0.wrapping_neg())
    }

    /// Returns whether the side to move mates, and the number of plies, if the score is a mate.
    pub fn mate(self) -> Option<(bool, u32)> {
        let size = i32::from(self.0).unsigned_abs();
        let is_mate = (LOWEST_MATE as u32..=MATE as u32).contains(&size);
        is_mate.then(|| (self.0 > 0, MATE as u32 - size))
    }

    /// Whether it is above a mate, such as 32002 in Stockfish's tools: the position has no score.
    pub fn is_none(self) -> bool {
        i32::from(self.0).abs() > MATE.into()
    }
}

keywords! {
    /// The unit of scores that are not mates.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ScoreUnit {
        /// Centipawns, as in comments.
        #[default]
        Centipawns = "cp",
        /// Stockfish's internal unit: with all pieces on the board, -2.19 becomes -829
        ///
        /// Stockfish prints `100 * v / a` centipawns for a score of `v`, where `a` depends on the
        /// material: see [`ScoreUnit::of_centipawns`].
        Stockfish = "stockfish",
    }
}

/// Coefficients of Stockfish 17.1's win-rate model: `as` in `win_rate_params` of `src/uci.cpp`.
/// The polynomial is of the material divided by 58.
const WIN_RATE: [f64; 4] = [-13.500_301_98, 40.927_808_83, -36.827_535_45, 386.830_040_70];

impl ScoreUnit {
    /// Converts centipawns to this unit, rounded to the nearest.
    ///
    /// As in Stockfish, ±200.00 less up to 246 plies is a win in a tablebase, which has a score
    /// below those of mates and above all others.
    ///
    /// ```
    /// use san::Position;
    /// use training::ScoreUnit;
    ///
    /// let score = |centipawns| ScoreUnit::Stockfish.of_centipawns(centipawns, &Position::default()).get();
    /// assert_eq!((score(-219), score(19_990), score(15_000)), (-829, 31_743, 31_506));
    /// ```
    #[inline(always)]
    pub fn of_centipawns(self, centipawns: i32, position: &Position) -> Score {
        if self == ScoreUnit::Centipawns {
            return Score::new(centipawns);
        }
        let plies = PRINTED_TABLEBASE - centipawns.abs();
        if (0..=LONGEST_MATE as i32).contains(&plies) {
            return Score::new((TABLEBASE - plies) * centipawns.signum());
        }
        let score = (f64::from(centipawns) * normal(position) / 100.0).round() as i32;
        Score::new(score.clamp(-HIGHEST_EVALUATION, HIGHEST_EVALUATION))
    }

    /// Converts a score in this unit to centipawns, rounded to the nearest.
    pub fn to_centipawns(self, score: Score, position: &Position) -> i32 {
        let score = i32::from(score.get());
        if self == ScoreUnit::Centipawns {
            return score;
        }
        let plies = TABLEBASE - score.abs();
        if (0..=LONGEST_MATE as i32).contains(&plies) {
            return (PRINTED_TABLEBASE - plies) * score.signum();
        }
        (100.0 * f64::from(score) / normal(position)).round() as i32
    }
}

/// Returns the score with which Stockfish's winning chance is one half: one pawn as printed.
#[inline(always)]
fn normal(position: &Position) -> f64 {
    const VALUES: [(Role, usize); 5] =
        [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    let count = |(role, value): (Role, usize)| position.pieces(role).count() * value;
    let material: usize = VALUES.into_iter().map(count).sum();
    // Below and above this range of material in the model, its limits count.
    let m = material.clamp(17, 78) as f64 / 58.0;
    let [a, b, c, d] = WIN_RATE;
    ((a * m + b) * m + c) * m + d
}

/// A position of a game with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position. In bulletformat, which stores it from the view of the side to move, White is
    /// to move, without castling rights, en passant square and clocks.
    pub position: Position,
    /// The move played, if the format has it and the file contains one.
    pub played: Option<Move>,
    /// The score, from the view of the side to move.
    pub score: Score,
    /// Number of plies before the position, as the format counts them, or by the fullmove number.
    pub ply: u32,
    /// The result of the game. In bulletformat, `WhiteWins` means that the side to move wins.
    pub result: GameResult,
    /// Whether the entry does not continue the game of the previous one.
    pub is_start: bool,
}

/// Returns the number of plies before a position, by its fullmove number.
pub(crate) fn ply_of(position: &Position) -> u32 {
    (2 * (position.fullmoves().max(1) - 1)).saturating_add(position.turn().fold_wb(0, 1))
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `1-0`
    WhiteWins,
}

impl GameResult {
    /// Returns the half points of a side: 0, 1 or 2.
    ///
    /// ```
    /// use san::Color;
    ///
    /// assert_eq!(training::GameResult::BlackWins.halves(Color::Black), 2);
    /// ```
    pub fn halves(self, side: Color) -> u8 {
        let white = self as u8;
        side.fold_wb(white, 2 - white)
    }

    /// Returns the result with these half points of a side; `None` if there are more than 2.
    pub fn of_halves(halves: u8, side: Color) -> Option<Self> {
        match side.fold_wb(halves, 2_u8.wrapping_sub(halves)) {
            0 => Some(GameResult::BlackWins),
            1 => Some(GameResult::Draw),
            2 => Some(GameResult::WhiteWins),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use san::Keyword;

    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn mates_are_above_other_scores() {
        assert!(Score::new(i32::MAX) < Score::mates_in(u32::MAX));
        assert!(Score::new(i32::MIN) > Score::mated_in(u32::MAX));
        assert_eq!(Score::mates_in(1).mate(), Some((true, 1)));
        assert_eq!(Score::mated_in(0).mate(), Some((false, 0)));
        // The longest mate is one in 123 moves, for both sides.
        assert_eq!(Score::mates_in(u32::MAX).mate(), Some((true, 2 * 123 - 1)));
        assert_eq!(Score::mated_in(u32::MAX).mate(), Some((false, 2 * 123)));
        assert_eq!(Score::new(31_753).mate(), None);
        assert_eq!(Score::of_raw(32_002).mate(), None);
        assert!(Score::of_raw(32_002).is_none() && !Score::of_raw(32_000).is_none());
        assert_eq!(Score::of_raw(i16::MIN).of_other_side().get(), i16::MIN);
    }

    #[test]
    fn the_unit_of_stockfish_depends_on_the_material() {
        // Material 78 and more, 58, 17 and less.
        let cases = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 378),
            ("r1b1kbnr/pppppppp/8/8/8/8/PPPPPPPP/R1B1KBNR w KQkq - 0 1", 377),
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 379),
            ("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 379),
        ];
        for (fen, pawn) in cases {
            let score = ScoreUnit::Stockfish.of_centipawns(100, &position(fen));
            assert_eq!(score.get(), pawn, "{fen}");
        }
        // The example of the fishtest comment `-2.19`.
        let start = Position::default();
        assert_eq!(ScoreUnit::Stockfish.of_centipawns(-219, &start).get(), -829);
        assert_eq!(ScoreUnit::Stockfish.to_centipawns(Score::new(-829), &start), -219);
        assert_eq!(ScoreUnit::Centipawns.of_centipawns(-219, &start).get(), -219);
    }

    #[test]
    fn centipawns_survive_the_unit_of_stockfish() {
        for position in [Position::default(), position("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")] {
            for unit in ScoreUnit::ALL {
                for centipawns in (-8_000..=8_000).chain(19_754..=20_000).chain(-20_000..=-19_754) {
                    let score = unit.of_centipawns(centipawns, &position);
                    let back = unit.to_centipawns(score, &position);
                    assert_eq!(back, centipawns, "{unit} {position}");
                }
            }
        }
    }

    #[test]
    fn half_points_are_those_of_one_side() {
        for side in Color::ALL {
            for halves in 0..3 {
                let result = GameResult::of_halves(halves, side).unwrap();
                assert_eq!(result.halves(side), halves);
                assert_eq!(result.halves(!side), 2 - halves);
            }
            assert_eq!(GameResult::of_halves(3, side), None);
            assert_eq!(GameResult::of_halves(255, side), None);
        }
    }
}

//! How many different positions there are, for six meanings of different.

use std::fmt;

use san::{Color, EnPassantPolicy, Position, Role};

/// A position in a few words, to be compared and counted. The order of its parts is that of their weight, so that sorted
/// keys lie beside each other if they agree in the weightier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey {
    /// Four bits a square.
    board: [u64; 4],
    /// The side to move, the rooks that may castle, the en passant square if a capture is legal, and the one that is given.
    state: u64,
    /// Halfmove clock and fullmove number.
    clocks: u64,
}

const SIDE: u64 = 1 << 63;
const CASTLING: u64 = 0xffff << 40;
const LEGAL_EN_PASSANT: u64 = 0xff << 32;
const EN_PASSANT: u64 = 0xff << 24;

impl PositionKey {
    /// The key of a position.
    pub fn new(position: &Position) -> Self {
        let mut board = [0; 4];
        for role in Role::ALL {
            for square in position.pieces(role) {
                let is_black = position.side(Color::Black).contains(square);
                let piece = role as u64 | u64::from(is_black) << 3;
                let square = square.to_usize();
                board[square / 16] |= piece << (square % 16 * 4);
            }
        }
        let rooks = position.castling_rooks().0;
        let castling = rooks & 0xff | rooks >> 48 & 0xff00;
        let square = |policy| position.en_passant(policy).map_or(0, |s| s.to_usize() as u64 + 1);
        let side = if position.turn() == Color::Black { SIDE } else { 0 };
        let state = side
            | castling << 40
            | square(EnPassantPolicy::Legal) << 32
            | square(EnPassantPolicy::Always) << 24;
        let clocks = u64::from(position.halfmoves()) << 32 | u64::from(position.fullmoves());
        PositionKey { board, state, clocks }
    }

    /// The same without clocks and without an en passant square where no capture is legal: equal for positions that are
    /// the same by the laws of chess.
    #[must_use]
    pub fn of_position(self) -> Self {
        PositionKey { clocks: 0, state: self.state & !EN_PASSANT, ..self }
    }

    /// Whether an en passant square is given and no capture is legal.
    pub fn has_superfluous_en_passant(self) -> bool {
        self.state & EN_PASSANT != 0 && self.state & LEGAL_EN_PASSANT == 0
    }
}

/// Counts positions. It keeps 48 bytes of each.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    keys: Vec<PositionKey>,
}

/// What [`Statistics`] come to. As text it has the lines that are known from the books of Stockfish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatisticsReport {
    /// All positions.
    pub positions: u64,
    /// Those with White to move.
    pub white: u64,
    /// Different ones, clocks and all.
    pub with_clocks: u64,
    /// Different ones without their clocks.
    pub without_clocks: u64,
    /// The same, en passant squares counting only where a capture is legal.
    pub without_superfluous: u64,
    /// Different boards, sides to move and castling rights.
    pub with_castling: u64,
    /// Different boards and sides to move.
    pub with_side: u64,
    /// Different boards.
    pub boards: u64,
    /// Positions with an en passant square where no capture is legal.
    pub superfluous: u64,
}

impl Statistics {
    /// Counts a position.
    pub fn add(&mut self, key: PositionKey) {
        self.keys.push(key);
    }

    /// What they come to. This sorts all keys.
    pub fn report(&mut self) -> StatisticsReport {
        self.keys.sort_unstable();
        let different = |mask: u64, with_clocks: bool| {
            let part = |key: &PositionKey| {
                (key.board, key.state & mask, if with_clocks { key.clocks } else { 0 })
            };
            // Sorted by board and then by the highest bits of the state, which the masks take: equal parts are neighbors.
            self.keys.chunk_by(|one, other| part(one) == part(other)).count() as u64
        };
        let count = |counts: fn(&PositionKey) -> bool| {
            self.keys.iter().filter(|key| counts(key)).count() as u64
        };
        StatisticsReport {
            positions: self.keys.len() as u64,
            white: count(|key| key.state & SIDE == 0),
            with_clocks: different(u64::MAX, true),
            without_clocks: different(u64::MAX, false),
            without_superfluous: different(SIDE | CASTLING | LEGAL_EN_PASSANT, false),
            with_castling: different(SIDE | CASTLING, false),
            with_side: different(SIDE, false),
            boards: different(0, false),
            superfluous: count(|key| key.has_superfluous_en_passant()),
        }
    }
}

impl fmt::Display for StatisticsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64| 100.0 * part as f64 / self.positions.max(1) as f64;
        let (white, black) = (percent(self.white), percent(self.positions - self.white));
        writeln!(
            f,
            "Total number of positions: {} (w/b = {white:.1}/{black:.1}).",
            self.positions
        )?;
        writeln!(f, "Unique positions w/  move counters : {}", self.with_clocks)?;
        writeln!(f, "Unique positions w/o move counters : {}", self.without_clocks)?;
        let count = self.without_superfluous;
        writeln!(f, "Unique positions w/o move counters and superfluous ep : {count}")?;
        writeln!(f, "Unique positions (board + stm + cr): {}", self.with_castling)?;
        writeln!(f, "Unique positions (board + stm)     : {}", self.with_side)?;
        writeln!(f, "Unique positions (board only)      : {}", self.boards)?;
        write!(f, "Positions with superfluous ep square: {}", self.superfluous)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_differ_in_six_ways() {
        let mut statistics = Statistics::default();
        for fen in [
            "4k3/8/8/8/4P3/8/8/4K2R b K - 0 1",
            "4k3/8/8/8/4P3/8/8/4K2R b K - 0 2",
            "4k3/8/8/8/4P3/8/8/4K2R b K e3 0 1",
            "4k3/8/8/8/4P3/8/8/4K2R b - - 0 1",
            "4k3/8/8/8/4P3/8/8/4K2R w - - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
        ] {
            statistics.add(PositionKey::new(&Position::from_fen(fen).unwrap()));
        }
        let expected = "\
            Total number of positions: 7 (w/b = 14.3/85.7).\n\
            Unique positions w/  move counters : 7\n\
            Unique positions w/o move counters : 6\n\
            Unique positions w/o move counters and superfluous ep : 5\n\
            Unique positions (board + stm + cr): 4\n\
            Unique positions (board + stm)     : 3\n\
            Unique positions (board only)      : 2\n\
            Positions with superfluous ep square: 1";
        assert_eq!(statistics.report().to_string(), expected);
    }

    #[test]
    fn an_empty_file_has_statistics_too() {
        let report = Statistics::default().report();
        assert_eq!(report, StatisticsReport::default());
        assert!(report.to_string().starts_with("Total number of positions: 0 (w/b = 0.0/0.0).\n"));
    }
}

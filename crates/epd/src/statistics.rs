//! Counts distinct positions under six definitions of equality.

use std::fmt;

use san::{EnPassantPolicy, Position, PositionKey};

/// A position as in a record: with its clocks, and any en passant square that is given. The most
/// significant parts come first: positions that share them are adjacent if sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordedPosition {
    /// The pieces: three bit planes for the role, one for the color.
    board: [u64; 4],
    /// The side to move, the castling rooks, the en passant square if legal, and as given.
    state: u64,
    clocks: u64,
}

const SIDE: u64 = 1 << 63;
const CASTLING: u64 = 0xffff << 40;
const LEGAL_EN_PASSANT: u64 = 0xff << 32;
const EN_PASSANT: u64 = 0xff << 24;

impl RecordedPosition {
    /// Returns the position of a record.
    pub fn new(position: &Position) -> Self {
        let rooks = position.castling_rooks().0;
        let castling = rooks & 0xff | rooks >> 48 & 0xff00;
        let square = |policy| position.en_passant(policy).map_or(0, |square| square as u64 + 1);
        let (legal, given) = (square(EnPassantPolicy::Legal), square(EnPassantPolicy::Always));
        RecordedPosition {
            board: PositionKey::of(position).planes_of_pieces(),
            state: position.turn().fold_wb(0, SIDE) | castling << 40 | legal << 32 | given << 24,
            clocks: u64::from(position.halfmoves()) << 32 | u64::from(position.fullmoves()),
        }
    }
}

/// Counts positions; needs 48 bytes per position.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    positions: Vec<RecordedPosition>,
}

/// The result of [`Statistics`]. Its text is that published with Stockfish's books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StatisticsReport {
    /// All positions.
    pub positions: u64,
    /// Positions with White to move.
    pub white_to_move: u64,
    /// Distinct positions, including clocks.
    pub unique_with_clocks: u64,
    /// Distinct positions, excluding clocks.
    pub unique_without_clocks: u64,
    /// As above, but en passant squares count only if a capture is legal.
    pub unique_without_superfluous_ep: u64,
    /// Distinct boards, sides to move and castling rights.
    pub unique_board_side_castling: u64,
    /// Distinct boards and sides to move.
    pub unique_board_side: u64,
    /// Distinct boards.
    pub unique_board: u64,
    /// Positions with an en passant square although no capture is legal.
    pub superfluous_ep: u64,
}

impl Statistics {
    /// Adds a position.
    pub fn add(&mut self, position: &RecordedPosition) {
        self.positions.push(*position);
    }

    /// Returns the counts. Sorts all positions.
    pub fn report(&mut self) -> StatisticsReport {
        self.positions.sort_unstable();
        let different = |mask: u64, with_clocks: bool| {
            let part = |key: &RecordedPosition| {
                (key.board, key.state & mask, if with_clocks { key.clocks } else { 0 })
            };
            // Sorted by board, then by the high bits of the state, which the masks select: equal
            // parts are adjacent.
            self.positions.chunk_by(|one, other| part(one) == part(other)).count() as u64
        };
        let count = |counts: fn(&RecordedPosition) -> bool| {
            self.positions.iter().filter(|key| counts(key)).count() as u64
        };
        StatisticsReport {
            positions: self.positions.len() as u64,
            white_to_move: count(|key| key.state & SIDE == 0),
            unique_with_clocks: different(u64::MAX, true),
            unique_without_clocks: different(u64::MAX, false),
            unique_without_superfluous_ep: different(SIDE | CASTLING | LEGAL_EN_PASSANT, false),
            unique_board_side_castling: different(SIDE | CASTLING, false),
            unique_board_side: different(SIDE, false),
            unique_board: different(0, false),
            superfluous_ep: count(|key| {
                key.state & EN_PASSANT != 0 && key.state & LEGAL_EN_PASSANT == 0
            }),
        }
    }
}

impl fmt::Display for StatisticsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64| 100.0 * part as f64 / self.positions.max(1) as f64;
        let (white, black) =
            (percent(self.white_to_move), percent(self.positions - self.white_to_move));
        writeln!(
            f,
            "Total number of positions: {} (w/b = {white:.1}/{black:.1}).",
            self.positions
        )?;
        writeln!(f, "Unique positions w/  move counters : {}", self.unique_with_clocks)?;
        writeln!(f, "Unique positions w/o move counters : {}", self.unique_without_clocks)?;
        let count = self.unique_without_superfluous_ep;
        writeln!(f, "Unique positions w/o move counters and superfluous ep : {count}")?;
        writeln!(f, "Unique positions (board + stm + cr): {}", self.unique_board_side_castling)?;
        writeln!(f, "Unique positions (board + stm)     : {}", self.unique_board_side)?;
        writeln!(f, "Unique positions (board only)      : {}", self.unique_board)?;
        write!(f, "Positions with superfluous ep square: {}", self.superfluous_ep)
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
            statistics.add(&RecordedPosition::new(&Position::from_fen(fen).unwrap()));
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

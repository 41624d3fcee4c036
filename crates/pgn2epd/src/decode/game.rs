//! Writes entries as games.

use ::epd::Mate;
use emit::evaluation_of;
use san::{Buffer, Color, Position, san_of};
use training::{Entry, GameResult, ScoreUnit};

use super::record::{self, outcome};

/// The maximum length of a line of moves.
const WIDTH: usize = 80;

/// Writes games in PGN.
#[derive(Debug, Default)]
pub(super) struct GameWriter {
    /// The result of the game being written.
    result: Option<GameResult>,
    /// Length of the last line.
    width: usize,
}

impl GameWriter {
    /// Adds an entry to the game, or begins one; `false` if it has no move.
    pub(super) fn add(&mut self, entry: &Entry, unit: ScoreUnit, buffer: &mut Buffer) -> bool {
        if entry.is_start {
            self.finish(buffer);
        }
        let position = &entry.position;
        let number = position.fullmoves();
        let is_first = self.result.is_none();
        if is_first {
            self.result = Some(entry.result);
            tags(position, entry.result, buffer);
        }
        let Some(played) = entry.played else { return false };
        match position.turn() {
            Color::White => self.word(&format!("{number}."), buffer),
            Color::Black if is_first => self.word(&format!("{number}..."), buffer),
            Color::Black => {}
        }
        self.word(san_of(position, played).as_ref(), buffer);
        if let Some(evaluation) = evaluation_of(entry.score, unit, position) {
            let text = match evaluation.mate() {
                Some(Mate::Gives { plies }) => format!("+M{plies}"),
                Some(Mate::Gets { plies }) => format!("-M{plies}"),
                None => {
                    let (sign, size) = (evaluation.get() < 0, evaluation.get().abs());
                    let sign = if sign { '-' } else { '+' };
                    format!("{sign}{}.{:02}", size / 100, size % 100)
                }
            };
            // The depth of the search is not known.
            self.word(&format!("{{{text}/0}}"), buffer);
        }
        true
    }

    /// Ends the game, if one has begun.
    pub(super) fn finish(&mut self, buffer: &mut Buffer) {
        if let Some(result) = self.result.take() {
            self.word(outcome(result).as_str(), buffer);
            buffer.extend(b"\n\n");
            self.width = 0;
        }
    }

    fn word(&mut self, word: &str, buffer: &mut Buffer) {
        if self.width > 0 {
            let fits = self.width + 1 + word.len() < WIDTH;
            buffer.extend(if fits { b" " } else { b"\n" });
            self.width = if fits { self.width + 1 } else { 0 };
        }
        buffer.extend(word.as_bytes());
        self.width += word.len();
    }
}

fn tags(position: &Position, result: GameResult, buffer: &mut Buffer) {
    let unknown = ["Event", "Site", "Date", "Round", "White", "Black"];
    for name in unknown {
        let value = if name == "Date" { "????.??.??" } else { "?" };
        buffer.extend(format!("[{name} \"{value}\"]\n").as_bytes());
    }
    buffer.extend(format!("[Result \"{}\"]\n", outcome(result).as_str()).as_bytes());
    if *position != Position::default() {
        if !has_plain_rights(position) {
            buffer.extend(b"[Variant \"Chess960\"]\n");
        }
        buffer.extend(b"[SetUp \"1\"]\n[FEN \"");
        record::fen(position, buffer);
        buffer.extend(b"\"]\n");
    }
    buffer.extend(b"\n");
}

/// Returns whether castling rights are those of standard chess.
fn has_plain_rights(position: &Position) -> bool {
    let is_plain = |rook: san::Square| {
        let color = Color::from_white(position.side(Color::White).contains(rook));
        let home = color.fold_wb(san::Square::E1, san::Square::E8);
        position.king(color) == home && san::Bitboard::CORNERS.contains(rook)
    };
    position.castling_rooks().into_iter().all(is_plain)
}

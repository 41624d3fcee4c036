//! The sink that writes games.

use epd::Mate;
use pgn::{Outcome, TagPair};
use san::{Buffer, Color, FieldStyle, Position, san_of, write_fen};
use training::{TrainingFormat, Unfit};

use crate::annotations::analysis::evaluation;
use crate::games::game_result::GameResult;
use crate::ply::Ply;
use crate::problem::Problem;
use crate::records::text::Text;
use crate::sink::Sink;

/// The maximum length of a line of moves (PGN standard 8.2.1).
const WIDTH: usize = 80;

/// Writes games in PGN, with the evaluations in comments: `{+0.25/12}`.
#[derive(Debug)]
pub struct PgnSink<'t> {
    text: &'t mut Text,
    style: FieldStyle,
    result: GameResult,
    /// The length of the text, and the number of positions, before the game.
    before: (usize, u64),
    /// Length of the last line of moves.
    width: usize,
}

impl<'t> PgnSink<'t> {
    /// Makes a sink that appends games to `text`.
    pub fn new(text: &'t mut Text, style: FieldStyle) -> Self {
        PgnSink { text, style, result: GameResult::default(), before: (0, 0), width: 0 }
    }

    /// Returns the numbers of bytes and positions written.
    pub fn written(&self) -> (usize, u64) {
        (self.text.bytes.len(), self.text.positions)
    }

    fn word(&mut self, word: &str) {
        if self.width > 0 {
            let fits = self.width + 1 + word.len() < WIDTH;
            self.text.bytes.extend(if fits { b" " } else { b"\n" });
            self.width = if fits { self.width + 1 } else { 0 };
        }
        self.text.bytes.extend(word.as_bytes());
        self.width += word.len();
    }

    /// Writes the tags of a game from this position.
    fn tags(&mut self, position: &Position) {
        let bytes = &mut self.text.bytes;
        for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
            let value = if name == "Date" { "????.??.??" } else { "?" };
            bytes.extend(format!("[{name} \"{value}\"]\n").as_bytes());
        }
        let result = self.result.result(None).unwrap_or(Outcome::Unknown);
        bytes.extend(format!("[Result \"{}\"]\n", result.as_str()).as_bytes());
        if *position != Position::default() {
            if TrainingFormat::Binpack.unfit(position) == Some(Unfit::Castling) {
                bytes.extend(b"[Variant \"Chess960\"]\n");
            }
            bytes.extend(b"[SetUp \"1\"]\n[FEN \"");
            fen(position, self.style, bytes);
            bytes.extend(b"\"]\n");
        }
        bytes.extend(b"\n");
    }
}

fn fen(position: &Position, style: FieldStyle, bytes: &mut Buffer) {
    let mut line = bytes.line();
    write_fen(position, style, &mut line);
    line.finish();
}

impl Sink for PgnSink<'_> {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.before = (self.text.bytes.len(), self.text.positions);
        self.result = GameResult::of(tags);
    }

    fn ply(&mut self, ply: Ply<'_>) {
        let is_first = self.text.bytes.len() == self.before.0;
        if is_first {
            self.tags(ply.position);
        }
        let Some(next) = ply.next else {
            self.text.unlabelled += 1;
            return;
        };
        self.text.positions += 1;
        let number = ply.position.fullmoves();
        match ply.position.turn() {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if is_first => self.word(&format!("{number}...")),
            Color::Black => {}
        }
        self.word(san_of(ply.position, next).as_ref());
        if let Some(evaluation) = evaluation(&ply) {
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
            self.word(&format!("{{{text}/0}}"));
        }
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        if self.text.bytes.len() > self.before.0 {
            self.word(self.result.result(outcome).unwrap_or(Outcome::Unknown).as_str());
            self.text.bytes.extend(b"\n\n");
            self.width = 0;
        }
    }

    fn discard_game(&mut self) {
        self.text.bytes.truncate(self.before.0);
        (self.text.positions, self.width) = (self.before.1, 0);
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}

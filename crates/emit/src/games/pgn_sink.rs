//! The sink that writes games.

use epd::Mate;
use pgn::{Outcome, TagPair};
use san::{Buffer, Color, FieldStyle, Position, san_of, write_fen};
use training::{TrainingFormat, Unfit};

use crate::annotations::analysis::evaluation;
use crate::games::game_result::GameResult;
use crate::games::move_lines::MoveLines;
use crate::ply::Ply;
use crate::problem::Problem;
use crate::records::text::Text;
use crate::sink::Sink;

/// Writes games in PGN, with the evaluations in comments: `{+0.25/12}`.
#[derive(Debug)]
pub struct PgnSink<'t> {
    text: &'t mut Text,
    style: FieldStyle,
    result: GameResult,
    /// The length of the text, and the number of positions, before the game.
    before: (usize, u64),
    lines: MoveLines,
}

impl<'t> PgnSink<'t> {
    /// Makes a sink that appends games to `text`.
    pub fn new(text: &'t mut Text, style: FieldStyle) -> Self {
        let (result, lines) = (GameResult::default(), MoveLines::default());
        PgnSink { text, style, result, before: (0, 0), lines }
    }

    /// Returns the numbers of bytes and positions written.
    pub fn written(&self) -> (usize, u64) {
        (self.text.bytes.len(), self.text.positions)
    }

    fn word(&mut self, word: &str) {
        self.text.bytes.extend(self.lines.before(word).as_bytes());
        self.text.bytes.extend(word.as_bytes());
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
            self.lines = MoveLines::default();
        }
    }

    fn discard_game(&mut self) {
        self.text.bytes.truncate(self.before.0);
        (self.text.positions, self.lines) = (self.before.1, MoveLines::default());
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}

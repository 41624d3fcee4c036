//! The sink that writes games.

use epd::Mate;
use pgn::{Outcome, TagPair, write_tag};
use san::{Buffer, Color, FieldStyle, Move, Position, san_of, write_fen};
use training::{TrainingFormat, Unfit};

use crate::annotations::analysis::evaluation;
use crate::games::game_result::GameResult;
use crate::games::move_lines::MoveLines;
use crate::ply::Ply;
use crate::problem::Problem;
use crate::records::text::Text;
use crate::rows::RecordText;
use crate::sink::Sink;

/// The operations of records that a game of one position has: its name, and a line of moves, if it
/// has no move that was played.
pub const OPERATIONS_OF_GAMES: [&str; 3] = ["id", "pv", "bm"];

/// Writes games in PGN, with the evaluations in comments: `{+0.25/12}`.
#[derive(Debug)]
pub struct PgnSink<'t> {
    text: &'t mut Text,
    style: FieldStyle,
    /// Whether each position is a game, so that it needs no move.
    is_of_positions: bool,
    /// The name and the line of such a game.
    name: String,
    line: String,
    result: GameResult,
    /// The length of the text, and the number of positions, before the game.
    before: (usize, u64),
    lines: MoveLines,
}

impl<'t> PgnSink<'t> {
    /// Makes a sink that appends games to `text`. With `is_of_positions` each position is a game,
    /// with the [operations](OPERATIONS_OF_GAMES) among its tags.
    pub fn new(text: &'t mut Text, style: FieldStyle, is_of_positions: bool) -> Self {
        let (result, lines) = (GameResult::default(), MoveLines::default());
        let (name, line) = (String::new(), String::new());
        PgnSink { text, style, is_of_positions, name, line, result, before: (0, 0), lines }
    }

    fn word(&mut self, word: &str) {
        self.text.bytes.extend(self.lines.before(word).as_bytes());
        self.text.bytes.extend(word.as_bytes());
    }

    fn tags(&mut self, position: &Position) {
        let bytes = &mut self.text.bytes;
        for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
            let value = match name {
                "Date" => "????.??.??",
                "Event" if !self.name.is_empty() => &self.name,
                _ => "?",
            };
            let mut tag = Vec::new();
            write_tag(name, value, &mut tag);
            bytes.extend(&tag);
            bytes.extend(b"\n");
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

impl PgnSink<'_> {
    fn played(&mut self, position: &Position, next: Move, is_first: bool) {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if is_first => self.word(&format!("{number}...")),
            Color::Black => {}
        }
        self.word(san_of(position, next).as_ref());
    }

    fn line(&mut self, position: &Position) {
        let (line, mut position) = (std::mem::take(&mut self.line), position.clone());
        for (index, word) in line.split(' ').enumerate() {
            let Ok(next) = san::resolve(&position, word.as_bytes()) else { return };
            self.played(&position, next, index == 0);
            position.play_unchecked(next);
        }
    }
}

fn fen(position: &Position, style: FieldStyle, bytes: &mut Buffer) {
    let mut line = bytes.line();
    write_fen(position, style, &mut line);
    line.finish();
}

/// Games as records.
impl RecordText for PgnSink<'_> {
    fn text(&self) -> &[u8] {
        self.text.bytes.as_bytes()
    }

    fn count(&self) -> u64 {
        self.text.positions
    }

    fn has_game(&self) -> Option<bool> {
        Some(self.text.bytes.len() > self.before.0)
    }
}

impl Sink for PgnSink<'_> {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.before = (self.text.bytes.len(), self.text.positions);
        self.result = GameResult::of(tags);
        if self.is_of_positions {
            let [name, pv, bm] = OPERATIONS_OF_GAMES.map(|name| {
                let tag = tags.iter().find(|tag| tag.name() == name.as_bytes());
                tag.map(|tag| tag.text().into_owned()).unwrap_or_default()
            });
            // Several best moves are no line.
            let bm = if bm.contains(' ') { String::new() } else { bm };
            (self.name, self.line) = (name, if pv.is_empty() { bm } else { pv });
        }
    }

    fn ply(&mut self, ply: Ply<'_>) {
        let is_first = self.text.bytes.len() == self.before.0;
        if is_first {
            self.tags(ply.position);
        }
        let Some(next) = ply.next else {
            match self.is_of_positions {
                true => self.text.positions += 1,
                false => self.text.unlabelled += 1,
            }
            return self.line(ply.position);
        };
        self.text.positions += 1;
        self.played(ply.position, next, is_first);
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

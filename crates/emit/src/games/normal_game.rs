//! A game in the export format of the PGN standard (8.2).

use std::collections::HashSet;
use std::fmt::Write;

use pgn::{Outcome, TagPair, text_of, write_tag};
use san::{AnyPosition, Buffer, Color, FieldStyle};

use crate::annotations::comment::without_commands;
use crate::games::game_form::{GameForm, GameStyle};
use crate::games::game_result::GameResult;
use crate::games::move_lines::MoveLines;
use crate::games::opening_tags::Known;
use crate::ply::Ply;
use crate::problem::MoveNumber;
use crate::sink::Movetext;

/// The tags that every game has, in their order, and their values where they are unknown (8.1.1).
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The commands of comments that are times.
const TIMES: [&[u8]; 5] = [b"clk", b"egt", b"emt", b"mct", b"timestamp"];

#[derive(Debug, Default)]
pub(crate) struct NormalGame {
    form: GameForm,
    text: String,
    result: GameResult,
    /// The words of the movetext, each with a line end.
    words: String,
    /// Where the words of each move of the main line begin.
    moves: Vec<usize>,
    /// The last word, which a parenthesis may follow.
    word: String,
    /// Number of parentheses before the next word.
    opened: usize,
    depth: usize,
    /// Whether a move of Black has its number, because it does not follow a move directly.
    is_apart: bool,
    /// For each variation without a move so far, where in `notes` the text after its `(` begins.
    waiting: Vec<usize>,
    notes: String,
    /// The first and the last selected position of the main line, if the others are left out.
    selected: Option<(Start, u32)>,
}

/// A position that a game is cut at.
#[derive(Debug)]
struct Start {
    ply: u32,
    fen: String,
    number: MoveNumber,
}

impl NormalGame {
    pub(crate) fn new(form: GameForm) -> Self {
        NormalGame { form, ..NormalGame::default() }
    }

    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.text.clear();
        self.words.clear();
        self.moves.clear();
        self.word.clear();
        self.waiting.clear();
        self.notes.clear();
        (self.opened, self.depth, self.is_apart, self.selected) = (0, 0, true, None);
        self.result = GameResult::of(tags);
        let result = self.result.known(None).unwrap_or(Outcome::Unknown.as_str());
        let first = |name: &str| tags.iter().position(|tag| tag.name() == name.as_bytes());
        for (name, unknown) in ROSTER {
            let value = match first(name) {
                _ if name == "Result" => result.into(),
                Some(index) => tags[index].text(),
                None => unknown.into(),
            };
            self.tag(name, &value);
        }
        let is_unknown = |index: usize| pgn::is_unknown(b"FEN", tags[index].raw_value());
        let has_start = first("FEN").is_some_and(|index| !is_unknown(index));
        let mut names = HashSet::with_capacity(tags.len());
        for tag in tags {
            let name = text_of(tag.name());
            if !names.insert(tag.name()) || ROSTER.iter().any(|(of_all, _)| *of_all == name) {
                continue;
            }
            match &*name {
                "SetUp" if has_start || tag.text() == "1" => {}
                "FEN" if !has_start => {}
                "FEN" => {
                    self.tag("SetUp", "1");
                    self.tag("FEN", &tag.text());
                }
                "SetUp" | "Variant" => self.tag(&name, &tag.text()),
                _ if self.form.has(GameStyle::NoTags) => {}
                name => self.tag(name, &tag.text()),
            }
        }
        self.text.push('\n');
    }

    pub(crate) fn select<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, style: FieldStyle) {
        if !self.form.has(GameStyle::Selected) {
            return;
        }
        match &mut self.selected {
            Some((_, last)) => *last = ply.number,
            None => {
                let mut fen = Buffer::default();
                let mut line = fen.line();
                ply.position.write_fen(style, &mut line);
                line.finish();
                let number =
                    MoveNumber { fullmove: ply.position.fullmoves(), turn: ply.position.turn() };
                let fen = text_of(fen.as_bytes()).into_owned();
                self.selected = Some((Start { ply: ply.number, fen, number }, ply.number));
            }
        }
    }

    fn set_tags<'v>(&mut self, values: &[(&'v str, &'v str)]) {
        let tags = std::mem::take(&mut self.text);
        let is_tag = |line: &str, name: &str| {
            line.strip_prefix('[').is_some_and(|rest| rest.split(' ').next() == Some(name))
        };
        let mut missing = values.to_vec();
        for line in tags.lines() {
            if let Some((name, value)) = values.iter().find(|(name, _)| is_tag(line, name)) {
                missing.retain(|(other, _)| other != name);
                self.tag(name, value);
                continue;
            }
            if line.is_empty() {
                missing.iter().for_each(|(name, value)| self.tag(name, value));
            }
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn tag(&mut self, name: &str, value: &str) {
        let mut tag = Vec::new();
        write_tag(name, value, &mut tag);
        let tag = String::from_utf8_lossy(&tag).replace(|c: char| c.is_control(), " ");
        self.text.push_str(&tag);
        self.text.push('\n');
    }

    pub(crate) fn add(&mut self, part: Movetext<'_>) {
        let without = |style| self.form.has(style);
        match part {
            Movetext::Open => self.depth += 1,
            Movetext::Close => self.depth -= 1,
            _ => {}
        }
        let is_left_out = match part {
            Movetext::Comment(_) => without(GameStyle::NoComments),
            Movetext::Nag(_) | Movetext::Sign(_) => without(GameStyle::NoNags),
            _ => false,
        };
        let is_end = matches!(part, Movetext::Close) && self.depth == 0;
        if is_left_out || without(GameStyle::NoVariations) && (self.depth > 0 || is_end) {
            return;
        }
        match part {
            Movetext::Start(fen) => self.set_tags(&[("SetUp", "1"), ("FEN", fen)]),
            Movetext::Move(number, text) => {
                self.open_waiting();
                if self.depth == 0 {
                    self.write_word();
                    self.moves.push(self.words.len());
                }
                let MoveNumber { fullmove, turn } = number;
                match turn {
                    Color::White => self.word(format_args!("{fullmove}.")),
                    Color::Black if self.is_apart => self.word(format_args!("{fullmove}...")),
                    Color::Black => {}
                }
                self.is_apart = false;
                self.word(format_args!("{text}"));
            }
            Movetext::Nag(number) => self.note(&format!("${number}")),
            // A number that is too large; the other signs, such as `ch.`, say what the move does.
            Movetext::Sign(sign) if sign.starts_with(b"$") => self.comment(&text_of(sign)),
            Movetext::Sign(_) => {}
            Movetext::Comment(text) if without(GameStyle::NoCommands) => {
                self.comment(&text_of(&without_commands(text, |_| true)));
            }
            Movetext::Comment(text) if without(GameStyle::NoClocks) => {
                self.comment(&text_of(&without_commands(text, |name| TIMES.contains(&name))));
            }
            Movetext::Comment(text) => self.comment(&text_of(text)),
            Movetext::Open => self.waiting.push(self.notes.len()),
            Movetext::Close => match self.waiting.pop() {
                // A variation without a move is left out; its notes are those of what it is in.
                Some(_) if self.waiting.is_empty() => {
                    let notes = std::mem::take(&mut self.notes);
                    self.note(&notes);
                }
                Some(_) => {}
                None => {
                    self.word.push(')');
                    self.is_apart = true;
                }
            },
            Movetext::Stop(problem) => self.comment(problem),
        }
    }

    pub(crate) fn end(&mut self, outcome: Option<Outcome>, opening: [Known<'_>; 3]) -> &str {
        let unknown = Outcome::Unknown.as_str();
        let result = self.result.known(outcome).unwrap_or(unknown);
        if self.result.known(None).is_none() && result != unknown {
            self.set_tags(&[("Result", result)]);
        }
        let known = opening.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let tags: Vec<_> = known.collect();
        if !tags.is_empty() {
            self.set_tags(&tags);
        }
        self.write_word();
        let mut words = std::mem::take(&mut self.words);
        let mut lines = MoveLines::default();
        let mut write = |text: &mut String, word: &str| {
            text.push_str(lines.before(word));
            text.push_str(word);
        };
        if let Some((start, last)) = self.selected.take() {
            let [from, to] = [start.ply, last].map(|ply| self.moves.get(ply as usize).copied());
            words.truncate(to.unwrap_or(words.len()));
            if start.ply > 0 {
                self.set_tags(&[("SetUp", "1"), ("FEN", &start.fen)]);
                words.drain(..from.unwrap_or(words.len()).min(words.len()));
                let number = format!("{}...", start.number.fullmove);
                let is_black = start.number.turn == Color::Black;
                if is_black && !words.is_empty() && !words.starts_with(&number) {
                    write(&mut self.text, &number);
                }
            }
        }
        words.lines().for_each(|word| write(&mut self.text, word));
        write(&mut self.text, result);
        self.text.push_str("\n\n");
        // Its memory is used again.
        self.words = words;
        &self.text
    }

    /// Writes a comment. A closing brace, which `;` allows, would end it.
    fn comment(&mut self, text: &str) {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if !words.is_empty() {
            self.note(&format!("{{{}}}", words.join(" ").replace('}', ")")));
        }
    }

    fn note(&mut self, note: &str) {
        if !self.waiting.is_empty() {
            self.notes.push(' ');
            return self.notes.push_str(note);
        }
        self.is_apart |= note.contains('{');
        for word in note.split_ascii_whitespace() {
            // It may not begin a line, which it would escape.
            if word.starts_with('%') && !self.word.is_empty() {
                self.word.push(' ');
                self.word.push_str(word);
            } else {
                self.word(format_args!("{word}"));
            }
        }
    }

    fn open_waiting(&mut self) {
        let (notes, mut starts) =
            (std::mem::take(&mut self.notes), std::mem::take(&mut self.waiting));
        starts.push(notes.len());
        for range in starts.windows(2) {
            self.opened += 1;
            self.is_apart = true;
            self.note(&notes[range[0]..range[1]]);
        }
    }

    fn word(&mut self, word: std::fmt::Arguments<'_>) {
        self.write_word();
        self.word.extend(std::iter::repeat_n('(', std::mem::take(&mut self.opened)));
        // Writing to memory does not fail.
        let _ = self.word.write_fmt(word);
    }

    fn write_word(&mut self) {
        if !self.word.is_empty() {
            self.words.push_str(&self.word);
            self.words.push('\n');
            self.word.clear();
        }
    }
}

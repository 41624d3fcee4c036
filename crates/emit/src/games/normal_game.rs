//! A game in the export format of the PGN standard (8.2), or with other tags of its opening and
//! otherwise unchanged.

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

use openings::GameName;
use pgn::{Chunk, TagPair, escaped, text_of, write_tag};
use san::{AnyPosition, Buffer, Color, FieldStyle};

use super::game_form::{GameForm, GameStyle};
use crate::annotations::without_commands;
use crate::game::GameContext;
use crate::ply::Ply;
use crate::problem::MoveNumber;
use crate::sink::Movetext;

/// Divides movetext into lines of less than 80 characters (PGN standard 8.2.1).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveLines {
    width: usize,
}

const WIDTH: usize = 80;

impl MoveLines {
    pub(crate) fn before(&mut self, word: &str) -> &'static str {
        let len = word.chars().count();
        let (width, space) = match self.width {
            0 => (len, ""),
            width if width + 1 + len < WIDTH => (width + 1 + len, " "),
            _ => (len, "\n"),
        };
        self.width = width;
        space
    }
}

// Inserts and replaces the tags of openings, leaving everything else of a game unchanged.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    range: Range<usize>,
    text: Vec<u8>,
}

pub(super) type KnownTag<'n> = (&'static str, Option<&'n str>);

pub(super) fn known_tags<'n>(name: &'n GameName<'_>) -> [KnownTag<'n>; 3] {
    [("ECO", name.eco()), ("NIC", name.nic()), ("Opening", name.opening())]
}

pub(super) fn edits(
    chunk: Chunk<'_>,
    start: usize,
    tags: &[TagPair<'_>],
    known: [KnownTag<'_>; 3],
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let is_latin_1 = tags.iter().any(|tag| std::str::from_utf8(tag.raw_value()).is_err());
    let mut missing: Vec<(&str, &str)> = Vec::new();
    for (name, value) in known {
        let Some(value) = value else { continue };
        let mut is_missing = true;
        for tag in tags.iter().filter(|tag| tag.name().eq_ignore_ascii_case(name.as_bytes())) {
            is_missing = false;
            if !says(&tag.text(), name, value) {
                let text = encoded(&escaped(value), is_latin_1);
                edits.push(Edit { range: range_of(tag.raw_value(), chunk), text });
            }
        }
        missing.extend(is_missing.then_some((name, value)));
    }
    if !missing.is_empty() {
        edits.push(insertion(chunk, start, tags.last(), &missing, is_latin_1));
    }
    edits.sort_by_key(|edit| edit.range.start);
    edits
}

fn range_of(part: &[u8], chunk: Chunk<'_>) -> Range<usize> {
    let start = part.as_ptr().addr() - chunk.bytes().as_ptr().addr();
    start..start + part.len()
}

/// Whether a tag already has a value; a more specific code of the same opening counts.
fn says(present: &str, name: &str, value: &str) -> bool {
    present == value || name == "ECO" && present.starts_with(value)
}

fn insertion(
    chunk: Chunk<'_>,
    start: usize,
    last: Option<&TagPair<'_>>,
    missing: &[(&str, &str)],
    is_latin_1: bool,
) -> Edit {
    let bytes = chunk.bytes();
    let last_end = last.map(|tag| range_of(tag.raw_value(), chunk).end);
    let line_end = line_end(bytes, last_end.unwrap_or(start));
    let mut lines = Vec::new();
    for (name, value) in missing {
        let mut tag = Vec::new();
        write_tag(name, value, &mut tag);
        lines.push(encoded(&String::from_utf8_lossy(&tag), is_latin_1));
    }
    let mut text = lines.join(line_end);
    let at = match last.zip(last_end) {
        Some((_, end)) if bytes[end..].starts_with(b"\"]") => {
            text.splice(..0, line_end.iter().copied());
            end + 2
        }
        // The end of this tag is uncertain, so the new ones are inserted before it.
        Some((tag, _)) => {
            text.extend_from_slice(line_end);
            let name = range_of(tag.name(), chunk).start;
            let opens = bytes[..name].iter().rposition(|byte| *byte == b'[');
            opens.unwrap_or(start)
        }
        None => {
            text.extend_from_slice(line_end);
            text.extend_from_slice(line_end);
            if !begins_line(chunk, start) {
                text.splice(..0, line_end.iter().copied());
            }
            start
        }
    };
    Edit { range: at..at, text }
}

fn begins_line(chunk: Chunk<'_>, at: usize) -> bool {
    match &chunk.bytes()[..at] {
        [] | b"\xef\xbb\xbf" => !chunk.begins_within_line(),
        [.., before] => matches!(before, b'\n' | b'\r'),
    }
}

pub(super) fn line_end(chunk: &[u8], at: usize) -> &'static [u8] {
    let end = chunk[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    match end.map(|end| &chunk[at + end..]) {
        Some([b'\r', b'\n', ..]) => b"\r\n",
        Some([b'\r', ..]) => b"\r",
        _ => b"\n",
    }
}

/// Encodes a text for the file: as ISO 8859-1 if the tags of the game are, and if possible.
fn encoded(text: &str, is_latin_1: bool) -> Vec<u8> {
    let latin_1: Option<Vec<u8>> =
        if is_latin_1 { text.chars().map(|c| u8::try_from(c).ok()).collect() } else { None };
    latin_1.unwrap_or_else(|| text.as_bytes().to_owned())
}

pub(super) fn apply(edits: &[Edit], chunk: &[u8], copied: Range<usize>, output: &mut Buffer) {
    let mut at = copied.start;
    for Edit { range, text } in edits {
        output.extend(&chunk[at..range.start]);
        output.extend(text);
        at = range.end;
    }
    output.extend(&chunk[at..copied.end]);
}

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

const TIMES: [&[u8]; 5] = [b"clk", b"egt", b"emt", b"mct", b"timestamp"];

#[derive(Debug, Default)]
pub(crate) struct NormalGame {
    form: GameForm,
    text: String,
    tags: Vec<(String, String)>,
    words: String,
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
    selected: Option<(CutPosition, u32)>,
}

#[derive(Debug)]
struct CutPosition {
    ply: u32,
    fen: String,
    number: MoveNumber,
}

impl NormalGame {
    pub(crate) fn new(form: GameForm) -> Self {
        NormalGame { form, ..NormalGame::default() }
    }

    pub(crate) fn begin(&mut self, game: &GameContext<'_>) {
        let tags = &game.tags;
        *self = NormalGame { is_apart: true, ..NormalGame::new(self.form) };
        let result = game.result_of_tags().unwrap_or_default().as_str();
        let first = |name: &str| tags.iter().position(|tag| tag.name() == name.as_bytes());
        for (name, unknown) in ROSTER {
            let value = match first(name) {
                _ if name == "Result" => result.into(),
                Some(index) => tags[index].text(),
                None => unknown.into(),
            };
            self.push_tag(name, &value);
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
                    self.push_tag("SetUp", "1");
                    self.push_tag("FEN", &tag.text());
                }
                "SetUp" | "Variant" => self.push_tag(&name, &tag.text()),
                _ if self.form.has(GameStyle::NoTags) => {}
                name => self.push_tag(name, &tag.text()),
            }
        }
    }

    pub(crate) fn select<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, style: FieldStyle) {
        if !self.form.has(GameStyle::Selected) {
            return;
        }
        match &mut self.selected {
            Some((_, last)) => *last = ply.number,
            None => {
                let Ply { position, number: ply, .. } = *ply;
                let number = MoveNumber::of(position);
                self.selected = Some((CutPosition { ply, fen: position.fen(style), number }, ply));
            }
        }
    }

    fn push_tag(&mut self, name: &str, value: &str) {
        let mut line = Vec::new();
        write_tag(name, value, &mut line);
        let line = String::from_utf8_lossy(&line).replace(|c: char| c.is_control(), " ");
        self.tags.push((name.to_owned(), line));
    }

    fn set_tag(&mut self, name: &str, value: &str) {
        let place = self.tags.iter().position(|(other, _)| other == name);
        self.push_tag(name, value);
        if let Some(place) = place {
            self.tags.swap_remove(place);
        }
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
            Movetext::Start(fen) => {
                self.set_tag("SetUp", "1");
                self.set_tag("FEN", fen);
            }
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

    pub(crate) fn end(&mut self, game: &GameContext<'_>, opening: [KnownTag<'_>; 3]) -> &str {
        let result = game.result().unwrap_or_default().as_str();
        if game.result_of_tags().is_none() && game.result().is_some() {
            self.set_tag("Result", result);
        }
        for (name, value) in opening.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            self.set_tag(name, value);
        }
        self.write_word();
        let mut words = std::mem::take(&mut self.words);
        let mut number = None;
        if let Some((start, last)) = self.selected.take() {
            let [from, to] = [start.ply, last].map(|ply| self.moves.get(ply as usize).copied());
            words.truncate(to.unwrap_or(words.len()));
            if start.ply > 0 {
                self.set_tag("SetUp", "1");
                self.set_tag("FEN", &start.fen);
                words.drain(..from.unwrap_or(words.len()).min(words.len()));
                let first = format!("{}...", start.number.fullmove);
                let is_black = start.number.turn == Color::Black;
                number = Some(first)
                    .filter(|first| is_black && !words.is_empty() && !words.starts_with(first));
            }
        }
        for (_, line) in &self.tags {
            self.text.push_str(line);
            self.text.push('\n');
        }
        self.text.push('\n');
        let mut lines = MoveLines::default();
        for word in number.as_deref().into_iter().chain(words.lines()).chain([result]) {
            self.text.push_str(lines.before(word));
            self.text.push_str(word);
        }
        self.text.push_str("\n\n");
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

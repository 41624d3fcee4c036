//! A game in the export format of the PGN standard (8.2).

use std::fmt::Write;

use pgn::{Outcome, TagPair, text_of, write_tag};
use san::Color;

use crate::games::game_result::GameResult;
use crate::games::move_lines::MoveLines;
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

/// The numbers (10) of annotations in signs. Others, such as `ch.` and `e.p.`, say what the move
/// does.
const SIGNS: &[(u8, &[&str])] = &[
    (1, &["!"]),
    (2, &["?"]),
    (3, &["!!", "‼"]),
    (4, &["??", "⁇"]),
    (5, &["!?", "⁉"]),
    (6, &["?!", "⁈"]),
    (7, &["□"]),
    (10, &["="]),
    (13, &["∞"]),
    (14, &["+=", "+/=", "⩲"]),
    (15, &["=+", "=/+", "⩱"]),
    (16, &["±", "+/-"]),
    (17, &["∓", "-/+"]),
    (18, &["+-", "+--"]),
    (19, &["-+", "--+"]),
    (22, &["⨀"]),
    (26, &["○"]),
    (36, &["↑"]),
    (40, &["→"]),
    (44, &["=/∞"]),
    (132, &["⇆"]),
    (138, &["⊕"]),
    (140, &["∆"]),
    (142, &["⌓"]),
    (145, &["RR"]),
    (146, &["N", "TN"]),
    (220, &["D"]),
];

/// Writes a game from its tags and the parts of its movetext.
#[derive(Debug, Default)]
pub(crate) struct NormalGame {
    text: String,
    result: GameResult,
    /// Where the value of the tag `Result` is in the text.
    result_at: usize,
    lines: MoveLines,
    /// The last word, which a parenthesis may follow.
    word: String,
    /// Number of parentheses before the next word.
    opened: usize,
    /// Whether a move of Black has its number, because it does not follow a move directly.
    is_apart: bool,
    /// The variations that have begun, but have no move yet, with what is written after their
    /// parentheses.
    waiting: Vec<String>,
}

impl NormalGame {
    /// Begins a game.
    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.text.clear();
        self.word.clear();
        self.waiting.clear();
        (self.lines, self.opened, self.is_apart) = (MoveLines::default(), 0, true);
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
        self.result_at = self.text.len() - "\"]\n".len() - result.len();
        let is_unknown = |index: usize| pgn::is_unknown(b"FEN", tags[index].raw_value());
        let has_start = first("FEN").is_some_and(|index| !is_unknown(index));
        for (index, tag) in tags.iter().enumerate() {
            let name = text_of(tag.name());
            let is_repeated = first(&name).is_some_and(|first| first < index);
            if is_repeated || ROSTER.iter().any(|(of_all, _)| *of_all == name) {
                continue;
            }
            match &*name {
                "SetUp" if has_start || tag.text() == "1" => {}
                "FEN" if !has_start => {}
                "FEN" => {
                    self.tag("SetUp", "1");
                    self.tag("FEN", &tag.text());
                }
                name => self.tag(name, &tag.text()),
            }
        }
        self.text.push('\n');
    }

    /// Replaces or adds the tag of the starting position.
    fn start(&mut self, fen: &str) {
        const TAG: &str = "[FEN \"";
        let tags = std::mem::take(&mut self.text);
        let is_there = tags.lines().any(|line| line.starts_with(TAG));
        for line in tags.lines() {
            match line {
                line if line.starts_with(TAG) => self.tag("FEN", fen),
                "" if !is_there => {
                    self.tag("SetUp", "1");
                    self.tag("FEN", fen);
                    self.text.push('\n');
                }
                line => {
                    self.text.push_str(line);
                    self.text.push('\n');
                }
            }
        }
    }

    fn tag(&mut self, name: &str, value: &str) {
        let mut tag = Vec::new();
        write_tag(name, value, &mut tag);
        let tag = String::from_utf8_lossy(&tag).replace(|c: char| c.is_control(), " ");
        self.text.push_str(&tag);
        self.text.push('\n');
    }

    /// Adds the next part of the movetext.
    pub(crate) fn add(&mut self, part: Movetext<'_>) {
        match part {
            Movetext::Start(fen) => self.start(fen),
            Movetext::Move(number, san) => {
                self.open_waiting();
                let MoveNumber { fullmove, turn } = number;
                match turn {
                    Color::White => self.word(format_args!("{fullmove}.")),
                    Color::Black if self.is_apart => self.word(format_args!("{fullmove}...")),
                    Color::Black => {}
                }
                self.is_apart = false;
                match san {
                    Some(san) => self.word(format_args!("{san}")),
                    None => self.word(format_args!("--")),
                }
            }
            Movetext::Nag(number) => self.note(&format!("${number}")),
            Movetext::Sign(sign) => {
                let sign = text_of(sign);
                match SIGNS.iter().find(|(_, signs)| signs.contains(&&*sign)) {
                    Some((number, _)) => self.note(&format!("${number}")),
                    // A number that is too large.
                    None if sign.starts_with('$') => self.comment(&sign),
                    None => {}
                }
            }
            Movetext::Comment(text) => self.comment(&text_of(text)),
            Movetext::Open => self.waiting.push(String::new()),
            Movetext::Close => match self.waiting.pop() {
                // A variation without a move is left out.
                Some(notes) => self.note(&notes),
                None => {
                    self.word.push(')');
                    self.is_apart = true;
                }
            },
            Movetext::Stop(problem) => self.comment(problem),
        }
    }

    /// Writes the result, and returns the text of the game.
    pub(crate) fn end(&mut self, outcome: Option<Outcome>) -> &str {
        let unknown = Outcome::Unknown.as_str();
        let result = self.result.known(outcome).unwrap_or(unknown);
        if self.result.known(None).is_none() {
            let at = self.result_at..self.result_at + unknown.len();
            self.text.replace_range(at, result);
        }
        self.word(format_args!("{result}"));
        self.write_word();
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

    /// Writes NAGs or comments.
    fn note(&mut self, note: &str) {
        if let Some(waiting) = self.waiting.last_mut() {
            waiting.push(' ');
            return waiting.push_str(note);
        }
        self.is_apart |= note.contains('{');
        for word in note.split_ascii_whitespace() {
            self.word(format_args!("{word}"));
        }
    }

    /// Opens the variations of the next move.
    fn open_waiting(&mut self) {
        for notes in std::mem::take(&mut self.waiting) {
            self.opened += 1;
            self.is_apart = true;
            self.note(&notes);
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
            self.text.push_str(self.lines.before(&self.word));
            self.text.push_str(&self.word);
            self.word.clear();
        }
    }
}

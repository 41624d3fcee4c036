//! Detects from the first bytes whether a text contains games, positions, or neither.

use std::fmt;
use std::io::Read;

use emit::CsvHeader;
use pgn::Unit;
use san::keywords;
use stream::read_at::ErrorAtEnd;
use table::{ARROW_FILE, ARROW_STREAM, PARQUET};
use training::TrainingFormat;

keywords! {
    /// What a file contains.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum InputKind {
        /// Games.
        Pgn = "pgn",
        /// EPD records, FENs or labels.
        Epd = "epd",
        /// A table of positions as text, with a header, such as the puzzles of Lichess, or positions of Lucas Chess.
        Csv = "csv",
        /// A table of positions as lines of JSON.
        JsonLines = "jsonl",
        /// A table of positions as a stream or file of Arrow.
        Arrow = "arrow",
        /// A table of positions as Parquet.
        Parquet = "parquet",
        /// Evaluations of Lichess, lines of JSON.
        Evaluations = "evals",
        /// Entries of training data as text, Stockfish's .plain.
        Plain = "plain",
        /// Training data of Viridithas.
        Viriformat = "viriformat",
        /// Stockfish's training data.
        Binpack = "binpack",
        /// Training data of bullet.
        Bulletformat = "bulletformat",
        /// Training data of marlinflow.
        Marlinformat = "marlinformat",
    }
}

impl InputKind {
    pub(super) fn text(self) -> TextKind {
        match self {
            InputKind::Pgn => TextKind::Pgn,
            InputKind::Epd => TextKind::Epd,
            InputKind::Plain => TextKind::Plain,
            InputKind::Csv => TextKind::Csv,
            InputKind::JsonLines => TextKind::JsonLines,
            InputKind::Arrow | InputKind::Parquet => TextKind::Columns,
            InputKind::Evaluations => TextKind::Evaluations,
            InputKind::Viriformat => TextKind::Training(TrainingFormat::Viriformat),
            InputKind::Binpack => TextKind::Training(TrainingFormat::Binpack),
            InputKind::Bulletformat => TextKind::Training(TrainingFormat::Bulletformat),
            InputKind::Marlinformat => TextKind::Training(TrainingFormat::Marlinformat),
        }
    }

    pub(super) fn training(self) -> Option<TrainingFormat> {
        if let TextKind::Training(format) = self.text() { Some(format) } else { None }
    }
}

const LOOKED_AT: u64 = 4096;

/// Bytes examined if the first ones are prose, such as the preface of a file of games.
const LOOKED_AT_PROSE: u64 = 1 << 20;

/// The content of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextKind {
    /// Games.
    Pgn,
    /// EPD records or FENs, in any [dialect](crate::epd::Dialect).
    Epd,
    /// A table of positions as text: CSV, with a header, commas, tabs or semicolons. Puzzles of
    /// Lichess are one, and positions of Lucas Chess.
    Csv,
    /// A table of positions as lines of JSON.
    JsonLines,
    /// A table of positions as Parquet or Arrow.
    Columns,
    /// An explorer file or a partial result, with the counts of a book.
    Explorer,
    /// Evaluations of Lichess, lines of JSON.
    Evaluations,
    /// Entries of training data as text, Stockfish's .plain.
    Plain,
    /// Training data of engines, which has no mark: known by the name of the file or by
    /// [`Options::input`](crate::Options::input).
    Training(TrainingFormat),
    /// Something else: its name, such as "a RAR archive".
    Other(&'static str),
}

const POLYGLOT: &str = "a Polyglot book";
const JSON_OF_GAMES: &str = "JSON of games";
const PROSE: &str = "plain text";
pub(super) const JSON: &str = "JSON with positions that is not one object a line";
pub(super) const POSITIONS: &str = "text with positions in a form that is not recognized";

const NOT_READ: &[(&[u8], &str)] = &[
    (b"\x04\x22\x4d\x18", "an lz4 file"),
    (b"\x02\x21\x4c\x18", "an lz4 file"),
    (b"LZIP", "an lzip file"),
    (b"\x89LZO\0", "an lzop file"),
    (b"\x1f\x9d", "a compress (.Z) file"),
    (b"]\0\0", "an lzma file"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"%PDF-", "a PDF file"),
    (b"SQLite format 3\0", "an SQLite file"),
];

const READERS: &[(&str, &str)] = &[
    (POLYGLOT, "`book show` reads it"),
    (
        JSON_OF_GAMES,
        "`jq -r '.. | .pgn? // empty' FILE | pgn2epd -` reads the games of Chess.com; Lichess sends \
         PGN if the header Accept is application/x-chess-pgn",
    ),
    (JSON, "`jq -c '.[]?' FILE` or `jq -c . FILE` write such objects"),
    (
        POSITIONS,
        "a table needs a line with names of columns, or one column of FENs alone; --input says what a file contains",
    ),
];

const TAR: (usize, &[u8]) = (257, b"ustar");

/// A text with fewer control characters is never binary: damage leaves a few.
const LEAST_CONTROLS: usize = 16;

impl TextKind {
    /// Detects the content from the first bytes, at most 4096.
    ///
    /// Positions are recognized by the first line that is neither empty nor a comment (`#`, `;`,
    /// `%`): it begins with ranks, and no game begins with five slashes among board letters.
    ///
    /// ```
    /// use pgn2epd::input::TextKind;
    ///
    /// assert_eq!(TextKind::of(b"# a suite\n\n4k3/8/8/8/8/8/4P3/4K3 w - -\n"), TextKind::Epd);
    /// assert_eq!(TextKind::of(b"k2r/ppp5/8/8/8/Q/5PPP/7K/ b -\n"), TextKind::Epd);
    /// assert_eq!(TextKind::of(b"id,fen\n"), TextKind::Csv);
    /// assert_eq!(TextKind::of(b"{\"id\": 1, \"fen\": \"8/"), TextKind::JsonLines);
    /// assert_eq!(TextKind::of(b"1. e4 e5 1/2-1/2\n"), TextKind::Pgn);
    /// assert_eq!(TextKind::of(b"\x04\x22\x4d\x18"), TextKind::Other("an lz4 file"));
    /// assert_eq!(TextKind::of(b"Dear reader,\n"), TextKind::Other("plain text"));
    /// ```
    pub fn of(first: &[u8]) -> Self {
        let is_read = |(magic, _): &&(&[u8], _)| first.starts_with(magic);
        if let Some((_, name)) = NOT_READ.iter().find(is_read) {
            return TextKind::Other(name);
        }
        #[cfg(feature = "book")]
        if first.starts_with(::book::count_file::MAGIC) {
            return TextKind::Explorer;
        }
        if [PARQUET, ARROW_FILE, ARROW_STREAM].iter().any(|magic| first.starts_with(magic)) {
            return TextKind::Columns;
        }
        if first.starts_with(b"BINP") {
            return TextKind::Training(TrainingFormat::Binpack);
        }
        if first.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1)) {
            return TextKind::Other("a tar archive");
        }
        if is_polyglot_book(first, first.len() as u64 >= LOOKED_AT) {
            return TextKind::Other(POLYGLOT);
        }
        if is_binary(first) {
            return TextKind::Other("a binary file");
        }
        if is_json_of_games(first) {
            return TextKind::Other(JSON_OF_GAMES);
        }
        let text = pgn::text_of(first);
        let line = first_line(&text);
        let has_key = |key| has_key(line, key);
        match begins_with_ranks(first) {
            true if CsvHeader::of(&text).is_some() => TextKind::Csv,
            true => TextKind::Epd,
            false if is_plain(first) => TextKind::Plain,
            // One object ends on its line, unless that is longer than what is examined.
            false if is_object(line) && (line.ends_with('}') || text.lines().count() == 1) => {
                match has_key("fen") && has_key("evals") {
                    true => TextKind::Evaluations,
                    false if ["fen", "epd", "record"].into_iter().any(has_key) => {
                        TextKind::JsonLines
                    }
                    false if has_fen(line) && !has_key("pgn") => TextKind::JsonLines,
                    false => TextKind::Pgn,
                }
            }
            false if CsvHeader::of(&text).is_some() => TextKind::Csv,
            // A damaged line before the records is an error of its own.
            false if !has_game(first) && text.lines().any(is_record) => TextKind::Epd,
            false if has_fen(&text) && !has_game(first) => {
                TextKind::Other(if line.starts_with(['[', '{']) { JSON } else { POSITIONS })
            }
            false if is_prose(first) => TextKind::Other(PROSE),
            false => TextKind::Pgn,
        }
    }

    pub(crate) fn has_positions(self) -> bool {
        !matches!(self, TextKind::Pgn | TextKind::Other(_))
    }

    pub(crate) fn has_games(self) -> bool {
        match self {
            TextKind::Training(format) => format.has_games(),
            kind => kind == TextKind::Plain || !kind.has_positions(),
        }
    }

    /// Returns the unit that is not split in such a text; `None` if it is not divided.
    pub fn unit(self) -> Option<Unit> {
        match self {
            TextKind::Pgn | TextKind::Other(_) => Some(Unit::Game),
            TextKind::Columns | TextKind::Explorer | TextKind::Plain => None,
            TextKind::Training(_) => None,
            _ => Some(Unit::Line),
        }
    }
}

/// Whether 1/16 of the bytes are control characters (random: 1/10), 1/100 if 1/4 is not ASCII.
/// A run of NUL counts as one, because text may continue after a damaged disk sector.
fn is_binary(first: &[u8]) -> bool {
    let is_control = |byte: u8| matches!(byte, 0..=8 | 0x0e..=0x19 | 0x1c..=0x1f);
    let (mut bytes, mut controls) = (0, 0);
    let mut before = None;
    for &byte in first {
        if byte != 0 || before != Some(0) {
            bytes += 1;
            controls += usize::from(is_control(byte));
        }
        before = Some(byte);
    }
    let is_empty = first.len() >= LEAST_CONTROLS && first.iter().all(|byte| *byte == 0);
    let high = first.iter().filter(|byte| !byte.is_ascii()).count();
    let share = if 4 * high > bytes { 100 } else { 16 };
    is_empty || controls >= LEAST_CONTROLS && share * controls > bytes
}

fn begins_with_ranks(text: &[u8]) -> bool {
    let is_comment =
        |line: &[u8]| matches!(line, [b'#' | b';' | b'%', ..] | [b'/', b'/', b' ', ..]);
    let first = lines(text).find(|line| !is_comment(line)).unwrap_or_default();
    let commands = [&b"info string genfens "[..], b"position fen "];
    let first = commands.iter().find_map(|command| first.strip_prefix(*command)).unwrap_or(first);
    if first.starts_with(b"startpos") || first.starts_with(b"position startpos") {
        return true;
    }
    let is_of_board = |byte: &&u8| {
        matches!(byte, b'0'..=b'9' | b'/' | b' ' | b'~') || b"pnbrqkPNBRQK".contains(byte)
    };
    first.iter().take_while(is_of_board).filter(|byte| **byte == b'/').count() > 4
}

fn is_plain(text: &[u8]) -> bool {
    let text = without_mark(text).trim_ascii_start();
    text.strip_prefix(b"fen ").is_some_and(begins_with_ranks)
}

fn is_json_of_games(first: &[u8]) -> bool {
    let text = without_mark(first).trim_ascii_start();
    let inside = text.strip_prefix(b"[").unwrap_or(text).trim_ascii_start();
    let object = inside.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    let is_object = object.is_some_and(|object| object.starts_with(b"\""));
    // Other keys of their games, which no table of positions has.
    let has = |key| has_key(&pgn::text_of(text), key);
    let is_of_chess_com = || has("games") || has("time_class") || has("time_control");
    let is_of_lichess = || has("players") || has("perf") || has("rated");
    is_object
        && (has("pgn") && (is_of_chess_com() || is_of_lichess() || !has("fen"))
            || has("moves") && is_of_lichess())
}

/// Whether a line begins like an object of JSON, which a comment of PGN does not.
fn is_object(line: &str) -> bool {
    line.strip_prefix('{').is_some_and(|line| line.trim_start().starts_with(['"', '}']))
}

fn is_record(line: &str) -> bool {
    emit::begins_with_fen(line) && line.bytes().filter(|byte| *byte == b'/').count() < 14
}

/// Whether a text has a FEN, between any characters that it does not have itself.
fn has_fen(text: &str) -> bool {
    let is_around = |c: char| "\"',;|\t\n\r\\[({<>".contains(c);
    let mut parts = text.split(is_around).flat_map(|part| {
        let words = part.match_indices(' ').map(|(at, _)| &part[at + 1..]);
        std::iter::once(part).chain(words)
    });
    parts.any(emit::begins_with_fen)
}

fn first_line(text: &str) -> &str {
    let mut lines = text.trim_start_matches('\u{feff}').split(['\n', '\r']).map(str::trim);
    let is_text =
        |line: &&str| !line.is_empty() && !line.starts_with('#') && !line.starts_with("//");
    lines.find(is_text).unwrap_or_default()
}

fn has_key(line: &str, key: &str) -> bool {
    line.match_indices('"').any(|(at, _)| {
        let rest = line.as_bytes()[at + 1..].split_at_checked(key.len());
        rest.is_some_and(|(name, rest)| {
            let value = rest.strip_prefix(b"\"").map(<[u8]>::trim_ascii_start);
            name.eq_ignore_ascii_case(key.as_bytes())
                && value.is_some_and(|value| value.starts_with(b":"))
        })
    })
}

#[derive(Debug)]
pub(super) struct NotChess(pub(super) &'static str);

impl fmt::Display for NotChess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is {}, not PGN or EPD", self.0)?;
        match READERS.iter().find(|(name, _)| *name == self.0) {
            Some((_, readers)) => write!(f, ": {readers}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for NotChess {}

pub(super) fn first_bytes<'r>(mut text: impl Read + 'r) -> (Vec<u8>, Box<dyn Read + 'r>) {
    let mut first = Vec::new();
    let mut read = (&mut text).take(LOOKED_AT).read_to_end(&mut first);
    if first.len() as u64 == LOOKED_AT && TextKind::of(&first) == TextKind::Other(PROSE) {
        let rest = LOOKED_AT_PROSE - LOOKED_AT;
        read = read.and_then(|_| (&mut text).take(rest).read_to_end(&mut first));
    }
    match read {
        Ok(_) => (first, Box::new(text)),
        Err(error) => (first, Box::new(ErrorAtEnd::from(Some(error)))),
    }
}

// Distinguishes games from prose by words that only texts about chess contain. A text is prose only
// if there is no sign of chess at all: taking games for prose would lose them, while prose that is
// read as games only causes warnings.

/// Whether a text has words, and no sign of chess; one that begins with `{` is a game.
fn is_prose(text: &[u8]) -> bool {
    let mut has_words = false;
    for line in lines(text) {
        match line[0] {
            b';' | b'%' | b'#' => continue,
            b'{' if !has_words => return false,
            _ => has_words = true,
        }
        if is_tag_pair(line) || words(line).any(is_of_chess) || line.ends_with(b"*") {
            return false;
        }
    }
    has_words
}

/// Whether the first line, except for escaped ones, is a tag pair or contains the first move.
pub(super) fn begins_with_game(text: &[u8]) -> bool {
    let first = lines(text).find(|line| line[0] != b'%').unwrap_or_default();
    is_tag_pair(first) || first.strip_prefix(b"1.").is_some_and(|rest| words(rest).any(is_of_chess))
}

fn has_game(text: &[u8]) -> bool {
    let has_moves = |line: &[u8]| {
        let words: Vec<&[u8]> = line.split(|byte| b" \t".contains(byte)).collect();
        let is_numbered = |pair: &[&[u8]]| {
            let digits = pair[0].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (number, rest) = pair[0].split_at(digits);
            let dots = rest.iter().take_while(|byte| **byte == b'.').count();
            let attached = &rest[dots..];
            let text = if attached.is_empty() { pair[1] } else { attached };
            !number.is_empty() && dots > 0 && (has_square(text) || text.starts_with(b"O-O"))
        };
        words.windows(2).any(is_numbered) || is_numbered(&[words[words.len() - 1], b""])
    };
    lines(text).any(|line| is_tag_pair(line) || has_moves(line))
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = without_mark(text).split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}

fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Whether a line begins like `[Event "`.
fn is_tag_pair(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let rest = rest.trim_ascii_start();
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let (name, value) = rest.split_at(name.count());
    !name.is_empty() && value.trim_ascii_start().starts_with(b"\"")
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| b" \t\x0b\x0c.,:;(){}[]\"'".contains(byte)).filter(|word| !word.is_empty())
}

/// Whether a word could be a move in any notation, a result, or the ranks of a board.
fn is_of_chess(word: &[u8]) -> bool {
    let slashes = word.iter().filter(|byte| **byte == b'/').count();
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"--" | b"Z0")
        || [b"O-O", b"0-0", b"o-o"].iter().any(|castling| word.starts_with(*castling))
        || slashes >= 3 && word.iter().all(|byte| b"12345678/pnbrqkPNBRQK~".contains(byte))
        || has_square(word)
}

/// Whether a word is like a move: `Nf3!?`, `e7-e8=Q+`, `12e4`, `♘f3`, but not `utf8`, `sha256`.
fn has_square(word: &[u8]) -> bool {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut word = &word[digits..];
    while let [rest @ .., b'+' | b'#' | b'!' | b'?' | b'='] = word {
        word = rest;
    }
    if let [rest @ .., b'=', _] | [rest @ .., _] = word
        && matches!(rest, [.., b'a'..=b'h', b'1' | b'8'])
    {
        word = rest;
    }
    let [before @ .., b'a'..=b'h', b'1'..=b'8'] = word else { return false };
    let before = if let [b'A'..=b'Z', rest @ ..] = before { rest } else { before };
    let is_of_move = |byte: &u8| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-' | 0x80..);
    before.iter().all(is_of_move)
}

// Recognizes Polyglot books, without magic bytes: entries of 16 bytes, big-endian, in order.

/// Size of an entry: key, move, weight and learning data.
const POLYGLOT_ENTRY: usize = 16;

/// Whether bytes of a file, which may be cut, are entries sorted by key, with valid moves.
/// Text and random bytes do not pass, since four bytes of each entry must be zero.
fn is_polyglot_book(first: &[u8], is_cut: bool) -> bool {
    let (entries, rest) = first.as_chunks::<POLYGLOT_ENTRY>();
    !entries.is_empty()
        && (rest.is_empty() || is_cut)
        && entries.iter().all(is_entry)
        && entries.is_sorted_by_key(|entry| &entry[..8])
}

/// Whether squares differ, the piece has a code, and learning data is absent, as in most books.
fn is_entry(entry: &[u8; POLYGLOT_ENTRY]) -> bool {
    let mv = u16::from_be_bytes([entry[8], entry[9]]);
    let (to, from, promotion) = (mv & 63, mv >> 6 & 63, mv >> 12);
    to != from && promotion <= 4 && entry[12..] == [0; 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_has_no_sign_of_chess() {
        for (text, expected) in [
            ("Dear reader,\n\nthis file has no games.\n", true),
            ("# Title\n\n* one [link](https://example.org)\n* two (2nd)\n\n1. First\n", true),
            ("name,elo\nCarlsen,2830\n", true),
            ("utf8, sha256 and <h1> are no squares, nor is 3d or b2b", true),
            ("{\"games\": []}", false),
            ("{a comment} of a game", false),
            ("[package]\nname = \"x\"\n", true),
            ("From: a@b.example\n\n[Event \"?\"]\n", false),
            ("[ Event \"?\" ]", false),
            ("Here it is:\n1.e4 e5", false),
            ("1. ♘f3", false),
            ("hello e2e4", false),
            ("bxa8D", false),
            ("e7-e8=Q+", false),
            ("12e4!?", false),
            ("1. O-O-O", false),
            ("A draw: 1/2-1/2", false),
            ("1-0", false),
            ("*", false),
            ("8/8/8/8/8/8/8/7 w - -", false),
            ("; a comment\n% escaped\n# another\n", false),
            ("", false),
            (" \r\n\t\n", false),
        ] {
            assert_eq!(is_prose(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_game_begins_with_a_tag_or_a_move() {
        for (text, expected) in [
            ("[Event \"?\"]\n\n*", true),
            ("\u{feff}\n% escaped\n[White \"A\"]", true),
            ("1. e4 e5 *", true),
            ("1.e4", true),
            ("1. First, buy a book\n", false),
            ("bm Nf3; id \"1\";", false),
            ("8/8/8/8/8/8/8/7 w - - bm e4;", false),
            ("[0.5]", false),
            ("", false),
        ] {
            assert_eq!(begins_with_game(text.as_bytes()), expected, "{text}");
        }
    }

    fn entry(key: u64, mv: u16) -> Vec<u8> {
        [&key.to_be_bytes()[..], &mv.to_be_bytes(), &[0, 1, 0, 0, 0, 0]].concat()
    }

    #[test]
    fn sorted_entries_with_moves_are_a_book() {
        const E4: u16 = 12 << 6 | 28;
        let book = [entry(1, E4), entry(1, E4 + 1), entry(0xf000_0000_0000_0000, E4)].concat();
        let cases = [
            ("three entries", book.clone(), true),
            ("one entry", entry(7, E4), true),
            ("a move from a8 to a1", entry(7, 56 << 6), true),
            ("a move from a1 to a1", entry(7, 0), false),
            ("a promotion to a queen", entry(7, 4 << 12 | 52 << 6 | 60), true),
            ("the first bytes of many entries", entry(7, E4).repeat(256), true),
            ("nothing", Vec::new(), false),
            ("an entry that is cut", book[..40].to_vec(), false),
            ("keys out of order", [entry(2, E4), entry(1, E4)].concat(), false),
            ("a move to its own square", entry(7, 0), false),
            ("no such piece", entry(7, 5 << 12 | E4), false),
            ("NUL bytes", vec![0; 5000], false),
            ("16 letters", b"1. e4 e5 2. Nf3*".to_vec(), false),
        ];
        assert!(is_polyglot_book(&book[..40], true));
        for (name, bytes, expected) in cases {
            assert_eq!(is_polyglot_book(&bytes, false), expected, "{name}");
        }
    }
}

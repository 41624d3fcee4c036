//! The pull scanner: bytes to games to tokens, in one pass and without copying.

mod behind_result;
mod between;
mod guess;
mod movetext;
mod pass;
mod tag_section;

pub use guess::Guess;
pub(crate) use tag_section::COMPARED_NAMES;

use crate::Span;
use crate::boundary::{Follow, Tail};
use crate::class::ends_word;
use crate::fault::{Fault, FaultKind};
use crate::tag::{self, TagPair};
use crate::token::{Outcome, Token};

/// So many faults are listed for one game; it bounds the memory that a hostile one costs.
const MOST_FAULTS: usize = 100;

/// Reads games from a slice of bytes.
///
/// [`Scanner::next_game`] reads up to the end of the next tag section, [`Scanner::next_token`] gives the tokens of that
/// game's movetext. Where a game begins and ends:
///
/// * a tag pair at the beginning of a line, outside of `{}`, begins a game if movetext came before it, with or without a
///   blank line or a result between; behind a result it may stand anywhere in a line;
/// * in a tag section, a tag pair begins a new game if a blank line came before it and its name is `Event` or was there
///   already (games without movetext follow each other in broadcasts);
/// * a result outside of variations ends the movetext; a move or a move number behind it begins the next game, so bare
///   move lists follow each other;
/// * a blank line ends nothing, but if move number 1 follows it, the next bare move list begins;
/// * a variation that is still open ends with its game.
///
/// `%` in the first column escapes its line, outside of `{}` (PGN standard 6). Nothing recurses and nothing is copied;
/// the cost is linear in the input, whatever it holds.
///
/// ```
/// use pgn::{Scanner, Token};
///
/// let mut scanner = Scanner::new(b"[White \"A\"]\n\n1. e4 {best} e5 *\n");
/// assert!(scanner.next_game());
/// assert_eq!(scanner.tags()[0].name(), b"White");
/// assert_eq!(scanner.next_token(), Some(Token::Move(b"e4")));
/// assert_eq!(scanner.next_token(), Some(Token::Comment(b"best")));
/// ```
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    /// The next byte to read.
    at: usize,
    phase: Phase,
    /// Variations that are open.
    depth: u32,
    /// Parentheses that are open behind the result.
    depth_behind_result: u32,
    /// A blank line came since the last token.
    blank_line: bool,
    /// The main line of this game has a move.
    has_moves: bool,
    /// What stands at `at` begins a game, even in the middle of a line.
    starts_here: bool,
    /// Where the game before this one ended.
    last_end: usize,
    game_start: usize,
    token_start: usize,
    /// Where the outermost open variation opens.
    variation_start: usize,
    tags: Vec<TagPair<'a>>,
    faults: Vec<Fault>,
    follow: Follow,
    /// Set once the bytes have ended.
    tail: Tail,
    is_cut: bool,
}

/// Where in a game the scanner stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Outside of every game, or at the end of one.
    Between,
    Movetext,
    /// Behind the result.
    Over,
}

/// What a run of digits and dots is.
enum Digits {
    /// A move number, and the byte after it.
    Number(usize),
    Result(Outcome, usize),
    /// A word that begins with a digit: `0-0`.
    Word,
}

impl<'a> Scanner<'a> {
    /// A scanner that stands before the first game of `bytes`. A byte order mark is passed over.
    pub fn new(bytes: &'a [u8]) -> Self {
        Scanner {
            bytes,
            at: 0,
            phase: Phase::Between,
            depth: 0,
            depth_behind_result: 0,
            blank_line: false,
            has_moves: false,
            starts_here: false,
            last_end: 0,
            game_start: 0,
            token_start: 0,
            variation_start: 0,
            tags: Vec::new(),
            faults: Vec::new(),
            follow: Follow::End,
            tail: Tail::Between,
            is_cut: false,
        }
    }

    /// A scanner over bytes that are a part of a longer text.
    pub(crate) fn before(bytes: &'a [u8], follow: Follow) -> Self {
        Scanner { follow, ..Scanner::new(bytes) }
    }

    /// A scanner that goes on in the middle of a game, where another one's bytes ended; at the beginning of a line or not,
    /// and behind those tags.
    pub(crate) fn resume(
        bytes: &'a [u8],
        follow: Follow,
        tail: Tail,
        in_line: bool,
        tags: Vec<TagPair<'a>>,
    ) -> Self {
        let mut scanner = Scanner { tags, ..Scanner::before(bytes, follow) };
        match tail {
            Tail::Between => {}
            Tail::Tags { blank_line } => {
                scanner.blank_line = blank_line;
                scanner.resume_line(in_line);
                scanner.tag_section(scanner.blank_line);
            }
            Tail::TagComment { blank_line } => {
                if scanner.comment_in_tag_section(blank_line) {
                    scanner.tag_section(blank_line);
                } else if scanner.phase == Phase::Movetext {
                    scanner.at = memchr::memchr(b'}', bytes).map_or(bytes.len(), |end| end + 1);
                }
            }
            Tail::Movetext { depth, blank_line, has_moves } => {
                scanner.phase = Phase::Movetext;
                (scanner.depth, scanner.blank_line, scanner.has_moves) =
                    (depth, blank_line, has_moves);
                scanner.resume_line(in_line);
            }
            Tail::Over { depth } => {
                scanner.phase = Phase::Over;
                scanner.depth_behind_result = depth;
                scanner.resume_line(in_line);
            }
            Tail::Comment { phase, depth, blank_line, has_moves } => {
                scanner.phase = phase;
                match phase {
                    Phase::Over => scanner.depth_behind_result = depth,
                    _ => scanner.depth = depth,
                }
                (scanner.blank_line, scanner.has_moves) = (blank_line, has_moves);
                match memchr::memchr(b'}', bytes) {
                    Some(end) => scanner.at = end + 1,
                    None => {
                        scanner.at = bytes.len();
                        scanner.end_of_bytes(tail);
                    }
                }
            }
        }
        scanner
    }

    fn resume_line(&mut self, in_line: bool) {
        if !in_line && self.line_begins() {
            self.line_ends();
        }
    }

    /// Goes to the next game and reads its tag section; what is left of the game before is passed over.
    ///
    /// `false` at the end of the bytes.
    pub fn next_game(&mut self) -> bool {
        self.pass_over_game();
        self.find_game()
    }

    /// The tag pairs of this game, in their order.
    pub fn tags(&self) -> &[TagPair<'a>] {
        &self.tags
    }

    /// Where this game begins: its first tag pair or token.
    pub fn game_start(&self) -> usize {
        self.game_start
    }

    /// How deep in variations the last token stands; 0 is the main line. [`Token::Open`] counts as inside, and
    /// [`Token::Close`] as outside.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Where the last token stands, with its braces or `$`.
    pub fn token_span(&self) -> Span {
        Span { start: self.token_start, end: self.at }
    }

    /// The next byte to be read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Takes the faults met since they were taken last, in the order of the text.
    pub fn faults(&mut self) -> std::vec::Drain<'_, Fault> {
        self.faults.drain(..)
    }

    /// Whether the bytes ended inside of a game (or of text between games) that goes on in the bytes that follow.
    ///
    /// Never true of a scanner over a whole text. Of use once [`Scanner::next_token`] or [`Scanner::next_game`] has come
    /// to an end: what was read of that game, its faults too, is then to be thrown away.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Up to where all is complete, whatever follows the bytes; of use once [`Scanner::next_game`] has returned `false`.
    pub(crate) fn last_end(&self) -> usize {
        self.last_end
    }

    /// Where in a game it stands.
    pub(crate) fn phase(&self) -> Phase {
        self.phase
    }

    /// In what the bytes ended; of use once [`Scanner::next_game`] has returned `false`.
    pub(crate) fn tail(&self) -> Tail {
        self.tail
    }

    /// The next token of this game's movetext, of variations too; `None` at the end of the game.
    #[inline]
    pub fn next_token(&mut self) -> Option<Token<'a>> {
        match self.phase {
            Phase::Movetext => self.movetext_token(),
            Phase::Over => self.token_behind_result(),
            Phase::Between => None,
        }
    }

    /// Passes over line ends, the blank lines behind them, and escaped lines.
    #[inline]
    fn line_ends(&mut self) {
        loop {
            let crlf = self.bytes[self.at..].starts_with(b"\r\n");
            self.at += if crlf { 2 } else { 1 };
            if !self.line_begins() {
                return;
            }
        }
    }

    /// Passes over the blanks at the beginning of a line; `true` if a line end is next, since the line is blank or escaped.
    #[inline]
    fn line_begins(&mut self) -> bool {
        let line = self.at;
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            Some(b'\n' | b'\r') => {
                self.blank_line = true;
                true
            }
            Some(b'%') if self.at == line => {
                self.at = tag::line_end(self.bytes, line);
                self.at < self.bytes.len()
            }
            _ => false,
        }
    }

    /// Whether only blanks stand before `self.at` on its line.
    fn first_in_line(&self) -> bool {
        let before = self.bytes[..self.at].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        match before {
            None | Some(b'\n' | b'\r') => true,
            // A byte order mark, at the start of the file or of one that was appended to it.
            Some(0xbf) => self.bytes[..self.at].trim_ascii_end().ends_with(&[0xef, 0xbb, 0xbf]),
            Some(_) => false,
        }
    }

    /// The next game begins at `self.at`: this one ends.
    fn next_game_begins(&mut self, tail: Tail) -> Option<Token<'a>> {
        if matches!(self.follow, Follow::Anything | Follow::Fault) && !self.is_certain() {
            self.at = self.bytes.len();
            return self.end_of_bytes(tail);
        }
        self.end_game(true)
    }

    /// Whether what stands at `self.at` means the same whatever follows the bytes: it is not cut off.
    #[cold]
    fn is_certain(&self) -> bool {
        let rest = &self.bytes[self.at..];
        match rest[0] {
            b'[' => {
                tag::line_end(rest, 0) < rest.len()
                    || tag::read_plain(self.bytes, self.at).is_some()
            }
            _ => rest.iter().any(|byte| ends_word(Some(byte))),
        }
    }

    /// The game ends before `self.at`, where the next one begins if `starts_here`.
    fn end_game(&mut self, starts_here: bool) -> Option<Token<'a>> {
        if self.depth > 0 {
            self.fault(FaultKind::OpenVariation, self.variation_start, self.variation_start + 1);
        }
        self.phase = Phase::Between;
        self.starts_here = starts_here;
        self.last_end = self.at;
        self.depth = 0;
        None
    }

    fn end_of_bytes(&mut self, tail: Tail) -> Option<Token<'a>> {
        let last_end = self.last_end;
        self.end_game(false);
        self.tail = tail;
        if !tail.is_complete_before(self.follow) {
            (self.last_end, self.is_cut) = (last_end, true);
        }
        None
    }

    fn pass_over(&mut self, kind: FaultKind, len: usize) -> Option<Token<'a>> {
        self.fault(kind, self.at, self.at + len);
        self.at += len;
        None
    }

    #[cold]
    fn fault(&mut self, kind: FaultKind, start: usize, end: usize) {
        let kind = match self.faults.len() {
            len if len < MOST_FAULTS || kind.loses_text() => kind,
            MOST_FAULTS => FaultKind::More,
            _ => return,
        };
        self.faults.push(Fault { kind, span: Span { start, end } });
    }
}

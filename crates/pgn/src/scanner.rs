//! The pull scanner: bytes to games to tokens, in one pass and without copying.

mod around;
mod movetext;
mod plain_words;
mod tag_section;

pub use around::Doubt;
pub use plain_words::PeekedWord;
pub(crate) use tag_section::COMPARED_NAMES;

use stream::chunk::NextInput;

use crate::tag::{self, TagPair, searched_end};
use crate::token::{Outcome, PgnDiagnostic, PgnDiagnosticKind, Span, Token, ends_word};
use crate::word;

/// A piece of text that begins at or between games, for [`Scanner::of_chunk`].
pub type Chunk<'a> = stream::chunk::Chunk<'a, GameStart>;

/// How much of a chunk of games a worker completed; see [`Scanner::chunk_end`].
pub type ChunkEnd = stream::ordered::ChunkEnd<ScannerState>;

/// Faults kept per game, and before it: hostile input does not exhaust memory.
const MOST_FAULTS: usize = 100;

/// Longest indent that has characters above ASCII, in bytes.
const LONGEST_INDENT: usize = 64;

/// Reads games from a slice of bytes.
///
/// [`Scanner::next_game`] reads up to the end of the next tag section; [`Scanner::next_token`]
/// returns the tokens of that game's movetext. Where games begin and end:
///
/// * a tag pair at the beginning of a line, outside `{}`, begins a game if movetext came before it,
///   with or without an empty line or a result between; after a result it may appear anywhere in a
///   line;
/// * in a tag section, a tag pair begins a new game if an empty line precedes it and its name is
///   `Event` or has occurred already (games without movetext follow each other in broadcasts);
/// * a result outside variations ends the movetext; a move or a move number after it begins the
///   next game, so bare move lists may follow each other;
/// * an empty line alone ends nothing, but if move number 1 follows it, the next bare move list
///   begins;
/// * a comment after a result belongs to that game, unless an empty line lies between; a comment
///   between two games, or before the first one, belongs to the next game if that has no tags, and
///   is reported otherwise;
/// * a variation that is still open ends with its game.
///
/// `%` in the first column escapes its line, outside `{}` (PGN standard 6). The scanner does not
/// recurse or copy; the cost is linear in the input, whatever it contains.
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
#[derive(Clone, Debug, Default)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(crate) phase: Phase,
    depth: u32,
    depth_after_result: u32,
    /// An empty line occurred since the last token.
    blank_line: bool,
    has_moves: bool,
    /// Comments before the game were skipped because they are too long to belong to it.
    pub(crate) drops_preamble: bool,
    /// End of the comments before the game.
    preamble_end: usize,
    /// The text at `at` begins a game, even in the middle of a line.
    starts_here: bool,
    /// Offset of a tag that was found behind other text of its line.
    tag_in_prose: usize,
    /// End of the previous game; at the end of the bytes, of the last that is complete in any case.
    pub(crate) last_end: usize,
    /// `last_end` before, if this game ended because move number 1 follows.
    restarted_after: Option<usize>,
    game_start: usize,
    token_start: usize,
    /// Start of the outermost open variation.
    variation_start: usize,
    /// Start of the variation in which this game ended, and `last_end` before.
    unclosed: Option<(usize, usize)>,
    doubt: Option<Doubt<'a>>,
    tags: Vec<TagPair<'a>>,
    faults: Vec<PgnDiagnostic>,
    /// Faults of this game, or of the text before it: a chunk may end between them.
    fault_count: usize,
    next_input: NextInput<GameStart>,
    /// Valid once the end of the bytes is reached.
    pub(crate) end_state: ScannerState,
    is_cut: bool,
}

enum Digits {
    /// A move number, and the byte after it.
    Number(usize),
    Result(Outcome, usize),
    /// A word that begins with a digit: `0-0`.
    Word,
}

impl<'a> Scanner<'a> {
    /// Returns a scanner positioned before the first game of `bytes`. A byte order mark is skipped.
    pub fn new(bytes: &'a [u8]) -> Self {
        Scanner { bytes, ..Scanner::default() }
    }

    /// Returns a scanner over the games of a chunk; the last may be [cut](Scanner::is_cut).
    pub fn of_chunk(chunk: Chunk<'a>) -> Self {
        Scanner { next_input: chunk.next_input(), ..Scanner::new(chunk.bytes()) }
    }

    /// Goes on where the bytes of another scanner ended; `tags` are those read so far.
    pub(crate) fn resume(
        chunk: Chunk<'a>,
        end_state: ScannerState,
        tags: Vec<TagPair<'a>>,
    ) -> Self {
        let (bytes, in_line) = (chunk.bytes(), chunk.begins_within_line());
        let mut scanner = Scanner { tags, ..Scanner::of_chunk(chunk) };
        match end_state {
            ScannerState::BetweenGames => {}
            ScannerState::Preamble => scanner.drops_preamble = true,
            ScannerState::Tags { blank_line } => {
                scanner.blank_line = blank_line;
                scanner.resume_line(in_line);
                scanner.tag_section(scanner.blank_line);
            }
            ScannerState::TagComment { blank_line } => {
                if scanner.comment_in_tag_section(blank_line) {
                    scanner.tag_section(blank_line);
                } else if scanner.phase == Phase::Movetext {
                    scanner.at = memchr::memchr(b'}', bytes).map_or(bytes.len(), |end| end + 1);
                }
            }
            ScannerState::AfterTagComment { blank_line } => {
                scanner.blank_line = blank_line;
                scanner.resume_line(in_line);
                if scanner.tags_follow(scanner.at, scanner.blank_line) {
                    scanner.tag_section(scanner.blank_line);
                }
            }
            ScannerState::Movetext { depth, blank_line, has_moves } => {
                scanner.phase = Phase::Movetext;
                (scanner.depth, scanner.blank_line, scanner.has_moves) =
                    (depth, blank_line, has_moves);
                scanner.resume_line(in_line);
            }
            ScannerState::AfterResult { depth, blank_line } => {
                scanner.phase = Phase::AfterResult;
                (scanner.depth_after_result, scanner.blank_line) = (depth, blank_line);
                scanner.resume_line(in_line);
            }
            ScannerState::Comment { phase, depth, blank_line, has_moves } => {
                scanner.phase = phase;
                scanner.drops_preamble = phase == Phase::BetweenGames;
                match phase {
                    Phase::AfterResult => scanner.depth_after_result = depth,
                    _ => scanner.depth = depth,
                }
                (scanner.blank_line, scanner.has_moves) = (blank_line, has_moves);
                match memchr::memchr(b'}', bytes) {
                    Some(end) => scanner.at = end + 1,
                    None => {
                        scanner.at = bytes.len();
                        scanner.end_of_bytes(end_state);
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

    /// Advances to the next game and reads its tag section; the rest of the current game is
    /// skipped. Returns `false` at the end of the bytes.
    pub fn next_game(&mut self) -> bool {
        self.skip_game();
        self.find_game()
    }

    /// Returns the tag pairs of this game, in order.
    pub fn tags(&self) -> &[TagPair<'a>] {
        &self.tags
    }

    /// Returns the offset of the first tag pair or token of this game, or of comments at the end.
    pub fn game_start(&self) -> usize {
        self.game_start
    }

    /// Reports and skips the comments before a game without tags if they are longer than `limit`,
    /// in bytes; they are then not part of the game. Must be called before the first token is read.
    #[inline]
    pub fn limit_preamble(&mut self, limit: usize) {
        if self.preamble_end.saturating_sub(self.game_start) > limit {
            self.fault(PgnDiagnosticKind::TextOutsideGames, self.game_start, self.preamble_end);
            (self.game_start, self.at, self.fault_count) =
                (self.preamble_end, self.preamble_end, 0);
        }
    }

    /// Returns the variation depth of the last token, 0 in the main line; `(` is inside, `)`
    /// outside.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the span of the last token, including its braces or `$`.
    pub fn token_span(&self) -> Span {
        Span { start: self.token_start, end: self.at }
    }

    /// Returns the offset of the next byte to read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Removes and returns the faults found since the last call, in the order of the text.
    pub fn diagnostics(&mut self) -> std::vec::Drain<'_, PgnDiagnostic> {
        self.faults.drain(..)
    }

    /// Returns the faults found since the last call of [`Scanner::diagnostics`].
    #[inline]
    pub fn pending_diagnostics(&self) -> &[PgnDiagnostic] {
        &self.faults
    }

    /// Whether the bytes ended inside a game, or text between games, that continues after them.
    /// Meaningful once [`Scanner::next_token`] or [`Scanner::next_game`] has reached the end;
    /// everything read of that game, including its faults, must then be discarded.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns how much of a chunk is complete, once [`Scanner::next_game`] has returned `false`.
    pub fn chunk_end(&self) -> ChunkEnd {
        let game_start = self.game_start.max(self.last_end);
        ChunkEnd {
            up_to: self.last_end,
            rest_start: game_start,
            item_start: (!self.end_state.is_outside()).then_some(self.preamble_end.max(game_start)),
            state: self.end_state,
        }
    }

    /// Returns the next token of this game's movetext, variations included; `None` at its end.
    #[inline]
    pub fn next_token(&mut self) -> Option<Token<'a>> {
        match self.phase {
            Phase::Movetext => self.movetext_token(),
            Phase::AfterResult => self.token_after_result(),
            Phase::BetweenGames => None,
        }
    }

    /// Skips line ends, the empty lines after them, and escaped lines.
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

    /// Skips white space; returns whether a line ends here, after an empty or escaped line.
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
                if self.phase == Phase::Movetext {
                    self.doubt_comment(&self.bytes[line..self.at]);
                }
                self.at < self.bytes.len()
            }
            _ => false,
        }
    }

    fn first_in_line(&self) -> bool {
        let before = self.bytes[..self.at].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        match before {
            None | Some(b'\n' | b'\r') => true,
            Some(0x80..) => self.is_after_odd_space(),
            Some(_) => false,
        }
    }

    /// A byte order mark, also of a file that was appended, or an invisible character.
    #[cold]
    fn is_after_odd_space(&self) -> bool {
        let start = self.at.saturating_sub(LONGEST_INDENT);
        let near = &self.bytes[start..self.at];
        let line = near.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        if line.is_none() && start > 0 {
            return false;
        }
        let mut indent = &near[line.map_or(0, |end| end + 1)..];
        while let [first, ..] = indent {
            let len = if matches!(first, b' ' | b'\t') { 1 } else { word::odd_space(indent) };
            if len == 0 {
                return false;
            }
            indent = &indent[len..];
        }
        true
    }

    fn next_game_begins(&mut self, end_state: ScannerState) -> Option<Token<'a>> {
        if matches!(self.next_input, NextInput::Anything | NextInput::Fault) && !self.is_certain() {
            self.at = self.bytes.len();
            return self.end_of_bytes(end_state);
        }
        self.end_game(true)
    }

    /// Whether the meaning of the text at `self.at` does not depend on what follows the bytes.
    #[cold]
    fn is_certain(&self) -> bool {
        let rest = &self.bytes[self.at..];
        match rest[0] {
            b'[' if self.first_in_line() && tag::read_plain(self.bytes, self.at).is_some() => true,
            // Move number 1 after an empty line, or a number before a move.
            b'0'..=b'9' if self.phase == Phase::Movetext || tag::is_before_move(rest) => {
                rest.iter().any(|byte| ends_word(Some(byte)))
            }
            // The rest of the line may decide what its beginning is, as far as it is searched.
            _ => searched_end(self.bytes, self.at) < self.bytes.len(),
        }
    }

    /// Ends the game before `self.at`, where the next one begins if `starts_here`.
    fn end_game(&mut self, starts_here: bool) -> Option<Token<'a>> {
        if self.depth > 0 {
            self.fault(
                PgnDiagnosticKind::OpenVariation,
                self.variation_start,
                self.variation_start + 1,
            );
            self.unclosed = Some((self.variation_start, self.last_end));
        }
        self.phase = Phase::BetweenGames;
        self.starts_here = starts_here;
        self.last_end = self.at;
        self.depth = 0;
        None
    }

    fn end_of_bytes(&mut self, end_state: ScannerState) -> Option<Token<'a>> {
        let last_end = self.last_end;
        self.end_game(false);
        self.end_state = end_state;
        if !end_state.is_complete_before(self.next_input) {
            (self.last_end, self.is_cut) = (last_end, true);
        }
        None
    }

    fn skip_as(&mut self, kind: PgnDiagnosticKind, len: usize) -> Option<Token<'a>> {
        self.fault(kind, self.at, self.at + len);
        if matches!(kind, PgnDiagnosticKind::StrayClose | PgnDiagnosticKind::StrayBrace) {
            self.doubt = Some(Doubt { text: &self.bytes[self.at..self.at] });
        }
        self.at += len;
        None
    }

    #[cold]
    fn fault(&mut self, kind: PgnDiagnosticKind, start: usize, end: usize) {
        let kind = match self.fault_count {
            count if count < MOST_FAULTS || kind.loses_text() => kind,
            MOST_FAULTS => PgnDiagnosticKind::More,
            _ => return,
        };
        self.fault_count += 1;
        self.faults.push(PgnDiagnostic { kind, span: Span { start, end } });
    }
}

/// The tokens of a game that [`Scanner::next_game`] has found.
impl<'a> Iterator for Scanner<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.next_token()
    }
}

/// The part of a game that the scanner is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    #[default]
    BetweenGames,
    Movetext,
    AfterResult,
}

/// What the line begins with where a game that follows a cut seems to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStart {
    Event,
    /// Another tag pair.
    Tag,
    Number,
}

/// The state of a scanner at the end of its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScannerState {
    #[default]
    BetweenGames,
    /// Comments before a game; they belong to it if it has no tags.
    Preamble,
    Tags {
        blank_line: bool,
    },
    /// A comment in the tag section; the text after it decides whether it precedes the movetext.
    TagComment {
        blank_line: bool,
    },
    /// After such a comment, before the text that decides.
    AfterTagComment {
        blank_line: bool,
    },
    Movetext {
        depth: u32,
        blank_line: bool,
        has_moves: bool,
    },
    AfterResult {
        depth: u32,
        blank_line: bool,
    },
    Comment {
        phase: Phase,
        depth: u32,
        blank_line: bool,
        has_moves: bool,
    },
}

impl ScannerState {
    /// Whether no game had begun at the end of the bytes.
    pub(crate) fn is_outside(self) -> bool {
        matches!(
            self,
            ScannerState::BetweenGames
                | ScannerState::Preamble
                | ScannerState::Comment { phase: Phase::BetweenGames, .. }
        )
    }

    /// Repeats the scanner's rules for the beginning of a game, for the few possible followers.
    pub(crate) fn is_complete_before(self, next_input: NextInput<GameStart>) -> bool {
        use NextInput::{Anything, End, Fault, Item};
        use ScannerState as S;
        match (self, next_input) {
            (_, End) => true,
            // The last word of a truncated game may be torn and read as a different move.
            (S::AfterResult { .. } | S::Comment { phase: Phase::AfterResult, .. }, Fault) => true,
            (end_state, Fault) => end_state.is_outside(),
            (_, Anything) => false,
            (S::Comment { .. } | S::TagComment { .. }, _) => false,
            (S::BetweenGames, _) => true,
            // The comments belong to the next game, or are reported with it.
            (S::Preamble, _) => false,
            (S::Tags { blank_line } | S::AfterTagComment { blank_line }, Item(start)) => {
                blank_line && start == GameStart::Event
            }
            (S::Movetext { .. }, Item(start)) => start != GameStart::Number,
            (S::AfterResult { depth, .. }, Item(start)) => start != GameStart::Number || depth == 0,
        }
    }
}

//! Games as values, for inspection one by one.

use stream::place::Place;

use crate::chunk::{Chunk, ChunkEnd};
use crate::diagnostic::PgnDiagnostic;
use crate::scanner::Scanner;
use crate::span::Span;
use crate::tag::TagPair;
use crate::token::Token;

/// Returns an iterator over the games in `bytes`, in order.
///
/// Only the list of tag pairs is allocated. For maximum speed use [`Scanner`], on which this is
/// built.
///
/// ```
/// let games: Vec<_> = pgn::games(b"[White \"A\"]\n\n1. e4 e5 1-0\n\n[White \"B\"]\n\n1. d4 *\n").collect();
/// assert_eq!(games.len(), 2);
/// assert_eq!(games[1].tag("White").as_deref(), Some(&b"B"[..]));
/// assert_eq!(games[1].place().line, 5);
/// ```
pub fn games(bytes: &[u8]) -> Games<'_> {
    Games { bytes, scanner: Scanner::new(bytes), place: Place::default(), counted: 0 }
}

/// The iterator that [`games`] returns.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    bytes: &'a [u8],
    scanner: Scanner<'a>,
    /// The place of byte `counted`.
    place: Place,
    counted: usize,
}

impl<'a> Games<'a> {
    /// Returns an iterator over the complete games of a chunk. Their spans are in its bytes.
    pub fn of_chunk(chunk: Chunk<'a>) -> Self {
        let (bytes, scanner) = (chunk.bytes(), Scanner::of_chunk(chunk));
        Games { bytes, scanner, place: chunk.place(0), counted: 0 }
    }

    /// Returns how much of the chunk consists of complete games, after the last of them.
    pub fn chunk_end(&self) -> ChunkEnd {
        self.scanner.chunk_end()
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = Game<'a>;

    fn next(&mut self) -> Option<Game<'a>> {
        if !self.scanner.next_game() {
            return None;
        }
        let start = self.scanner.game_start();
        self.place = self.place.after(&self.bytes[self.counted..start]);
        self.counted = start;
        let tags = self.scanner.tags().to_vec();
        let at_movetext = self.scanner.clone();
        while self.scanner.next_token().is_some() {}
        if self.scanner.is_cut() {
            self.scanner.next_game();
            return None;
        }
        let span = Span { start, end: self.scanner.position() };
        let faults = self.scanner.diagnostics().collect();
        Some(Game { place: self.place, span, tags, at_movetext, faults })
    }
}

/// One game: its tag pairs and its movetext, borrowed from the bytes.
#[derive(Clone, Debug)]
pub struct Game<'a> {
    place: Place,
    span: Span,
    tags: Vec<TagPair<'a>>,
    at_movetext: Scanner<'a>,
    faults: Vec<PgnDiagnostic>,
}

impl<'a> Game<'a> {
    /// Returns where the game begins in the file: its first tag pair, or its first token.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns the span of the game in the slice passed to [`games`].
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the tag pairs, in order.
    pub fn tags(&self) -> &[TagPair<'a>] {
        &self.tags
    }

    /// Returns the value of the first tag pair with this name. Names are case-sensitive (PGN
    /// standard 8.1.1).
    pub fn tag(&self, name: &str) -> Option<std::borrow::Cow<'a, [u8]>> {
        self.tags.iter().find(|tag| tag.name() == name.as_bytes()).map(TagPair::value)
    }

    /// Returns the tokens of the movetext, including variations.
    pub fn movetext(&self) -> Movetext<'a> {
        Movetext { scanner: self.at_movetext.clone() }
    }

    /// Returns the faults in the text of the game, and in the text between it and the previous
    /// game.
    pub fn diagnostics(&self) -> &[PgnDiagnostic] {
        &self.faults
    }
}

/// An iterator over the tokens of one game's movetext; created by [`Game::movetext`].
#[derive(Clone, Debug)]
pub struct Movetext<'a> {
    scanner: Scanner<'a>,
}

impl Movetext<'_> {
    /// Returns the variation depth of the last token; see [`Scanner::depth`].
    pub fn depth(&self) -> u32 {
        self.scanner.depth()
    }

    /// Returns the span of the last token.
    pub fn span(&self) -> Span {
        self.scanner.token_span()
    }
}

impl<'a> Iterator for Movetext<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.scanner.next_token()
    }
}

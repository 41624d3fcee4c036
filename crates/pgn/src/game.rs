//! Games as values, for inspection one by one.

use std::borrow::Cow;
use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, Nag, RawComment, RawTag, SanPlus, Skip, Visitor};
use stream::place::Place;

use crate::scanner::{Chunk, ChunkEnd, Scanner};
use crate::tag::TagPair;
use crate::token::{Outcome, PgnDiagnostic, Span, Token};
use crate::word::nag_of_sign;

/// Returns an iterator over the games in `bytes`, in order. Only the list of tag pairs is
/// allocated. For maximum speed use [`Scanner`], on which this is built.
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

    /// Returns the value of the first tag pair with this name, case-sensitive (PGN standard 8.1.1).
    pub fn tag(&self, name: &str) -> Option<Cow<'a, [u8]>> {
        self.tags.iter().find(|tag| tag.name() == name.as_bytes()).map(TagPair::value)
    }

    /// Returns the tokens of the movetext, including variations.
    pub fn movetext(&self) -> Scanner<'a> {
        self.at_movetext.clone()
    }

    /// Returns the faults in the text of the game, and in the text before it.
    pub fn diagnostics(&self) -> &[PgnDiagnostic] {
        &self.faults
    }
}

impl Game<'_> {
    /// Presents the game to a visitor, as [`pgn_reader::Reader::read_game`] does, and returns its
    /// output.
    ///
    /// For a well-formed game the visitor receives the same calls as from pgn-reader. Differences:
    /// an empty line does not end a game, a comment is passed in one piece whatever its length, and
    /// a move that is not SAN even for [`SanPlus`] is omitted. Use [`Game::movetext`] for such
    /// tokens; it does not drop anything.
    ///
    /// ```
    /// use pgn_reader::{SanPlus, Visitor};
    /// use std::ops::ControlFlow;
    ///
    /// struct Count;
    /// impl Visitor for Count {
    ///     type Tags = ();
    ///     type Movetext = u32;
    ///     type Output = u32;
    ///     fn begin_tags(&mut self) -> ControlFlow<u32> { ControlFlow::Continue(()) }
    ///     fn begin_movetext(&mut self, _: ()) -> ControlFlow<u32, u32> { ControlFlow::Continue(0) }
    ///     fn san(&mut self, moves: &mut u32, _: SanPlus) -> ControlFlow<u32> { *moves += 1; ControlFlow::Continue(()) }
    ///     fn end_game(&mut self, moves: u32) -> u32 { moves }
    /// }
    ///
    /// let game = pgn::games(b"1. e4 (1. d4) e5 *").next().unwrap();
    /// assert_eq!(game.visit(&mut Count), 2); // variations are skipped unless the visitor wants them
    /// ```
    pub fn visit<V: Visitor>(&self, visitor: &mut V) -> V::Output {
        match self.visit_or_break(visitor) {
            ControlFlow::Continue(output) | ControlFlow::Break(output) => output,
        }
    }

    fn visit_or_break<V: Visitor>(&self, visitor: &mut V) -> ControlFlow<V::Output, V::Output> {
        let mut tags = visitor.begin_tags()?;
        for tag in self.tags() {
            visitor.tag(&mut tags, tag.name(), RawTag(tag.raw_value()))?;
        }
        let mut state = visitor.begin_movetext(tags)?;
        let mut movetext = self.movetext();
        // Depth of the variation that the visitor skips.
        let mut skipped = None;
        while let Some(token) = movetext.next() {
            if let Some(depth) = skipped {
                if movetext.depth() < depth {
                    skipped = None;
                    visitor.end_variation(&mut state)?;
                }
                continue;
            }
            match token {
                Token::Open => {
                    if let Skip(true) = visitor.begin_variation(&mut state)? {
                        skipped = Some(movetext.depth());
                    }
                }
                Token::Close => visitor.end_variation(&mut state)?,
                Token::Move(text) => visit_move(visitor, &mut state, text)?,
                Token::Nag(digits) => {
                    let digits = std::str::from_utf8(digits).ok();
                    if let Some(nag) = digits.and_then(|digits| digits.parse().ok()) {
                        visitor.nag(&mut state, Nag(nag))?;
                    }
                }
                Token::Glyph(text) => {
                    if let Some(nag) = nag_of_sign(text) {
                        visitor.nag(&mut state, Nag(nag))?;
                    }
                }
                Token::Comment(text) => visitor.comment(&mut state, RawComment(text))?,
                Token::Result(outcome) => visitor.outcome(&mut state, outcome.into())?,
                // pgn-reader has no call for these.
                Token::LineComment(_) | Token::Number(_) | Token::Unknown(_) => {}
            }
        }
        ControlFlow::Continue(visitor.end_game(state))
    }
}

fn visit_move<V: Visitor>(
    visitor: &mut V,
    state: &mut V::Movetext,
    text: &[u8],
) -> ControlFlow<V::Output> {
    let end = text.iter().rposition(|b| !matches!(b, b'!' | b'?')).map_or(0, |i| i + 1);
    let text_of_move = &text[..end];
    let with_letters =
        |zeros: &[u8]| zeros.iter().map(|b| if *b == b'0' { b'O' } else { *b }).collect();
    let san: Cow<'_, [u8]> = match text_of_move {
        [b'0', ..] => Cow::Owned(with_letters(text_of_move)),
        _ => Cow::Borrowed(text_of_move),
    };
    if let Ok(san) = SanPlus::from_ascii(&san) {
        visitor.san(state, san)?;
    }
    // A suffix is a NAG (PGN standard 8.2.3.8).
    match nag_of_sign(&text[end..]) {
        Some(nag) => visitor.nag(state, Nag(nag)),
        None => ControlFlow::Continue(()),
    }
}

impl From<Outcome> for pgn_reader::Outcome {
    fn from(outcome: Outcome) -> Self {
        use pgn_reader::shakmaty::Color;
        match outcome {
            Outcome::WhiteWins => Self::Known(KnownOutcome::Decisive { winner: Color::White }),
            Outcome::BlackWins => Self::Known(KnownOutcome::Decisive { winner: Color::Black }),
            Outcome::Draw => Self::Known(KnownOutcome::Draw),
            Outcome::Unknown => Self::Unknown,
        }
    }
}

//! Drives any [`pgn_reader::Visitor`] with our scanner.

use std::borrow::Cow;
use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, Nag, RawComment, RawTag, SanPlus, Skip, Visitor};

use crate::game::Game;
use crate::result::Outcome;
use crate::token::Token;
use crate::word::nag_of_sign;

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
                Token::Glyph(text) => visit_suffix(visitor, &mut state, text)?,
                Token::Comment(text) => visitor.comment(&mut state, RawComment(text))?,
                Token::Result(outcome) => visitor.outcome(&mut state, outcome.into())?,
                // pgn-reader has no call for these.
                Token::LineComment(_) | Token::Number(_) | Token::Unknown(_) => {}
            }
        }
        ControlFlow::Continue(visitor.end_game(state))
    }
}

/// Reports a move, and the NAG for its `!` and `?` suffix.
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
    visit_suffix(visitor, state, &text[end..])
}

/// Reports the NAG of a suffix or of an annotation in signs (PGN standard 8.2.3.8).
fn visit_suffix<V: Visitor>(
    visitor: &mut V,
    state: &mut V::Movetext,
    suffix: &[u8],
) -> ControlFlow<V::Output> {
    match nag_of_sign(suffix) {
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

//! Detection of damaged moves: a piece letter separated from its square, or replaced by a digit.

use san::{Color, Language, Position, SanError};

use super::Replay;
use super::number::{is_number, numbers};

impl<'c> Replay<'c> {
    /// Returns the text of a move that was torn in two, such as `N f3`, if the last token, an
    /// annotation on its own, is its first half.
    ///
    /// `N` may also mean a novelty, and `D` a diagram where it is not a queen. After a move it
    /// does, unless it forms a move with the next word. `resolve` resolves the text of a move.
    #[cold]
    pub(super) fn torn_move<M>(
        &self,
        sign: &[u8],
        language: Language,
        is_after_move: bool,
        resolve: impl FnOnce(&[u8]) -> Result<M, SanError>,
    ) -> Option<&'c [u8]> {
        let letter = sign.last()?;
        if !language.letters().iter().any(|letters| letters.as_bytes() == [*letter]) {
            return None;
        }
        let start = self.scanner.token_span().start;
        // A semicolon attached to the letter is rather a damaged byte of a move than a comment on a
        // novelty.
        let is_damaged = self.chunk.bytes().get(start + sign.len()) == Some(&b';');
        let is_after_move = is_after_move && !self.scanner.is_after_number() && !is_damaged;
        let Some(word) = self.scanner.word_ahead() else {
            return (!is_after_move).then(|| &self.chunk.bytes()[start..start + sign.len()]);
        };
        let is_move = || {
            let joined = [&[*letter], word].concat();
            matches!(resolve(&joined), Ok(_) | Err(SanError::Ambiguous { .. }))
        };
        let is_sign = is_after_move && !is_move();
        let end = self.at(word) + word.len();
        (!is_sign).then(|| &self.chunk.bytes()[start..end])
    }

    /// Returns whether the last token is attached to digits that are not its move number: `3a3` may
    /// have been `Ba3`. A number without a dot is accepted only before moves of White and at the
    /// beginning of a line.
    #[inline]
    pub(super) fn is_misnumbered(
        &self,
        position: &Position,
        number: u32,
        begins_line: bool,
    ) -> bool {
        let Some(digits) = self.scanner.glued_digits() else { return false };
        let may_have = position.turn() == Color::White || begins_line;
        !may_have
            || self.scanner.is_number_repeated()
            || !numbers(position.turn(), position.fullmoves(), number)
                .any(|wanted| is_number(digits, wanted))
    }
}

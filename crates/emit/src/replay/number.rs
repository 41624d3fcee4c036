//! Digits in the movetext: numbers of moves, and the numeric notation of correspondence chess.

use pgn::{Doubt, Outcome, Scanner, Token};
use san::{Color, SanError};

use super::Replay;
use super::line::Line;
use super::movetext::Step;
use crate::problem::{MoveNumber, Reason};
use crate::sink::Sink;
use crate::start;

/// Returns the numbers that the next move of `turn` may have after `played` plies: that of the
/// position, and that counted from the start of the game.
pub(super) fn numbers(turn: Color, fullmoves: u32, played: u32) -> impl Iterator<Item = u32> {
    let since_start = (played + u32::from(turn == Color::White)) / 2 + 1;
    [fullmoves, since_start].into_iter()
}

pub(super) fn is_number(digits: &[u8], number: u32) -> bool {
    std::str::from_utf8(digits).is_ok_and(|text| text.parse() == Ok(number))
}

/// Returns a move in the numeric notation of correspondence chess in UCI notation: `5254` is
/// `e2e4`, `57581` is `e7e8q`.
pub(super) fn from_numeric(digits: &[u8]) -> Option<([u8; 5], usize)> {
    let file = |digit: u8| matches!(digit, b'1'..=b'8').then(|| digit - b'1' + b'a');
    let rank = |digit: u8| matches!(digit, b'1'..=b'8').then_some(digit);
    let (squares, promotion) = digits.split_at_checked(4)?;
    let piece = match promotion {
        [] => b' ',
        [digit @ b'1'..=b'4'] => b"qrbn"[usize::from(digit - b'1')],
        _ => return None,
    };
    let [from_file, from_rank, to_file, to_rank] = squares else { return None };
    let text = [file(*from_file)?, rank(*from_rank)?, file(*to_file)?, rank(*to_rank)?, piece];
    Some((text, digits.len()))
}

/// Whether the rest of the main line is in numeric notation, with the token read last.
fn is_numeric(mut scanner: Scanner<'_>) -> bool {
    while let Some(token) = scanner.next_token() {
        let is_other = match token {
            // Two digits at most are a move number.
            Token::Number(digits) => digits.len() > 3 && from_numeric(digits).is_none(),
            Token::Move(_) | Token::Unknown(_) => true,
            _ => false,
        };
        if is_other && scanner.depth() == 0 {
            return false;
        }
    }
    true
}

impl<'c> Replay<'c> {
    /// Decides whether the move numbers of the game are compared with the count: on request, and if
    /// the game has no tags and begins in the middle of a line, without a number, behind another.
    pub(super) fn begin_numbers(&mut self) {
        let (bytes, at) = (self.chunk.bytes(), self.scanner.game_start());
        let is_bare = self.scanner.tags().is_empty()
            && !bytes[at].is_ascii_digit()
            && bytes[..at].last().map_or_else(
                || self.chunk.begins_within_line(),
                |byte| !matches!(byte, b'\n' | b'\r'),
            );
        self.doubt = is_bare.then_some(Doubt { text: &bytes[at..at] });
        self.loses_moves = false;
        (self.checks_numbers, self.number_offset) = (self.plan.notes || is_bare, None);
        self.variations_left = 0;
    }

    /// Compares the number before the move that was read last with the count: the reason why the
    /// line ends if text before it is in doubt, or else a note.
    #[cold]
    pub(super) fn number_jumps(
        &mut self,
        turn: Color,
        fullmoves: u32,
        played: u32,
    ) -> Option<Reason> {
        let (digits, has_dots) = self.scanner.number_before()?;
        let expected = MoveNumber { fullmove: fullmoves, turn };
        let number: u32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
        let offset = i64::from(number) - i64::from(fullmoves);
        let is_counted = numbers(turn, fullmoves, played).any(|of| of == number)
            || self.number_offset == Some(offset);
        let is_right = is_counted && !(has_dots && turn == Color::White);
        // Some games with a start of their own count from another number.
        let is_first = self.number_offset.is_none() && start::is_set_up(self.scanner.tags());
        if is_right || is_first && self.doubt.is_none() {
            self.number_offset = self.number_offset.or(is_first.then_some(offset));
            (self.doubt, self.checks_numbers) = (None, self.plan.notes);
            return None;
        }
        if self.doubt.take().is_some() {
            return Some(Reason::NumberJumps { number });
        }
        self.number_offset = Some(offset);
        let at = self.at(digits);
        self.problem(at, at + digits.len(), None, Reason::OtherNumber { expected });
        None
    }

    /// Takes note of text that may have been moves, before the move of number `next`.
    #[cold]
    pub(super) fn begin_doubt(&mut self, next: u32, is_main: bool, doubt: Doubt<'c>) {
        let is_next = |number| number == next || number == next + 1;
        self.loses_moves = is_main && pgn::move_numbers(doubt.text).any(is_next);
        (self.doubt, self.checks_numbers) = (Some(doubt), true);
    }

    /// Reports text that was read as a comment, or skipped, although it names the next moves of the
    /// game, and no number after it shows that they are none of the game. A line that is a comment
    /// loses moves only together with the result.
    #[inline]
    pub(super) fn lose_doubtful_moves(&mut self) {
        if let Some(Doubt { text }) = self.doubt.take()
            && self.loses_moves
        {
            self.lose_moves(text);
        }
    }

    #[cold]
    fn lose_moves(&mut self, text: &[u8]) {
        let last = text.split(u8::is_ascii_whitespace).rfind(|word| !word.is_empty());
        let ends_game = self.outcome.is_none() && last.and_then(Outcome::of_text).is_some();
        let has_error = self.problems.iter().any(|(_, problem)| problem.is_error());
        if !has_error && (ends_game || text.contains(&b'{')) {
            let at = self.at(text);
            self.problem(at, at + text.len(), None, Reason::MovesInComment);
        }
    }

    /// Processes digits that are not a usual move number: a move in numeric notation if the whole
    /// game is written in it, otherwise an error unless they are the number of the next move.
    #[cold]
    pub(super) fn number(
        &mut self,
        line: &mut Line,
        digits: &[u8],
        sink: &mut (impl Sink + ?Sized),
    ) -> Step {
        let begins = line.is_main && line.played() == 0;
        let position = line.position_after();
        if let Some((text, len)) = self.numeric_move(digits, begins) {
            return match self.resolve_after(line, &text[..len], sink) {
                Ok(next) => {
                    if self.plan.notes {
                        self.note_move(&position, digits, next);
                    }
                    Step::Move(next, None)
                }
                Err(error) => self.fail(line, sink, digits, Reason::Move(error)),
            };
        }
        let mut numbers = numbers(position.turn(), position.fullmoves(), line.played());
        if numbers.any(|number| is_number(digits, number)) {
            return Step::Nothing;
        }
        self.catch_up_rarely(line, sink);
        self.fail(line, sink, digits, Reason::StrayNumber)
    }

    /// Returns the move of digits in UCI notation, if the whole game is written in numeric
    /// notation; `begins`: whether they are the first of the game.
    pub(super) fn numeric_move(&mut self, digits: &[u8], begins: bool) -> Option<([u8; 5], usize)> {
        let numeric = from_numeric(digits)?;
        if begins {
            self.is_numeric = is_numeric(self.scanner.clone());
        }
        self.is_numeric.then_some(numeric)
    }

    /// Whether `0-0` is the result of a game that both sides have lost, rather than castling:
    /// nothing follows it, and the tag says so or castling is not legal.
    #[cold]
    pub(super) fn is_double_loss(&self, text: &[u8], is_legal: impl FnOnce() -> bool) -> bool {
        if !pgn::is_double_loss(text) || self.scanner.depth() > 0 {
            return false;
        }
        let mut ahead = self.scanner.clone();
        while let Some(token) = ahead.next_token() {
            if !matches!(token, Token::Comment(_) | Token::LineComment(_) | Token::Nag(_)) {
                return false;
            }
        }
        let tags = self.scanner.tags();
        let says = tags.iter().find(|tag| tag.name() == b"Result");
        says.is_some_and(|tag| pgn::is_double_loss(tag.value().trim_ascii())) || !is_legal()
    }

    /// Returns a promotion whose piece is written apart, `a8 = Q`, and consumes the piece.
    #[cold]
    pub(super) fn split_promotion<M>(
        &mut self,
        text: &[u8],
        resolve: impl FnOnce(&Self, &[u8]) -> Result<M, SanError>,
    ) -> Option<M> {
        let (piece, end) = self.scanner.promotion_ahead()?;
        let text = [text.strip_suffix(b"=").unwrap_or(text), b"=", piece].concat();
        let next = resolve(self, &text).ok()?;
        self.scanner.skip_to(end);
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numeric_notation_has_files_and_ranks_as_digits() {
        for (digits, expected) in [
            ("5254", Some("e2e4")),
            ("1828", Some("a8b8")),
            ("57581", Some("e7e8q")),
            ("57684", Some("e7f8n")),
            ("57585", None),
            ("5204", None),
            ("5294", None),
            ("525", None),
            ("575811", None),
            ("12", None),
        ] {
            let read = from_numeric(digits.as_bytes());
            let text = read.map(|(text, len)| String::from_utf8_lossy(&text[..len]).into_owned());
            assert_eq!(text.as_deref(), expected, "{digits}");
        }
    }

    #[test]
    fn a_move_has_the_number_of_its_position_or_counted_from_the_start() {
        let all = |turn, fullmoves, played| numbers(turn, fullmoves, played).collect::<Vec<_>>();
        assert_eq!(all(Color::White, 1, 0), [1, 1]);
        assert_eq!(all(Color::Black, 1, 1), [1, 1]);
        assert_eq!(all(Color::White, 2, 2), [2, 2]);
        // Black began at move 30.
        assert_eq!(all(Color::Black, 30, 0), [30, 1]);
        assert_eq!(all(Color::White, 31, 1), [31, 2]);
        assert_eq!(all(Color::Black, 31, 2), [31, 2]);
    }
}

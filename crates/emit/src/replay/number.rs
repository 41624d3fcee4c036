//! What looks like a move or a game, and is none: numbers of moves, the numeric notation of
//! correspondence chess, damaged moves, text that looks like a game without tags.

use pgn::{Doubt, Outcome, PgnDiagnosticKind, Scanner, Token};
use san::{Color, Language, Position, SanError};

use super::{NextGame, PlayedLine, Replay, Step};
use crate::problem::{MoveNumber, Reason};
use crate::sink::Sink;
use crate::start;

/// After `played` plies: the number of the position, and that counted from the start of the game.
pub(super) fn numbers(turn: Color, fullmoves: u32, played: u32) -> impl Iterator<Item = u32> {
    let since_start = (played + u32::from(turn == Color::White)) / 2 + 1;
    [fullmoves, since_start].into_iter()
}

pub(super) fn is_number(digits: &[u8], number: u32) -> bool {
    std::str::from_utf8(digits).is_ok_and(|text| text.parse() == Ok(number))
}

/// Numeric notation of correspondence chess in UCI notation: `5254` is `e2e4`, `57581` `e7e8q`.
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
    /// Numbers are compared on request, and if a game without tags begins in the middle of a line.
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

    /// Why the line ends, if text before the move is in doubt; else another number is noted.
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

    /// Returns the next token, and takes note of doubtful text before it, also of the last one.
    #[inline]
    pub(super) fn next_token(&mut self, number: u32, is_main: bool) -> Option<Token<'c>> {
        let token = self.scanner.next_token();
        if let Some(doubt) = self.scanner.take_doubt() {
            self.begin_doubt(number, is_main, doubt);
        }
        token
    }

    /// Takes note of text that may have been moves, before the move of number `next`.
    #[cold]
    pub(super) fn begin_doubt(&mut self, next: u32, is_main: bool, doubt: Doubt<'c>) {
        let is_next = |number| number == next || number == next + 1;
        self.checks_numbers = true;
        // A bracket behind text that swallowed its beginning does not settle what the text was.
        if self.loses_moves && self.doubt.is_some() {
            return;
        }
        let mut numbers = pgn::move_numbers(doubt.text).peekable();
        let is_unnumbered = numbers.peek().is_none();
        self.loses_moves =
            is_main && (numbers.any(is_next) || is_unnumbered && doubt.is_line_of_moves());
        self.doubt = Some(doubt);
    }

    /// Reports text that was skipped although it names the next moves, unless a number after it
    /// shows that they are none. A comment after `; ` loses moves only with the result.
    #[cold]
    pub(super) fn lose_moves(&mut self, doubt: Doubt<'_>) {
        let text = doubt.text;
        let last = text.split(u8::is_ascii_whitespace).rfind(|word| !word.is_empty());
        let ends_game = self.outcome.is_none() && last.and_then(Outcome::of_text).is_some();
        let has_error = self.problems.iter().any(|(_, problem)| problem.is_error());
        let is_remark = matches!(text, [b';', b' ' | b'\t', ..]);
        let is_lost = ends_game || text.contains(&b'{') || !is_remark && doubt.is_line_of_moves();
        if !has_error && is_lost {
            let at = self.at(text);
            self.problem(at, at + text.len(), None, Reason::MovesInComment);
        }
    }

    /// Digits that are no usual move number: a move if the whole game is numeric, else an error.
    #[cold]
    pub(super) fn number(
        &mut self,
        line: &mut PlayedLine,
        digits: &[u8],
        sink: &mut (impl Sink + ?Sized),
    ) -> Step {
        let begins = line.is_main && line.number == 0;
        if let Some((text, len)) = self.numeric_move(digits, begins) {
            return match self.resolve(&line.position, &text[..len]) {
                Ok(next) => {
                    if self.plan.notes {
                        self.note_move(&line.position, digits, next);
                    }
                    Step::Move(next, None)
                }
                Err(error) => self.fail(line, sink, digits, Reason::Move(error)),
            };
        }
        let position = &line.position;
        let mut numbers = numbers(position.turn(), position.fullmoves(), line.number);
        if numbers.any(|number| is_number(digits, number)) {
            return Step::Nothing;
        }
        self.fail(line, sink, digits, Reason::StrayNumber)
    }

    /// If the whole game is numeric; `begins`: whether the digits are the first of the game.
    pub(super) fn numeric_move(&mut self, digits: &[u8], begins: bool) -> Option<([u8; 5], usize)> {
        let numeric = from_numeric(digits)?;
        if begins {
            self.is_numeric = is_numeric(self.scanner.clone());
        }
        self.is_numeric.then_some(numeric)
    }

    /// Whether `0-0` is a result: nothing follows it, and the tag says so or castling is not legal.
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

// Detection of damaged moves: a piece letter separated from its square, or replaced by a digit.

impl<'c> Replay<'c> {
    /// A move that was torn in two, `N f3`, if the last token is its first half. `N` may also mean
    /// a novelty, and `D` a diagram, if it follows a move and forms none with the next word.
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
        // A semicolon after the letter is rather a damaged byte of a move than a comment.
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

    /// Digits before the last token are not its number: `3a3` may have been `Ba3`. Without a dot
    /// they may be a number only before moves of White and at the beginning of a line.
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

// Text that looks like the beginning of a game without tags, but is none.

enum FirstWord<'c> {
    /// A move, and the digits of its number.
    Move(Vec<u8>, Option<&'c [u8]>),
    Result,
    Other,
}

fn first<'c>(scanner: &mut Scanner<'c>) -> FirstWord<'c> {
    while let Some(token) = scanner.next_token() {
        if scanner.depth() > 0 {
            continue;
        }
        match token {
            Token::Move(text) => return FirstWord::Move(text.to_vec(), number_before(scanner)),
            Token::Number(digits) => {
                if let Some((text, len)) = from_numeric(digits) {
                    return FirstWord::Move(text[..len].to_vec(), number_before(scanner));
                }
            }
            Token::Result(_) => return FirstWord::Result,
            Token::Unknown(_) => return FirstWord::Other,
            _ => {}
        }
    }
    FirstWord::Other
}

fn number_before<'c>(scanner: &Scanner<'c>) -> Option<&'c [u8]> {
    scanner.number_before().map(|(digits, _)| digits)
}

fn value(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

impl Replay<'_> {
    /// Whether the first move is not legal in the starting position, or has a number above 1.
    #[inline(never)]
    pub(super) fn is_prose(&self) -> bool {
        // Nearly all games without tags begin with `1.` and a plain move.
        if self.chunk.bytes()[self.scanner.position()..].starts_with(b"1.")
            && self.scanner.peek_plain_word().is_some_and(|word| {
                san::resolve_plain_word(&Position::default(), word.bytes(), word.len()).is_some()
            })
        {
            return false;
        }
        if self.hidden_tag().is_some() {
            return false;
        }
        match first(&mut self.scanner.clone()) {
            FirstWord::Move(text, number) => {
                number.is_some_and(|digits| !matches!(value(digits), Some(0 | 1)))
                    || !self.is_legal(&Position::default(), &text)
            }
            FirstWord::Result => false,
            FirstWord::Other => true,
        }
    }

    fn is_legal(&self, position: &Position, text: &[u8]) -> bool {
        let is_legal = |language| match san::resolve_in(position, text, language) {
            Ok(_) => true,
            Err(SanError::NullMove) => self.plan.null_moves,
            Err(_) => false,
        };
        match self.plan.language {
            Some(language) => is_legal(language),
            None => Language::all().any(is_legal),
        }
    }

    #[cold]
    pub(super) fn skip_prose(&mut self, sink: &mut (impl Sink + ?Sized)) -> NextGame {
        let start = self.scanner.game_start();
        self.scanner.skip_game();
        if self.scanner.is_cut() {
            self.counts.games -= 1;
            return NextGame::None;
        }
        if self.skips_too_large() {
            self.report(sink);
            return NextGame::LeftOut;
        }
        self.counts.games -= 1;
        let end = self.scanner.position();
        let kind = PgnDiagnosticKind::TextOutsideGames;
        let has_moves = pgn::has_moves(&self.chunk.bytes()[start..end]);
        let reason = if has_moves { Reason::MovesSkipped(kind) } else { Reason::Text(kind) };
        self.problem(start, end, None, reason);
        self.report(sink);
        NextGame::LeftOut
    }

    /// Moves numbered from 1 again continue the game if the first is legal only in its position.
    #[cold]
    pub(super) fn continues(&mut self, line: &PlayedLine) -> bool {
        let position = &line.position;
        let mut ahead = self.scanner.clone();
        ahead.go_on();
        let FirstWord::Move(text, _) = first(&mut ahead) else { return false };
        if !ahead.is_near(self.scanner.position()) {
            return false;
        }
        let goes_on =
            !self.is_legal(&Position::default(), &text) && self.resolve(position, &text).is_ok();
        if goes_on {
            let at = self.scanner.position();
            self.problem(at, at, Some(MoveNumber::of(position)), Reason::Continued);
            self.scanner.go_on();
            // That number confirms nothing, and whether the next move is read with its number depends
            // on how much text follows.
            self.scanner.take_doubt();
        }
        goes_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numeric_notation_has_files_and_ranks_as_digits() {
        for (digits, expected) in
            [("5254", "e2e4"), ("1828", "a8b8"), ("57581", "e7e8q"), ("57684", "e7f8n")]
        {
            let (text, len) = from_numeric(digits.as_bytes()).unwrap();
            assert_eq!(&text[..len], expected.as_bytes(), "{digits}");
        }
        for digits in ["57585", "5204", "5294", "525", "575811", "12"] {
            assert!(from_numeric(digits.as_bytes()).is_none(), "{digits}");
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

//! Text that looks like the beginning of a game without tags, but is none.

use pgn::{PgnDiagnosticKind, Scanner, Token};
use san::{Language, Position, SanError};

use super::line::Line;
use super::number::from_numeric;
use super::{Next, Replay};
use crate::problem::{MoveNumber, Reason};
use crate::sink::Sink;

/// What a text without tags begins with.
enum First<'c> {
    /// A move, and the digits of its number.
    Move(Vec<u8>, Option<&'c [u8]>),
    Result,
    Other,
}

fn first<'c>(scanner: &mut Scanner<'c>) -> First<'c> {
    while let Some(token) = scanner.next_token() {
        if scanner.depth() > 0 {
            continue;
        }
        match token {
            Token::Move(text) => return First::Move(text.to_vec(), number_before(scanner)),
            Token::Number(digits) => {
                if let Some((text, len)) = from_numeric(digits) {
                    return First::Move(text[..len].to_vec(), number_before(scanner));
                }
            }
            Token::Result(_) => return First::Result,
            Token::Unknown(_) => return First::Other,
            _ => {}
        }
    }
    First::Other
}

fn number_before<'c>(scanner: &Scanner<'c>) -> Option<&'c [u8]> {
    scanner.number_before().map(|(digits, _)| digits)
}

fn value(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

impl Replay<'_> {
    /// Whether the text is not a game: its first move is not legal in the starting position, or has
    /// another number than 0 or 1.
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
            First::Move(text, number) => {
                number.is_some_and(|digits| !matches!(value(digits), Some(0 | 1)))
                    || !self.is_legal(&Position::default(), &text)
            }
            First::Result => false,
            First::Other => true,
        }
    }

    /// Whether a move is legal in the language of the plan, or in any.
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

    /// Reports text that is not a game.
    #[cold]
    pub(super) fn skip_prose(&mut self, sink: &mut (impl Sink + ?Sized)) -> Next {
        let start = self.scanner.game_start();
        self.scanner.skip_game();
        if self.scanner.is_cut() {
            self.counts.games -= 1;
            return Next::None;
        }
        if self.skips_too_large() {
            self.report(sink);
            return Next::LeftOut;
        }
        self.counts.games -= 1;
        let end = self.scanner.position();
        let kind = PgnDiagnosticKind::TextOutsideGames;
        let has_moves = pgn::has_moves(&self.chunk.bytes()[start..end]);
        let reason = if has_moves { Reason::MovesSkipped(kind) } else { Reason::Text(kind) };
        self.problem(start, end, None, reason);
        self.report(sink);
        Next::LeftOut
    }

    /// Whether moves that are numbered from 1 again continue the game: the first is not legal in
    /// the starting position, but in the current one. Then the scanner goes on, with a warning.
    #[cold]
    pub(super) fn continues(&mut self, line: &Line) -> bool {
        let position = line.position_after();
        let mut ahead = self.scanner.clone();
        ahead.go_on();
        let First::Move(text, _) = first(&mut ahead) else { return false };
        if !ahead.is_near(self.scanner.position()) {
            return false;
        }
        let goes_on =
            !self.is_legal(&Position::default(), &text) && self.resolve(&position, &text).is_ok();
        if goes_on {
            let at = self.scanner.position();
            let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
            self.problem(at, at, Some(number), Reason::Continued);
            self.scanner.go_on();
            // That number confirms nothing, and whether the next move is read with its number depends
            // on how much text follows.
            self.scanner.take_doubt();
        }
        goes_on
    }
}

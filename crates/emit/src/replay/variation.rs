//! Variations: lines that leave another one before its last move (PGN standard 8.2.5).

use pgn::{Scanner, Token};
use san::{Color, Move, MoveText, Position};

use super::{Mark, PlayedLine, Replay};
use crate::ply::{Branch, Ply};
use crate::problem::{MoveNumber, Reason};
use crate::sink::{Movetext, Sink};

/// Maximum nesting of variations; deeper ones are skipped, so that no input exhausts memory.
const DEEPEST: usize = 100;

/// Most variations of a game that its main line leaves, so that the cost is linear.
const MOST_LEFT: u32 = 16;

const MOST_CHECKED: usize = 8;

const MOST_TRIED: usize = 8;

fn ply_of(fullmove: u32, turn: Color) -> u64 {
    2 * u64::from(fullmove) + u64::from(turn == Color::Black)
}

impl Replay<'_> {
    /// Handles `(`, which begins an alternative to the last move, or else to the next one.
    pub(super) fn open_variation(
        &mut self,
        line: &mut PlayedLine,
        depth: usize,
        sink: &mut (impl Sink + ?Sized),
    ) {
        if depth != self.outer.len() + 1 {
            return;
        }
        if depth > DEEPEST {
            self.token_problem(&line.position, b"(", Reason::TooDeep { limit: DEEPEST });
            return;
        }
        let here = Mark { comments: self.comments.len(), nags: self.nags.len() };
        let (position, number, noted) = match &line.before_last {
            Some(before) => (before.clone(), line.number - 1, line.noted),
            None if line.is_shown => (line.position.clone(), line.number, [line.from, here]),
            None => (line.position.clone(), line.number, line.noted),
        };
        let inner = PlayedLine {
            position,
            before_last: None,
            number,
            begin: here,
            from: here,
            noted,
            is_main: false,
            is_shown: false,
        };
        self.outer.push(std::mem::replace(line, inner));
        self.tell(Movetext::Open, sink);
    }

    #[cold]
    pub(super) fn enter_variation(
        &mut self,
        line: &mut PlayedLine,
        first: Option<Move>,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let [from, to] = line.noted;
        let ply = Ply {
            comments: &self.comments[from.comments..to.comments],
            nags: &self.nags[from.nags..to.nags],
            branches: &self.branches,
            ..Ply::new(&line.position, first, line.number)
        };
        let excluded = match &mut self.condition {
            Some(condition) if self.decides_positions && self.verdict.is_none() => {
                condition.follow(&ply, &self.game, true)
            }
            _ => None,
        };
        let outside = self.outside(line.number, false);
        sink.alternative(ply, outside.or(excluded).is_none());
        let first = first.map_or(MoveText::NULL, |first| san::san_of(&line.position, first));
        self.branches.push(Branch { ply: line.number, first });
        // Comments before the first move go with the position after it.
        line.is_shown = true;
    }

    /// Handles `)`, or a move that cannot be played, and continues with the enclosing line.
    pub(super) fn close_variation(
        &mut self,
        line: &mut PlayedLine,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let outer = self.outer.pop().expect("a line is outside of every variation");
        self.end_variation(line, sink);
        self.tell(Movetext::Close, sink);
        *line = outer;
    }

    #[cold]
    pub(super) fn note_only_variations(&mut self) {
        let has_error = self.problems.iter().any(|(_, problem)| problem.is_error());
        if !has_error && !self.scanner.is_cut() {
            let at = self.scanner.game_start();
            self.problem(at, at, None, Reason::OnlyVariations);
        }
    }

    /// Whether the main line goes on in the variation that the game ended in: at a move with its
    /// number, not the next one of the variation, that is legal like those after it.
    #[inline]
    pub(super) fn leaves_variation(
        &mut self,
        line: &mut PlayedLine,
        sink: &mut (impl Sink + ?Sized),
    ) -> bool {
        let Some(start) = self.scanner.open_variation() else { return false };
        self.variations_left += 1;
        // A game that is too large ends where it does for what skips it.
        if self.variations_left > MOST_LEFT || self.is_too_large() {
            return false;
        }
        let main = self.outer.first().unwrap_or(line);
        let Some(at) = self.end_of_open_variation(main, start) else { return false };
        while !self.outer.is_empty() {
            self.close_variation(line, sink);
        }
        self.problem(at, at, Some(MoveNumber::of(&line.position)), Reason::VariationLeft);
        self.scanner.leave_variation(at);
        true
    }

    #[cold]
    fn end_of_open_variation(&self, main: &PlayedLine, start: usize) -> Option<usize> {
        let position = &main.position;
        let (turn, fullmoves) = (position.turn(), position.fullmoves());
        let mut ahead = self.scanner.clone();
        ahead.leave_variation(start);
        // The plies of the last moves of the main line and of the variations that are open by the
        // parentheses and the numbers.
        let mut lines = vec![ply_of(fullmoves, turn).saturating_sub(1)];
        let mut tried = 0;
        while let Some(token) = ahead.next_token() {
            let depth = lines.len() - 1;
            match token {
                Token::Open => lines.push(lines[depth].saturating_sub(1)),
                Token::Close if depth > 0 => drop(lines.pop()),
                Token::Move(_) => {
                    let Some((digits, has_dots)) = ahead.number_before() else {
                        lines[depth] += u64::from(depth > 0);
                        continue;
                    };
                    let number = std::str::from_utf8(digits).ok()?.parse().unwrap_or(u32::MAX);
                    let ply = ply_of(number, if has_dots { Color::Black } else { Color::White });
                    // The innermost line that the move is the next one of.
                    let near = (depth.saturating_sub(DEEPEST)..=depth).rev().chain([0]);
                    let of = match ply > lines[depth] && depth > 0 {
                        true => depth,
                        false => near.into_iter().find(|at| ply == lines[*at] + 1).unwrap_or(depth),
                    };
                    if of == 0 && ply == lines[0] + 1 && tried < MOST_TRIED {
                        tried += 1;
                        let at = self.at(digits);
                        if self.goes_on_legally(position.clone(), &ahead, at) {
                            return Some(at);
                        }
                    }
                    let of = if of == 0 { depth } else { of };
                    lines.truncate(of + 1);
                    if of > 0 {
                        lines[of] = ply;
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The next moves are legal, and the game ends where it does for what does not play it.
    fn goes_on_legally(&self, mut position: Position, ahead: &Scanner<'_>, at: usize) -> bool {
        let mut ahead = ahead.clone();
        ahead.go_on_at(at);
        let mut to_end = ahead.clone();
        to_end.skip_game();
        if to_end.position() != self.scanner.position() {
            return false;
        }
        let mut moves = 0;
        while let Some(token) = ahead.next_token() {
            match token {
                _ if ahead.depth() > 0 => continue,
                Token::Move(text) => match self.resolve(&position, text) {
                    Ok(next) => position.play_unchecked(next),
                    Err(_) => return false,
                },
                Token::Result(_) => break,
                Token::Unknown(_) => return false,
                _ => continue,
            }
            moves += 1;
            if moves == MOST_CHECKED {
                break;
            }
        }
        moves > 0
    }

    fn end_variation(&mut self, line: &mut PlayedLine, sink: &mut (impl Sink + ?Sized)) {
        if !line.is_shown {
            // The variation has no move, so its comments belong to the enclosing line.
            return;
        }
        self.show(line, None, true, sink);
        self.branches.pop();
    }
}

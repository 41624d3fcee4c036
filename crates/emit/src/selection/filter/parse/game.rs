//! Sequences in a filter: `line = "…"`, `moves ~ "…"`, `reached "…"`, `for 4 plies`, `then … within
//! 10 plies`.

use san::{AnyPosition, PositionKey, PositionSet, SanError, Setup};

use super::super::FilterError;
use super::super::expr::{ANY_PLIES, Expr, MOST, MOST_MOVES, Sequence, WrittenMove};
use super::super::lex::{Compare, Kind, Word};
use super::Parser;

impl Parser<'_> {
    /// Reads a condition, and what holds after it.
    pub(super) fn condition(&mut self) -> Result<Expr, FilterError> {
        let mut condition = self.any()?;
        while self.is_at("then") {
            let Word { start, end, .. } = self.next();
            self.check_player(start, end, "then", &condition)?;
            let last = self.any()?;
            let within = match self.is_at("within") {
                true => {
                    self.next();
                    let plies = self.plies()?;
                    if let Kind::And | Kind::Or = self.peek() {
                        let Word { start, end, .. } = self.next();
                        return self.error(
                            start,
                            end,
                            "write parentheses: (... then ... within ...)",
                        );
                    }
                    plies
                }
                false => ANY_PLIES,
            };
            let first = self.sequence(start, end, Sequence::After(condition, within))?;
            condition = Expr::All(vec![first, last]);
        }
        Ok(condition)
    }

    pub(super) fn lasting(&mut self, condition: Expr) -> Result<Expr, FilterError> {
        let Word { start, end, .. } = self.next();
        self.check_player(start, end, "for", &condition)?;
        let plies = self.plies()?;
        self.sequence(start, end, Sequence::For(condition, plies))
    }

    fn plies(&mut self) -> Result<u64, FilterError> {
        let Word { kind, start, end } = self.next();
        match kind {
            Kind::Number(plies) if plies.fract() == 0.0 && (1.0..=1e9).contains(&plies) => {
                if self.is_at("plies") || self.is_at("ply") {
                    self.next();
                }
                Ok(plies as u64)
            }
            _ => self.error(start, end, "expected a number of plies, such as 4 plies"),
        }
    }

    pub(super) fn of_game(&mut self, name: &str) -> Result<Option<Expr>, FilterError> {
        let Word { start, .. } = self.words[self.at];
        let next = |by: usize| &self.words[(self.at + by).min(self.words.len() - 1)].kind;
        let is_compared =
            |with: Compare| *next(1) == Kind::Compare(with) && matches!(next(2), Kind::Text(_));
        let sequence = match name {
            "line" if is_compared(Compare::Equal) || is_compared(Compare::Contains) => {
                self.at += 2;
                Sequence::Line(self.moves()?)
            }
            "moves" if is_compared(Compare::Contains) || is_compared(Compare::Equal) => {
                self.at += 2;
                Sequence::Moves(self.moves()?)
            }
            "reached" if matches!(next(1), Kind::Text(_)) => {
                self.next();
                self.reached()?
            }
            _ => return Ok(None),
        };
        let end = self.words[self.at - 1].end;
        self.sequence(start, end, sequence).map(Some)
    }

    /// Reads moves in SAN, with or without move numbers.
    fn moves(&mut self) -> Result<Vec<WrittenMove>, FilterError> {
        let (text, end) = self.quoted("moves in quotes")?;
        let begin = end - 1 - text.len();
        let mut moves = Vec::new();
        for word in text.split_whitespace() {
            let written = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let written =
                written.strip_prefix('.').map_or(word, |rest| rest.trim_start_matches('.'));
            if written.is_empty() || word.bytes().all(|b| b.is_ascii_digit()) {
                continue;
            }
            let read = san::Position::default().resolve(written.as_bytes());
            if let Err(SanError::NotAMove | SanError::NullMove | SanError::Drop) = read {
                let at = begin + (word.as_ptr() as usize - text.as_ptr() as usize);
                return self.error(at, at + word.len(), format!("{word} is not a move in SAN"));
            }
            moves.push(WrittenMove::new(written));
        }
        if moves.is_empty() || moves.len() > MOST_MOVES {
            let reason = format!("expected one to {MOST_MOVES} moves in SAN");
            return self.error(begin, end - 1, reason);
        }
        Ok(moves)
    }

    fn reached(&mut self) -> Result<Sequence, FilterError> {
        let (text, end) = self.quoted("a position in quotes")?;
        match Setup::from_fen(text.as_bytes()).and_then(Setup::into_position) {
            Ok(position) => {
                let positions = PositionSet::from_iter([PositionKey::of(&position)]);
                Ok(Sequence::Reached(positions.into()))
            }
            Err(error) => self.error(end - 1 - text.len(), end - 1, error.to_string()),
        }
    }

    fn sequence(
        &mut self,
        start: usize,
        end: usize,
        sequence: Sequence,
    ) -> Result<Expr, FilterError> {
        if self.sequences.len() == MOST {
            let reason = format!("more than {MOST} conditions on several positions");
            return self.error(start, end, reason);
        }
        self.sequences.push(sequence);
        Ok(Expr::Sequence(self.sequences.len() - 1))
    }
}

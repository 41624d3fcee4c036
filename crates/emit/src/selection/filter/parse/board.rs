//! Patterns of the board in a filter: `board ~ "…"`, `attacks(wN, e5)`, and the same for the other
//! colours or mirrored.

use super::super::FilterError;
use super::super::expr::Expr;
use super::super::lex::{Compare, Kind, Word};
use super::super::pattern::{Attack, BoardPattern, Pattern, PatternFault, Target, piece};
use super::Parser;

impl Parser<'_> {
    pub(super) fn pattern(&mut self) -> Result<Option<Expr>, FilterError> {
        let Kind::Name(name) = self.peek() else { return Ok(None) };
        let name = name.clone();
        let after = &self.words[(self.at + 1).min(self.words.len() - 1)].kind;
        match (&*name, after) {
            ("board", Kind::Compare(_)) => self.board(),
            ("attacks", Kind::Open) => self.attack(),
            ("either", Kind::Open) => self.also(&name, Pattern::for_other_colors),
            ("mirrored", Kind::Open) => self.also(&name, Pattern::mirrored),
            _ => return self.of_game(&name),
        }
        .map(Some)
    }

    fn board(&mut self) -> Result<Expr, FilterError> {
        self.next();
        let sign = self.next();
        if sign.kind != Kind::Compare(Compare::Contains) {
            return self.error(sign.start, sign.end, "a board is compared with a pattern by ~");
        }
        let (text, end) = self.quoted("a pattern of the board in quotes")?;
        let pattern = BoardPattern::read(&text);
        let pattern = pattern.or_else(|fault| self.pattern_fault(end, &text, fault))?;
        Ok(Expr::Pattern(Pattern::Board(pattern)))
    }

    /// Reads text in quotes, and returns it with the end of the word.
    pub(super) fn quoted(&mut self, what: &str) -> Result<(String, usize), FilterError> {
        match self.next() {
            Word { kind: Kind::Text(text), end, .. } => Ok((text, end)),
            Word { start, end, .. } => self.error(start, end, format!("expected {what}")),
        }
    }

    /// Returns the error of a fault in a text, whose closing quote ends at a byte.
    pub(super) fn pattern_fault<T>(
        &self,
        end: usize,
        text: &str,
        (at, reason): PatternFault,
    ) -> Result<T, FilterError> {
        let start = end - 1 - text.len();
        self.error(start + at.start, start + at.end, reason)
    }

    fn attack(&mut self) -> Result<Expr, FilterError> {
        self.next();
        self.next();
        let Word { kind, start, end } = self.next();
        let reason = "expected a piece such as wN, or wA for any of White";
        let attacker = match &kind {
            Kind::Name(name) => piece(name),
            _ => None,
        };
        let Some(attacker) = attacker else { return self.error(start, end, reason) };
        let Word { kind, start, end } = self.next();
        if kind != Kind::Comma {
            return self.error(start, end, "expected a comma: attacks(wN, e5)");
        }
        let Word { kind, start, end } = self.next();
        let target = match &kind {
            Kind::Name(name) => {
                let square = name.parse().ok().map(Target::Square);
                square.or_else(|| piece(name).map(|(color, role)| Target::Piece(color, role)))
            }
            _ => None,
        };
        let Some(target) = target else {
            return self.error(start, end, "expected a square such as e5, or a piece such as bQ");
        };
        self.close("expected `)`")?;
        Ok(Expr::Pattern(Pattern::Attack(Attack::new(attacker, target))))
    }

    /// Reads a condition on the board in parentheses that holds too if it does for other patterns.
    fn also(&mut self, name: &str, other: fn(&Pattern) -> Pattern) -> Result<Expr, FilterError> {
        let Word { start, end, .. } = self.next();
        // Each doubles the condition.
        if self.turned.iter().any(|outer| outer == name) {
            return self.error(start, end, format!("{name}() in {name}() has no effect"));
        }
        self.turned.push(name.to_owned());
        let condition = self.in_parentheses(Self::condition)?;
        self.turned.pop();
        match of_patterns(&condition, other) {
            Some(others) => Ok(Expr::Any(vec![condition, others])),
            None => {
                let reason = format!("{name}() is for board, material and attacks alone");
                self.error(start, self.words[self.at - 1].end, reason)
            }
        }
    }
}

fn of_patterns(condition: &Expr, other: fn(&Pattern) -> Pattern) -> Option<Expr> {
    let all =
        |parts: &[Expr]| parts.iter().map(|part| of_patterns(part, other)).collect::<Option<_>>();
    match condition {
        Expr::All(parts) => all(parts).map(Expr::All),
        Expr::Any(parts) => all(parts).map(Expr::Any),
        Expr::Not(part) => Some(Expr::Not(Box::new(of_patterns(part, other)?))),
        Expr::Pattern(pattern) => Some(Expr::Pattern(other(pattern))),
        Expr::Is(_) | Expr::Compare(..) | Expr::Sequence(_) => None,
    }
}

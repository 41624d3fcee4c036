//! From words to a tree.

use super::FilterError;
use super::lex::{Compare, Kind, Word, words};

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Not(Box<Expr>),
    /// There is such a thing, and it is neither empty nor unknown.
    Is(Operand),
    Compare(Operand, Compare, Operand),
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    Tag { name: Box<[u8]>, is_date: bool },
    Fact(Fact),
    Text(Box<[u8]>),
    Number(f64),
    Date([u32; 3]),
}

/// What is known without a tag of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    Ply,
    Plies,
    Move,
    Pieces,
    Turn,
    Check,
    Elo,
}

const FACTS: [(&str, Fact); 7] = [
    ("ply", Fact::Ply),
    ("plies", Fact::Plies),
    ("move", Fact::Move),
    ("pieces", Fact::Pieces),
    ("turn", Fact::Turn),
    ("check", Fact::Check),
    ("elo", Fact::Elo),
];

/// Parentheses and `not` one in another, at most: recursion stays bounded.
const DEEPEST: usize = 100;

/// The tree, and whether the length of a game matters to it.
pub(super) fn parse(text: &str) -> Result<(Expr, bool), FilterError> {
    let mut parser = Parser { text, words: words(text)?, at: 0, depth: 0, needs_plies: false };
    let root = parser.any()?;
    match parser.next() {
        Word { kind: Kind::End, .. } => Ok((root, parser.needs_plies)),
        Word { kind: Kind::Close, start, end } => {
            parser.error(start, end, "no parenthesis is open that this could close")
        }
        Word { start, end, .. } => parser.error(start, end, "expected `and`, `or`, or the end"),
    }
}

struct Parser<'t> {
    text: &'t str,
    words: Vec<Word>,
    at: usize,
    depth: usize,
    needs_plies: bool,
}

impl Parser<'_> {
    fn error<T>(
        &self,
        start: usize,
        end: usize,
        reason: impl Into<String>,
    ) -> Result<T, FilterError> {
        Err(FilterError { text: self.text.to_owned(), start, end, reason: reason.into() })
    }

    fn peek(&self) -> &Kind {
        &self.words[self.at].kind
    }

    /// The next word; the end is never passed.
    fn next(&mut self) -> Word {
        let word = self.words[self.at].clone();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    fn any(&mut self) -> Result<Expr, FilterError> {
        let mut parts = vec![self.all()?];
        while *self.peek() == Kind::Or {
            self.next();
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Any(parts) })
    }

    fn all(&mut self) -> Result<Expr, FilterError> {
        let mut parts = vec![self.one()?];
        while *self.peek() == Kind::And {
            self.next();
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::All(parts) })
    }

    fn one(&mut self) -> Result<Expr, FilterError> {
        let Word { start, end, .. } = self.words[self.at];
        if self.depth > DEEPEST {
            return self.error(
                start,
                end,
                format!("more than {DEEPEST} conditions one in another"),
            );
        }
        self.depth += 1;
        let one = match self.peek() {
            Kind::Not => {
                self.next();
                Expr::Not(Box::new(self.one()?))
            }
            Kind::Open => {
                self.next();
                let inner = self.any()?;
                let Word { kind, start: at, end: behind } = self.next();
                if kind != Kind::Close {
                    let reason = "expected `)`: a parenthesis is still open";
                    return self.error(at, behind, reason);
                }
                inner
            }
            _ => self.comparison()?,
        };
        self.depth -= 1;
        Ok(one)
    }

    fn comparison(&mut self) -> Result<Expr, FilterError> {
        let first = self.words[self.at].clone();
        let left = self.operand()?;
        let Kind::Compare(compare) = *self.peek() else {
            return match left {
                Operand::Tag { .. } | Operand::Fact(_) => Ok(Expr::Is(left)),
                _ => {
                    let Word { start, end, .. } = self.words[self.at];
                    self.error(start, end, "expected a comparison: = != < <= > >= ~")
                }
            };
        };
        self.next();
        let right = self.operand()?;
        let last = self.words[self.at - 1].clone();
        match (&left, &right) {
            (Operand::Fact(Fact::Turn), other) | (other, Operand::Fact(Fact::Turn)) if !matches!(other, Operand::Text(text) if matches!(&**text, b"w" | b"b")) => {
                self.error(first.start, last.end, "turn is \"w\" or \"b\"")
            }
            (Operand::Fact(Fact::Check), _) | (_, Operand::Fact(Fact::Check)) => self.error(
                first.start,
                last.end,
                "check is true or not: write `check` or `not check`",
            ),
            (Operand::Fact(fact), Operand::Text(_)) | (Operand::Text(_), Operand::Fact(fact))
                if *fact != Fact::Turn =>
            {
                self.error(
                    first.start,
                    last.end,
                    "this fact is a number, and is compared with numbers",
                )
            }
            _ => Ok(Expr::Compare(left, compare, right)),
        }
    }

    fn operand(&mut self) -> Result<Operand, FilterError> {
        let Word { kind, start, end } = self.words[self.at].clone();
        let operand = match kind {
            Kind::Text(text) => Operand::Text(text.into_bytes().into()),
            Kind::Number(number) => Operand::Number(number),
            Kind::Date(date) => Operand::Date(date),
            Kind::Name(name) => match FACTS.iter().find(|(known, _)| *known == name) {
                Some(&(_, fact)) => {
                    self.needs_plies |= fact == Fact::Plies;
                    Operand::Fact(fact)
                }
                None if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    let is_date = name.ends_with("Date");
                    Operand::Tag { name: name.into_bytes().into(), is_date }
                }
                None => {
                    let facts: Vec<_> = FACTS.iter().map(|(name, _)| *name).collect();
                    let reason = format!(
                        "there is no fact {name:?}; there are {}; names of tags begin with a capital",
                        facts.join(", ")
                    );
                    return self.error(start, end, reason);
                }
            },
            _ => {
                return self.error(
                    start,
                    end,
                    "expected a tag, a fact, a number or text in quotes",
                );
            }
        };
        self.next();
        Ok(operand)
    }
}

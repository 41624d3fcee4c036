//! Parser for filters.

use super::FilterError;
use super::lex::{self, Compare, Kind, Word, words};
use crate::facts::{Fact, FactKind, FactPlace, FactSet, is_tag_name};

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Not(Box<Expr>),
    /// A known value, or a boolean that is true.
    Is(Operand),
    Compare(Operand, Compare, Operand),
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    /// A tag, or an operation of records, as an index into those named in the filter.
    Tag {
        index: usize,
        is_date: bool,
    },
    Fact(Fact),
    Text(Box<str>),
    Number(f64),
    Date([u32; 3]),
}

/// A tag, or an operation of records, named in the filter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tag {
    pub(super) name: String,
    /// The comparison presumably meant, if the name is text with missing quotes.
    pub(super) as_text: Option<String>,
}

/// Maximum nesting of parentheses and `not`, which bounds the recursion.
const DEEPEST: usize = 100;

/// Returns the tree, the tags it names, and the facts it uses.
pub(super) fn parse(text: &str) -> Result<(Expr, Vec<Tag>, FactSet), FilterError> {
    let (tags, facts) = (Vec::new(), FactSet::default());
    let mut parser = Parser { text, words: words(text)?, at: 0, depth: 0, tags, facts };
    let root = parser.any()?;
    match parser.next() {
        Word { kind: Kind::End, .. } => Ok((root, parser.tags, parser.facts)),
        Word { kind: Kind::Close, start, end } => {
            parser.error(start, end, "a closing parenthesis without an opening one")
        }
        Word { start, end, .. } => parser.error(start, end, "expected `and`, `or`, or the end"),
    }
}

struct Parser<'t> {
    text: &'t str,
    words: Vec<Word>,
    at: usize,
    depth: usize,
    tags: Vec<Tag>,
    facts: FactSet,
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

    /// Returns the next word; never advances past the end.
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
        let mut left = self.operand()?;
        let Kind::Compare(compare) = *self.peek() else {
            return match left {
                Operand::Tag { .. } | Operand::Fact(_) => Ok(Expr::Is(left)),
                _ => {
                    let Word { start, end, .. } = self.words[self.at];
                    self.error(start, end, "expected a comparison: = != < <= > >= ~")
                }
            };
        };
        let sign = self.next();
        let second = self.words[self.at].clone();
        // The side to move may be unquoted: `turn = w`.
        let mut right = match (&left, self.peek()) {
            (Operand::Fact(Fact::Turn), Kind::Name(name)) if matches!(&**name, "w" | "b") => {
                let text = Operand::Text(name.as_str().into());
                self.next();
                text
            }
            (Operand::Fact(Fact::Turn), Kind::Name(name))
                if !is_tag_name(name) && Fact::named(name, FactPlace::Condition).is_err() =>
            {
                return self.error(second.start, second.end, "turn is w or b");
            }
            _ => self.operand()?,
        };
        self.read_date(&mut left, &first, &right);
        self.read_date(&mut right, &second, &left);
        for (one, other) in [(&left, &right), (&right, &left)] {
            if let Operand::Fact(fact) = one
                && let Some(reason) = wrong_operand(*fact, other)
            {
                return self.error(first.start, second.end, reason);
            }
        }
        let sign = &self.text[sign.start..sign.end];
        let (left_text, right_text) =
            (&self.text[first.start..first.end], &self.text[second.start..second.end]);
        if let Operand::Tag { index, .. } = right
            && is_text(&left)
        {
            self.tags[index].as_text = Some(format!("{left_text} {sign} \"{right_text}\""));
        }
        if let Operand::Tag { index, .. } = left
            && is_text(&right)
            && !matches!(right, Operand::Text(_))
        {
            self.tags[index].as_text = Some(format!("\"{left_text}\" {sign} {right_text}"));
        }
        Ok(Expr::Compare(left, compare, right))
    }

    /// Makes a date of a number such as `2015.06` that is compared with a date.
    fn read_date(&self, operand: &mut Operand, word: &Word, other: &Operand) {
        if let (Operand::Number(_), Operand::Tag { is_date: true, .. }) = (&*operand, other)
            && let Some(date) = lex::date(&self.text[word.start..word.end])
        {
            *operand = Operand::Date(date);
        }
    }

    fn operand(&mut self) -> Result<Operand, FilterError> {
        let Word { kind, start, end } = self.words[self.at].clone();
        let operand = match kind {
            Kind::Text(text) => Operand::Text(text.into()),
            Kind::Number(number) => Operand::Number(number),
            Kind::Date(date) => Operand::Date(date),
            Kind::Name(name) if name == "has" && self.words[self.at + 1].kind == Kind::Open => {
                return self.presence();
            }
            Kind::Name(name) if is_tag_name(&name) => {
                let is_date = name.ends_with("Date");
                Operand::Tag { index: self.tag(name), is_date }
            }
            Kind::Name(name) => match Fact::named(&name, FactPlace::Condition) {
                Ok(fact) => {
                    self.facts.insert(fact);
                    Operand::Fact(fact)
                }
                Err(error) if error.may_be_operation() => {
                    Operand::Tag { index: self.tag(name), is_date: false }
                }
                Err(error) => return self.error(start, end, error.to_string()),
            },
            _ => {
                return self.error(
                    start,
                    end,
                    "expected a tag, a variable, a number or text in quotes",
                );
            }
        };
        self.next();
        Ok(operand)
    }

    /// Reads `has(NAME)`, which is the same as the name alone.
    fn presence(&mut self) -> Result<Operand, FilterError> {
        self.at += 2;
        let Word { kind, start, end } = self.words[self.at].clone();
        if !matches!(kind, Kind::Name(_)) {
            return self.error(
                start,
                end,
                "expected the name of an operation, a tag or a variable",
            );
        }
        let operand = self.operand()?;
        match self.next() {
            Word { kind: Kind::Close, .. } => Ok(operand),
            Word { start, end, .. } => self.error(start, end, "expected `)` after the name"),
        }
    }

    /// Returns the index of a tag, adding it if it is new.
    fn tag(&mut self, name: String) -> usize {
        match self.tags.iter().position(|tag| tag.name == name) {
            Some(index) => index,
            None => {
                self.tags.push(Tag { name, as_text: None });
                self.tags.len() - 1
            }
        }
    }
}

/// Returns whether an operand may be compared with text.
fn is_text(operand: &Operand) -> bool {
    match operand {
        Operand::Tag { .. } | Operand::Text(_) => true,
        Operand::Fact(fact) => matches!(fact.kind(), FactKind::Text | FactKind::Key),
        Operand::Number(_) | Operand::Date(_) => false,
    }
}

/// Returns why a fact cannot be compared with an operand, if it cannot.
fn wrong_operand(fact: Fact, other: &Operand) -> Option<String> {
    let is_side = |text: &str| matches!(text, "w" | "b");
    match (fact.kind(), other) {
        (FactKind::Truth, _) => {
            Some(format!("{fact} is true or not: write `{fact}` or `not {fact}`"))
        }
        (_, Operand::Text(text)) if fact == Fact::Turn && !is_side(text) => {
            Some("turn is w or b".to_owned())
        }
        (FactKind::Text | FactKind::Key, Operand::Number(_) | Operand::Date(_)) => {
            Some(format!("{fact} is text, which is compared with text in quotes"))
        }
        (FactKind::Text | FactKind::Key, Operand::Fact(other))
            if !is_text(&Operand::Fact(*other)) =>
        {
            Some(format!("{fact} is text and {other} is not"))
        }
        (FactKind::Text | FactKind::Key, _) => None,
        (_, Operand::Text(_)) => {
            Some(format!("{fact} is a number, which is compared with numbers"))
        }
        (_, Operand::Date(_)) => Some(format!("{fact} is a number, not a date")),
        _ => None,
    }
}

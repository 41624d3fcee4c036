//! What a filter consists of: words, operands, conditions, and sequences of positions.

use std::sync::Arc;

use pgn::Span;
use san::{AnyPosition, PositionSet, Square};

use super::FilterError;
use super::pattern::Pattern;
use crate::facts::{Fact, FactKind, OF_PLAYER, OF_RECORD};
use crate::ply::Ply;

// Tokenizer for filters.

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) kind: Kind,
    pub(super) at: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Name(String),
    Text(String),
    Number(f64),
    Date([u32; 3]),
    Relation(Relation),
    Arithmetic(Arithmetic),
    /// Between the first and the last value of a range.
    To,
    Comma,
    And,
    Or,
    Not,
    Open,
    Close,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
    Contains,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Plus,
    Minus,
    Times,
    Over,
}

const SIGNS: [(&str, Kind); 19] = [
    ("==", Kind::Relation(Relation::Equal)),
    ("!=", Kind::Relation(Relation::Unequal)),
    ("<>", Kind::Relation(Relation::Unequal)),
    ("<=", Kind::Relation(Relation::LessOrEqual)),
    (">=", Kind::Relation(Relation::MoreOrEqual)),
    ("&&", Kind::And),
    ("||", Kind::Or),
    ("=", Kind::Relation(Relation::Equal)),
    ("<", Kind::Relation(Relation::Less)),
    (">", Kind::Relation(Relation::More)),
    ("~", Kind::Relation(Relation::Contains)),
    ("!", Kind::Not),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("..", Kind::To),
    (",", Kind::Comma),
    ("+", Kind::Arithmetic(Arithmetic::Plus)),
    ("*", Kind::Arithmetic(Arithmetic::Times)),
    ("/", Kind::Arithmetic(Arithmetic::Over)),
];

/// Splits the text into words, ending with [`Kind::End`].
pub(super) fn words(text: &str) -> Result<Vec<Word>, FilterError> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let is_behind_value = words.last().is_some_and(|word: &Word| word.kind.ends_value());
        let (kind, len) = word(&text[at..], is_behind_value).map_err(|(reason, len)| {
            FilterError { text: text.to_owned(), start: at, end: at + len, reason }
        })?;
        words.push(Word { kind, at: Span { start: at, end: at + len } });
        at += len;
    }
    let at = Span { start: text.len(), end: text.len() };
    words.push(Word { kind: Kind::End, at });
    Ok(words)
}

impl Kind {
    /// Whether a hyphen behind the word is a minus and not a sign.
    fn ends_value(&self) -> bool {
        matches!(
            self,
            Kind::Name(_) | Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::Close
        )
    }
}

/// Reads the first word and its length, or returns the reason and the length of wrong text.
fn word(text: &str, is_behind_value: bool) -> Result<(Kind, usize), (String, usize)> {
    let first = text.chars().next().expect("there is text");
    if let Some((sign, kind)) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        return Ok((kind.clone(), sign.len()));
    }
    let has_digit = text[first.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
    if first.is_ascii_digit() || first == '-' && has_digit && !is_behind_value {
        return number(text);
    }
    if first == '-' {
        return Ok((Kind::Arithmetic(Arithmetic::Minus), 1));
    }
    if matches!(first, '"' | '\'') {
        return match text[1..].find(first) {
            Some(len) => Ok((Kind::Text(text[1..1 + len].to_owned()), len + 2)),
            None => Err(("this text has no end: a quote is missing".into(), text.len())),
        };
    }
    let len_of = |text: &str| {
        text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
    };
    let len = match text.strip_prefix(OF_RECORD).map(len_of) {
        Some(own @ 1..) => OF_RECORD.len() + own,
        _ => len_of(text),
    };
    let kind = match &text[..len] {
        "" => {
            let reason = format!("{first:?} has no meaning here; text stands between quotes");
            return Err((reason, first.len_utf8()));
        }
        word if word.eq_ignore_ascii_case("and") => Kind::And,
        word if word.eq_ignore_ascii_case("or") => Kind::Or,
        word if word.eq_ignore_ascii_case("not") => Kind::Not,
        name => Kind::Name(name.to_owned()),
    };
    Ok((kind, len))
}

/// Reads a number or date: `2400`, `-0.5`, `2015-06`. `2015.06` is a [date] next to one.
fn number(text: &str) -> Result<(Kind, usize), (String, usize)> {
    let sign = usize::from(text.starts_with('-'));
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '?');
    let len = sign + text[sign..].find(|c| !is_part(c)).unwrap_or(text.len() - sign);
    let len = text[..len].find("..").unwrap_or(len);
    let word = &text[..len];
    if let Some(number) = word.parse().ok().filter(|number| f64::is_finite(*number)) {
        return Ok((Kind::Number(number), len));
    }
    match date(word) {
        Some(date) => Ok((Kind::Date(date), len)),
        None => Err((
            format!("{word:?} is neither a number nor a date; text stands between quotes"),
            len,
        )),
    }
}

pub(super) fn date(word: &str) -> Option<[u32; 3]> {
    let mut date = [0; 3];
    let mut parts = 0;
    for (slot, part) in date.iter_mut().zip(word.split(['.', '-'])) {
        let digits = if parts == 0 { part.len() == 4 } else { part.len() == 2 };
        *slot = part.parse().ok().filter(|_| digits)?;
        parts += 1;
    }
    (parts >= 2 && word.split(['.', '-']).count() == parts).then_some(date)
}

// What is compared, and with what it can be.

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
    Arithmetic(Box<Operand>, Arithmetic, Box<Operand>),
    Absolute(Box<Operand>),
}

impl Operand {
    pub(super) fn names_player(&self) -> bool {
        match self {
            Operand::Fact(fact) => fact.has(OF_PLAYER),
            Operand::Arithmetic(left, _, right) => left.names_player() || right.names_player(),
            Operand::Absolute(inner) => inner.names_player(),
            _ => false,
        }
    }

    pub(super) fn is_date(&self) -> bool {
        match self {
            Operand::Tag { is_date, .. } => *is_date,
            Operand::Fact(fact) => fact.kind() == FactKind::Date,
            Operand::Date(_) => true,
            _ => false,
        }
    }
}

pub(super) fn is_text(operand: &Operand) -> bool {
    match operand {
        Operand::Tag { .. } | Operand::Text(_) => true,
        Operand::Fact(fact) => matches!(fact.kind(), FactKind::Text | FactKind::Key),
        _ => false,
    }
}

pub(super) fn is_side(operand: &Operand) -> bool {
    matches!(operand, Operand::Fact(Fact::Turn | Fact::Color))
}

pub(super) fn is_number(fact: Fact) -> bool {
    use FactKind::{Decimal, Number, Signed, SmallNumber};
    matches!(fact.kind(), Number | SmallNumber | Signed | Decimal)
}

pub(super) fn wrong_operand(operand: &Operand, other: &Operand) -> Option<String> {
    let fact = match operand {
        Operand::Fact(fact) => *fact,
        Operand::Arithmetic(..) | Operand::Absolute(_) => {
            let is_number = match other {
                Operand::Text(_) | Operand::Date(_) => false,
                Operand::Fact(_) => !is_text(other),
                _ => true,
            };
            return (!is_number).then(|| "a calculation is compared with numbers".to_owned());
        }
        _ => return None,
    };
    match (fact.kind(), other) {
        (FactKind::Truth, _) => {
            Some(format!("{fact} is true or not: write `{fact}` or `not {fact}`"))
        }
        (_, Operand::Text(text)) if is_side(operand) && !matches!(&**text, "w" | "b") => {
            Some(format!("{fact} is w or b"))
        }
        (FactKind::Text | FactKind::Key, Operand::Tag { .. } | Operand::Text(_)) => None,
        (FactKind::Text | FactKind::Key, Operand::Fact(other)) => {
            (!is_text(&Operand::Fact(*other))).then(|| format!("{fact} is text and {other} is not"))
        }
        (FactKind::Text | FactKind::Key, _) => {
            Some(format!("{fact} is text, which is compared with text in quotes"))
        }
        (FactKind::Date, Operand::Text(_)) => {
            Some(format!("{fact} is a date, which is compared with dates such as 2015.06"))
        }
        (FactKind::Date, _) => None,
        (_, Operand::Text(_)) => {
            Some(format!("{fact} is a number, which is compared with numbers"))
        }
        (_, Operand::Date(_)) => Some(format!("{fact} is a number, not a date")),
        _ => None,
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Not(Box<Expr>),
    /// A known value, or a boolean that is true.
    Is(Operand),
    Relation(Operand, Relation, Operand),
    Pattern(Pattern),
    /// One of the sequences of the filter, by its index.
    Sequence(usize),
}

impl Expr {
    pub(super) fn names_player(&self) -> bool {
        match self {
            Expr::All(parts) | Expr::Any(parts) => parts.iter().any(Expr::names_player),
            Expr::Not(part) => part.names_player(),
            Expr::Is(operand) => operand.names_player(),
            Expr::Relation(left, _, right) => left.names_player() || right.names_player(),
            Expr::Pattern(_) | Expr::Sequence(_) => false,
        }
    }

    pub(super) fn has_pattern(&self) -> bool {
        match self {
            Expr::All(parts) | Expr::Any(parts) => parts.iter().any(Expr::has_pattern),
            Expr::Not(part) => part.has_pattern(),
            Expr::Pattern(_) => true,
            Expr::Is(_) | Expr::Relation(..) | Expr::Sequence(_) => false,
        }
    }
}

/// The most sequences as written, since each line of a game keeps them; one more may be added.
pub(super) const MOST: usize = 16;

/// The most moves of a sequence: each is a bit.
pub(super) const MOST_MOVES: usize = 63;
pub(super) const ANY_PLIES: u64 = u64::MAX - 1;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sequence {
    /// Something holds in this number of positions in a row, of which the current one is the last.
    For(Expr, u64),
    /// Something held in an earlier position, at most this number of plies before.
    After(Expr, u64),
    Moves(Vec<WrittenMove>),
    Line(Vec<WrittenMove>),
    Reached(Arc<PositionSet>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct WrittenMove {
    text: Box<str>,
    /// The square it goes to, unless it is castling; most moves differ in it.
    to: Option<Square>,
}

impl WrittenMove {
    pub(super) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let squares = bytes.windows(2).rev();
        let to = squares.filter_map(|pair| Square::from_ascii(pair).ok()).next();
        WrittenMove { text: text.into(), to }
    }

    pub(super) fn is_played<P: AnyPosition>(&self, ply: &Ply<'_, P>) -> bool {
        let (position, Some(next)) = (ply.position, ply.next) else { return false };
        let is_other = |to| position.squares_of(next).is_some_and(|(_, other)| other != to);
        match self.to {
            Some(to) if is_other(to) => false,
            _ => {
                let is_same = position.resolve(self.text.as_bytes()) == Ok(next);
                // A pawn may capture without the sign: `ed5`.
                let has_sign = self.text.contains('x');
                let may_omit = self.text.starts_with(|c: char| c.is_ascii_lowercase()) && !has_sign;
                is_same && (may_omit || has_sign == position.is_capture(next))
            }
        }
    }
}

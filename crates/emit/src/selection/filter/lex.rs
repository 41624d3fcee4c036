//! Tokenizer for filters.

use super::FilterError;
use crate::facts::OF_RECORD;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Name(String),
    Text(String),
    Number(f64),
    /// Year, month and day; 0 for a missing part.
    Date([u32; 3]),
    Compare(Compare),
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
pub(super) enum Compare {
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
    ("==", Kind::Compare(Compare::Equal)),
    ("!=", Kind::Compare(Compare::Unequal)),
    ("<>", Kind::Compare(Compare::Unequal)),
    ("<=", Kind::Compare(Compare::LessOrEqual)),
    (">=", Kind::Compare(Compare::MoreOrEqual)),
    ("&&", Kind::And),
    ("||", Kind::Or),
    ("=", Kind::Compare(Compare::Equal)),
    ("<", Kind::Compare(Compare::Less)),
    (">", Kind::Compare(Compare::More)),
    ("~", Kind::Compare(Compare::Contains)),
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
        words.push(Word { kind, start: at, end: at + len });
        at += len;
    }
    words.push(Word { kind: Kind::End, start: text.len(), end: text.len() });
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

/// Reads a four-digit year, a month and an optional day.
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

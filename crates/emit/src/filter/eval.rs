//! What a tree says of a game or a position; nothing where it cannot be known yet.

use std::borrow::Cow;
use std::cmp::Ordering;

use pgn::TagPair;

use super::lex::Compare;
use super::parse::{Expr, Fact, Operand};
use crate::Ply;

/// What is known.
pub(super) struct Known<'k> {
    pub(super) tags: &'k [TagPair<'k>],
    pub(super) plies: Option<u32>,
    pub(super) ply: Option<&'k Ply<'k>>,
}

/// Whether the condition holds; `None` if that depends on what is not known.
pub(super) fn decide(expr: &Expr, known: &Known<'_>) -> Option<bool> {
    match expr {
        Expr::All(parts) => all(parts, known, true),
        Expr::Any(parts) => all(parts, known, false),
        Expr::Not(part) => decide(part, known).map(|holds| !holds),
        Expr::Is(operand) => Some(match value(operand, known)? {
            Value::Missing => false,
            Value::Bool(holds) => holds,
            Value::Text(text) => !matches!(&*text, b"" | b"?" | b"-"),
            Value::Quoted(_) | Value::Number(_) | Value::Date(_) => true,
        }),
        Expr::Compare(left, compare, right) => {
            // A tag with a date in it is read as far as the other side goes.
            let (mut a, mut b) = (value(left, known)?, value(right, known)?);
            if is_date(left) || is_date(right) {
                (a, b) = (dated(a), dated(b));
            }
            Some(holds(&a, *compare, &b))
        }
    }
}

/// Whether all parts are so, or else one is not.
fn all(parts: &[Expr], known: &Known<'_>, so: bool) -> Option<bool> {
    let mut unknown = false;
    for part in parts {
        match decide(part, known) {
            None => unknown = true,
            Some(holds) if holds != so => return Some(!so),
            Some(_) => {}
        }
    }
    (!unknown).then_some(so)
}

enum Value<'v> {
    Missing,
    Bool(bool),
    Number(f64),
    /// The value of a tag: a number too, if it looks like one.
    Text(Cow<'v, [u8]>),
    Quoted(&'v [u8]),
    /// Year, month and day; 0 where there is none.
    Date([u32; 3]),
}

fn value<'v>(operand: &'v Operand, known: &Known<'v>) -> Option<Value<'v>> {
    Some(match operand {
        Operand::Text(text) => Value::Quoted(text),
        Operand::Number(number) => Value::Number(*number),
        Operand::Date(date) => Value::Date(*date),
        Operand::Tag { name, .. } => match tag(known.tags, name) {
            Some(value) => Value::Text(value),
            None => Value::Missing,
        },
        Operand::Fact(Fact::Elo) => match mean_elo(known.tags) {
            Some(elo) => Value::Number(elo),
            None => Value::Missing,
        },
        Operand::Fact(Fact::Plies) => Value::Number(known.plies?.into()),
        Operand::Fact(Fact::Ply) => Value::Number(known.ply?.number.into()),
        Operand::Fact(Fact::Move) => Value::Number(known.ply?.position.fullmoves().into()),
        Operand::Fact(Fact::Pieces) => {
            Value::Number((known.ply?.position.occupied().count() as u32).into())
        }
        Operand::Fact(Fact::Check) => Value::Bool(known.ply?.position.is_check()),
        Operand::Fact(Fact::Turn) => {
            Value::Quoted(if known.ply?.position.turn().is_white() { b"w" } else { b"b" })
        }
    })
}

fn tag<'t>(tags: &[TagPair<'t>], name: &[u8]) -> Option<Cow<'t, [u8]>> {
    tags.iter().find(|tag| tag.name() == name).map(TagPair::value)
}

fn mean_elo(tags: &[TagPair<'_>]) -> Option<f64> {
    let elo = |name: &[u8]| number(&tag(tags, name)?).filter(|elo| *elo > 0.0);
    Some((elo(b"WhiteElo")? + elo(b"BlackElo")?) / 2.0)
}

fn holds(a: &Value<'_>, compare: Compare, b: &Value<'_>) -> bool {
    if compare == Compare::Contains {
        return match (a, b) {
            (Value::Text(a), Value::Number(b)) => contains(a, b.to_string().as_bytes()),
            _ => matches!((text(a), text(b)), (Some(a), Some(b)) if contains(a, b)),
        };
    }
    let order = order(a, b);
    match compare {
        Compare::Equal => order == Some(Ordering::Equal),
        Compare::Unequal => order != Some(Ordering::Equal),
        Compare::Less => order == Some(Ordering::Less),
        Compare::LessOrEqual => order.is_some_and(Ordering::is_le),
        Compare::More => order == Some(Ordering::Greater),
        Compare::MoreOrEqual => order.is_some_and(Ordering::is_ge),
        Compare::Contains => false,
    }
}

/// How two values stand to each other; `None` where they cannot be compared.
fn order(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    match (a, b) {
        (Value::Quoted(_), _) | (_, Value::Quoted(_)) => Some(text(a)?.cmp(text(b)?)),
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(b),
        (Value::Text(a), Value::Number(b)) => number(a)?.partial_cmp(b),
        (Value::Number(a), Value::Text(b)) => a.partial_cmp(&number(b)?),
        (Value::Text(a), Value::Text(b)) => match (number(a), number(b)) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ => a.partial_cmp(b),
        },
        (Value::Date(a), Value::Date(b)) => {
            let known = |date: &[u32; 3]| date.iter().take_while(|part| **part > 0).count();
            // The one that is given with less decides how much counts; what the other one lacks is unknown.
            let parts = known(a).min(known(b));
            (parts > 0).then(|| a[..parts].cmp(&b[..parts]))
        }
        _ => None,
    }
}

/// A value as text: a tag that is not there is empty.
fn text<'v>(value: &'v Value<'_>) -> Option<&'v [u8]> {
    match value {
        Value::Missing => Some(b""),
        Value::Text(text) => Some(text),
        Value::Quoted(text) => Some(text),
        _ => None,
    }
}

fn is_date(operand: &Operand) -> bool {
    matches!(operand, Operand::Tag { is_date: true, .. } | Operand::Date(_))
}

/// A value read as a date.
fn dated(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Number(year) if year.fract() == 0.0 && (1.0..=9999.0).contains(&year) => {
            Value::Date([year as u32, 0, 0])
        }
        Value::Text(_) | Value::Quoted(_) => {
            let text = text(&value).unwrap_or_default();
            let mut date = [0; 3];
            let parts = text.split(|b| matches!(b, b'.' | b'-' | b'/'));
            for (slot, part) in date.iter_mut().zip(parts) {
                match std::str::from_utf8(part).ok().and_then(|part| part.trim().parse().ok()) {
                    Some(number) => *slot = number,
                    None => break,
                }
            }
            Value::Date(date)
        }
        other => other,
    }
}

/// A tag's value as a number: all of it, blanks aside.
fn number(text: &[u8]) -> Option<f64> {
    let text = text.trim_ascii();
    // Nearly all are ratings.
    if text.len() <= 9 && !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
        return Some(text.iter().fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0')).into());
    }
    if !text.last()?.is_ascii_digit() {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{Filter, Ply, Verdict};

    const GAME: &str = r#"[White "Müller, Jörg"]
[Black "O'Neill"]
[WhiteElo "2400"]
[BlackElo "2500"]
[Result "1-0"]
[Round "3.1"]
[Date "2015.06.??"]
[TimeControl "600+5"]
[ECO "?"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"#;

    fn verdict(filter: &str) -> Verdict {
        let filter: Filter = filter.parse().unwrap_or_else(|error| panic!("{error}"));
        filter.game(pgn::games(GAME.as_bytes()).next().unwrap().tags())
    }

    #[test]
    fn tags_decide() {
        let cases = [
            ("WhiteElo >= 2400", true),
            ("WhiteElo > 2400", false),
            ("WhiteElo = 2400 and BlackElo != 2400", true),
            ("WhiteElo < BlackElo", true),
            ("elo = 2450", true),
            ("Result = \"1-0\"", true),
            ("Result == '0-1' or Result <> '1/2-1/2'", true),
            ("not Result = '1-0'", false),
            ("White ~ 'müller'", true),
            ("White ~ 'MULLER'", false),
            ("TimeControl ~ '+5'", true),
            ("Date >= 2015", true),
            ("Date <= 2015", true),
            ("Date = 2015", true),
            ("Date > 2015", false),
            ("Date < 2016 && Date > 2014", true),
            ("Date >= 2015.06", true),
            ("Date >= 2015-07", false),
            ("Date = 2015.06.12", true),
            ("Round = 3.1", true),
            ("Round > 3", true),
            // What is missing is neither equal, nor less, nor more; as text it is empty.
            ("Annotator = 1 or Annotator < 1 or Annotator > 1", false),
            ("Annotator != 1", true),
            ("Annotator = ''", true),
            ("ECO < 5 or ECO >= 5", false),
            ("Annotator", false),
            ("ECO", false),
            ("WhiteElo", true),
            ("!FEN", true),
            ("(WhiteElo > 3000 or BlackElo > 2450) and not (Result = '*')", true),
            // Tags come before what only the position tells.
            ("ply > 3 and Result = '0-1'", false),
            ("check or Result = '1-0'", true),
        ];
        for (filter, expected) in cases {
            let expected = if expected { Verdict::Yes } else { Verdict::No };
            assert_eq!(verdict(filter), expected, "{filter}");
        }
        for filter in ["ply > 3", "plies = 5 and Result = '1-0'", "not check"] {
            assert_eq!(verdict(filter), Verdict::Depends, "{filter}");
        }
    }

    #[test]
    fn positions_decide() {
        let mut position = san::Position::default();
        let next = san::resolve(&position, b"e4").unwrap();
        position.play_unchecked(next);
        let ply = Ply::new(&position, None, 1);
        let cases = [
            ("ply = 1", true),
            ("move > 1", false),
            ("turn = 'b'", true),
            ("turn != 'b'", false),
            ("pieces >= 32", true),
            ("check", false),
            ("plies > 4", true),
        ];
        for (filter, expected) in cases {
            let filter: Filter = filter.parse().unwrap();
            assert_eq!(filter.position(&[], Some(5), &ply), expected, "{filter:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_condition_or_an_error_in_it(
            text in "([A-Za-z]{1,3}|[0-9.?-]{1,7}|[=!<>~&|()'\"]{1,2}|and|or|not|ply|plies| |ö){0,12}"
        ) {
            match text.parse::<Filter>() {
                Ok(filter) => {
                    let game = pgn::games(GAME.as_bytes()).next().unwrap();
                    let _ = filter.game_of_length(game.tags(), 5);
                }
                Err(error) => {
                    prop_assert!(text.get(error.start..error.end).is_some());
                    prop_assert!(error.to_string().contains('^'));
                }
            }
        }
    }

    #[test]
    fn an_error_points_at_the_word() {
        let message = |filter: &str| filter.parse::<Filter>().unwrap_err().to_string();
        assert_eq!(
            message("WhiteElo >= 2400 & ply > 3"),
            "'&' has no meaning here; text stands between quotes\n    \
             WhiteElo >= 2400 & ply > 3\n                     ^"
        );
        for (filter, place) in [
            ("", 0..0),
            ("WhiteElo >=", 11..11),
            ("(WhiteElo > 1", 13..13),
            ("WhiteElo > 1)", 12..13),
            ("WhiteElo > 1 BlackElo", 13..21),
            ("Result = 1-0", 9..12),
            ("Result = \"1-0", 9..13),
            ("Result = 0.5e", 9..13),
            ("2400", 4..4),
            ("plyy > 3", 0..4),
            ("turn = \"white\"", 0..14),
            ("ply > 'x'", 0..9),
            ("check = 1", 0..9),
            ("White ~ ö", 8..10),
        ] {
            let error = filter.parse::<Filter>().unwrap_err();
            assert_eq!((error.start, error.end), (place.start, place.end), "{filter}: {error}");
        }
        assert!(message(&"(".repeat(100_000)).starts_with("more than 100 conditions"));
    }
}

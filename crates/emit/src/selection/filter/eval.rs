//! Evaluation of a condition for a game or a position; `None` where the outcome is not known yet.

use std::borrow::Cow;

use san::{Color, Position};

use super::Filter;
use super::expr::Expr;
use super::game_values::{GameValues, TagValue};
use super::lex::{Arithmetic, Compare};
use super::operand::Operand;
use super::value::{Value, compares, contains, dated, holds, number};
use crate::facts::{Fact, QuickValue};

#[derive(Clone, Copy)]
pub(super) struct Known<'k> {
    pub(super) game: &'k GameValues,
    pub(super) file: Option<&'k str>,
    /// The side whose player is the one of the condition.
    pub(super) side: Color,
    pub(super) at: Option<At<'k>>,
}

#[derive(Clone, Copy)]
pub(super) struct At<'k> {
    pub(super) facts: &'k dyn PositionFacts,
    /// The position, unless it is one of a variant.
    pub(super) chess: Option<&'k Position>,
    /// Which sequences hold, as bits.
    pub(super) sequences: u32,
}

pub(super) trait PositionFacts {
    fn value(&self, fact: Fact) -> Value<'_>;

    /// For facts of the board alone; a number above `most` may be replaced by any other above it.
    fn quick_value(&self, fact: Fact, most: u32) -> Option<QuickValue>;

    /// Tests the text of a fact that must be written first; `None` for others and without a value.
    fn test_text(&self, fact: Fact, test: &mut dyn FnMut(&[u8]) -> bool) -> Option<bool>;
}

/// Evaluates the condition; `None` if the outcome depends on values that are not available.
pub(super) fn decide<'k>(filter: &'k Filter, expr: &'k Expr, known: &Known<'k>) -> Option<bool> {
    match expr {
        Expr::All(parts) => all(filter, parts, known, true),
        Expr::Any(parts) => all(filter, parts, known, false),
        Expr::Not(part) => decide(filter, part, known).map(|holds| !holds),
        Expr::Is(Operand::Fact(fact))
            if let Some(QuickValue::Truth(holds)) =
                known.at.and_then(|at| at.facts.quick_value(*fact, u32::MAX)) =>
        {
            Some(holds)
        }
        Expr::Is(operand) => is_known(operand, known),
        Expr::Pattern(pattern) => Some(known.at?.chess.is_some_and(|chess| pattern.holds(chess))),
        Expr::Sequence(index) => Some(known.at?.sequences >> index & 1 == 1),
        Expr::Compare(left, compare, right) => {
            if let Some(at) = &known.at
                && let Some(holds) = compare_quickly(left, *compare, right, at.facts)
            {
                return Some(holds);
            }
            compare_values(left, *compare, right, known)
        }
    }
}

/// Known and not false; not in `decide`, whose calls for quick facts it would slow down.
#[inline(never)]
fn is_known<'k>(operand: &'k Operand, known: &Known<'k>) -> Option<bool> {
    Some(match value(operand, known)? {
        Value::Missing => false,
        Value::Bool(holds) => holds,
        Value::Tag(_) | Value::Text(_) | Value::Number(_) | Value::Date(_) => true,
    })
}

#[inline(never)]
fn compare_values<'k>(
    left: &'k Operand,
    compare: Compare,
    right: &'k Operand,
    known: &Known<'k>,
) -> Option<bool> {
    // A date tag is compared to the precision of the other side.
    let (mut a, mut b) = (value(left, known)?, value(right, known)?);
    if compare != Compare::Contains && (left.is_date() || right.is_date()) {
        (a, b) = (dated(a), dated(b));
    }
    Some(holds(&a, compare, &b))
}

/// Returns `so` if all parts evaluate to `so`, and `!so` if any part does not.
fn all<'k>(filter: &'k Filter, parts: &'k [Expr], known: &Known<'k>, so: bool) -> Option<bool> {
    let mut unknown = false;
    for part in parts {
        match decide(filter, part, known) {
            None => unknown = true,
            Some(holds) if holds != so => return Some(!so),
            Some(_) => {}
        }
    }
    (!unknown).then_some(so)
}

fn value<'v>(operand: &'v Operand, known: &Known<'v>) -> Option<Value<'v>> {
    let fact = match operand {
        Operand::Text(text) => return Some(Value::Text(Cow::Borrowed(text))),
        Operand::Number(number) => return Some(Value::Number(*number)),
        Operand::Date(date) => return Some(Value::Date(*date)),
        Operand::Tag { index, .. } => {
            let text = known.game.tags.get(*index).and_then(TagValue::known);
            return Some(text.map_or(Value::Missing, Value::Tag));
        }
        Operand::Arithmetic(left, sign, right) => {
            let (left, right) = (value(left, known)?, value(right, known)?);
            let result = number(&left).zip(number(&right)).map(|(left, right)| match sign {
                Arithmetic::Plus => left + right,
                Arithmetic::Minus => left - right,
                Arithmetic::Times => left * right,
                Arithmetic::Over => left / right,
            });
            // Nothing is divided by 0.
            return Some(result.filter(|n| n.is_finite()).map_or(Value::Missing, Value::Number));
        }
        Operand::Absolute(inner) => {
            let inner = number(&value(inner, known)?);
            return Some(inner.map_or(Value::Missing, |number| Value::Number(number.abs())));
        }
        Operand::Fact(fact) => *fact,
    };
    Some(match fact {
        fact if fact.needs_ratings() && !fact.is_of_player() => {
            known.game.ratings.value(fact).map_or(Value::Missing, Value::Number)
        }
        fact if fact.needs_time_tags() => known.game.time(fact).unwrap_or(Value::Missing),
        fact if fact.is_of_player() => known.game.player(fact, known.side, known.at.is_some())?,
        Fact::Result => match (known.game.result(), known.game.outcome, known.at) {
            (Some(result), ..) => Value::Text(Cow::Borrowed(result)),
            // It may follow.
            (None, None, None) => return None,
            _ => Value::Missing,
        },
        Fact::Plies => Value::Number(known.game.ahead?.plies.into()),
        Fact::Termination => {
            let termination = known.game.ahead?.termination;
            termination.map_or(Value::Missing, |ending| Value::Text(Cow::Borrowed(ending)))
        }
        Fact::Line => Value::Number(known.game.line? as f64),
        Fact::File => Value::Text(Cow::Borrowed(known.file?)),
        fact => known.at?.facts.value(fact),
    })
}

fn compare_quickly(
    left: &Operand,
    compare: Compare,
    right: &Operand,
    facts: &dyn PositionFacts,
) -> Option<bool> {
    if let (Operand::Fact(fact), Operand::Text(wanted)) = (left, right) {
        return facts.test_text(*fact, &mut |text| match compare {
            Compare::Contains => contains(text, wanted.as_bytes()),
            _ => compares(Some(text.cmp(wanted.as_bytes())), compare),
        });
    }
    let number = |operand: &Operand, other: &Operand| match operand {
        Operand::Number(number) => Some(*number),
        Operand::Fact(fact) => {
            // It need not be known how much it exceeds another number.
            let most = if let Operand::Number(most) = other { *most as u32 } else { u32::MAX };
            match facts.quick_value(*fact, most)? {
                QuickValue::Number(number) => Some(f64::from(number)),
                QuickValue::Truth(_) => None,
            }
        }
        _ => None,
    };
    let (left, right) = (number(left, right)?, number(right, left)?);
    (compare != Compare::Contains).then(|| compares(left.partial_cmp(&right), compare))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Condition;
    use crate::ply::{Ahead, Ply};
    use crate::records::plan::Plan;
    use crate::selection::filter::{Filter, Verdict};
    use crate::sink::GameAhead;

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
            ("White ~ 'MÜLLER'", true),
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
            // A missing tag is unequal to everything, and neither equal, less nor greater.
            ("Annotator = 1 or Annotator < 1 or Annotator > 1", false),
            ("Annotator != 1", true),
            ("Annotator < 'M' or Annotator <= Black or Annotator ~ ''", false),
            // An empty text asks for a missing value.
            ("Annotator = '' and Annotator in (1, '')", true),
            ("Annotator != 'x' and Annotator != Missing", true),
            ("ECO < 5 or ECO >= 5", false),
            ("Annotator", false),
            ("ECO", false),
            ("WhiteElo", true),
            ("!FEN", true),
            ("(WhiteElo > 3000 or BlackElo > 2450) and not (Result = '*')", true),
            ("BlackElo - WhiteElo = 100 and WhiteElo-BlackElo = -100", true),
            ("abs(WhiteElo - BlackElo) < 100", false),
            ("(WhiteElo + BlackElo) / 2 = 2450 and 2450 = (WhiteElo + BlackElo) / 2", true),
            ("2 + 3 * 2 = 8 and (2 + 3) * 2 = 10 and 7 - 2 - 1 = 4 and 8 / 2 / 2 = 2", true),
            ("-WhiteElo > -2400", false),
            ("-(WhiteElo - 1) = -2399 and - -WhiteElo = 2400", true),
            ("WhiteElo > BlackElo - 101 and not (WhiteElo > BlackElo - 100)", true),
            ("WhiteElo in 2300..2400 and WhiteElo = 2400..2400", true),
            ("WhiteElo = 2401.. or WhiteElo in ..2399", false),
            ("WhiteElo in ..2400 and WhiteElo in 2400..", true),
            ("WhiteElo in BlackElo - 100..BlackElo", true),
            ("WhiteElo in (1, 3..4, 2400)", true),
            ("WhiteElo not in (1, 2..3000)", false),
            ("WhiteElo != 2000..2399 and WhiteElo != 2401..", true),
            ("Result in ('1-0', '0-1') and Result not in ('1/2-1/2')", true),
            ("White in 'M'..'N'", true),
            ("Date in 2014..2015 and Date in (2010, 2015.06)", true),
            ("Date = 2015.07..2016 or Date in ..2014.12", false),
            // A missing value is in no range and in no list, and makes a calculation missing.
            ("Annotator in 1..2 or Annotator in (1, 'x') or WhiteElo - Annotator < 9", false),
            ("Annotator not in 1..2 and Annotator not in (1, 2)", true),
            ("WhiteElo / 0 > 1 or WhiteElo / 0 < 1 or White * 1 > 0", false),
            ("base_time = 600 and increment = 5 and year = 2015", true),
            ("base_time + 40 * increment in 480..1500", true),
            // The day is unknown.
            ("date or date >= 2015", false),
            ("result = '1-0' and result in ('1-0', '0-1')", true),
            // The tags decide although `ply` is not known yet.
            ("ply > 3 and Result = '0-1'", false),
            ("check or Result = '1-0'", true),
        ];
        for (filter, expected) in cases {
            let expected = if expected { Verdict::Yes } else { Verdict::No };
            assert_eq!(verdict(filter), expected, "{filter}");
        }
        for filter in ["ply > 3", "plies = 5 and Result = '1-0'", "not check", "points = 1"] {
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
            ("ply in 1..3 and ply + 4 = plies and abs(eval) in 20..40", true),
            ("turn in (w) or turn = w..w", false),
            ("date = 2015.06.12 or date in 2015.06..2015.07", false),
            ("points = 0 and result = '1-0'", true),
            ("turn = w", false),
            ("turn = b and 'b' = turn", true),
            ("uci", false),
            ("san = '' or san < 'z' or san ~ '' or opening <= 'E'", false),
            ("san != ''", true),
            ("epd ~ ' b KQkq'", true),
            ("fen = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'", true),
            ("key = '823c9b50fd114196'", true),
            ("line = 7 and file = 'a.pgn'", true),
            ("eco or opening", false),
            // From the view of the side to move, Black.
            ("eval = -30", true),
            ("eval > 50", false),
            ("not eval > 50", true),
            ("clock = 90.5", true),
        ];
        let comments: [&[u8]; 1] = [b"[%eval 0.3] [%clk 0:01:30.5]"];
        let ahead = Ahead { comments: &[], plies: None, outcome: None, known: None };
        let ply = Ply { comments: &comments, ahead: Some(&ahead), ..ply };
        for (filter, expected) in cases {
            let filter = Some(filter.parse::<Filter>().unwrap());
            let plan = Plan { filter, file: "a.pgn".to_owned(), ..Plan::default() };
            let mut condition = Condition::of(&plan).unwrap();
            condition.begin(&[], Some(7));
            condition.set_ahead(GameAhead { plies: 5, ..GameAhead::default() });
            condition.set_outcome(Some(pgn::Outcome::WhiteWins));
            assert_eq!(condition.follow(&ply, false), expected, "{:?}", plan.filter);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_condition_or_an_error_in_it(
            text in "([A-Za-z]{1,3}|[0-9.?-]{1,7}|[=!<>~&|()'\"+*/,-]{1,2}|and|or|not|in|abs|ply|plies|Date| |ö){0,12}"
        ) {
            match text.parse::<Filter>() {
                Ok(filter) => {
                    let game = pgn::games(GAME.as_bytes()).next().unwrap();
                    let _ = filter.game(game.tags());
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
            ("record. > 3", 6..7),
            ("turn = \"white\"", 0..14),
            ("ply > 'x'", 0..9),
            ("check = 1", 0..9),
            ("White ~ ö", 8..10),
            ("san = 4", 0..7),
            ("eval = 'x'", 0..10),
            ("eval = 2015.06.01", 0..17),
            ("san = ply", 0..9),
            ("ply < san", 0..9),
            ("turn = x", 7..8),
            ("turn = white", 7..12),
            ("record = ''", 0..6),
            ("game = 3", 0..4),
            ("ply in", 6..6),
            ("ply in (1, 2", 12..12),
            ("ply in ()", 8..9),
            ("ply not 3", 4..7),
            ("ply < 1..2", 7..9),
            ("ply = 3..2", 6..10),
            ("ply = ..", 6..8),
            ("ply + 1", 7..7),
            ("ply + > 1", 6..7),
            ("san + 1 = 2", 0..3),
            ("1 + turn = 2", 4..8),
            ("abs('x') = 1", 4..7),
            ("ply + 1 = 'x'", 0..13),
            ("ply + 1 = san", 0..13),
            ("date = '2015'", 0..13),
            ("date + 1 > 2", 0..4),
        ] {
            let error = filter.parse::<Filter>().unwrap_err();
            assert_eq!((error.start, error.end), (place.start, place.end), "{filter}: {error}");
        }
        for sign in ["(", "-", "abs(", "not "] {
            let error = message(&sign.repeat(100_000));
            assert!(error.starts_with("more than 100 conditions"), "{sign}");
        }
    }
}

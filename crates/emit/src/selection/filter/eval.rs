//! Evaluation of a condition for a game or a position; `None` where the outcome is not known yet.

use std::borrow::Cow;
use std::cell::RefCell;
use std::cmp::Ordering;

use pgn::TagPair;
use san::{AnyPosition, Buffer, Color, Position, PositionKey};

use super::Filter;
use super::expr::{Arithmetic, Expr, MOST, Operand, Relation, Sequence, is_number};
use crate::facts::value::{FoundValue, Later, Value, value_of_game};
use crate::facts::{Fact, FactKind};
use crate::game::{GameContext, date, decimal};
use crate::ply::Ply;

// How values are compared.

fn number(value: Value<'_>) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(number as f64),
        Value::Decimal(number) => Some(number),
        Value::Tag(value) => decimal(value.as_bytes()),
        _ => None,
    }
}

fn text<'v>(value: &'v Value<'_>) -> Option<Cow<'v, [u8]>> {
    match value {
        Value::Text(text) | Value::Tag(text) => Some(text.as_bytes().into()),
        Value::Move(text) => Some(text.as_bytes().into()),
        Value::Written(text) => Some((*text).into()),
        Value::Key(key) => Some(format!("{key:016x}").into_bytes().into()),
        _ => None,
    }
}

fn compares(order: Option<Ordering>, compare: Relation) -> bool {
    match compare {
        Relation::Equal => order == Some(Ordering::Equal),
        Relation::Unequal => order != Some(Ordering::Equal),
        Relation::Less => order == Some(Ordering::Less),
        Relation::LessOrEqual => order.is_some_and(Ordering::is_le),
        Relation::More => order == Some(Ordering::Greater),
        Relation::MoreOrEqual => order.is_some_and(Ordering::is_ge),
        Relation::Contains => false,
    }
}

/// Compares two values; `None` if they cannot be compared.
fn order(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    if let (Value::Date(a), Value::Date(b)) = (a, b) {
        let known = |date: &[u32; 3]| date.iter().take_while(|part| **part > 0).count();
        // Relation to the lower precision; parts missing from either date are unknown.
        let parts = known(a).min(known(b));
        return (parts > 0).then(|| a[..parts].cmp(&b[..parts]));
    }
    match (number(*a), number(*b)) {
        (Some(a), Some(b)) => a.partial_cmp(&b),
        _ => Some(text(a)?.cmp(&text(b)?)),
    }
}

fn dated(value: Value<'_>) -> Value<'_> {
    match (text(&value), number(value)) {
        (Some(text), _) => Value::Date(date(&text)),
        (None, Some(year)) if year.fract() == 0.0 && (1.0..=9999.0).contains(&year) => {
            Value::Date([year as u32, 0, 0])
        }
        _ => value,
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    if !(text.is_ascii() && part.is_ascii()) {
        return folded(text).contains(&folded(part));
    }
    let Some(first) = part.first() else { return true };
    let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    let is_part = |at: usize| {
        text.get(at..at + part.len()).is_some_and(|text| text.eq_ignore_ascii_case(part))
    };
    memchr::memchr2_iter(lower, upper, text).any(is_part)
}

/// Returns the text without differences of case: upper case first, which makes `SS` of `ß`.
fn folded(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[derive(Debug, Default)]
pub(super) struct TagValue {
    is_present: bool,
    is_known: bool,
    text: String,
}

impl TagValue {
    /// Reads the tags of a filter. Allocations are reused between games.
    pub(super) fn read_all(values: &mut Vec<TagValue>, filter: &Filter, tags: &[TagPair<'_>]) {
        values.resize_with(filter.tags.len(), TagValue::default);
        for (value, wanted) in values.iter_mut().zip(&filter.tags) {
            let tag = tags.iter().find(|tag| tag.name() == wanted.name.as_bytes());
            let text = tag.and_then(|tag| tag.known_text());
            (value.is_present, value.is_known) = (tag.is_some(), text.is_some());
            value.text.clear();
            value.text.push_str(&text.unwrap_or_default());
        }
    }

    pub(super) fn present(values: &[TagValue]) -> u64 {
        let there = values.iter().take(64).enumerate();
        there.fold(0, |set, (index, tag)| set | u64::from(tag.is_present) << index)
    }
}

#[derive(Clone, Copy)]
pub(super) struct KnownGame<'k> {
    pub(super) game: &'k GameContext<'k>,
    pub(super) tags: &'k [TagValue],
    /// The side whose player is the one of the condition.
    pub(super) side: Color,
    pub(super) at: Option<At<'k>>,
    pub(super) texts: &'k RefCell<[Buffer; 2]>,
}

#[derive(Clone, Copy)]
pub(super) struct At<'k> {
    pub(super) facts: &'k dyn PositionFacts,
    pub(super) chess: Option<&'k Position>,
    /// Which sequences hold, as bits.
    pub(super) sequences: u32,
}

pub(super) trait PositionFacts {
    fn value<'v>(&'v self, fact: Fact, side: Color, out: &'v mut Buffer) -> FoundValue<'v>;

    fn number(&self, fact: Fact, most: u32) -> Option<u32>;
}

pub(super) fn decide<'k>(
    filter: &'k Filter,
    expr: &'k Expr,
    known: &KnownGame<'k>,
) -> Option<bool> {
    match expr {
        Expr::All(parts) => all(filter, parts, known, true),
        Expr::Any(parts) => all(filter, parts, known, false),
        Expr::Not(part) => decide(filter, part, known).map(|holds| !holds),
        Expr::Is(Operand::Fact(fact))
            if fact.kind() == FactKind::Truth
                && let Some(truth) = known.at.and_then(|at| at.facts.number(*fact, u32::MAX)) =>
        {
            Some(truth == 1)
        }
        Expr::Is(operand) => is_known(operand, known).ok(),
        Expr::Pattern(pattern) => Some(known.at?.chess.is_some_and(|chess| pattern.holds(chess))),
        Expr::Sequence(index) => Some(known.at?.sequences >> index & 1 == 1),
        Expr::Relation(left, compare, right) => {
            if let Some(at) = &known.at
                && let Some(holds) = compare_numbers(left, *compare, right, at.facts)
            {
                return Some(holds);
            }
            compare_values(left, *compare, right, known).ok()
        }
    }
}

/// Known and not false; not in `decide`, whose calls for numbers it would slow down.
#[inline(never)]
fn is_known(operand: &Operand, known: &KnownGame<'_>) -> Result<bool, Later> {
    let [text, _] = &mut *known.texts.borrow_mut();
    let found = value(operand, known, text)?;
    Ok(found.is_some_and(|value| value != Value::Truth(false)))
}

#[inline(never)]
fn compare_values(
    left: &Operand,
    compare: Relation,
    right: &Operand,
    known: &KnownGame<'_>,
) -> Result<bool, Later> {
    let [left_text, right_text] = &mut *known.texts.borrow_mut();
    // Most texts are compared with a constant: `san = "O-O"` takes three quarters of the time.
    if let Operand::Text(constant) = right
        && !left.is_date()
    {
        let (found, constant) = (value(left, known, left_text)?, constant.as_bytes());
        let text = found.as_ref().and_then(text);
        return Ok(match compare {
            Relation::Contains => text.is_some_and(|text| contains(&text, constant)),
            _ => compares(text.map(|text| (*text).cmp(constant)), compare),
        });
    }
    let both = value(left, known, left_text)?.zip(value(right, known, right_text)?);
    if compare == Relation::Contains {
        let texts = both.as_ref().and_then(|(a, b)| text(a).zip(text(b)));
        return Ok(texts.is_some_and(|(text, part)| contains(&text, &part)));
    }
    // A date tag is compared to the precision of the other side.
    let has_date = left.is_date() || right.is_date();
    let both = both.map(|(a, b)| if has_date { (dated(a), dated(b)) } else { (a, b) });
    Ok(compares(both.and_then(|(a, b)| order(&a, &b)), compare))
}

/// Returns `so` if all parts evaluate to `so`, and `!so` if any part does not.
fn all<'k>(filter: &'k Filter, parts: &'k [Expr], known: &KnownGame<'k>, so: bool) -> Option<bool> {
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

fn value<'v>(operand: &'v Operand, known: &KnownGame<'v>, out: &'v mut Buffer) -> FoundValue<'v> {
    let mut number_of =
        |operand: &Operand| Ok::<_, Later>(value(operand, known, out)?.and_then(number));
    Ok(match operand {
        Operand::Text(text) => Some(Value::Text(text)),
        Operand::Number(number) => Some(Value::Decimal(*number)),
        Operand::Date(date) => Some(Value::Date(*date)),
        Operand::Tag { index, .. } => {
            let tag = known.tags.get(*index).filter(|tag| tag.is_known);
            tag.map(|tag| Value::Tag(&tag.text))
        }
        Operand::Arithmetic(left, sign, right) => {
            let both = number_of(left)?.zip(number_of(right)?);
            let result = both.map(|(left, right)| match sign {
                Arithmetic::Plus => left + right,
                Arithmetic::Minus => left - right,
                Arithmetic::Times => left * right,
                Arithmetic::Over => left / right,
            });
            // Nothing is divided by 0.
            result.filter(|number| number.is_finite()).map(Value::Decimal)
        }
        Operand::Absolute(inner) => number_of(inner)?.map(|number| Value::Decimal(number.abs())),
        Operand::Fact(fact) => match known.at {
            Some(at) => at.facts.value(*fact, known.side, out)?,
            None if fact.is_of_game() => value_of_game(*fact, known.game, None, known.side)?,
            None => return Err(Later),
        },
    })
}

fn compare_numbers(
    left: &Operand,
    compare: Relation,
    right: &Operand,
    facts: &dyn PositionFacts,
) -> Option<bool> {
    let number = |operand: &Operand, other: &Operand| match operand {
        Operand::Number(number) => Some(*number),
        Operand::Fact(fact) if is_number(*fact) => {
            // It need not be known how much it exceeds another number.
            let most = if let Operand::Number(most) = other { *most as u32 } else { u32::MAX };
            facts.number(*fact, most).map(f64::from)
        }
        _ => None,
    };
    let (left, right) = (number(left, right)?, number(right, left)?);
    (compare != Relation::Contains).then(|| compares(left.partial_cmp(&right), compare))
}

// Conditions on several positions: moves played in a row, positions reached, `for` and `then`.

type States = [u64; MOST + 1];

/// A state: not yet, or not any more.
const NEVER: u64 = u64::MAX;

impl Sequence {
    fn initial(&self) -> u64 {
        match self {
            Sequence::For(..) | Sequence::Line(_) | Sequence::Reached(_) => 0,
            Sequence::After(..) => NEVER,
            Sequence::Moves(_) => 1,
        }
    }

    /// Returns whether it holds in a position, and the state after the move played from it.
    fn advance<'k, P: AnyPosition>(
        &'k self,
        state: u64,
        ply: &Ply<'_, P>,
        holds: impl Fn(&'k Expr) -> bool,
    ) -> (bool, u64) {
        match self {
            Sequence::For(condition, plies) => {
                let count = if holds(condition) { state + 1 } else { 0 };
                (count >= *plies, count)
            }
            Sequence::After(condition, within) => {
                let since = if holds(condition) { 1 } else { state.saturating_add(1) };
                (state <= *within, since)
            }
            // A bit for each number of moves of the sequence that were the last ones.
            Sequence::Moves(moves) => {
                let follows =
                    |count: &usize| state >> count & 1 == 1 && moves[*count].is_played(ply);
                let counts = (0..moves.len()).filter(follows);
                (state >> moves.len() & 1 == 1, counts.fold(1, |bits, count| bits | 2 << count))
            }
            // The number of moves of the line that have been played.
            Sequence::Line(moves) => match moves.get(state as usize) {
                None => (state != NEVER, state),
                Some(next) => (false, if next.is_played(ply) { state + 1 } else { NEVER }),
            },
            Sequence::Reached(positions) => {
                let key = ply.position.as_chess().map(PositionKey::of);
                let is_reached = state == 1 || key.is_some_and(|key| positions.contains(&key));
                (is_reached, is_reached.into())
            }
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct SequenceTracker {
    lines: Vec<LineStates>,
}

#[derive(Debug)]
struct LineStates {
    number: Option<u32>,
    before: States,
    after: States,
    /// Before the position that a variation leaves, and after the first move of the variation.
    alternative: [States; 2],
}

impl SequenceTracker {
    pub(super) fn begin(&mut self) {
        self.lines.clear();
    }

    /// Returns which sequences hold next, as bits; `known` takes the bits of those before one.
    pub(super) fn follow<'k, P: AnyPosition>(
        &mut self,
        filter: &'k Filter,
        ply: &Ply<'_, P>,
        is_alternative: bool,
        known: impl Fn(u32) -> KnownGame<'k>,
    ) -> u32 {
        let depth = ply.branches.len();
        self.lines.truncate(depth + 1);
        if self.lines.len() == depth {
            // The position that a variation leaves is the first one of its line too: a variation
            // of its first move leaves it once more.
            let initial = || {
                let mut states = [0; MOST + 1];
                let all = states.iter_mut().zip(&filter.sequences);
                all.for_each(|(state, of)| *state = of.initial());
                [states; 2]
            };
            let [before, after] = self.lines.last().map_or_else(initial, |outer| outer.alternative);
            let number = ply.branches.last().map(|branch| branch.ply);
            self.lines.push(LineStates { number, before, after, alternative: [before, after] });
        }
        let Some(line) = self.lines.last_mut() else { return 0 };
        let is_next = line.number.is_none_or(|number| number < ply.number);
        if !is_alternative {
            line.number = Some(ply.number);
        }
        let mut truths = 0;
        for (i, sequence) in filter.sequences.iter().enumerate() {
            let known = known(truths);
            let holds = |condition: &'k Expr| decide(filter, condition, &known) == Some(true);
            let before = if is_next { line.after[i] } else { line.before[i] };
            let (is_true, state) = sequence.advance(before, ply, holds);
            truths |= u32::from(is_true) << i;
            if is_alternative {
                (line.alternative[0][i], line.alternative[1][i]) = (before, state);
            } else {
                (line.before[i], line.after[i]) = (before, state);
            }
        }
        truths
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::condition::Condition;
    use crate::game::{GameContext, GameEnd};
    use crate::ply::{Ahead, Ply};
    use crate::records::plan::Plan;
    use crate::selection::filter::Filter;

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

    fn verdict(filter: &str) -> Option<bool> {
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
            ("TimeControl ~ '+5'", true),
            ("Date >= 2015", true),
            ("Date <= 2015", true),
            ("Date > 2015", false),
            ("Date < 2016 && Date > 2014", true),
            ("Date >= 2015.06", true),
            ("Date >= 2015-07", false),
            ("Round = 3.1", true),
            ("Round > 3", true),
            // A missing tag is neither equal, less nor greater.
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
            let expected = if expected { Some(true) } else { Some(false) };
            assert_eq!(verdict(filter), expected, "{filter}");
        }
        for filter in ["ply > 3", "plies = 5 and Result = '1-0'", "not check", "points = 1"] {
            assert_eq!(verdict(filter), None, "{filter}");
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
        let ply = Ply { comments: &comments, ahead: Some(&Ahead::default()), ..ply };
        let game = GameContext {
            file: "a.pgn",
            number: 1,
            place: pgn::Place { line: 7, ..pgn::Place::default() },
            outcome: Some(Some(pgn::Outcome::WhiteWins)),
            end: Some(GameEnd { plies: 5, termination: None }),
            ..GameContext::default()
        };
        for (filter, expected) in cases {
            let filter = Some(filter.parse::<Filter>().unwrap());
            let plan = Plan { filter, ..Plan::default() };
            let mut condition = Condition::of(&plan).unwrap();
            condition.begin(&game);
            let holds = condition.follow(&ply, &game, false).is_none();
            assert_eq!(holds, expected, "{:?}", plan.filter);
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
            ("Result = 1-0", 9..12),
            ("Result = \"1-0", 9..13),
            ("2400", 4..4),
            ("record. > 3", 6..7),
            ("check = 1", 0..9),
            ("ply < san", 0..9),
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

//! Filters for games and positions: `WhiteElo >= 2400 and Result = "1-0" and ply > 20`. A name with
//! a capital letter is a tag, the others are [facts](crate::Fact). A filter is compiled once; a
//! game whose tags already rule it out is not played.

pub(crate) mod condition;
mod eval;
mod expr;
mod parse;
mod pattern;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use pgn::TagPair;
use san::{Color, PositionSet};

use crate::facts::{Fact, FactSet, KNOWN_TAGS, did_you_mean, is_close, is_tag_name};
use crate::game::GameContext;
use eval::{KnownGame, TagValue, decide};
use expr::{Expr, Operand, Relation, Sequence};
use parse::{NamedTag, Parsed};

/// A condition on games and positions.
///
/// * `WhiteElo`, `Result`, `Date`, …: tags. Alone, a tag is true if it is present and its value is
///   [known](pgn::is_unknown).
/// * `ply`, `pieces`, `eval`, …: [facts](crate::Fact) of the position or its game. Alone, a fact is
///   true if it has a value; `check` is a boolean.
/// * `=` `!=` `<` `<=` `>` `>=`, and `~` for "contains", ignoring case; `and`, `or`, `not`,
///   parentheses.
/// * `in` and `not in` with a range or a list: `ply in 20..30`, `ECO in ("B90", "C00".."C19")`;
///   `+`, `-`, `*`, `/` and `abs()` of numbers.
/// * `bm`, `ce`, `id`, …: operations of records, compared like tags; `has(bm)` is the same as `bm`
///   alone.
/// * Next to a number, a tag is compared as a number; a value that is not a number (`?`, `-`) is
///   neither equal, less nor greater. A missing value only makes `!=` true. A date (`Date`,
///   `UTCDate`, `EventDate`) is compared to the precision of the other side: `Date <= 2015` is true
///   of all of 2015.
///
/// ```
/// use emit::Filter;
///
/// let filter: Filter = r#"WhiteElo >= 2400 and Date >= 2015.06 and ply > 20"#.parse()?;
/// let game = pgn::games(b"[WhiteElo \"2390\"]\n\n1. e4 *").next().unwrap();
/// assert_eq!(filter.game(game.tags()), Some(false));
///
/// let error = "WhiteElo >= 2400 and game > 20".parse::<Filter>().unwrap_err();
/// assert_eq!(error.to_string().lines().last(), Some("                         ^^^^"));
/// # Ok::<_, emit::FilterError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    text: String,
    root: Expr,
    tags: Vec<NamedTag>,
    facts: FactSet,
    /// The sequences of the condition, each after those that it contains.
    sequences: Vec<Sequence>,
    names_players: bool,
}

/// Equality is total because all numbers in a filter are finite.
impl Eq for Filter {}

impl Filter {
    /// Evaluates the filter before the game is played; `None` if it depends on more than the tags.
    pub fn game(&self, tags: &[TagPair<'_>]) -> Option<bool> {
        let (mut game, mut values) = (GameContext::default(), Vec::new());
        game.begin(tags, 0);
        TagValue::read_all(&mut values, self, tags);
        let (tags, texts) = (&*values, &Default::default());
        self.verdict(&KnownGame { game: &game, tags, side: Color::White, at: None, texts })
    }

    fn of(root: Expr, facts: FactSet) -> Self {
        let (text, tags, sequences) = Default::default();
        Filter { text, root, tags, facts, sequences, names_players: false }
    }

    pub(crate) fn of_fact(fact: Fact, is_so: bool) -> Self {
        let root = Expr::Is(Operand::Fact(fact));
        let root = if is_so { root } else { Expr::Not(Box::new(root)) };
        Filter::of(root, FactSet::from_iter([fact]))
    }

    pub(crate) fn of_range(fact: Fact, least: i32, most: i32) -> Self {
        let bounds = [(Relation::MoreOrEqual, least), (Relation::LessOrEqual, most)];
        let bound = |(compare, bound): (Relation, i32)| {
            Expr::Relation(Operand::Fact(fact), compare, Operand::Number(bound.into()))
        };
        Filter::of(Expr::All(bounds.map(bound).into()), FactSet::from_iter([fact]))
    }

    /// Returns the filter with the further condition that one of these positions has occurred.
    pub fn reaching(filter: Option<Filter>, positions: Arc<PositionSet>) -> Self {
        let of_all = || Filter::of(Expr::All(Vec::new()), FactSet::default());
        let mut filter = filter.unwrap_or_else(of_all);
        let reached = Expr::Sequence(filter.sequences.len());
        filter.sequences.push(Sequence::Reached(positions));
        filter.root = Expr::All(vec![filter.root, reached]);
        filter
    }

    /// Returns the facts used by the filter.
    pub fn facts(&self) -> FactSet {
        self.facts
    }

    /// Returns the operations of records used by the filter.
    pub fn operations(&self) -> impl Iterator<Item = &str> {
        self.names().filter(|name| !is_tag_name(name))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(|tag| &*tag.name)
    }

    pub(crate) fn is_of_operations(&self) -> bool {
        self.facts == FactSet::default()
            && self.sequences.is_empty()
            && self.tags.iter().all(|tag| !is_tag_name(&tag.name))
    }

    /// Whether it has conditions that are only for the board of chess, and never hold in variants.
    pub(crate) fn is_of_chess(&self) -> bool {
        let is_of_chess = |sequence: &Sequence| match sequence {
            Sequence::For(condition, _) | Sequence::After(condition, _) => condition.has_pattern(),
            Sequence::Reached(_) => true,
            Sequence::Moves(_) | Sequence::Line(_) => false,
        };
        self.root.has_pattern() || self.sequences.iter().any(is_of_chess)
    }

    /// Returns why a filter may have matched nothing: variables that are read from comments and had
    /// no value in any position, by [`Counts::condition_values`](crate::Counts::condition_values) of
    /// all chunks combined: a line for each, one for all evaluations.
    pub fn missing_values(&self, values: ConditionValues) -> Vec<String> {
        let missing = Fact::all().filter(|fact| self.facts.has(*fact) && values.lack(*fact));
        let what = missing.map(|fact| match fact {
            Fact::Eval | Fact::EvalCp | Fact::Mate | Fact::WhiteCp | Fact::WhiteMate => {
                "an evaluation".to_owned()
            }
            fact => format!("a value of {}", fact.name()),
        });
        let mut lines: Vec<String> =
            what.map(|what| format!("no position that could be selected has {what}")).collect();
        lines.dedup();
        lines
    }

    /// Returns likely mistakes in a filter that matched nothing: tags that no game had, or
    /// operations and columns, if it was applied to records. `seen` is
    /// the set of tags that games had, [`Counts::condition_tags`](crate::Counts::condition_tags) of
    /// all chunks combined.
    ///
    /// ```
    /// let filter: emit::Filter = "White = Carlsen and WhiteELO > 2800".parse()?;
    /// assert_eq!(
    ///     filter.hints(1, false),
    ///     [
    ///         "no game has a tag Carlsen; to compare with text, quote it: White = \"Carlsen\"",
    ///         "no game has a tag WhiteELO; did you mean WhiteElo?",
    ///     ],
    /// );
    /// # Ok::<_, emit::FilterError>(())
    /// ```
    pub fn hints(&self, seen: u64, of_records: bool) -> Vec<String> {
        let was_seen = |index: usize| index >= 64 || seen >> index & 1 == 1;
        let missing = self.tags.iter().enumerate().filter(|(index, _)| !was_seen(*index));
        missing.map(|(_, tag)| if of_records { hint_of_records(tag) } else { hint(tag) }).collect()
    }

    /// Evaluates the filter with what is known of White's player, or of any.
    #[inline]
    fn verdict<'k>(&'k self, known: &KnownGame<'k>) -> Option<bool> {
        let of_white = decide(self, &self.root, known);
        match of_white {
            Some(true) => of_white,
            _ if !self.names_players => of_white,
            // A condition on a player holds if it does for one of both.
            _ => match decide(self, &self.root, &KnownGame { side: Color::Black, ..*known }) {
                Some(false) => of_white,
                of_black => of_black,
            },
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let Parsed { root, tags, facts, sequences } = parse::parse(text)?;
        let names_players = facts.names_players();
        Ok(Filter { text: text.to_owned(), root, tags, facts, sequences, names_players })
    }
}

/// A syntax or type error in a [`Filter`], and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The source text.
    pub text: String,
    /// Start of the erroneous byte range.
    pub start: usize,
    /// End of the erroneous byte range, exclusive.
    pub end: usize,
    /// The reason.
    pub reason: String,
}

impl std::error::Error for FilterError {}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = |text: &str| text.chars().count();
        let before = columns(&self.text[..self.start]);
        let marked = columns(&self.text[self.start..self.end]).max(1);
        let shown: String =
            self.text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        write!(f, "{}\n    {shown}\n    {:before$}{:^<marked$}", self.reason, "", "")
    }
}

/// The variables read from comments that had a value in a position, and those that had none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConditionValues {
    found: FactSet,
    missing: FactSet,
}

impl ConditionValues {
    /// Returns those of both.
    #[must_use]
    pub fn union(self, other: ConditionValues) -> Self {
        let found = self.found.union(other.found);
        ConditionValues { found, missing: self.missing.union(other.missing) }
    }

    /// Whether no position had a value of the variable, although one was asked for.
    fn lack(self, fact: Fact) -> bool {
        self.missing.has(fact) && !self.found.has(fact)
    }
}

// Likely mistakes in a filter that matched nothing.

/// Returns that nothing has a tag, or an operation or column, that an option names.
pub fn missing_name(name: &str, of_records: bool) -> String {
    let tag = NamedTag { name: name.to_owned(), as_text: None };
    if of_records { hint_of_records(&tag) } else { hint(&tag) }
}

fn hint_of_records(tag: &NamedTag) -> String {
    let name = &tag.name;
    let text = tag.as_text.iter().map(|text| format!("; to compare with text, quote it: {text}"));
    let advice = text.chain([did_you_mean(name)]).next().unwrap_or_default();
    format!("no record has an operation or a column {name}{advice}")
}

fn hint(tag: &NamedTag) -> String {
    let name = &tag.name;
    if let Some(known) = KNOWN_TAGS.into_iter().find(|known| is_close(known, name)) {
        return format!("no game has a tag {name}; did you mean {known}?");
    }
    match &tag.as_text {
        // A known name is a tag, even if these games lack it.
        Some(comparison) if !KNOWN_TAGS.contains(&&**name) => {
            format!("no game has a tag {name}; to compare with text, quote it: {comparison}")
        }
        _ => format!("no game has a tag {name}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::selection::filter::Filter;

    #[test]
    fn a_tag_that_no_game_has_gets_a_correction() {
        // condition, tags that games have as bits, hints
        let quoted =
            |quoted| format!("no game has a tag B90; to compare with text, quote it: {quoted}");
        let cases: [(&str, u64, &[&str]); 6] = [
            ("ECO = B90", 0, &["no game has a tag ECO", &quoted("ECO = \"B90\"")]),
            ("B90 = ECO", 2, &[&quoted("\"B90\" = ECO")]),
            ("eco = B90", 0, &[&quoted("eco = \"B90\"")]),
            ("Xyz or WhiteElo > 1", 2, &["no game has a tag Xyz"]),
            ("WhiteElo < 1000", 0, &["no game has a tag WhiteElo"]),
            ("WhiteElo < 1000", 1, &[]),
        ];
        for (filter, seen, expected) in cases {
            assert_eq!(filter.parse::<Filter>().unwrap().hints(seen, false), expected, "{filter}");
        }
    }
}

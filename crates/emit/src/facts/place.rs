//! The places where facts may be used.

use std::fmt;

/// Where a fact may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactPlace {
    /// `{name}` in a `--add` template.
    Template,
    /// A column of a table with a row for each position.
    Column,
    /// A column of a table with a row for each game.
    GameColumn,
    /// A `--where` condition.
    Condition,
    /// A variable of `--sort`.
    SortKey,
}

/// The places where a fact may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FactPlaces(&'static [FactPlace]);

impl FactPlace {
    pub(super) fn name(self) -> &'static str {
        match self {
            FactPlace::Template => "templates",
            FactPlace::Column => "columns",
            FactPlace::GameColumn => "columns of games",
            FactPlace::Condition => "conditions",
            FactPlace::SortKey => "sort keys",
        }
    }
}

impl FactPlaces {
    pub(super) const ALL: FactPlaces = FactPlaces(&[
        FactPlace::Template,
        FactPlace::Column,
        FactPlace::Condition,
        FactPlace::SortKey,
    ]);
    pub(super) const WRITTEN: FactPlaces = FactPlaces(&[FactPlace::Template, FactPlace::Column]);
    pub(super) const COLUMN: FactPlaces = FactPlaces(&[FactPlace::Column]);
    pub(super) const CONDITION: FactPlaces = FactPlaces(&[FactPlace::Condition]);
    pub(super) const GAME_COLUMN: FactPlaces = FactPlaces(&[FactPlace::GameColumn]);

    pub(super) fn all(self) -> &'static [FactPlace] {
        self.0
    }
}

impl fmt::Display for FactPlaces {
    /// Formats the places, as in `templates and columns`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|place| place.name()).collect();
        match names.split_last() {
            Some((last, [])) => f.write_str(last),
            Some((last, first)) => write!(f, "{} and {last}", first.join(", ")),
            None => Ok(()),
        }
    }
}

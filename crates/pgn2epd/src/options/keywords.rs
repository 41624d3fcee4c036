//! Option values of this crate that are keywords.

use openings::NameSource;
use san::keywords;

keywords! {
    /// The source of opening names.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum NamesFrom {
        /// A table of 3,810 named positions from Lichess, or the tables of --openings.
        #[default]
        Table = "table",
        /// The tags ECO, NIC, Opening, Variation and SubVariation of each game.
        Tags = "tags",
        /// No names.
        Off = "off",
    }
}

impl From<NamesFrom> for NameSource {
    fn from(names: NamesFrom) -> Self {
        match names {
            NamesFrom::Table => NameSource::Embedded,
            NamesFrom::Tags => NameSource::Tags,
            NamesFrom::Off => NameSource::Off,
        }
    }
}

keywords! {
    /// What a row of a table is.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum RowKind {
        /// A row for each position.
        #[default]
        Positions = "positions",
        /// A row for each game, with lists of the values of its positions.
        Games = "games",
    }
}

keywords! {
    /// Whether something is done.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum OnOff {
        /// Report illegal moves, and moves in a notation other than SAN.
        #[default]
        On = "on",
        /// Only check the grammar of moves, which is faster.
        Off = "off",
    }
}

keywords! {
    /// What becomes of text after the fields that cannot be read.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Unreadable {
        /// Keep it as a comment, in the first free of c0 to c9.
        #[default]
        Comment = "comment",
        /// Leave it out.
        Drop = "drop",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use ::epd::{Dialect, RegisterStyle};
    use diagram::Theme;
    use emit::{Comments, Omission, OnError};
    use san::{CastlingStyle, Color, EnPassantPolicy, Keyword};

    use super::*;
    use dataset::{Conflicts, Preference};

    use crate::options::{Format, OnDamage};

    #[track_caller]
    fn assert_keywords_tell_values_apart<T: Keyword + Debug>() {
        let words: BTreeSet<&str> = T::ALL.iter().map(|value| value.word()).collect();
        assert_eq!(words.len(), T::ALL.len());
        for value in T::ALL {
            assert_eq!(T::from_word(value.word()), Ok(*value));
            assert!(!value.help().ends_with('.'), "{}", value.help());
        }
    }

    #[cfg(feature = "book")]
    #[test]
    fn each_keyword_of_books_is_that_of_one_value() {
        assert_keywords_tell_values_apart::<::book::Queens>();
        assert_keywords_tell_values_apart::<::book::UnknownResult>();
        assert_keywords_tell_values_apart::<::book::Order>();
        assert_keywords_tell_values_apart::<::book::Form>();
    }

    #[test]
    fn each_keyword_is_that_of_one_value() {
        assert_keywords_tell_values_apart::<Format>();
        assert_keywords_tell_values_apart::<RegisterStyle>();
        assert_keywords_tell_values_apart::<NamesFrom>();
        assert_keywords_tell_values_apart::<Comments>();
        assert_keywords_tell_values_apart::<EnPassantPolicy>();
        assert_keywords_tell_values_apart::<CastlingStyle>();
        assert_keywords_tell_values_apart::<Omission>();
        assert_keywords_tell_values_apart::<RowKind>();
        assert_keywords_tell_values_apart::<emit::GameStyle>();
        assert_keywords_tell_values_apart::<Conflicts>();
        assert_keywords_tell_values_apart::<Preference>();
        assert_keywords_tell_values_apart::<OnError>();
        assert_keywords_tell_values_apart::<OnDamage>();
        assert_keywords_tell_values_apart::<emit::Evals>();
        assert_keywords_tell_values_apart::<Theme>();
        assert_keywords_tell_values_apart::<Color>();
        assert_keywords_tell_values_apart::<Dialect>();
    }
}

keywords! {
    /// The side at the bottom of a board.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum View {
        /// White.
        #[default]
        White = "white",
        /// Black.
        Black = "black",
        /// The side to move.
        Mover = "mover",
    }
}

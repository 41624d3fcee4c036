//! What is done with equal records.

use san::keywords;

/// What to do with equal positions whose games have different results.
///
/// Positions are equal if they have the same placement, side to move, castling rights and legal en
/// passant square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Conflicts {
    /// Writes each position, with the result of its game.
    #[default]
    Keep,
    /// Drops positions with conflicting results; of the others, writes one record unchanged.
    Drop,
    /// Writes one, with the mean of all results and of all evaluations. Formats that have no means
    /// drop conflicting positions instead.
    Mean,
    /// Writes a record that has the most frequent result; none if two results are equally frequent.
    Majority,
}

keywords! { Conflicts:
    "keep" [Conflicts::Keep] "Write each with the result of its game";
    "drop" [Conflicts::Drop] "Write none if their results differ, otherwise one";
    "mean" [Conflicts::Mean] "Write one, with the mean of results and evaluations; not for c9 and plain";
    "majority" [Conflicts::Majority]
        "Write one with the most frequent result, or none if two are equally frequent";
}

keywords! {
    /// Which of equal positions is written, where only one is. Of those that are equally good it is
    /// the first.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Preference {
        /// The first.
        #[default]
        First = "first",
        /// The last.
        Last = "last",
        /// The one whose players have the highest mean rating, those without last.
        BestRated = "best-rated",
        /// The one whose evaluation is the deepest, those without last.
        Deepest = "deepest",
    }
}

keywords! {
    /// Which of equal games is written. One without errors is preferred to others; of those that
    /// are equally good it is the first.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum GamePreference {
        /// The first.
        #[default]
        First = "first",
        /// The last.
        Last = "last",
        /// The one with the most moves.
        Longest = "longest",
        /// The one with the most comments, NAGs and variations.
        MostAnnotated = "most-annotated",
        /// The one whose players have the highest mean rating, those without last.
        BestRated = "best-rated",
    }
}

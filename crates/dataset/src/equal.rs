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
}

keywords! { Conflicts:
    "keep" [Conflicts::Keep] "Write each with the result of its game";
    "drop" [Conflicts::Drop] "Write none if their results differ, otherwise one";
    "mean" [Conflicts::Mean] "Write one, with the mean of results and evaluations; not for c9 and plain";
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
        /// The one whose evaluation is the deepest, those without last.
        Deepest = "deepest",
    }
}

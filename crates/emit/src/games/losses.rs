//! Counts of text that was omitted or changed without being an error.

use std::ops::AddAssign;

/// Number of items of the games that were omitted or changed.
///
/// Omissions requested by options are not losses, such as comments without `c` or evaluations
/// without `ce`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Losses {
    /// Comments longer than a [string](epd::LONGEST_STRING) may be, whether or not text was lost.
    pub long_comments: u64,
    /// Strings that were shortened or dropped: long comments, game titles, operations from tags.
    pub shortened: u64,
    /// Strings in which a quote or control character was replaced by an apostrophe or a space.
    pub altered: u64,
    /// Lines of engines that were cut before an illegal move.
    pub cut_lines: u64,
    /// Annotations of moves that were played: `$1`, `!?`, `+-`.
    pub annotations: u64,
    /// Variations that were not played, without those nested in them.
    pub variations: u64,
}

impl AddAssign for Losses {
    fn add_assign(&mut self, other: Losses) {
        self.long_comments += other.long_comments;
        self.shortened += other.shortened;
        self.altered += other.altered;
        self.cut_lines += other.cut_lines;
        self.annotations += other.annotations;
        self.variations += other.variations;
    }
}

//! The steps of a data set, what they do, and what is done with equal records.

use std::fmt;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::sync::Arc;

use san::{PositionKey, keywords};

use crate::record::Label;

/// The order of the records that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// That of the input.
    #[default]
    Input,
    /// A random one.
    Random,
    /// By their [sort keys](crate::SortKeys). The first records are omitted, and those beyond the
    /// limit, in this order.
    SortKey,
}

/// What a data set does.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// Whether one of equal records is selected at most.
    pub unique: bool,
    /// Which of them.
    pub keep: Preference,
    /// What is done if their labels differ; unless that is [`Conflicts::Keep`], one of equal
    /// records is selected at most.
    pub conflicts: Conflicts,
    /// Writes means, with [`Conflicts::Mean`]; without it, conflicting records are dropped.
    pub append_mean: Option<AppendMean>,
    /// Whether one of equal games is selected. Records are not compared then.
    pub unique_games: bool,
    /// The number of records omitted first.
    pub skip: u64,
    /// The maximum number of the others.
    pub limit: Option<u64>,
    /// The size of a sample of these.
    pub sample: Option<u64>,
    /// The order.
    pub order: Order,
    /// Decides everything that is random.
    pub seed: u64,
    /// The memory for keys and records, in bytes.
    pub memory: usize,
    /// The folder for temporary files.
    pub folder: PathBuf,
}

impl Steps {
    /// Returns whether records with equal keys are compared.
    pub(crate) fn compares(&self) -> bool {
        self.unique || self.conflicts != Conflicts::Keep
    }

    /// Returns whether the first of equal records is selected, whatever follows.
    pub fn keeps_first(&self) -> bool {
        self.compares() && self.conflicts == Conflicts::Keep && self.keep == Preference::First
    }
}

/// Appends the mean of labels to a record with this key, which was stored without its label.
#[derive(Clone)]
pub struct AppendMean(pub(crate) Arc<Append>);

type Append = dyn Fn(PositionKey, Label, &mut Vec<u8>) + Send + Sync;

impl AppendMean {
    /// Uses this function.
    pub fn new(append: impl Fn(PositionKey, Label, &mut Vec<u8>) + Send + Sync + 'static) -> Self {
        AppendMean(Arc::new(append))
    }
}

impl fmt::Debug for AppendMean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppendMean").finish_non_exhaustive()
    }
}

/// The number of records selected, and of those omitted because of equal ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written {
    /// Positions in selected records.
    pub positions: u64,
    /// Records that have the key of another one, or games that are equal to another one.
    pub duplicates: u64,
}

impl AddAssign for Written {
    fn add_assign(&mut self, other: Written) {
        self.positions += other.positions;
        self.duplicates += other.duplicates;
    }
}

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

//! The steps of a data set, and what they do.

use std::ops::AddAssign;
use std::path::PathBuf;

use crate::equal::{Conflicts, Preference};
use crate::groups::AppendMean;

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

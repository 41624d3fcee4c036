//! Data sets: what depends on other records. Which of equal records is written, the first ones, a
//! sample, another order. The result depends on the records and the seed, and not on threads and
//! memory.
//!
//! A [`DataSet`] receives the records of a [`RecordChunk`] after the other, in their order, and passes on
//! [batches](Batch) of those that are selected. It knows of each record its number, its key, its
//! rank and its label, and of its contents only bytes: text, encoded positions or a row.
//! The steps are, in this order:
//!
//! 1. Of equal [games](ComparedGame) the records of one are selected. All records wait until the
//!    end, when the games have been sorted. Or, of records with equal keys one is selected, or
//!    none. If it is the first, that is known at once while all keys fit in memory. Otherwise, and
//!    from then on, records are stored and compared at the end.
//! 2. The first records are omitted, and those beyond a limit.
//! 3. A sample is selected.
//! 4. The records stay in their order, or get a random one: by their keys if all that are left
//!    after step 1 are written, or else by their numbers. Or they are sorted by [keys of their
//!    own](Record::start); then step 2 follows here.
//!
//! What is stored is sorted ([`stream::spill`]): by the random rank of the key or of the record, by
//! the number, or by the sort key.

mod data_set;
mod record;
mod steps;
mod unique;

pub use data_set::DataSet;
pub use record::{Batch, ComparedGame, Label, Next, Record, RecordChunk};
pub use steps::{
    AppendMean, Conflicts, Order, Preference, SelectedCounts, Steps, random_rank, random_rank_of,
};

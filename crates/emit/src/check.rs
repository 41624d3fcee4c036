//! What a record may say and what not, beyond its grammar; what others make of it; how many different ones there are.

pub(crate) mod consumers;
pub(crate) mod moves;
pub(crate) mod operations;
pub(crate) mod stats;

pub use consumers::{Consumer, Misreading};
pub use stats::{PositionKey, Statistics, StatisticsReport};

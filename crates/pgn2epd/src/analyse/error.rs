//! Why an analysis ended early.

use std::io;

use engine::EngineError;

use crate::convert::ConvertError;
use crate::options::OptionConflict;

/// Why an analysis ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyseError {
    /// Options exclude each other, or one is missing.
    #[error(transparent)]
    Conflict(#[from] OptionConflict),
    /// The engine cannot be started, does not take its options, or could not be started again.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The positions cannot be read, or temporary files not be written.
    #[error(transparent)]
    Convert(ConvertError),
    /// The output cannot be written.
    #[error("the output cannot be written")]
    Write(#[source] io::Error),
    /// What is to be continued cannot be read.
    #[error("the earlier results cannot be read")]
    Earlier(#[source] io::Error),
    /// The cache cannot be read.
    #[error("the cache cannot be read")]
    Cache(#[source] io::Error),
    /// A line of the cache is not a record with an evaluation.
    #[error("line {0} of the cache is not a record with the engine and its limits in c9")]
    CacheLine(u64),
    /// What is to be continued was made in another way.
    #[error("the earlier results were made with {found:?}, these would be made with {expected:?}")]
    OtherSettings {
        /// The engine and its limits, as they are noted there.
        found: String,
        /// The engine and its limits.
        expected: String,
    },
    /// What is to be continued was made of another input.
    #[error("the earlier results are of another input: record {0} is not the same")]
    OtherInput(u64),
}

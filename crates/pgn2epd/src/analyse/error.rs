//! Why an analysis ended early.

use std::io;
use std::path::PathBuf;

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
    Convert(#[from] ConvertError),
    /// The file for the output cannot be used.
    #[cfg(feature = "output")]
    #[error(transparent)]
    Output(#[from] stream::output::OutputError),
    /// The output cannot be written.
    #[error("the output cannot be written")]
    Write(#[source] io::Error),
    /// What is to be continued cannot be read.
    #[error("the earlier results cannot be read")]
    Earlier(#[source] io::Error),
    /// The cache cannot be read.
    #[error("the cache cannot be read")]
    Cache(#[source] io::Error),
    /// A line of the cache is not as it was written.
    #[error("line {0} of the cache is damaged: remove it, or the file")]
    CacheLine(u64),
    /// A line of what is to be continued is not as it was written.
    #[error(
        "line {0} of the earlier results is damaged: remove it and those after it, or the file"
    )]
    EarlierLine(u64),
    /// A file has no evaluations that can be told from those with other settings.
    #[error("{} does not say in its first record what it was made with, so --resume cannot go on", .0.display())]
    NoSettings(PathBuf),
    /// What is to be continued was made in another way.
    #[error(
        "the earlier results were made with {found:?}, these would be made with {expected:?}; the digits after # stand for all settings, and the command of the engine"
    )]
    OtherSettings {
        /// The engine and its settings, as they are noted there.
        found: String,
        /// The engine and its settings.
        expected: String,
    },
    /// What is to be continued was made of another input.
    #[error("the earlier results are of another input: record {0} is not the same")]
    OtherInput(u64),
    /// A file has the results of a run that was interrupted, and this one does not go on with it.
    #[error("{} has the results of a run that was interrupted: continue it with --resume, or remove the file", .0.display())]
    Interrupted(PathBuf),
    /// A file is not one in which evaluations are kept.
    #[error("{} is not a cache of evaluations", .0.display())]
    NotACache(PathBuf),
    /// A file for results cannot be used.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A test suite asks nothing.
    #[error("no position asks anything: bm, am, dm, or points in c0, or in c8 and c9")]
    NothingAsked,
}

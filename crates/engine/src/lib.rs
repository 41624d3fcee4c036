//! An engine as a process: UCI, a [`Pool`] of processes, an [`Answer`] or an [`EngineError`] for
//! each [`Question`], in their order. No files.
mod answer;
mod session;
mod settings;

pub use answer::{
    Answer, Board, Bound, EngineError, EvaluatedLine, Finding, Info, Question, Score, WinDrawLoss,
};
pub use session::Pool;
pub use settings::{
    CommandError, EngineCommand, EngineOption, Limits, OptionKind, OptionSetting, Settings,
    StopCheck,
};

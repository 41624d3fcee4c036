//! An engine as a process: UCI, a pool of processes, answers in the order of the questions. No
//! files.
//!
//! * [`EngineCommand`] is the program and its arguments;
//! * [`Settings`] are options of the engine, [`Limits`] and time-outs; an [`EngineOption`] is an
//!   option that an engine has;
//! * a [`Question`] is a position to be searched, an [`Answer`] what the engine says of it, and an
//!   [`EngineError`] why it is missing; [`Info`] is a line about a search;
//! * a [`Pool`] has several processes.
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

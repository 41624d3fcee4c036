//! An engine as a process: UCI, a pool of processes, answers in the order of the questions. No
//! files.
//!
//! * `command`: the program and its arguments;
//! * `settings`: options of the engine, limits, time-outs;
//! * `engine_option`: the options that an engine has;
//! * `info`: lines about a search;
//! * `question`: a position to be searched;
//! * `answer`: what the engine says of it;
//! * `error`: why an answer is missing;
//! * `process`: a running program, its lines and its end;
//! * `session`: a dialogue with one process;
//! * `pool`: several sessions.
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

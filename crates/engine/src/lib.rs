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
mod command;
mod engine_option;
mod error;
mod info;
mod pool;
mod process;
mod question;
mod session;
mod settings;

pub use answer::{Answer, EvaluatedLine, Finding};
pub use command::{CommandError, EngineCommand};
pub use engine_option::{EngineOption, OptionKind};
pub use error::EngineError;
pub use info::{Bound, Info, Score, WinDrawLoss};
pub use pool::Pool;
pub use question::{Board, Question};
pub use settings::{Limits, OptionSetting, Settings, StopCheck};

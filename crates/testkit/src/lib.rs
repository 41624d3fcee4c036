//! Shared by the tests and benches of pgn2epd: games as input, expected results, and a way to run
//! the program.
//!
//! * [`cases`]: end-to-end cases from files of TOML;
//! * [`cost`]: processor time, and whether it is linear;
//! * [`generate`]: any number of games from a seed, in five styles;
//! * [`grammar`]: the grammar of records, from the standard;
//! * [`hostile`]: small hostile inputs;
//! * [`shared`]: real games in a folder beside the repository, if present;
//! * [`naive`]: a slow, obvious conversion of games to records;
//! * [`pack`]: compressed files and archives;
//! * [`program`]: runs a built program in a folder of its own;
//! * [`rng`]: the random number generator;
//! * [`scripted_engine`]: a chess engine that does what a test wants, right or wrong;
//! * [`tree`]: games with variations, and what is known of their positions.
//!
//! This crate does not depend on the other crates of the project, so its results are independent of
//! theirs.

pub mod cases;
pub mod cost;
pub mod generate;
pub mod grammar;
pub mod hostile;
pub mod naive;
pub mod pack;
pub mod program;
pub mod rng;
pub mod scripted_engine;
pub mod shared;
pub mod tree;

pub use shlex;

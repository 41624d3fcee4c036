//! What the tests and benches of pgn2epd share: games to read, answers to expect, and a way to run the program.
//!
//! * [`generate`]: as many games as you like, from a seed, in five styles;
//! * [`hostile`]: small inputs that hurt;
//! * [`shared`]: the real games beside the repository, where they are;
//! * [`naive`]: the slow, obvious way from a game to its records;
//! * [`pack`]: compressed files and archives;
//! * [`program`]: runs a built program on files of its own;
//! * [`rng`]: the little source of chance behind all of it.
//!
//! Nothing here knows the other crates of this project, so that it can judge them.

pub mod generate;
pub mod hostile;
pub mod naive;
pub mod pack;
pub mod program;
pub mod rng;
pub mod shared;

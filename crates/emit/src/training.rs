//! Games as training data of engines, in the binary formats of the crate `training`.
//!
//! * `training_sink`: the sink that encodes games;
//! * `entry_replay`: what was encoded, passed to any sink;
//! * `score`: evaluations as scores.

pub(crate) mod entry_replay;
pub(crate) mod score;
pub(crate) mod training_sink;

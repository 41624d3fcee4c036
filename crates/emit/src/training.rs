//! Games as training data of engines, in the binary formats of the crate `training`.
//!
//! * `training_sink`: the sink that encodes games;
//! * `score`: evaluations as scores.

pub(crate) mod score;
pub(crate) mod training_sink;

//! What a record may say and what not, beyond its grammar.

pub(crate) mod moves;
pub(crate) mod operations;

//! Diagrams of positions, and of the records and games of a text.

pub mod illustrate;
mod options;

pub use crate::options::keywords::View;
pub use ::diagram::*;
pub use options::DiagramOptions;

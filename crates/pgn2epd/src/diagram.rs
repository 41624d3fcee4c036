//! Diagrams of positions, and of the records and games of a text.

pub mod illustrate;

pub use ::diagram::*;

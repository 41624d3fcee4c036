//! What crate book promises of its counts.

mod algebra;

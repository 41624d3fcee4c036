//! Integration tests of the crate `book`.

mod algebra;
mod damage;

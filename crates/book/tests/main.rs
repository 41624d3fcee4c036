//! Integration tests of the crate `book`.

mod algebra;
mod counts;
mod damage;
#[cfg(feature = "zstd")]
mod explorer;
#[cfg(feature = "zstd")]
mod polyglot;

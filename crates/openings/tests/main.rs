//! Integration tests: the built-in table against another reader's, opening files in all formats,
//! and Perl's answers.

mod corpus;
mod embedded;
mod files;
mod laws;
mod perl;
mod registers;

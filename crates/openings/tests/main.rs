//! What the crate promises: the embedded table against another reader's, the files that people have, Perl's answers.

mod corpus;
mod embedded;
mod files;
mod laws;
mod perl;

//! What the program and its library promise, end to end. One binary: it links once.

mod book;
mod browser;
mod choose;
mod chunks;
mod epd;
mod errors;
mod examples;
mod help;
mod laws;
mod layers;
mod name;
mod oracle;
mod perl;
mod pictures;
mod program;
mod quirks;
mod ranges;
mod readme;
mod support;
mod tabulation;

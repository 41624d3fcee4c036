//! Records: read, written, and what is said of them.

mod dialects;
mod grammar;
mod malformed;
mod oracle;
mod round_trip;

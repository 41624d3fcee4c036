//! Reading, checking and writing records.

mod clocks;
mod dialects;
mod findings;
mod malformed;
mod messages;
mod operations;
mod oracle;
mod readable;
mod registers;
mod round_trip;
mod text;
mod values;

//! Tests of the formats, compared with the crates that define them.

mod damage;
mod decoders;
mod games;
mod plain;
mod round_trip;

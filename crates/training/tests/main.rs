//! Tests of the formats, compared with the crates that define them.

mod damage;
mod decoders;
mod games;
mod round_trip;

//! `join` adds the operations that a map of positions has, and `diff` finds the differences of two maps, whatever the memory, chunks
//! and threads.
#![no_main]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use pgn2epd::chess::PositionKey;
use pgn2epd::epd::{Opcode, ReadOptions, Line, read_line};
use pgn2epd::join::{Differences, Join, JoinOptions, Joined, Side};
use pgn2epd::options::RegisterStyle;
use pgn2epd::{Options, convert};

/// A record: what it is equal by, and its operations.
struct Record {
    key: PositionKey,
    operations: BTreeMap<String, String>,
}

type Known = BTreeMap<[u8; 32], BTreeMap<String, String>>;

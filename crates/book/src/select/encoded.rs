//! Entries as bytes, which are sorted in bounded memory.

use std::io;

use san::MoveCode;
use stream::spill::{read_number, write_number};

use super::fields;
use crate::count_order::{key_of, sort_key};
use crate::encoding::{damaged, read_text, write_text};
use crate::entries::Entry;
use crate::row::GameInfoRef;
use crate::run::{read_tally_with, write_tally};
use crate::tally::Tally;

/// The position comes first, so that entries are in the order of explorer files.
pub(super) fn write_entry(entry: &Entry<GameInfoRef<'_>>, out: &mut Vec<u8>) {
    out.extend_from_slice(&sort_key(entry.key));
    write_number(entry.classes.len() as u64, out);
    for (code, class, tally) in &entry.classes {
        out.extend_from_slice(&code.0.to_le_bytes());
        write_text(class, out);
        write_tally(tally, out);
    }
    // The counts of the moves are the sums of those of the classes.
    let moves = if entry.classes.is_empty() { &entry.moves[..] } else { &[] };
    write_number(moves.len() as u64, out);
    for (code, tally) in moves {
        out.extend_from_slice(&code.0.to_le_bytes());
        write_tally(tally, out);
    }
    // Those of the position are the sums of those of the moves, if these were counted.
    if entry.moves.is_empty() {
        write_tally(&entry.total, out);
    }
}

/// This text decides the order of the book if all else is equal.
pub(super) fn text_of_entry(bytes: &[u8]) -> Vec<u8> {
    let key = key_of(*bytes.first_chunk().expect("an entry begins with its key"));
    fields(&key.position_unchecked(0, 1)).into_bytes()
}

pub(super) fn read_entry(mut bytes: &[u8]) -> io::Result<(Entry<GameInfoRef<'_>>, &[u8])> {
    let (key, rest) = bytes.split_first_chunk::<32>().ok_or_else(damaged)?;
    bytes = rest;
    let (key, total) = (key_of(*key), Tally::default());
    let mut entry = Entry { key, total, moves: Vec::new(), classes: Vec::new() };
    for _ in 0..read_number(&mut bytes)? {
        let (code, class) = (read_code(&mut bytes)?, read_text(&mut bytes)?);
        let tally = read_tally(&mut bytes)?;
        entry.add_move(code, tally);
        entry.classes.push((code, class, tally));
    }
    for _ in 0..read_number(&mut bytes)? {
        let code = read_code(&mut bytes)?;
        entry.add_move(code, read_tally(&mut bytes)?);
    }
    entry.total = match entry.moves.is_empty() {
        true => read_tally(&mut bytes)?,
        false => entry.moves.iter().fold(Tally::default(), |mut sum, (_, tally)| {
            sum += *tally;
            sum
        }),
    };
    Ok((entry, bytes))
}

fn read_tally<'s>(bytes: &mut &'s [u8]) -> io::Result<Tally<GameInfoRef<'s>>> {
    read_tally_with(bytes, GameInfoRef::read)
}

fn read_code(bytes: &mut &[u8]) -> io::Result<MoveCode> {
    let (code, rest) = bytes.split_first_chunk().ok_or_else(damaged)?;
    *bytes = rest;
    Ok(MoveCode(u16::from_le_bytes(*code)))
}

//! Compares two books.

use std::cmp::Ordering;
use std::io::{self, BufWriter, Write};
use std::panic;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::vec;

use pgn2epd::book::{
    BookError, BookOptions, Order, SelectedPosition, Source, Tally, choose, four_fields,
};

use super::show::{move_name, source};
use crate::exit::Outcome;
use crate::output::{self, Output};

/// Number of positions that one thread passes to another at a time.
const BATCH: usize = 1000;

/// Number of batches that may wait.
const WAITING: usize = 4;

/// A position of a book with its counts.
#[derive(Debug)]
struct Entry {
    /// The four fields, by which the positions of a book are sorted.
    epd: String,
    total: String,
    /// The counts of each move.
    moves: Vec<String>,
}

impl Entry {
    fn new(chosen: &SelectedPosition) -> Self {
        let text = |tally: &Tally| {
            let Tally { games, white, draws, black, .. } = tally;
            format!("games {games} white {white} draws {draws} black {black}")
        };
        let moves = chosen.moves.iter();
        let moves = moves
            .map(|(code, tally)| format!("{} {}", move_name(*code, &chosen.position), text(tally)));
        Entry {
            epd: four_fields(&chosen.position),
            total: text(&chosen.total),
            moves: moves.collect(),
        }
    }
}

/// The positions of a book in the order of their four fields, prepared by a thread of their own.
struct Entries {
    thread: Option<JoinHandle<Result<(), BookError>>>,
    batches: Receiver<Vec<Entry>>,
    batch: vec::IntoIter<Entry>,
}

impl Entries {
    fn new(source: Source, options: BookOptions) -> Self {
        let (sender, batches) = sync_channel(WAITING);
        let thread = thread::spawn(move || send_entries(source, &options, &sender));
        Entries { thread: Some(thread), batches, batch: Vec::new().into_iter() }
    }

    fn next(&mut self) -> Result<Option<Entry>, BookError> {
        loop {
            if let Some(entry) = self.batch.next() {
                return Ok(Some(entry));
            }
            match (self.batches.recv(), self.thread.take()) {
                (Ok(batch), thread) => (self.batch, self.thread) = (batch.into_iter(), thread),
                (Err(_), None) => return Ok(None),
                (Err(_), Some(thread)) => {
                    thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload))?;
                }
            }
        }
    }
}

fn send_entries(
    source: Source,
    options: &BookOptions,
    sender: &SyncSender<Vec<Entry>>,
) -> Result<(), BookError> {
    let options = options.clone().order(Order::Key);
    let mut batch = Vec::new();
    let send = |batch| sender.send(batch).map_err(|_| closed());
    choose(source, &options, &mut |chosen, _| {
        batch.push(Entry::new(&chosen));
        match batch.len() < BATCH {
            true => Ok(()),
            false => send(std::mem::take(&mut batch)),
        }
    })?;
    send(batch)
}

/// The error that ends a thread after its receiver is gone; it is not reported.
fn closed() -> BookError {
    BookError::Write(io::ErrorKind::BrokenPipe.into())
}

/// Prints the differences and the common content of two books.
pub(super) fn diff(a: &Path, b: &Path) -> anyhow::Result<Outcome> {
    output::guard(&[a.to_owned(), b.to_owned()])?.stdout()?;
    let options = BookOptions::default();
    // Both are counted before they are compared.
    let memory = options.memory / 2;
    let options = options.memory(memory);
    let (a, b) = (source(a, &options)?, source(b, &options)?);
    let (mut a, mut b) = (Entries::new(a, options.clone()), Entries::new(b, options));
    let (mut old, mut new) = (a.next()?, b.next()?);
    let mut out = BufWriter::new(Output::stdout());
    loop {
        let order = match (&old, &new) {
            (Some(old), Some(new)) => old.epd.cmp(&new.epd),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        write_difference(
            &mut out,
            old.as_ref().filter(|_| order.is_le()),
            new.as_ref().filter(|_| order.is_ge()),
        )?;
        if order.is_le() {
            old = a.next()?;
        }
        if order.is_ge() {
            new = b.next()?;
        }
    }
    out.flush()?;
    Ok(Outcome::Well)
}

/// Writes how a position differs in two books.
fn write_difference(
    out: &mut impl Write,
    old: Option<&Entry>,
    new: Option<&Entry>,
) -> io::Result<()> {
    match (old, new) {
        (Some(Entry { epd, total, .. }), None) => writeln!(out, "- {epd} {total}"),
        (None, Some(Entry { epd, total, .. })) => writeln!(out, "+ {epd} {total}"),
        (Some(old), Some(new)) => {
            let epd = &old.epd;
            if old.total != new.total {
                writeln!(out, "= {epd} {} -> {}", old.total, new.total)?;
            }
            let mut gone = old.moves.iter().filter(|line| !new.moves.contains(line));
            gone.try_for_each(|line| writeln!(out, "- {epd} {line}"))?;
            let mut added = new.moves.iter().filter(|line| !old.moves.contains(line));
            added.try_for_each(|line| writeln!(out, "+ {epd} {line}"))
        }
        (None, None) => Ok(()),
    }
}

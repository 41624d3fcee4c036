//! Writes the records that a [`Selection`] admits, each with the registers that a reader of the
//! output needs.

use std::io::{self, Write};

use emit::{Labelled, Plan, Ply, Problem, RecordText, Sink, TextSink, VariantPly};
use epd::{RegisterKeeper, fields_len};
use pgn::{Outcome, Place, TagPair};
use san::PositionKey;

use crate::conflicts::Merger;
use crate::options::{Format, Options};
use crate::selection::Selection;

/// The location of each record of a chunk in its text.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    records: Vec<Mark>,
    /// The position of each record, if needed.
    keys: Vec<PositionKey>,
    /// The label of each record, if conflicts between equal positions are resolved.
    labels: Vec<Labelled>,
    /// Number of games begun.
    games: usize,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    start: usize,
    end: usize,
    game: usize,
}

impl Marks {
    /// Moves the records to other locations; `place` returns the new one for each, in order.
    pub(crate) fn move_to(&mut self, mut place: impl FnMut(usize) -> (usize, usize)) {
        for (index, mark) in self.records.iter_mut().enumerate() {
            (mark.start, mark.end) = place(index);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.keys.clear();
        self.labels.clear();
        self.games = 0;
    }
}

/// A text sink that records where each record is.
pub(crate) struct Marked<'t> {
    text: TextSink<'t>,
    marks: &'t mut Marks,
    with_keys: bool,
    /// Number of records before the current game.
    before: usize,
}

impl<'t> Marked<'t> {
    pub(crate) fn new(text: TextSink<'t>, marks: &'t mut Marks, with_keys: bool) -> Self {
        Marked { text, marks, with_keys, before: 0 }
    }
}

impl RecordText for Marked<'_> {
    fn text(&self) -> &[u8] {
        self.text.text()
    }
}

impl Sink for Marked<'_> {
    fn number(&mut self, game: u64, place: Place) {
        self.text.number(game, place);
    }

    fn length(&mut self, plies: u32) {
        self.text.length(plies);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.before = self.marks.records.len();
        self.marks.games += 1;
        self.text.begin(tags);
    }

    fn ply(&mut self, ply: Ply<'_>) {
        let start = self.text.written();
        self.text.ply(ply);
        let end = self.text.written();
        // Not every position has a record.
        if end == start {
            return;
        }
        if self.with_keys {
            self.marks.keys.push(PositionKey::of(ply.position));
            self.marks.labels.extend(self.text.labelled());
        }
        self.marks.records.push(Mark { start, end, game: self.marks.games });
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.text.skipped_ply(ply);
    }

    fn takes_variants(&self) -> bool {
        // Equal positions cannot be detected here.
        !self.with_keys && self.text.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        let start = self.text.written();
        self.text.variant(ply);
        let end = self.text.written();
        // Not every position has a record.
        if end > start {
            self.marks.records.push(Mark { start, end, game: self.marks.games });
        }
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>) {
        self.text.skipped_variant(ply);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.text.end(outcome);
    }

    fn discard_game(&mut self) {
        self.marks.records.truncate(self.before);
        if self.with_keys {
            self.marks.keys.truncate(self.before);
            self.marks.labels.truncate(self.before);
        }
        self.text.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problem(problem);
    }
}

/// Selects and writes records as they arrive, in input order.
#[derive(Debug)]
pub(crate) struct Chooser {
    selection: Selection<Vec<u8>>,
    /// Collects all records first, if equal positions are merged.
    merger: Option<Merger>,
    blank_line: bool,
    /// Adds the register operations of omitted records to those written.
    keeper: Option<RegisterKeeper>,
    /// Number of games so far.
    games: u64,
    /// The game of the last record written.
    last_game: Option<u64>,
}

impl Chooser {
    /// Creates a selector if the options omit any records. Its input records have all their
    /// registers; `keeper` reduces them to the necessary ones, unless records are not text.
    pub(crate) fn new(
        options: &Options,
        plan: &Plan,
        keeper: Option<RegisterKeeper>,
    ) -> Option<Self> {
        options.chooses().then(|| Chooser {
            selection: Selection::new(options),
            merger: match options.format {
                Format::Label(form) => Merger::new(options.conflicts, form),
                _ => None,
            },
            blank_line: plan.blank_line,
            keeper,
            games: 0,
            last_game: None,
        })
    }

    /// Whether no further record will be selected.
    pub(crate) fn is_full(&self) -> bool {
        self.selection.is_full()
    }

    /// Returns the number of duplicates dropped since the last call.
    pub(crate) fn take_duplicates(&mut self) -> u64 {
        self.selection.take_duplicates()
    }

    /// Writes the selected records of a chunk, or stores them for later; returns the number of
    /// records and bytes written.
    pub(crate) fn take(
        &mut self,
        text: &[u8],
        marks: &Marks,
        output: &mut impl Write,
    ) -> io::Result<(u64, u64)> {
        let mut chosen = Vec::new();
        let mut positions = 0;
        for (index, mark) in marks.records.iter().enumerate() {
            let (record, game) = (&text[mark.start..mark.end], self.games + mark.game as u64);
            if let Some(merger) = &mut self.merger {
                merger.add(marks.keys[index], marks.labels[index], record, game);
                continue;
            }
            // First, so that the number of duplicates does not depend on where chunks end.
            if self.is_full() {
                break;
            }
            if self.selection.is_new(|| marks.keys[index]) {
                positions += self.choose(record, game, &mut chosen);
            }
        }
        self.games += marks.games as u64;
        output.write_all(&chosen)?;
        Ok((positions, chosen.len() as u64))
    }

    /// Writes the next record if it is selected, or stores it for later; returns the number of
    /// records written.
    fn choose(&mut self, record: &[u8], game: u64, chosen: &mut Vec<u8>) -> u64 {
        if self.selection.admits(game, || record.to_vec()) {
            self.write(record, game, chosen);
            return 1;
        }
        0
    }

    /// Writes the stored records and the text after the last record.
    pub(crate) fn finish(mut self, output: &mut impl Write) -> io::Result<(u64, u64)> {
        let mut chosen = Vec::new();
        let (mut positions, mut bytes) = (0, 0);
        for (record, game) in self.merger.take().into_iter().flat_map(Merger::finish) {
            if self.is_full() {
                break;
            }
            positions += self.choose(&record, game, &mut chosen);
            if chosen.len() >= 1 << 16 {
                output.write_all(&chosen)?;
                bytes += chosen.len() as u64;
                chosen.clear();
            }
        }
        for (game, record) in self.selection.take_sample() {
            positions += 1;
            self.write(&record, game, &mut chosen);
        }
        if self.blank_line && self.last_game.is_some() {
            chosen.push(b'\n');
        }
        output.write_all(&chosen)?;
        Ok((positions, bytes + chosen.len() as u64))
    }

    fn write(&mut self, record: &[u8], game: u64, chosen: &mut Vec<u8>) {
        if self.blank_line && self.last_game.is_some_and(|last| last != game) {
            chosen.push(b'\n');
        }
        self.last_game = Some(game);
        match (&mut self.keeper, std::str::from_utf8(record)) {
            (Some(keeper), Ok(record)) => {
                let record = record.trim_end_matches('\n');
                keeper.begin();
                keeper.write(record, fields_len(record), chosen);
                chosen.push(b'\n');
            }
            _ => chosen.extend_from_slice(record),
        }
    }
}

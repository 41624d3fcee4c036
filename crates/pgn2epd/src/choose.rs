//! Decides which records are written, where that depends on other records: as they arrive, in input
//! order, or at the end.

use std::ops::Range;

use emit::{Label, LabelForm, Labelled, Ply, Problem, RecordText, Sink, TextSink, VariantPly};
use epd::RegisterPlace;
use pgn::{Outcome, Place, TagPair};
use san::PositionKey;

use crate::conflicts::{MergedRecord, Merger};
use crate::options::{Format, Options};
use crate::selection::Selection;

/// The location of each record of a chunk in its text.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    records: Vec<Mark>,
    /// The position of each record, if needed.
    keys: Vec<PositionKey>,
    /// The places of the registers of all records, if needed.
    places: Vec<RegisterPlace>,
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
    /// End of its places among those of all records.
    places_end: usize,
}

impl Marks {
    /// Returns the location of a record in the text.
    pub(crate) fn range(&self, index: usize) -> Range<usize> {
        let Mark { start, end, .. } = self.records[index];
        start..end
    }

    /// Returns the places of the registers of a record, if they are noted.
    pub(crate) fn register_places(&self, index: usize) -> &[RegisterPlace] {
        let start = index.checked_sub(1).map_or(0, |before| self.records[before].places_end);
        &self.places[start..self.records[index].places_end]
    }

    /// Removes all records from `len` on.
    fn truncate(&mut self, len: usize) {
        self.records.truncate(len);
        self.keys.truncate(len);
        self.labels.truncate(len);
        self.places.truncate(self.records.last().map_or(0, |last| last.places_end));
    }

    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.places.clear();
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

    /// Records where the last record is.
    fn mark(&mut self, start: usize) {
        let Marks { records, places, games, .. } = &mut *self.marks;
        places.extend_from_slice(self.text.register_places());
        let end = self.text.written();
        records.push(Mark { start, end, game: *games, places_end: places.len() });
    }
}

impl RecordText for Marked<'_> {
    fn text(&self) -> &[u8] {
        self.text.text()
    }

    fn count(&self) -> u64 {
        self.text.count()
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
        let (start, count) = (self.text.written(), self.text.count());
        self.text.ply(ply);
        // Not every position has a record.
        if self.text.count() == count {
            return;
        }
        if self.with_keys {
            self.marks.keys.push(PositionKey::of(ply.position));
            self.marks.labels.extend(self.text.labelled());
        }
        self.mark(start);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.text.skipped_ply(ply);
    }

    fn takes_variants(&self) -> bool {
        // Equal positions cannot be detected here.
        !self.with_keys && self.text.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        let (start, count) = (self.text.written(), self.text.count());
        self.text.variant(ply);
        if self.text.count() > count {
            self.mark(start);
        }
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>) {
        self.text.skipped_variant(ply);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.text.end(outcome);
    }

    fn discard_game(&mut self) {
        self.marks.truncate(self.before);
        self.text.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problem(problem);
    }
}

/// The records of a chunk, which are stored or written.
pub(crate) trait ChunkRecords {
    /// Stores a record and returns its number among those stored. `len` is the length in bytes to
    /// store of its text, if not all. `freed` is the number of a stored record to
    /// replace.
    fn keep(&mut self, index: usize, len: Option<usize>, freed: Option<usize>) -> usize;

    /// Writes a record; `game` is its game among those of all inputs.
    fn write(&mut self, index: usize, game: u64);
}

/// The stored records.
pub(crate) trait KeptRecords {
    /// Writes a record, with the label if that differs from that of the record.
    fn write(&mut self, number: usize, label: Option<(LabelForm, Label)>, game: u64);
}

/// Decides about each record.
#[derive(Debug)]
pub(crate) struct Chooser {
    /// The samples are numbers of stored records.
    selection: Selection<usize>,
    /// Collects all records first, if equal positions are merged.
    merger: Option<Merger>,
    /// Number of games so far.
    games: u64,
}

impl Chooser {
    /// Creates a chooser if the options omit any records.
    pub(crate) fn new(options: &Options) -> Option<Self> {
        options.chooses().then(|| Chooser {
            selection: Selection::new(options),
            merger: match options.format {
                Format::Label(form) => Merger::new(options.conflicts, form),
                _ => None,
            },
            games: 0,
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
    /// records written.
    pub(crate) fn take(&mut self, marks: &Marks, records: &mut impl ChunkRecords) -> u64 {
        let mut written = 0;
        for (index, mark) in marks.records.iter().enumerate() {
            let game = self.games + mark.game as u64;
            if let Some(merger) = &mut self.merger {
                let keep = |len| records.keep(index, len, None);
                merger.add(marks.keys[index], marks.labels[index], game, keep);
                continue;
            }
            // First, so that the number of duplicates does not depend on where chunks end.
            if self.is_full() {
                break;
            }
            let is_new = self.selection.is_new(|| marks.keys[index]);
            if is_new && self.selection.admits(game, |freed| records.keep(index, None, freed)) {
                records.write(index, game);
                written += 1;
            }
        }
        self.games += marks.games as u64;
        written
    }

    /// Writes the stored records; returns their number.
    pub(crate) fn finish(mut self, records: &mut impl KeptRecords) -> u64 {
        let mut written = 0;
        let mut labels = Vec::new();
        for merged in self.merger.take().into_iter().flat_map(Merger::finish) {
            if self.is_full() {
                break;
            }
            // The numbers of sampled records are indices of `labels` here.
            let MergedRecord { number, label, game } = merged;
            let keep = |_| {
                labels.push((number, label));
                labels.len() - 1
            };
            if self.selection.admits(game, keep) {
                records.write(number, label, game);
                written += 1;
            }
        }
        for (game, sampled) in self.selection.take_sample() {
            let (number, label) = labels.get(sampled).copied().unwrap_or((sampled, None));
            records.write(number, label, game);
            written += 1;
        }
        written
    }
}

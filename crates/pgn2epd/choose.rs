//! Which records are written, where that depends on those before: the first of equal positions, the first hundred, a sample.
//!
//! It is decided where records are delivered, in the order of the input, so that threads and chunks change nothing.

use std::collections::{BinaryHeap, HashSet};
use std::io::{self, Write};

use emit::{Labelled, Plan, Ply, Problem, RecordText, Sink, TextSink, VariantPly, draw};
use pgn::{Outcome, Place, TagPair};
use san::Packed;

use crate::conflicts::Merger;
use crate::{Format, Options, Sample};

/// Where the records of a chunk stand in its text.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    records: Vec<Mark>,
    /// The position of each record, where that matters.
    keys: Vec<Packed>,
    /// What each record says, where these are labelled positions and equal ones matter.
    labels: Vec<Labelled>,
    /// How many games have begun.
    games: usize,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    start: usize,
    end: usize,
    game: usize,
}

impl Marks {
    /// The records stand elsewhere: this tells where, one after the other.
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

/// A sink of text that marks its records.
pub(crate) struct Marked<'t> {
    text: TextSink<'t>,
    marks: &'t mut Marks,
    with_keys: bool,
    /// How many records there were before the current game.
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
            self.marks.keys.push(Packed::of(ply.position));
            self.marks.labels.extend(self.text.labelled());
        }
        self.marks.records.push(Mark { start, end, game: self.marks.games });
    }

    fn pass(&mut self, ply: Ply<'_>) {
        self.text.pass(ply);
    }

    fn takes_variants(&self) -> bool {
        // Which of their positions are equal is not known here.
        !self.with_keys && self.text.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        let start = self.text.written();
        self.text.variant(ply);
        let mark = Mark { start, end: self.text.written(), game: self.marks.games };
        self.marks.records.push(mark);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.text.end(outcome);
    }

    fn undo(&mut self) {
        self.marks.records.truncate(self.before);
        if self.with_keys {
            self.marks.keys.truncate(self.before);
            self.marks.labels.truncate(self.before);
        }
        self.text.undo();
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problem(problem);
    }
}

/// Chooses among records as they come, in the order of the input.
#[derive(Debug)]
pub(crate) struct Chooser {
    seen: Option<HashSet<Packed>>,
    /// Takes all records first, if equal positions become one.
    merger: Option<Merger>,
    skip: u64,
    limit: u64,
    blank_line: bool,
    /// Records that came so far, up to here.
    count: u64,
    /// Games that came so far.
    games: u64,
    /// The game of the last record written.
    last_game: Option<u64>,
    sample: Option<(Sample, BinaryHeap<Drawn>)>,
}

/// A record of the sample; those drawn last go first when there are too many.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Drawn {
    drawn: u64,
    number: u64,
    game: u64,
    record: Vec<u8>,
}

impl Chooser {
    /// Somebody who chooses, if there is anything to choose.
    pub(crate) fn new(options: &Options, plan: &Plan) -> Option<Self> {
        let Options { unique, skip, limit, sample, .. } = *options;
        options.chooses().then(|| Chooser {
            seen: unique.then(HashSet::new),
            merger: match options.format {
                Format::Label(form) => Merger::new(options.conflicts, form),
                _ => None,
            },
            skip,
            limit: limit.unwrap_or(u64::MAX),
            blank_line: plan.blank_line,
            count: 0,
            games: 0,
            last_game: None,
            sample: sample.map(|sample| (sample, BinaryHeap::new())),
        })
    }

    /// Whether no record will be chosen any more.
    pub(crate) fn is_full(&self) -> bool {
        self.count >= self.skip.saturating_add(self.limit)
            || self.sample.as_ref().is_some_and(|(sample, _)| sample.count == 0)
    }

    /// Writes the chosen ones of a chunk's records, or keeps them for later; how many records and bytes were written.
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
            if let Some(seen) = &mut self.seen
                && !seen.insert(marks.keys[index])
            {
                continue;
            }
            if self.is_full() {
                break;
            }
            positions += self.choose(record, game, &mut chosen);
        }
        self.games += marks.games as u64;
        output.write_all(&chosen)?;
        Ok((positions, chosen.len() as u64))
    }

    /// Writes the next of the records that there are, if it is chosen, or keeps it for later; how many were written.
    fn choose(&mut self, record: &[u8], game: u64, chosen: &mut Vec<u8>) -> u64 {
        self.count += 1;
        if self.count <= self.skip {
            return 0;
        }
        match &mut self.sample {
            None => {
                self.write(record, game, chosen);
                1
            }
            Some((sample, drawn)) => {
                keep(*sample, drawn, self.count, game, record);
                0
            }
        }
    }

    /// Writes what was kept, and what belongs behind the last record.
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
        if let Some((_, drawn)) = self.sample.take() {
            let mut drawn = drawn.into_vec();
            drawn.sort_unstable_by_key(|drawn| drawn.number);
            positions += drawn.len() as u64;
            for Drawn { game, record, .. } in drawn {
                self.write(&record, game, &mut chosen);
            }
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
        chosen.extend_from_slice(record);
    }
}

/// Keeps a record if it is among those drawn first.
fn keep(sample: Sample, kept: &mut BinaryHeap<Drawn>, number: u64, game: u64, record: &[u8]) {
    let drawn = draw(sample.seed, number);
    if kept.len() as u64 >= sample.count {
        match kept.peek() {
            Some(last) if (drawn, number) < (last.drawn, last.number) => kept.pop(),
            _ => return,
        };
    }
    kept.push(Drawn { drawn, number, game, record: record.to_vec() });
}

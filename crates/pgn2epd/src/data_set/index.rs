//! Where the records of a chunk are in its text, what their selection depends on, and their contents
//! as the bytes that are stored: the registers that they set, and a text or a row.

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::ops::Range;

use dataset::{Label, Preference, Record, Records, random_rank_of};
use emit::Labelled;
use epd::RegisterPlace;
use san::PositionKey;
use stream::spill::number::read_number;

use crate::options::values::{DataSplit, GameEquality};

/// What is noted of each record.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexPlan {
    /// Whether records are selected, ordered or divided at all.
    pub(crate) is_needed: bool,
    /// Whether equal positions are recognised.
    pub(crate) keys: bool,
    /// The number of threads that look up keys; zero if none does.
    pub(crate) threads: usize,
    /// Whether the labels of equal positions decide which of them are written.
    pub(crate) labels: bool,
    /// Whether labels are replaced by their mean.
    pub(crate) has_means: bool,
    pub(crate) register_places: bool,
    pub(crate) preference: Preference,
    pub(crate) unique_games: Option<GameEquality>,
    pub(crate) split: Option<DataSplit>,
    pub(crate) seed: u64,
}

#[derive(Debug, Default)]
pub(crate) struct RecordIndex {
    pub(crate) records: Records,
    places: Vec<TextPlace>,
    /// The places of the registers of all records, if needed.
    registers: Vec<RegisterPlace>,
    /// The number of records before the current game.
    before: usize,
    /// The part of the current game.
    part: u32,
}

#[derive(Clone, Copy, Debug)]
struct TextPlace {
    start: usize,
    end: usize,
    /// Where the label begins, if it is replaced.
    label: usize,
    /// End of its registers among those of all records.
    registers_end: usize,
}

impl RecordIndex {
    pub(crate) fn range(&self, index: usize) -> Range<usize> {
        let TextPlace { start, end, .. } = self.places[index];
        start..end
    }

    /// Returns where the stored part of a record is: all of it, except a label that is replaced.
    pub(crate) fn stored_range(&self, index: usize) -> Range<usize> {
        let TextPlace { start, label, .. } = self.places[index];
        start..label
    }

    pub(crate) fn registers(&self, index: usize) -> &[RegisterPlace] {
        let start = index.checked_sub(1).map_or(0, |before| self.places[before].registers_end);
        &self.registers[start..self.places[index].registers_end]
    }

    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.places.clear();
        self.registers.clear();
    }

    pub(super) fn begin(&mut self) {
        (self.before, self.part) = (self.records.list.len(), 0);
        self.records.games += 1;
        self.records.compared.push(None);
    }

    pub(super) fn discard_game(&mut self) {
        self.records.truncate(self.before);
        self.places.truncate(self.before);
        self.registers.truncate(self.places.last().map_or(0, |last| last.registers_end));
    }

    /// Notes the text of the game, which may decide on its part.
    pub(super) fn set_text(&mut self, text: &[u8], plan: &IndexPlan) {
        if let Some(split) = &plan.split {
            self.part = split.part_of(random_rank_of(plan.seed, &with_line_feeds(text))) as u32;
            self.records.list[self.before..].iter_mut().for_each(|record| record.part = self.part);
        }
    }

    pub(super) fn push(
        &mut self,
        range: Range<usize>,
        positions: u64,
        registers: &[RegisterPlace],
    ) {
        self.registers.extend_from_slice(registers);
        self.places.push(TextPlace {
            start: range.start,
            end: range.end,
            label: range.end,
            registers_end: self.registers.len(),
        });
        let (game, positions) = (self.records.games - 1, positions as u32);
        self.records.list.push(Record { game, part: self.part, positions });
    }

    /// Notes the position of the last record, its label, and what it is preferred by.
    pub(super) fn set_position(
        &mut self,
        key: PositionKey,
        labelled: Option<Labelled>,
        rank: Option<u32>,
        plan: &IndexPlan,
    ) {
        let Some(place) = self.places.last_mut() else { return };
        self.records.keys.push(key);
        self.records.ranks.extend(rank);
        if let Some(Labelled { label, fields }) = labelled.filter(|_| plan.labels) {
            let (count, results, scores) = label.sums();
            self.records.labels.push(Label { count, results, scores });
            if plan.has_means {
                place.label = place.start + fields;
            }
        }
    }
}

/// Replaces the other ends of lines, a carriage return alone or before a line feed.
fn with_line_feeds(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\r', text).is_none() {
        return text.into();
    }
    let mut lines = Vec::with_capacity(text.len());
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'\r' if text.get(index + 1) == Some(&b'\n') => {}
            b'\r' => lines.push(b'\n'),
            _ => lines.push(*byte),
        }
    }
    lines.into()
}

/// Returns the registers of a stored record, and its text or row.
pub(super) fn read_contents(mut contents: &[u8]) -> io::Result<(Vec<RegisterPlace>, &[u8])> {
    let size = 5 * read_number(&mut contents)? as usize;
    let (registers, _) = contents.get(..size).ok_or(io::ErrorKind::InvalidData)?.as_chunks();
    let registers = registers.iter().map(|bytes| RegisterPlace::from_bytes(*bytes)).collect();
    contents.consume(size);
    Ok((registers, contents))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_line_feeds() {
        for (text, expected) in
            [("a\nb", "a\nb"), ("a\r\nb\r\n", "a\nb\n"), ("a\rb\r\r\nc\r", "a\nb\n\nc\n")]
        {
            assert_eq!(with_line_feeds(text.as_bytes()), expected.as_bytes(), "{text:?}");
        }
    }
}

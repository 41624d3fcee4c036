//! Writes the text of selected records, each with the registers that a reader of the output needs.

use std::io::{self, Write};

use emit::{Label, LabelForm, Plan};
use epd::{RegisterKeeper, RegisterPlace};

use crate::choose::{Chooser, ChunkRecords, KeptRecords, Marks};
use crate::options::Options;

/// Selects and writes records of text.
#[derive(Debug)]
pub(crate) struct TextChooser {
    chooser: Chooser,
    chosen: ChosenText,
}

/// The text of the selected records.
#[derive(Debug)]
struct ChosenText {
    blank_line: bool,
    /// Adds the register operations of omitted records to those written.
    keeper: Option<RegisterKeeper>,
    /// The game of the last record written.
    last_game: Option<u64>,
    /// The stored records.
    kept: Vec<KeptRecord>,
    /// The records to be written next.
    text: Vec<u8>,
}

/// A stored record.
#[derive(Debug, Default)]
struct KeptRecord {
    text: Box<[u8]>,
    places: Box<[RegisterPlace]>,
}

impl TextChooser {
    /// Creates a chooser if the options omit any records. Its input records have all their
    /// registers.
    pub(crate) fn new(options: &Options, plan: &Plan) -> Option<Self> {
        let chooser = Chooser::new(options)?;
        let chosen = ChosenText {
            blank_line: plan.blank_line,
            keeper: options.register_keeper(plan),
            last_game: None,
            kept: Vec::new(),
            text: Vec::new(),
        };
        Some(TextChooser { chooser, chosen })
    }

    /// Whether no further record will be selected.
    pub(crate) fn is_full(&self) -> bool {
        self.chooser.is_full()
    }

    /// Returns the number of duplicates dropped since the last call.
    pub(crate) fn take_duplicates(&mut self) -> u64 {
        self.chooser.take_duplicates()
    }

    /// Writes the selected records of a chunk, or stores them for later; returns the number of
    /// records and bytes written.
    pub(crate) fn take(
        &mut self,
        text: &[u8],
        marks: &Marks,
        output: &mut impl Write,
    ) -> io::Result<(u64, u64)> {
        let TextChooser { chooser, chosen } = self;
        chosen.text.clear();
        let positions = chooser.take(marks, &mut ChunkText { text, marks, chosen });
        output.write_all(&chosen.text)?;
        Ok((positions, chosen.text.len() as u64))
    }

    /// Writes the stored records and the text after the last record.
    pub(crate) fn finish(self, output: &mut impl Write) -> io::Result<(u64, u64)> {
        let TextChooser { chooser, mut chosen } = self;
        chosen.text.clear();
        let mut kept = KeptText { chosen: &mut chosen, output, bytes: 0, outcome: Ok(()) };
        let positions = chooser.finish(&mut kept);
        if kept.chosen.blank_line && kept.chosen.last_game.is_some() {
            kept.chosen.text.push(b'\n');
        }
        kept.flush();
        kept.outcome.map(|()| (positions, kept.bytes))
    }
}

impl ChosenText {
    fn write(&mut self, record: &[u8], places: &[RegisterPlace], game: u64) {
        if self.blank_line && self.last_game.is_some_and(|last| last != game) {
            self.text.push(b'\n');
        }
        self.last_game = Some(game);
        match (&mut self.keeper, std::str::from_utf8(record)) {
            (Some(keeper), Ok(record)) => {
                let record = record.trim_end_matches('\n');
                keeper.begin();
                keeper.write_placed(record, places, &mut self.text);
                self.text.push(b'\n');
            }
            _ => self.text.extend_from_slice(record),
        }
    }
}

/// The records of a chunk.
struct ChunkText<'c> {
    text: &'c [u8],
    marks: &'c Marks,
    chosen: &'c mut ChosenText,
}

impl ChunkRecords for ChunkText<'_> {
    fn keep(&mut self, index: usize, len: Option<usize>, freed: Option<usize>) -> usize {
        let record = &self.text[self.marks.range(index)];
        let text = Box::from(&record[..len.unwrap_or(record.len())]);
        let record = KeptRecord { text, places: Box::from(self.marks.register_places(index)) };
        let kept = &mut self.chosen.kept;
        match freed {
            Some(number) => {
                kept[number] = record;
                number
            }
            None => {
                kept.push(record);
                kept.len() - 1
            }
        }
    }

    fn write(&mut self, index: usize, game: u64) {
        let places = self.marks.register_places(index);
        self.chosen.write(&self.text[self.marks.range(index)], places, game);
    }
}

/// The stored records, which are written in pieces.
struct KeptText<'c, W> {
    chosen: &'c mut ChosenText,
    output: &'c mut W,
    /// Number of bytes written.
    bytes: u64,
    outcome: io::Result<()>,
}

impl<W: Write> KeptText<'_, W> {
    fn flush(&mut self) {
        if self.outcome.is_ok() {
            self.outcome = self.output.write_all(&self.chosen.text);
            self.bytes += self.chosen.text.len() as u64;
        }
        self.chosen.text.clear();
    }
}

impl<W: Write> KeptRecords for KeptText<'_, W> {
    fn write(&mut self, number: usize, label: Option<(LabelForm, Label)>, game: u64) {
        let KeptRecord { text, places } = std::mem::take(&mut self.chosen.kept[number]);
        let mut record = text.into_vec();
        if let Some((form, label)) = label {
            label.write(form, &mut record);
        }
        self.chosen.write(&record, &places, game);
        if self.chosen.text.len() >= 1 << 16 {
            self.flush();
        }
    }
}

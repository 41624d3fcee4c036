//! The position and the operations of a record.

use std::collections::BTreeMap;

#[cfg(feature = "output")]
use emit::{Evaluated, Evaluations};
use engine::{Board, Question};
#[cfg(feature = "output")]
use epd::Centipawns;
use epd::{
    Dialect, Line, OperationRef, OperationWriter, ReadOptions, Rules, fields_len, read_line,
};

use super::evaluation::Operations;
use super::options::digest;

/// At the end of a kept record: what it was made with, and a checksum of all that precedes it.
const SETTINGS: &str = " settings ";
const CHECKSUM: &str = " checksum ";

/// Adds to a line what it was made with, and a checksum.
pub(super) fn seal(line: &mut Vec<u8>, settings: &str) {
    line.truncate(line.trim_ascii_end().len());
    line.extend([SETTINGS, settings, ";"].concat().bytes());
    let checksum = digest(line);
    line.extend([CHECKSUM, &*checksum, ";\n"].concat().bytes());
}

/// Returns a line that was kept, and what it was made with; `None` if it is damaged.
pub(super) fn unseal(line: &str) -> Option<(&str, &str)> {
    let (sealed, checksum) = line.strip_suffix(';')?.rsplit_once(CHECKSUM)?;
    let (record, settings) = sealed.strip_suffix(';')?.rsplit_once(SETTINGS)?;
    (digest(sealed.as_bytes()) == checksum).then_some((record, settings))
}

/// A record that a conversion has written.
pub(crate) struct RecordOfLine<'l> {
    fields: &'l str,
    operations: BTreeMap<&'l str, &'l str>,
    pub(crate) question: Question,
}

impl<'l> RecordOfLine<'l> {
    /// Reads a line; `None` if it is not a record.
    pub(crate) fn read(line: &'l str, rules: Rules) -> Option<Self> {
        let options = ReadOptions {
            dialect: Some(Dialect::Standard),
            moves: false,
            rules,
            ..ReadOptions::default()
        };
        let pair = |operation: OperationRef<'l>| (operation.name(), operation.operands());
        let (board, operations) = match read_line(line, &options, &mut |_| {}) {
            Line::Record(record) => {
                (Board::Chess(record.position().clone()), record.operations().map(pair).collect())
            }
            Line::Variant(variant) => {
                let operations = variant.operations().operations().map(pair).collect();
                (Board::Variant(variant.position().clone()), operations)
            }
            _ => return None,
        };
        let fields = line[..fields_len(line)].trim_end();
        Some(RecordOfLine { fields, operations, question: Question::new(board) })
    }

    #[cfg(feature = "output")]
    pub(super) fn add_to(&self, evaluations: &mut Evaluations) {
        let number = |name| self.operands(name).and_then(|text| text.parse().ok());
        let Some(centipawns) = number("ce").and_then(Centipawns::new) else { return };
        let depth = self.operands("acd").and_then(|text| text.parse().ok());
        let line = self.operands("pv").unwrap_or_default().to_owned();
        let evaluated = Evaluated { centipawns, depth, line };
        match self.question.board() {
            Board::Chess(position) => evaluations.add(position, evaluated),
            Board::Variant(position) => evaluations.add(position, evaluated),
        }
    }

    /// Returns what equal positions share: fields, and plies since the last capture or pawn move.
    pub(super) fn key(&self) -> String {
        let fen = self.question.fen();
        fen.rsplit_once(' ').map_or(&*fen, |(key, _)| key).to_owned()
    }

    pub(crate) fn operations(&self) -> impl Iterator<Item = (&'l str, &'l str)> + '_ {
        self.operations.iter().map(|(name, operands)| (*name, *operands))
    }

    pub(crate) fn operands(&self, name: &str) -> Option<&'l str> {
        self.operations.get(name).copied()
    }

    /// Removes operations, and returns those that the record has.
    pub(crate) fn take(&mut self, names: &[&'static str]) -> Operations {
        let take = |name: &&'static str| Some((*name, self.operations.remove(name)?.to_owned()));
        names.iter().filter_map(take).collect()
    }

    pub(super) fn keep(&mut self, names: &[&str]) {
        self.operations.retain(|name, _| names.contains(name));
    }

    /// Whether the position and the operations are the same.
    pub(super) fn is_same(&self, other: &RecordOfLine<'_>) -> bool {
        self.fields == other.fields && self.operations == other.operations
    }

    /// Appends the record with further operations, as a line.
    pub(super) fn write_with(&self, operations: &Operations, out: &mut Vec<u8>) {
        let mut all = self.operations.clone();
        all.extend(operations.iter().map(|(name, operands)| (*name, &**operands)));
        out.extend_from_slice(self.fields.as_bytes());
        for (name, operands) in all {
            let writer = OperationWriter::new(name, out);
            if operands.is_empty() { writer.end() } else { writer.word(operands).end() }
        }
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_kept_is_read_as_it_was_written_or_not_at_all() {
        let sealed = |line: &str, settings| {
            let mut line = line.as_bytes().to_vec();
            seal(&mut line, settings);
            String::from_utf8(line).unwrap()
        };
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - acd 7; ce 21; id \"a checksum 12; settings b;\";";
        let (one, other) = (sealed(text, "0123"), sealed("8/8/8/8/8/8/8/K1k5 b - - ce 3;", "4567"));
        let (one, other) = (one.trim_end(), other.trim_end());
        assert_eq!((unseal(one), unseal(text)), (Some((text, "0123")), None));
        for at in 0..one.len() {
            for byte in [b' ', b'0', b'a', b';', one.as_bytes()[at] ^ 1, one.as_bytes()[at] ^ 32] {
                let mut changed = one.as_bytes().to_vec();
                changed[at] = byte;
                let changed = String::from_utf8(changed).unwrap();
                assert!(changed == one || unseal(&changed).is_none(), "{changed}");
            }
            for end in at + 1..one.len() {
                let (before, piece, after) = (&one[..at], &one[at..end], &one[end..]);
                for changed in
                    [[before, after, ""], [before, piece, &one[at..]]].map(|it| it.concat())
                {
                    assert!(unseal(&changed).is_none(), "{changed}");
                }
            }
            // What a lost line end makes of two lines.
            for from in 0..other.len() {
                let joined = [&one[..at], &other[from..]].concat();
                let is_whole = joined == one || joined == other;
                assert!(is_whole || unseal(&joined).is_none(), "{joined}");
            }
        }
    }
}

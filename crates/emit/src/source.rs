//! Positions that are not written as records: rows of tables, among them the puzzles of Lichess,
//! lines of CSV and JSON, and the evaluations of Lichess.

#[cfg(feature = "evaluations")]
pub(crate) mod json;
pub(crate) mod table;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};
use epd::{
    EpdDiagnostic, EpdDiagnosticKind, Opcode, Operand, OperandError, Readable, is_legal_string,
    legal_string,
};
use san::{AnyPosition, FenError, Position, SanError, keywords};

use crate::ply::Known;
use table::{CellFault, ColumnNames, NamedCell, TableColumns, begins_with_fen};

/// What the lines of a file of positions are.
#[derive(Clone, Debug, Default)]
pub enum LineKind {
    /// EPD records, FENs and labels.
    #[default]
    Records,
    /// Rows of a table, and [puzzles of Lichess](https://database.lichess.org/#puzzles).
    Csv(Arc<CsvHeader>),
    /// Rows of a table, each an object, and the keys of the first of them: what a column means may
    /// depend on others, which a row may lack.
    JsonLines(Arc<[Box<str>]>),
    /// [Evaluations of Lichess](https://database.lichess.org/#evals), lines of JSON.
    Evaluations(Evals),
}

keywords! {
    /// Which evaluations of a position are used.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Evals {
        /// The deepest one, of several that of most nodes.
        #[default]
        Deepest = "deepest",
        /// Each, as a record of its own.
        All = "all",
    }
}

/// An error in a line, or a row, that is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum LineFault {
    #[error("the row has no position: neither fen nor epd nor record has a value")]
    NoPosition,
    #[error("{0}")]
    Record(EpdDiagnosticKind),
    #[error("{0}")]
    Fen(FenError),
    #[error("illegal: {0}")]
    Move(SanError),
    #[error("{0}: {1}")]
    Operand(Opcode, OperandError),
    #[error("not a number that this column may have")]
    Number,
    #[error("not a result: 1-0, 0-1, 1/2-1/2, or a number from 0 to 1")]
    Result,
    #[error("not a list of NAGs such as $1 $14")]
    Nag,
    #[error("the row has {0} cells, the header {1}")]
    Cells(usize, usize),
    /// A cell that continues on the next line, or lacks its quote.
    #[error("the quoted text does not end on its line; text with line ends is not read")]
    OpenQuote,
    #[error("not JSON as expected: {0}")]
    Json(String),
    #[error("this build does not read JSON: build it with the feature evaluations")]
    NotBuilt,
    #[error("the line has no evaluation")]
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Found<'r> {
    pub(crate) readable: Readable,
    /// The move played, if it is not the operand of `sm`.
    pub(crate) played: Option<String>,
    pub(crate) known: Known<'static>,
    pub(crate) ply: Option<u32>,
    pub(crate) comment: Option<&'r [u8]>,
    pub(crate) nags: Vec<u8>,
    pub(crate) variables: Vec<(&'r str, Cow<'r, str>)>,
    pub(crate) faults: Vec<CellFault>,
    /// What of the position or its record is read as something else.
    pub(crate) changes: Vec<EpdDiagnostic>,
}

impl Found<'_> {
    fn of(readable: Readable) -> Self {
        Found {
            readable,
            played: None,
            known: Known::default(),
            ply: None,
            comment: None,
            nags: Vec::new(),
            variables: Vec::new(),
            faults: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Sets an operation. A string that no record can have is shortened, but still an error.
    fn set(&mut self, opcode: Opcode, operand: Operand) -> Result<(), LineFault> {
        let record = &mut self.readable.record;
        let of_operand = |error| LineFault::Operand(opcode, error);
        match &operand {
            Operand::Text(text) if !is_legal_string(text) => {
                let legal = Operand::Text(legal_string(text).into_owned());
                record.set(opcode, legal).and(Err(OperandError::Text))
            }
            _ => record.set(opcode, operand),
        }
        .map_err(of_operand)
    }
}

fn line_of<'m, P: AnyPosition>(
    position: &P,
    moves: impl Iterator<Item = &'m str>,
) -> (Vec<String>, Option<SanError>) {
    let (mut position, mut sans) = (position.clone(), Vec::new());
    for text in moves {
        match position.resolve(text.as_bytes()) {
            Ok(next) => {
                sans.push(position.san_of(next).to_string());
                position.play_unchecked(next);
            }
            Err(error) => return (sans, Some(error)),
        }
    }
    (sans, None)
}

// Lines of CSV as rows of a table.

/// The columns of a table, which its first line names, or else its first row says by a FEN. That of
/// Lucas Chess is known: `FEN|title|solution|game`.
#[derive(Clone, Debug)]
pub struct CsvHeader {
    /// The lines that are not rows: comments, the separator, the names.
    pub(crate) lines: Vec<Box<str>>,
    columns: TableColumns,
    delimiter: u8,
    has_quotes: bool,
}

pub(crate) type Placed<'r> = (Vec<NamedCell<'r>>, Vec<Range<usize>>);

type PlacedText<'l> = (Range<usize>, Cow<'l, str>);

impl CsvHeader {
    /// Reads the first lines of a table with commas, tabs, semicolons or bars; `None` if no column
    /// has positions.
    ///
    /// ```
    /// use emit::CsvHeader;
    ///
    /// assert!(CsvHeader::of("id,FEN,dm").is_some());
    /// assert!(CsvHeader::of("id;start\n1;4k3/8/8/8/8/8/4P3/4K3 w - -").is_some());
    /// assert!(CsvHeader::of("Dear reader,").is_none());
    /// ```
    pub fn of(text: &str) -> Option<Self> {
        Self::of_any(text).filter(|header| header.has_positions(&ColumnNames::default()))
    }

    /// Reads the first lines of a table that may have positions only with other names of columns.
    pub fn of_any(text: &str) -> Option<Self> {
        let lines = text.trim_start_matches('\u{feff}').split(['\n', '\r']);
        let mut lines = lines.filter(|line| !line.trim().is_empty());
        let mut line = lines.next()?;
        if line.split_once('|').is_some_and(|(fen, _)| Position::from_fen(fen).is_ok()) {
            let columns = TableColumns::of_lucas_chess();
            let parts: Vec<&str> = line.split('|').map(str::trim).collect();
            // A label with a move.
            let is_label = parts.get(1).is_some_and(|text| text.parse::<i64>().is_ok())
                && parts.get(2).is_some_and(|text| epd::result_of(text).is_some());
            let is_fns = parts.len() == columns.len() && !is_label;
            let lines = Vec::new();
            return is_fns.then_some(CsvHeader {
                lines,
                columns,
                delimiter: b'|',
                has_quotes: false,
            });
        }
        let (mut before, mut delimiters) = (Vec::new(), &b",\t;|"[..]);
        while ["#", "%", "//", "; ", "sep="].iter().any(|start| line.starts_with(start)) {
            if let Some(separator) = line.strip_prefix("sep=") {
                delimiters = separator.trim_end_matches(' ').as_bytes();
            }
            before.push(Box::from(line));
            line = lines.next()?;
        }
        // A record, whose operations or label may have these characters.
        if begins_with_fen(line) {
            return None;
        }
        let second = lines.next().unwrap_or_default();
        // Those that occur in neither line divide nothing: one of them is enough, because a reader
        // takes long to make.
        let occurs =
            |delimiter: &u8| [line, second].iter().any(|line| line.as_bytes().contains(delimiter));
        let absent = delimiters.iter().find(|delimiter| !occurs(delimiter));
        let tried = delimiters.iter().filter(|one| occurs(one) || Some(*one) == absent);
        let divided = tried.filter_map(|&delimiter| {
            let mut reader = reader(delimiter, true);
            let mut divide = |line| {
                let texts = fields(line, &mut reader).ok()?;
                Some(texts.into_iter().map(|(_, text)| text).collect::<Vec<_>>())
            };
            Some((delimiter, divide(line)?, divide(second).unwrap_or_default()))
        });
        let mut divided: Vec<_> = divided.collect();
        divided.sort_by_key(|(_, first, _)| std::cmp::Reverse(first.len()));
        let named = |(_, first, second): &(_, Vec<Cow<'_, str>>, Vec<Cow<'_, str>>)| {
            let names: Vec<&str> = first.iter().map(|name| name.trim()).collect();
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            // A damaged line before records, which have operations, is not a name.
            let has_record = || second.iter().any(|cell| cell.contains(';'));
            let is_prose = names.len() == 1 && (!names[0].chars().all(is_name) || has_record());
            let by_row = || TableColumns::of_row(&names, second).filter(|_| !is_prose);
            TableColumns::of(names.iter().copied()).or_else(by_row)
        };
        let found = divided.iter().find_map(|table| Some((table.0, named(table)?, true)));
        let nameless = || {
            let by_row = |(delimiter, first, _): &(u8, Vec<_>, _)| {
                Some((*delimiter, TableColumns::of_nameless(first)?, false))
            };
            divided.iter().find_map(by_row)
        };
        let without_positions = || {
            let (delimiter, first, _) = divided.first()?;
            Some((*delimiter, TableColumns::of_any(first.iter().map(|name| name.trim())), true))
        };
        let (delimiter, columns, has_names) = found.or_else(nameless).or_else(without_positions)?;
        before.extend(has_names.then(|| Box::from(line)));
        Some(CsvHeader { lines: before, columns, delimiter, has_quotes: true })
    }

    #[must_use]
    pub(crate) fn renamed(&self, names: &ColumnNames) -> Self {
        CsvHeader { columns: self.columns.renamed(names), ..self.clone() }
    }

    /// Whether a column has positions, with these names.
    pub fn has_positions(&self, names: &ColumnNames) -> bool {
        self.columns.renamed(names).have_positions()
    }

    /// Makes a reader of lines; one is used for many, because it consists of a table of its states.
    pub(crate) fn reader(&self) -> Reader {
        reader(self.delimiter, self.has_quotes)
    }

    pub(crate) fn row<'r>(
        &'r self,
        line: &'r str,
        reader: &mut Reader,
    ) -> Result<Placed<'r>, (Range<usize>, LineFault)> {
        let fields = fields(line, reader)?;
        let (wanted, len) = (self.columns.len(), fields.len());
        if len != wanted {
            return Err((line.len()..line.len(), LineFault::Cells(len, wanted)));
        }
        let (places, texts): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
        Ok((self.columns.cells(texts), places))
    }
}

fn reader(delimiter: u8, has_quotes: bool) -> Reader {
    ReaderBuilder::new().delimiter(delimiter).quoting(has_quotes).build()
}

fn fields<'l>(
    line: &'l str,
    reader: &mut Reader,
) -> Result<Vec<PlacedText<'l>>, (Range<usize>, LineFault)> {
    reader.reset();
    let (mut buffer, mut fields) = (vec![0; line.len() + 1], Vec::new());
    let (mut start, mut at, mut len) = (0, 0, 0);
    let whole = |end: usize| end.min(line.len());
    loop {
        // The end of the line ends its last field, unless that is quoted.
        let input = if at < line.len() { &line.as_bytes()[at..] } else { b"\n" };
        let (read, taken, written) = reader.read_field(input, &mut buffer[len..]);
        (at, len) = (at + taken, len + written);
        match read {
            ReadFieldResult::Field { record_end } => {
                let end = if record_end { line.len() } else { whole(at - 1) };
                let text = match &buffer[..len] {
                    bytes if *bytes == line.as_bytes()[start..end] => line[start..end].into(),
                    bytes => String::from_utf8_lossy(bytes).into_owned().into(),
                };
                fields.push((start..end, text));
                if record_end {
                    return Ok(fields);
                }
                (start, len) = (at, 0);
            }
            ReadFieldResult::InputEmpty if at <= line.len() => {}
            _ => return Err((whole(start)..line.len(), LineFault::OpenQuote)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Result<Vec<String>, LineFault> {
        let fields = fields(line, &mut reader(b',', true));
        fields
            .map(|fields| fields.into_iter().map(|(_, text)| text.into_owned()).collect())
            .map_err(|(_, f)| f)
    }

    #[test]
    fn a_line_is_divided_as_by_the_library() {
        for line in
            ["a,b", ",", "\"a,b\",c", "a\"b,\"\"\"c\"\"\"", "\"a\"x,y", "é,\"é\"", " a , b "]
        {
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
            let expected: Vec<String> =
                reader.records().next().map_or(vec![String::new()], |record| {
                    record.unwrap().iter().map(str::to_owned).collect()
                });
            assert_eq!(texts(line), Ok(expected), "{line}");
        }
        assert_eq!(texts("a,\"b"), Err(LineFault::OpenQuote));
        assert_eq!(texts("\""), Err(LineFault::OpenQuote));
    }

    #[test]
    fn a_field_has_its_place() {
        let header = CsvHeader::of("fen;a;b").unwrap();
        let places = header.row("x;\"y;\";z", &mut header.reader()).unwrap().1;
        assert_eq!(places, [0..1, 2..6, 7..8]);
        assert_eq!(
            header.row("x;y", &mut header.reader()).unwrap_err(),
            (3..3, LineFault::Cells(2, 3))
        );
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_read_or_refused(line in "[a,\"é; ]{0,12}") {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
            if let (Ok(found), Some(Ok(record))) = (texts(&line), reader.records().next()) {
                proptest::prop_assert_eq!(found, record.iter().map(str::to_owned).collect::<Vec<_>>());
            }
        }
    }
}

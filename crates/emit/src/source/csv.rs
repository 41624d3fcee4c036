//! Lines of CSV as rows of a table.

use std::borrow::Cow;
use std::ops::Range;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};

use san::Position;

use super::LineFault;
use super::table::{Cell, TableColumns};

/// The columns of a table, which its first line names. That of Lucas Chess is known:
/// `FEN|title|solution|game`.
#[derive(Clone, Debug)]
pub struct CsvHeader {
    line: Box<str>,
    columns: TableColumns,
    delimiter: u8,
}

/// Cells, and where they are in their line.
pub(crate) type Placed<'r> = (Vec<Cell<'r>>, Vec<Range<usize>>);

/// A field of a line, and where it is.
type Field<'l> = (Range<usize>, Cow<'l, str>);

impl CsvHeader {
    /// Reads a header with commas, tabs or semicolons; `None` if no column has positions.
    ///
    /// ```
    /// use emit::CsvHeader;
    ///
    /// assert!(CsvHeader::of("id,FEN,dm").is_some());
    /// assert!(CsvHeader::of("Dear reader,").is_none());
    /// ```
    pub fn of(line: &str) -> Option<Self> {
        if line.split_once('|').is_some_and(|(fen, _)| Position::from_fen(fen).is_ok()) {
            let columns = TableColumns::of_lucas_chess();
            let is_fns = line.split('|').count() == columns.len();
            return is_fns.then_some(CsvHeader { line: "".into(), columns, delimiter: b'|' });
        }
        b",\t;".iter().find_map(|&delimiter| {
            let fields = fields(line, &mut reader(delimiter)).ok()?;
            let columns = TableColumns::of(fields.iter().map(|(_, name)| name.trim()))?;
            Some(CsvHeader { line: line.into(), columns, delimiter })
        })
    }

    /// Makes a reader of lines; one is used for many, because it consists of a table of its states.
    pub(crate) fn reader(&self) -> Reader {
        reader(self.delimiter)
    }

    /// Whether a line is the header again, as in files that were concatenated.
    pub(crate) fn is_header(&self, line: &str) -> bool {
        *self.line == *line.trim_start_matches('\u{feff}')
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

fn reader(delimiter: u8) -> Reader {
    ReaderBuilder::new().delimiter(delimiter).quoting(delimiter != b'|').build()
}

/// Divides a line into its fields, with their places.
fn fields<'l>(
    line: &'l str,
    reader: &mut Reader,
) -> Result<Vec<Field<'l>>, (Range<usize>, LineFault)> {
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
        let fields = fields(line, &mut reader(b','));
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

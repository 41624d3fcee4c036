//! Diagrams of EPD records.

use std::fmt;
use std::io::{self, Read};

use diagram::{Diagram, Entry, Paint, Placement, take_marks};
use epd::{
    Columns, EpdDiagnostic, EpdDiagnosticKind, Line, Opcode, OperandRef, RawLine, ReadError,
    ReadOptions, RecordRef, Registers, Severity, read_line,
};
use san::{FenError, Move, Position, Setup};

use super::heading_of;
use crate::epd::line_diagnostic::LineDiagnostic;
use crate::epd::line_text::line_text;

/// Returns the diagram of one record in any dialect; see [`records`].
///
/// # Errors
///
/// Returns an error if nothing can be drawn. Faults in operations are ignored.
///
/// ```
/// use pgn2epd::diagram::illustrate;
/// use pgn2epd::chess::Color;
///
/// let entry = illustrate::record("8/8/8/4k3/8/8/4P3/4K3 b - - sm Kd4;")?;
/// assert_eq!(entry.diagram.turn, Some(Color::Black));
/// assert_eq!(entry.diagram.marks.arrows[0].to.to_string(), "d4");
/// # Ok::<_, pgn2epd::epd::ReadError>(())
/// ```
pub fn record(line: &str) -> Result<Entry, ReadError> {
    let mut first = None;
    let entry = Drawer::default().entry(line, &mut |fault| {
        if fault.kind.severity() == Severity::Error {
            first.get_or_insert(fault);
        }
    });
    entry.ok_or_else(|| {
        let fault = first
            .unwrap_or(EpdDiagnostic { at: 0..0, kind: EpdDiagnosticKind::Fen(FenError::Empty) });
        ReadError { column: fault.column(line), kind: fault.kind }
    })
}

/// Returns a diagram for each record of a text, one per line. Errors are passed to `faults`.
///
/// `sm`, `bm` and `am` become arrows: blue, green and red. The registers `eco` and `v0` to `v9`
/// name a position; `c1` to `c9`, and a `c0` of the record itself, are its comment, with the
/// squares and arrows of `[%csl …]` and `[%cal …]`; `id` is its heading. If a record follows from
/// the previous one by that record's `sm`, the move is the last move and the heading. An illegal
/// position is drawn too, without the effect of its operations.
///
/// ```
/// let text = "4k3/8/8/8/8/8/4P3/4K3 w - - sm e4;\n4k3/8/8/8/4P3/8/8/4K3 b - e3\n";
/// let entries = pgn2epd::diagram::illustrate::records(text, &mut |fault| panic!("{fault}"));
/// assert_eq!(entries[1].heading, "1. e4");
/// ```
pub fn records(text: &str, faults: &mut dyn FnMut(LineDiagnostic)) -> Vec<Entry> {
    records_of(text.as_bytes(), faults).map_while(Result::ok).collect()
}

/// The same as [`records`] for a stream, with one line in memory at a time.
pub fn records_of<'f, R: Read>(
    input: R,
    faults: &'f mut dyn FnMut(LineDiagnostic),
) -> Entries<'f, R> {
    Entries { lines: epd::Reader::new(input), number: 0, drawer: Drawer::default(), faults }
}

/// The iterator that [`records_of`] returns.
pub struct Entries<'f, R> {
    lines: epd::Reader<R>,
    number: u64,
    drawer: Drawer,
    faults: &'f mut dyn FnMut(LineDiagnostic),
}

impl<R: Read> Iterator for Entries<'_, R> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let RawLine { number, bytes, .. } = match self.lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            };
            self.number = number;
            let faults = &mut *self.faults;
            let mut of_text = Vec::new();
            let line = line_text(bytes, &mut |fault| of_text.push(fault));
            let line = line.strip_suffix('\r').unwrap_or(&line);
            let mut columns = Columns::new(line);
            // `check` reports what is the same on every line.
            of_text.retain(|fault| !fault.kind.is_of_file());
            for fault in of_text {
                let column = columns.of(fault.at.start) as u64;
                faults(LineDiagnostic::at(number, column, line, fault));
            }
            let entry = self.drawer.entry(line, &mut |fault| {
                let column = columns.of(fault.at.start) as u64;
                faults(LineDiagnostic::at(number, column, line, fault));
            });
            if let Some(entry) = entry {
                return Some(Ok(entry));
            }
        }
    }
}

impl<R> fmt::Debug for Entries<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entries").field("line", &self.number).finish_non_exhaustive()
    }
}

/// State carried over from previous records.
#[derive(Default)]
struct Drawer {
    registers: Registers,
    /// The position after the last record's `sm`, that move, and its text.
    expected: Option<(Position, Move, String)>,
}

impl Drawer {
    /// Returns the diagram of a line, if it contains anything that can be drawn.
    fn entry(&mut self, line: &str, faults: &mut dyn FnMut(EpdDiagnostic)) -> Option<Entry> {
        let mut told = Vec::new();
        let read = read_line(line, &ReadOptions::default(), &mut |fault| told.push(fault));
        let entry = match &read {
            Line::Blank | Line::Comment => return None,
            Line::Record(record) => Some(self.draw(line, record)),
            Line::Bad | Line::Variant(_) => {
                let bare = bare(line);
                if bare.is_some() {
                    told.clear();
                } else if matches!(read, Line::Variant(_)) {
                    told.push(EpdDiagnostic { at: 0..0, kind: EpdDiagnosticKind::Variant });
                }
                bare
            }
        };
        told.sort_by_key(|fault| fault.at.start);
        told.into_iter().for_each(faults);
        entry
    }

    fn draw(&mut self, line: &str, record: &RecordRef<'_>) -> Entry {
        self.registers.read(record);
        let position = record.position();
        let mut entry = plain(line, Diagram::from(position), position.to_string());
        for (opcode, paint) in
            [(Opcode::Sm, Paint::Blue), (Opcode::Bm, Paint::Green), (Opcode::Am, Paint::Red)]
        {
            for next in moves(record, opcode) {
                entry.diagram.marks.arrow(next.from(), next.to(), paint);
            }
        }
        let text = |opcode| match record.get(opcode) {
            Some(OperandRef::Text(text)) => text.into_owned(),
            _ => String::new(),
        };
        entry.heading = text(Opcode::Id);
        let same = |(expected, last, heading): (Position, Move, String)| {
            let is_same = Placement::from(&expected) == Placement::from(position);
            is_same.then_some((last, heading))
        };
        if let Some((last, heading)) = self.expected.take().and_then(same) {
            entry.diagram.marks.last_move = Some((last.from(), last.to()));
            if entry.heading.is_empty() {
                entry.heading = heading;
            }
        }
        self.expected = moves(record, Opcode::Sm).next().map(|next| {
            let mut after = position.clone();
            after.play_unchecked(next);
            (after, next, heading_of(position, next))
        });
        let comments = (1..10).filter_map(|rank| self.registers.comment(rank).map(str::to_owned));
        let comments = std::iter::once(text(Opcode::C0)).chain(comments);
        let comments: Vec<String> = comments.filter(|comment| !comment.is_empty()).collect();
        let (comment, marks) = take_marks(&comments.join(" "));
        entry.comment = comment;
        entry.diagram.marks.extend(marks);
        entry.name = name(&self.registers);
        entry
    }
}

/// Returns the legal moves of an operation.
fn moves<'r>(record: &'r RecordRef<'_>, opcode: Opcode) -> impl Iterator<Item = Move> + 'r {
    let texts = match record.get(opcode) {
        Some(OperandRef::Moves(texts)) => Some(texts),
        _ => None,
    };
    let position = record.position();
    texts.into_iter().flatten().filter_map(|text| san::resolve(position, text.as_bytes()).ok())
}

/// `B90 Sicilian Defense: Najdorf Variation, English Attack`.
fn name(registers: &Registers) -> String {
    let mut name = registers.eco().unwrap_or_default().to_owned();
    for (rank, part) in (0..10).map_while(|rank| Some((rank, registers.variation(rank)?))) {
        name.push_str(match rank {
            0 if name.is_empty() => "",
            0 => " ",
            1 => ": ",
            _ => ", ",
        });
        name.push_str(part);
    }
    name
}

fn plain(line: &str, diagram: Diagram, fen: String) -> Entry {
    Entry {
        diagram: Diagram { title: line.trim().to_owned(), ..diagram },
        heading: String::new(),
        name: String::new(),
        comment: String::new(),
        fen,
    }
}

/// Returns the diagram of an illegal position, or of one with only its first fields.
fn bare(line: &str) -> Option<Entry> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    let fen = fields.join(" ");
    let setup = Setup::from_fen(fen.as_bytes()).ok()?;
    let mut diagram = Diagram::from(Placement::from(&setup));
    diagram.turn = Some(setup.turn());
    Some(plain(line, diagram, fen))
}

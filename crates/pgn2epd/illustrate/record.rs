//! Diagrams of EPD records.

use diagram::{Diagram, Entry, Paint, Placement, take_marks};
use emit::{
    Fault, FaultKind, Line, Opcode, OperandRef, ReadError, ReadOptions, RecordRef, Registers,
    Severity, read_line,
};
use san::{FenError, Move, Position, Setup};

use super::heading_of;
use crate::epd::LineFault;

/// The diagram of one record, in any dialect: see [`records`].
///
/// # Errors
///
/// If nothing can be drawn. What is wrong with its operations alone is passed over.
///
/// ```
/// use pgn2epd::{Color, illustrate};
///
/// let entry = illustrate::record("8/8/8/4k3/8/8/4P3/4K3 b - - sm Kd4;")?;
/// assert_eq!(entry.diagram.turn, Some(Color::Black));
/// assert_eq!(entry.diagram.marks.arrows[0].to.to_string(), "d4");
/// # Ok::<_, pgn2epd::epd::ReadError>(())
/// ```
pub fn record(line: &str) -> Result<Entry, ReadError> {
    let mut first = None;
    let entry = Reader::default().entry(line, &mut |fault| {
        if fault.kind.severity() == Severity::Error {
            first.get_or_insert(fault);
        }
    });
    entry.ok_or_else(|| {
        let fault = first.unwrap_or(Fault { at: 0..0, kind: FaultKind::Fen(FenError::Empty) });
        ReadError { column: fault.column(line), kind: fault.kind }
    })
}

/// A diagram for each record of a text, one a line. What is wrong is told to `faults`.
///
/// `sm`, `bm` and `am` become arrows, blue, green and red. The registers `eco` and `v0` to `v9` name a position, `c1` to `c9`, and a
/// `c0` of its own, are the comment on it, with the squares and arrows of `[%csl …]` and `[%cal …]`, `id` is its heading. Where a record follows from the one before by its `sm`, that move is
/// the last one and the heading. A position that is not legal is drawn as well, without what its operations say.
///
/// ```
/// let text = "4k3/8/8/8/8/8/4P3/4K3 w - - sm e4;\n4k3/8/8/8/4P3/8/8/4K3 b - e3\n";
/// let entries = pgn2epd::illustrate::records(text, &mut |fault| panic!("{fault}"));
/// assert_eq!(entries[1].heading, "1. e4");
/// ```
pub fn records(text: &str, faults: &mut dyn FnMut(LineFault)) -> Vec<Entry> {
    let mut reader = Reader::default();
    let entry = |(number, line): (u64, &str)| {
        let mut tell = |fault: Fault| {
            let text = line.get(fault.at.clone()).unwrap_or_default().to_owned();
            let column = fault.column(line) as u64;
            faults(LineFault { line: number, column, text, kind: fault.kind });
        };
        reader.entry(line, &mut tell)
    };
    (1..).zip(text.lines()).filter_map(entry).collect()
}

/// What is known of the records before.
#[derive(Default)]
struct Reader {
    registers: Registers,
    /// Where the last record's `sm` leads, that move, and what it is called.
    expected: Option<(Position, Move, String)>,
}

impl Reader {
    /// The diagram of a line, if it holds something that can be drawn.
    fn entry(&mut self, line: &str, faults: &mut dyn FnMut(Fault)) -> Option<Entry> {
        let mut told = Vec::new();
        let read = read_line(line, &ReadOptions::default(), &mut |fault| told.push(fault));
        let entry = match read {
            Line::Blank | Line::Comment => return None,
            Line::Record(record) => Some(self.draw(line, &record)),
            Line::Bad => {
                let bare = bare(line);
                if bare.is_some() {
                    told.clear();
                }
                bare
            }
        };
        told.into_iter().for_each(faults);
        entry
    }

    fn draw(&mut self, line: &str, record: &RecordRef<'_>) -> Entry {
        self.registers.read(record);
        let position = record.position();
        let mut entry = plain(line, Diagram::from(position));
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

/// The moves of an operation that can be played.
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

fn plain(line: &str, diagram: Diagram) -> Entry {
    let record = line.trim().to_owned();
    Entry {
        diagram: Diagram { title: record.clone(), ..diagram },
        heading: String::new(),
        name: String::new(),
        comment: String::new(),
        record,
    }
}

/// A position that is not legal, or has only its first fields.
fn bare(line: &str) -> Option<Entry> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    let setup = Setup::from_fen(fields.join(" ").as_bytes()).ok()?;
    let mut diagram = Diagram::from(Placement::from(&setup));
    diagram.turn = Some(setup.turn());
    Some(plain(line, diagram))
}

//! What programs that read books and suites make of a line: each of them reads another dialect.
//!
//! cutechess-cli takes four words and then operations, each up to its semicolon. fastchess takes a line without a semicolon
//! as FEN, and of any other the first four fields and the words `hmvc` and `fmvn`, wherever they stand. python-chess takes
//! the standard's record and guesses the type of an operand from its first character.

use std::fmt;
use std::str::FromStr;

use san::{Color, File, Position, Rank, Square};

use crate::fault::{Fault, FaultKind, shortened};
use crate::read::operations::{End, OperationRef, Operations};
use crate::{Dialect, Line, Opcode, OperandType, RecordRef};

type Faults<'f> = &'f mut dyn FnMut(Fault);

/// A program that reads records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consumer {
    /// cutechess-cli, of its openings.
    Cutechess,
    /// fastchess, of its openings.
    Fastchess,
    /// python-chess, `Board.from_epd`.
    PythonChess,
}

impl Consumer {
    /// All of them.
    pub const ALL: [Consumer; 3] =
        [Consumer::Cutechess, Consumer::Fastchess, Consumer::PythonChess];

    /// The name: `cutechess`, `fastchess`, `python-chess`.
    pub fn name(self) -> &'static str {
        match self {
            Consumer::Cutechess => "cutechess",
            Consumer::Fastchess => "fastchess",
            Consumer::PythonChess => "python-chess",
        }
    }
}

impl fmt::Display for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Consumer {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Consumer::ALL.into_iter().find(|consumer| consumer.name() == name);
        found.ok_or_else(|| {
            let names = Consumer::ALL.map(Consumer::name).join(", ");
            format!("{name:?} is not known; choose of {names}")
        })
    }
}

/// What a program makes of a line that it does not read as it is meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misreading {
    /// A comment is no record.
    #[error("refuses a comment")]
    Comment,
    /// An empty line is no record.
    #[error("refuses an empty line")]
    Blank,
    /// The dialect is not known to it.
    #[error("refuses the line: {}", .0.description())]
    Dialect(Dialect),
    /// It takes each blank as the end of a field.
    #[error("refuses the line: it takes every blank as the end of a field")]
    Blanks,
    /// The clocks are lost.
    #[error("loses the clocks, {halfmoves} and {fullmoves}, and begins with 0 and 1")]
    Clocks {
        /// The halfmove clock.
        halfmoves: u32,
        /// The fullmove number.
        fullmoves: u32,
    },
    /// An operation without a semicolon is lost.
    #[error("loses {0}, which has no semicolon")]
    NoSemicolon(String),
    /// A semicolon in a string is lost.
    #[error("loses the semicolon in the string of {0}")]
    SemicolonInString(String),
    /// A word in a string is taken for an operation.
    #[error("takes the word {0} in a string for the operation")]
    WordInString(&'static str),
    /// Castling rights by the files of rooks.
    #[error("ignores the castling rights {0} outside of Chess960")]
    CastlingFiles(String),
    /// An operand that it does not take.
    #[error("refuses the line: {0} is neither string, number nor move")]
    Operand(String),
    /// It reads one string.
    #[error("refuses the line: {0} has two operands")]
    TwoOperands(String),
    /// It reads the moves of operands as those of standard chess.
    #[error("refuses the line: it knows no castling of Chess960 in operands, as in {0}")]
    Castling(String),
    /// It takes a capital letter for no side.
    #[error("refuses the line: the side to move is a capital letter")]
    CapitalSide,
    /// A label is no operation.
    #[error("loses the label")]
    Label,
    /// A backslash begins an escape.
    #[error("reads the backslash in the string of {0} as an escape")]
    Backslash(String),
}

impl Misreading {
    /// Whether the whole line is lost.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Misreading::Comment
                | Misreading::Blank
                | Misreading::Dialect(_)
                | Misreading::Blanks
                | Misreading::Operand(_)
                | Misreading::TwoOperands(_)
                | Misreading::Castling(_)
                | Misreading::CapitalSide
        )
    }
}

/// Says what a program would make of a line that it does not read as it is meant.
pub fn misread(line: &str, read: &Line<'_>, consumer: Consumer, faults: Faults<'_>) {
    let mut whole = |misreading| {
        let start = line.len() - line.trim_start().len();
        say(consumer, start, line.trim(), misreading, faults);
    };
    match (read, consumer) {
        (Line::Comment, _) => whole(Misreading::Comment),
        (Line::Blank, Consumer::Fastchess) => whole(Misreading::Blank),
        // It reads words, and blank lines are between them; a loop over lines is the caller's in Python.
        (Line::Blank | Line::Bad, _) => {}
        (Line::Record(record), _) if record.dialect == Dialect::Crafty => {
            whole(Misreading::Dialect(Dialect::Crafty));
        }
        (Line::Record(record), Consumer::Cutechess) => cutechess(record, faults),
        (Line::Record(record), Consumer::Fastchess) => fastchess(line, record, faults),
        (Line::Record(record), Consumer::PythonChess) => python_chess(line, record, faults),
    }
}

fn say(consumer: Consumer, at: usize, text: &str, misreading: Misreading, faults: Faults<'_>) {
    faults(Fault::new(at, text, FaultKind::Misread(consumer, misreading)));
}

fn all_operations<'a>(record: &RecordRef<'a>) -> impl Iterator<Item = OperationRef<'a>> {
    Operations::new(record.rest, record.escapes).filter(OperationRef::is_real)
}

/// The clocks of the six fields are not read.
fn clocks(record: &RecordRef<'_>, consumer: Consumer, faults: Faults<'_>) {
    let (halfmoves, fullmoves) = (record.position.halfmoves(), record.position.fullmoves());
    if record.has_clocks && (halfmoves, fullmoves) != (0, 1) {
        let misreading = Misreading::Clocks { halfmoves, fullmoves };
        say(consumer, record.rest.at, "", misreading, faults);
    }
}

fn cutechess(record: &RecordRef<'_>, faults: Faults<'_>) {
    const WHO: Consumer = Consumer::Cutechess;
    clocks(record, WHO, faults);
    for operation in all_operations(record) {
        let name = operation.name;
        if operation.end == End::Line {
            let misreading = Misreading::NoSemicolon(shortened(name.text));
            say(WHO, name.at, name.text, misreading, faults);
        }
        if operation.operands.text.contains(';') {
            let misreading = Misreading::SemicolonInString(shortened(name.text));
            say(WHO, operation.operands.at, operation.operands.text, misreading, faults);
        }
    }
}

fn fastchess(line: &str, record: &RecordRef<'_>, faults: Faults<'_>) {
    const WHO: Consumer = Consumer::Fastchess;
    let mut fields = line.splitn(5, ' ');
    let is_split = fields.by_ref().take(4).filter(|field| !field.is_empty()).count() == 4;
    if !is_split || line.contains('\t') {
        return say(WHO, 0, line, Misreading::Blanks, faults);
    }
    if line.contains(';') {
        clocks(record, WHO, faults);
    }
    let castling = line.split(' ').nth(2).unwrap_or("-");
    if castling.bytes().any(|b| !b"KQkq-".contains(&b)) {
        let at = line.find(castling).unwrap_or(0);
        say(WHO, at, castling, Misreading::CastlingFiles(castling.to_owned()), faults);
    }
    for operation in all_operations(record) {
        let operands = operation.operands;
        for word in ["hmvc", "fmvn"] {
            if operands.text.split_whitespace().any(|found| found.trim_matches('"') == word) {
                say(WHO, operands.at, operands.text, Misreading::WordInString(word), faults);
            }
        }
    }
}

fn python_chess(line: &str, record: &RecordRef<'_>, faults: Faults<'_>) {
    const WHO: Consumer = Consumer::PythonChess;
    if matches!(line.split_ascii_whitespace().nth(1), Some("W" | "B")) {
        return say(WHO, 0, line, Misreading::CapitalSide, faults);
    }
    let is_bracketed = record.dialect == Dialect::Label && line.contains('[');
    if is_bracketed && !record.has_clocks {
        // To it the brackets are an opcode.
        return say(WHO, record.rest.at, "", Misreading::Label, faults);
    }
    if record.has_clocks || record.dialect == Dialect::Label {
        let misreading = Misreading::Dialect(record.dialect);
        return say(WHO, record.rest.at, "", misreading, faults);
    }
    for operation in all_operations(record) {
        let operands = operation.operands;
        if let Some(misreading) = python_chess_operands(record, &operation) {
            say(WHO, operands.at, operands.text, misreading, faults);
        }
    }
}

/// What is misread of operands whose type is guessed from their first character.
fn python_chess_operands(
    record: &RecordRef<'_>,
    operation: &OperationRef<'_>,
) -> Option<Misreading> {
    let text = operation.operands.text;
    let name = || shortened(operation.name.text);
    let refused = || Some(Misreading::Operand(shortened(text)));
    let takes_two = operation.opcode.is_some_and(|o| o.operands() == OperandType::TwoTexts);
    match text.as_bytes().first()? {
        // Its own escapes.
        b'"' if text.contains("\\\"") => None,
        b'"' if takes_two || text.matches('"').count() > 2 => Some(Misreading::TwoOperands(name())),
        b'"' if text.contains('\\') => Some(Misreading::Backslash(name())),
        b'"' => None,
        b'+' | b'-' | b'.' | b'0'..=b'9' => {
            if text.parse::<f64>().is_ok() {
                None
            } else {
                refused()
            }
        }
        b'#' => refused(),
        _ if takes_moves(operation.opcode) => {
            let castles = text.contains("O-O") && is_chess960(&record.position);
            castles.then(|| Misreading::Castling(name()))
        }
        // Any other operand is one move of the position.
        _ if san::resolve(&record.position, text.as_bytes()).is_ok() => None,
        _ => refused(),
    }
}

/// Whether a side may castle otherwise than in standard chess.
fn is_chess960(position: &Position) -> bool {
    let is_standard = |rook: Square| {
        let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
        matches!(rook.file(), File::A | File::H) && position.king(color).file() == File::E
    };
    !position.castling_rooks().into_iter().all(is_standard)
}

fn takes_moves(opcode: Option<Opcode>) -> bool {
    matches!(opcode, Some(Opcode::Am | Opcode::Bm | Opcode::Pm | Opcode::Pv | Opcode::Sm))
}

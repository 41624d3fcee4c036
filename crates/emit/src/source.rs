//! Positions that are not written as records.
//!
//! * `table`: rows of tables, and puzzles of Lichess, which are one;
//! * `csv`, `json`: lines as rows;
//! * `evaluation`: the evaluations of Lichess, lines of JSON.

pub(crate) mod csv;
#[cfg(feature = "evaluations")]
pub(crate) mod evaluation;
#[cfg(feature = "evaluations")]
pub(crate) mod json;
pub(crate) mod table;

use std::borrow::Cow;
use std::sync::Arc;

use epd::{
    EpdDiagnostic, EpdDiagnosticKind, Opcode, Operand, OperandError, Readable, is_legal_string,
    legal_string,
};
use san::{AnyPosition, FenError, SanError, keywords};

use crate::known::Known;
use csv::CsvHeader;
use table::CellFault;

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
#[non_exhaustive]
pub enum LineFault {
    /// The row has no position.
    #[error("the row has no position: neither fen nor epd nor record has a value")]
    NoPosition,
    /// The position is none.
    #[error("{0}")]
    Record(EpdDiagnosticKind),
    /// The position of an evaluation is none.
    #[error("{0}")]
    Fen(FenError),
    /// A move is illegal.
    #[error("illegal: {0}")]
    Move(SanError),
    /// A cell that is not the operand of its opcode.
    #[error("{0}: {1}")]
    Operand(Opcode, OperandError),
    /// A cell that is not a number, or out of range.
    #[error("not a number that this column may have")]
    Number,
    /// A cell that is not the result of a game.
    #[error("not a result: 1-0, 0-1, 1/2-1/2, or a number from 0 to 1")]
    Result,
    /// A cell that is not a list of NAGs.
    #[error("not a list of NAGs such as $1 $14")]
    Nag,
    /// The row has not as many cells as the header.
    #[error("the row has {0} cells, the header {1}")]
    Cells(usize, usize),
    /// A cell that continues on the next line, or lacks its quote.
    #[error("the quoted text does not end on its line; text with line ends is not read")]
    OpenQuote,
    /// The line is not an object of JSON, or not an evaluation.
    #[error("not JSON as expected: {0}")]
    Json(String),
    /// This build does not read JSON.
    #[error("this build does not read JSON: build it with the feature evaluations")]
    NotBuilt,
    /// The line has no evaluation.
    #[error("the line has no evaluation")]
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Found<'r> {
    pub(crate) readable: Readable,
    /// The move played, if it is not the operand of `sm`.
    pub(crate) played: Option<String>,
    pub(crate) known: Known<'static>,
    /// Number of plies before it.
    pub(crate) ply: Option<u32>,
    pub(crate) comment: Option<&'r [u8]>,
    pub(crate) nags: Vec<u8>,
    pub(crate) variables: Vec<(&'r str, Cow<'r, str>)>,
    /// What was left out.
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

    /// Makes one of a record without text that is not part of it.
    #[cfg(feature = "evaluations")]
    fn new(record: epd::Record) -> Self {
        Found::of(Readable { record, variant: None, unread: Vec::new() })
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

/// Returns a line of moves as moves in SAN up to the first illegal one, with its error.
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

//! Equal positions of a check: best moves that differ.

use epd::{EpdDiagnostic, EpdDiagnosticKind, Line};
use san::{
    AnyPosition, EnPassantPolicy, FieldStyle, Position, PositionKey, PositionMap, VariantPosition,
};

use super::line_diagnostic::LineDiagnostic;

/// What makes positions equal: all but clocks, and en passant squares only if a capture is legal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Identity {
    Chess(PositionKey),
    /// The fields of a position of a variant.
    Variant(Box<str>),
}

/// The best moves of a record, as written.
#[derive(Debug)]
pub(super) struct BestMoves {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) position: BestPosition,
    pub(super) text: Box<str>,
}

/// The position of a record with best moves.
#[derive(Debug)]
pub(super) enum BestPosition {
    Chess(Position),
    Variant(Box<VariantPosition>),
}

impl BestPosition {
    /// Returns the position of a line, if it has one.
    pub(super) fn of(line: &Line<'_>) -> Option<Self> {
        match line {
            Line::Record(record) => Some(BestPosition::Chess(record.position().clone())),
            Line::Variant(variant) => {
                Some(BestPosition::Variant(variant.position().clone().into()))
            }
            _ => None,
        }
    }

    fn identity(&self) -> Identity {
        match self {
            BestPosition::Chess(position) => Identity::Chess(PositionKey::of(position)),
            BestPosition::Variant(position) => {
                let en_passant = EnPassantPolicy::Legal;
                let style = FieldStyle { en_passant, ..FieldStyle::default() };
                Identity::Variant(position.fields(style).into())
            }
        }
    }

    /// Returns moves in SAN and in order; those that are illegal as they are.
    fn canonical(&self, text: &str) -> Vec<String> {
        match self {
            BestPosition::Chess(position) => canonical(position, text),
            BestPosition::Variant(position) => canonical(&**position, text),
        }
    }
}

/// The first best moves of each position.
#[derive(Debug, Default)]
pub(super) struct FirstBest {
    files: Vec<String>,
    moves: PositionMap<(u32, u64, Box<str>), Identity>,
}

impl FirstBest {
    /// Begins a file.
    pub(super) fn begin(&mut self, name: &str) {
        self.files.push(name.to_owned());
    }

    /// Reports moves other than the first ones of the position.
    pub(super) fn compare(&mut self, best: &BestMoves) -> Option<LineDiagnostic> {
        let file = self.files.len().saturating_sub(1) as u32;
        let key = best.position.identity();
        let Some((other_file, line, other)) = self.moves.get(&key) else {
            self.moves.insert(key, (file, best.line, best.text.clone()));
            return None;
        };
        if *other == best.text {
            return None;
        }
        let [moves, other] = [&best.text, other].map(|text| best.position.canonical(text));
        if moves == other {
            return None;
        }
        let place = match *other_file == file {
            true => format!("line {line}"),
            false => format!("{}:{line}", self.files[*other_file as usize]),
        };
        let [moves, other] = [moves, other].map(|moves| moves.join(" "));
        let text = best.text.to_string();
        let kind = EpdDiagnosticKind::OtherBest { moves, other, place };
        let fault = EpdDiagnostic { at: 0..text.len(), kind };
        Some(LineDiagnostic::at(best.line, best.column, &text, fault))
    }
}

fn canonical<P: AnyPosition>(position: &P, text: &str) -> Vec<String> {
    let moves = epd::move_texts(text);
    let mut moves: Vec<String> = moves
        .map(|text| match position.resolve(text.as_bytes()) {
            Ok(next) => position.san_of(next).to_string(),
            Err(_) => text.to_owned(),
        })
        .collect();
    moves.sort();
    moves.dedup();
    moves
}

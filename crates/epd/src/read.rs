//! Parses lines of any dialect into records; text with exactly one reading is accepted. A
//! [`RecordRef`](crate::RecordRef) borrows from its line, so that only strings with escapes are
//! copied; from it a record in normal form is made, and the text that cannot be read.

pub(crate) mod fields;
pub(crate) mod operands;
pub(crate) mod operations;
mod position;
pub(crate) mod record_ref;
pub(crate) mod text;

use std::cmp::Ordering;
use std::str::FromStr;

use san::{AnyPosition, FenError, Field, Variant, VariantPosition};

use crate::check;
use crate::diagnostic::{
    EpdDiagnostic, EpdDiagnosticKind as Kind, LONGEST_RECORD, MOST_DIAGNOSTICS, Severity,
};
use crate::dialect::{Dialect, Rules};
use crate::opcode::{Opcode, OperandType};
use crate::record::{Operand, Operation, Record};
use crate::registers::{Register, Registers};
use crate::string::{self, is_control};
use fields::Fields;
use operands::{MoveTexts, OperandRef};
use operations::{End, OperationRef, Operations};
use position::Unread;
use record_ref::{Line, ReadOptions, RecordRef, VariantRef};
use text::{Escapes, Token};

/// An error that prevents a line from being read as a record of the standard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct ReadError {
    /// The column, in characters from 1.
    pub column: usize,
    /// The kind of fault.
    pub kind: Kind,
}

impl<'a> RecordRef<'a> {
    /// Parses a record of the standard. Operations may be in any order, and text with exactly one
    /// reading is accepted. Fails at the first text without one, such as an illegal move.
    ///
    /// ```
    /// let error = epd::RecordRef::read("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;").unwrap_err();
    /// assert_eq!(error.to_string(), "column 32: e5: illegal: no white pawn can reach e5");
    /// ```
    pub fn read(line: &'a str) -> Result<Self, ReadError> {
        let options = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
        let mut first: Option<EpdDiagnostic> = None;
        let mut keep = |fault: EpdDiagnostic| {
            if fault.kind.severity() == Severity::Error && first.is_none() {
                first = Some(fault);
            }
        };
        let read = read_line(line, &options, &mut keep);
        match (read, first) {
            (Line::Record(record), None) => Ok(record),
            (Line::Variant(_), _) => Err(ReadError { column: 1, kind: Kind::Variant }),
            (_, Some(fault)) => Err(ReadError { column: fault.column(line), kind: fault.kind }),
            (_, None) => {
                let kind = Kind::MissingField(san::Field::Placement);
                Err(ReadError { column: 1, kind })
            }
        }
    }
}

/// Parses a line, without its end, and passes every fault to `faults`.
pub fn read_line<'a>(
    line: &'a str,
    options: &ReadOptions,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Line<'a> {
    let whole = Token { at: 0, text: line };
    let whole = if line.starts_with(BYTE_ORDER_MARK) { whole.skip(3) } else { whole };
    let text = whole.trim_end().trim_start();
    // As engines print the positions of books that they make.
    let text = match text.text.strip_prefix("info string genfens ") {
        Some(fen) => text.skip(text.text.len() - fen.len()).trim_start(),
        None => text,
    };
    match text.text.as_bytes() {
        [] => return Line::Blank,
        // No field begins so; PGN uses semicolons and percent signs for comments.
        [b'#' | b';' | b'%', ..] | [b'/', b'/', b' ', ..] => return Line::Comment,
        _ => {}
    }
    if line.len() > STANDARD_LINE {
        return long_line(line, whole, text, options, faults);
    }
    read_text(line, whole, text, options, faults)
}

#[cold]
fn long_line<'a>(
    line: &'a str,
    whole: Token<'a>,
    text: Token<'a>,
    options: &ReadOptions,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Line<'a> {
    let longest = if line.len() > LONGEST_RECORD { LONGEST_RECORD } else { STANDARD_LINE };
    let at = line.floor_char_boundary(longest)..line.len();
    if line.len() > LONGEST_RECORD {
        faults(EpdDiagnostic { at, kind: Kind::LongRecord(line.len()) });
        return Line::Bad;
    }
    faults(EpdDiagnostic { at, kind: Kind::LongLine(line.len()) });
    let mut count = 0;
    read_text(line, whole, text, options, &mut |fault| {
        count += 1;
        match count.cmp(&MOST_DIAGNOSTICS) {
            Ordering::Less => faults(fault),
            Ordering::Equal => faults(EpdDiagnostic { kind: Kind::TooMany, ..fault }),
            Ordering::Greater => {}
        }
    })
}

#[inline]
fn read_text<'a>(
    line: &'a str,
    whole: Token<'a>,
    text: Token<'a>,
    options: &ReadOptions,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Line<'a> {
    if text.text.len() < line.len() {
        ends(line, whole, text, faults);
    }
    let (words, rest) = text.split_four();
    if let Some(fields) = find_variant(text, &words, rest, options.rules) {
        return read_variant(fields, options, faults);
    }
    match fields::read(text, words, rest, options, faults) {
        Ok(Fields { position, dialect, escapes, rest }) => {
            let mut record = RecordRef::new(position, dialect, escapes, rest, options.moves);
            if dialect != Dialect::Crafty {
                fields::tail(&mut record, options.dialect, faults);
            }
            let may_be_given = options.rules == Rules::Detected;
            if record.rest.text.starts_with('+')
                && may_be_given
                && is_given_checks(record.rest.split_word().0.text)
            {
                let fields = variant_fields(text, Variant::ThreeCheck);
                return read_variant(fields, options, faults);
            }
            match options.operations {
                true => check::check(&mut record, faults),
                false => read_clocks(&mut record, faults),
            }
            Line::Record(record)
        }
        Err(Unread::Bad) => Line::Bad,
        Err(Unread::Variant(variant)) => {
            read_variant(variant_fields(text, variant), options, faults)
        }
    }
}

#[inline]
fn read_clocks(record: &mut RecordRef<'_>, faults: &mut dyn FnMut(EpdDiagnostic)) {
    let (halfmoves, fullmoves) = (record.position.halfmoves(), record.position.fullmoves());
    if crate::check::read_clocks(record) {
        // Compared with those of the fields once more.
        record.position.set_clocks(halfmoves, fullmoves);
        check::check(record, &mut |fault| {
            if matches!(fault.kind, Kind::ClocksDiffer { .. }) {
                faults(fault);
            }
        });
    }
}

/// Checks the text around the fields and operations, except the `\r` of a line end.
#[cold]
fn ends(line: &str, whole: Token<'_>, text: Token<'_>, faults: &mut dyn FnMut(EpdDiagnostic)) {
    if whole.at > 0 {
        faults(EpdDiagnostic::new(0, BYTE_ORDER_MARK, Kind::ByteOrderMark));
    }
    if text.at > whole.at {
        faults(EpdDiagnostic { at: whole.at..text.at, kind: Kind::LeadingBlanks });
    }
    let end = line.strip_suffix('\r').unwrap_or(line).len();
    if text.end() < end {
        faults(EpdDiagnostic { at: text.end()..end, kind: Kind::TrailingBlanks });
    }
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The length of a line, in characters, that EPD 3 encourages programs to handle.
const STANDARD_LINE: usize = 1024;

// Records of variants: by the rules that are given, or recognized by their fields: the pockets of
// Crazyhouse, the check counts of Three-check, pieces that chess cannot have.

struct VariantFields<'a> {
    variant: Variant,
    text: Token<'a>,
    rest: Token<'a>,
}

/// Finds it by the rules, `[` in the placement, or counts of checks, `3+3`, in `rest`.
#[inline]
fn find_variant<'a>(
    line: Token<'a>,
    words: &[Token<'a>; 4],
    rest: Token<'a>,
    rules: Rules,
) -> Option<VariantFields<'a>> {
    match (rules, rules.variant()) {
        (_, Some(variant)) => Some(variant_fields(line, variant)),
        (Rules::Detected, None) if words[0].text.ends_with(']') => {
            (!words[3].is_empty()).then(|| variant_fields(line, Variant::Crazyhouse))
        }
        (Rules::Detected, None) => {
            // Few lines have a plus there, so the word of most lines is not searched.
            let has_plus = rest.text.as_bytes().get(1) == Some(&b'+');
            let has_count = has_plus && is_check_count(rest.split_word().0.text);
            has_count.then(|| variant_fields(line, Variant::ThreeCheck))
        }
        _ => None,
    }
}

/// Whether the text is a number of checks given, `+1+0`.
fn is_given_checks(text: &str) -> bool {
    matches!(text.as_bytes(), [b'+', b'0'..=b'3', b'+', b'0'..=b'3'])
}

/// Whether the text is a number of checks left, `3+3`.
fn is_check_count(text: &str) -> bool {
    matches!(text.as_bytes(), [b'0'..=b'3', b'+', b'0'..=b'3'])
}

fn variant_fields(line: Token<'_>, variant: Variant) -> VariantFields<'_> {
    let mut words = line.words();
    let mut end = line.at;
    for _ in 0..4 {
        end = words.next().map_or(end, |word| word.end());
    }
    if let Some(checks) = words.next().filter(|word| is_check_count(word.text)) {
        end = checks.end();
    }
    let (text, rest) = line.split_at(end - line.at);
    VariantFields { variant, text, rest: rest.trim_start() }
}

fn read_variant<'a>(
    fields: VariantFields<'a>,
    options: &ReadOptions,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Line<'a> {
    let VariantFields { variant, text, rest } = fields;
    let clocks = crate::dialect::forms::clocks(rest);
    let behind = clocks.as_ref().map_or("", |clocks| clocks.rest.split_word().0.text);
    let given = if is_given_checks(behind) { behind } else { "" };
    let (halfmoves, fullmoves) = clocks.map_or((0, 1), |clocks| clocks.read(&mut |_| {}));
    let fen = format!("{} {halfmoves} {fullmoves} {given}", text.text);
    let mut fault = |kind| faults(text.fault(kind));
    let position = match VariantPosition::playable_from_fen(variant, fen.as_bytes()) {
        Ok((_, _, Some(error))) if options.strict => {
            fault(Kind::Fen(error));
            return Line::Bad;
        }
        Ok((position, is_repaired, oddity)) => {
            if is_repaired {
                fault(Kind::LeftOut(FenError::NotInVariant));
            }
            if let Some(error) = oddity {
                fault(Kind::Unreachable(error));
            }
            position
        }
        Err(error) => {
            fault(Kind::Fen(error));
            return Line::Bad;
        }
    };
    let mut record = RecordRef::new(
        san::Position::default(),
        options.dialect.unwrap_or_default(),
        Escapes::of(options.dialect),
        rest,
        options.moves,
    );
    fields::tail(&mut record, options.dialect, faults);
    if record.rest.text.starts_with(given) {
        record.rest = record.rest.skip(given.len()).trim_start();
    }
    let (_, clocks) = check::check_operations(&record, &position, faults);
    if let Some((halfmoves, fullmoves)) = clocks.values() {
        record.position.set_clocks(halfmoves, fullmoves);
    }
    Line::Variant(Box::new(VariantRef { position, record }))
}

// Converts a borrowed record to an owned one in normal form.

struct LineOperation<'a> {
    operation: Operation,
    written: (usize, &'a str),
}

impl LineOperation<'_> {
    /// Whether text is lost if `other` takes the place of this operation.
    fn is_lost_for(&self, other: &Operation) -> bool {
        let is_empty = self.written.1.is_empty() || *self.operation.operand() == Operand::Nothing;
        !is_empty && self.operation != *other
    }
}

/// The operations of a line that can be read, and the text of the others.
#[derive(Clone, Debug)]
pub struct Readable {
    /// The record in normal form.
    pub record: Record,
    /// The position if it is one of a variant; that of the record then has no meaning.
    pub variant: Option<VariantPosition>,
    /// Text that is not in the record, in the order of the line.
    pub unread: Vec<String>,
}

impl Readable {
    /// Moves the text that is not in the record into comment registers that neither it nor `held`
    /// sets, from the first on after those that are set. Returns `false` if they have no room for
    /// all of it.
    ///
    /// ```
    /// let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; 00:00";
    /// let read = epd::read_line(line, &epd::ReadOptions::default(), &mut |_| {});
    /// let mut readable = read.readable(&[]).unwrap();
    /// assert!(readable.keep_unread(&epd::Registers::default()));
    /// assert_eq!(readable.record.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"00:00\";");
    /// ```
    pub fn keep_unread(&mut self, held: &Registers) -> bool {
        let text = std::mem::take(&mut self.unread).join("; ");
        let text = string::printable(&text);
        let has = |rank| {
            let register = Register::comment(rank).map(Opcode::of_register);
            held.comment(rank).is_some()
                || register.is_some_and(|opcode| self.record.get(opcode).is_some())
        };
        // A register clears those after it.
        let first = (0..10).rev().find(|rank| has(*rank)).map_or(0, |rank| rank + 1);
        let mut free = (first..10).chain((0..first).filter(|rank| !has(*rank)));
        let mut placed = Vec::new();
        for piece in string::pieces(&text) {
            let Some(register) = free.next().and_then(Register::comment) else { return false };
            placed.push((Opcode::of_register(register), Operand::Text(piece.to_owned())));
        }
        for (opcode, operand) in placed {
            self.record.put(opcode, operand);
        }
        true
    }
}

impl Line<'_> {
    /// Returns the record in normal form, and the text that has no place in it, if the line has a
    /// position. `faults` are those of the line.
    pub fn readable(&self, faults: &[EpdDiagnostic]) -> Option<Readable> {
        match self {
            Line::Record(record) => Some(record.readable(&record.position, faults)),
            Line::Variant(variant) => {
                let readable = variant.record.readable(&variant.position, faults);
                Some(Readable { variant: Some(variant.position.clone()), ..readable })
            }
            _ => None,
        }
    }
}

impl RecordRef<'_> {
    /// Returns the record in normal form: unique opcodes, moves in canonical SAN, quoted strings,
    /// clocks and labels as operations.
    ///
    /// A scanner has the same registers after the record as after the line, although operations are
    /// sorted: an operation whose register is cleared by a later one is dropped. Operands that do
    /// not fit the opcode are kept as written; text that is not an operation is dropped.
    pub fn to_record(&self) -> Record {
        self.readable(&self.position, &[]).record
    }

    /// Unread are operations with an error, cleared by a later one, or the first of two of a name.
    fn readable<P: AnyPosition>(&self, position: &P, faults: &[EpdDiagnostic]) -> Readable {
        let mut unread: Vec<(usize, &str)> = Vec::new();
        let mut entries: Vec<LineOperation<'_>> = Vec::new();
        self.add_fields(position, faults, &mut entries, &mut unread);
        // At most as many as there are registers.
        let mut registers = Vec::new();
        let mut errors: Vec<usize> = faults
            .iter()
            .filter(|fault| fault.kind.severity() == Severity::Error && !fault.kind.is_repaired())
            .map(|fault| fault.at.start)
            .collect();
        errors.sort_unstable();
        for operation in Operations::new(self.rest, self.escapes).filter(OperationRef::is_real) {
            let start = operation.name.at;
            let end = operation.name.end().max(operation.operands.end());
            let text = &self.rest.text[start - self.rest.at..end - self.rest.at];
            let written = (start, text.trim_end());
            let first_error = errors.partition_point(|at| *at < start);
            let is_error = errors
                .get(first_error)
                .is_some_and(|at| *at < end || *at == end && operation.operands.is_empty());
            if is_error || self.is_free_text(&operation) {
                unread.push(written);
                continue;
            }
            let operand = self.operand(&operation, position);
            let made = match operation.opcode {
                Some(opcode) => Some(Operation::of(opcode, operand)),
                None => Operation::other(operation.name(), operand),
            };
            let Some(made) = made.filter(Operation::can_be_read) else {
                unread.push(written);
                continue;
            };
            let entry = LineOperation { operation: made, written };
            let Some(register) = operation.opcode.and_then(Opcode::register) else {
                entries.push(entry);
                continue;
            };
            registers.retain(|held: &LineOperation<'_>| {
                let own = held.operation.opcode().and_then(Opcode::register);
                let is_kept = own.is_none_or(|own| !register.clears(own));
                if !is_kept && held.is_lost_for(&entry.operation) {
                    unread.push(held.written);
                }
                is_kept
            });
            registers.push(entry);
        }
        entries.extend(registers);
        // Stable, so that the last of equal opcodes counts.
        entries.sort_by(|one, other| one.operation.name().cmp(other.operation.name()));
        for pair in entries.windows(2) {
            let [one, next] = pair else { continue };
            if one.operation.name() == next.operation.name() && one.is_lost_for(&next.operation) {
                unread.push(one.written);
            }
        }
        unread.sort_unstable_by_key(|(at, _)| *at);
        // A label is the text of two operations.
        unread.dedup();
        let operations = entries.into_iter().map(|entry| entry.operation).collect();
        let record = Record::of_operations(self.position.clone(), operations);
        let unread = unread.into_iter().map(|(_, text)| text.to_owned()).collect();
        Readable { record, variant: None, unread }
    }

    /// Adds the operations of fields after the fourth, and clocks and labels that are unreadable.
    fn add_fields<'f, P: AnyPosition>(
        &'f self,
        position: &P,
        faults: &'f [EpdDiagnostic],
        entries: &mut Vec<LineOperation<'f>>,
        unread: &mut Vec<(usize, &'f str)>,
    ) {
        let mut add = |opcode, operand, written| {
            entries.push(LineOperation { operation: Operation::of(opcode, operand), written });
        };
        let mut bad_clocks = Vec::new();
        for fault in faults {
            match &fault.kind {
                Kind::BadClock { field, text } => {
                    bad_clocks.push(*field);
                    unread.push((fault.at.start, text));
                }
                Kind::BadLabel(text) => unread.push((fault.at.start, text)),
                _ => {}
            }
        }
        if self.has_clocks {
            let position = &self.position;
            for (field, opcode, value) in [
                (Field::HalfmoveClock, Opcode::Hmvc, position.halfmoves()),
                (Field::FullmoveNumber, Opcode::Fmvn, position.fullmoves()),
            ] {
                if !bad_clocks.contains(&field) {
                    add(opcode, Operand::Integer(value.into()), (0, ""));
                }
            }
        }
        if let Some((text, label)) = &self.label {
            let written = (text.at, text.text);
            if let Some(evaluation) = label.evaluation(self.position.turn()) {
                let possible = evaluation.with_possible_mate();
                add(Opcode::Ce, Operand::Evaluation(possible), written);
            }
            if let Some(result) = &label.result {
                add(Opcode::C9, Operand::Text(result.to_string()), written);
            }
            match label.played.map(|played| (position.resolve(played.as_bytes()), played)) {
                Some((Ok(next), _)) => {
                    add(Opcode::Sm, Operand::Move(position.san_of(next).to_string()), written);
                }
                Some((Err(_), played)) => unread.push((text.at, played)),
                None => {}
            }
        }
    }

    pub(crate) fn operand<P: AnyPosition>(
        &self,
        operation: &OperationRef<'_>,
        position: &P,
    ) -> Operand {
        // Control characters cannot be written, and count as white space when read.
        let raw = || {
            let mut text = operation.operands().replace(is_control, " ");
            if operation.end == End::OpenString {
                text.truncate(text.trim_end_matches([';', ' ']).len());
                text.push('"');
            }
            Operand::Raw(text)
        };
        match (self.operands(operation), operation.opcode.map(Opcode::operands)) {
            (OperandRef::Nothing, _) => Operand::Nothing,
            (OperandRef::Integer(value), _) => Operand::Integer(value),
            (OperandRef::Evaluation(value), _) => Operand::Evaluation(value),
            (OperandRef::Text(text), _) => Operand::Text(text.into_owned()),
            (OperandRef::Texts(first, second), _) => {
                Operand::Texts(first.into_owned(), second.into_owned())
            }
            (OperandRef::Moves(texts), Some(OperandType::Move)) => {
                match self.moves(position, texts, false).and_then(|moves| moves.into_iter().next())
                {
                    Some(san) => Operand::Move(san),
                    None => raw(),
                }
            }
            (OperandRef::Moves(texts), kind) => self
                .moves(position, texts, kind == Some(OperandType::Line))
                .map_or_else(raw, Operand::Moves),
            (OperandRef::Raw(_), _) => raw(),
        }
    }

    /// Returns the moves in canonical SAN, or as they are without checking; `None` if illegal.
    fn moves<P: AnyPosition>(
        &self,
        position: &P,
        texts: MoveTexts<'_>,
        is_line: bool,
    ) -> Option<Vec<String>> {
        if !self.plays {
            return Some(texts.map(str::to_owned).collect());
        }
        let mut position = position.clone();
        let mut sans = Vec::new();
        for text in texts {
            let next = position.resolve(text.as_bytes()).ok()?;
            sans.push(position.san_of(next).to_string());
            if is_line {
                position.play_unchecked(next);
            }
        }
        Some(sans)
    }
}

impl FromStr for Record {
    type Err = ReadError;

    fn from_str(line: &str) -> Result<Self, ReadError> {
        RecordRef::read(line).map(|record| record.to_record())
    }
}

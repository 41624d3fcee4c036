//! The operations of a record, each by itself and together (EPD 4.1, 5).

use std::collections::HashSet;

use arrayvec::ArrayVec;
use san::{EnPassantPolicy, Position};

use super::moves::{self, First};
use crate::fault::{Blanks, Fault, FaultKind, shortened};
use crate::read::RecordRef;
use crate::read::operands::{self, OperandRef};
use crate::read::operations::{End, OperationRef, Operations};
use crate::{Dialect, Opcode, OperandType, Register};

type Faults<'f> = &'f mut dyn FnMut(Fault);

/// Looks at all operations of a record, and gives its position the clocks that they say.
#[inline]
pub(crate) fn check(record: &mut RecordRef<'_>, faults: Faults<'_>) {
    let mut seen = Seen::default();
    let mut clocks = (record.position.halfmoves(), record.position.fullmoves());
    let mut has_clocks = record.has_clocks;
    let mut end = None;
    for operation in Operations::new(record.rest, record.escapes) {
        form(record, &operation, &mut end, faults);
        if !operation.is_real() {
            continue;
        }
        seen.add(&operation, faults);
        let operands = operands::read(&operation, record.escapes, faults);
        match (operation.opcode, operands) {
            (Some(Opcode::Hmvc), OperandRef::Integer(n)) => {
                (clocks.0, has_clocks) = (n as u32, true)
            }
            (Some(Opcode::Fmvn), OperandRef::Integer(n)) => {
                (clocks.1, has_clocks) = (n as u32, true)
            }
            (Some(Opcode::Eco), OperandRef::Text(code)) if !is_eco_code(&code) => {
                let kind = FaultKind::EcoCode(code.into_owned());
                faults(Fault::new(operation.operands.at, operation.operands.text, kind));
            }
            (Some(opcode), OperandRef::Moves(texts)) => {
                let first = match opcode.operands() {
                    OperandType::Line => moves::line(&record.position, texts, record.plays, faults),
                    _ => moves::set(&record.position, opcode, texts, record.plays, faults),
                };
                seen.first_move(opcode, first);
            }
            _ => {}
        }
    }
    seen.together(faults);
    if has_clocks {
        record.position.set_clocks(clocks.0, clocks.1);
        reachable(record, faults);
    }
}

/// What stands between operations, and at their ends.
#[inline]
fn form<'a>(
    record: &RecordRef<'a>,
    operation: &OperationRef<'a>,
    end: &mut Option<usize>,
    faults: Faults<'_>,
) {
    let name = operation.name;
    match name.text {
        "" => faults(Fault { at: name.at..name.at + 1, kind: FaultKind::EmptyOperation }),
        "-" => faults(Fault::new(name.at, name.text, FaultKind::LoneHyphen)),
        _ if operation.end == End::Line && record.dialect != Dialect::Perft => {
            let kind = FaultKind::MissingSemicolon(shortened(name.text));
            faults(Fault { at: operation.operands.end()..operation.operands.end(), kind });
        }
        _ => {}
    }
    let base = record.rest.at;
    let mut between = |from: usize, to: usize| {
        if record.dialect == Dialect::Perft {
            return;
        }
        if let Some(text) = record.rest.text.get(from - base..to - base)
            && let Some(kind) = Blanks::of(text)
        {
            faults(Fault::new(from, text, FaultKind::Blanks(kind)));
        }
    };
    if let Some(end) = *end
        && operation.is_real()
    {
        between(end, name.at);
    }
    if !operation.operands.is_empty() {
        between(name.end(), operation.operands.at);
    }
    *end = operation.is_real().then(|| semicolon_end(record, operation));
}

/// The byte behind the semicolon of an operation.
#[inline]
fn semicolon_end(record: &RecordRef<'_>, operation: &OperationRef<'_>) -> usize {
    let at = operation.operands.end();
    // The semicolon stands there, or behind blanks.
    let behind = &record.rest.text.as_bytes()[at - record.rest.at..];
    at + behind.iter().position(|b| *b == b';').map_or(0, |blanks| blanks + 1)
}

/// The operations before this one.
#[derive(Default)]
struct Seen<'a> {
    /// A bit for each known opcode.
    opcodes: u64,
    others: ArrayVec<&'a str, 16>,
    more_others: HashSet<&'a str>,
    last: (&'a str, Option<Opcode>),
    /// Where the operations are that go together with others.
    draw: Option<(Opcode, usize)>,
    predicted: Option<First<'a>>,
    line: Option<First<'a>>,
    is_out_of_order: bool,
}

impl<'a> Seen<'a> {
    #[inline]
    fn add(&mut self, operation: &OperationRef<'a>, faults: Faults<'_>) {
        let name = operation.name;
        let mut say = |kind| faults(Fault::new(name.at, name.text, kind));
        let is_new = match operation.opcode {
            Some(opcode) => {
                if let Some(cleared) = self.cleared_by(opcode) {
                    say(FaultKind::Cleared { cleared, by: opcode });
                    self.is_out_of_order = true;
                }
                if matches!(opcode, Opcode::DrawOffer | Opcode::DrawClaim) {
                    self.draw.get_or_insert((opcode, name.at));
                }
                let bit = 1 << opcode as u8;
                let is_new = self.opcodes & bit == 0;
                self.opcodes |= bit;
                is_new
            }
            None => {
                if !is_opcode(name.text) {
                    say(FaultKind::NotAnOpcode(shortened(name.text)));
                } else if name.text.len() > LONGEST_OPCODE {
                    say(FaultKind::LongOpcode(shortened(name.text)));
                }
                self.is_new_name(name.text)
            }
        };
        if !is_new {
            say(FaultKind::Repeated(shortened(name.text)));
        } else if self.is_before_last(operation) && !self.is_out_of_order {
            let (name, before) = (shortened(name.text), shortened(self.last.0));
            say(FaultKind::OutOfOrder { name, before });
            self.is_out_of_order = true;
        }
        self.last = (name.text, operation.opcode);
    }

    /// Whether the operation should stand before the last one. Known opcodes are in the ASCII order of their names.
    fn is_before_last(&self, operation: &OperationRef<'a>) -> bool {
        match (operation.opcode, self.last.1) {
            (Some(opcode), Some(last)) => opcode < last,
            _ => operation.name.text < self.last.0,
        }
    }

    /// A register that was set before and is null behind this operation.
    fn cleared_by(&self, opcode: Opcode) -> Option<Opcode> {
        let register = opcode.register()?;
        let is_lost = |other: &Register| {
            *other != register && self.opcodes & 1 << Opcode::of_register(*other) as u8 != 0
        };
        // Nothing but registers of a higher rank, and those were rarely set.
        let higher = register.cleared().skip(1);
        if self.opcodes == 0 {
            None
        } else {
            higher.into_iter().find(is_lost).map(Opcode::of_register)
        }
    }

    fn is_new_name(&mut self, name: &'a str) -> bool {
        if self.others.contains(&name) || self.more_others.contains(name) {
            return false;
        }
        match self.others.try_push(name) {
            Ok(()) => true,
            Err(_) => self.more_others.insert(name),
        }
    }

    fn first_move(&mut self, opcode: Opcode, first: Option<First<'a>>) {
        match opcode {
            Opcode::Pm => self.predicted = first,
            Opcode::Pv => self.line = first,
            _ => {}
        }
    }

    /// What operations of one record say of each other.
    fn together(&self, faults: Faults<'_>) {
        if let Some((opcode, at)) = self.draw
            && self.opcodes & 1 << Opcode::Sm as u8 == 0
        {
            faults(Fault::new(at, opcode.name(), FaultKind::NeedsMove(opcode)));
        }
        if let (Some(pm), Some(pv)) = (self.predicted, self.line)
            && !pm.is_same(&pv)
        {
            let (text, pv) = (pm.token.text, shortened(pv.token.text));
            let kind = FaultKind::PredictedMove { pm: shortened(text), pv };
            faults(Fault::new(pm.token.at, text, kind));
        }
    }
}

/// “It is an identifier that starts with a letter character and may be followed by up to fourteen more” (EPD 4.1).
const LONGEST_OPCODE: usize = 15;

/// A letter, then letters, digits and underscores.
pub(crate) fn is_opcode(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// `B90`, and what programs put behind it: `B90a`, `A00/1`.
fn is_eco_code(code: &str) -> bool {
    matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', ..])
}

/// The clocks of a position that a game can have: at most two plies a move, and none since an advance by two.
fn reachable(record: &RecordRef<'_>, faults: Faults<'_>) {
    let position: &Position = &record.position;
    let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
    let place = record.rest.at..record.rest.at;
    let plies = 2 * (u64::from(fullmoves) - 1) + u64::from(position.turn().is_black());
    if u64::from(halfmoves) > plies {
        faults(Fault { at: place, kind: FaultKind::UnreachableClocks { halfmoves, fullmoves } });
    } else if halfmoves > 0 && position.en_passant(EnPassantPolicy::Always).is_some() {
        faults(Fault { at: place, kind: FaultKind::ClockAfterAdvance(halfmoves) });
    }
}

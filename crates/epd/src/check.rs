//! Checks on records beyond the grammar: their operations, individually, in sequence, with each
//! other and with the position; the moves in operands; and the clocks.

use std::collections::HashSet;

use arrayvec::ArrayVec;
use san::{AnyPosition, EnPassantPolicy, Position, resolve, san_of};

use crate::centipawns::{Centipawns, Mate};
use crate::diagnostic::{Blanks, EpdDiagnostic, EpdDiagnosticKind as Kind, Faults, shortened};
use crate::dialect::Dialect;
use crate::opcode::{Opcode, OperandType, is_opcode};
use crate::read::operands::{self, MoveTexts, OperandRef};
use crate::read::operations::{
    End, OpcodeForm, OperationRef, Operations, PlainOperation, PlainOperations,
};
use crate::read::record_ref::RecordRef;
use crate::read::text::Token;

// Checks the operations of a record, individually and in sequence (EPD 4.1, 5).

#[inline]
pub(crate) fn check(record: &mut RecordRef<'_>, faults: Faults<'_>) {
    let (verdicts, clocks) = check_operations(record, &record.position, faults);
    verdicts.check(&record.position, record.plays, faults);
    if let Some((halfmoves, fullmoves)) = clocks.values() {
        record.position.set_clocks(halfmoves, fullmoves);
        reachable(record, clocks, faults);
    }
}

/// Returns the evaluations, which are checked later, and the clocks.
#[inline]
pub(crate) fn check_operations<'a, P: AnyPosition>(
    record: &RecordRef<'a>,
    position: &P,
    faults: Faults<'_>,
) -> (Verdicts<'a>, GivenClocks) {
    let mut seen = SeenOperations::default();
    let (mut predicted, mut predicted_line) = (None, None);
    let mut clocks = GivenClocks::of_fields(record);
    let mut verdicts = Verdicts::default();
    let mut end = None;
    not_ascii(record, faults);
    for operation in Operations::new(record.rest, record.escapes) {
        form(record, &operation, &mut end, faults);
        if !operation.is_real() {
            continue;
        }
        if operation.opcode.is_none() && free_text(record, &operation, faults) {
            continue;
        }
        seen.add(record, &operation, faults);
        let operands = operands::read(&operation, record.escapes, faults);
        match (operation.opcode, operands) {
            (Some(opcode @ (Opcode::Hmvc | Opcode::Fmvn)), OperandRef::Integer(n)) => {
                let is_hmvc = opcode == Opcode::Hmvc;
                let clock = if is_hmvc { &mut clocks.halfmoves } else { &mut clocks.fullmoves };
                let field = clock.unwrap_or_default();
                if record.has_clocks && i64::from(field) != n {
                    let kind = Kind::ClocksDiffer { opcode, operation: n, field };
                    faults(operation.operands.fault(kind));
                }
                *clock = Some(n as u32);
            }
            (Some(Opcode::Ce), OperandRef::Evaluation(ce)) => {
                verdicts.evaluation = Some((operation.operands, ce));
            }
            (Some(Opcode::Dm), OperandRef::Integer(dm)) => {
                verdicts.mate = Some((operation.operands, dm));
            }
            // Programs add suffixes: `B90a`, `A00/1`.
            (Some(Opcode::Eco), OperandRef::Text(code))
                if !matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', ..]) =>
            {
                faults(operation.operands.fault(Kind::EcoCode(code.into_owned())));
            }
            (Some(opcode), OperandRef::Moves(texts)) => {
                let first = match opcode.operands() {
                    OperandType::Line => line(position, texts, record.plays, faults),
                    _ => set(position, opcode, texts, record.plays, faults),
                };
                match opcode {
                    Opcode::Am => verdicts.avoided = Some(MoveTexts::of(operation.operands)),
                    Opcode::Bm => verdicts.best = Some(operation.operands),
                    Opcode::Pm => predicted = first,
                    Opcode::Pv => predicted_line = first,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    seen.together(faults);
    if let (Some(pm), Some(pv)) = (predicted, predicted_line)
        && !pm.is_same(&pv)
    {
        let (text, pv) = (pm.token.text, shortened(pv.token.text));
        let kind = Kind::PredictedMove { pm: shortened(text), pv };
        faults(pm.token.fault(kind));
    }
    (verdicts, clocks)
}

fn free_text(record: &RecordRef<'_>, operation: &OperationRef<'_>, faults: Faults<'_>) -> bool {
    if !record.is_free_text(operation) {
        return false;
    }
    let name = operation.name;
    let kind = match is_opcode(name.text) {
        true => {
            let end = last_end(operation) - record.rest.at;
            let text = &record.rest.text[name.at - record.rest.at..end];
            Kind::FreeText(shortened(text))
        }
        false => Kind::NotAnOpcode(shortened(name.text)),
    };
    faults(name.fault(kind));
    true
}

fn form<'a>(
    record: &RecordRef<'a>,
    operation: &OperationRef<'a>,
    end: &mut Option<usize>,
    faults: Faults<'_>,
) {
    if is_regular(record, operation, *end) {
        *end = Some(last_end(operation) + 1);
    } else {
        irregular_form(record, operation, end, faults);
    }
}

/// Whether its parts are where the standard has them; `end` is that of the operation before.
#[inline]
fn is_regular(record: &RecordRef<'_>, operation: &OperationRef<'_>, end: Option<usize>) -> bool {
    let (name, operands) = (operation.name, operation.operands);
    let bytes = record.rest.text.as_bytes();
    let has = |at: usize, byte| bytes.get(at - record.rest.at) == Some(&byte);
    let follows = |end: usize, next: usize| next == end + 1 && has(end, b' ');
    operation.opcode.is_some()
        && operation.end == End::Semicolon
        && operation.form == OpcodeForm::Named
        && end.is_none_or(|end| follows(end, name.at))
        && match operands.is_empty() {
            true => has(name.end(), b';'),
            false => follows(name.end(), operands.at) && has(operands.end(), b';'),
        }
}

#[inline(never)]
fn irregular_form<'a>(
    record: &RecordRef<'a>,
    operation: &OperationRef<'a>,
    end: &mut Option<usize>,
    faults: Faults<'_>,
) {
    let name = operation.name;
    match name.text {
        "" => faults(EpdDiagnostic { at: name.at..name.at + 1, kind: Kind::EmptyOperation }),
        "-" => faults(name.fault(Kind::LoneHyphen)),
        _ if operation.end == End::Opcode => {
            let next = record.rest.skip(operation.operands.end() - record.rest.at).trim_start();
            if let Some(opcode) = operation.opcode {
                let kind = Kind::RunTogether(opcode, shortened(next.split_word().0.text));
                faults(EpdDiagnostic::new(operation.operands.end(), "", kind));
            }
        }
        _ if operation.end == End::Line
            && operation.opcode.is_some()
            && record.dialect != Dialect::Perft =>
        {
            let kind = Kind::MissingSemicolon(shortened(name.text));
            faults(EpdDiagnostic::new(operation.operands.end(), "", kind));
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
            faults(EpdDiagnostic::new(from, text, Kind::Blanks(kind)));
        }
    };
    if let Some(end) = *end
        && operation.is_real()
    {
        between(end, name.at);
    }
    if !operation.operands.is_empty() && operation.form != OpcodeForm::Chessdb {
        between(name.end(), operation.operands.at);
    }
    *end = operation.is_real().then(|| semicolon_end(record, operation));
    if let Some(end) = *end
        && operation.end == End::Semicolon
        && record.dialect != Dialect::Perft
    {
        let (from, semicolon) = (last_end(operation), end - 1);
        if semicolon > from {
            faults(EpdDiagnostic { at: from..semicolon, kind: Kind::BlankBeforeSemicolon });
        }
    }
}

fn last_end(operation: &OperationRef<'_>) -> usize {
    if operation.operands.is_empty() { operation.name.end() } else { operation.operands.end() }
}

/// “Using the ASCII character set”: reports the first non-ASCII character of the operations.
#[inline]
fn not_ascii(record: &RecordRef<'_>, faults: Faults<'_>) {
    let rest = record.rest;
    if !rest.text.is_ascii()
        && let Some((at, c)) = rest.text.char_indices().find(|(_, c)| !c.is_ascii())
    {
        let at = rest.at + at..rest.at + at + c.len_utf8();
        faults(EpdDiagnostic { at, kind: Kind::NotAscii });
    }
}

#[inline]
fn semicolon_end(record: &RecordRef<'_>, operation: &OperationRef<'_>) -> usize {
    if operation.end == End::Opcode {
        return last_end(operation);
    }
    let at = operation.operands.end();
    // The semicolon is here, or after spaces; a comma ends an evaluation of chessdb.
    let behind = &record.rest.text.as_bytes()[at - record.rest.at..];
    let is_end = |b: &u8| *b == b';' || *b == b',' && operation.form == OpcodeForm::Chessdb;
    at + behind.iter().position(is_end).map_or(0, |blanks| blanks + 1)
}

#[derive(Default)]
struct SeenOperations<'a> {
    opcodes: u64,
    others: ArrayVec<&'a str, 16>,
    more_others: HashSet<&'a str>,
    last: (&'a str, Option<Opcode>),
    draw: Option<(Opcode, usize)>,
    reply: usize,
    is_out_of_order: bool,
    repeated: u32,
}

impl<'a> SeenOperations<'a> {
    #[inline]
    fn add(&mut self, record: &RecordRef<'a>, operation: &OperationRef<'a>, faults: Faults<'_>) {
        let name = operation.name;
        let mut say = |kind| faults(name.fault(kind));
        let is_new = match operation.opcode {
            Some(opcode) => {
                if let Some(cleared) = self.cleared_by(opcode) {
                    say(Kind::Cleared { cleared, by: opcode });
                    self.is_out_of_order = true;
                }
                if matches!(opcode, Opcode::DrawOffer | Opcode::DrawClaim) {
                    self.draw.get_or_insert((opcode, name.at));
                }
                if matches!(opcode, Opcode::DrawAccept | Opcode::DrawReject) {
                    self.reply = name.at;
                }
                let bit = 1_u64 << opcode as u8;
                let is_new = self.opcodes & bit == 0;
                self.opcodes |= bit;
                is_new
            }
            None => {
                if name.text.len() > LONGEST_OPCODE {
                    say(Kind::LongOpcode(shortened(name.text)));
                } else if let Some(kind) = mnemonic(name.text) {
                    say(kind);
                }
                self.is_new_name(name.text)
            }
        };
        if !is_new {
            self.repeated += 1;
            // Each search costs the length of the record.
            say(match self.repeated < 100 {
                true => repeated(record, operation),
                false => Kind::Repeated(shortened(name.text)),
            });
        } else if self.is_before_last(operation) && !self.is_out_of_order {
            let (name, before) = (shortened(name.text), shortened(self.last.0));
            say(Kind::OutOfOrder { name, before });
            self.is_out_of_order = true;
        }
        self.last = (name.text, operation.opcode.filter(|_| operation.form == OpcodeForm::Named));
    }

    fn is_before_last(&self, operation: &OperationRef<'a>) -> bool {
        match (operation.opcode, self.last.1) {
            (Some(opcode), Some(last)) if operation.form == OpcodeForm::Named => opcode < last,
            _ => operation.name.text < self.last.0,
        }
    }

    #[inline]
    fn cleared_by(&self, opcode: Opcode) -> Option<Opcode> {
        let family = [Opcode::C0..=Opcode::C9, Opcode::V0..=Opcode::V9];
        let last = *family.iter().find(|family| family.contains(&opcode))?.end();
        // The opcodes of a family follow each other, as their bits do.
        let up_to = |opcode: Opcode| u64::MAX >> (63 - opcode as u32);
        let higher = self.opcodes & up_to(last) & !up_to(opcode);
        (higher != 0).then(|| Opcode::all().nth(higher.trailing_zeros() as usize)).flatten()
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

    fn together(&self, faults: Faults<'_>) {
        if let Some((opcode, at)) = self.draw
            && self.opcodes & 1 << Opcode::Sm as u8 == 0
        {
            faults(EpdDiagnostic::new(at, opcode.name(), Kind::NeedsMove(opcode)));
        }
        let both = 1 << Opcode::DrawAccept as u8 | 1 << Opcode::DrawReject as u8;
        if self.opcodes & both == both {
            faults(EpdDiagnostic::new(self.reply, "", Kind::AcceptedAndRejected));
        }
    }
}

#[cold]
fn repeated(record: &RecordRef<'_>, operation: &OperationRef<'_>) -> Kind {
    let is_same = |other: &OperationRef<'_>| match operation.opcode {
        Some(opcode) => other.opcode == Some(opcode),
        None => other.name.text == operation.name.text,
    };
    let operand = |operation: &OperationRef<'_>| record.operand(operation, &record.position);
    let before = record.operations().take_while(|other| other.name.at < operation.name.at);
    let name = shortened(operation.name.text);
    match before.filter(is_same).last() {
        Some(other) if operand(&other) == operand(operation) => Kind::RepeatedAlike(name),
        _ => Kind::Repeated(name),
    }
}

/// No capital, but at the beginning of one that only a single program uses (EPD 4.2).
fn mnemonic(name: &str) -> Option<Kind> {
    let has_capital = name.bytes().any(|b| b.is_ascii_uppercase());
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        let opcode = Opcode::from_name(&name.to_ascii_lowercase())?;
        return Some(Kind::CapitalOpcode { name: name.to_owned(), opcode });
    }
    (has_capital || name.len() < 2).then(|| Kind::OpcodeForm(name.to_owned()))
}

/// “A letter character and may be followed by up to fourteen more” (EPD 4.1).
const LONGEST_OPCODE: usize = 15;

/// Checks for at most two plies per move, and a clock of 0 after a pawn's advance by two.
fn reachable(record: &RecordRef<'_>, clocks: GivenClocks, faults: Faults<'_>) {
    let position: &Position = &record.position;
    let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
    let place = record.rest.at..record.rest.at;
    let plies = 2 * (u64::from(fullmoves) - 1) + u64::from(position.turn().is_black());
    if clocks.fullmoves.is_some() && u64::from(halfmoves) > plies {
        faults(EpdDiagnostic { at: place, kind: Kind::UnreachableClocks { halfmoves, fullmoves } });
    } else if halfmoves > 0 && position.en_passant(EnPassantPolicy::Always).is_some() {
        faults(EpdDiagnostic { at: place, kind: Kind::ClockAfterAdvance(halfmoves) });
    }
}

// Evaluations, mates and best moves against the position and each other (EPD 5.3 to 5.7).

#[derive(Default)]
pub(crate) struct Verdicts<'a> {
    pub(crate) evaluation: Option<(Token<'a>, Centipawns)>,
    pub(crate) mate: Option<(Token<'a>, i64)>,
    pub(crate) best: Option<Token<'a>>,
    avoided: Option<MoveTexts<'a>>,
}

impl Verdicts<'_> {
    #[inline]
    pub(crate) fn check(&self, position: &Position, is_played: bool, faults: Faults<'_>) {
        if let Some((at, ce)) = self.evaluation {
            evaluation(position, at, ce, faults);
        }
        if let Some((at, dm)) = self.mate {
            self.mate(position, at, dm, faults);
        }
        if let (Some(best), Some(avoided)) = (self.best, self.avoided) {
            best_and_avoided(position, MoveTexts::of(best), avoided, is_played, faults);
        }
    }

    /// “The number of fullmoves until checkmate is to be delivered by the active color” (EPD 5.7).
    fn mate(&self, position: &Position, at: Token<'_>, dm: i64, faults: Faults<'_>) {
        if !position.has_legal_move() {
            let end = if position.is_check() { "checkmate" } else { "stalemate" };
            faults(at.fault(Kind::NoMateToDeliver(end)));
            return;
        }
        // “A winning mate in N fullmoves […] has a corresponding centipawn evaluation of (32767 –
        // ((2 * N) – 1))” (EPD 5.6).
        let expected = dm.checked_mul(2).map(|plies| 32768 - plies);
        if let (Some((_, ce)), Some(expected)) = (self.evaluation, expected)
            && ce.mate().is_some()
            && i64::from(ce.get()) != expected
        {
            faults(at.fault(Kind::MatesDiffer { dm, ce, expected }));
        }
    }
}

/// Checks the parity of mates, and evaluations of positions in which the game is over (EPD 5.6).
#[inline]
fn evaluation(position: &Position, at: Token<'_>, ce: Centipawns, faults: Faults<'_>) {
    let is_possible = match ce.mate() {
        Some(Mate::Gives { plies }) => plies % 2 == 1,
        Some(Mate::Gets { plies }) => plies % 2 == 0,
        None => true,
    };
    if !is_possible {
        faults(at.fault(Kind::MateParity { ce }));
    }
    let is_over = !position.has_legal_move();
    match (is_over && position.is_check(), ce.is_illegal_position()) {
        // In a checkmate this is the limit of mates in fewer and fewer plies.
        (true, true) => return,
        (true, false) => return faults(at.fault(Kind::CheckmateEvaluated { ce })),
        (false, true) => return faults(at.fault(Kind::LegalPosition { ce })),
        (false, false) => {}
    }
    // “A stalemate position has a centipawn evaluation of zero as does a position drawn due to
    // insufficient mating material.”
    let reason = match position.is_insufficient_material() {
        _ if ce.get() == 0 => return,
        true => "insufficient material",
        false if is_over => "stalemate",
        false => return,
    };
    faults(at.fault(Kind::DrawnPosition { ce, reason }));
}

#[cold]
fn best_and_avoided<'a>(
    position: &Position,
    best: MoveTexts<'a>,
    avoided: MoveTexts<'a>,
    is_played: bool,
    faults: Faults<'_>,
) {
    let san = |text: &'a str| match resolve(position, text.as_bytes()) {
        Ok(next) if is_played => san_of(position, next).to_string(),
        _ => text.to_owned(),
    };
    let best: HashSet<String> = best.map(san).collect();
    if let Some(both) = avoided.tokens().find(|token| best.contains(&san(token.text))) {
        faults(both.fault(Kind::BestAndAvoided(both.text.to_owned())));
    }
}

// Checks that moves in operands are legal and written canonically.

#[derive(Clone, Copy, Debug)]
pub(crate) struct First<'a, M> {
    pub(crate) token: Token<'a>,
    next: Option<M>,
}

impl<M: Copy + PartialEq> First<'_, M> {
    /// Whether both are one move, or only one can be played; if neither can, by their text.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self.next, other.next) {
            (Some(one), Some(other)) => one == other,
            _ => {
                bare(self.token.text) == bare(other.token.text)
                    || self.next.is_some() != other.next.is_some()
            }
        }
    }
}

fn bare(text: &str) -> &str {
    text.trim_end_matches(['+', '#', '!', '?'])
}

/// Checks moves that are all played in the position; several must be in ASCII order.
#[inline]
pub(crate) fn set<'a, P: AnyPosition>(
    position: &P,
    opcode: Opcode,
    texts: MoveTexts<'a>,
    is_played: bool,
    faults: Faults<'_>,
) -> Option<First<'a, P::Move>> {
    let mut first = None;
    let mut before: Option<Token<'a>> = None;
    for token in texts.tokens() {
        let next = if is_played { check_move(position, token, faults) } else { None };
        first.get_or_insert(First { token, next });
        match before.map(|before| before.text.cmp(token.text)) {
            Some(std::cmp::Ordering::Greater) => {
                faults(token.fault(Kind::MovesOrder(token.text.to_owned(), opcode)));
                // Reports only the first.
                before = None;
                continue;
            }
            Some(std::cmp::Ordering::Equal) => {
                faults(token.fault(Kind::RepeatedMove(token.text.to_owned())));
            }
            _ => {}
        }
        before = Some(token);
    }
    first
}

/// Checks moves played in sequence. After an illegal move the rest is not checked.
#[inline]
pub(crate) fn line<'a, P: AnyPosition>(
    position: &P,
    texts: MoveTexts<'a>,
    is_played: bool,
    faults: Faults<'_>,
) -> Option<First<'a, P::Move>> {
    let mut words = texts.tokens();
    let token = words.next()?;
    if !is_played {
        return Some(First { token, next: None });
    }
    let next = check_move(position, token, faults);
    let first = Some(First { token, next });
    let Some(next) = next else { return first };
    let mut position = position.clone();
    position.play_unchecked(next);
    for token in words {
        let Some(next) = check_move(&position, token, faults) else { break };
        position.play_unchecked(next);
    }
    first
}

#[inline]
fn check_move<P: AnyPosition>(
    position: &P,
    token: Token<'_>,
    faults: Faults<'_>,
) -> Option<P::Move> {
    match position.resolve(token.text.as_bytes()) {
        Ok(next) => {
            let san = position.san_of(next);
            if san.as_bytes() != token.text.as_bytes() {
                let (token_text, san) = (token.text.to_owned(), san.to_string());
                faults(token.fault(Kind::NotCanonical { token: token_text, san }));
            }
            Some(next)
        }
        Err(reason) => {
            faults(token.fault(Kind::IllegalMove { token: token.text.to_owned(), reason }));
            None
        }
    }
}

/// The operations are not checked. Returns whether the clocks differ from those of the fields.
#[inline]
pub(crate) fn read_clocks(record: &mut RecordRef<'_>) -> bool {
    let clocks = written_clocks(record).unwrap_or_else(|| any_clocks(record));
    let differ = record.has_clocks && clocks != GivenClocks::of_fields(record);
    if let Some((halfmoves, fullmoves)) = clocks.values() {
        record.position.set_clocks(halfmoves, fullmoves);
    }
    differ
}

/// `None` unless in the usual form: saves a fifth of the instructions for a default record.
#[inline]
fn written_clocks(record: &RecordRef<'_>) -> Option<GivenClocks> {
    let mut clocks = GivenClocks::of_fields(record);
    let bytes = record.rest.text.as_bytes();
    for operation in PlainOperations::new(record.rest.text) {
        let PlainOperation { name, operands } = operation?;
        let (clock, least) = match &bytes[name] {
            b"hmvc" => (&mut clocks.halfmoves, 0),
            b"fmvn" => (&mut clocks.fullmoves, 1),
            _ => continue,
        };
        let number = operands::plain_number(&bytes[operands]).filter(|number| *number >= least)?;
        *clock = Some(number as u32);
    }
    Some(clocks)
}

fn any_clocks(record: &RecordRef<'_>) -> GivenClocks {
    let mut clocks = GivenClocks::of_fields(record);
    for operation in Operations::new(record.rest, record.escapes) {
        let clock = match operation.opcode {
            Some(Opcode::Hmvc) => &mut clocks.halfmoves,
            Some(Opcode::Fmvn) => &mut clocks.fullmoves,
            _ => continue,
        };
        if let OperandRef::Integer(n) = operands::read(&operation, record.escapes, &mut |_| {}) {
            *clock = Some(n as u32);
        }
    }
    clocks
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct GivenClocks {
    halfmoves: Option<u32>,
    fullmoves: Option<u32>,
}

impl GivenClocks {
    fn of_fields(record: &RecordRef<'_>) -> Self {
        let given = |clock| record.has_clocks.then_some(clock);
        GivenClocks {
            halfmoves: given(record.position.halfmoves()),
            fullmoves: given(record.position.fullmoves()),
        }
    }

    pub(crate) fn values(self) -> Option<(u32, u32)> {
        let is_given = self.halfmoves.is_some() || self.fullmoves.is_some();
        is_given.then_some((self.halfmoves.unwrap_or(0), self.fullmoves.unwrap_or(1)))
    }
}

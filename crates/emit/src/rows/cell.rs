//! Writes the values of facts into columns.

use san::{AnyPosition, Buffer, Color};
use table::{ColumnValues, Values};

use crate::facts::{self, Fact, FactValue, GameFacts};
use crate::ply::Ply;
use crate::records::plan::Plan;

/// The fact is not of the whole game or of comments; default ones avoid a large [`FactValue`].
#[inline(always)]
pub(super) fn push_fact<P: AnyPosition>(
    column: &mut ColumnValues,
    fact: Fact,
    ply: &Ply<'_, P>,
    plan: &Plan,
    scratch: &mut Buffer,
) {
    match (fact, &mut column.values) {
        (Fact::Ply, Values::I32(values)) => values.push(small(ply.number.into())),
        (Fact::San, Values::Repeated { keys, texts }) => {
            let Some(next) = ply.next else { return column.push_missing() };
            let text = ply.position.san_of(next);
            keys.push(texts.key_of_word(text.to_word(), text.as_bytes()));
            column.note(true);
        }
        (Fact::Uci, Values::Repeated { keys, texts }) => {
            let Some(next) = ply.next else { return column.push_missing() };
            let text = ply.position.uci_of(next);
            keys.push(texts.key_of_word(text.to_word(), text.as_bytes()));
            column.note(true);
        }
        (Fact::Turn, Values::Repeated { keys, texts }) => {
            let turn = ply.position.turn();
            let text = facts::turn(turn).as_bytes();
            // The numbers of the texts, unless rows of other batches were appended before.
            if texts.is_empty() {
                for turn in Color::ALL {
                    texts.key(facts::turn(turn).as_bytes());
                }
            }
            let key = u32::from(turn.is_black());
            keys.push(if texts.get(key) == Some(text) { key } else { texts.key(text) });
            column.note(true);
        }
        _ => push_other_fact(column, fact, ply, plan, scratch),
    }
}

#[inline(never)]
fn push_other_fact<P: AnyPosition>(
    column: &mut ColumnValues,
    fact: Fact,
    ply: &Ply<'_, P>,
    plan: &Plan,
    scratch: &mut Buffer,
) {
    match facts::value(fact, ply, &GameFacts::default(), &Default::default()) {
        Some(FactValue::Written(text)) => {
            scratch.clear();
            let has_text = facts::write_text(text, ply, plan.fields, scratch);
            column.push_text(has_text.then_some(scratch.as_bytes()));
        }
        Some(FactValue::LegalMoves) => {
            if let (Values::List { values, .. }, Some(position)) =
                (&mut column.values, ply.position.as_chess())
            {
                facts::legal_moves(position, |text| values.push_text(Some(text)));
            }
            column.end_list();
        }
        value => push_value(column, value),
    }
}

/// Appends a value. Its type matches that of the column, because both are those of the fact.
#[inline(always)]
pub(super) fn push_value(column: &mut ColumnValues, value: Option<FactValue<'_>>) {
    let Some(value) = value else { return column.push_missing() };
    match (&mut column.values, value) {
        (Values::Bool(values), FactValue::Truth(truth)) => values.push(truth),
        (Values::U64(values), FactValue::Key(number)) => values.push(number),
        (Values::I64(values), FactValue::Number(number)) => {
            values.push(i64::try_from(number).unwrap_or(i64::MAX));
        }
        (Values::I32(values), FactValue::Number(number)) => values.push(small(number)),
        (Values::I32(values), FactValue::Signed(number))
        | (Values::Date(values), FactValue::Date(number)) => values.push(number),
        (Values::F64(values), FactValue::Decimal(number)) => values.push(number),
        (Values::F64(values), FactValue::Seconds(time)) => values.push(facts::seconds(time)),
        (Values::Bytes32(values), FactValue::Packed(position)) => values.push(position),
        (Values::U8x64(values), FactValue::Board(board)) => values.push(board),
        (Values::U64x12(values), FactValue::Bitboards(squares)) => values.push(squares),
        (_, FactValue::Text(text)) => return column.push_text(Some(text.as_bytes())),
        (_, FactValue::Move(text)) => return column.push_text(Some(text.as_bytes())),
        _ => return column.push_missing(),
    }
    column.note(true);
}

#[inline(always)]
fn small(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

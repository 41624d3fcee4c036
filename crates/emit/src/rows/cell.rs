//! Writes the values of facts into columns.

use san::{AnyPosition, Buffer, Color};

use super::{ColumnValues, Values};
use crate::facts::{self, Fact, FactValue, GameFacts};
use crate::ply::Ply;
use crate::records::plan::Plan;

impl ColumnValues {
    /// Appends a fact at a position that neither is the same in the whole game nor needs comments.
    ///
    /// The facts of the default columns have a short path, without the size of a [`FactValue`].
    #[inline(always)]
    pub(super) fn push_fact<P: AnyPosition>(
        &mut self,
        fact: Fact,
        ply: &Ply<'_, P>,
        plan: &Plan,
        scratch: &mut Buffer,
    ) {
        match (fact, &mut self.values) {
            (Fact::Ply, Values::U32(values)) => values.push(ply.number),
            (Fact::San, Values::Repeated { keys, texts }) => {
                let Some(next) = ply.next else { return self.push_nothing() };
                keys.push(texts.key_of_move(&ply.position.san_of(next)));
                self.note(true);
            }
            (Fact::Uci, Values::Repeated { keys, texts }) => {
                let Some(next) = ply.next else { return self.push_nothing() };
                keys.push(texts.key_of_move(&ply.position.uci_of(next)));
                self.note(true);
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
                self.note(true);
            }
            _ => self.push_other_fact(fact, ply, plan, scratch),
        }
    }

    #[inline(never)]
    fn push_other_fact<P: AnyPosition>(
        &mut self,
        fact: Fact,
        ply: &Ply<'_, P>,
        plan: &Plan,
        scratch: &mut Buffer,
    ) {
        match facts::value(fact, ply, &GameFacts::default(), &Default::default()) {
            Some(
                value @ (FactValue::Epd
                | FactValue::Fen
                | FactValue::Nags
                | FactValue::Comment
                | FactValue::Material),
            ) => {
                scratch.clear();
                let has_text = facts::write_text(value, ply, plan.fields, scratch);
                self.push_text(has_text.then_some(scratch.as_bytes()));
            }
            Some(FactValue::LegalMoves) => {
                if let (Values::List { values, .. }, Some(position)) =
                    (&mut self.values, ply.position.as_chess())
                {
                    facts::legal_moves(position, |text| values.push_text(Some(text)));
                }
                self.end_list();
            }
            value => self.push_value(value),
        }
    }

    /// Appends a value. Its type matches that of the column, because both are those of the fact.
    #[inline(always)]
    pub(super) fn push_value(&mut self, value: Option<FactValue<'_>>) {
        let Some(value) = value else { return self.push_nothing() };
        match (&mut self.values, value) {
            (Values::Bool(values), FactValue::Truth(truth)) => values.push(truth),
            (Values::Key(values), FactValue::Key(number)) => values.push(number),
            (Values::U64(values), FactValue::Number(number)) => {
                values.push(number.min(i64::MAX as u64));
            }
            (Values::U32(values), FactValue::Number(number)) => {
                values.push(number.min(i32::MAX as u64) as u32);
            }
            (Values::I32(values), FactValue::Signed(number))
            | (Values::Date(values), FactValue::Date(number)) => values.push(number),
            (Values::F64(values), FactValue::Decimal(number)) => values.push(number),
            (Values::F64(values), FactValue::Seconds(time)) => values.push(facts::seconds(time)),
            (Values::Packed(values), FactValue::Packed(position)) => values.push(position),
            (Values::Board(values), FactValue::Board(board)) => values.push(board),
            (Values::Bitboards(values), FactValue::Bitboards(squares)) => values.push(squares),
            (_, FactValue::Text(text)) => return self.push_text(Some(text.as_bytes())),
            (_, FactValue::Move(text)) => return self.push_text(Some(text.as_bytes())),
            _ => return self.push_nothing(),
        }
        self.note(true);
    }
}

//! What is compared, and with what it can be.

use super::lex::Arithmetic;
use crate::facts::{Fact, FactKind};

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    /// A tag, or an operation of records, as an index into those named in the filter.
    Tag {
        index: usize,
        is_date: bool,
    },
    Fact(Fact),
    Text(Box<str>),
    Number(f64),
    Date([u32; 3]),
    Arithmetic(Box<Operand>, Arithmetic, Box<Operand>),
    Absolute(Box<Operand>),
}

impl Operand {
    pub(super) fn names_player(&self) -> bool {
        match self {
            Operand::Fact(fact) => fact.is_of_player(),
            Operand::Arithmetic(left, _, right) => left.names_player() || right.names_player(),
            Operand::Absolute(inner) => inner.names_player(),
            _ => false,
        }
    }

    pub(super) fn is_date(&self) -> bool {
        match self {
            Operand::Tag { is_date, .. } => *is_date,
            Operand::Fact(fact) => fact.kind() == FactKind::Date,
            Operand::Date(_) => true,
            _ => false,
        }
    }
}

pub(super) fn is_text(operand: &Operand) -> bool {
    match operand {
        Operand::Tag { .. } | Operand::Text(_) => true,
        Operand::Fact(fact) => matches!(fact.kind(), FactKind::Text | FactKind::Key),
        _ => false,
    }
}

/// Returns whether an operand is a side: w or b.
pub(super) fn is_side(operand: &Operand) -> bool {
    matches!(operand, Operand::Fact(Fact::Turn | Fact::Color))
}

pub(super) fn is_number(fact: Fact) -> bool {
    use FactKind::{Decimal, Number, Signed, SmallNumber};
    matches!(fact.kind(), Number | SmallNumber | Signed | Decimal)
}

pub(super) fn wrong_operand(operand: &Operand, other: &Operand) -> Option<String> {
    let fact = match operand {
        Operand::Fact(fact) => *fact,
        Operand::Arithmetic(..) | Operand::Absolute(_) => {
            let is_number =
                !matches!(other, Operand::Text(_) | Operand::Date(_)) && !is_text_fact(other);
            return (!is_number).then(|| "a calculation is compared with numbers".to_owned());
        }
        _ => return None,
    };
    match (fact.kind(), other) {
        (FactKind::Truth, _) => {
            Some(format!("{fact} is true or not: write `{fact}` or `not {fact}`"))
        }
        (_, Operand::Text(text)) if is_side(operand) && !matches!(&**text, "w" | "b") => {
            Some(format!("{fact} is w or b"))
        }
        (FactKind::Text | FactKind::Key, Operand::Tag { .. } | Operand::Text(_)) => None,
        (FactKind::Text | FactKind::Key, Operand::Fact(other)) => {
            (!is_text(&Operand::Fact(*other))).then(|| format!("{fact} is text and {other} is not"))
        }
        (FactKind::Text | FactKind::Key, _) => {
            Some(format!("{fact} is text, which is compared with text in quotes"))
        }
        (FactKind::Date, Operand::Text(_)) => {
            Some(format!("{fact} is a date, which is compared with dates such as 2015.06"))
        }
        (FactKind::Date, _) => None,
        (_, Operand::Text(_)) => {
            Some(format!("{fact} is a number, which is compared with numbers"))
        }
        (_, Operand::Date(_)) => Some(format!("{fact} is a number, not a date")),
        _ => None,
    }
}

fn is_text_fact(operand: &Operand) -> bool {
    matches!(operand, Operand::Fact(_)) && is_text(operand)
}

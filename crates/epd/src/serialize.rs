//! Records, operations and evaluations, for serde.

use std::borrow::Cow;

use san::Position;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::centipawns::Centipawns;
use crate::opcode::Opcode;
use crate::record::{Operand, Operation, Record};

/// A record whose clocks are not yet those of the operations.
#[derive(Deserialize)]
pub(crate) struct RecordFields {
    position: Position,
    operations: Vec<Operation>,
}

impl From<RecordFields> for Record {
    fn from(RecordFields { position, operations }: RecordFields) -> Self {
        Record::of_operations(position, operations)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Operation")]
struct OperationFields<'o> {
    opcode: Cow<'o, str>,
    operand: Cow<'o, Operand>,
}

impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (opcode, operand) = (self.name().into(), Cow::Borrowed(self.operand()));
        OperationFields { opcode, operand }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Operation {
    /// Accepts the operands that [`Record::set`] accepts, and text that can be written.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let OperationFields { opcode: name, operand } = OperationFields::deserialize(deserializer)?;
        let operand = operand.into_owned();
        let is_text = matches!(operand, Operand::Raw(_));
        let operation = match Opcode::from_name(&name) {
            Some(opcode) => {
                if !is_text {
                    operand.check(opcode.operands()).map_err(D::Error::custom)?;
                }
                Some(Operation::of(opcode, operand))
            }
            None if is_text || operand == Operand::Nothing => Operation::other(&name, operand),
            None => None,
        };
        let operation = operation.filter(Operation::can_be_read);
        operation.ok_or_else(|| D::Error::custom(format!("{name:?} cannot have this operand")))
    }
}

impl Serialize for Centipawns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.get().into())
    }
}

impl<'de> Deserialize<'de> for Centipawns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = i64::deserialize(deserializer)?;
        Centipawns::new(value)
            .ok_or_else(|| D::Error::custom(format!("{value} is not an evaluation")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_its_position_and_operations() {
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - Ae \"mine\"; bm e3 e4; c0; ce -35; fmvn 7; \
                    hmvc 2; id \"up\"; tcri \"a@b.c\" \"A B\";";
        let record: Record = line.parse().unwrap();
        let text = serde_json::to_string(&record).unwrap();
        assert!(text.starts_with(
            r#"{"position":"4k3/8/8/8/8/8/4P3/4K3 w - - 2 7","operations":[{"opcode":"Ae","operand":{"raw":"\"mine\""}},{"opcode":"bm","operand":{"moves":["e3","e4"]}},"#
        ));
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
        assert_eq!(serde_json::from_str::<Opcode>("\"bm\"").unwrap(), Opcode::Bm);
    }

    #[test]
    fn operands_that_cannot_be_written_are_errors() {
        for text in [
            r#"{"opcode":"dm","operand":{"integer":0}}"#,
            r#"{"opcode":"ce","operand":{"evaluation":40000}}"#,
            r#"{"opcode":"bm","operand":{"text":"e4"}}"#,
            r#"{"opcode":"id","operand":{"raw":"a; b"}}"#,
            r#"{"opcode":"x","operand":{"integer":1}}"#,
            r#"{"opcode":"7up","operand":"nothing"}"#,
        ] {
            assert!(serde_json::from_str::<Operation>(text).is_err(), "{text}");
        }
    }
}

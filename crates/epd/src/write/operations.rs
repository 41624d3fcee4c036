//! The interface of the operations of one record, while they are collected.

use super::packed_opcode::PackedOpcode;
use crate::record::Operation;

/// The operations of a record, added in any order: as text
/// ([`OperationList`](crate::OperationList)) or as values
/// ([`OperationValues`](crate::OperationValues)).
///
/// Of several operations with the same opcode, the one added last is used.
pub trait Operations {
    /// Removes all operations, for the next record.
    fn clear(&mut self);

    /// Adds an operation without operands.
    fn bare(&mut self, name: PackedOpcode);

    /// Adds an operation with a number.
    fn number(&mut self, name: PackedOpcode, number: i64);

    /// Adds an operation with operands that need no quotes.
    fn word(&mut self, name: PackedOpcode, word: &str);

    /// Adds an operation with moves.
    fn moves<M: AsRef<[u8]>>(&mut self, name: PackedOpcode, moves: impl IntoIterator<Item = M>);

    /// Adds an operation with a string, which must be [valid](crate::is_legal_string).
    fn string(&mut self, name: PackedOpcode, text: &str);

    /// Adds an operation with two strings, which must be [valid](crate::is_legal_string).
    fn strings(&mut self, name: PackedOpcode, first: &str, second: &str);

    /// Adds an operation that sets a register, or sets it to null.
    fn register(&mut self, name: PackedOpcode, value: Option<&str>) {
        match value {
            Some(text) => self.string(name, text),
            None => self.bare(name),
        }
    }

    /// Adds an operation that was read.
    fn operation(&mut self, operation: &Operation);

    /// Whether there is an operation with this name.
    fn has(&self, name: PackedOpcode) -> bool;

    /// Returns the first move of the last operation with this name.
    fn first_move(&self, name: PackedOpcode) -> Option<&[u8]>;

    /// Removes all operations with this name.
    fn remove(&mut self, name: PackedOpcode);
}

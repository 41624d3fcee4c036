//! Where register operations are in the text of a record, noted while the text is written.

use super::state::Register;
use crate::write::packed_opcode::PackedOpcode;

/// The registers in the order of their opcodes.
const SORTED: [(PackedOpcode, Register); Register::COUNT] = {
    let mut sorted = [(PackedOpcode::new("eco"), Register::ECO); Register::COUNT];
    let mut rank = 0;
    while rank < 10 {
        if let Some(register) = Register::comment(rank) {
            sorted[rank as usize] = (PackedOpcode::ranked(b'c', rank as usize), register);
        }
        if let Some(register) = Register::variation(rank) {
            sorted[12 + rank as usize] = (PackedOpcode::ranked(b'v', rank as usize), register);
        }
        rank += 1;
    }
    sorted[11] = (PackedOpcode::new("nic"), Register::NIC);
    sorted
};

/// The rank of an operation in the order of opcodes: that of a register, or between two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(u8);

/// Number of registers whose opcodes begin with a byte below each byte.
const BEFORE_BYTE: [u8; 256] = {
    let mut before = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut at = 0;
        while at < SORTED.len() && SORTED[at].0.first_byte() < byte as u8 {
            at += 1;
        }
        before[byte] = at as u8;
        byte += 1;
    }
    before
};

impl Rank {
    /// Without a search for nearly all operations; a search costs 6 % of `--unique`.
    #[inline]
    pub(super) fn of(opcode: PackedOpcode) -> Self {
        let byte = opcode.first_byte();
        let before = BEFORE_BYTE[usize::from(byte)];
        if let b'c' | b'v' = byte
            && let Some(rank) = opcode.rank()
        {
            return Rank(2 * (before + rank) + 1);
        }
        if matches!(byte, b'c' | b'e' | b'n' | b'v') {
            Rank::search(opcode)
        } else {
            Rank(2 * before)
        }
    }

    fn search(opcode: PackedOpcode) -> Self {
        let before = SORTED.partition_point(|(register, _)| *register < opcode);
        let is_register = SORTED.get(before).is_some_and(|(register, _)| *register == opcode);
        Rank(2 * before as u8 + u8::from(is_register))
    }

    pub(super) fn of_register(register: Register) -> Self {
        let at = SORTED.iter().position(|(_, other)| *other == register);
        Rank(2 * at.unwrap_or(SORTED.len()) as u8 + 1)
    }

    /// Returns the register, unless the operation is between two registers.
    pub(super) fn register(self) -> Option<Register> {
        if self.0.is_multiple_of(2) {
            return None;
        }
        SORTED.get(usize::from(self.0 / 2)).map(|(_, register)| *register)
    }
}

/// The beginning of one operation, or of several between the same two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterPlace {
    pub(super) rank: Rank,
    /// Offset in the record of the space before the operation, in bytes.
    pub(super) start: u32,
}

impl RegisterPlace {
    /// Returns the place as bytes, for records that are stored.
    pub fn to_bytes(self) -> [u8; 5] {
        let [a, b, c, d] = self.start.to_le_bytes();
        [self.rank.0, a, b, c, d]
    }

    /// Restores a place from [its bytes](RegisterPlace::to_bytes).
    pub fn from_bytes([rank, a, b, c, d]: [u8; 5]) -> Self {
        RegisterPlace { rank: Rank(rank), start: u32::from_le_bytes([a, b, c, d]) }
    }
}

/// The places of the register operations of a record in its text, so that a
/// [`RegisterKeeper`](crate::RegisterKeeper) need not read the text again. Its memory is reusable.
#[derive(Clone, Debug, Default)]
pub struct RegisterPlaces(Vec<RegisterPlace>);

impl RegisterPlaces {
    /// Removes all places, for the next record.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds an operation that begins at byte `start` of the record, including the space before it.
    /// Operations are added in the order of the text.
    pub fn add(&mut self, opcode: PackedOpcode, start: usize) {
        let rank = Rank::of(opcode);
        if rank.register().is_some() || self.0.last().is_none_or(|last| last.rank != rank) {
            self.0.push(RegisterPlace { rank, start: start as u32 });
        }
    }

    /// Returns the places.
    pub fn as_slice(&self) -> &[RegisterPlace] {
        &self.0
    }

    /// Rewrites a record: `replace` appends what replaces the text before the first operation, then
    /// that of each operation.
    pub fn rewrite(
        &mut self,
        record: &str,
        mut replace: impl FnMut(&str, &mut Vec<u8>),
    ) -> Vec<u8> {
        let mut text = Vec::with_capacity(record.len());
        let ends: Vec<usize> = ends(&self.0, record.len()).collect();
        let mut start = 0;
        let fields = self.0.first().map_or(record.len(), |first| first.start as usize);
        replace(&record[..fields], &mut text);
        start += fields;
        for (place, end) in self.0.iter_mut().zip(ends) {
            place.start = text.len() as u32;
            replace(&record[start..end], &mut text);
            start = end;
        }
        text
    }
}

/// Returns the end of each operation in a record of `len` bytes.
pub(super) fn ends(places: &[RegisterPlace], len: usize) -> impl Iterator<Item = usize> {
    places.iter().skip(1).map(|next| next.start as usize).chain([len])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rank_of_an_opcode_is_that_of_a_search() {
        let registers = SORTED.iter().map(|(opcode, _)| *opcode);
        let others =
            ["Rav", "a", "acd", "c", "c/", "c00", "c:", "ce", "d", "e", "ec", "eco0", "id"];
        let more = ["n", "ni", "nicer", "noop", "sm", "v", "v99", "vx", "w", "zz", "v0x", ""];
        let others = others.into_iter().chain(more).map(PackedOpcode::new);
        for opcode in registers.chain(others) {
            assert_eq!(Rank::of(opcode), Rank::search(opcode), "{opcode:?}");
            let register = Rank::of(opcode).register();
            let expected = SORTED.iter().find(|(other, _)| *other == opcode);
            assert_eq!(register, expected.map(|(_, register)| *register), "{opcode:?}");
        }
    }
}

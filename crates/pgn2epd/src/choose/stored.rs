//! Records that are decided on later, as bytes.

use std::io::BufRead;

use epd::RegisterPlace;
use stream::spill::number::{read_number, write_number};

/// Where a record comes from, and where it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordPlace {
    /// Its number among all records, before any is omitted.
    pub(crate) number: u64,
    /// Its game among those of all inputs.
    pub(crate) game: u64,
    /// The index of its output.
    pub(crate) output: usize,
    /// The number of positions in it, which is 1 except in training data.
    pub(crate) positions: u64,
}

/// A stored record.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StoredRecord<'b> {
    pub(crate) place: RecordPlace,
    /// The places of the registers in its text.
    pub(crate) registers: Vec<RegisterPlace>,
    /// Its text, its row or its bytes.
    pub(crate) payload: &'b [u8],
}

/// Appends what precedes the payload of a stored record. The number of the record comes first, so that the bytes of
/// records differ.
pub(super) fn write_head(place: RecordPlace, registers: &[RegisterPlace], out: &mut Vec<u8>) {
    let RecordPlace { number, game, output, positions } = place;
    for number in [number, game, output as u64, positions, registers.len() as u64] {
        write_number(number, out);
    }
    for register in registers {
        out.extend_from_slice(&register.to_bytes());
    }
}

impl<'b> StoredRecord<'b> {
    /// Reads a record; `None` if the bytes are not those of one.
    pub(super) fn read(mut bytes: &'b [u8]) -> Option<Self> {
        let mut number = || read_number(&mut bytes).ok();
        let place = RecordPlace {
            number: number()?,
            game: number()?,
            output: number()? as usize,
            positions: number()?,
        };
        let count = number()? as usize;
        let size = count.checked_mul(5)?;
        let (registers, _) = bytes.get(..size)?.as_chunks();
        let registers = registers.iter().map(|bytes| RegisterPlace::from_bytes(*bytes)).collect();
        bytes.consume(size);
        Some(StoredRecord { place, registers, payload: bytes })
    }

    /// Returns the number of a stored record.
    pub(super) fn number_of(mut bytes: &[u8]) -> u64 {
        read_number(&mut bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_record_comes_back(
            (number, game, output, positions) in any::<(u64, u64, u16, u64)>(),
            registers in vec(any::<[u8; 5]>(), 0..5),
            payload in vec(any::<u8>(), 0..50),
        ) {
            let place = RecordPlace { number, game, output: output.into(), positions };
            let registers: Vec<RegisterPlace> =
                registers.into_iter().map(RegisterPlace::from_bytes).collect();
            let mut bytes = Vec::new();
            write_head(place, &registers, &mut bytes);
            bytes.extend_from_slice(&payload);
            prop_assert_eq!(StoredRecord::number_of(&bytes), number);
            let record = StoredRecord { place, registers, payload: &payload };
            prop_assert_eq!(StoredRecord::read(&bytes), Some(record));
        }

        #[test]
        fn any_bytes_are_a_record_or_none(bytes in vec(any::<u8>(), 0..40)) {
            let _ = StoredRecord::read(&bytes);
        }
    }
}

//! Texts that repeat as the fields of a text format.

use crate::column::{ColumnValues, Values};
use crate::dictionary::Dictionary;

/// The fields of texts, each of which is written once for all its rows.
#[derive(Debug)]
pub(crate) struct FieldTexts<'t> {
    texts: &'t Dictionary,
    bytes: Vec<u8>,
    /// The start and the end of the field of each text, which are equal if it was not written yet.
    places: Vec<(usize, usize)>,
}

impl<'t> FieldTexts<'t> {
    /// Makes the fields of a column, if its texts repeat.
    pub(crate) fn of(column: &'t ColumnValues) -> Option<Self> {
        let Values::Repeated { texts, .. } = &column.values else { return None };
        let places = vec![(0, 0); texts.len()];
        Some(FieldTexts { texts, bytes: Vec::new(), places })
    }

    /// Appends the field of a text, which `write` writes; it is never empty.
    #[inline]
    pub(crate) fn append(
        &mut self,
        key: u32,
        write: impl FnOnce(&[u8], &mut Vec<u8>),
        text: &mut Vec<u8>,
    ) {
        let place = &mut self.places[key as usize];
        if place.0 == place.1 {
            place.0 = self.bytes.len();
            write(self.texts.text(key), &mut self.bytes);
            place.1 = self.bytes.len();
        }
        text.extend_from_slice(&self.bytes[place.0..place.1]);
    }
}

//! The built-in table.

use std::sync::{Arc, LazyLock};

use crate::table::Openings;

/// ECO code, name and moves of each named position, sorted by the moves.
const TABLE: &str = include_str!("../data/openings.tsv");

impl Openings {
    /// Returns the built-in table: ECO codes and English names of about 3,800 positions, from
    /// Lichess. It has no NIC codes. It is parsed on first use, which takes a few milliseconds.
    ///
    /// ```
    /// use openings::Openings;
    ///
    /// assert!(Openings::embedded().len() > 3_500);
    /// ```
    pub fn embedded() -> &'static Arc<Openings> {
        static EMBEDDED: LazyLock<Arc<Openings>> = LazyLock::new(|| {
            let mut openings = Openings::default();
            openings.layer_embedded();
            Arc::new(openings)
        });
        &EMBEDDED
    }

    /// Adds the built-in table as a layer over the existing names.
    pub fn layer_embedded(&mut self) {
        self.layer(TABLE.as_bytes()).expect("a test reads the table");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`NameSource::has_nic`](crate::NameSource::has_nic) relies on it, so that the table need not
    /// be parsed.
    #[test]
    fn the_built_in_table_has_no_nic_codes() {
        assert!(!Openings::embedded().has_nic());
    }
}

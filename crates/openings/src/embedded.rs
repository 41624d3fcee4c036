//! The built-in table.

use std::sync::{Arc, LazyLock};

use emit::{MoveTree, Name, Names};
use san::Position;

use crate::table::Openings;

/// ECO code, name and moves of each named position, sorted by the moves.
const TABLE: &str = include_str!("../data/openings.tsv");

impl Openings {
    /// Returns the built-in table: ECO codes and English names of about 3,800 positions, from Lichess. It has no NIC codes. It
    /// is parsed on first use, which takes about a millisecond.
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

/// [`Openings::embedded`] as [`Names`]; the table is parsed on first use.
///
/// ```
/// use std::sync::Arc;
///
/// let source = emit::NameSource::Table(Arc::new(openings::Embedded));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

/// Known without parsing the table, so that a run that names no position does not parse it.
const DEEPEST: u32 = 36;

impl Names for Embedded {
    fn deepest(&self) -> u32 {
        DEEPEST
    }

    fn has_nic(&self) -> bool {
        false
    }

    fn name(&self, position: &Position, ply: u32) -> Option<&Name> {
        Openings::embedded().name(position, ply)
    }

    fn tree(&self) -> Option<(&MoveTree, &[Name])> {
        Openings::embedded().tree_of_moves()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_without_the_table_is_true_of_it() {
        let table: &Openings = Openings::embedded();
        assert_eq!((Embedded.deepest(), Embedded.has_nic()), (table.deepest(), table.has_nic()));
    }
}

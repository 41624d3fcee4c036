//! The table that comes with the program.

use std::sync::{Arc, LazyLock};

use emit::{MoveTree, Name, Names};
use san::Position;

use crate::Openings;

/// Eco code, name and moves of each named position, sorted by the moves.
const TABLE: &str = include_str!("../data/openings.tsv");

impl Openings {
    /// The table that comes with the program: ECO codes and English names of some 3,800 positions, those of Lichess. It has
    /// no NIC codes. It is read when it is first asked for, which takes about a millisecond.
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

    /// Adds the table that comes with the program, as a layer over what is there.
    pub fn layer_embedded(&mut self) {
        self.layer(TABLE.as_bytes()).expect("a test reads the table");
    }
}

/// [`Openings::embedded`] as [`Names`], which is read only when somebody asks it something.
///
/// ```
/// use std::sync::Arc;
///
/// let source = emit::NameSource::Table(Arc::new(openings::Embedded));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

/// Known without reading the table, so that a run that names no position does not read it.
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

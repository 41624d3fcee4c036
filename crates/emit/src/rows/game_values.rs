//! The values of a game alone, without its positions.

use pgn::{Outcome, TagPair};

use super::game_cells::GameCells;
use super::{Column, Rows};
use crate::records::plan::Plan;

/// Collects the columns of a game that its tags and its result determine.
///
/// ```
/// use emit::{Column, Fact, GameValues, Plan};
/// use pgn::{Outcome, Scanner};
///
/// let mut scanner = Scanner::new(b"[Date \"1851.06.21\"]\n\n1. e4 1-0");
/// scanner.next_game();
/// let (columns, plan) = ([Column::Fact(Fact::Year), Column::Fact(Fact::Result)], Plan::default());
/// let mut values = GameValues::new(&columns, &plan);
/// values.begin(scanner.tags());
/// let row = values.end(Some(Outcome::WhiteWins));
/// assert_eq!(row.columns[0].cell_text(0).as_deref(), Some("1851"));
/// assert_eq!(row.columns[1].cell_text(0).as_deref(), Some("1-0"));
/// ```
#[derive(Debug)]
pub struct GameValues<'t> {
    cells: GameCells<'t>,
    row: Rows,
}

impl<'t> GameValues<'t> {
    /// Collects these columns: tags and facts of the game, except the opening and what depends on moves.
    pub fn new(columns: &'t [Column], plan: &'t Plan) -> Self {
        GameValues {
            cells: GameCells::new(columns, plan),
            row: Rows::new(columns, &Rows::default()),
        }
    }

    /// Begins a game with these tag pairs.
    pub fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.cells.begin(tags);
    }

    /// Ends the game, and returns its values as the only row.
    pub fn end(&mut self, outcome: Option<Outcome>) -> &Rows {
        self.cells.end(outcome);
        self.row.clear();
        self.row.len = 1;
        self.cells.write(&mut self.row, 0, 1);
        &self.row
    }
}

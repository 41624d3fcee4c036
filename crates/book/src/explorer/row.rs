//! Entries as rows of a table of positions.

use emit::COUNTS;
use epd::legal_string;
use openings::Name;
use san::FenError;

use super::{ExplorerEntry, ExplorerHeader};
use crate::select::fields;
use crate::tally::{Tally, UnknownResult};
use crate::write::{counts, ratings, strongest};

/// Returns the columns of [`ExplorerEntry::row`]: the record and the counts.
pub fn columns() -> impl Iterator<Item = &'static str> {
    ["record"].into_iter().chain(COUNTS)
}

impl ExplorerEntry {
    /// Returns the cells of these [`columns`]: the record of a book with the counts, and these
    /// as numbers. What is not known is empty.
    ///
    /// # Errors
    ///
    /// If the position is not legal: the file is damaged.
    pub fn row(&self, header: &ExplorerHeader) -> Result<[String; 9], FenError> {
        let ExplorerEntry { total, eco, opening, .. } = self;
        let Tally { first, first_year, last_year, .. } = total;
        let (halfmoves, fullmoves) = (first.halfmoves, first.fullmoves.max(1));
        let position = self.key.position(halfmoves.into(), fullmoves.into())?;
        let file = header.files.get(total.strongest.at.file as usize).map_or("?", |name| name);
        let name = Name::new(eco.as_deref(), None, opening.as_deref().unwrap_or_default());
        let comment = |opcode: &str, text: &str| match &*legal_string(text) {
            "" => String::new(),
            text => format!(" {opcode} \"{text}\";"),
        };
        let operations = [
            comment("c0", &counts(total)),
            comment("c1", &ratings(total)),
            comment("c2", &strongest(&total.undecoded(), file)),
            name.eco_operation().to_owned(),
            format!(" fmvn {fullmoves}; hmvc {halfmoves};"),
            name.part_operations(0).to_owned(),
        ];
        let year = |year: u16| if year > 0 { year.to_string() } else { String::new() };
        let score = total.score_millionths(UnknownResult::Skip);
        Ok([
            fields(&position) + &operations.concat(),
            total.games.to_string(),
            total.white.to_string(),
            total.draws.to_string(),
            total.black.to_string(),
            score.map_or(String::new(), |score| (score as f64 / 1e6).to_string()),
            total.mean_rating().map_or(String::new(), |rating| format!("{rating:.0}")),
            year(*first_year),
            year(*last_year),
        ])
    }
}

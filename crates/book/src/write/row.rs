//! Counts as columns of a table.

use san::MoveCode;
use serde::Serialize;

use crate::partial::Header;
use crate::select::Chosen;
use crate::tally::Tally;

/// Counts, with names and results as text.
#[derive(Debug, Serialize)]
pub(super) struct Row<'r> {
    pub(super) games: u64,
    pub(super) white: u64,
    pub(super) draws: u64,
    pub(super) black: u64,
    pub(super) rated: u64,
    pub(super) rating_sum: u64,
    pub(super) first_year: Option<u16>,
    pub(super) last_year: Option<u16>,
    pub(super) first_file: &'r str,
    pub(super) first_game: u64,
    pub(super) first_ply: u32,
    pub(super) strongest_file: &'r str,
    pub(super) strongest_game: u64,
    pub(super) strongest_ply: u32,
    pub(super) strongest_white: &'r str,
    pub(super) strongest_black: &'r str,
    /// The mean rating of its players.
    pub(super) strongest_elo: Option<f64>,
    pub(super) strongest_result: &'static str,
    /// The evaluation at the first occurrence, from the side to move's point of view.
    pub(super) eval: Option<i32>,
}

impl<'r> Row<'r> {
    pub(super) fn of(tally: &'r Tally, header: &'r Header) -> Self {
        let strongest = &tally.strongest;
        let file = |number: u32| header.published_name(number).unwrap_or_default();
        Row {
            games: tally.games,
            white: tally.white,
            draws: tally.draws,
            black: tally.black,
            rated: tally.rated,
            rating_sum: tally.rating_sum,
            first_year: Some(tally.first_year).filter(|year| *year > 0),
            last_year: Some(tally.last_year).filter(|year| *year > 0),
            first_file: file(tally.first.file),
            first_game: tally.first.game,
            first_ply: tally.first.ply,
            strongest_file: file(strongest.at.file),
            strongest_game: strongest.at.game,
            strongest_ply: strongest.at.ply,
            strongest_white: &strongest.info.white,
            strongest_black: &strongest.info.black,
            strongest_elo: (strongest.elo_sum > 0).then(|| f64::from(strongest.elo_sum) / 2.0),
            strongest_result: strongest.outcome.as_str(),
            eval: tally.first.evaluation.get(),
        }
    }
}

/// A move of a position.
#[derive(Debug, Serialize)]
pub(super) struct Played<'r> {
    /// In SAN; `None` for games that end there.
    #[serde(rename = "move")]
    san: Option<String>,
    uci: Option<String>,
    #[serde(flatten)]
    row: Row<'r>,
}

impl<'r> Played<'r> {
    pub(super) fn all(chosen: &'r Chosen, header: &'r Header) -> Vec<Self> {
        let played = |(code, tally): &'r (MoveCode, Tally)| {
            let next = code.find(&chosen.position);
            Played {
                san: next.map(|next| san::san_of(&chosen.position, next).to_string()),
                uci: next.map(|next| chosen.position.uci_of(next).to_string()),
                row: Row::of(tally, header),
            }
        };
        chosen.moves.iter().map(played).collect()
    }
}

//! Games as values and as text, the tags that identify a game in messages, and counts of what
//! records cannot contain.

pub(crate) mod game;
pub(crate) mod game_form;
pub(crate) mod normal_game;
pub(crate) mod pgn_sink;

use std::fmt;
use std::ops::AddAssign;

use pgn::TagPair;
use san::AnyPosition;

/// The tags that identify a game in messages, as given; `None` for missing tags.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GameIdentity {
    /// The player of the white pieces.
    pub white: Option<String>,
    /// The player of the black pieces.
    pub black: Option<String>,
    /// The place of the game, or its address: the only unique key of games from Lichess.
    pub site: Option<String>,
    /// The round.
    pub round: Option<String>,
}

impl GameIdentity {
    pub(crate) fn of(tags: &[TagPair<'_>]) -> Self {
        GameIdentity::from_values(|name| {
            let tag = tags.iter().find(|tag| tag.name() == name.as_bytes())?;
            Some(tag.text().into_owned())
        })
    }

    pub(crate) fn from_values(value: impl Fn(&str) -> Option<String>) -> Self {
        let [white, black, site, round] = ["White", "Black", "Site", "Round"].map(value);
        GameIdentity { white, black, site, round }
    }
}

impl fmt::Display for GameIdentity {
    /// Writes ` (White - Black, round R, URL)` or nothing; a site that is not a URL fits many games.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".into());
        let is_named = self.white.is_some() || self.black.is_some();
        let players =
            is_named.then(|| format!("{} - {}", player(&self.white), player(&self.black)));
        let is_known = |name: &str, text: &str| !pgn::is_unknown(name.as_bytes(), text.as_bytes());
        let round = self.round.as_deref().filter(|round| is_known("Round", round));
        let address = self.site.as_deref().filter(|site| site.contains("://"));
        let parts =
            [players, round.map(|round| format!("round {round}")), address.map(str::to_owned)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { Ok(()) } else { write!(f, " ({})", parts.join(", ")) }
    }
}

/// Whether a player may claim a draw: fifty moves (FIDE Laws 9.3), or insufficient material.
pub(crate) fn is_draw<P: AnyPosition>(position: &P) -> bool {
    position.halfmoves() >= 100 || position.is_insufficient_material()
}

// Counts of text that was omitted or changed without being an error.

/// Number of items of the games that were omitted or changed.
///
/// Omissions requested by options are not losses, such as comments without `c` or evaluations
/// without `ce`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Losses {
    /// Comments longer than a [string](epd::LONGEST_STRING) may be, whether or not text was lost.
    pub long_comments: u64,
    /// Strings that were shortened or dropped: long comments, game titles, operations from tags.
    pub shortened: u64,
    /// Strings in which a quote or control character was replaced by an apostrophe or a space.
    pub altered: u64,
    /// Lines of engines that were cut before an illegal move.
    pub cut_lines: u64,
    /// Annotations of moves that were played: `$1`, `!?`, `+-`.
    pub annotations: u64,
    /// Variations that were not played, without those nested in them.
    pub variations: u64,
}

impl AddAssign for Losses {
    fn add_assign(&mut self, other: Losses) {
        self.long_comments += other.long_comments;
        self.shortened += other.shortened;
        self.altered += other.altered;
        self.cut_lines += other.cut_lines;
        self.annotations += other.annotations;
        self.variations += other.variations;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_players_round_and_address() {
        let cases = [
            ([None, None, None, None], ""),
            ([Some("A"), Some("B"), None, None], " (A - B)"),
            ([None, Some("B"), Some("Paris"), Some("?")], " (? - B)"),
            ([Some("A"), Some("B"), Some("Paris"), Some("4.1")], " (A - B, round 4.1)"),
            (
                [Some("A"), Some("B"), Some("https://lichess.org/abcd1234"), Some("-")],
                " (A - B, https://lichess.org/abcd1234)",
            ),
            ([None, None, Some("https://lichess.org/x"), None], " (https://lichess.org/x)"),
        ];
        for (values, expected) in cases {
            let [white, black, site, round] = values.map(|value| value.map(str::to_owned));
            let identity = GameIdentity { white, black, site, round };
            assert_eq!(identity.to_string(), expected);
        }
    }
}

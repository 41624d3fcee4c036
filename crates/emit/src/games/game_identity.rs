//! The tags by which a message identifies a game.

use std::fmt;

use pgn::TagPair;

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
    /// Reads the tags of a game. Called only for games with a problem.
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

//! Games as values and as text, and what is known of a whole game: the tags that identify it, its
//! result and ending, and what records cannot contain. A game larger than a chunk comes in parts.

pub(crate) mod game;
pub(crate) mod game_form;
pub(crate) mod normal_game;
pub(crate) mod pgn_sink;

use std::fmt;
use std::ops::AddAssign;

use pgn::{Outcome, TagPair, text_of};
use san::{AnyPosition, Buffer, Color};

use crate::annotations;

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

// Draws by rule and resignations: reported only where they are certain (EPD 5.9, 5.21).

/// The end of a game according to its tags.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameResult {
    result: Option<Outcome>,
    /// Whether the `Termination` tag mentions a resignation.
    is_resigned: bool,
}

impl GameResult {
    pub(crate) fn of(tags: &[TagPair<'_>]) -> Self {
        let value = |name: &[u8]| tags.iter().find(|tag| tag.name() == name).map(TagPair::value);
        let result = value(b"Result")
            .map(|value| Outcome::of_tag(&value))
            .filter(|result| *result != Outcome::Unknown);
        let names = [b"Termination".as_slice(), b"TerminationDetails"];
        let says = |name| value(name).is_some_and(|value| speaks_of_resigning(&text_of(&value)));
        GameResult { result, is_resigned: names.into_iter().any(says) }
    }

    /// Returns the result of the tag, or else that of the movetext.
    pub(crate) fn result(self, movetext: Option<Outcome>) -> Option<Outcome> {
        self.result.or(movetext)
    }

    pub(crate) fn known(self, movetext: Option<Outcome>) -> Option<&'static str> {
        let result = self.result(movetext).filter(|outcome| *outcome != Outcome::Unknown);
        result.map(Outcome::as_str)
    }

    pub(crate) fn has_resigned(
        self,
        turn: Color,
        movetext: Option<Outcome>,
        comments: &[&[u8]],
    ) -> bool {
        let loser = match self.result(movetext) {
            Some(Outcome::WhiteWins) => Color::Black,
            Some(Outcome::BlackWins) => Color::White,
            _ => return false,
        };
        let said = comments.last().is_some_and(|comment| says_resigns(comment, loser));
        loser == turn && (self.is_resigned || said)
    }
}

/// Whether a player may claim a draw: fifty moves (FIDE Laws 9.3), or insufficient material.
pub(crate) fn is_draw<P: AnyPosition>(position: &P) -> bool {
    position.halfmoves() >= 100 || position.is_insufficient_material()
}

/// Matches `White resigns`, `Carlsen won by resignation`.
fn speaks_of_resigning(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("resign") && !text.contains("not resign")
}

/// Matches `White resigns`, alone or after an engine's report, but no text that merely mentions it.
fn says_resigns(comment: &[u8], loser: Color) -> bool {
    let ending = annotations::report(comment, loser).and_then(|report| report.ending);
    let text = text_of(ending.unwrap_or(comment)).to_ascii_lowercase();
    let side = if loser == Color::White { "white" } else { "black" };
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    match words[..] {
        ["resigns" | "resigned"] => true,
        [who, "resigns" | "resigned"] => who == side,
        _ => false,
    }
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

// Incremental output of a huge game, so that its records need not be held in memory.

/// The records of a game up to some position; the game continues.
#[derive(Debug)]
pub struct GamePart<'t> {
    /// The records, each with its line end. The consumer may swap the buffer for another one, which
    /// is then cleared.
    pub bytes: &'t mut Buffer,
    /// Number of records.
    pub positions: u64,
}

/// Consumer of the parts of the first game.
pub(crate) struct GameParts<'t> {
    pass_on: &'t mut dyn FnMut(GamePart<'_>),
    least_bytes: usize,
    games: u32,
    /// Whether a part of the current game was handed on.
    pub(crate) has_begun: bool,
}

impl<'t> GameParts<'t> {
    pub(crate) fn new(least_bytes: usize, pass_on: &'t mut dyn FnMut(GamePart<'_>)) -> Self {
        GameParts { pass_on, least_bytes, games: 0, has_begun: false }
    }

    pub(crate) fn next_game(&mut self) {
        self.games += 1;
        self.has_begun = false;
    }

    /// Hands the records on if they are large enough and of the first game; returns whether it did.
    pub(crate) fn take(&mut self, bytes: &mut Buffer, positions: u64) -> bool {
        let takes = self.games == 1 && bytes.len() >= self.least_bytes;
        if takes {
            (self.pass_on)(GamePart { bytes, positions });
            bytes.clear();
            self.has_begun = true;
        }
        takes
    }
}

impl fmt::Debug for GameParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameParts").field("games", &self.games).finish_non_exhaustive()
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

    #[test]
    fn a_resignation_is_believed_only_where_it_is_said() {
        let cases: [(&str, &str, bool); 9] = [
            ("[Result \"1-0\"] [Termination \"White won by resignation\"]", "", true),
            ("[Result \"1-0\"] [Termination \"normal\"]", "", false),
            ("[Result \"1-0\"]", "Black resigns", true),
            ("[Result \"1-0\"]", "Resigned.", true),
            ("[Result \"1-0\"]", "White resigns", false),
            ("[Result \"1-0\"]", "Black could have resigned here", false),
            ("[Result \"1-0\"]", "+5.01/20 1.0s, Black resigns", true),
            ("[Result \"0-1\"]", "White resigns", false),
            ("[Result \"1/2-1/2\"] [Termination \"resignation\"]", "", false),
        ];
        for (tags, comment, expected) in cases {
            let text = format!("{tags} 1. e4 *");
            let game = pgn::games(text.as_bytes()).next().unwrap();
            let ending = GameResult::of(game.tags());
            // Black to move.
            let found = ending.has_resigned(Color::Black, None, &[comment.as_bytes()]);
            assert_eq!(found, expected, "{tags} {comment}");
        }
    }
}

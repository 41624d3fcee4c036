//! Draws by rule and resignations: reported only where they are certain (EPD 5.9, 5.21).

use pgn::{Outcome, TagPair, text_of};
use san::{AnyPosition, Color};

use crate::annotations;

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

#[cfg(test)]
mod tests {
    use super::*;

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

//! The way a game ended, by which games are omitted whose result says little about their positions.

use pgn::TagPair;
use san::AnyPosition;

use crate::ply::Ply;
use crate::selection::omission::Omission;

/// The way a game ended, if it did not end on the board or by agreement.
///
/// ```
/// let game = pgn::games(b"[Termination \"Time forfeit\"]\n\n1. e4 0-1\n").next().unwrap();
/// assert_eq!(emit::Ending::of_tags(game.tags()), Some(emit::Ending::TimeForfeit));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A player lost on time.
    TimeForfeit,
    /// The game was broken off.
    Abandoned,
    /// An arbiter or a match program decided the game.
    Adjudicated,
}

/// In lower case: of cutechess, fastchess, c-chess-cli, TCEC, Lichess, chess.com, PGN 9.8.1.
const WORDS: [(&[u8], Ending); 10] = [
    (b"adjudicat", Ending::Adjudicated),
    (b"time forfeit", Ending::TimeForfeit),
    (b"on time", Ending::TimeForfeit),
    (b"timeout", Ending::TimeForfeit),
    (b"abandoned", Ending::Abandoned),
    (b"unterminated", Ending::Abandoned),
    (b"connection", Ending::Abandoned),
    (b"disconnect", Ending::Abandoned),
    (b"rules infraction", Ending::Abandoned),
    (b"illegal move", Ending::Abandoned),
];

impl Ending {
    /// Returns the way a game ended according to its tags; `None` if it is not known, or ended on
    /// the board or by agreement.
    pub fn of_tags(tags: &[TagPair<'_>]) -> Option<Ending> {
        let tag = tags.iter().find(|tag| tag.name() == b"Termination")?;
        let value = tag.raw_value();
        WORDS.iter().find(|(word, _)| contains(value, word)).map(|(_, ending)| *ending)
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Ending::TimeForfeit => "time forfeit",
            Ending::Abandoned => "abandoned",
            Ending::Adjudicated => "adjudication",
        }
    }

    pub(crate) fn omission(self) -> Omission {
        match self {
            Ending::TimeForfeit => Omission::TimeForfeits,
            Ending::Abandoned => Omission::Abandoned,
            Ending::Adjudicated => Omission::Adjudicated,
        }
    }
}

/// Returns how a game ends on the board after its main line, if no move follows and none is legal.
#[inline(always)]
pub(crate) fn ending_on_board<P: AnyPosition>(ply: &Ply<'_, P>) -> Option<&'static str> {
    let position = ply.position.as_chess().filter(|_| ply.next.is_none())?;
    match (position.is_checkmate(), position.is_stalemate()) {
        (true, _) => Some("checkmate"),
        (_, true) => Some("stalemate"),
        _ => None,
    }
}

/// Returns whether a text contains a word, ignoring case.
fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_recognised_in_the_words_of_many_programs() {
        let cases = [
            ("adjudication", Some(Ending::Adjudicated)),
            ("time forfeit", Some(Ending::TimeForfeit)),
            ("Time forfeit", Some(Ending::TimeForfeit)),
            ("hikaru won on time", Some(Ending::TimeForfeit)),
            ("Game drawn by timeout vs insufficient material", Some(Ending::TimeForfeit)),
            ("abandoned", Some(Ending::Abandoned)),
            ("hikaru won - game abandoned", Some(Ending::Abandoned)),
            ("stalled connection", Some(Ending::Abandoned)),
            ("unterminated", Some(Ending::Abandoned)),
            ("Rules infraction", Some(Ending::Abandoned)),
            ("illegal move", Some(Ending::Abandoned)),
            ("Normal", None),
            ("hikaru won by resignation", None),
            ("?", None),
            ("", None),
        ];
        for (value, expected) in cases {
            let text = format!("[Termination \"{value}\"]\n\n1. e4 *\n");
            let game = pgn::games(text.as_bytes()).next().unwrap();
            assert_eq!(Ending::of_tags(game.tags()), expected, "{value}");
        }
        let game = pgn::games(b"[Result \"1-0\"]\n\n1. e4 *\n").next().unwrap();
        assert_eq!(Ending::of_tags(game.tags()), None);
    }
}

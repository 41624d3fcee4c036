//! Tag values, and which of them mean "unknown".

use std::borrow::Cow;

use crate::tag::TagPair;
use crate::text::text_of;

/// Words in the place of a FEN for the starting position.
const NO_FEN: [&[u8]; 18] = [
    b"n/a",
    b"na",
    b"nan",
    b"nil",
    b"no",
    b"none",
    b"null",
    b"unknown",
    b"undefined",
    b"false",
    b"default",
    b"initial",
    b"standard",
    b"start",
    b"startpos",
    b"startposition",
    b"start position",
    b"starting position",
];

/// Whether the value of a tag states that the value is unknown or absent. `name` is the name of the
/// tag, because the same text may be a value of another tag.
///
/// | value, without surrounding white space | tags | source |
/// | --- | --- | --- |
/// | empty | all | |
/// | only `?` and separators (`.` `:` `/` `,` `-` and spaces): `?`, `????.??.??`, `??:??:??`, `-` | all | PGN standard 8.1.1, 9 |
/// | `*` | `Result` | 8.1.1.7: unfinished, or the result is unknown |
/// | `N/A`, `none`, `undefined`, `startpos`, `start`, `standard` and the like in any case | `FEN` | |
/// | `0` | names that end with `Elo` | written by ChessBase and Scid for players without a rating |
///
/// A partial date (`1992.??.??`) is known, and so is everything else, including `N.N.`.
///
/// ```
/// assert!(pgn::is_unknown(b"Date", b"????.??.??"));
/// assert!(!pgn::is_unknown(b"Date", b"1992.??.??"));
/// assert!(pgn::is_unknown(b"Result", b"*"));
/// assert!(!pgn::is_unknown(b"Event", b"*"));
/// ```
pub fn is_unknown(name: &[u8], value: &[u8]) -> bool {
    let says_nothing = |byte: &u8| matches!(byte, b'?' | b'.' | b':' | b'/' | b',' | b'-' | b' ');
    match value.trim_ascii() {
        b"*" => name == b"Result",
        b"0" => name.ends_with(b"Elo"),
        value if name == b"FEN" && value.first().is_some_and(u8::is_ascii_alphabetic) => {
            NO_FEN.iter().any(|text| value.eq_ignore_ascii_case(text))
        }
        value => value.iter().all(says_nothing),
    }
}

/// Returns the value of the first tag of this name as text, trimmed; `None` if the tag is missing
/// or its value [is unknown](is_unknown).
///
/// ```
/// let game = pgn::games(b"[White \"Anderssen \"] [Black \"?\"] 1. e4 *").next().unwrap();
/// assert_eq!(pgn::known_value(game.tags(), b"White").as_deref(), Some("Anderssen"));
/// assert_eq!(pgn::known_value(game.tags(), b"Black"), None);
/// ```
pub fn known_value<'t>(tags: &[TagPair<'t>], name: &[u8]) -> Option<Cow<'t, str>> {
    let tag = tags.iter().find(|tag| tag.name() == name)?;
    tag.known_text()
}

impl<'a> TagPair<'a> {
    /// Whether the value [is unknown](is_unknown).
    pub fn is_unknown(&self) -> bool {
        is_unknown(self.name(), self.raw_value())
    }

    /// Returns the value as text.
    pub fn text(&self) -> Cow<'a, str> {
        match self.value() {
            Cow::Borrowed(value) => text_of(value),
            Cow::Owned(value) => Cow::Owned(text_of(&value).into_owned()),
        }
    }

    /// Returns the value as text, trimmed; `None` if it [is unknown](is_unknown).
    pub fn known_text(&self) -> Option<Cow<'a, str>> {
        if self.is_unknown() {
            return None;
        }
        Some(match self.text() {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_unknown_values() {
        let unknown = [
            ("White", ""),
            ("White", "  "),
            ("White", "?"),
            ("White", " ? "),
            ("White", "-"),
            ("Event", "??"),
            ("Site", "?, ?"),
            ("Date", "????.??.??"),
            ("Date", "????"),
            ("Date", "????-??-??"),
            ("Date", "??/??/????"),
            ("UTCTime", "??:??:??"),
            ("Round", "-"),
            ("Round", "?.?"),
            ("ECO", "???"),
            ("TimeControl", "-"),
            ("Result", "*"),
            ("Result", "?"),
            ("WhiteElo", "0"),
            ("BlackElo", "?"),
            ("BlackFideElo", " 0 "),
            ("FEN", "N/A"),
            ("FEN", "startpos"),
            ("FEN", "undefined"),
            ("FEN", "Start"),
            ("FEN", "standard"),
            ("FEN", "Starting position"),
        ];
        for (name, value) in unknown {
            assert!(is_unknown(name.as_bytes(), value.as_bytes()), "{name} {value:?}");
        }
        let known = [
            ("White", "*"),
            ("White", "N.N."),
            ("White", "Anonymous"),
            ("Round", "0"),
            ("Round", "1.?"),
            ("Date", "1992.??.??"),
            ("Date", "????.06.??"),
            ("Result", "1-0"),
            ("Result", "0-1"),
            ("Result", "1/2-1/2"),
            ("Result", "0"),
            ("WhiteElo", "1"),
            ("WhiteElo", "00"),
            ("ECO", "B??"),
            ("Event", "\u{2013}"),
            ("Event", "M\u{fc}ller?"),
            ("White", "None"),
            ("FEN", "n1bk4/8 w - - 0 1"),
        ];
        for (name, value) in known {
            assert!(!is_unknown(name.as_bytes(), value.as_bytes()), "{name} {value:?}");
        }
    }

    #[test]
    fn the_first_tag_of_a_name_counts_even_if_it_is_unknown() {
        let game =
            crate::games(b"[Site \"?\"] [Site \"Bonn\"] [Event \" M\xfcnchen \\\" \"] 1. e4 *");
        let game = { game }.next().unwrap();
        assert_eq!(known_value(game.tags(), b"Site"), None);
        assert_eq!(known_value(game.tags(), b"site"), None);
        assert_eq!(known_value(game.tags(), b"Event").as_deref(), Some("M\u{fc}nchen \""));
    }
}

//! Piece letters in other languages (PGN standard 8.2.3.2, and other sources).

use arrayvec::ArrayVec;
use shakmaty::Role;

use crate::error::SanError;
use crate::position::{Move, Position};
use crate::resolve::resolve;

/// A language of move notation.
///
/// PGN is written in English; other letters are accepted if their language is specified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Language {
    #[default]
    English,
    Czech,
    Danish,
    Dutch,
    Estonian,
    Finnish,
    French,
    German,
    Hungarian,
    Icelandic,
    Italian,
    Norwegian,
    Polish,
    Portuguese,
    Romanian,
    Russian,
    Spanish,
    Swedish,
    Ukrainian,
}

/// A language, its ISO 639-1 code, and its letters for king, queen, rook, bishop and knight.
type Letters = (Language, &'static str, [&'static str; 5]);

const LETTERS: [Letters; 19] = [
    (Language::English, "en", ["K", "Q", "R", "B", "N"]),
    (Language::Czech, "cs", ["K", "D", "V", "S", "J"]),
    (Language::Danish, "da", ["K", "D", "T", "L", "S"]),
    (Language::Dutch, "nl", ["K", "D", "T", "L", "P"]),
    (Language::Estonian, "et", ["K", "L", "V", "O", "R"]),
    (Language::Finnish, "fi", ["K", "D", "T", "L", "R"]),
    (Language::French, "fr", ["R", "D", "T", "F", "C"]),
    (Language::German, "de", ["K", "D", "T", "L", "S"]),
    (Language::Hungarian, "hu", ["K", "V", "B", "F", "H"]),
    (Language::Icelandic, "is", ["K", "D", "H", "B", "R"]),
    (Language::Italian, "it", ["R", "D", "T", "A", "C"]),
    (Language::Norwegian, "no", ["K", "D", "T", "L", "S"]),
    (Language::Polish, "pl", ["K", "H", "W", "G", "S"]),
    (Language::Portuguese, "pt", ["R", "D", "T", "B", "C"]),
    (Language::Romanian, "ro", ["R", "D", "T", "N", "C"]),
    (Language::Russian, "ru", ["Кр", "Ф", "Л", "С", "К"]),
    (Language::Spanish, "es", ["R", "D", "T", "A", "C"]),
    (Language::Swedish, "sv", ["K", "D", "T", "L", "S"]),
    (Language::Ukrainian, "uk", ["Кр", "Ф", "Т", "С", "К"]),
];

const ROLES: [Role; 5] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Longest word of a move with all its suffixes, in bytes.
type LongestWord = ArrayVec<u8, 64>;

impl Language {
    /// Iterates over all languages, English first.
    pub fn all() -> impl Iterator<Item = Language> {
        LETTERS.iter().map(|(language, ..)| *language)
    }

    /// Returns the ISO 639-1 code, such as `de`.
    pub fn code(self) -> &'static str {
        self.row().1
    }

    /// Returns the language with this code.
    ///
    /// ```
    /// assert_eq!(san::Language::from_code("de"), Some(san::Language::German));
    /// ```
    pub fn from_code(code: &str) -> Option<Self> {
        LETTERS.iter().find(|(_, other, _)| *other == code).map(|(language, ..)| *language)
    }

    /// Returns the letters for king, queen, rook, bishop and knight.
    pub fn letters(self) -> [&'static str; 5] {
        self.row().2
    }

    fn row(self) -> &'static Letters {
        let row = LETTERS.iter().find(|(language, ..)| *language == self);
        row.expect("every language has its letters")
    }

    /// Returns the piece at the beginning of a text, and the length of its letters in bytes.
    fn piece(self, text: &[u8]) -> Option<(Role, usize)> {
        // In Russian the king's two letters begin with that of the knight: they are tested first.
        let of = |(letters, role): (&str, Role)| {
            text.starts_with(letters.as_bytes()).then_some((role, letters.len()))
        };
        self.letters().into_iter().zip(ROLES).find_map(of)
    }

    /// `None` if the token begins with a capital letter that this language does not use.
    fn in_english(self, token: &[u8]) -> Option<LongestWord> {
        let mut word = LongestWord::new();
        let mut rest = token;
        // An Estonian bishop is followed by a square; anything else that begins with O is castling.
        if matches!(rest, [b'O', next, ..] if !next.is_ascii_lowercase() && !next.is_ascii_digit())
        {
            return LongestWord::try_from(token).ok();
        }
        if let Some((role, len)) = self.piece(rest) {
            word.push(role.upper_char() as u8);
            rest = &rest[len..];
        } else if matches!(rest, [b'A'..=b'Z', ..]) && !matches!(rest, [b'O' | b'Z', ..]) {
            return None;
        }
        // The text after the digit of a rank, `=`, `/` or `(` is a promotion piece.
        while let [byte, behind @ ..] = rest {
            word.try_push(*byte).ok()?;
            rest = behind;
            if matches!(byte, b'1' | b'8' | b'=' | b'/' | b'(')
                && let Some((role, len)) = self.piece(rest)
            {
                word.try_push(role.upper_char() as u8).ok()?;
                rest = &rest[len..];
            }
        }
        Some(word)
    }
}

/// Returns the move that a token with the letters of a language denotes; otherwise like
/// [`resolve`]. Fails like [`resolve`]; a token with letters of another language is not a move.
///
/// ```
/// use san::{Language, Position, resolve_in};
///
/// let position = Position::default();
/// let knight = resolve_in(&position, b"Sf3", Language::German)?;
/// assert_eq!(Ok(knight), san::resolve(&position, b"Nf3"));
/// assert!(resolve_in(&position, b"Nf3", Language::German).is_err());
/// # Ok::<_, san::SanError>(())
/// ```
#[inline(never)]
pub fn resolve_in(position: &Position, token: &[u8], language: Language) -> Result<Move, SanError> {
    if language == Language::English {
        return resolve(position, token);
    }
    match language.in_english(token) {
        Some(word) => resolve(position, &word),
        None => Err(SanError::NotAMove),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_and_pawns_are_the_same_in_all_languages() {
        for language in Language::all() {
            for token in ["O-O", "0-0-0", "e4", "bxc3", "e2-e4", "--", "Z0"] {
                let english = language.in_english(token.as_bytes());
                assert_eq!(english.as_deref(), Some(token.as_bytes()), "{language:?} {token}");
            }
        }
    }

    #[test]
    fn letters_become_english_ones() {
        let cases = [
            (Language::German, "Dxd8+", "Qxd8+"),
            (Language::German, "exd8D", "exd8Q"),
            (Language::German, "e8=S", "e8=N"),
            (Language::French, "Rf1", "Kf1"),
            (Language::French, "e8(D)", "e8(Q)"),
            (Language::Dutch, "Pf3", "Nf3"),
            (Language::Russian, "Крe2", "Ke2"),
            (Language::Russian, "Кe2", "Ne2"),
            (Language::Russian, "e8Ф", "e8Q"),
            (Language::Estonian, "Ob5", "Bb5"),
            (Language::Estonian, "O2b5", "B2b5"),
            (Language::Estonian, "O-O", "O-O"),
            (Language::German, "b1=D", "b1=Q"),
            (Language::German, "b1D", "b1Q"),
            (Language::German, "axb8/S#", "axb8/N#"),
            // A letter after another digit is not a promotion piece.
            (Language::German, "e7D", "e7D"),
            (Language::Polish, "Z0", "Z0"),
        ];
        for (language, token, expected) in cases {
            let english = language.in_english(token.as_bytes()).unwrap();
            assert_eq!(&english[..], expected.as_bytes(), "{language:?} {token}");
        }
    }

    #[test]
    fn letters_of_another_language_are_no_pieces() {
        assert_eq!(Language::German.in_english(b"Nf3"), None);
        assert_eq!(Language::French.in_english(b"Kf1"), None);
    }

    #[test]
    fn a_token_is_resolved_in_its_language() {
        let position = Position::from_fen("4k3/P7/8/8/8/8/8/4K1N1 w - - 0 1").unwrap();
        let cases = [
            (Language::English, "Nf3", Some("Nf3")),
            (Language::English, "Sf3", None),
            (Language::German, "Sf3", Some("Nf3")),
            (Language::German, "Nf3", None),
            (Language::German, "a8=D+", Some("a8=Q+")),
            (Language::Russian, "Крe2", Some("Ke2")),
        ];
        for (language, token, expected) in cases {
            let found = resolve_in(&position, token.as_bytes(), language);
            let found = found.ok().map(|next| crate::san_of(&position, next).to_string());
            assert_eq!(found.as_deref(), expected, "{language:?} {token}");
        }
        let too_long = [b'a'; 65];
        assert_eq!(resolve_in(&position, &too_long, Language::German), Err(SanError::NotAMove));
    }

    #[test]
    fn the_languages_are_nineteen_english_first() {
        let codes: Vec<&str> = Language::all().map(Language::code).collect();
        assert_eq!(codes.join(" "), "en cs da nl et fi fr de hu is it no pl pt ro ru es sv uk");
        assert_eq!(Language::from_code("xx"), None);
    }

    #[test]
    fn every_language_has_a_code_of_its_own_and_five_letters_of_their_own() {
        for language in Language::all() {
            assert_eq!(Language::from_code(language.code()), Some(language));
            let mut letters = language.letters().to_vec();
            letters.sort_unstable();
            letters.dedup();
            assert_eq!(letters.len(), 5, "{language:?}");
        }
    }
}

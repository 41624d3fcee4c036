//! How games are written.

use std::fmt;
use std::str::FromStr;

use san::{AnyPosition, Keyword, UnknownKeyword, keywords};

keywords! {
    /// A word of [`GameForm`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum GameStyle {
        /// As they are, byte for byte.
        Unchanged = "unchanged",
        /// In the export format of the PGN standard; also with each of the following words.
        Normal = "normal",
        /// From the first selected position to the last one; with the tag FEN unless that is the start.
        Selected = "selected",
        /// With moves such as Ng1-f3.
        Lan = "lan",
        /// With moves such as g1f3.
        Uci = "uci",
        /// With the tags ECO, NIC and Opening of the deepest position that has a name; alone, all else is unchanged.
        Openings = "openings",
        /// Without other tags than the seven of the standard, SetUp, FEN and Variant.
        NoTags = "no-tags",
        /// Without comments.
        NoComments = "no-comments",
        /// Without [%clk], [%emt] and other times in comments.
        NoClocks = "no-clocks",
        /// Without [%eval], [%clk], [%csl] and all other commands in comments.
        NoCommands = "no-commands",
        /// Without NAGs and signs such as !?.
        NoNags = "no-nags",
        /// Without variations.
        NoVariations = "no-variations",
    }
}

/// How games are written: words separated by commas.
///
/// ```
/// use emit::{GameForm, GameStyle};
///
/// let form: GameForm = "no-comments,uci".parse()?;
/// assert!(form.has(GameStyle::Uci) && form.is_normal());
/// assert_eq!(form.to_string(), "uci,no-comments");
/// assert!(!GameForm::default().is_normal());
/// # Ok::<_, emit::GameFormError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct GameForm(u16);

impl GameForm {
    /// Whether a word is among those of the form.
    pub const fn has(self, style: GameStyle) -> bool {
        self.0 & 1 << style as u16 != 0
    }

    /// Whether games are not written as they are.
    pub const fn is_normal(self) -> bool {
        self.0 & !(1 << GameStyle::Openings as u16) != 0
    }

    pub(crate) fn text_of<P: AnyPosition>(self, position: &P, next: P::Move) -> String {
        let san = position.san_of(next);
        match position.squares_of(next) {
            _ if self.has(GameStyle::Uci) => position.uci_of(next).to_string(),
            Some((from, to)) if self.has(GameStyle::Lan) && !san.as_str().starts_with('O') => {
                let san = san.as_str();
                let piece = san.chars().next().filter(char::is_ascii_uppercase);
                let piece = piece.map(String::from).unwrap_or_default();
                let sign = if position.is_capture(next) { 'x' } else { '-' };
                let suffix = san.rsplit_once(&to.to_string()).map_or("", |(_, suffix)| suffix);
                format!("{piece}{from}{sign}{to}{suffix}")
            }
            _ => san.to_string(),
        }
    }

    /// Returns the words in their order.
    pub fn iter(self) -> impl Iterator<Item = GameStyle> {
        GameStyle::ALL.iter().copied().filter(move |style| self.has(*style))
    }
}

impl FromIterator<GameStyle> for GameForm {
    fn from_iter<T: IntoIterator<Item = GameStyle>>(styles: T) -> Self {
        let styles = styles.into_iter().filter(|style| *style != GameStyle::Unchanged);
        GameForm(styles.fold(0, |bits, style| bits | 1 << style as u16))
    }
}

/// An error in the words of a [`GameForm`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameFormError {
    /// The word does not exist.
    #[error(transparent)]
    Unknown(#[from] UnknownKeyword),
    /// Two words of which one may be given.
    #[error("{0} and {1} exclude each other")]
    Exclusive(GameStyle, GameStyle),
}

impl FromStr for GameForm {
    type Err = GameFormError;

    fn from_str(list: &str) -> Result<Self, GameFormError> {
        let styles = list.split(',').map(|word| GameStyle::from_word(word.trim()));
        let styles = styles.collect::<Result<Vec<_>, _>>()?;
        let form = GameForm::from_iter(styles.iter().copied());
        if form.has(GameStyle::Lan) && form.has(GameStyle::Uci) {
            return Err(GameFormError::Exclusive(GameStyle::Lan, GameStyle::Uci));
        }
        let is_other = |style: &GameStyle| *style != GameStyle::Openings;
        let has_unchanged = styles.contains(&GameStyle::Unchanged);
        match form.iter().find(is_other).filter(|_| has_unchanged) {
            Some(other) => Err(GameFormError::Exclusive(GameStyle::Unchanged, other)),
            None => Ok(form),
        }
    }
}

impl fmt::Display for GameForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.iter().map(Keyword::word).collect();
        f.write_str(if words.is_empty() { GameStyle::Unchanged.word() } else { "" })?;
        f.write_str(&words.join(","))
    }
}

impl fmt::Debug for GameForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameForm({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_as_it_is_written() {
        for style in GameStyle::ALL {
            let form: GameForm = style.word().parse().unwrap();
            assert_eq!(form.to_string(), style.word());
            let is_unchanged = [GameStyle::Unchanged, GameStyle::Openings].contains(style);
            assert_eq!(form.is_normal(), !is_unchanged);
        }
        let errors = [
            ("uci,lan", "lan and uci exclude each other"),
            ("unchanged,no-tags", "unchanged and no-tags exclude each other"),
        ];
        for (list, error) in errors {
            assert_eq!(list.parse::<GameForm>().unwrap_err().to_string(), error);
        }
        let error = "normal,".parse::<GameForm>().unwrap_err().to_string();
        assert!(error.starts_with("choose from unchanged, normal, selected"), "{error}");
    }
}

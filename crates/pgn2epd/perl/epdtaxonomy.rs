use super::{Board, Code, Tables};
use crate::EpdListError;

/// What [`epdtaxonomy`] is asked for.
///
/// The module answers only where `all` is set; here each counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Taxonomy {
    /// Everything.
    pub all: bool,
    /// The ECO code.
    pub eco: bool,
    /// The NIC code.
    pub nic: bool,
    /// The name of the opening.
    pub opening: bool,
    /// Each as a tag pair of PGN, `[ECO "B90"]`, not by itself.
    pub astags: bool,
}

/// The codes and the name of a game, by the tables that come with the library: `epdTaxonomy`. What is not known is `Unknown`.
///
/// # Errors
///
/// If a move cannot be played.
///
/// ```
/// use pgn2epd::perl::{Taxonomy, epdtaxonomy};
///
/// let tags = epdtaxonomy(["e4", "e5", "f4"], Taxonomy { eco: true, opening: true, astags: true, ..Taxonomy::default() })?;
/// assert_eq!(tags, [r#"[ECO "C30"]"#, r#"[Opening "King's Gambit"]"#]);
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdtaxonomy<I>(moves: I, options: Taxonomy) -> Result<Vec<String>, EpdListError>
where
    I: IntoIterator<Item: AsRef<str>>,
{
    Tables::default().epdtaxonomy(moves, options)
}

impl Tables {
    /// The codes and the name of a game.
    ///
    /// # Errors
    ///
    /// If a move cannot be played.
    pub fn epdtaxonomy<I>(&self, moves: I, options: Taxonomy) -> Result<Vec<String>, EpdListError>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let positions = Board::default().epdlist(moves)?;
        let Taxonomy { all, eco, nic, opening, astags } = options;
        let asked = [(Code::Eco, eco), (Code::Nic, nic), (Code::Opening, opening)];
        let answer = |(code, _): (Code, bool)| {
            let value = self.epdcode(code, positions.iter().rev());
            if astags { tag(code, &value) } else { value }
        };
        Ok(asked.into_iter().filter(|(_, is_asked)| all || *is_asked).map(answer).collect())
    }
}

/// A tag pair (PGN standard 8.1): quotes and backslashes inside are escaped.
fn tag(code: Code, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{} \"{value}\"]", code.name())
}

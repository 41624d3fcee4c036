use super::{Board, Code, Tables};
use crate::epdlist::EpdListError;

/// The values that [`epdtaxonomy`] returns.
///
/// The module returns a result only if `all` is set; here each field has an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Taxonomy {
    /// All values.
    pub all: bool,
    /// The ECO code.
    pub eco: bool,
    /// The NIC code.
    pub nic: bool,
    /// The name of the opening.
    pub opening: bool,
    /// Whether values are PGN tag pairs, `[ECO "B90"]`, instead of plain text.
    pub astags: bool,
}

/// Returns the codes and the name of a game from the embedded tables: `epdTaxonomy`. Unknown values
/// are `Unknown`.
///
/// # Errors
///
/// Returns an error if a move is illegal.
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
    /// Returns the codes and the name of a game.
    ///
    /// # Errors
    ///
    /// Returns an error if a move is illegal.
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

/// Formats a tag pair (PGN standard 8.1), escaping quotes and backslashes.
fn tag(code: Code, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{} \"{value}\"]", code.name())
}

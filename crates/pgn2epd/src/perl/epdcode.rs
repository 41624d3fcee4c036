use super::{Code, Tables};

/// Returns the code of the first position that has one in the embedded tables, or `Unknown`.
///
/// As in the module, the positions of a game are in reverse order.
///
/// ```
/// use pgn2epd::perl::{Code, epdcode, epdlist};
///
/// let mut positions = epdlist(["e4", "c5", "Nf3", "a6", "a3"])?;
/// positions.reverse();
/// assert_eq!(epdcode(Code::Eco, &positions), "B28");
/// assert_eq!(epdcode(Code::Eco, [""; 0]), "Unknown");
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdcode<I>(code: Code, epds: I) -> String
where
    I: IntoIterator<Item: AsRef<str>>,
{
    Tables::default().epdcode(code, epds)
}

impl Tables {
    /// Returns the code of the first position that has one, or `Unknown`.
    pub fn epdcode<I>(&self, code: Code, epds: I) -> String
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let found =
            epds.into_iter().find_map(|epd| self.code(code, epd.as_ref()).map(str::to_owned));
        found.unwrap_or_else(|| "Unknown".to_owned())
    }
}

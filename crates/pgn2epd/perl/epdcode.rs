use super::{Code, Tables};

/// The code of the first position that has one, by the tables that come with the library; `Unknown` if none has.
///
/// As in the module, positions are given from the last one of a game to the first.
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
    /// The code of the first position that has one; `Unknown` if none has.
    pub fn epdcode<I>(&self, code: Code, epds: I) -> String
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let found =
            epds.into_iter().find_map(|epd| self.code(code, epd.as_ref()).map(str::to_owned));
        found.unwrap_or_else(|| "Unknown".to_owned())
    }
}

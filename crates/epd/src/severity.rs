//! Severity levels of diagnostics.

/// The severity of a diagnostic about a record or a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// A common and harmless departure from the standard.
    Note,
    /// The text has exactly one reading, which is used; nothing is lost.
    Warning,
    /// The record, or all or the rest of the game, could not be read.
    Error,
}

impl Severity {
    /// Returns `note`, `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

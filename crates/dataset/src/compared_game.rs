//! Games that are compared with others.

/// A game that is compared with others. Of equal ones, the first of those with the highest rank is
/// selected, and one without errors before others.
#[derive(Clone, Debug)]
pub struct ComparedGame {
    /// Games are equal if the key of one is the beginning of that of another.
    pub key: Vec<u8>,
    /// Whether it has an error.
    pub is_damaged: bool,
    /// What it is preferred by.
    pub rank: u32,
}

//! Archive members that are not read.

use std::fmt;

/// Archive members that are not read because of their file name extensions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// The first few names.
    pub names: Vec<String>,
    /// Total number of skipped members.
    pub count: u64,
}

/// Maximum number of names kept.
const NAMES: usize = 3;

impl Skipped {
    #[cfg_attr(not(feature = "compression"), allow(dead_code))]
    pub(super) fn add(&mut self, name: String) {
        self.count += 1;
        if self.names.len() < NAMES {
            self.names.push(name);
        }
    }
}

impl fmt::Display for Skipped {
    /// `readme.txt, cover.png and 3 more`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(", "))?;
        match self.count - self.names.len() as u64 {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

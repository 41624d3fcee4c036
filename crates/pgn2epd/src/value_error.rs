//! The reason why a value is invalid.

/// A value that an option cannot have: the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValueError(String);

impl ValueError {
    pub(crate) fn new(reason: String) -> Self {
        ValueError(reason)
    }
}

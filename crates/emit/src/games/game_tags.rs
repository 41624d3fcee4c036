//! The tag pairs of a game as values.

use std::ops::Deref;
use std::sync::Arc;

use pgn::{TagPair, text_of};

/// A tag pair.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tag {
    /// The name, such as `White`.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
}

/// The tag pairs of a game, shared by its positions. A clone costs no copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTags(Arc<[Tag]>);

impl GameTags {
    pub(crate) fn of(tags: &[TagPair<'_>]) -> Self {
        let tag = |pair: &TagPair<'_>| Tag {
            name: text_of(pair.name()).into_owned(),
            value: pair.text().into_owned(),
        };
        GameTags(tags.iter().map(tag).collect())
    }

    /// Returns the value of a tag: that of the first with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|tag| tag.name == name).map(|tag| &*tag.value)
    }
}

impl Default for GameTags {
    fn default() -> Self {
        GameTags(Arc::new([]))
    }
}

impl Deref for GameTags {
    type Target = [Tag];

    fn deref(&self) -> &[Tag] {
        &self.0
    }
}

//! The text of columns that are made from tags.

use std::borrow::Cow;

use pgn::{TagPair, known_value, text_of};

use super::Column;

/// Returns the text of a column that is made from tags.
pub(super) fn tag_text(column: &Column, tags: &[TagPair<'_>]) -> Option<String> {
    match column {
        Column::Tag(name) => known_value(tags, name.as_bytes()).map(Cow::into_owned),
        Column::Tags => Some(all(tags)),
        Column::Fact(_) | Column::List(_) => None,
    }
}

fn all(tags: &[TagPair<'_>]) -> String {
    let mut text = String::new();
    for tag in tags {
        for part in [text_of(tag.name()), tag.text()] {
            text.extend(
                part.chars().map(|c| if c == '\0' { char::REPLACEMENT_CHARACTER } else { c }),
            );
            text.push('\0');
        }
    }
    text
}

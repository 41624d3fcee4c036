//! One-line title of a game: `White - Black, Event, Site, Date, Round, Result`, without unknown
//! parts.

use pgn::{TagPair, text_of};

/// Index of the Date tag in the title.
const DATE: usize = 4;

/// Returns the index of a tag in the title (PGN standard 8.1.1).
fn place(name: &[u8]) -> Option<usize> {
    match name {
        b"White" => Some(0),
        b"Black" => Some(1),
        b"Event" => Some(2),
        b"Site" => Some(3),
        b"Date" => Some(DATE),
        b"Round" => Some(5),
        b"Result" => Some(6),
        _ => None,
    }
}

/// Writes the title of the game to `title`, which is empty if nothing is known.
pub(crate) fn write(tags: &[TagPair<'_>], title: &mut String) {
    let mut values: [Option<&TagPair<'_>>; 7] = [None; 7];
    for tag in tags {
        if let Some(i) = place(tag.name()) {
            values[i].get_or_insert(tag);
        }
    }
    let [white, black, rest @ ..] = values.map(|tag| tag.filter(|tag| !tag.is_unknown()));
    let mut bytes = std::mem::take(title).into_bytes();
    bytes.clear();
    if white.is_some() || black.is_some() {
        push(&mut bytes, white);
        bytes.extend_from_slice(b" - ");
        push(&mut bytes, black);
    }
    for (i, value) in rest.into_iter().enumerate() {
        if value.is_some() {
            if !bytes.is_empty() {
                bytes.extend_from_slice(b", ");
            }
            push(&mut bytes, value);
            if 2 + i == DATE {
                drop_unknown_end(&mut bytes);
            }
        }
    }
    *title = match String::from_utf8(bytes) {
        Ok(title) => title,
        Err(error) => text_of(error.as_bytes()).into_owned(),
    };
}

fn push(title: &mut Vec<u8>, tag: Option<&TagPair<'_>>) {
    match tag {
        None => title.push(b'?'),
        Some(tag) => title.extend_from_slice(tag.value().trim_ascii()),
    }
}

/// Shortens `1992.??.??` to `1992`.
fn drop_unknown_end(title: &mut Vec<u8>) {
    while title.ends_with(b".??") {
        title.truncate(title.len() - 3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_has_what_is_known() {
        let cases = [
            ("", ""),
            (
                r#"[Event "?"] [Site "?"] [Date "????.??.??"] [Round "?"] [White "?"] [Black "?"] [Result "*"]"#,
                "",
            ),
            (
                r#"[Result "1-0"] [Event "London"] [Site "London ENG"] [Date "1851.06.21"] [White "Anderssen, Adolf"] [Black "Kieseritzky, Lionel"]"#,
                "Anderssen, Adolf - Kieseritzky, Lionel, London, London ENG, 1851.06.21, 1-0",
            ),
            (r#"[White "A"] [Round "3"] [Date "1992.??.??"]"#, "A - ?, 1992, 3"),
            (r#"[Event "E"] [Event "F"]"#, "E"),
        ];
        for (tags, expected) in cases {
            let text = format!("{tags} 1. e4 *");
            let game = pgn::games(text.as_bytes()).next().unwrap();
            let mut title = String::new();
            write(game.tags(), &mut title);
            assert_eq!(title, expected, "{tags}");
        }
    }
}

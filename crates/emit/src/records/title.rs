//! One-line title of a game: `White - Black, Event, Site, Date, Round, Result`, without unknown
//! parts.

use epd::is_plain;
use pgn::TagPair;

const DATE: usize = 4;

#[inline(always)]
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

pub(crate) fn write(tags: &[TagPair<'_>], title: &mut String) -> bool {
    let mut bytes = std::mem::take(title).into_bytes();
    // Nearly all titles are plain, which is cheaper to find out as a whole than for each tag.
    let mut is_trimmed = true;
    append(tags, &mut bytes, |tag, bytes| {
        is_trimmed &= !tag.raw_value().ends_with(b" ");
        bytes.extend_from_slice(tag.raw_value());
    });
    if !is_trimmed || bytes.contains(&b'\\') || !is_plain(&bytes) {
        append(tags, &mut bytes, |tag, bytes| bytes.extend_from_slice(tag.value().trim_ascii()));
    }
    let is_printable = is_plain(&bytes);
    *title = String::from_utf8(bytes).unwrap_or_else(|error| {
        // Each tag has its own encoding.
        let mut bytes = error.into_bytes();
        append(tags, &mut bytes, |tag, bytes| {
            bytes.extend_from_slice(tag.text().trim().as_bytes())
        });
        String::from_utf8(bytes).unwrap_or_default()
    });
    is_printable
}

#[inline(always)]
fn append(
    tags: &[TagPair<'_>],
    title: &mut Vec<u8>,
    mut push: impl FnMut(&TagPair<'_>, &mut Vec<u8>),
) {
    let mut values: [Option<&TagPair<'_>>; 7] = [None; 7];
    for tag in tags {
        if let Some(i) = place(tag.name()) {
            values[i].get_or_insert(tag);
        }
    }
    let [white, black, rest @ ..] = values.map(|tag| tag.filter(|tag| is_known(tag)));
    title.clear();
    if white.is_some() || black.is_some() {
        let mut player = |tag: Option<&TagPair<'_>>, title: &mut Vec<u8>| match tag {
            Some(tag) => push(tag, title),
            None => title.push(b'?'),
        };
        player(white, title);
        title.extend_from_slice(b" - ");
        player(black, title);
    }
    for (i, value) in rest.into_iter().enumerate() {
        if let Some(tag) = value {
            if !title.is_empty() {
                title.extend_from_slice(b", ");
            }
            push(tag, title);
            // `1992.??.??` is 1992.
            while 2 + i == DATE && title.ends_with(b".??") {
                title.truncate(title.len() - 3);
            }
        }
    }
}

/// Whether the value of a tag of the title is known; most begin with a letter or digit.
#[inline(always)]
fn is_known(tag: &TagPair<'_>) -> bool {
    tag.raw_value().first().is_some_and(u8::is_ascii_alphanumeric) || !tag.is_unknown()
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

    #[test]
    fn each_tag_of_a_title_has_its_own_encoding() {
        let text = b"[White \"\xc4\x90or\xc4\x91e\"] [Black \"M\xfcller \"] [Event \"a\"] 1. e4 *";
        let mut title = String::new();
        write(pgn::games(text).next().unwrap().tags(), &mut title);
        assert_eq!(title, "Đorđe - Müller, a");
    }
}

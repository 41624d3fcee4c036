//! Likely mistakes in a filter that matched nothing.

use super::parse::Tag;

/// Tags defined by the PGN standard or written by common programs.
const KNOWN: [&str; 43] = [
    "Annotator",
    "Black",
    "BlackElo",
    "BlackFideId",
    "BlackNA",
    "BlackTeam",
    "BlackTitle",
    "BlackType",
    "BlackUSCF",
    "Board",
    "Date",
    "ECO",
    "Event",
    "EventDate",
    "EventRounds",
    "EventSponsor",
    "EventType",
    "FEN",
    "GameId",
    "Mode",
    "NIC",
    "Opening",
    "PlyCount",
    "Result",
    "Round",
    "Section",
    "SetUp",
    "Site",
    "Source",
    "Stage",
    "SubVariation",
    "Termination",
    "Time",
    "TimeControl",
    "UTCDate",
    "UTCTime",
    "Variant",
    "Variation",
    "White",
    "WhiteElo",
    "WhiteFideId",
    "WhiteTeam",
    "WhiteTitle",
];

/// Returns one line for each tag that no game has.
pub(super) fn hints(tags: &[Tag], seen: u64) -> Vec<String> {
    let was_seen = |index: usize| index >= 64 || seen >> index & 1 == 1;
    let missing = tags.iter().enumerate().filter(|(index, _)| !was_seen(*index));
    missing.map(|(_, tag)| hint(tag)).collect()
}

fn hint(tag: &Tag) -> String {
    let name = &tag.name;
    if let Some(known) = KNOWN.into_iter().find(|known| is_close(known, name)) {
        return format!("no game has a tag {name}; did you mean {known}?");
    }
    match &tag.as_text {
        // A known name is a tag, even if these games lack it.
        Some(comparison) if !KNOWN.contains(&&**name) => {
            format!("no game has a tag {name}; to compare with text, quote it: {comparison}")
        }
        _ => format!("no game has a tag {name}"),
    }
}

/// Returns whether a name differs from a known one only in case or in one letter.
fn is_close(known: &str, name: &str) -> bool {
    known != name
        && (known.eq_ignore_ascii_case(name) || (known.len() > 4 && differ_in_one(known, name)))
}

/// Returns whether two words differ by one insertion, deletion, substitution or transposition.
fn differ_in_one(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    match a.len().abs_diff(b.len()) {
        0 => a.len() <= 1 || a[1..] == b[1..] || a[2..] == b[2..] && a[0] == b[1] && a[1] == b[0],
        1 if a.len() > b.len() => a[1..] == *b,
        1 => b[1..] == *a,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::filter::Filter;

    #[test]
    fn a_tag_that_no_game_has_gets_a_correction() {
        // condition, tags that games have as bits, hints
        let cases: [(&str, u64, &[&str]); 11] = [
            (
                "White = Carlsen",
                0,
                &[
                    "no game has a tag White",
                    "no game has a tag Carlsen; to compare with text, quote it: White = \"Carlsen\"",
                ],
            ),
            (
                "White = Carlsen",
                1,
                &["no game has a tag Carlsen; to compare with text, quote it: White = \"Carlsen\""],
            ),
            (
                "B90 = ECO",
                2,
                &["no game has a tag B90; to compare with text, quote it: \"B90\" = ECO"],
            ),
            (
                "eco = B90",
                0,
                &["no game has a tag B90; to compare with text, quote it: eco = \"B90\""],
            ),
            ("WhiteELO > 2500", 0, &["no game has a tag WhiteELO; did you mean WhiteElo?"]),
            ("WhiteEol > 2500", 0, &["no game has a tag WhiteEol; did you mean WhiteElo?"]),
            ("Resul = '1-0'", 0, &["no game has a tag Resul; did you mean Result?"]),
            ("Eventt", 0, &["no game has a tag Eventt; did you mean Event?"]),
            ("Xyz or WhiteElo > 1", 2, &["no game has a tag Xyz"]),
            ("WhiteElo < 1000", 0, &["no game has a tag WhiteElo"]),
            ("WhiteElo < 1000", 1, &[]),
        ];
        for (filter, seen, expected) in cases {
            assert_eq!(filter.parse::<Filter>().unwrap().hints(seen), expected, "{filter}");
        }
    }

    #[test]
    fn no_known_tag_is_taken_for_another_one() {
        assert!(KNOWN.is_sorted());
        for known in KNOWN {
            assert!(!KNOWN.into_iter().any(|other| is_close(other, known)), "{known}");
        }
    }
}

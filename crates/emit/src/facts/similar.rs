//! Names that are similar to one that is unknown.

pub(crate) const KNOWN_TAGS: [&str; 43] = [
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

/// Returns names that differ in case, separators or one letter; else prefixes and extensions.
pub(crate) fn names<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    let plain = |name: &str| name.replace(['_', '-', ' '], "").to_ascii_lowercase();
    let plain_name = plain(name);
    let (mut close, mut longer) = (Vec::new(), Vec::new());
    for known in known {
        let plain_known = plain(known);
        let least = plain_name.len().min(plain_known.len());
        let (a, b) = (plain_name.as_str(), plain_known.as_str());
        if a == b || least >= 3 && differ_in_one(a, b) {
            close.push(known);
        } else if least >= 4 && (a.starts_with(b) || b.starts_with(a)) {
            longer.push(known);
        }
    }
    if close.is_empty() { longer } else { close }
}

/// Returns whether a name differs from a known one only in case or in one letter.
pub(crate) fn is_close(known: &str, name: &str) -> bool {
    known != name
        && (known.eq_ignore_ascii_case(name) || (known.len() > 4 && differ_in_one(known, name)))
}

/// Returns whether two words differ by one insertion, deletion, substitution or transposition.
pub(crate) fn differ_in_one(a: &str, b: &str) -> bool {
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

    #[test]
    fn no_known_tag_is_taken_for_another_one() {
        assert!(KNOWN_TAGS.is_sorted());
        for known in KNOWN_TAGS {
            assert!(!KNOWN_TAGS.into_iter().any(|other| is_close(other, known)), "{known}");
        }
    }
}

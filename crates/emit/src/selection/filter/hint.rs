//! Likely mistakes in a filter that matched nothing.

use super::condition::ConditionValues;
use super::parse::Tag;
use crate::facts::{Fact, FactSet, KNOWN_TAGS, did_you_mean, is_close};

pub(super) fn hints(tags: &[Tag], seen: u64, of_records: bool) -> Vec<String> {
    let was_seen = |index: usize| index >= 64 || seen >> index & 1 == 1;
    let missing = tags.iter().enumerate().filter(|(index, _)| !was_seen(*index));
    missing.map(|(_, tag)| if of_records { hint_of_records(tag) } else { hint(tag) }).collect()
}

/// Returns a line per variable of comments that no position had, one for all evaluations.
pub(super) fn missing_values(facts: FactSet, values: ConditionValues) -> Vec<String> {
    let missing = Fact::all().filter(|fact| facts.has(*fact) && values.lack(*fact));
    let what = missing.map(|fact| match fact {
        Fact::Eval | Fact::EvalCp | Fact::Mate | Fact::WhiteCp | Fact::WhiteMate => {
            "an evaluation".to_owned()
        }
        fact => format!("a value of {}", fact.name()),
    });
    let mut lines: Vec<String> =
        what.map(|what| format!("no position that could be selected has {what}")).collect();
    lines.dedup();
    lines
}

/// Returns that nothing has a tag, or an operation or column, that an option names.
pub fn missing_name(name: &str, of_records: bool) -> String {
    let tag = Tag { name: name.to_owned(), as_text: None };
    if of_records { hint_of_records(&tag) } else { hint(&tag) }
}

fn hint_of_records(tag: &Tag) -> String {
    let name = &tag.name;
    let text = tag.as_text.iter().map(|text| format!("; to compare with text, quote it: {text}"));
    let advice = text.chain([did_you_mean(name)]).next().unwrap_or_default();
    format!("no record has an operation or a column {name}{advice}")
}

fn hint(tag: &Tag) -> String {
    let name = &tag.name;
    if let Some(known) = KNOWN_TAGS.into_iter().find(|known| is_close(known, name)) {
        return format!("no game has a tag {name}; did you mean {known}?");
    }
    match &tag.as_text {
        // A known name is a tag, even if these games lack it.
        Some(comparison) if !KNOWN_TAGS.contains(&&**name) => {
            format!("no game has a tag {name}; to compare with text, quote it: {comparison}")
        }
        _ => format!("no game has a tag {name}"),
    }
}

#[cfg(test)]
mod tests {
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
            assert_eq!(filter.parse::<Filter>().unwrap().hints(seen, false), expected, "{filter}");
        }
    }
}

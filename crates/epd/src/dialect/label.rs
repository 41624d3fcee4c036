//! Labeled lines for tuning: `<fields> [0.5]`, `<fields> [0.5] 12`, `<fields> | 35 | 0.5`,
//! `<fields> | 0.5`, `<fields>;0.5`, `<fields> 0.5`, `<fields> "1/2-1/2"`, from White's point of
//! view, and `<fields>,35,1` of c-chess-cli from that of the side to move.

use std::borrow::Cow;
use std::ops::Range;

use san::Color;

use crate::centipawns::Centipawns;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::read::text::Token;

/// The label of such a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Label<'a> {
    /// The result: `1-0`, `0-1` or `1/2-1/2`; for several games, White's mean score as written.
    pub(crate) result: Option<Cow<'a, str>>,
    /// The evaluation in centipawns, from White's point of view.
    pub(crate) score: Option<Centipawns>,
}

impl Label<'_> {
    /// Returns the evaluation from the point of view of the side to move.
    pub(crate) fn evaluation(&self, turn: Color) -> Option<Centipawns> {
        self.score.map(|score| if turn == Color::White { score } else { score.of_other_side() })
    }
}

/// Whether the text can only be a label: a number in brackets, a bar, a result alone, or a score
/// and points after commas.
pub(crate) fn is_label(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'[') => {
            let text = text[1..].trim_start();
            text.starts_with(|c: char| c.is_ascii_digit() || "+-.½".contains(c))
        }
        Some(b'|') => true,
        Some(b',') => with_commas(text, Color::White).is_some(),
        Some(b';' | b'"' | b'.' | b'0'..=b'9') | Some(0x80..) => alone(text).is_some(),
        _ => false,
    }
}

/// Parses all of `text` as a label.
///
/// # Errors
///
/// Returns the offending part.
pub(crate) fn read(
    text: Token<'_>,
    turn: Color,
) -> Result<Label<'_>, (Range<usize>, EpdDiagnosticKind)> {
    let text = text.trim_end();
    let error = || (text.at..text.end(), EpdDiagnosticKind::BadLabel(text.text.to_owned()));
    let label = match text.text.as_bytes().first() {
        Some(b'[') => bracketed(&text.text[1..]),
        Some(b'|') => barred(text.text),
        Some(b',') => with_commas(text.text, turn),
        _ => alone(text.text),
    };
    label.ok_or_else(error)
}

/// `0.5]`, optionally followed by an evaluation.
fn bracketed(text: &str) -> Option<Label<'_>> {
    let (result, score) = text.split_once(']')?;
    let score = match score.trim() {
        "" => None,
        score => Some(centipawns(score)?),
    };
    Some(Label { result: Some(result_of(result)?), score })
}

/// `| 35 | 0.5` or `| 0.5`
fn barred(text: &str) -> Option<Label<'_>> {
    let mut parts = text.strip_prefix('|')?.split('|');
    let (first, second) = (parts.next()?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    match second {
        Some(result) => {
            Some(Label { score: Some(centipawns(first.trim())?), result: Some(result_of(result)?) })
        }
        // A number alone may be a score.
        None => alone(first),
    }
}

/// `0.5`, `"1/2-1/2"`, `;1.0`: a result that is not a whole number.
fn alone(text: &str) -> Option<Label<'_>> {
    let text = text.strip_prefix(';').unwrap_or(text).trim();
    let text = text.strip_suffix(';').unwrap_or(text).trim_end();
    let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let result = result_of(bare).filter(|_| bare.contains(['.', '-', '/', '½']))?;
    Some(Label { result: Some(result), score: None })
}

/// `,35,1`: the score and the half points of the side to move, which may be a mean.
fn with_commas(text: &str, turn: Color) -> Option<Label<'_>> {
    let (score, halves) = text.strip_prefix(',')?.split_once(',')?;
    let score = centipawns(score.trim())?;
    let is_plain = halves.trim().bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let halves: f64 = halves.trim().parse().ok().filter(|halves| is_plain && *halves <= 2.0)?;
    let white = turn.fold_wb(halves, 2.0 - halves);
    let result = match white {
        0.0 => "0-1".into(),
        1.0 => "1/2-1/2".into(),
        2.0 => "1-0".into(),
        mean => format!("{:.5}", mean / 2.0).trim_end_matches('0').to_owned().into(),
    };
    let score = turn.fold_wb(score, score.of_other_side());
    Some(Label { result: Some(result), score: Some(score) })
}

fn centipawns(text: &str) -> Option<Centipawns> {
    text.parse().ok().and_then(Centipawns::new)
}

/// Returns the result of a game: `1-0`, `0-1`, `1/2-1/2` in any spelling, or White's points; of
/// several games, their mean as written.
pub fn result_of(text: &str) -> Option<Cow<'_, str>> {
    Some(Cow::Borrowed(match text.trim() {
        "1" | "1.0" | "1-0" => "1-0",
        "0.5" | ".5" | "1/2-1/2" | "1/2" | "½-½" => "1/2-1/2",
        "0" | "0.0" | "0-1" => "0-1",
        mean => Some(mean).filter(|mean| is_share(mean))?,
    }))
}

/// Whether the text is a number between 0 and 1, without sign or exponent.
fn is_share(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_plain && text.parse().is_ok_and(|share: f64| (0.0..=1.0).contains(&share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_evaluations_are_those_of_white() {
        let label = |text| read(Token { at: 0, text }, Color::Black);
        let white = |result, score: Option<i64>| {
            Ok(Label {
                result: Some(Cow::Borrowed(result)),
                score: score.and_then(Centipawns::new),
            })
        };
        assert_eq!(label("[1.0]"), white("1-0", None));
        assert_eq!(label("[0.5] -12"), white("1/2-1/2", Some(-12)));
        assert_eq!(label("| 35 | 0.0"), white("0-1", Some(35)));
        assert_eq!(label("[1/2]"), white("1/2-1/2", None));
        assert_eq!(label("[0.75]"), white("0.75", None));
        assert_eq!(label("| 3 | 0.3333"), white("0.3333", Some(3)));
        for text in ["| 1.0", "1.0", ";1.0", "; 1.0;", "\"1-0\"", "1-0"] {
            assert_eq!(label(text), white("1-0", None), "{text}");
        }
        // The score and the half points of Black, who is to move.
        assert_eq!(label(",35,2"), white("0-1", Some(-35)));
        assert_eq!(label(", -12, 1"), white("1/2-1/2", Some(12)));
        assert_eq!(label(",0,0.5"), white("0.75", Some(0)));
        let of_white = |text| read(Token { at: 0, text }, Color::White);
        assert_eq!(of_white(",35,2"), white("1-0", Some(35)));
        assert_eq!(of_white(",35,0.3333"), white("0.16665", Some(35)));
        for text in [
            "[2]",
            "[1.0",
            "| x | 0.5",
            "| 35",
            ",35,3",
            ",35",
            ",x,1",
            "| 1 | 0.5 | 3",
            "[1.5]",
            "[-0.5]",
            "[5e-1]",
            "[0.5] 99999",
        ] {
            assert!(label(text).is_err(), "{text}");
        }
        let label = label("[0.5] -12").unwrap();
        assert_eq!(label.evaluation(Color::Black), Centipawns::new(12));
    }

    #[test]
    fn a_result_is_written_in_many_ways() {
        for (expected, texts) in [
            (Some("1-0"), &["1", "1.0", "1-0", " 1.0 "][..]),
            (Some("1/2-1/2"), &["0.5", ".5", "1/2-1/2", "1/2", "½-½"]),
            (Some("0-1"), &["0", "0.0", "0-1"]),
            (None, &["", "1.01", "-1", "+1", "1e0", ".", "x", "2", "0.5.5"]),
        ] {
            for text in texts {
                assert_eq!(result_of(text).as_deref(), expected, "{text:?}");
            }
        }
        assert_eq!(result_of(" 0.25 ").as_deref(), Some("0.25"));
        assert_eq!(result_of("1.000").as_deref(), Some("1.000"));
    }

    #[test]
    fn a_label_is_no_operation() {
        for (text, expected) in [
            ("[0.5]", true),
            ("| 35 | 0.5", true),
            ("0.5", true),
            ("1", false),
            ("0 1", false),
            ("5-1", false),
            (";D1 20", false),
            (";", false),
            ("\"WAC.1\"", false),
            (",bm,e4", false),
            (",35,1", true),
            ("", false),
            (" [", false),
            ("[%eval 0.5]", false),
            ("[bm e4]", false),
            ("[ ½-½]", true),
        ] {
            assert_eq!(is_label(text), expected, "{text:?}");
        }
        let evaluation = |label: Label<'_>, turn| label.evaluation(turn).map(Centipawns::get);
        let label = read(Token { at: 5, text: "| -7 | 1.0  " }, Color::White).unwrap();
        assert_eq!(evaluation(label.clone(), Color::White), Some(-7));
        assert_eq!(evaluation(label, Color::Black), Some(7));
        assert_eq!(read(Token { at: 5, text: "[x]  " }, Color::White).unwrap_err().0, 5..8);
    }
}

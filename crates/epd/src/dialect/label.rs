//! Labeled lines for tuning: `<fields> [0.5]`, `<fields> [0.5] 12`, `<fields> | 35 | 0.5`, from
//! White's point of view.

use std::ops::Range;

use san::Color;

use crate::centipawns::Centipawns;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::read::text::Token;

/// The label of such a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Label<'a> {
    /// The result of the game: `1-0`, `0-1` or `1/2-1/2`; for several games, White's mean score as
    /// written.
    pub(crate) result: Option<&'a str>,
    /// The evaluation in centipawns, from White's point of view.
    pub(crate) score: Option<Centipawns>,
}

impl Label<'_> {
    /// Returns the evaluation from the point of view of the side to move.
    pub(crate) fn evaluation(&self, turn: Color) -> Option<Centipawns> {
        self.score.map(|score| if turn == Color::White { score } else { score.of_other_side() })
    }
}

/// Whether the text can only be a label: a number in brackets, or a bar.
pub(crate) fn is_label(text: &str) -> bool {
    match text.strip_prefix('[').map(str::trim_start) {
        Some(text) => text.starts_with(|c: char| c.is_ascii_digit() || "+-.½".contains(c)),
        None => text.starts_with('|'),
    }
}

/// Parses all of `text` as a label.
///
/// # Errors
///
/// Returns the offending part.
pub(crate) fn read(text: Token<'_>) -> Result<Label<'_>, (Range<usize>, EpdDiagnosticKind)> {
    let text = text.trim_end();
    let error = || (text.at..text.end(), EpdDiagnosticKind::BadLabel(text.text.to_owned()));
    let label = match text.text.strip_prefix('[') {
        Some(bracket) => bracketed(bracket),
        None => barred(text.text),
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

/// `| 35 | 0.5`
fn barred(text: &str) -> Option<Label<'_>> {
    let mut parts = text.strip_prefix('|')?.split('|');
    let (score, result) = (parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    Some(Label { score: Some(centipawns(score.trim())?), result: Some(result_of(result)?) })
}

fn centipawns(text: &str) -> Option<Centipawns> {
    text.parse().ok().and_then(Centipawns::new)
}

fn result_of(text: &str) -> Option<&str> {
    match text.trim() {
        "1" | "1.0" | "1-0" => Some("1-0"),
        "0.5" | ".5" | "1/2-1/2" | "1/2" | "½-½" => Some("1/2-1/2"),
        "0" | "0.0" | "0-1" => Some("0-1"),
        mean => is_share(mean).then_some(mean),
    }
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
        let label = |text| read(Token { at: 0, text });
        let white = |result, score: Option<i64>| {
            Ok(Label { result: Some(result), score: score.and_then(Centipawns::new) })
        };
        assert_eq!(label("[1.0]"), white("1-0", None));
        assert_eq!(label("[0.5] -12"), white("1/2-1/2", Some(-12)));
        assert_eq!(label("| 35 | 0.0"), white("0-1", Some(35)));
        assert_eq!(label("[1/2]"), white("1/2-1/2", None));
        assert_eq!(label("[0.75]"), white("0.75", None));
        assert_eq!(label("| 3 | 0.3333"), white("0.3333", Some(3)));
        for text in [
            "[2]",
            "[1.0",
            "| x | 0.5",
            "| 35",
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
                assert_eq!(result_of(text), expected, "{text:?}");
            }
        }
        assert_eq!((result_of(" 0.25 "), result_of("1.000")), (Some("0.25"), Some("1.000")));
    }

    #[test]
    fn only_a_bracket_or_a_bar_begins_a_label() {
        for (text, expected) in [
            ("[0.5]", true),
            ("| 35 | 0.5", true),
            ("0.5", false),
            ("", false),
            (" [", false),
            ("[%eval 0.5]", false),
            ("[bm e4]", false),
            ("[ ½-½]", true),
        ] {
            assert_eq!(is_label(text), expected, "{text:?}");
        }
        let evaluation = |label: Label<'_>, turn| label.evaluation(turn).map(Centipawns::get);
        let label = read(Token { at: 5, text: "| -7 | 1.0  " }).unwrap();
        assert_eq!(evaluation(label, Color::White), Some(-7));
        assert_eq!(evaluation(label, Color::Black), Some(7));
        assert_eq!(read(Token { at: 5, text: "[x]  " }).unwrap_err().0, 5..8);
    }
}

//! Labeled lines for tuning: `<fields> [0.5]`, `<fields> [0.5] 12`, `<fields> | 35 | 0.5`,
//! `<fields> | 35 | 0.5 | e2e4`, `<fields> | 0.5`, `<fields>;0.5`, `<fields>;35;0.5`, `<fields> 0.5`,
//! `<fields> 35 0.5`, `<fields> "1/2-1/2"`, from White's point of view, and `<fields>,35,1` of
//! c-chess-cli from that of the side to move.

use std::borrow::Cow;
use std::ops::Range;

use san::Color;

use crate::centipawns::Centipawns;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::read::text::Token;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Label<'a> {
    /// The result: `1-0`, `0-1` or `1/2-1/2`; for several games, White's mean score as written.
    pub(crate) result: Option<Cow<'a, str>>,
    /// The evaluation in centipawns, from White's point of view.
    pub(crate) score: Option<Centipawns>,
    pub(crate) played: Option<&'a str>,
}

impl Label<'_> {
    pub(crate) fn evaluation(&self, turn: Color) -> Option<Centipawns> {
        self.score.map(|score| if turn == Color::White { score } else { score.of_other_side() })
    }
}

/// Whether text can only be a label: `[`, `|`, a result, or a score and points after commas.
/// Without clocks before it, a score and a whole number may be clocks themselves.
pub(crate) fn is_label(text: &str, has_clocks: bool) -> bool {
    let pair = |text| {
        pair(text).is_some_and(|_| {
            has_clocks
                || text.contains(['.', '/', '½', ';'])
                || text.ends_with("1-0")
                || text.ends_with("0-1")
        })
    };
    match text.as_bytes().first() {
        Some(b'[') => {
            let text = text[1..].trim_start();
            text.starts_with(|c: char| c.is_ascii_digit() || "+-.½".contains(c))
        }
        Some(b'|') => true,
        Some(b',') => with_commas(text, Color::White).is_some(),
        Some(b';') => alone(text).is_some() || pair(&text[..end(text)]),
        Some(b'"' | b'.' | b'0'..=b'9' | b'+' | b'-') | Some(0x80..) => {
            alone(text).is_some() || pair(text)
        }
        _ => false,
    }
}

/// Up to a semicolon that is not one of its own, before any operations.
pub(crate) fn end(text: &str) -> usize {
    let next = |from: usize| text[from..].find(';').map(|len| from + len);
    let Some(end) = next(usize::from(text.starts_with(';'))) else { return text.len() };
    match text.strip_prefix(';').and_then(|_| centipawns(text[1..end].trim())) {
        Some(_) => next(end + 1).unwrap_or(text.len()),
        None => end,
    }
}

/// Whether text is a result that cannot be a whole number.
pub(crate) fn is_result(text: &str) -> bool {
    alone(text).is_some()
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
        _ => alone(text.text).or_else(|| pair(text.text)),
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
    Some(Label { result: Some(result_of(result)?), score, played: None })
}

/// `35 0.5`, `;35;0.5`
fn pair(text: &str) -> Option<Label<'_>> {
    let mut parts = text.split(|c: char| c == ';' || c.is_ascii_whitespace());
    let mut next = || parts.find(|part| !part.is_empty());
    let (score, result) = (next()?, next()?);
    let (score, result) = (centipawns(score)?, result_of(result)?);
    next().is_none().then_some(Label { score: Some(score), result: Some(result), played: None })
}

/// `| 35 | 0.5`, `| 35 | 0.5 | e2e4` or `| 0.5`
fn barred(text: &str) -> Option<Label<'_>> {
    let mut parts = text.strip_prefix('|')?.split('|');
    let (first, second) = (parts.next()?, parts.next());
    let played = parts.next().map(str::trim);
    let is_move = played.is_none_or(|text| {
        text.starts_with(|c: char| c.is_ascii_alphabetic()) && !text.contains(' ')
    });
    if parts.next().is_some() || !is_move {
        return None;
    }
    match second {
        Some(result) => {
            let (score, result) = (centipawns(first.trim())?, result_of(result)?);
            Some(Label { score: Some(score), result: Some(result), played })
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
    Some(Label { result: Some(result), ..Label::default() })
}

/// `,35,1` or `,35,0.5`: the mover's score, and half points, or points if with a decimal point.
fn with_commas(text: &str, turn: Color) -> Option<Label<'_>> {
    let (score, halves) = text.strip_prefix(',')?.split_once(',')?;
    let score = centipawns(score.trim())?;
    let halves = halves.trim();
    let is_plain = halves.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let unit = if halves.contains('.') { 2.0 } else { 1.0 };
    let halves: f64 = halves.parse().ok().filter(|_| is_plain)?;
    let halves = Some(unit * halves).filter(|halves| *halves <= 2.0)?;
    let white = turn.fold_wb(halves, 2.0 - halves);
    let result = match white {
        0.0 => "0-1".into(),
        1.0 => "1/2-1/2".into(),
        2.0 => "1-0".into(),
        mean => format!("{:.5}", mean / 2.0).trim_end_matches('0').to_owned().into(),
    };
    let score = turn.fold_wb(score, score.of_other_side());
    Some(Label { result: Some(result), score: Some(score), played: None })
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
                played: None,
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
        assert_eq!(label(",0,0.5"), white("1/2-1/2", Some(0)));
        assert_eq!(label(",0,0.25"), white("0.75", Some(0)));
        assert_eq!(label(",0,1.0"), white("0-1", Some(0)));
        for text in ["35 0.0", "35\t0-1", ";35;0.0", "; 35 ; 0", "+35 0"] {
            assert_eq!(label(text), white("0-1", Some(35)), "{text}");
        }
        let played = Label { played: Some("e7e5"), ..white("0-1", Some(35)).unwrap() };
        assert_eq!(label("| 35 | 0.0 | e7e5"), Ok(played));
        let of_white = |text| read(Token { at: 0, text }, Color::White);
        assert_eq!(of_white(",35,2"), white("1-0", Some(35)));
        assert_eq!(of_white(",35,0.3333"), white("0.3333", Some(35)));
        for text in [
            "[2]",
            "[1.0",
            "| x | 0.5",
            "| 35",
            ",35,3",
            ",35,1.5",
            "35 2",
            ";35;x",
            "| 35 | 0.5 |",
            "| 35 | 0.5 | e4 e5",
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
            ("0 1", true),
            ("0 3", false),
            ("-7 0.5", true),
            ("-", false),
            (";35;1.0; c0 \"x\";", true),
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
            assert_eq!(is_label(text, true), expected, "{text:?}");
        }
        for (text, expected) in [("-1 1", false), ("-1 1.0", true), ("7 1-0", true), (";7;1", true)]
        {
            assert_eq!(is_label(text, false), expected, "{text:?}");
        }
        let evaluation = |label: Label<'_>, turn| label.evaluation(turn).map(Centipawns::get);
        let label = read(Token { at: 5, text: "| -7 | 1.0  " }, Color::White).unwrap();
        assert_eq!(evaluation(label.clone(), Color::White), Some(-7));
        assert_eq!(evaluation(label, Color::Black), Some(7));
        assert_eq!(read(Token { at: 5, text: "[x]  " }, Color::White).unwrap_err().0, 5..8);
    }
}

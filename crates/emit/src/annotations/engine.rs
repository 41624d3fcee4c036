//! Reports of engines beside their moves: `+0.25/12 3.4s`, `-M6/20 0.1s, Black mates`, `0.18/23 239
//! (exd6)`.

use san::Color;

use super::{Engine, clock, number, score, tcec};

/// Reads a comment on a move by `mover`; `None` if it was not written by an engine.
///
/// In this format the score is from the view of the mover, and mates are counted in plies.
pub(crate) fn engine(comment: &[u8], mover: Color) -> Option<Engine<'_>> {
    let text = std::str::from_utf8(comment).ok()?.trim();
    if text.starts_with("d=") {
        return tcec::engine(text, mover);
    }
    // `(Nf6)` before the score is the reply that the engine expected.
    let text = match text.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1.trim_start(),
        None => text,
    };
    let (first, rest) = text.split_once('/')?;
    let evaluation = Some(score(first, Some)?);
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let mut engine = Engine { evaluation, depth: Some(number(&rest[..end])?), ..Engine::default() };
    let mut fields = fields(&rest[end..]);
    for word in fields.next().unwrap_or_default().split_whitespace() {
        let is_reply = word.starts_with('(');
        match clock(word.strip_suffix('s').unwrap_or(word)) {
            Some(time) => engine.time = engine.time.or(Some(time)),
            None if is_reply => {}
            // Other text that begins like a score, such as a date.
            None => return None,
        }
    }
    for field in fields {
        match field.split_once('=') {
            Some(("n" | "nodes", value)) => engine.nodes = number(value),
            Some(("pv", value)) => engine.line = Some(value.trim_matches('"')),
            Some(_) => {}
            None => match field.strip_suffix('s').and_then(clock) {
                // Some programs write a comma before the time.
                Some(time) if engine.time.is_none() => engine.time = Some(time),
                _ => engine.ending = Some(field),
            },
        }
    }
    Some(engine)
}

/// Splits at commas outside quotes.
fn fields(text: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    let at_comma = move |c: char| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    };
    text.split(at_comma).map(str::trim)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn scores_are_the_movers_and_mates_are_counted_in_plies() {
        // comment, centipawns, depth, milliseconds
        let cases = [
            ("+0.25/12 3.4s", 25, 12, Some(3400)),
            ("-0.07/9 0s", -7, 9, Some(0)),
            ("0.00/1", 0, 1, None),
            ("+M7/20 0.1s", 32760, 20, Some(100)),
            ("-M6/20 0.1s, Black mates", -32761, 20, Some(100)),
            ("0.18/23 239", 18, 23, Some(239_000)),
            ("0.44/22 278  (exd6)", 44, 22, Some(278_000)),
            ("(Nf6) +0.31/14 5", 31, 14, Some(5000)),
            ("0.61/ 20 103", 61, 20, Some(103_000)),
            ("+0.44/16, 0.2s", 44, 16, Some(200)),
            ("-0.44/16, 0.2s, n=5", -44, 16, Some(200)),
        ];
        for (comment, centipawns, depth, time) in cases {
            for mover in Color::ALL {
                let found = engine(comment.as_bytes(), mover).expect(comment);
                assert_eq!(found.evaluation.unwrap().get(), centipawns, "{comment}");
                assert_eq!(found.depth, Some(depth), "{comment}");
                assert_eq!(found.time, time.map(Duration::from_millis), "{comment}");
            }
        }
    }

    #[test]
    fn more_fields_may_follow() {
        let comment = br#"+0.34/12 0.123s, n=4321, sd=20, pv="e2e4 e7e5, x", White mates"#;
        let found = engine(comment, Color::White).unwrap();
        assert_eq!(found.nodes, Some(4321));
        assert_eq!(found.line, Some("e2e4 e7e5, x"));
        assert_eq!(found.ending, Some("White mates"));
    }

    #[test]
    fn what_people_write_is_not_taken_for_an_engines() {
        for comment in [
            "book",
            "a draw",
            "1/2-1/2",
            "20/12/1993 in Paris",
            "and/or",
            "0-0/1",
            "(Nf6",
            "+0.25",
            "",
            "W=27.6 plies; 503kN/ s",
            "3/4 of the way",
        ] {
            assert_eq!(engine(comment.as_bytes(), Color::White), None, "{comment}");
        }
    }
}

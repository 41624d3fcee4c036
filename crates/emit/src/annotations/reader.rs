//! The reader of comments: bytes to values, in one pass and without allocation.

use epd::Centipawns;
use san::Color;

use super::command::Commands;
use super::decimal::time_in_parentheses;
use super::report::{self, Report};
use super::tcec;

/// Reads what they say about the position; the last of repeated values counts.
#[inline]
pub(crate) fn commands(comments: &[&[u8]], turn: Color) -> Commands {
    let mut commands = Commands::default();
    for comment in comments {
        read(comment, !turn, &mut commands);
    }
    commands
}

/// Returns the first report of an engine about the position before the move, and commands.
#[inline]
pub(crate) fn read_comments<'c>(
    comments: &[&'c [u8]],
    mover: Color,
) -> (Option<Report<'c>>, Commands) {
    let (mut report, mut commands) = (None, Commands::default());
    for comment in comments {
        let found = read(comment, mover, &mut commands);
        report = report.or(found);
    }
    (report, commands)
}

/// Reads what the engine says about the position before its move; `None` if no engine wrote it.
#[inline]
pub(crate) fn report(comment: &[u8], mover: Color) -> Option<Report<'_>> {
    read(comment, mover, &mut Commands::default())
}

/// Reads only the evaluation of [`report`], which takes a fraction of the time.
#[inline(always)]
pub(crate) fn reported_evaluation(comment: &[u8], mover: Color) -> Option<Centipawns> {
    report::plain_evaluation(comment).or_else(|| other_evaluation(comment, mover))
}

fn other_evaluation(comment: &[u8], mover: Color) -> Option<Centipawns> {
    let (text, command, _) = split_at_command(comment);
    let text = text.trim_ascii();
    let found = match text {
        [b'd', b'=', ..] => tcec::evaluation(text, mover),
        [b'+' | b'-' | b'.' | b'(' | b'0'..=b'9' | b'M' | b'#', ..] => {
            report::read(text).and_then(|report| report.evaluation)
        }
        _ => None,
    };
    match command {
        Some(_) if found.is_none() => report(comment, mover)?.evaluation,
        _ => found,
    }
}

/// Reads everything that a program wrote in a comment on a move by `mover`: an engine's report
/// about the position before the move, and commands about the move and the position after it.
///
/// ```
/// use san::Color;
///
/// let comment = b"[%clk 0:01:00] +0.25/12 3.4s, n=4321";
/// let (report, commands) = emit::read_comment(comment, Color::White);
/// let report = report.unwrap();
/// assert_eq!(report.evaluation, epd::Centipawns::new(25));
/// assert_eq!((report.depth, report.nodes), (Some(12), Some(4321)));
/// assert_eq!(commands.clock.unwrap().as_secs(), 60);
/// ```
pub fn read_comment(comment: &[u8], mover: Color) -> (Option<Report<'_>>, Commands) {
    let mut commands = Commands::default();
    let report = read(comment, mover, &mut commands);
    (report, commands)
}

/// Returns whether the move comes from an opening book: `book`, alone or before other fields.
#[inline]
pub fn is_book(comment: &[u8]) -> bool {
    let comment = comment.trim_ascii();
    let comment = comment.strip_prefix(b"(").unwrap_or(comment);
    let Some((word, rest)) = comment.split_at_checked(4) else { return false };
    word.eq_ignore_ascii_case(b"book") && matches!(rest, [] | [b',' | b')', ..])
}

/// Reads a comment on a move by `mover`: commands, and a report before, after or between them.
///
/// ```text
/// [%clk 0:01:00] +0.25/12 3.4s, White mates
/// ```
#[inline]
pub(super) fn read<'c>(
    comment: &'c [u8],
    mover: Color,
    commands: &mut Commands,
) -> Option<Report<'c>> {
    let mut rest = comment.trim_ascii();
    let mut found = None;
    while !rest.is_empty() {
        let (text, command, behind) = split_at_command(rest);
        if found.is_none() {
            found = report_alone(text, mover);
        }
        commands.elapsed = time_in_parentheses(text.trim_ascii()).or(commands.elapsed);
        if let Some(command) = command {
            commands.read(command, !mover);
        }
        rest = behind.trim_ascii_start();
    }
    if let Some(Report { clock: Some(clock), .. }) = found {
        commands.clock = Some(clock);
    }
    found
}

/// Reads a text without commands.
#[inline]
fn report_alone(text: &[u8], mover: Color) -> Option<Report<'_>> {
    let text = text.trim_ascii();
    match text {
        [b'd', b'=', ..] => tcec::read(text, mover),
        [b'+' | b'-' | b'.' | b'(' | b'0'..=b'9' | b'M' | b'#', ..] => report::read(text),
        _ => None,
    }
}

/// Splits at the first command, `[%eval 0.17]`: the text before, `eval 0.17`, the text after.
#[inline]
pub(super) fn split_at_command(text: &[u8]) -> (&[u8], Option<&[u8]>, &[u8]) {
    for at in memchr::memchr_iter(b'[', text) {
        if text.get(at + 1) == Some(&b'%') {
            let Some(len) = memchr::memchr(b']', &text[at..]) else { break };
            return (&text[..at], Some(&text[at + 2..at + len]), &text[at + len + 1..]);
        }
    }
    (text, None, &[])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_evaluation_alone_is_that_of_the_whole_report(
            comment in "[-+]?[0-9]{0,5}(\\.[0-9]{0,3})?/?[0-9]{0,5}( |\\n| \\n)?[0-9]{0,10}(\\.[0-9]{0,4})?s?(, ?|x| )?(n=5|\\[%eval 1.5\\]|s)?",
        ) {
            let bytes = comment.as_bytes();
            let expected = report(bytes, Color::Black).and_then(|report| report.evaluation);
            prop_assert_eq!(reported_evaluation(bytes, Color::Black), expected);
            if let Some(plain) = report::plain_evaluation(bytes) {
                prop_assert_eq!(Some(plain), expected);
            }
        }
    }
}

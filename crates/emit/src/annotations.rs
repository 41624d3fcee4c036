//! Machine-written parts of comments: evaluations, clocks, engine reports. No other module reads
//! them. `[%eval]` is White's view after the move, a report is about the position before its move;
//! here an evaluation is that of the side to move in the position that it refers to (EPD 5.6).

pub(crate) mod report;

use std::borrow::Cow;
use std::time::Duration;

use epd::{Centipawns, Mate};
use pgn::text_of;
use san::{AnyPosition, Color, MoveText, Position};

use crate::ply::{Known, Ply};
use report::{Report, WrittenScore, clock, number, time_in_parentheses};

// Commands of servers and databases: `[%eval 0.17]`, `[%clk 0:05:00]`, `[%timestamp 17]`.

/// Values of the commands in the comments after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Commands {
    /// Evaluation of the position after the move, from the view of the side to move in it.
    pub evaluation: Option<Centipawns>,
    /// Depth of that evaluation, in plies.
    pub depth: Option<u32>,
    /// Remaining time of the player who made the move.
    pub clock: Option<Duration>,
    /// Time spent on the move.
    pub elapsed: Option<Duration>,
}

impl Commands {
    /// `command` has no brackets and no `%`. A value that cannot be read leaves the previous one.
    #[inline]
    fn read(&mut self, command: &[u8], turn: Color) {
        let at = command.iter().position(u8::is_ascii_whitespace).unwrap_or(command.len());
        let value = command[at..].trim_ascii();
        match &command[..at] {
            b"eval" => self.read_evaluation(value, turn),
            b"clk" => self.clock = clock(value).or(self.clock),
            b"emt" => self.elapsed = clock(value).or(self.elapsed),
            // Tenths of a second; chess.com.
            b"timestamp" => {
                let time = number(value).map(|tenths: u32| Duration::from_millis(100) * tenths);
                self.elapsed = time.or(self.elapsed);
            }
            _ => {}
        }
    }

    /// Reads `0.17`, `#-3`, `0.17,22` with a depth, or `17,22` in centipawns.
    #[inline]
    fn read_evaluation(&mut self, value: &[u8], turn: Color) {
        let Some((score, rest)) = WrittenScore::read(value) else { return };
        let (score, depth) = match rest.trim_ascii_start() {
            [] => (score, None),
            // ChessBase writes whole centipawns; the others always write a point.
            [b',', depth @ ..] => (score.as_centipawns(), number(depth.trim_ascii())),
            _ => return,
        };
        if let Some(evaluation) = score.of_white_with_mate_in_moves(turn) {
            (self.evaluation, self.depth) = (Some(evaluation), depth);
        }
    }
}

// The reader of comments: bytes to values, in one pass and without allocation.

#[inline]
pub(crate) fn commands(comments: &[&[u8]], turn: Color) -> Commands {
    read_comments(comments, !turn).1
}

#[inline]
pub(crate) fn read_comments<'c>(
    comments: &[&'c [u8]],
    mover: Color,
) -> (Option<Report<'c>>, Commands) {
    let (mut report, mut commands) = (None, Commands::default());
    for comment in comments {
        let found = read_commands(comment, mover, &mut commands);
        report = report.or(found);
    }
    (report, commands)
}

/// Reads the report of [`read_comments`] without the commands.
#[inline]
pub(crate) fn report(comment: &[u8], mover: Color) -> Option<Report<'_>> {
    let mut rest = comment.trim_ascii();
    while !rest.is_empty() {
        let (text, _, behind) = split_at_command(rest);
        if let Some(report) = report_alone(text, mover) {
            return Some(report);
        }
        rest = behind.trim_ascii_start();
    }
    None
}

/// Reads only the evaluation of [`report`], which takes a fraction of the time.
#[inline(always)]
fn reported_evaluation(comment: &[u8], mover: Color) -> Option<Centipawns> {
    report::plain_evaluation(comment).or_else(|| other_evaluation(comment, mover))
}

fn other_evaluation(comment: &[u8], mover: Color) -> Option<Centipawns> {
    let (text, command, _) = split_at_command(comment);
    let text = text.trim_ascii();
    let found = match text {
        [b'd', b'=', ..] => report::evaluation_of_tcec(text, mover),
        [b'+' | b'-' | b'.' | b'(' | b'0'..=b'9' | b'M' | b'#', ..] => {
            report::read_report(text).and_then(|report| report.evaluation)
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
    read_comments(&[comment], mover)
}

/// Returns whether the move comes from an opening book: `book`, alone or before other fields.
#[inline]
pub fn is_book(comment: &[u8]) -> bool {
    let comment = comment.trim_ascii();
    let comment = comment.strip_prefix(b"(").unwrap_or(comment);
    let Some((word, rest)) = comment.split_at_checked(4) else { return false };
    word.eq_ignore_ascii_case(b"book") && matches!(rest, [] | [b',' | b')', ..])
}

/// Reads commands, and a report before, after or between them: `[%clk 0:01:00] +0.25/12 3.4s`.
#[inline(never)]
fn read_commands<'c>(
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

#[inline]
fn report_alone(text: &[u8], mover: Color) -> Option<Report<'_>> {
    let text = text.trim_ascii();
    match text {
        [b'd', b'=', ..] => report::read_tcec(text, mover),
        [b'+' | b'-' | b'.' | b'(' | b'0'..=b'9' | b'M' | b'#', ..] => report::read_report(text),
        _ => None,
    }
}

/// Splits at the first command, `[%eval 0.17]`: the text before, `eval 0.17`, the text after.
#[inline]
fn split_at_command(text: &[u8]) -> (&[u8], Option<&[u8]>, &[u8]) {
    for at in memchr::memchr_iter(b'[', text) {
        if text.get(at + 1) == Some(&b'%') {
            let Some(len) = memchr::memchr(b']', &text[at..]) else { break };
            return (&text[..at], Some(&text[at + 2..at + len]), &text[at + len + 1..]);
        }
    }
    (text, None, &[])
}

/// Returns the text of a comment on a move by `mover`. Commands such as `[%clk 0:01:00]` are
/// removed unless `keep_commands` is set; of an engine's report only the end of the game is kept.
///
/// ```
/// let text = emit::comment_text(b" [%clk 0:01:00] a blunder ", san::Color::White, false);
/// assert_eq!(text, "a blunder");
/// ```
pub fn comment_text(comment: &[u8], mover: Color, keep_commands: bool) -> Cow<'_, str> {
    let comment = comment.trim_ascii();
    if keep_commands {
        return text_of(comment);
    }
    if let Some(report) = report(comment, mover) {
        return text_of(report.ending.unwrap_or_default());
    }
    if time_in_parentheses(comment).is_some() {
        return Cow::Borrowed("");
    }
    if comment.starts_with(b"book, mb=") {
        return Cow::Borrowed("book");
    }
    match without_commands(comment, |_| true) {
        Cow::Borrowed(text) => text_of(text),
        Cow::Owned(text) => Cow::Owned(text_of(&text).into_owned()),
    }
}

pub(crate) fn without_commands<'c>(
    comment: &'c [u8],
    removes: impl Fn(&[u8]) -> bool,
) -> Cow<'c, [u8]> {
    let (_, Some(_), _) = split_at_command(comment) else { return comment.into() };
    let (mut text, mut rest): (Vec<&[u8]>, _) = (Vec::new(), comment);
    while !rest.is_empty() {
        let (before, command, behind) = split_at_command(rest);
        text.push(before.trim_ascii());
        let name = |command: &'c [u8]| command.split(u8::is_ascii_whitespace).next();
        if command.and_then(name).is_some_and(|name| !removes(name)) {
            text.push(&rest[before.len()..rest.len() - behind.len()]);
        }
        rest = behind;
    }
    text.retain(|part| !part.is_empty());
    text.join(&b' ').into()
}

/// Whether a program wrote it all, as servers and engines do: its [`comment_text`] is empty.
#[inline(never)]
pub(crate) fn is_silent(comment: &[u8]) -> bool {
    let mut rest = comment.trim_ascii_start();
    while rest.starts_with(b"[%") {
        let Some(end) = memchr::memchr(b']', rest) else { return false };
        rest = rest[end + 1..].trim_ascii_start();
    }
    match rest.first() {
        Some(b'(') if time_in_parentheses(rest.trim_ascii_end()).is_some() => true,
        // TCEC writes the score after many other fields.
        Some(b'd') => {
            rest.starts_with(b"d=")
                && memchr::memmem::find(rest, b"wv=").is_some()
                && is_report(rest)
        }
        Some(b'+' | b'-' | b'(' | b'.' | b'0'..=b'9' | b'M' | b'#') => is_report(rest),
        Some(_) => false,
        None => true,
    }
}

fn is_report(comment: &[u8]) -> bool {
    // The color does not affect whether this is a score.
    report(comment, Color::White).is_some_and(|report| report.ending.is_none())
}

pub(crate) fn append_text(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

// Engine analysis of a position, collected from the comments before and after its move.

/// Returns an engine's evaluation of a position, from the view of the side to move.
///
/// Prefers the engine that moved over a comment on the position. The plan must need evaluations, as
/// with the fact [`Eval`](crate::Fact::Eval), since engines write the evaluation of a position
/// after the move played from it.
#[inline(always)]
pub fn evaluation<P: AnyPosition>(ply: &Ply<'_, P>) -> Option<Centipawns> {
    if let Some(known) = ply.known() {
        return known.evaluation;
    }
    let of_position = || commands(ply.comments, ply.position.turn()).evaluation;
    Some(possible(ply, reported(ply).or_else(of_position)?))
}

/// Returns the evaluation in the comments on the move played.
#[inline(always)]
pub(crate) fn reported<P: AnyPosition>(ply: &Ply<'_, P>) -> Option<Centipawns> {
    let turn = ply.position.turn();
    // Not `find_map`, which is not inlined.
    for text in ply.ahead.map_or(&[][..], |ahead| ahead.comments) {
        if let Some(evaluation) = reported_evaluation(text, turn) {
            return Some(evaluation);
        }
    }
    None
}

/// Returns the depth of an engine's evaluation of a position, in plies. The plan must need it, as
/// with the fact [`Depth`](crate::Fact::Depth).
pub fn depth<P: AnyPosition>(ply: &Ply<'_, P>) -> Option<u32> {
    EngineReport::of(ply).depth
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EngineReport<'a> {
    pub(crate) evaluation: Option<Centipawns>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) line: Option<&'a [u8]>,
}

impl<'a> EngineReport<'a> {
    /// The evaluation from the comments on the position, the rest from those on the move played.
    pub(crate) fn of<P: AnyPosition>(ply: &Ply<'a, P>) -> Self {
        if let Some(known) = ply.known() {
            let Known { evaluation, depth, nodes, time, .. } = *known;
            return EngineReport { evaluation, depth, nodes, time, line: None };
        }
        let turn = ply.position.turn();
        let behind = ply.ahead.map_or(&[][..], |ahead| ahead.comments);
        let report = behind.iter().find_map(|comment| report(comment, turn)).unwrap_or_default();
        let (evaluation, depth) = match report {
            Report { evaluation: Some(evaluation), depth: Some(depth), .. } => {
                (Some(evaluation), Some(depth))
            }
            _ => {
                let before = commands(ply.comments, turn);
                (report.evaluation.or(before.evaluation), report.depth.or(before.depth))
            }
        };
        EngineReport {
            evaluation: evaluation.map(|evaluation| possible(ply, evaluation)),
            depth,
            nodes: report.nodes,
            time: report.time,
            line: report.line,
        }
    }

    pub(crate) fn mate_in_moves(&self) -> Option<u32> {
        match self.evaluation?.mate()? {
            Mate::Gives { plies } => Some(plies.div_ceil(2)),
            Mate::Gets { .. } => None,
        }
    }
}

/// Returns what EPD 5.6 permits: 0 if drawn by stalemate or material, and only possible mates.
pub(crate) fn possible<P: AnyPosition>(ply: &Ply<'_, P>, evaluation: Centipawns) -> Centipawns {
    let position = ply.position;
    let is_stalemate =
        || ply.next.is_none() && position.as_chess().is_some_and(Position::is_stalemate);
    match position.is_insufficient_material() || is_stalemate() {
        true => Centipawns::default(),
        false => evaluation.with_possible_mate(),
    }
}

/// Returns the moves of an engine's line up to the first illegal one, and whether there is one.
pub(crate) fn legal_line<P: AnyPosition>(ply: &Ply<'_, P>, text: &[u8]) -> (Vec<MoveText>, bool) {
    let mut position = ply.position.clone();
    let is_number = |word: &[u8]| word.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let mut line = Vec::new();
    for word in text.split(u8::is_ascii_whitespace).filter(|word| !is_number(word)) {
        let Ok(mv) = position.resolve(word) else { return (line, true) };
        line.push(position.san_of(mv));
        position.play_unchecked(mv);
    }
    (line, false)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::annotations::commands;

    #[test]
    fn evaluations_are_those_of_the_side_to_move() {
        // command, White to move, Black to move
        let cases = [
            ("[%eval 0.17]", Some(17), Some(-17)),
            ("[%eval -1.5,22]", Some(-150), Some(150)),
            ("[%eval 13,\n32]", Some(13), Some(-13)),
            ("[%eval 2]", Some(200), Some(-200)),
            // White mates on its third move: after five plies, or six if Black moves first.
            ("[%eval #3]", Some(32762), Some(-32761)),
            ("[%eval #-3]", Some(-32761), Some(32762)),
            ("[%eval #1]", Some(32766), Some(-32765)),
            ("[%eval #3,30]", Some(32762), Some(-32761)),
            ("[%eval 400.00]", Some(32000), Some(-32000)),
            ("[%eval x]", None, None),
            ("[%eval 0.17x]", None, None),
            ("[%eval]", None, None),
            ("[%clk 0:01:00]", None, None),
        ];
        for (comment, white, black) in cases {
            for (turn, expected) in [(Color::White, white), (Color::Black, black)] {
                let found = commands(&[comment.as_bytes()], turn).evaluation;
                assert_eq!(found.map(Centipawns::get), expected, "{comment} {turn:?}");
            }
        }
        assert_eq!(commands(&[b"[%eval -1.5,22]"], Color::White).depth, Some(22));
    }

    #[test]
    fn clocks_are_read_in_all_their_forms() {
        let cases = [
            ("[%clk 0:05:00]", 300_000),
            ("[%clk 1:02:03.4]", 3_723_400),
            ("[%clk\n01:56:25]", 6_985_000),
            ("[%clk 01:30]", 90_000),
        ];
        for (comment, milliseconds) in cases {
            let clock = commands(&[comment.as_bytes()], Color::White).clock;
            assert_eq!(clock, Some(Duration::from_millis(milliseconds)), "{comment}");
        }
        for (comment, milliseconds) in [("[%emt 0:0:4]", 4000), ("[%timestamp 17]", 1700)] {
            let elapsed = commands(&[comment.as_bytes()], Color::White).elapsed;
            assert_eq!(elapsed, Some(Duration::from_millis(milliseconds)), "{comment}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_evaluation_alone_is_that_of_the_whole_report(
            comment in "[-+]?[0-9]{0,5}(\\.[0-9]{0,3})?/?[0-9]{0,5}( |\\n| \\n)?[0-9]{0,10}(\\.[0-9]{0,4})?s?(, ?|x| )?(n=5|\\[%eval 1.5\\]|s)?",
        ) {
            let bytes = comment.as_bytes();
            let (whole, _) = read_comment(bytes, Color::Black);
            prop_assert_eq!(report(bytes, Color::Black), whole);
            let expected = whole.and_then(|report| report.evaluation);
            prop_assert_eq!(reported_evaluation(bytes, Color::Black), expected);
            if let Some(plain) = report::plain_evaluation(bytes) {
                prop_assert_eq!(Some(plain), expected);
            }
        }
    }

    #[test]
    fn commands_are_no_text() {
        let cases = [
            ("best by test", "best by test"),
            (" [%eval 0.17] [%clk 0:00:30] ", ""),
            ("good [%csl Ra1] and [%cal Ga1a8] bad", "good and bad"),
            ("[%clk 0:1", "[%clk 0:1"),
            ("50 [% of them", "50 [% of them"),
            ("+0.25/12 3.4s", ""),
            ("M7/12 3.4s", ""),
            ("[%clk 0:01:00] +0.25/12 3.4s", ""),
            ("[%clk 0:01:00] +0.25/12 3.4s [%emt 0:00:03]", ""),
            ("[%clk 0:01:00] +0.25/12 3.4s, White mates [%emt 0:00:03]", "White mates"),
            ("+M1/12 3.4s, White mates", "White mates"),
            ("-6.31/11 0.005s White wins by adjudication", "White wins by adjudication"),
            ("(0:04)", ""),
            ("(12)", "(12)"),
            ("d=29, sd=72, mt=2341, wv=0.20, R50=50,", ""),
            // Without a score it is not a report.
            ("d=, sd=x, wv=, pv=", "d=, sd=x, wv=, pv="),
            ("book, mb=+0+0+0+0+0,", "book"),
        ];
        for (comment, expected) in cases {
            assert_eq!(comment_text(comment.as_bytes(), Color::White, false), expected);
            assert_eq!(comment_text(comment.as_bytes(), Color::White, true), comment.trim());
            assert_eq!(is_silent(comment.as_bytes()), expected.is_empty(), "{comment}");
        }
    }
}

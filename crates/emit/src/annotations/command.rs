//! Commands of servers and databases in comments: `[%eval 0.17]`, `[%clk 0:05:00]`, `[%emt
//! 0:00:04]`, `[%timestamp 17]`.

use std::time::Duration;

use epd::Centipawns;
use san::Color;

use super::decimal::{clock, number};
use super::score::Score;

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
    pub(super) fn read(&mut self, command: &[u8], turn: Color) {
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
        let Some((score, rest)) = Score::read(value) else { return };
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

#[cfg(test)]
mod tests {
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
}

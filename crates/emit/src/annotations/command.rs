//! Commands of servers and databases in comments: `[%eval 0.17]`, `[%clk 0:05:00]`, `[%emt
//! 0:00:04]`.

use std::time::Duration;

use epd::Centipawns;
use san::Color;

use super::{as_mover, clock, number, score};
use crate::annotations::comment::find_command;

/// Values of the commands in the comments after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Commands {
    /// Evaluation of the position after the move, from the view of the side to move in it.
    pub(crate) evaluation: Option<Centipawns>,
    /// Depth of that evaluation, in plies.
    pub(crate) depth: Option<u32>,
    /// Remaining time of the player who made the move.
    pub(crate) clock: Option<Duration>,
    /// Time spent on the move.
    pub(crate) elapsed: Option<Duration>,
}

/// Reads the comments on a position in which it is `turn`'s move. If a command is repeated, the
/// last one counts.
pub(crate) fn commands(comments: &[&[u8]], turn: Color) -> Commands {
    let mut commands = Commands::default();
    for comment in comments {
        let mut rest = *comment;
        while let Some((start, end)) = find_command(rest) {
            let inner = std::str::from_utf8(&rest[start + 2..end - 1]);
            if let Ok(inner) = inner {
                read(inner, turn, &mut commands);
            }
            rest = &rest[end..];
        }
    }
    commands
}

fn read(command: &str, turn: Color, commands: &mut Commands) {
    let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let value = value.trim();
    match name {
        "eval" => {
            let (value, depth) = match value.split_once(',') {
                Some((value, depth)) => (value.trim(), number(depth.trim())),
                None => (value, None),
            };
            if let Some(evaluation) = evaluation(value, turn) {
                (commands.evaluation, commands.depth) = (Some(evaluation), depth);
            }
        }
        "clk" => commands.clock = clock(value).or(commands.clock),
        "emt" => commands.elapsed = clock(value).or(commands.elapsed),
        _ => {}
    }
}

/// Parses an evaluation in White's view; mates are counted in moves of the side that mates.
fn evaluation(value: &str, turn: Color) -> Option<Centipawns> {
    let white_mates = !value.contains('-');
    let mover_mates = white_mates == (turn == Color::White);
    // If the side to move mates, it also makes the last ply; otherwise both sides make the same
    // number of moves.
    let plies = |moves: u32| match mover_mates {
        true => moves.checked_mul(2)?.checked_sub(1),
        false => moves.checked_mul(2),
    };
    Some(as_mover(score(value, plies)?, turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_those_of_the_side_to_move() {
        // command, White to move, Black to move
        let cases = [
            ("[%eval 0.17]", Some(17), Some(-17)),
            ("[%eval -1.5,22]", Some(-150), Some(150)),
            // White mates on its third move: after five plies, or six if Black moves first.
            ("[%eval #3]", Some(32762), Some(-32761)),
            ("[%eval #-3]", Some(-32761), Some(32762)),
            ("[%eval #1]", Some(32766), Some(-32765)),
            ("[%eval 400.00]", Some(32000), Some(-32000)),
            ("[%eval x]", None, None),
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
            ("[%clk 0:05:00]", 300.0),
            ("[%clk 1:02:03.4]", 3723.4),
            ("[%clk\n01:56:25]", 6985.0),
            ("[%clk 01:30]", 90.0),
        ];
        for (comment, seconds) in cases {
            let clock = commands(&[comment.as_bytes()], Color::White).clock.unwrap();
            assert_eq!(clock.as_secs_f64(), seconds, "{comment}");
        }
        let emt = commands(&[b"[%emt 0:0:4]"], Color::White).elapsed;
        assert_eq!(emt, Some(Duration::from_secs(4)));
    }
}

//! The trait for receivers of plies.

use crate::game::GameContext;
use crate::ply::{Ply, VariantPly};
use crate::problem::{MoveNumber, Problem};
use crate::selection::Omission;

/// A part of the movetext of a game, in the order of the text.
#[derive(Clone, Copy, Debug)]
pub enum Movetext<'a> {
    /// The starting position as FEN, before the first move, if the tags have it in another form.
    Start(&'a str),
    /// A move with its number, in the notation of the [form](crate::GameForm).
    Move(MoveNumber, &'a str),
    /// A NAG, from a number or from the suffix of the move before it.
    Nag(u8),
    /// An annotation in signs, or a number that is too large.
    Sign(&'a [u8]),
    /// A comment, without its braces.
    Comment(&'a [u8]),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// The rest of the line is not played, because of this problem.
    Stop(&'a str),
}

/// Receives from [`Replay`](crate::Replay) the selected positions of each game, in order, and its
/// problems.
///
/// For each game, `begin` is called, then `ply` for each position, then `end` or `discard_game`. An
/// example that counts positions:
///
/// ```
/// use emit::{GameContext, Plan, Ply, Problem, Replay, Sink};
///
/// #[derive(Default)]
/// struct Count(u32);
/// impl Sink for Count {
///     fn ply(&mut self, _: Ply<'_>, _: &GameContext<'_>) { self.0 += 1; }
///     fn discard_game(&mut self) { self.0 = 0; }
///     fn problem(&mut self, problem: Problem) { panic!("{problem}"); }
/// }
///
/// let plan = Plan::default();
/// let mut count = Count::default();
/// Replay::new(pgn::Chunk::whole(b"1. e4 e5 *"), &plan).run(&mut count);
/// assert_eq!(count.0, 3);
/// ```
pub trait Sink {
    /// Receives the offset in the chunk at which the next game begins, and whether all of its
    /// positions are selected. Called before `begin` and `game_filtered_out`, also for a game that
    /// is too large to be read, and only if the plan [asks for texts](crate::Plan::wants_text).
    fn game_start(&mut self, _at: usize, _is_wanted: bool) {}

    /// Begins a game.
    fn begin(&mut self, _game: &GameContext<'_>) {}

    /// Skips a game that the filter rejects, for sinks that count games.
    fn game_filtered_out(&mut self) {}

    /// Receives the next selected position of the game. Those of a variation follow the position
    /// where it begins, which is not repeated.
    fn ply(&mut self, _ply: Ply<'_>, _game: &GameContext<'_>) {}

    /// Receives the position where a variation begins once more, selected or not, with the first
    /// move of the variation, for sinks that count moves.
    fn alternative(&mut self, _ply: Ply<'_>, _is_selected: bool) {}

    /// Receives a position that is not selected and why, for records that depend on earlier
    /// positions.
    #[inline(always)]
    fn skipped_ply(&mut self, _ply: Ply<'_>, _why: Omission) {}

    /// Returns whether the sink accepts games of variants. If not, each of them is an error.
    fn takes_variants(&self) -> bool {
        false
    }

    /// Receives the next position of a game of a variant, and why it is not selected.
    fn variant(
        &mut self,
        _ply: VariantPly<'_>,
        _game: &GameContext<'_>,
        _omitted: Option<Omission>,
    ) {
    }

    /// Receives the next part of the movetext, with all variations that are played. Called between
    /// `begin` and `end`, and only if the plan has a [form](crate::Plan::games) that needs it.
    fn movetext(&mut self, _part: Movetext<'_>) {}

    /// Ends the game and keeps its positions. Its outcome is known now.
    fn end(&mut self, _game: &GameContext<'_>) {}

    /// Discards everything since the last [`Sink::begin`]: the game was cut or is skipped.
    fn discard_game(&mut self) {}

    /// Receives a problem with the game just ended or discarded, or with the text before it.
    fn problem(&mut self, problem: Problem);
}

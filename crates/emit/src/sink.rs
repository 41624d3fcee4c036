//! Who receives the plies of games.

use pgn::{Outcome, Place, TagPair};

use crate::{Ply, Problem, VariantPly};

/// Receives what [`Replay`](crate::Replay) plays: each game's chosen positions in order, and what is wrong with it.
///
/// A game is begun, its plies follow, then it is kept or undone. An example that counts:
///
/// ```
/// use emit::{Plan, Ply, Problem, Replay, Sink};
///
/// #[derive(Default)]
/// struct Count(u32);
/// impl Sink for Count {
///     fn begin(&mut self, _: &[pgn::TagPair<'_>]) {}
///     fn ply(&mut self, _: Ply<'_>) { self.0 += 1; }
///     fn end(&mut self, _: Option<pgn::Outcome>) {}
///     fn undo(&mut self) { self.0 = 0; }
///     fn problem(&mut self, problem: Problem) { panic!("{problem}"); }
/// }
///
/// let plan = Plan::default();
/// let mut count = Count::default();
/// Replay::new(pgn::Chunk::whole(b"1. e4 e5 *"), &plan).run(&mut count);
/// assert_eq!(count.0, 3);
/// ```
pub trait Sink {
    /// The next game's number among those of the chunk, counted from 1, and where it begins in the file. Told before the game
    /// begins, and only if there are [templates](crate::Plan::templates) or [places](crate::Plan::places) are asked for.
    fn number(&mut self, game: u64, place: Place) {
        let _ = (game, place);
    }

    /// A game begins; these are its tag pairs.
    fn begin(&mut self, tags: &[TagPair<'_>]);

    /// A game comes next of which the filter wants nothing; it is passed over, for sinks that count games.
    fn leave_out(&mut self) {}

    /// The next position of the game that the plan selects. Those of a variation come behind the position that it leaves
    /// from, which is not given again.
    fn ply(&mut self, ply: Ply<'_>);

    /// A position that the plan does not select, for sinks whose records depend on what was played before them.
    #[inline(always)]
    fn pass(&mut self, ply: Ply<'_>) {
        let _ = ply;
    }

    /// Whether games of other kinds of chess are of use; else each of them is an error.
    fn takes_variants(&self) -> bool {
        false
    }

    /// The next position of a game of another kind of chess that the plan selects.
    fn variant(&mut self, ply: VariantPly<'_>) {
        let _ = ply;
    }

    /// The game is over, and what was received of it stands; its movetext ends with this result, if it has one.
    fn end(&mut self, outcome: Option<Outcome>);

    /// All that was received since the last [`Sink::begin`] is void: the game was cut, or is to be left out.
    fn undo(&mut self);

    /// Something is wrong with the game just ended or undone, or with the text before it.
    fn problem(&mut self, problem: Problem);
}

//! The plan for a text, whatever it contains.

use std::borrow::Cow;

use emit::{OPERATIONS_OF_GAMES, Plan};
use epd::Register;
use san::EnPassantPolicy;

use crate::inputs::TextKind;
use crate::options::{Format, Options};

/// For positions, the counterpart of `plan`; `held` registers may have been set in the output.
pub(crate) fn plan_of<'p>(
    plan: &'p Plan,
    options: &Options,
    kind: TextKind,
    held: &[Register],
) -> Cow<'p, Plan> {
    if !kind.has_positions() {
        return Cow::Borrowed(plan);
    }
    let mut plan = plan.of_records(options.kept(), held);
    if options.format == Format::Pgn && !kind.has_games() {
        // Each position is a game.
        plan.operations.extend(OPERATIONS_OF_GAMES.map(Box::from));
    }
    if matches!(kind, TextKind::Training(_)) && plan.fields.en_passant == EnPassantPolicy::Always {
        // The formats have the square at most if a pawn can capture.
        plan.fields.en_passant = EnPassantPolicy::Legal;
    }
    Cow::Owned(plan)
}

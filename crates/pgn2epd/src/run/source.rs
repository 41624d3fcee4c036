//! A run over a text, whatever it contains.

use std::borrow::Cow;
use std::io;

use emit::{OPERATIONS_OF_GAMES, Plan};
use epd::Register;
use san::EnPassantPolicy;
use stream::ordered::Pipeline;

use super::entries::run_entries;
use super::games::{OnChunk, run_games};
use super::records::{RecordConsumer, run_records};
#[cfg(feature = "arrow")]
use super::tables::run_tables;
use crate::inputs::{InputText, TextKind};
use crate::observer::Observer;
use crate::options::{Format, Options};
use crate::summary::Summary;

/// Returns the plan for a text: that of games, or its counterpart for positions. `held` are the
/// registers that the output may have set before.
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

/// Passes the positions of a text, with [its plan](plan_of), to a consumer, and calls `deliver`
/// with the results, in their order, until it breaks.
///
/// # Errors
///
/// Returns an error if the text cannot be read. The positions before it have been delivered.
#[expect(clippy::too_many_arguments, reason = "those of the other runs, and the options")]
pub(crate) fn run_source<C: RecordConsumer>(
    text: InputText<'_>,
    options: &Options,
    pipeline: &Pipeline,
    plan: &Plan,
    consumer: &C,
    summary: &mut Summary,
    observer: &mut dyn Observer,
    deliver: OnChunk<'_, C::Result>,
) -> io::Result<()> {
    match text.kind() {
        TextKind::Training(_) | TextKind::Plain => {
            let unit = options.score;
            run_entries(text, unit, pipeline, plan, consumer, summary, observer, deliver)
        }
        #[cfg(feature = "arrow")]
        TextKind::Columns => {
            let folder = options.temporary_folder();
            run_tables(text, &folder, pipeline, plan, consumer, summary, observer, deliver)
        }
        #[cfg(not(feature = "arrow"))]
        TextKind::Columns => Err(io::Error::new(io::ErrorKind::Unsupported, table::NOT_BUILT)),
        kind if kind.has_positions() => {
            run_records(text, options.evals, pipeline, plan, consumer, summary, observer, deliver)
        }
        _ => run_games(text, pipeline, plan, consumer, summary, observer, deliver),
    }
}

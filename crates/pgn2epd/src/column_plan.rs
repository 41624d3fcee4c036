//! The plan of a run that makes rows.

use emit::{Column, Fact, FactSet, Filter, Ops, Plan};
use epd::RegisterStyle;
use openings::NameSource;

use crate::options::{Format, GAME_OF_LEGAL_MOVES, GAME_OF_VALUES, Options, RowKind, names_of};

/// Returns the plan for the columns, without operations that no column needs.
pub(crate) fn plan_of_columns(columns: &[Column], options: &Options) -> Plan {
    // Rows of games find how a game ends when it does.
    let is_late = |fact: &Fact| *fact == Fact::Termination && options.rows == RowKind::Games;
    let facts = columns.iter().filter_map(Column::fact).filter(|fact| !is_late(fact));
    let facts: FactSet = facts.collect();
    let filter = options.filter.as_ref().map(Filter::facts).unwrap_or_default();
    let mut plan = options.plan();
    let has_lists = facts.has(Fact::LegalMoves);
    let largest = if has_lists { GAME_OF_LEGAL_MOVES } else { GAME_OF_VALUES };
    plan.max_game_bytes = options.game_limit(largest);
    let names = options.names.clone();
    if !facts.has(Fact::Record) {
        plan.ops = Ops::NONE;
        plan.registers = RegisterStyle::Off;
        plan.templates = Vec::new();
        plan.names = NameSource::Off;
        if !matches!(options.format, Format::Label(_)) {
            plan.format = match (facts.has(Fact::Fen), facts.has(Fact::Epd)) {
                (true, _) => emit::Format::Fen,
                (false, true) => emit::Format::Epd,
                (false, false) => emit::Format::Nothing,
            };
        }
    }
    plan.facts = facts.union(options.facts_of_selection());
    if plan.facts.union(filter).needs_names() {
        plan.names = names;
    }
    plan.operations.extend(names_of(columns));
    // An empty line is not a row.
    (plan.blank_line, plan.second_blank_line) = (false, false);
    plan
}

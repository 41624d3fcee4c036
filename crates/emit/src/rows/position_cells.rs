//! Writes the facts of positions into columns, or into the lists of columns.

use san::{AnyPosition, Buffer};
use table::{ColumnValues, Rows};

use super::Column;
use super::cell::{push_fact, push_value};
use crate::facts::{CommentFacts, Fact, FactSet};
use crate::ply::Ply;
use crate::records::op::Ops;
use crate::records::plan::{Format, Plan};

/// The columns with a value for each position, grouped by what they depend on: most positions
/// have no comments, and the missing values of those columns are appended later, all at once.
#[derive(Debug)]
pub(super) struct PositionCells<'t> {
    plan: &'t Plan,
    of_record: Vec<usize>,
    of_position: Vec<(usize, Fact)>,
    /// Those that are read from machine-written parts of comments, and their facts.
    of_comments: Vec<(usize, Fact)>,
    comment_facts: FactSet,
    /// The text of comments, and NAGs.
    of_annotations: Vec<(usize, Fact)>,
    count: usize,
    scratch: Buffer,
}

impl<'t> PositionCells<'t> {
    /// Groups the columns that `fact` returns a fact for.
    pub(super) fn new(
        columns: &[Column],
        fact: impl Fn(&Column) -> Option<Fact>,
        plan: &'t Plan,
    ) -> Self {
        let mut cells = PositionCells {
            plan,
            of_record: Vec::new(),
            of_position: Vec::new(),
            of_comments: Vec::new(),
            comment_facts: FactSet::default(),
            of_annotations: Vec::new(),
            count: 0,
            scratch: Buffer::default(),
        };
        for (index, column) in columns.iter().enumerate() {
            let Some(fact) = fact(column) else { continue };
            if is_record(fact, plan) {
                cells.of_record.push(index);
            } else if fact.needs_comments() {
                cells.of_comments.push((index, fact));
                cells.comment_facts.insert(fact);
            } else if matches!(fact, Fact::Comment | Fact::Nags) {
                cells.of_annotations.push((index, fact));
            } else {
                cells.of_position.push((index, fact));
            }
        }
        cells
    }

    pub(super) fn begin(&mut self) {
        self.count = 0;
    }

    /// `record` was written for the position; `values_of` also returns the number before the game.
    #[inline(always)]
    pub(super) fn write<P: AnyPosition>(
        &mut self,
        rows: &mut Rows,
        values_of: impl Fn(&mut ColumnValues) -> (&mut ColumnValues, usize),
        ply: &Ply<'_, P>,
        record: &[u8],
    ) {
        let columns = &mut rows.columns[..];
        for index in &self.of_record {
            values_of(&mut columns[*index]).0.push_text(Some(record));
        }
        for (index, fact) in &self.of_position {
            let (values, _) = values_of(&mut columns[*index]);
            push_fact(values, *fact, ply, self.plan, &mut self.scratch);
        }
        let has_comments = !ply.comments.is_empty()
            || ply.ahead.is_some_and(|ahead| !ahead.comments.is_empty() || ahead.known.is_some());
        if has_comments && !self.of_comments.is_empty() {
            let facts = CommentFacts::of(ply, self.comment_facts);
            for (index, fact) in &self.of_comments {
                if let Some(value) = facts.value(*fact) {
                    let (values, before) = values_of(&mut columns[*index]);
                    values.pad(before + self.count);
                    push_value(values, Some(value));
                }
            }
        }
        if !ply.comments.is_empty() || !ply.nags.is_empty() {
            for (index, fact) in &self.of_annotations {
                let (values, before) = values_of(&mut columns[*index]);
                values.pad(before + self.count);
                push_fact(values, *fact, ply, self.plan, &mut self.scratch);
            }
        }
        self.count += 1;
    }

    pub(super) fn end(
        &self,
        rows: &mut Rows,
        values_of: impl Fn(&mut ColumnValues) -> (&mut ColumnValues, usize),
    ) {
        for (index, _) in self.of_comments.iter().chain(&self.of_annotations) {
            let (values, before) = values_of(&mut rows.columns[*index]);
            values.pad(before + self.count);
        }
    }
}

/// Returns whether the record is written exactly as the column requires.
#[inline(always)]
fn is_record(fact: Fact, plan: &Plan) -> bool {
    let is_bare = plan.ops == Ops::NONE && plan.templates.is_empty() && !plan.variations;
    match fact {
        Fact::Record => true,
        Fact::Fen => is_bare && plan.format == Format::Fen,
        Fact::Epd => is_bare && plan.format == Format::Epd,
        _ => false,
    }
}

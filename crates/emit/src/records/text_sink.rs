//! The sink of records as text.

use std::fmt;

use epd::{RegisterStyle, to_ascii};
use openings::{NameSource, Opening, OpeningTracker};
use san::{AnyPosition, Buffer, Move, Position};

use super::{Text, TextCounts};
use crate::annotations::evaluation;
use crate::game::GameContext;
use crate::labels::{self, LabelForm, Labelled};
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::records::op::Op;
use crate::records::plan::{Format, Plan};
use crate::selection::Omission;
use crate::sink::{RecordSink, Sink};

/// The length of a line that readers accept (EPD 3).
const LONGEST_LINE: usize = 1024;

/// Writes records according to a [`Plan`]; made by [`Text::sink`].
#[derive(Debug)]
pub struct TextSink<'t> {
    text: &'t mut Text,
    plan: &'t Plan,
    naming: OpeningTracker<'t>,
    /// Opening last written; outdated while `is_in_step` and the game follows the graph.
    emitted_opening: Opening<'t>,
    /// Whether `compose` is up to date with the opening last written.
    emitted_is_synced: bool,
    names_directly: bool,
    names_now: bool,
    /// Whether the last record has the opening that is followed, so that it changes only by a name.
    is_in_step: bool,
    is_plain: bool,
    label: Option<LabelForm>,
    /// From this ply on, positions without comments have plain records, until registers change.
    static_from_ply: u32,
    labelled: Option<Labelled>,
    new_problems: Vec<Problem>,
    parts: Option<Parts<'t>>,
    keeps_text: bool,
}

/// How the first game is handed on in parts, so that the records of a huge one need not be held.
struct Parts<'t> {
    pass_on: &'t mut dyn FnMut(&mut Buffer, u64),
    least_bytes: usize,
    is_first: bool,
    has_begun: bool,
}

impl fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("has_begun", &self.has_begun).finish_non_exhaustive()
    }
}

impl Text {
    /// Makes a sink that appends records according to the plan.
    pub fn sink<'t>(&'t mut self, plan: &'t Plan) -> TextSink<'t> {
        TextSink {
            text: self,
            plan,
            naming: plan.opening_tracker(),
            emitted_opening: Opening::default(),
            emitted_is_synced: true,
            names_directly: names_directly(plan),
            names_now: false,
            is_in_step: false,
            label: plan.label(),
            is_plain: plan.registers_of_games().is_empty() && !plan.composes_all(),
            static_from_ply: u32::MAX,
            labelled: None,
            new_problems: Vec::new(),
            parts: None,
            keeps_text: true,
        }
    }
}

impl<'t> TextSink<'t> {
    /// Calls `pass_on` with the records of the first game, which it may take, and their number,
    /// whenever there are about `least_bytes` of them, then continues with an empty buffer. The
    /// game must be complete, not too large, and kept [in spite of errors](crate::OnError).
    pub fn in_parts(
        mut self,
        least_bytes: usize,
        pass_on: &'t mut dyn FnMut(&mut Buffer, u64),
    ) -> Self {
        self.parts = Some(Parts { pass_on, least_bytes, is_first: false, has_begun: false });
        self
    }

    /// Keeps only the records of the current game, for a sink that copies them, in the cache.
    #[must_use]
    pub fn of_current_game(mut self) -> Self {
        self.keeps_text = false;
        self
    }

    pub(crate) fn problems(&mut self) -> &mut Vec<Problem> {
        &mut self.text.problems
    }

    #[cold]
    fn pass_on(&mut self) {
        let Text { bytes, counts, mark, .. } = &mut *self.text;
        if let Some(parts) = &mut self.parts
            && parts.is_first
            && bytes.len() >= parts.least_bytes
        {
            (parts.pass_on)(bytes, counts.positions);
            bytes.clear();
            parts.has_begun = true;
            (counts.positions, mark.0, mark.1.positions) = (0, 0, 0);
        }
    }
}

impl RecordSink for TextSink<'_> {
    #[inline]
    fn text(&self) -> &[u8] {
        self.text.bytes.as_bytes()
    }

    #[inline]
    fn positions(&self) -> u64 {
        self.text.counts.positions
    }

    fn labelled(&self) -> Option<Labelled> {
        self.labelled
    }
}

impl Sink for TextSink<'_> {
    fn begin(&mut self, game: &GameContext<'_>) {
        self.new_problems.clear();
        if let Some(parts) = &mut self.parts {
            (parts.is_first, parts.has_begun) = (game.number == 1, false);
        }
        let Text { bytes, counts, mark, compose, games_before, .. } = &mut *self.text;
        if !self.keeps_text {
            bytes.clear();
        }
        *mark = (bytes.len(), *counts, compose.losses);
        if self.is_plain {
            self.static_from_ply = 0;
            return;
        }
        compose.begin(&game.tags, self.plan, *games_before);
        self.naming.begin(&game.tags);
        (self.emitted_opening, self.emitted_is_synced) = (Opening::default(), true);
        (self.names_now, self.is_in_step) = (false, false);
        self.static_from_ply =
            if compose.is_up_to_date() { self.naming.static_from_ply() } else { u32::MAX };
    }

    // Builds for tests have one copy, see `Replay::run_inlined`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, ply: Ply<'_>, game: &GameContext<'_>) {
        if self.has_no_new_operations(&ply) {
            // One check for free space, with nothing else between it and the record.
            match self.text.bytes.line_without_growth() {
                Some(mut line) => {
                    super::write_record(&ply, self.plan, &mut line);
                    line.finish();
                    self.text.counts.positions += 1;
                }
                None => self.plain_with_growth(&{ ply }),
            }
            return;
        }
        if self.names_now && ply.comments.is_empty() && ply.branches.is_empty() {
            self.named(ply.position, ply.next, ply.number);
            return;
        }
        if self.text.bytes.is_full() {
            self.pass_on();
        }
        // Copied, so that the ply need not be in memory on the fast path.
        match self.label {
            Some(form) => self.label(form, &{ ply }, game),
            None => self.composed(&{ ply }, game),
        }
    }

    #[inline(always)]
    fn skipped_ply(&mut self, ply: Ply<'_>, why: Omission) {
        self.text.counts.omitted.add(why);
        self.pass_over(ply);
    }

    fn takes_variants(&self) -> bool {
        // The Crafty format cannot represent pockets and check counts.
        self.plan.format != Format::Crafty
    }

    fn variant(&mut self, ply: VariantPly<'_>, game: &GameContext<'_>, omitted: Option<Omission>) {
        if let Some(why) = omitted {
            self.text.counts.omitted.add(why);
            return self.text.compose.pass(&ply, self.plan);
        }
        if self.text.bytes.is_full() {
            self.pass_on();
        }
        if let Some(form) = self.label {
            return self.label(form, &ply, game);
        }
        let start = self.text.bytes.len();
        let Text { bytes, compose, counts, .. } = &mut *self.text;
        // Opening tables apply to chess only; names from tags count in variants too.
        let opening = self.naming.opening();
        let problems = &mut self.new_problems;
        let operations = compose.operations(&ply, game, &opening, self.plan, problems);
        super::write_composed(&ply, self.plan, operations, bytes);
        counts.positions += 1;
        self.note_length(start);
        if self.plan.ascii {
            self.replace_other_characters(start);
        }
    }

    fn end(&mut self, _: &GameContext<'_>) {
        self.text.problems.append(&mut self.new_problems);
        if self.plan.blank_line {
            let were_records = self.parts.as_ref().is_some_and(|parts| parts.has_begun);
            let has_records = were_records || self.text.bytes.len() > self.text.mark.0;
            let lines = if has_records || !self.plan.second_blank_line { "\n" } else { "\n\n" };
            self.text.bytes.extend(lines.as_bytes());
        }
    }

    fn discard_game(&mut self) {
        self.new_problems.clear();
        let (bytes, counts, losses) = self.text.mark;
        self.text.bytes.truncate(bytes);
        (self.text.counts, self.text.compose.losses) = (counts, losses);
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}

impl TextSink<'_> {
    #[inline(always)]
    fn pass_over(&mut self, ply: Ply<'_>) {
        self.leave_step();
        if !self.has_no_new_operations(&ply)
            && self.naming.follow(ply.position, ply.next, ply.number)
        {
            self.text.compose.opening_is_up_to_date = false;
            self.static_from_ply = u32::MAX;
        }
        self.text.compose.pass(&ply, self.plan);
    }

    /// Whether only counters and the move change: a single comparison for nearly all records.
    #[inline(always)]
    fn has_no_new_operations(&self, ply: &Ply<'_>) -> bool {
        ply.number >= self.static_from_ply
            && (ply.comments.is_empty() || self.is_plain)
            && ply.branches.is_empty()
    }

    /// Writes a plain record, after handing on the others or with more memory.
    #[cold]
    #[inline(never)]
    fn plain_with_growth(&mut self, ply: &Ply<'_>) {
        self.pass_on();
        let mut line = self.text.bytes.line();
        super::write_record(ply, self.plan, &mut line);
        line.finish();
        self.text.counts.positions += 1;
    }

    #[inline(never)]
    fn composed(&mut self, ply: &Ply<'_>, game: &GameContext<'_>) {
        let start = self.text.bytes.len();
        self.compose_record(ply, game);
        if self.plan.ascii {
            self.replace_other_characters(start);
        }
    }

    /// Counts the record from offset `start` on if readers need not accept its length.
    #[inline(always)]
    fn note_length(&mut self, start: usize) {
        // With the line end.
        if self.text.bytes.len() - start > LONGEST_LINE + 1 {
            self.text.counts.long_records += 1;
        }
    }

    /// Replaces non-ASCII characters from `start` on, which may change whether it is a long record.
    #[cold]
    fn replace_other_characters(&mut self, start: usize) {
        let bytes = &mut self.text.bytes;
        if bytes.as_bytes()[start..].is_ascii() {
            return;
        }
        let record = String::from_utf8_lossy(&bytes.as_bytes()[start..]);
        let (ascii, cut) = to_ascii(&record);
        let ascii = ascii.into_owned();
        let was_long = bytes.len() - start > LONGEST_LINE + 1;
        self.text.counts.long_records -= u64::from(was_long);
        bytes.truncate(start);
        bytes.extend(ascii.as_bytes());
        self.text.compose.losses.shortened += cut;
        self.note_length(start);
    }

    // A second call costs 3 % of the default records of 8moves_v3 (bench `throughput`).
    #[inline(always)]
    fn compose_record(&mut self, ply: &Ply<'_>, game: &GameContext<'_>) {
        if self.names_directly
            && ply.comments.is_empty()
            && ply.branches.is_empty()
            && self.text.compose.begins_plainly()
            && self.first(ply)
        {
            return;
        }
        if let Some(form) = self.label {
            return self.label(form, ply, game);
        }
        self.text.counts.positions += 1;
        self.leave_step();
        let Text { bytes, compose, .. } = &mut *self.text;
        if self.naming.follow(ply.position, ply.next, ply.number) {
            compose.opening_is_up_to_date = false;
        }
        if compose.is_up_to_date() && ply.comments.is_empty() && ply.branches.is_empty() {
            let mut line = bytes.line();
            super::write_record(ply, self.plan, &mut line);
            line.finish();
            return;
        }
        if !std::mem::replace(&mut self.emitted_is_synced, true) {
            compose.set_opening(&self.emitted_opening);
        }
        let opening = self.naming.opening();
        let problems = &mut self.new_problems;
        let operations = compose.operations(ply, game, &opening, self.plan, problems);
        let start = bytes.len();
        super::write_composed(ply, self.plan, operations, bytes);
        self.note_length(start);
        let compose = &self.text.compose;
        self.emitted_opening = self.naming.named();
        self.names_now = self.names_directly && compose.changes_only_opening();
        self.is_in_step = true;
        self.static_from_ply =
            if compose.is_up_to_date() { self.naming.static_from_ply() } else { u32::MAX };
    }

    /// Writes the first record of a game without a name or a comment; returns whether it did.
    #[inline(always)]
    fn first(&mut self, ply: &Ply<'_>) -> bool {
        if self.plan.has_register(Op::Nic) || ply.number != 0 {
            return false;
        }
        if self.naming.follow(ply.position, ply.next, 0) {
            // Named by its FEN: followed once more, with the same result.
            return false;
        }
        let Text { bytes, compose, counts, .. } = &mut *self.text;
        counts.positions += 1;
        super::write_first(ply, self.plan, compose.first_comment(), bytes);
        self.emitted_opening = Opening::default();
        (self.names_now, self.is_in_step) = (true, true);
        self.static_from_ply = self.naming.static_from_ply();
        true
    }

    #[inline(always)]
    fn label<P: AnyPosition>(&mut self, form: LabelForm, ply: &Ply<'_, P>, game: &GameContext<'_>) {
        let Text { bytes, counts, .. } = &mut *self.text;
        self.labelled = labels::record(form, ply, game.result(), self.plan.fields, bytes);
        match self.labelled {
            Some(_) => counts.positions += 1,
            None => self.unlabelled(form, ply, game),
        }
    }

    #[cold]
    fn unlabelled<P: AnyPosition>(
        &mut self,
        form: LabelForm,
        ply: &Ply<'_, P>,
        game: &GameContext<'_>,
    ) {
        let TextCounts { unlabelled, unstorable, .. } = &mut self.text.counts;
        *unlabelled += 1;
        let has_result =
            game.result().is_some() || ply.known().is_some_and(|known| known.points.is_some());
        *if form.needs_evaluation() && evaluation(ply).is_none() {
            &mut unstorable.evaluations
        } else if has_result {
            &mut unstorable.moves
        } else {
            &mut unstorable.results
        } += 1;
    }

    /// Writes a record of which only the opening may change; with names it is never too long.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn named(&mut self, position: &Position, next: Option<Move>, number: u32) {
        if self.text.bytes.is_full() {
            self.pass_on();
        }
        let before = self.naming.node();
        let is_named = self.naming.follow(position, next, number);
        self.text.counts.positions += 1;
        self.text.compose.opening_is_up_to_date = true;
        let mut stored = None;
        match self.naming.node() {
            _ if !self.is_in_step => return self.named_rarely(position, next, number, before),
            None if is_named => return self.named_rarely(position, next, number, before),
            None if before.is_some() => self.emitted_opening = self.naming.named(),
            None => {}
            Some(_) => match self.naming.stored_operations() {
                Some(operations) if before.is_some() => {
                    stored = Some(operations);
                    self.emitted_is_synced = false;
                }
                _ => return self.named_rarely(position, next, number, before),
            },
        }
        let mut line = self.text.bytes.line();
        let ply = Ply::new(position, next, number);
        super::write_preformatted(&ply, self.plan, stored, &mut line);
        line.finish();
    }

    /// After changes of the opening outside the graph; `before` is the node of the last position.
    #[inline(never)]
    fn named_rarely(
        &mut self,
        position: &Position,
        next: Option<Move>,
        number: u32,
        before: Option<u32>,
    ) {
        let ply = &Ply::new(position, next, number);
        if let Some(node) = before.filter(|_| self.is_in_step) {
            self.emitted_opening = self.naming.opening_at(node);
        }
        let bytes = &mut self.text.bytes;
        let opening = self.naming.named();
        if opening.is(&self.emitted_opening) {
            let mut line = bytes.line();
            super::write_record(ply, self.plan, &mut line);
            line.finish();
        } else {
            super::write_named(ply, self.plan, &opening, &self.emitted_opening, bytes);
            self.emitted_is_synced = false;
        }
        self.emitted_opening = opening;
        self.is_in_step = true;
        self.static_from_ply = self.naming.static_from_ply();
    }

    /// Notes the opening last written, before a position that may not be written.
    #[inline]
    fn leave_step(&mut self) {
        if std::mem::take(&mut self.is_in_step)
            && let Some(node) = self.naming.node()
        {
            self.emitted_opening = self.naming.opening_at(node);
        }
    }
}

fn names_directly(plan: &Plan) -> bool {
    let has_table = matches!(plan.names, NameSource::Embedded | NameSource::Table(_));
    has_table
        && plan.format == Format::Epd
        && !plan.ascii
        && plan.registers == RegisterStyle::Delta
        && !plan.composes_all()
        && plan.has_register(Op::Eco)
        && plan.has_register(Op::V)
        && plan.has_register(Op::Nic) == plan.names.has_nic()
}

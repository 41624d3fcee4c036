//! The sink that writes records as text.

use epd::RegisterStyle;
use epd::to_ascii;
use openings::{NameSource, Opening, OpeningTracker};
use pgn::{Outcome, Place, TagPair};
use san::{AnyPosition, Buffer};

use crate::compose::Compose;
use crate::label::Labelled;
use crate::label_form::LabelForm;
use crate::losses::Losses;
use crate::op::Op;
use crate::parts::{Part, Parts};
use crate::plan::{Format, Plan};
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::sink::Sink;
use crate::{label, write};

/// The records of games, and their problems.
#[derive(Debug, Default)]
pub struct Text {
    /// The records, each with its line end.
    pub bytes: Buffer,
    /// Number of records.
    pub positions: u64,
    /// Number of positions not written because the format needs a result, evaluation or move that
    /// the game lacks.
    pub unlabelled: u64,
    /// Problems, in the order of the text.
    pub problems: Vec<Problem>,
    /// Number of games in the file before those of the chunk; only set if the plan [counts
    /// games](Plan::counts_games).
    pub games_before: u64,
    /// State before the current game: bytes, positions, losses and unlabelled positions.
    mark: (usize, u64, Losses, u64),
    compose: Compose,
}

impl Text {
    /// Removes everything and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.problems.clear();
        self.compose.losses = Losses::default();
        (self.positions, self.unlabelled, self.mark) = (0, 0, (0, 0, Losses::default(), 0));
    }

    /// Returns the counts of omitted or changed text.
    pub fn losses(&self) -> Losses {
        self.compose.losses
    }

    /// Makes a sink that appends records according to the plan.
    pub fn sink<'t>(&'t mut self, plan: &'t Plan) -> TextSink<'t> {
        TextSink {
            text: self,
            plan,
            naming: plan.opening_tracker(),
            held: Opening::default(),
            held_at: None,
            held_is_known: true,
            names_directly: names_directly(plan),
            is_plain: plan.registers == RegisterStyle::Off && !plan.composes_all(),
            quiet_from: u32::MAX,
            labelled: None,
            new_problems: Vec::new(),
            parts: None,
        }
    }
}

/// Writes records according to a [`Plan`]; made by [`Text::sink`].
#[derive(Debug)]
pub struct TextSink<'t> {
    text: &'t mut Text,
    plan: &'t Plan,
    naming: OpeningTracker<'t>,
    /// Opening last written; outdated if `held_at` identifies it.
    held: Opening<'t>,
    /// Node of the move tree with the opening last written.
    held_at: Option<u32>,
    /// Whether `compose` is up to date with the opening last written.
    held_is_known: bool,
    /// Whether records that differ only in the opening take the fast path.
    names_directly: bool,
    /// Whether all records have only counters and the move played.
    is_plain: bool,
    /// From this ply on, positions without comments have plain records, unless the registers change
    /// first.
    quiet_from: u32,
    /// The label of the last record, if it is a labelled position.
    labelled: Option<Labelled>,
    /// Problems found while the game was written.
    new_problems: Vec<Problem>,
    /// Consumer of partial output, if there is one.
    parts: Option<Parts<'t>>,
}

impl<'t> TextSink<'t> {
    /// Returns the number of bytes of records.
    pub fn written(&self) -> usize {
        self.text.bytes.len()
    }

    /// Returns the records.
    pub fn written_text(&self) -> &[u8] {
        self.text.bytes.as_bytes()
    }

    /// Calls `hand_on` with the records of the first game whenever there are about `least_bytes` of
    /// them, then continues with an empty buffer. The caller must ensure that the game is not
    /// undone: it is complete, not too large, and kept [in spite of errors](crate::OnError).
    pub fn in_parts(mut self, least_bytes: usize, hand_on: &'t mut dyn FnMut(Part<'_>)) -> Self {
        self.parts = Some(Parts::new(least_bytes, hand_on));
        self
    }

    /// Hands on the records of a huge game instead of growing the buffer.
    #[cold]
    fn hand_on(&mut self) {
        let Text { bytes, positions, mark, .. } = &mut *self.text;
        if let Some(parts) = &mut self.parts
            && parts.take(bytes, *positions)
        {
            (*positions, mark.0, mark.1) = (0, 0, 0);
        }
    }

    /// Returns the label of the last record, if it is a labelled position.
    pub fn labelled(&self) -> Option<Labelled> {
        self.labelled
    }
}

impl Sink for TextSink<'_> {
    fn number(&mut self, game: u64, place: Place) {
        self.text.compose.described.number(game, place);
    }

    fn length(&mut self, plies: u32) {
        self.text.compose.described.length(plies);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.new_problems.clear();
        if let Some(parts) = &mut self.parts {
            parts.next_game();
        }
        let Text { bytes, positions, unlabelled, mark, compose, .. } = &mut *self.text;
        *mark = (bytes.len(), *positions, compose.losses, *unlabelled);
        if self.is_plain {
            self.quiet_from = 0;
            return;
        }
        compose.begin(tags, self.plan);
        self.naming.begin(tags);
        (self.held, self.held_at, self.held_is_known) = (Opening::default(), None, true);
        self.quiet_from = if compose.is_settled() { self.naming.quiet_from() } else { u32::MAX };
    }

    fn leave_out(&mut self) {
        if let Some(parts) = &mut self.parts {
            parts.next_game();
        }
    }

    #[inline(always)]
    fn ply(&mut self, ply: Ply<'_>) {
        if self.text.bytes.is_full() {
            self.hand_on();
        }
        if self.is_quiet(&ply) {
            let mut line = self.text.bytes.line();
            write::plain(&ply, self.plan, &mut line);
            line.finish();
            self.text.positions += 1;
        } else {
            // Copied, so that the ply need not be in memory on the fast path.
            self.composed(&{ ply });
        }
    }

    #[inline(always)]
    fn pass(&mut self, ply: Ply<'_>) {
        if !self.is_quiet(&ply) && self.naming.follow(ply.position, ply.next, ply.number) {
            self.text.compose.opening_changed();
            self.quiet_from = u32::MAX;
        }
        self.text.compose.pass(&ply, self.plan);
    }

    fn takes_variants(&self) -> bool {
        // The Crafty format cannot represent pockets and check counts.
        self.plan.format != Format::Crafty
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        if self.text.bytes.is_full() {
            self.hand_on();
        }
        if self.plan.skip.leaves_out(&ply) {
            return self.pass_variant(ply);
        }
        if let Some(form) = self.plan.label() {
            return self.label(form, &ply);
        }
        let start = self.text.bytes.len();
        let Text { bytes, compose, positions, games_before, .. } = &mut *self.text;
        // Opening tables apply to chess only; names from tags count in variants too.
        let opening = self.naming.opening();
        let problems = &mut self.new_problems;
        let operations = compose.operations(&ply, &opening, self.plan, *games_before, problems);
        write::composed(&ply, self.plan, operations, bytes);
        *positions += 1;
        self.replace_other_characters(start);
    }

    fn pass_variant(&mut self, ply: VariantPly<'_>) {
        self.text.compose.pass(&ply, self.plan);
    }

    fn end(&mut self, _outcome: Option<Outcome>) {
        self.text.problems.append(&mut self.new_problems);
        if self.plan.blank_line {
            let were_records = self.parts.as_ref().is_some_and(|parts| parts.has_begun);
            let has_records = were_records || self.text.bytes.len() > self.text.mark.0;
            let lines = if has_records || !self.plan.second_blank_line { "\n" } else { "\n\n" };
            self.text.bytes.extend(lines.as_bytes());
        }
    }

    fn undo(&mut self) {
        self.new_problems.clear();
        let (len, positions, losses, unlabelled) = self.text.mark;
        self.text.bytes.truncate(len);
        self.text.positions = positions;
        self.text.compose.losses = losses;
        self.text.unlabelled = unlabelled;
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}

impl TextSink<'_> {
    /// Returns whether the record can have no operations except counters and the move played. A
    /// single comparison for nearly all records.
    #[inline(always)]
    fn is_quiet(&self, ply: &Ply<'_>) -> bool {
        ply.number >= self.quiet_from && ply.comments.is_empty() && ply.branches.is_empty()
    }

    /// Writes a record that may have other operations, or may be left out.
    #[inline(never)]
    fn composed(&mut self, ply: &Ply<'_>) {
        let start = self.text.bytes.len();
        self.compose_record(ply);
        self.replace_other_characters(start);
    }

    /// Replaces non-ASCII characters from offset `start` on, if the plan requires it.
    fn replace_other_characters(&mut self, start: usize) {
        let bytes = &mut self.text.bytes;
        if !self.plan.ascii || bytes.as_bytes()[start..].is_ascii() {
            return;
        }
        let record = String::from_utf8_lossy(&bytes.as_bytes()[start..]);
        let (ascii, cut) = to_ascii(&record);
        let ascii = ascii.into_owned();
        bytes.truncate(start);
        bytes.extend(ascii.as_bytes());
        self.text.compose.losses.shortened += cut;
    }

    fn compose_record(&mut self, ply: &Ply<'_>) {
        if self.names_directly
            && ply.comments.is_empty()
            && ply.branches.is_empty()
            && self.text.compose.changes_only_opening()
        {
            return self.named(ply);
        }
        if self.plan.skip.leaves_out(ply) {
            return self.pass(*ply);
        }
        if let Some(form) = self.plan.label() {
            return self.label(form, ply);
        }
        self.text.positions += 1;
        let Text { bytes, compose, games_before, .. } = &mut *self.text;
        if self.naming.follow(ply.position, ply.next, ply.number) {
            compose.opening_changed();
        }
        if compose.is_plain(ply) {
            let mut line = bytes.line();
            write::plain(ply, self.plan, &mut line);
            line.finish();
            return;
        }
        if !std::mem::replace(&mut self.held_is_known, true) {
            if let Some(node) = self.held_at {
                self.held = self.naming.opening_at(node);
            }
            compose.opening_told(&self.held);
        }
        let opening = self.naming.opening();
        let operations =
            compose.operations(ply, &opening, self.plan, *games_before, &mut self.new_problems);
        write::composed(ply, self.plan, operations, bytes);
        (self.held, self.held_at) = (self.naming.named(), self.naming.node());
        self.quiet_from = if compose.is_settled() { self.naming.quiet_from() } else { u32::MAX };
    }

    /// Writes a labelled position, if all values required by its format are known.
    fn label<P: AnyPosition>(&mut self, form: LabelForm, ply: &Ply<'_, P>) {
        let Text { bytes, compose, positions, unlabelled, .. } = &mut *self.text;
        self.labelled = label::record(form, ply, compose.result(ply), self.plan, bytes);
        *if self.labelled.is_some() { positions } else { unlabelled } += 1;
    }

    /// Writes a record in which only the opening may change.
    fn named(&mut self, ply: &Ply<'_>) {
        let before = self.naming.node();
        self.naming.follow(ply.position, ply.next, ply.number);
        let Text { bytes, compose, positions, .. } = &mut *self.text;
        *positions += 1;
        compose.settle_opening();
        self.quiet_from = self.naming.quiet_from();
        let is_held = before.is_some() && before == self.held_at;
        if let Some((tree, node)) = self.naming.complete_node().filter(|_| is_held) {
            let mut line = bytes.line();
            write::told(ply, self.plan, tree, node, &mut line);
            line.finish();
            self.held_at = self.naming.node();
            self.held_is_known &= !node.has_operations();
            return;
        }
        if let Some(node) = self.held_at.take() {
            self.held = self.naming.opening_at(node);
        }
        let opening = self.naming.named();
        if opening.is(&self.held) {
            let mut line = bytes.line();
            write::plain(ply, self.plan, &mut line);
            line.finish();
        } else {
            write::named(ply, self.plan, &opening, &self.held, bytes);
            self.held_is_known = false;
        }
        (self.held, self.held_at) = (opening, self.naming.node());
    }
}

/// Returns whether the names of a table are the only optional operations, apart from comments.
fn names_directly(plan: &Plan) -> bool {
    let has_table = matches!(plan.names, NameSource::Embedded | NameSource::Table(_));
    has_table
        && plan.format == Format::Epd
        && plan.registers == RegisterStyle::Delta
        && !plan.composes_all()
        && plan.has_register(Op::Eco)
        && plan.has_register(Op::V)
        && plan.has_register(Op::Nic) == plan.names.has_nic()
}

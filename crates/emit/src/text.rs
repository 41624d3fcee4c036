//! A sink that writes records as text.

use pgn::{Outcome, Place, TagPair};
use san::Buffer;

use crate::compose::Compose;
use crate::naming::{Naming, Opening};
use crate::parts::Parts;
use crate::{
    Format, Labelled, NameSource, Op, Part, Plan, Ply, Problem, RegisterStyle, Sink, Skip,
    VariantPly, label, write,
};

/// Writes the records of games into a buffer, and keeps the problems.
#[derive(Debug, Default)]
pub struct Text {
    /// The records, each with its line end.
    pub bytes: Buffer,
    /// How many records there are.
    pub positions: u64,
    /// How many records could not be written, since their form needs what is not known: a result, an evaluation, a move.
    pub unlabelled: u64,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    /// How many games of the file come before those of the chunk; only if the plan [counts games](Plan::counts_games).
    pub games_before: u64,
    /// How much there was before the current game.
    mark: (usize, u64, u64, u64),
    compose: Compose,
}

impl Text {
    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.problems.clear();
        self.compose.shortened = 0;
        (self.positions, self.unlabelled, self.mark) = (0, 0, (0, 0, 0, 0));
    }

    /// How many strings were cut, being longer than a string may be.
    pub fn shortened(&self) -> u64 {
        self.compose.shortened
    }

    /// A sink that writes into this as the plan says.
    pub fn sink<'t>(&'t mut self, plan: &'t Plan) -> TextSink<'t> {
        TextSink {
            text: self,
            plan,
            naming: Naming::new(plan),
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

/// Writes records as a [`Plan`] says; made by [`Text::sink`].
#[derive(Debug)]
pub struct TextSink<'t> {
    text: &'t mut Text,
    plan: &'t Plan,
    naming: Naming<'t>,
    /// The opening that a scanning program has, unless a node knows it.
    held: Opening<'t>,
    /// The node in the tree of moves that knows it.
    held_at: Option<u32>,
    /// Whether `compose` knows of it.
    held_is_known: bool,
    /// Whether records at which nothing but the opening changes are made in the short way.
    names_directly: bool,
    /// Whether no record has other operations than counters and the move played.
    is_plain: bool,
    /// From this ply on positions without comments have plain records, as things stand.
    quiet_from: u32,
    /// What the last record says, if it is a labelled position.
    labelled: Option<Labelled>,
    /// What was found wrong with the game while it was written.
    new_problems: Vec<Problem>,
    /// To whom records go before the game is over, if to anybody.
    parts: Option<Parts<'t>>,
}

impl<'t> TextSink<'t> {
    /// How many bytes of records there are.
    pub fn written(&self) -> usize {
        self.text.bytes.len()
    }

    /// The records.
    pub fn written_text(&self) -> &[u8] {
        self.text.bytes.as_bytes()
    }

    /// Calls `hand_on` with records of the first game whenever they are so many bytes, about, and goes on without them. That game
    /// must be one that is not undone: it is whole, not too large, and kept [whatever is wrong with it](crate::OnError).
    pub fn in_parts(mut self, least_bytes: usize, hand_on: &'t mut dyn FnMut(Part<'_>)) -> Self {
        self.parts = Some(Parts::new(least_bytes, hand_on));
        self
    }

    /// Rather than to make room for ever more records of a huge game.
    #[cold]
    fn hand_on(&mut self) {
        let Text { bytes, positions, mark, .. } = &mut *self.text;
        if let Some(parts) = &mut self.parts
            && parts.take(bytes, *positions)
        {
            (*positions, mark.0, mark.1) = (0, 0, 0);
        }
    }

    /// What the last record says, if it is a labelled position.
    pub fn labelled(&self) -> Option<Labelled> {
        self.labelled
    }
}

impl Sink for TextSink<'_> {
    fn number(&mut self, game: u64, place: Place) {
        self.text.compose.described.number(game, place);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.new_problems.clear();
        if let Some(parts) = &mut self.parts {
            parts.next_game();
        }
        let Text { bytes, positions, unlabelled, mark, compose, .. } = &mut *self.text;
        *mark = (bytes.len(), *positions, compose.shortened, *unlabelled);
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
            // A copy, so that the ply itself need not be in memory for the others.
            self.composed(&{ ply });
        }
    }

    #[inline(always)]
    fn pass(&mut self, ply: Ply<'_>) {
        if !self.is_quiet(&ply) && self.naming.follow(&ply) {
            self.text.compose.opening_changed();
            self.quiet_from = u32::MAX;
        }
        self.text.compose.pass(&ply, self.plan);
    }

    fn takes_variants(&self) -> bool {
        // What is quiet, and what a label says, is of chess alone.
        self.plan.label().is_none() && self.plan.skip == Skip::default()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        if self.text.bytes.is_full() {
            self.hand_on();
        }
        let Text { bytes, compose, positions, .. } = &mut *self.text;
        let operations = compose.operations_of_variant(&ply, self.plan);
        write::variant(&ply, self.plan, operations, bytes);
        *positions += 1;
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
        let (len, positions, shortened, unlabelled) = self.text.mark;
        self.text.bytes.truncate(len);
        self.text.positions = positions;
        self.text.compose.shortened = shortened;
        self.text.unlabelled = unlabelled;
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}

impl TextSink<'_> {
    /// Whether nothing but the move played can distinguish the record from others: one comparison for nearly all.
    #[inline(always)]
    fn is_quiet(&self, ply: &Ply<'_>) -> bool {
        ply.number >= self.quiet_from && ply.comments.is_empty() && ply.branches.is_empty()
    }

    /// A record that may have operations that not every record has, or that may not be written at all.
    #[inline(never)]
    fn composed(&mut self, ply: &Ply<'_>) {
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
            let Text { bytes, compose, positions, unlabelled, .. } = &mut *self.text;
            self.labelled = label::record(form, ply, compose.result(ply), self.plan, bytes);
            *if self.labelled.is_some() { positions } else { unlabelled } += 1;
            return;
        }
        self.text.positions += 1;
        let Text { bytes, compose, games_before, .. } = &mut *self.text;
        if self.naming.follow(ply) {
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

    /// A record at which nothing but the opening may change.
    fn named(&mut self, ply: &Ply<'_>) {
        let before = self.naming.node();
        self.naming.follow(ply);
        let Text { bytes, compose, positions, .. } = &mut *self.text;
        *positions += 1;
        compose.settle_opening();
        self.quiet_from = self.naming.quiet_from();
        let is_held = before.is_some() && before == self.held_at;
        if let Some((tree, node)) = self.naming.told().filter(|_| is_held) {
            let mut line = bytes.line();
            write::told(ply, self.plan, tree, node, &mut line);
            line.finish();
            self.held_at = self.naming.node();
            self.held_is_known &= !node.says_anything();
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

/// Whether a record may have the operations of a table's names and no others: those of a scanning program's comments aside.
fn names_directly(plan: &Plan) -> bool {
    let NameSource::Table(names) = &plan.names else { return false };
    plan.format == Format::Epd
        && plan.registers == RegisterStyle::Delta
        && !plan.composes_all()
        && plan.has_register(Op::Eco)
        && plan.has_register(Op::V)
        && plan.has_register(Op::Nic) == names.has_nic()
}

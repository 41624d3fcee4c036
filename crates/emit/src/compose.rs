//! What a record says of its game: comments and other operations that few records have, or that change rarely.

use pgn::{Outcome, TagPair};
use san::Color;

use crate::analysis::Analysis;
use crate::comment::{self, append_text};
use crate::delta::{Family, Single};
use crate::described::Described;
use crate::judgement::{Ending, is_draw};
use crate::mnemonic::Mnemonic;
use crate::naming::Opening;
use crate::operations::Operations;
use crate::plan::OF_ENGINES;
use crate::repetition::Repetition;
use crate::{
    Branch, Format, Op, Plan, Ply, Problem, RegisterStyle, VariantPly, legal_string, title,
};

/// The rank of comments in variations nested so deep that there is none for each level.
const LOWEST_COMMENT: usize = 9;

const ACD: Mnemonic = Mnemonic::new("acd");
const ACN: Mnemonic = Mnemonic::new("acn");
const ACS: Mnemonic = Mnemonic::new("acs");
const CE: Mnemonic = Mnemonic::new("ce");
const DM: Mnemonic = Mnemonic::new("dm");
const DRAW_CLAIM: Mnemonic = Mnemonic::new("draw_claim");
const PV: Mnemonic = Mnemonic::new("pv");
const RC: Mnemonic = Mnemonic::new("rc");
const RESIGN: Mnemonic = Mnemonic::new("resign");
const ECO: Mnemonic = Mnemonic::new("eco");
const NIC: Mnemonic = Mnemonic::new("nic");
pub(crate) const FULLMOVES: Mnemonic = Mnemonic::new("fmvn");
pub(crate) const HALFMOVES: Mnemonic = Mnemonic::new("hmvc");
pub(crate) const SM: Mnemonic = Mnemonic::new("sm");
/// Private, so it begins with a capital letter (EPD 4.2): recursive annotation variation (PGN standard 8.2.5).
const RAV: Mnemonic = Mnemonic::new("Rav");

/// Makes the operations of records, and knows what a program that scans them has in its registers.
#[derive(Debug, Default)]
pub(crate) struct Compose {
    /// What `c0` is to hold.
    game: String,
    /// What `c1` is to hold, or in a variation a register behind it.
    comment: String,
    c: Family,
    v: Family,
    eco: Single,
    nic: Single,
    operations: Operations,
    repetition: Repetition,
    ending: Ending,
    pub(crate) described: Described,
    /// The comments that a scanning program has are right for a position of the main line without any.
    comments_settled: bool,
    /// The opening that it has is right until a position has a name.
    opening_settled: bool,
    /// Every record is different, for other reasons.
    is_restless: bool,
    /// Strings that were cut, being too long.
    pub(crate) shortened: u64,
}

impl Compose {
    /// A game begins.
    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>], plan: &Plan) {
        self.is_restless = plan.registers == RegisterStyle::Full || plan.composes_all();
        self.comments_settled = !plan.has_register(Op::C);
        self.opening_settled = !plan.has_names();
        if plan.has_register(Op::C) {
            title::write(tags, &mut self.game);
            self.shortened += u64::from(shorten(&mut self.game));
        }
        self.c.begin();
        self.v.begin();
        self.eco.begin();
        self.nic.begin();
        if plan.composes_all() {
            self.repetition.begin();
            self.ending = Ending::of(tags);
            self.described.begin(tags, plan);
        }
    }

    /// A position that has no record.
    pub(crate) fn pass(&mut self, ply: &Ply<'_>, plan: &Plan) {
        if plan.counts_repetitions() {
            self.repetition.follow(ply);
        }
    }

    /// The opening is another one than that of the last record.
    pub(crate) fn opening_changed(&mut self) {
        self.opening_settled = false;
    }

    /// Whether of all registers only those of the opening may have to change at a position of the main line without comments.
    pub(crate) fn changes_only_opening(&self) -> bool {
        self.comments_settled && !self.is_restless && !self.v.begins()
    }

    /// The registers hold the opening of the last position.
    pub(crate) fn settle_opening(&mut self) {
        self.opening_settled = true;
    }

    /// A record that was not made here brought the registers to this opening.
    pub(crate) fn opening_told(&mut self, opening: &Opening<'_>) {
        self.eco.hold(opening.eco());
        self.nic.hold(opening.nic());
        self.v.hold(|rank| opening.name?.part(rank));
    }

    /// Whether the registers hold what they should for a position without comments and name.
    pub(crate) fn is_settled(&self) -> bool {
        self.comments_settled && self.opening_settled && !self.is_restless
    }

    /// Whether the record has no other operations than counters and the move played.
    pub(crate) fn is_plain(&self, ply: &Ply<'_>) -> bool {
        self.is_settled() && ply.comments.is_empty() && ply.branches.is_empty()
    }

    /// All operations of the record but the counters and the move played.
    pub(crate) fn operations(
        &mut self,
        ply: &Ply<'_>,
        opening: &Opening<'_>,
        plan: &Plan,
        games_before: u64,
        problems: &mut Vec<Problem>,
    ) -> &mut Operations {
        self.operations.clear();
        self.comment.clear();
        self.registers(ply.comments, ply.position.turn(), ply.branches, opening, plan);
        if !ply.branches.is_empty() {
            let plies: Vec<String> = ply.branches.iter().map(|b| b.ply.to_string()).collect();
            let branches = ply.branches.iter().zip(&plies);
            let words = branches.flat_map(|(b, ply)| [ply.as_bytes(), b.first.as_bytes()]);
            self.operations.words(RAV, words);
        }
        if plan.composes_all() {
            self.by_rule(ply, plan);
            self.analysis(ply, plan);
            let Compose { described, operations, .. } = self;
            self.shortened += described.fill(ply, plan, games_before, operations, problems);
        }
        &mut self.operations
    }

    /// How the game ended: as its tags say, or if they do not as its movetext does.
    pub(crate) fn result(&self, ply: &Ply<'_>) -> Option<Outcome> {
        self.ending.result(ply.ahead?.outcome)
    }

    /// All operations of a record of another kind of chess: of what depends on the rules of chess there is nothing.
    pub(crate) fn operations_of_variant(
        &mut self,
        ply: &VariantPly<'_>,
        plan: &Plan,
    ) -> &mut Operations {
        let VariantPly { position, comments, next, .. } = *ply;
        self.operations.clear();
        self.comment.clear();
        self.registers(comments, position.turn(), &[], &Opening::default(), plan);
        if plan.ops.has(Op::Fmvn) && plan.format != Format::Fen {
            self.operations.number(FULLMOVES, position.fullmoves());
        }
        if plan.ops.has(Op::Hmvc) && plan.format != Format::Fen {
            self.operations.number(HALFMOVES, position.halfmoves());
        }
        if let Some(san) = next.filter(|_| plan.ops.has(Op::Sm)) {
            self.operations.word(SM, san.as_bytes());
        }
        &mut self.operations
    }

    /// What the rules of chess and the end of the game tell.
    fn by_rule(&mut self, ply: &Ply<'_>, plan: &Plan) {
        if plan.counts_repetitions() {
            let count = self.repetition.follow(ply);
            if plan.ops.has(Op::Rc) {
                self.operations.number(RC, count);
            }
        }
        let Some(ahead) = ply.ahead.filter(|_| ply.branches.is_empty()) else { return };
        let resigns = plan.ops.has(Op::Resign) && ahead.plies == 0;
        let turn = ply.position.turn();
        if resigns && self.ending.has_resigned(turn, ahead.outcome, ply.comments) {
            self.operations.bare(RESIGN);
        }
        let Some(last) = ply.next.filter(|_| ahead.plies == 1 && plan.ops.has(Op::DrawClaim))
        else {
            return;
        };
        let mut after = ply.position.clone();
        after.play_unchecked(last);
        let is_drawn = self.ending.result(ahead.outcome) == Some(Outcome::Draw);
        if is_drawn && (is_draw(&after) || self.repetition.count_with(&after) >= 3) {
            self.operations.bare(DRAW_CLAIM);
            // A claim needs the move with which it is made (EPD 5.9).
            self.operations.word(SM, san::san_of(ply.position, last).as_bytes());
        }
    }

    /// What an engine thought of the position.
    fn analysis(&mut self, ply: &Ply<'_>, plan: &Plan) {
        if !plan.ops.has_any(OF_ENGINES) {
            return;
        }
        let analysis = Analysis::of(ply);
        let Compose { operations, .. } = self;
        let mut number = |op, name, value: Option<i64>| {
            if let Some(value) = value.filter(|_| plan.ops.has(op)) {
                operations.number(name, value);
            }
        };
        number(Op::Acd, ACD, analysis.depth.map(i64::from));
        number(Op::Acn, ACN, analysis.nodes.and_then(|nodes| i64::try_from(nodes).ok()));
        let seconds = analysis.time.map(|time| time.as_secs_f64().round() as i64);
        number(Op::Acs, ACS, seconds);
        number(Op::Ce, CE, analysis.evaluation.map(|ce| i64::from(ce.get())));
        number(Op::Dm, DM, analysis.mate_in_moves().map(i64::from));
        if plan.ops.has(Op::Pv) && !analysis.line.is_empty() {
            operations.words(PV, analysis.line.iter().map(san::MoveText::as_bytes));
        }
    }

    fn registers(
        &mut self,
        comments: &[&[u8]],
        turn: Color,
        branches: &[Branch],
        opening: &Opening<'_>,
        plan: &Plan,
    ) {
        let is_main = branches.is_empty();
        let comments_stay = self.comments_settled && comments.is_empty() && is_main;
        if plan.has_register(Op::C) && (self.is_restless || !comments_stay) {
            self.comments(comments, turn, branches.len(), plan);
            self.comments_settled = self.comment.is_empty() && is_main;
        }
        if self.opening_settled && !self.is_restless {
            return;
        }
        let Compose { eco, nic, v, operations, .. } = self;
        if plan.has_register(Op::Eco) {
            eco.bring(ECO, opening.eco(), plan.registers, operations);
        }
        if plan.has_register(Op::Nic) {
            nic.bring(NIC, opening.nic(), plan.registers, operations);
        }
        if plan.has_register(Op::V) {
            let part = |rank| opening.name?.part(rank);
            v.bring(b'v', part, plan.registers, operations);
        }
        // Behind a variation the opening is that of the line outside.
        self.opening_settled = is_main || !plan.has_names();
    }

    /// `c0` is the game, `c1` the comment on the position; in a variation that is one rank lower at each level.
    fn comments(&mut self, comments: &[&[u8]], turn: Color, depth: usize, plan: &Plan) {
        if !comments.is_empty() {
            for bytes in comments {
                let text = comment::text(bytes, !turn, plan.keep_commands);
                append_text(&mut self.comment, &text);
            }
            self.shortened += u64::from(shorten(&mut self.comment));
        }
        let Compose { game, comment, .. } = self;
        let rank = (1 + depth).min(LOWEST_COMMENT);
        let wanted = |register: usize| match register {
            0 => Some(&**game),
            _ if register == rank => Some(&**comment),
            _ => None,
        };
        let wanted = |register| wanted(register).filter(|text| !text.is_empty());
        self.c.bring(b'c', wanted, plan.registers, &mut self.operations);
    }
}

/// Makes a string legal; `true` if that cost some of it.
fn shorten(text: &mut String) -> bool {
    let is_long = text.len() > crate::LONGEST_STRING;
    if let std::borrow::Cow::Owned(legal) = legal_string(text) {
        *text = legal;
    }
    is_long
}

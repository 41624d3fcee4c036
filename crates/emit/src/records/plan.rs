//! The options of a run, evaluated once before the first game.

use std::borrow::Cow;
use std::sync::Arc;

use epd::{Opcode, REGISTER_RANKS, Register, RegisterClearer, RegisterStyle, Rules};
use openings::{NameSource, OpeningTracker};
use pgn::TagPair;
use san::{AnyPosition, FieldStyle, Language, keywords};

use super::op::OpList;
use crate::facts::{Fact, FactSet};
use crate::game::Ending;
use crate::games::game_form::{Evaluations, GameForm};
use crate::labels::LabelForm;
use crate::records::op::{Op, Ops};
use crate::selection::filter::Filter;
use crate::selection::{EvaluationRange, Omission, Omissions, Select};
use crate::source::table::ColumnNames;
use crate::template::Template;

/// The options of a run, compiled for the loop over positions.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Notation of castling rights and the en passant square.
    pub fields: FieldStyle,
    /// Format of a record.
    pub format: Format,
    /// Operations that are made from games.
    pub ops: Ops,
    /// Operations of records that are kept; none in a plan for games.
    pub kept: OpList,
    /// The registers that the output may have set before these records.
    pub held: Vec<Register>,
    /// Whether registers are written always, on change, or not at all.
    pub registers: RegisterStyle,
    /// Source of the opening names in `eco`, `nic` and `v0` to `v9`.
    pub names: NameSource,
    /// Whether the positions of variations are written too.
    pub variations: bool,
    /// Language of the moves; `None` to detect it for each game.
    pub language: Option<Language>,
    /// Whether null moves are played instead of being errors.
    pub null_moves: bool,
    /// Whether to report departures from the standard that have no effect.
    pub notes: bool,
    /// Whether departures from the standard are errors; text with one reading is still played.
    pub strict: bool,
    /// Whether the sink needs all comments as written, including those of engines.
    pub raw_comments: bool,
    /// Treatment of comments.
    pub comments: Comments,
    /// Whether to replace non-ASCII characters in records: see [`to_ascii`](epd::to_ascii).
    pub ascii: bool,
    /// Operations defined by the user.
    pub templates: Vec<Template>,
    /// Name of the input, for templates.
    pub file: String,
    /// The byte of the input at which its text begins.
    pub start: u64,
    /// Facts required by the sink, besides those required by templates and the filter.
    pub facts: FactSet,
    /// Operations of records and tags that are required by the sink.
    pub operations: Vec<Box<str>>,
    /// The rules by which positions of files are read.
    pub rules: Rules,
    /// Names for the columns of tables that are read.
    pub column_names: ColumnNames,
    /// Whether the sink receives the [text](crate::GameContext::text) and the
    /// [place](crate::Sink::game_start) of each game.
    pub wants_text: bool,
    /// How games are written. The sink receives the [movetext](crate::Sink::movetext) if that is
    /// not as they are; variations must be played then.
    pub games: GameForm,
    /// What an engine says of positions, for games in the normal form.
    pub evaluated: Option<Arc<Evaluations>>,
    /// Whether faults in the operations of records are problems, instead of text that is kept as a
    /// comment, and a line without a position is passed on like a game without positions.
    pub reports_faults: bool,
    /// Range of positions of a game to write.
    pub select: Select,
    /// Kinds of positions and games to leave out.
    pub omit: Omissions,
    /// The evaluations of positions to write; a position without one is left out.
    pub eval: Option<EvaluationRange>,
    /// Condition that games and positions must meet.
    pub filter: Option<Filter>,
    /// Names of tags and operations, of which [`Counts::named`](crate::Counts::named) says whether
    /// any game or record has them; 64 at most.
    pub named: Vec<Box<str>>,
    /// The last ply that is played. The rest of the game is skipped, and problems in it are not
    /// reported. Not for use with variations, or where the end of the game matters.
    pub last_played: u32,
    /// Whether an empty line follows the records of each game.
    pub blank_line: bool,
    /// Whether a game without records gets two empty lines, so that it remains visible. Programs do
    /// so that print records separated by line ends and followed by an empty line.
    pub second_blank_line: bool,
    /// Treatment of a game with an error.
    pub on_error: OnError,
    /// Maximum size of a game in bytes; larger games are errors.
    pub max_game_bytes: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            fields: FieldStyle::default(),
            format: Format::default(),
            ops: Ops::default(),
            kept: OpList::NONE,
            held: Vec::new(),
            registers: RegisterStyle::default(),
            names: NameSource::default(),
            variations: false,
            language: Some(Language::English),
            null_moves: false,
            notes: false,
            strict: false,
            raw_comments: false,
            comments: Comments::default(),
            ascii: false,
            templates: Vec::new(),
            file: String::new(),
            start: 0,
            wants_text: false,
            games: GameForm::default(),
            evaluated: None,
            reports_faults: false,
            facts: FactSet::default(),
            operations: Vec::new(),
            rules: Rules::default(),
            column_names: ColumnNames::default(),
            select: Select::default(),
            omit: Omissions::NONE,
            eval: None,
            filter: None,
            named: Vec::new(),
            last_played: u32::MAX,
            blank_line: false,
            second_blank_line: false,
            on_error: OnError::default(),
            max_game_bytes: 64 << 20,
        }
    }
}

impl Plan {
    /// Returns the same plan for records instead of games, of whose operations some are kept.
    /// `held` are the registers that the output may have set before.
    #[must_use]
    pub fn of_records(&self, kept: OpList, held: &[Register]) -> Plan {
        let has_operations = !matches!(self.format, Format::Label(_) | Format::Nothing);
        let kept = if has_operations { kept } else { OpList::NONE };
        let is_bare = kept.is_none() && self.templates.is_empty();
        let selects = self.filter.is_some()
            || self.select != Select::default()
            || self.omit.has(Omission::Start)
            || self.omits_positions();
        Plan {
            ops: Ops::NONE,
            registers: match self.registers {
                _ if is_bare => RegisterStyle::Off,
                // What a record has from those before it is written if they may be left out.
                RegisterStyle::Delta if selects => RegisterStyle::Full,
                style => style,
            },
            kept,
            held: held.to_vec(),
            // The records name openings themselves.
            names: NameSource::Tags,
            blank_line: false,
            ..self.clone()
        }
    }

    /// Returns the names of operations and tags that conditions, templates and columns have.
    pub fn operations_used(&self) -> Vec<&str> {
        let of_filter = self.filter.iter().flat_map(Filter::names);
        let of_templates = self.templates.iter().flat_map(Template::names);
        let of_columns = self.operations.iter().map(|name| &**name);
        let mut names: Vec<&str> = of_filter.chain(of_templates).chain(of_columns).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    pub(crate) fn names_records(&self) -> bool {
        let of_filter = self.filter.as_ref().map(Filter::facts).unwrap_or_default();
        self.facts_of_sink().union(of_filter).needs_names()
    }

    pub(crate) fn needs_records(&self) -> bool {
        !self.kept.is_none()
            || self.operations_used().iter().any(|name| !crate::ply::is_number(name))
    }

    pub(crate) fn reads_operations(&self) -> bool {
        let is_bare = matches!(self.format, Format::Epd | Format::Fen | Format::Crafty);
        !is_bare
            || self.filter.as_ref().is_some_and(|filter| !filter.is_of_operations())
            || self.composes_all()
            || self.omits_positions()
            || self.facts != FactSet::default()
    }

    /// Whether the registers of records are needed, as those before a record set them.
    pub fn resolves_registers(&self) -> bool {
        let is_register =
            |name: &&str| Opcode::from_name(name).and_then(Opcode::register).is_some();
        let is_kept = !self.kept.is_none() && self.registers == RegisterStyle::Full;
        is_kept || self.names_records() || self.operations_used().iter().any(is_register)
    }

    pub(crate) fn select_of<P: AnyPosition>(&self, start: &P) -> Select {
        let select = self.select.of_game(start.fullmoves(), start.turn().is_black());
        let first = select.first.max(u32::from(self.omit.has(Omission::Start)));
        Select { first, ..select }
    }

    #[inline]
    pub(crate) fn has_register(&self, op: Op) -> bool {
        if self.registers == RegisterStyle::Off || !self.ops.has(op) {
            return false;
        }
        match &self.names {
            _ if op == Op::C => true,
            NameSource::Off => false,
            names => op != Op::Nic || names.has_nic(),
        }
    }

    /// Returns what clears registers where only some of the records are written, or in another
    /// order, each planned with [all its registers](RegisterStyle::Full); `None` without registers.
    pub fn register_clearer(&self) -> Option<RegisterClearer> {
        let families = self.registers_of_games();
        let is_needed = self.registers != RegisterStyle::Off && !families.is_empty();
        is_needed.then(|| RegisterClearer::new(&families))
    }

    /// Returns the lowest register of each family that the record of a game may have.
    pub fn registers_of_games(&self) -> Vec<Register> {
        let families = [Op::C, Op::V, Op::Eco, Op::Nic].into_iter();
        families.filter_map(|op| register(op, self.lowest_register(op)?)).collect()
    }

    #[inline]
    pub(crate) fn lowest_register(&self, op: Op) -> Option<usize> {
        match self.has_register(op) {
            true => Some(0),
            false if self.templates.is_empty() => None,
            false => self.lowest_register_of_templates(op),
        }
    }

    #[cold]
    fn lowest_register_of_templates(&self, op: Op) -> Option<usize> {
        let of_templates = || self.templates.iter().filter_map(Template::register);
        (0..REGISTER_RANKS).find(|rank| of_templates().any(|own| register(op, *rank) == Some(own)))
    }

    pub(crate) fn has_names(&self) -> bool {
        [Op::Eco, Op::Nic, Op::V].into_iter().any(|op| self.has_register(op))
    }

    pub(crate) fn counts_repetitions(&self) -> bool {
        self.ops.has_any(BY_RULE)
    }

    pub(crate) fn wants_comments(&self) -> bool {
        self.has_register(Op::C) || self.wants_fact(Fact::Comment) || self.wants_machines()
    }

    pub(crate) fn wants_nags(&self) -> bool {
        self.games.is_normal() || self.wants_fact(Fact::Nags)
    }

    #[cold]
    pub(crate) fn names_in(&self, tags: &[TagPair<'_>]) -> u64 {
        let names = self.named.iter().take(64).enumerate();
        let has = |name: &str| tags.iter().any(|tag| tag.name() == name.as_bytes());
        names.map(|(bit, name)| u64::from(has(name)) << bit).sum()
    }

    fn wants_fact(&self, fact: Fact) -> bool {
        let filter = self.filter.as_ref().is_some_and(|filter| filter.facts().has(fact));
        filter || self.facts_of_sink().has(fact)
    }

    pub(crate) fn wants_machines(&self) -> bool {
        self.comments == Comments::Raw || self.raw_comments || self.reads_machines()
    }

    fn reads_machines(&self) -> bool {
        let needs_evaluation = self.label().is_some_and(LabelForm::needs_evaluation);
        let filter = self.filter.as_ref().is_some_and(|filter| filter.facts().needs_comments());
        filter
            || self.facts_of_sink().needs_comments()
            || self.ops.has_any(FROM_COMMENTS)
            || needs_evaluation
            || self.omits_by_comments()
    }

    pub(crate) fn omits_positions(&self) -> bool {
        self.eval.is_some()
            || self.omit.iter().any(|one| one != Omission::Start && !OF_GAMES.has(one))
    }

    pub(crate) fn selects_all_positions(&self) -> bool {
        self.select == Select::default()
            && !self.omit.has(Omission::Start)
            && !self.omits_positions()
    }

    pub(crate) fn keeps_all_games(&self) -> bool {
        self.filter.is_none()
            && self.selects_all_positions()
            && !OF_GAMES.iter().any(|one| self.omit.has(one))
    }

    /// Each term of the condition has the word that is counted if it does not hold.
    pub(crate) fn terms(&self) -> Vec<(Omission, Cow<'_, Filter>)> {
        let words = WORDS.iter().filter(|(word, ..)| self.omit.has(*word));
        let words = words.map(|(word, fact, is_so)| (*word, Filter::of_fact(*fact, *is_so)));
        let of_eval = self.eval.map(|EvaluationRange { least, most, is_white }| {
            let fact = if is_white { Fact::WhiteEval } else { Fact::Eval };
            let is_known = (Omission::Unevaluated, Filter::of_fact(Fact::Eval, true));
            [is_known, (Omission::Eval, Filter::of_range(fact, least, most))]
        });
        let of_options = words.chain(of_eval.into_iter().flatten());
        let own = of_options.map(|(word, filter)| (word, Cow::Owned(filter)));
        self.filter.iter().map(|of| (Omission::Where, Cow::Borrowed(of))).chain(own).collect()
    }

    #[inline]
    pub(crate) fn omission_of_game(&self, tags: &[TagPair<'_>]) -> Option<Omission> {
        if !OF_GAMES.iter().any(|one| self.omit.has(one)) {
            return None;
        }
        let omission = match Ending::of_tags(tags)? {
            Ending::TimeForfeit => Omission::TimeForfeits,
            Ending::Abandoned => Omission::Abandoned,
            Ending::Adjudicated => Omission::Adjudicated,
        };
        self.omit.has(omission).then_some(omission)
    }

    /// Whether comments are read to omit positions.
    pub fn omits_by_comments(&self) -> bool {
        let of_comments = [Omission::BookMoves, Omission::Unevaluated, Omission::Mates];
        of_comments.iter().any(|word| self.omit.has(*word)) || self.eval.is_some()
    }

    pub(crate) fn opening_tracker(&self) -> OpeningTracker<'_> {
        let is_needed = self.has_names() || self.facts_of_templates().needs_names();
        let source = if is_needed { &self.names } else { &NameSource::Off };
        OpeningTracker::of(source, self.variations)
    }

    pub(crate) fn facts_of_sink(&self) -> FactSet {
        self.facts.union(self.facts_of_templates())
    }

    pub(crate) fn facts_of_templates(&self) -> FactSet {
        self.templates.iter().map(Template::facts).fold(FactSet::default(), FactSet::union)
    }

    /// Returns whether a record may have the number of its game in the file.
    pub fn counts_games(&self) -> bool {
        self.facts_of_templates().has(Fact::Game)
    }

    /// Whether records may be left out or have more than registers, counters and the move played.
    pub(crate) fn composes_all(&self) -> bool {
        self.ops.has_any(FROM_COMMENTS)
            || self.ops.has_any(BY_RULE)
            || !self.kept.is_none()
            || !self.templates.is_empty()
            || self.label().is_some()
    }

    pub(crate) fn label(&self) -> Option<LabelForm> {
        match self.format {
            Format::Label(form) => Some(form),
            _ => None,
        }
    }

    /// Whether a record depends on what follows its position: games with comments are collected.
    pub fn looks_ahead(&self) -> bool {
        self.reads_machines() || self.counts_plies_ahead()
    }

    /// Whether it depends on the number of plies that follow, so that all games are collected.
    pub(crate) fn counts_plies_ahead(&self) -> bool {
        self.ops.has(Op::DrawClaim)
    }

    pub(crate) fn wants_outcome(&self) -> bool {
        self.label().is_some()
            || self.ops.has(Op::Resign)
            || self.facts_of_templates().needs_result()
            || self.facts.has(Fact::Points)
    }
}

pub(crate) fn register(family: Op, rank: usize) -> Option<Register> {
    match family {
        Op::C => Register::comment(rank as u8),
        Op::V => Register::variation(rank as u8),
        Op::Eco => Some(Register::ECO),
        Op::Nic => Some(Register::NIC),
        _ => None,
    }
}

const OF_GAMES: Omissions = Omissions::NONE
    .with(Omission::TimeForfeits)
    .with(Omission::Abandoned)
    .with(Omission::Adjudicated);

/// The fact of each word, and whether it must be so. A position counts for the first that applies.
const WORDS: [(Omission, Fact, bool); 9] = [
    (Omission::Check, Fact::Check, false),
    (Omission::Captures, Fact::Capture, false),
    (Omission::Promotions, Fact::Promotion, false),
    (Omission::CheckingMoves, Fact::GivesCheck, false),
    (Omission::Finished, Fact::Finished, false),
    (Omission::BookMoves, Fact::BookMove, false),
    (Omission::Mates, Fact::Mated, false),
    (Omission::Unevaluated, Fact::Eval, true),
    (Omission::Mates, Fact::Mate, false),
];

pub(crate) const OF_ENGINES: Ops = Ops::of(&[Op::Acd, Op::Acn, Op::Acs, Op::Ce, Op::Dm, Op::Pv]);
const FROM_COMMENTS: Ops = OF_ENGINES.with(Op::Resign);
const BY_RULE: Ops = Ops::of(&[Op::Rc, Op::DrawClaim]);

/// Format of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)] // one byte is compared for each record
pub enum Format {
    /// Four fields, then operations, as in the standard (EPD 3 and 4).
    #[default]
    Epd,
    /// Six fields as in FEN, then operations except `fmvn` and `hmvc`, which are among the fields.
    Fen,
    /// As written by HIARCS and early Crafty: see [`Dialect::Crafty`](epd::Dialect::Crafty).
    Crafty,
    /// Positions with the result of their game, for tuning, without operations.
    Label(LabelForm),
    /// Empty lines, for rows that have no column with text of a position.
    Nothing,
}

keywords! {
    /// Treatment of comments: of commands such as `[%csl Ra1]`, and of text longer than 255 bytes,
    /// the limit of a string operand (EPD 4.1).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Comments {
        /// Cut them after 255 bytes.
        #[default]
        Cut = "cut",
        /// Continue them in the next registers: c2, c3 and so on, up to c9.
        Split = "split",
        /// Omit them.
        Drop = "drop",
        /// Like split, with commands such as [%csl Ra1], which are omitted otherwise.
        Raw = "raw",
    }
}

keywords! {
    /// Treatment of a game with an error, such as an illegal move.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum OnError {
        /// Write the positions before the error.
        #[default]
        Keep = "keep",
        /// Write nothing of that game.
        Skip = "skip",
        /// Write the positions before the error and end the run.
        Stop = "stop",
    }
}

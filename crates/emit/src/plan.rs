//! What is to be written: decided once, before the first game.

use std::sync::Arc;

use san::{FieldStyle, Language};

use crate::template::Fact;
use crate::{Filter, LabelForm, Names, Op, Ops, Skip, Template};

/// The options of a run, compiled for the loop over positions.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How castling rights and the en passant square are written.
    pub fields: FieldStyle,
    /// The form of a record.
    pub format: Format,
    /// The operations of a record.
    pub ops: Ops,
    /// How those of them are kept up that are registers.
    pub registers: RegisterStyle,
    /// Where the names of openings come from: `eco`, `nic`, `v0` to `v9`.
    pub names: NameSource,
    /// Whether the positions of variations are written too.
    pub variations: bool,
    /// The language of the moves; `None` to find it out, game by game.
    pub language: Option<Language>,
    /// Whether null moves are played, rather than an error.
    pub null_moves: bool,
    /// Whether departures from the standard are looked for that change nothing.
    pub notes: bool,
    /// Whether every departure from the standard is an error. What has one reading is played all the same.
    pub strict: bool,
    /// Whether commands as `[%csl Ra1]` stay in the text of comments.
    pub keep_commands: bool,
    /// Operations that the user describes.
    pub templates: Vec<Template>,
    /// The name of the input, for templates that ask for it.
    pub file: String,
    /// Whether the sink asks for what machines wrote into comments, whatever is written: evaluations, clocks.
    pub machines: bool,
    /// Whether the sink asks for the lines on which games begin.
    pub places: bool,
    /// The positions of a game that are written.
    pub select: Select,
    /// Those of them that are left out for what they are.
    pub skip: Skip,
    /// Only games and positions for which this holds.
    pub filter: Option<Filter>,
    /// No move behind this ply is played: the rest of the game is passed over, and what is wrong there is not said. Not for
    /// variations, and not where the game's end matters.
    pub last_played: u32,
    /// Whether an empty line follows the records of each game.
    pub blank_line: bool,
    /// Whether a game without records gets two of them: those who print records with line ends between, and an empty line
    /// behind, do so, and by it the game is still seen.
    pub second_blank_line: bool,
    /// What is done with a game that has an error.
    pub on_error: OnError,
    /// A game larger than this, in bytes, is an error.
    pub max_game_bytes: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            fields: FieldStyle::default(),
            format: Format::default(),
            ops: Ops::default(),
            registers: RegisterStyle::default(),
            names: NameSource::default(),
            variations: false,
            language: Some(Language::English),
            null_moves: false,
            notes: false,
            strict: false,
            keep_commands: false,
            templates: Vec::new(),
            file: String::new(),
            machines: false,
            places: false,
            select: Select::default(),
            skip: Skip::default(),
            filter: None,
            last_played: u32::MAX,
            blank_line: false,
            second_blank_line: false,
            on_error: OnError::default(),
            max_game_bytes: 64 << 20,
        }
    }
}

impl Plan {
    /// Whether a record may have an operation of the family.
    pub(crate) fn has_register(&self, op: Op) -> bool {
        if self.registers == RegisterStyle::Off || !self.ops.has(op) {
            return false;
        }
        match &self.names {
            _ if op == Op::C => true,
            NameSource::Off => false,
            NameSource::Tags => true,
            NameSource::Table(names) => op != Op::Nic || names.has_nic(),
        }
    }

    /// Whether a record may have the name of an opening.
    pub(crate) fn has_names(&self) -> bool {
        [Op::Eco, Op::Nic, Op::V].into_iter().any(|op| self.has_register(op))
    }

    /// Whether it must be known how often a position was there.
    pub(crate) fn counts_repetitions(&self) -> bool {
        self.ops.has_any(BY_RULE)
    }

    /// Whether comments matter for what is written.
    pub(crate) fn wants_comments(&self) -> bool {
        self.has_register(Op::C) || self.wants_machines()
    }

    /// Whether what machines wrote into comments matters.
    pub(crate) fn wants_machines(&self) -> bool {
        self.keep_commands || self.reads_machines()
    }

    /// Whether something is made of what machines wrote.
    fn reads_machines(&self) -> bool {
        let needs_evaluation = self.label().is_some_and(LabelForm::needs_evaluation);
        self.machines
            || self.ops.has_any(FROM_COMMENTS)
            || self.asks_for(Fact::Eval)
            || self.asks_for(Fact::Clock)
            || needs_evaluation
            || self.skip.beyond.is_some()
            || self.skip.outside.is_some()
    }

    /// Whether a template asks for a fact.
    fn asks_for(&self, fact: Fact) -> bool {
        self.templates.iter().any(|template| template.asks_for(fact))
    }

    /// Whether a record may say which game of the file it belongs to: then the games before it must be counted.
    pub fn counts_games(&self) -> bool {
        self.asks_for(Fact::Game)
    }

    /// Whether any record may have operations that are not registers, counters, or the move played, or none at all.
    pub(crate) fn composes_all(&self) -> bool {
        self.ops.has_any(FROM_COMMENTS)
            || self.ops.has_any(BY_RULE)
            || !self.templates.is_empty()
            || self.label().is_some()
            || self.skip != Skip::default()
    }

    /// The form of labelled positions, if they are such.
    pub(crate) fn label(&self) -> Option<LabelForm> {
        match self.format {
            Format::Label(form) => Some(form),
            _ => None,
        }
    }

    /// Whether what is written of a position depends on what comes behind it: then the sink is to [look
    /// ahead](crate::LookAhead).
    pub fn looks_ahead(&self) -> bool {
        self.reads_machines() || self.ops.has(Op::DrawClaim) || self.label().is_some()
    }
}

/// What engines tell in comments.
pub(crate) const OF_ENGINES: Ops = Ops::of(&[Op::Acd, Op::Acn, Op::Acs, Op::Ce, Op::Dm, Op::Pv]);
/// What comments tell.
const FROM_COMMENTS: Ops = OF_ENGINES.with(Op::Resign);
/// What the rules of chess tell.
const BY_RULE: Ops = Ops::of(&[Op::Rc, Op::DrawClaim]);

/// The form of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Four fields, then operations: the standard's record (EPD 3 and 4).
    #[default]
    Epd,
    /// Six fields, as FEN has them, then operations other than `fmvn` and `hmvc`, which the fields hold.
    Fen,
    /// As HIARCS and early Crafty have it: see [`Dialect::Crafty`](crate::Dialect::Crafty).
    Crafty,
    /// Positions with the result of their game, for tuning. They have no operations.
    Label(LabelForm),
}

/// How the registers are kept up: `c0` to `c9`, `v0` to `v9`, `eco` and `nic` (EPD 5.5, 5.12, 5.16, 5.26).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RegisterStyle {
    /// A record has the fewest operations that bring the registers of a scanning program to where they should be. The
    /// first record of a game sets each family, or sets it to null.
    #[default]
    Delta,
    /// Every record has every register that is not null, so that it can be read alone.
    Full,
    /// There are none.
    Off,
}

/// Where the names of openings come from.
#[derive(Clone, Debug, Default)]
pub enum NameSource {
    /// There are none.
    #[default]
    Off,
    /// The tags `ECO`, `NIC`, `Opening`, `Variation` and `SubVariation` (PGN standard 9.3, 9.4).
    Tags,
    /// Whoever knows the names of positions.
    Table(Arc<dyn Names>),
}

/// Which positions of a game are written. Position 0 is the start, position `n` stands after the `n`-th ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Select {
    /// The first position.
    pub first: u32,
    /// The last position.
    pub last: u32,
    /// Of these only the one that the game ends with.
    pub only_final: bool,
}

impl Default for Select {
    fn default() -> Self {
        Select { first: 0, last: u32::MAX, only_final: false }
    }
}

impl Select {
    /// Whether the position after `ply` plies is wanted; `is_final` says that the game ends with it.
    #[inline]
    pub fn wants(&self, ply: u32, is_final: bool) -> bool {
        ply >= self.first && ply <= self.last && (is_final || !self.only_final)
    }
}

/// What is done with a game that has an error, an illegal move say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnError {
    /// The positions before the error are written, the rest of the game is not.
    #[default]
    Keep,
    /// Nothing of the game is written.
    Skip,
    /// The positions before the error are written, and the run ends.
    Stop,
}

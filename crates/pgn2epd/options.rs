//! What a user may choose, and the plan that comes of it.

mod named;
mod values;

use std::num::NonZeroUsize;
use std::sync::Arc;

use emit::{
    Filter, LabelForm, NameSource, OnError, Ops, Plan, RegisterStyle, Select, Skip, Template,
};
use openings::Embedded;
use san::{CastlingStyle, EnPassantPolicy, FieldStyle, Language};

use crate::Conflicts;

pub use named::{Misfit, OptionError, preset};
pub use values::{Jobs, Letters, Plies, Size};

/// How games are converted. The default is what the EPD standard says.
///
/// ```
/// use pgn2epd::{EnPassantPolicy, Options};
///
/// // The positions that a book of openings ends with, to be compared with those of other programs.
/// let options = Options {
///     only_final: true,
///     last_ply: 16,
///     en_passant: EnPassantPolicy::Legal,
///     ..Options::default()
/// };
/// # assert_eq!(options.first_ply, 0);
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The form of a record.
    pub format: Format,
    /// When there is an en passant square.
    pub en_passant: EnPassantPolicy,
    /// How castling rights are written.
    pub castling: CastlingStyle,
    /// The operations of a record; `None` for those that go with the format.
    pub ops: Option<Ops>,
    /// How registers are kept up: comments, openings.
    pub registers: RegisterStyle,
    /// Where the names of openings come from.
    pub names: NameSource,
    /// Whether the positions of variations are written too, each with the operation `Rav`.
    pub variations: bool,
    /// Whether commands as `[%csl Ra1]` stay in the text of comments.
    pub keep_commands: bool,
    /// The language of the moves; `None` to find it out, game by game: that in which all moves of the main line are legal.
    pub language: Option<Language>,
    /// Whether null moves are played, rather than an error.
    pub null_moves: bool,
    /// Whether departures from the standard are looked for, and told, that are common and change nothing. It costs time.
    pub notes: bool,
    /// Whether every departure from the standard is an error; it looks for [`notes`](Options::notes) too.
    pub strict: bool,
    /// Operations made from tags and facts, as `c9={Result}`: see [`Template`].
    pub templates: Vec<Template>,
    /// The name of the input, for templates that ask for `{file}`.
    pub file: String,
    /// The first position of a game that is written, in plies: 0 is the start.
    pub first_ply: u32,
    /// The last position that is written, in plies.
    pub last_ply: u32,
    /// Of these only the one that the game ends with, so none of a game that goes on behind `last_ply`.
    pub only_final: bool,
    /// Positions that are left out for what they are: with a check, a capture, a large evaluation.
    pub leave_out: Skip,
    /// Only games and positions for which this holds.
    pub filter: Option<Filter>,
    /// What is done with equal positions whose results contradict, in a form with [labels](Format::Label). But for
    /// [`Conflicts::Keep`], all positions are held in memory until the end: some 250 bytes each.
    pub conflicts: Conflicts,
    /// Of equal positions only the first: same placement, side, castling rights, and legal en passant. Each position takes some 40
    /// bytes of memory.
    pub unique: bool,
    /// So many records are left out, of those that would be written.
    pub skip: u64,
    /// At most so many records are written; input behind the last one is not read.
    pub limit: Option<u64>,
    /// A uniform sample of the records, in their order; it is written at the end, and held in memory until then.
    pub sample: Option<Sample>,
    /// Whether an empty line follows the records of each game.
    pub blank_line: bool,
    /// What is done with a game that has an error.
    pub on_error: OnError,
    /// A game larger than this, in bytes, is an error: memory is bounded by it.
    pub max_game_bytes: usize,
    /// Threads that work; `None` for as many as there are cores.
    pub jobs: Option<NonZeroUsize>,
    /// Bytes that are read and worked on at once. It changes nothing about the output.
    pub chunk_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        let plan = Plan::default();
        Options {
            format: Format::Epd,
            en_passant: EnPassantPolicy::default(),
            castling: CastlingStyle::default(),
            ops: None,
            registers: RegisterStyle::default(),
            names: NameSource::Table(Arc::new(Embedded)),
            variations: false,
            keep_commands: false,
            language: plan.language,
            null_moves: false,
            notes: false,
            strict: false,
            templates: Vec::new(),
            file: String::new(),
            first_ply: plan.select.first,
            last_ply: plan.select.last,
            only_final: false,
            leave_out: Skip::default(),
            filter: None,
            conflicts: Conflicts::Keep,
            unique: false,
            skip: 0,
            limit: None,
            sample: None,
            blank_line: false,
            on_error: OnError::default(),
            max_game_bytes: plan.max_game_bytes,
            jobs: None,
            chunk_bytes: 256 << 10,
        }
    }
}

/// The form of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Four fields, then operations: the standard's record.
    #[default]
    Epd,
    /// The six fields of a FEN, without operations unless some are chosen.
    Fen,
    /// What Perl's Chess::PGN::EPD makes: four fields, positions after each move, an empty line behind each game. As the
    /// module's first sample program prints them, a game without moves is two empty lines.
    Perl,
    /// The old form of HIARCS and Crafty: empty squares at the end of ranks left out, no field for what is not there, the
    /// en passant field naming the pawn, a hyphen at the end.
    Crafty,
    /// Positions with the result of their game, for programs that tune. They have no operations, and none is of a variation.
    /// What cannot be labelled is not written, and [counted](crate::Summary::unlabelled).
    Label(LabelForm),
}

/// A sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many; all, if there are not so many.
    pub count: u64,
    /// The same seed draws the same of the same.
    pub seed: u64,
}

impl Options {
    /// The plan of a run.
    pub(crate) fn plan(&self) -> Plan {
        let is_perl = self.format == Format::Perl;
        let is_label = matches!(self.format, Format::Label(_));
        let default_ops = if self.format == Format::Epd { Ops::default() } else { Ops::NONE };
        Plan {
            fields: FieldStyle { castling: self.castling, en_passant: self.en_passant },
            format: match self.format {
                Format::Epd | Format::Perl => emit::Format::Epd,
                Format::Fen => emit::Format::Fen,
                Format::Crafty => emit::Format::Crafty,
                Format::Label(form) => emit::Format::Label(form),
            },
            ops: if is_label { Ops::NONE } else { self.ops.unwrap_or(default_ops) },
            // Where records are left out, each must stand alone: what the one before it said may be missing.
            registers: match self.registers {
                RegisterStyle::Delta if self.chooses() => RegisterStyle::Full,
                style => style,
            },
            names: self.names.clone(),
            // The result is that of the main line.
            variations: self.variations && !is_label,
            keep_commands: self.keep_commands,
            language: self.language,
            null_moves: self.null_moves,
            notes: self.notes || self.strict,
            strict: self.strict,
            templates: if is_label { Vec::new() } else { self.templates.clone() },
            file: self.file.clone(),
            machines: false,
            places: false,
            select: Select {
                first: if is_perl { self.first_ply.max(1) } else { self.first_ply },
                last: self.last_ply,
                only_final: self.only_final,
            },
            skip: self.leave_out,
            filter: self.filter.clone(),
            last_played: u32::MAX,
            blank_line: self.blank_line || is_perl,
            second_blank_line: is_perl,
            on_error: self.on_error,
            max_game_bytes: self.max_game_bytes,
        }
    }

    /// Whether what is written of a record depends on those before it.
    pub(crate) fn chooses(&self) -> bool {
        self.unique
            || self.merges()
            || self.skip > 0
            || self.limit.is_some()
            || self.sample.is_some()
    }

    /// Whether equal positions become one.
    pub(crate) fn merges(&self) -> bool {
        self.conflicts != Conflicts::Keep && matches!(self.format, Format::Label(_))
    }

    pub(crate) fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(cores).get()
    }
}

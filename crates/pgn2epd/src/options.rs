//! User options, and the conversion plan derived from them.

mod named;
#[cfg(feature = "serde")]
mod serialize;
mod to_names;
mod values;
mod words;

use std::num::NonZeroUsize;

use emit::{
    ExcludePositions, FactSet, Filter, LabelForm, LongComments, OnError, Ops, Plan, Select,
    Template,
};
use epd::{RegisterKeeper, RegisterStyle};
use openings::NameSource;
use san::{CastlingStyle, EnPassantPolicy, FieldStyle, Language};

use crate::conflicts::Conflicts;
use crate::inputs::OnDamage;

pub use named::{OptionConflict, OptionError, preset};
pub use values::{Jobs, LanguageChoice, Plies, Size, ValueError};
pub use words::{KeepOrSkip, NamesFrom, NoSuchWord, Words};

/// Options for converting games. The defaults follow the EPD standard.
///
/// New options are added as fields, so a value is made with `..Options::default()`, as here, or by
/// [names](Options::from_names).
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
    /// When an en passant square is written.
    pub en_passant: EnPassantPolicy,
    /// How castling rights are written.
    pub castling: CastlingStyle,
    /// The operations of a record; `None` for the default of the format.
    pub ops: Option<Ops>,
    /// How registers are written: comments, openings. `None` for changes only, or for all of them
    /// in each record if `unique`, `skip`, `limit` or `sample` omits records.
    pub registers: Option<RegisterStyle>,
    /// The source of opening names.
    pub names: NameSource,
    /// Whether positions of variations are written too, each with the operation `Rav` if that is
    /// among [`ops`](Options::ops).
    pub variations: bool,
    /// Whether commands such as `[%csl Ra1]` are kept in the text of comments.
    pub keep_commands: bool,
    /// What to do with comments of more than 255 bytes, which do not fit a string operand.
    pub long_comments: LongComments,
    /// Whether non-ASCII characters are transliterated in records, since EPD is ASCII: `Kröger`
    /// becomes `Kroger`.
    pub ascii: bool,
    /// The language of the moves; `None` to detect it for each game, as the one in which all moves
    /// of the main line are legal.
    pub language: Option<Language>,
    /// Whether null moves are played instead of being errors.
    pub null_moves: bool,
    /// Whether common and harmless departures from the standard are detected and reported. Costs
    /// time.
    pub notes: bool,
    /// Whether every departure from the standard is an error; implies [`notes`](Options::notes).
    pub strict: bool,
    /// Operations made from tags and facts, such as `c9={Result}`; see [`Template`].
    pub templates: Vec<Template>,
    /// The name of the input, for templates that use `{file}`.
    pub file: String,
    /// The first ply of a game to write; 0 is the starting position.
    pub first_ply: u32,
    /// The last ply to write.
    pub last_ply: u32,
    /// Within the window, writes only the final position of a game; none for a game that continues
    /// after `last_ply`.
    pub only_final: bool,
    /// Excludes positions by their properties: in check, capture, large evaluation.
    pub exclude: ExcludePositions,
    /// Writes only games and positions for which this filter holds.
    pub filter: Option<Filter>,
    /// What to do with equal positions whose results conflict, in a format with
    /// [labels](Format::Label). Except for [`Conflicts::Keep`], all positions are held in memory
    /// until the end, at about 250 bytes each.
    pub conflicts: Conflicts,
    /// Writes only the first of equal positions: same placement, side to move, castling rights and
    /// legal en passant square. Each position takes about 40 bytes of memory.
    pub unique: bool,
    /// Number of records to omit at the beginning.
    pub skip: u64,
    /// Maximum number of records to write; input after the last one is not read.
    pub limit: Option<u64>,
    /// A uniform sample of the records, in input order; held in memory, and written at the end.
    pub sample: Option<Sample>,
    /// Whether an empty line is written after the records of each game.
    pub blank_line: bool,
    /// What to do with a game that has an error.
    pub on_error: OnError,
    /// What to do with games of a damaged compressed file. For callers that open
    /// [`Inputs`](crate::Inputs) with these options.
    pub on_damage: OnDamage,
    /// Maximum size of a game in bytes, which bounds memory; a larger game is an error.
    pub max_game_bytes: usize,
    /// Number of worker threads; `None` for one per core.
    pub jobs: Option<NonZeroUsize>,
    /// Size in bytes of the chunks that are read and processed. Does not affect the output.
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
            registers: None,
            names: NameSource::Embedded,
            variations: false,
            keep_commands: false,
            long_comments: plan.long_comments,
            ascii: false,
            language: plan.language,
            null_moves: false,
            notes: false,
            strict: false,
            templates: Vec::new(),
            file: String::new(),
            first_ply: plan.select.first,
            last_ply: plan.select.last,
            only_final: false,
            exclude: ExcludePositions::default(),
            filter: None,
            conflicts: Conflicts::Keep,
            unique: false,
            skip: 0,
            limit: None,
            sample: None,
            blank_line: false,
            on_error: OnError::default(),
            on_damage: OnDamage::default(),
            max_game_bytes: plan.max_game_bytes,
            jobs: None,
            chunk_bytes: 256 << 10,
        }
    }
}

/// The form of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Four fields, then operations, as in the standard.
    #[default]
    Epd,
    /// The six fields of a FEN, without operations unless some are selected.
    Fen,
    /// The output of Chess::PGN::EPD for Perl: four fields, positions after each move, and an empty
    /// line after each game. As printed by the first sample program of the module, a game without
    /// moves is two empty lines.
    Perl,
    /// The old form of HIARCS and Crafty: trailing empty squares of ranks and empty fields are
    /// omitted, the en passant field names the pawn, and a hyphen ends the fields.
    Crafty,
    /// Positions labeled with the result of their game, for tuning programs. They have no
    /// operations, and positions of variations are excluded. Positions that cannot be labeled are
    /// not written, but [counted](crate::Summary::unlabelled).
    Label(LabelForm),
}

/// A random sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Number of records in the sample; all records if there are fewer.
    pub count: u64,
    /// The seed; the same seed and input give the same sample.
    pub seed: u64,
}

impl Options {
    /// Returns the plan of a run.
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
            registers: match self.registers {
                Some(RegisterStyle::Off) => RegisterStyle::Off,
                // Records are selected later, and their registers are reduced then.
                _ if self.chooses() => RegisterStyle::Full,
                style => style.unwrap_or_default(),
            },
            names: self.names.clone(),
            // The result is that of the main line.
            variations: self.variations && !is_label,
            keep_commands: self.keep_commands,
            raw_comments: false,
            long_comments: self.long_comments,
            ascii: self.ascii,
            language: self.language,
            null_moves: self.null_moves,
            notes: self.notes || self.strict,
            strict: self.strict,
            templates: if is_label { Vec::new() } else { self.templates.clone() },
            file: self.file.clone(),
            facts: FactSet::default(),
            select: Select {
                first: if is_perl { self.first_ply.max(1) } else { self.first_ply },
                last: self.last_ply,
                only_final: self.only_final,
            },
            exclude: self.exclude,
            filter: self.filter.clone(),
            last_played: u32::MAX,
            blank_line: self.blank_line || is_perl,
            second_blank_line: is_perl,
            on_error: self.on_error,
            max_game_bytes: self.max_game_bytes,
        }
    }

    /// Whether the output for a record depends on previous ones.
    pub(crate) fn chooses(&self) -> bool {
        self.unique
            || self.merges()
            || self.skip > 0
            || self.limit.is_some()
            || self.sample.is_some()
    }

    /// Returns the keeper that corrects the registers if records are omitted after they are made.
    pub(crate) fn register_keeper(&self, plan: &Plan) -> Option<RegisterKeeper> {
        let style = self.registers.unwrap_or(RegisterStyle::Full);
        if self.chooses() { plan.register_keeper(style) } else { None }
    }

    /// Whether equal positions are merged.
    pub(crate) fn merges(&self) -> bool {
        self.conflicts != Conflicts::Keep && matches!(self.format, Format::Label(_))
    }

    pub(crate) fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(cores).get()
    }
}

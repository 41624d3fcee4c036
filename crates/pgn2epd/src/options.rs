//! User options, and the conversion plan derived from them.

mod conflict;
pub(crate) mod option_spec;
mod plan;
mod position_file;
pub(crate) mod value;
pub(crate) mod values;

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;

use emit::{Column, ColumnList, ColumnNames, Evaluations, Select};
use training::ScoreUnit;

use self::option_spec::options;

pub use crate::inputs::InputKind;
pub use dataset::{Conflicts, Preference};
pub use emit::{
    Comments, Evals, EvaluationRange, Filter, FilterError, GameForm, GameFormError, GameStyle,
    LabelForm, Omission, Omissions, OnError, Op, OpList, Ops, OpsError, SortOrder, Template,
    TemplateError, UnknownField,
};
pub use epd::{RegisterStyle, Rules};
pub use openings::NameSource;
pub use san::{CastlingStyle, EnPassantPolicy, FieldStyle, Keyword, Language, UnknownKeyword};
pub use stream::compress::{Compression, UnknownCompression};

pub use conflict::{OptionConflict, SourceConflict};
pub use option_spec::{Declared, OptionError, OptionSet, OptionSpec, Visibility};
pub use position_file::PositionFile;
pub use value::ValueKind;
pub use values::{
    DataSplit, Format, FormatKind, GameEquality, OnDamage, PRESETS, Plies, Preset, RowKind, Share,
    ShareRange, Size, ValueError,
};

options! {
    /// Options for converting games. The defaults follow the EPD standard.
    ///
    /// Each option is declared once, here: as a field, as a method that sets it, and under its name
    /// as an argument of the command line, of Python and of [`from_names`](Options::from_names).
    ///
    /// ```
    /// use pgn2epd::Options;
    /// use pgn2epd::options::{EnPassantPolicy, Plies};
    ///
    /// // The positions that a book of openings ends with, to be compared with those of other programs.
    /// let options = Options::default()
    ///     .only_final(true)
    ///     .plies(Plies { first: 0, last: 16 })
    ///     .en_passant(EnPassantPolicy::Legal);
    /// let names = [("last", "true"), ("ply", "..16"), ("ep", "legal")];
    /// assert_eq!(options.to_names()?, Options::from_names(names)?.to_names()?);
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct Options {
        "Records": {
            /// Output format; see `pgn2epd help formats`.
            format: Format = Format::Epd, value("FORMAT"), short('f'), common();

            /// Columns of a table: variables, tags and NAME=COLUMN; see `pgn2epd help variables`.
            columns: Option<ColumnList> = None, value("LIST");

            /// In csv, write an apostrophe before texts that spreadsheets take for formulas.
            csv_safe: bool = false;

            /// What a row of a table is.
            rows: RowKind = RowKind::Positions, value("WHAT");

            /// How games are written in pgn: words such as uci,no-comments; see `pgn2epd help
            /// games`.
            games: GameForm = GameForm::default(), value("LIST");

            /// Unit of scores in binary formats that are read or written.
            ///
            /// Mates are 32000 less the number of plies in both units.
            score: ScoreUnit = ScoreUnit::Centipawns, value("UNIT");

            /// Operations, separated by commas, or none; see `pgn2epd help operations` [default:
            /// Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats]
            ///
            /// For files of positions: keep (all of them, the default in epd), or -acn,-acs for
            /// all but these.
            ops: Option<OpList> = None, value("LIST"), common(), allows_hyphen();

            /// How to write the registers c0-c9, v0-v9, eco and nic [default: delta for games in
            /// their order; full where records are selected or moved, by --unique, --skip, --limit,
            /// --sample, --sort, --shuffle or --rows-per-file]
            registers: Option<RegisterStyle> = None, value("HOW");

            /// Source of the opening names in eco, nic and v0-v9.
            names: NameSource = NameSource::Embedded, value("SOURCE");

            /// Add an operation, as in 'c9={Result}'; may be repeated; see `pgn2epd help
            /// variables`.
            templates: Vec<Template> = Vec::new(), name("add"), value("OPCODE=TEMPLATE");

            /// Also write the positions of variations, each with the operation Rav.
            variations: bool = false;

            /// What to do with comments longer than 255 bytes, the limit in EPD, and with commands.
            comments: Comments = Comments::Cut, value("HOW");

            /// Replace characters outside of ASCII, the character set of EPD: Kröger becomes
            /// Kroger.
            ascii: bool = false;

            /// When to write en passant squares.
            en_passant: EnPassantPolicy = EnPassantPolicy::Always, name("ep"), value("WHEN"), common();

            /// How to write castling rights.
            castling: CastlingStyle = CastlingStyle::XFen, value("STYLE");

            /// Write an empty line after the records of each game.
            blank_line: bool = false;
        }
        "Positions": {
            /// Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start.
            plies: Plies = Plies::ALL, name("ply"), value("FIRST..LAST"), common(), allows_hyphen();

            /// Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9.
            moves: Plies = Plies::ALL, name("move"), value("FIRST..LAST"), allows_hyphen();

            /// Kinds of positions and games to omit; see `pgn2epd help omissions`.
            ///
            /// The words add up if the option is repeated, and to those of --preset, unless the
            /// first is none.
            omit: Omissions = Omissions::NONE, value("LIST"), common();

            /// Only positions with an engine evaluation in this range, in centipawns (-90..90) or
            /// pawns (0.90..1.19), for the side to move, or for White with white: before it.
            eval: Option<EvaluationRange> = None, value("MIN..MAX"), allows_hyphen();

            /// Only the last position of each game.
            only_final: bool = false, name("last"), common();
        }
        "Reading": {
            /// What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat,
            /// binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack,
            /// .bullet]
            input: Option<InputKind> = None, value("KIND");

            /// Rules of positions in files; those of games are in their tag Variant.
            rules: Rules = Rules::Detected, name("variant"), value("NAME");

            /// Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score.
            ///
            /// The column is read as if it had this name; see the page on positions for what names
            /// mean.
            column_names: ColumnNames = ColumnNames::default(), name("rename"), value("LIST");

            /// Which of the evaluations that Lichess has of a position are records.
            evals: Evals = Evals::Deepest, value("WHICH");

            /// Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl,
            /// no, pl, pt, ro, ru, sv, uk.
            ///
            /// With auto the language is detected for each game: English if all moves of the main
            /// line are legal in English, otherwise the language in which they are, unless they are
            /// different moves in two of them. Figurines are read in all languages.
            language: Option<Language> = Some(Language::English), value("CODE");

            /// Accept null moves (--, Z0, 0000 ...), which are otherwise errors.
            null_moves: bool = false;

            /// Report harmless departures from the PGN standard: unusual spellings, missing
            /// results.
            notes: bool = false;

            /// Report every departure from the PGN standard as an error; clear moves are still
            /// played.
            strict: bool = false;
        }
        "Selection": {
            /// Only what matches a condition; see `pgn2epd help conditions`.
            ///
            /// A condition is about games and positions, as in 'WhiteElo >= 2400 and ply > 20'.
            filter: Option<Filter> = None, name("where"), value("CONDITION"), common();

            /// Only positions that are in this file, and those after them in their lines.
            ///
            /// The file may be of any kind; of games, their last positions count. The counters make
            /// no difference, and the en passant square only if a capture is legal.
            reach: Option<PositionFile> = None, value("FILE");

            /// What to do with equal positions that have different results, in the formats from c9
            /// to plain; see `pgn2epd help duplicates`.
            conflicts: Conflicts = Conflicts::Keep, value("HOW");

            /// Only one of equal positions; see `pgn2epd help duplicates`.
            ///
            /// By default the first.
            unique: Option<Preference> = None, value("WHICH"), optional("first"), common();

            /// Only one of equal games: moves or prefix:N; see `pgn2epd help duplicates`.
            unique_games: Option<GameEquality> = None, value("HOW"), optional("moves"), not_with(&["unique", "conflicts"]);

            /// Omit the first N positions; games in pgn and with --rows games.
            skip: u64 = 0, value("N");

            /// At most N positions; games in pgn and with --rows games.
            limit: Option<u64> = None, short('n'), value("N");

            /// N positions at random, each equally likely, in their order; games in pgn and with
            /// --rows games.
            sample: Option<u64> = None, value("N");

            /// Sort the records by variables and tags, separated by commas, descending with -
            /// before: -elo,ply.
            ///
            /// Equal ones stay in their order, those without a value come last, numbers before
            /// text. --skip and --limit count in the sorted order.
            sort: Option<SortOrder> = None, value("LIST"), allows_hyphen(), not_with(&["shuffle"]);

            /// Write the records in random order, after the other selections; every order is
            /// equally likely.
            ///
            /// The order depends on --seed and on the input alone. In training data, games of
            /// viriformat and chains of binpack are shuffled as a whole, since their positions
            /// follow from those before.
            shuffle: bool = false;

            /// Write a folder with a subfolder for each part, to which records belong at random:
            /// NAME=SHARE and so on, such as train=0.98,valid=0.01,test=0.01
            ///
            /// Shares add up to 1. The option -o names the folder, which must be new or empty; its
            /// files are train/part-00000.epd and so on. The part of a game, with all its positions,
            /// depends on its text and on --seed alone: equal games are in the same part, and adding
            /// games moves none.
            split: Option<DataSplit> = None, value("LIST");

            /// Write a folder with files of N positions each; games in pgn and with --rows games.
            ///
            /// Its files are part-00000.epd and so on, in a subfolder for each part of --split. In
            /// training data, games of viriformat and chains of binpack stay whole.
            rows_per_file: Option<NonZeroU64> = None, value("N");

            /// Replace the files of an earlier run in the folder of -o, listed by its file
            /// _SUCCESS.
            overwrite: bool = false, for_any(&["split", "rows-per-file"]);

            /// Random seed of --sample, --shuffle and --split: the same seed gives the same result.
            seed: u64 = 0, value("SEED"), for_any(&["sample", "shuffle", "split"]);
        }
        "Running": {
            /// Compress the output: zstd or gzip, with a level as in zstd:19 [default: by the
            /// suffix of -o; zstd:1 in parquet]
            ///
            /// Levels are 1 to 22 for zstd, by default 3, and 1 to 9 for gzip, by default 6. All
            /// threads compress. The output has frames with random access: zstd with a seek table,
            /// gzip as BGZF. Parquet has compressed columns instead.
            compress: Option<Compression> = None, value("FORMAT");

            /// Number of threads [default: the number of cores]
            jobs: Option<NonZeroUsize> = None, short('j'), value("N"), common();

            /// Memory for --unique, --conflicts, --sort, --shuffle; more uses --temp-dir
            memory: usize = 1 << 30, value("SIZE");

            /// Folder for temporary files [default: that of the system]
            temp_dir: Option<PathBuf> = None, value("FOLDER");

            /// What to do with a game that has an error.
            on_error: OnError = OnError::Keep, value("WHAT"), common();

            /// What to do with a damaged compressed file.
            ///
            /// Damage may show at the end only, so what was decoded before it may be wrong. A file
            /// that is cut is used up to its end in any case.
            on_damage: OnDamage = OnDamage::Stop, value("WHAT");

            /// Maximum size of a game in bytes, or with K, M or G; it bounds memory.
            ///
            /// In tables the default is 4M, or 1M with the column legal_moves.
            max_game_bytes: usize = 64 << 20, value("SIZE");

            /// Size of a chunk in bytes; it does not affect the output.
            chunk_bytes: usize = 256 << 10, value("SIZE"), hidden();
        }

        /// The name of the input, for templates that use `{file}`.
        file: String = String::new();

        /// What an engine says of positions, for games that are not written as they are.
        evaluated: Option<Arc<Evaluations>> = None;
    }
}

impl OptionSet for Options {
    const PRESETS: &'static [Preset] = PRESETS;

    fn conflict(&self) -> Option<OptionConflict> {
        self.first_conflict()
    }
}

/// Default limit of a game held as values or rows, in bytes: they take up to 250 times as much.
pub(crate) const GAME_OF_VALUES: usize = 4 << 20;

/// Maximum size of a game whose legal moves are held, unless the option is set, in bytes.
pub(crate) const GAME_OF_LEGAL_MOVES: usize = 1 << 20;

pub(crate) fn names_of<'c>(
    columns: impl IntoIterator<Item = &'c Column>,
) -> impl Iterator<Item = Box<str>> {
    columns.into_iter().filter_map(Column::tag).map(Box::from)
}

pub(crate) fn select(plies: Plies, moves: Plies, only_final: bool) -> Select {
    let Plies { first, last } = plies;
    Select { first, last, only_final, moves: (moves.first, moves.last) }
}

impl<T> OptionSpec<T> {
    /// Takes the description of the option of a conversion that has the same name.
    pub(crate) const fn shared(self) -> Self {
        let mut at = 0;
        while !is_equal(Options::SPECS[at].name, self.name) {
            at += 1;
        }
        let OptionSpec { docs, short, value_name, allows_hyphen, visibility, .. } =
            Options::SPECS[at];
        OptionSpec { docs, short, value_name, allows_hyphen, visibility, ..self }
    }
}

const fn is_equal(text: &str, other: &str) -> bool {
    let (text, other) = (text.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < text.len() && at < other.len() && text[at] == other[at] {
        at += 1;
    }
    at == text.len() && at == other.len()
}

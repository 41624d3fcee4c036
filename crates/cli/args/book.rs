//! Arguments of the command that makes opening books.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum, ValueHint};
use pgn2epd::book::{
    BookOptions, Choice, EpdOps, EvaluationRange, EvaluationView, Form, MoveChoice, Order,
    PartialForm, Queens, Threads, UnknownResult, Weights,
};
use pgn2epd::{Filter, KeepOrSkip, OnError};

use super::convert::Messages;
use super::damage::DamageArgs;
use super::suffix;
use super::values::{Bytes, Evaluations, Jobs, Plies, Share, Size, words, words_but};

const EXAMPLES: &str = "\
Examples:
  pgn2epd book --ply 15..16 --min-games 3 --preset match games.pgn -o book.epd
  pgn2epd book --ply 1..24 --min-games 50 --order count *.pgn -o popular.epd
  pgn2epd book --where 'WhiteElo >= 2500' --ply ..30 --min-move-games 3 games.pgn -o book.bin
  pgn2epd book --variations repertoire.pgn -o repertoire.bin
  pgn2epd book --eval 0.90..1.19 --eval-view white --once-per-game games.pgn -o unbalanced.epd
  pgn2epd book --partial january.pgn -o january.part
  pgn2epd book merge *.part --min-games 50 -o book.epd";

const SHOW_EXAMPLES: &str = "\
Examples:
  pgn2epd book show games.pgn --moves 'e4 c5 Nf3'
  pgn2epd book show repertoire.bin
  pgn2epd book show january.part --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'";

/// Make an opening book: count, select and write positions
///
/// Each position has the number of games, results, ratings, years and the strongest game, in total and for each move. A position counts
/// once per game; with --variations, each move of a position. Positions are equal if placement, side to move, castling rights and legal en passant are equal. The result does not
/// depend on threads, memory, or the way games are split.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true, before_help = EXAMPLES)]
pub(crate) struct Book {
    #[command(subcommand)]
    pub(crate) command: Option<BookCommand>,

    /// Files of games or positions (EPD, FEN), compressed or not, or - for standard input, the default
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) count: Count,

    #[command(flatten)]
    pub(crate) choice: Choose,

    #[command(flatten)]
    pub(crate) output: Target,

    #[command(flatten)]
    pub(crate) room: Room,

    #[command(flatten)]
    pub(crate) messages: Messages,
}

/// Commands for books and partial results.
#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    /// Merge partial results, and write a book or another partial result; or merge Polyglot books
    ///
    /// If several Polyglot books have a position, its moves and weights are those of the first, as with merge-book of Polyglot.
    Merge {
        /// Partial results, written with --partial, in any format, or Polyglot books (.bin); a folder means all files in it
        #[arg(value_name = "PART", required = true, value_hint = ValueHint::FilePath)]
        parts: Vec<PathBuf>,

        #[command(flatten)]
        choice: Choose,

        #[command(flatten)]
        output: Target,

        #[command(flatten)]
        room: Room,
    },
    /// Show the moves of a position with their counts, or with their weights in a Polyglot book
    #[command(before_help = SHOW_EXAMPLES)]
    Show {
        /// A partial result, a file of games or positions, or a Polyglot book (.bin)
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: PathBuf,

        /// The position [default: the standard starting position]
        #[arg(long)]
        fen: Option<String>,

        /// Moves to play from there, such as 'e4 c5'
        #[arg(long)]
        moves: Option<String>,
    },
    /// Compare two books: positions that only one has, and different counts
    ///
    /// Lines begin with - for positions of the first book only, + for the second only, and = for different counts.
    Diff {
        /// A partial result, or a file of games
        #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
        a: PathBuf,

        /// The other one
        #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
        b: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Counting")]
pub(crate) struct Count {
    /// Only games and positions that match a condition: 'WhiteElo >= 2400 and Date >= 2015'; see `pgn2epd --help`
    #[arg(long = "where", value_name = "CONDITION")]
    filter: Option<Filter>,

    /// Only positions after this number of plies: 1..24, 8.., ..24 or 16; 0 is the start
    #[arg(long, value_name = "FIRST..LAST", allow_hyphen_values = true)]
    ply: Option<Plies>,

    /// Only the position after ply N, like --ply N..N
    #[arg(long, value_name = "N", conflicts_with_all = ["ply", "last"])]
    exit: Option<u32>,

    /// Only the last position of each game
    #[arg(long)]
    last: bool,

    /// Also count the moves of variations; a game counts once for each move
    #[arg(long)]
    variations: bool,

    /// Only positions with queens
    #[arg(long, value_name = "WHOSE", value_parser = words::<Queens>())]
    queens: Option<Queens>,

    /// Omit positions in which the side to move is checkmated
    #[arg(long)]
    no_mate: bool,

    /// Omit positions in which the side to move is in check
    #[arg(long)]
    no_check: bool,

    /// Only positions with this number of pieces, kings and pawns included: 20..32
    #[arg(long, value_name = "MIN..MAX")]
    pieces: Option<Plies>,

    /// Only positions with an engine evaluation in this range, in centipawns (90..119, -20..20) or pawns (0.90..1.19)
    ///
    /// Evaluations are read from comments ([%eval], cutechess, fastchess, TCEC), and from `ce` in files of positions. Positions
    /// without an evaluation do not count. The evaluation is written as `ce` or in the column `eval`, for the side to move.
    #[arg(long, value_name = "MIN..MAX", allow_hyphen_values = true)]
    eval: Option<Evaluations>,

    /// The point of view of --eval: the side to move, or White
    #[arg(long, value_name = "VIEW", value_parser = words::<EvaluationView>(), default_value = "mover", requires = "eval")]
    eval_view: EvaluationView,

    /// Count only the first position of each game that the other options select
    #[arg(long)]
    once_per_game: bool,

    /// Only the games whose first byte is in this range of the file, as printed by `pgn2epd splits`
    ///
    /// However a file is divided into ranges, each game counts once. Games are numbered from the first game of the range, plus the offset of its
    /// first byte.
    #[arg(long, value_name = "START:END")]
    pub(crate) range: Option<Bytes>,

    /// What to do with a game that has an error
    #[arg(long, value_name = "WHAT", value_parser = words::<OnError>(), default_value = "keep")]
    on_error: OnError,

    #[command(flatten)]
    pub(crate) damage: DamageArgs,

    /// Maximum size of a game in bytes, or with K, M or G; it bounds memory
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    max_game_bytes: Size,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct Choose {
    /// Only positions that occur in at least N games
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    min_games: u64,

    /// Only positions in which White scored at least this share of the points, such as 0.45
    #[arg(long, value_name = "SHARE")]
    min_score: Option<Share>,

    /// Only positions in which White scored at most this share of the points, such as 0.6
    #[arg(long, value_name = "SHARE")]
    max_score: Option<Share>,

    /// Only positions with at most this share of draws among the games with a result, such as 0.7
    #[arg(long, value_name = "SHARE")]
    max_draws: Option<Share>,

    /// How games without a result count in --min-score, --max-score, --max-draws, --order score and the weights of a Polyglot book
    ///
    /// The default is draw for a Polyglot book (--format bin), as in Polyglot's make-book, and skip for all other formats. Counts are
    /// written unchanged.
    #[arg(long, value_name = "HOW", value_parser = words::<UnknownResult>())]
    unknown_result: Option<UnknownResult>,

    /// Of the games that reach the same position, count only the one with the highest mean rating
    #[arg(long)]
    keep_strongest: bool,

    /// Whether to keep positions in which the game is over: no legal move, or neither side can win [default: keep; skip with --preset match]
    #[arg(long, value_name = "WHAT", value_parser = words::<KeepOrSkip>())]
    finished: Option<KeepOrSkip>,

    /// The same number of positions with White and with Black to move, drawn at random
    ///
    /// After N plies from the starting position the same side is to move in all games, so use --ply N..N+1, not --exit N. For
    /// positions in which neither side is better, use --eval.
    #[arg(long)]
    equal_turns: bool,

    /// Polyglot: only moves played in at least N games, like -min-game of Polyglot
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    min_move_games: u64,

    /// Polyglot: only moves with which the side that plays them scored at least this share of the points, like -min-score of Polyglot
    #[arg(long, value_name = "SHARE")]
    min_move_score: Option<Share>,

    /// Polyglot: the weights of the moves
    #[arg(long, value_name = "HOW", value_parser = words::<Weights>(), default_value = "points")]
    weights: Weights,

    /// N positions at random, each equally likely
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// Random seed: the same seed gives the same book
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Order of the positions
    #[arg(long, value_name = "ORDER", value_parser = words_but(&[Order::Shuffle]), default_value = "input")]
    order: Order,

    /// Write the positions in random order
    #[arg(long, conflicts_with = "order")]
    shuffle: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Target {
    /// Format of the book [default: from the suffix of the output, otherwise epd]
    ///
    /// Suffixes: .epd and .txt, .pgn, .bin, .csv, .jsonl and .ndjson, .arrow and .arrows, .parquet; for a partial result .part,
    /// .arrow and .arrows, .parquet. Another suffix without --format is an error.
    #[arg(long, value_name = "FORM", value_parser = words::<Form>())]
    format: Option<Form>,

    /// Write fewer operations in EPD; match also omits positions in which the game is over (--finished)
    #[arg(long, value_name = "PRESET", value_enum)]
    preset: Option<Preset>,

    /// Write all counts, to be merged with other partial results later, in the native format, or as arrow or parquet
    #[arg(long)]
    pub(crate) partial: bool,

    /// With --partial, keep the moves that lead to each position, which a book as PGN needs
    #[arg(long)]
    moves: bool,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write the numbers of positions, the hash and the command to a file of the same name with .json appended
    #[arg(long, requires = "output", conflicts_with = "partial")]
    pub(crate) metadata: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Room {
    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,

    /// Maximum memory for counting; counts that do not fit are written to --temp-dir
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    memory: Size,

    /// Folder for temporary files [default: that of the system]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    temp_dir: Option<PathBuf>,
}

/// The suffixes of books.
const SUFFIXES: &[(&str, Form)] = &[
    ("epd", Form::Epd),
    ("txt", Form::Epd),
    ("pgn", Form::Pgn),
    ("bin", Form::Polyglot),
    ("csv", Form::Csv),
    ("jsonl", Form::JsonLines),
    ("ndjson", Form::JsonLines),
    ("arrow", Form::Arrow),
    ("arrows", Form::Arrow),
    ("parquet", Form::Parquet),
];

/// The suffixes of partial results.
const PARTIAL_SUFFIXES: &[(&str, PartialForm)] = &[
    ("part", PartialForm::Own),
    ("arrow", PartialForm::Arrow),
    ("arrows", PartialForm::Arrow),
    ("parquet", PartialForm::Parquet),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Preset {
    /// Four fields, hmvc and fmvn, for engine matches with cutechess, fastchess and others
    Match,
    /// Four fields only
    Bare,
}

/// Lower bound on the memory limit, in bytes.
const LEAST_MEMORY: usize = 1 << 20;

impl Book {
    /// Returns the options for counting for a book of this form.
    pub(crate) fn options(&self, form: Form) -> BookOptions {
        let Count { ply, exit, last, .. } = self.count;
        let Plies { first, last: last_ply } = match exit {
            Some(ply) => Plies { first: ply, last: ply },
            None => ply.unwrap_or_default(),
        };
        BookOptions {
            filter: self.count.filter.clone(),
            first_ply: first,
            last_ply,
            only_final: last,
            variations: self.count.variations,
            queens: self.count.queens,
            no_mate: self.count.no_mate,
            no_check: self.count.no_check,
            pieces: self.count.pieces.map(|Plies { first, last }| (first, last)),
            eval: self.count.eval.map(|Evaluations { least, most }| EvaluationRange {
                least,
                most,
                view: self.count.eval_view,
            }),
            once_per_game: self.count.once_per_game,
            moves: self.output.moves || form == Form::Pgn,
            on_error: self.count.on_error,
            max_game_bytes: self.count.max_game_bytes.0,
            jobs: self.room.jobs.map(|Jobs(jobs)| jobs),
            memory: self.room.memory(),
            temp_dir: self.room.temp_dir(),
        }
    }
}

impl Choose {
    /// Returns the selection of positions for a book of this form.
    pub(crate) fn choice(&self, form: Form, target: &Target) -> anyhow::Result<Choice> {
        let choice = self.selection(form);
        if form != Form::Polyglot && choice.moves != MoveChoice::default() {
            anyhow::bail!(
                "--min-move-games, --min-move-score and --weights are for Polyglot books: -o book.bin"
            );
        }
        let usual = target.preset == Some(Preset::Match);
        let skip_finished = self.finished.map_or(usual, |finished| finished == KeepOrSkip::Skip);
        Ok(Choice { skip_finished, ..choice })
    }

    fn selection(&self, form: Form) -> Choice {
        Choice {
            min_games: self.min_games,
            min_score: self.min_score.map(|Share(millionths)| millionths),
            max_score: self.max_score.map(|Share(millionths)| millionths),
            max_draws: self.max_draws.map(|Share(millionths)| millionths),
            unknown_result: self.unknown_result.unwrap_or(match form {
                Form::Polyglot => UnknownResult::Draw,
                _ => UnknownResult::Skip,
            }),
            keep_strongest: self.keep_strongest,
            skip_finished: false,
            equal_turns: self.equal_turns,
            sample: self.sample,
            seed: self.seed,
            order: if self.shuffle { Order::Shuffle } else { self.order },
            moves: MoveChoice {
                min_games: self.min_move_games,
                min_score: self.min_move_score.map(|Share(millionths)| millionths),
                weights: self.weights,
            },
        }
    }

    /// Whether any selection option is given.
    pub(crate) fn is_given(&self) -> bool {
        let is_chosen = self.unknown_result.is_some() || self.finished.is_some();
        is_chosen || self.selection(Form::Epd) != Choice::default()
    }
}

impl Count {
    /// Returns the names of the given options that exclude positions.
    pub(crate) fn limits(&self) -> String {
        let options = [
            ("--where", self.filter.is_some()),
            ("--ply", self.ply.is_some()),
            ("--exit", self.exit.is_some()),
            ("--last", self.last),
            ("--queens", self.queens.is_some()),
            ("--no-mate", self.no_mate),
            ("--no-check", self.no_check),
            ("--pieces", self.pieces.is_some()),
            ("--eval", self.eval.is_some()),
        ];
        let given = options.into_iter().filter(|(_, is_given)| *is_given);
        given.map(|(name, _)| name).collect::<Vec<_>>().join(", ")
    }
}

impl Target {
    /// Returns the selected format, or that of the name of the output.
    pub(crate) fn form(&self) -> anyhow::Result<Form> {
        let by_name = || suffix::format(self.output.as_deref(), SUFFIXES, "books");
        Ok(match self.format {
            Some(form) => form,
            None if self.partial => Form::default(),
            None => by_name()?.unwrap_or_default(),
        })
    }

    /// Returns the format of a partial result.
    pub(crate) fn partial_form(&self) -> anyhow::Result<PartialForm> {
        let by_name =
            || suffix::format(self.output.as_deref(), PARTIAL_SUFFIXES, "partial results");
        Ok(match self.format {
            Some(Form::Arrow) => PartialForm::Arrow,
            Some(Form::Parquet) => PartialForm::Parquet,
            Some(_) => PartialForm::Own,
            None => by_name()?.unwrap_or(PartialForm::Own),
        })
    }

    pub(crate) fn ops(&self) -> EpdOps {
        match self.preset {
            None => EpdOps::Counts,
            Some(Preset::Match) => EpdOps::Clocks,
            Some(Preset::Bare) => EpdOps::None,
        }
    }
}

impl Room {
    pub(crate) fn threads(&self) -> Threads {
        let jobs = self.jobs.map(|Jobs(jobs)| jobs);
        BookOptions { jobs, ..BookOptions::default() }.threads()
    }

    pub(crate) fn memory(&self) -> usize {
        self.memory.0.max(LEAST_MEMORY)
    }

    pub(crate) fn temp_dir(&self) -> PathBuf {
        self.temp_dir.clone().unwrap_or_else(std::env::temp_dir)
    }
}

//! Arguments of the command that makes opening books.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum, ValueHint};
use pgn2epd::book::{
    BookOptions, Choice, EpdOps, EvaluationRange, EvaluationView, Form, Order, PartialForm, Queens,
    UnknownResult,
};
use pgn2epd::{Filter, OnError};

use super::convert::Messages;
use super::damage::DamageArgs;
use super::suffix;
use super::values::{Bytes, Evaluations, Jobs, Plies, Score, Size, words, words_but};

const EXAMPLES: &str = "\
Examples:
  pgn2epd book --ply 15..16 --min-games 3 --balance games.pgn -o book.epd
  pgn2epd book --ply 1..24 --min-games 50 --order count *.pgn -o popular.epd
  pgn2epd book --where 'WhiteElo >= 2500' --ply ..30 games.pgn -o repertoire.bin
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
/// For every position within the window of plies: games, results, ratings, years, the strongest game, and the same for each
/// move. A position counts once per game; equal are positions with the same placement, side to move, castling rights and
/// legal en passant. The result depends neither on threads, nor on memory, nor on how games are split.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true, before_help = EXAMPLES)]
pub(crate) struct Book {
    #[command(subcommand)]
    pub(crate) command: Option<BookCommand>,

    /// Files of games, in any form that is converted; none, or -, for standard input
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

/// What is done with what was counted before.
#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    /// Merge partial results, and write a book or another partial result
    Merge {
        /// Partial results, written with --partial, in any form; of a folder, those in it
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
    /// Show which positions two books have, and what is counted differently
    ///
    /// Lines begin with - for what only the first has, + for the second, and = for different counts.
    Diff {
        /// A partial result, or a file of games
        #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
        a: PathBuf,

        /// Another one
        #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
        b: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Counting")]
pub(crate) struct Count {
    /// Only games and positions that fulfil a condition: 'WhiteElo >= 2400 and Date >= 2015'; see `pgn2epd --help`
    #[arg(long = "where", value_name = "CONDITION")]
    filter: Option<Filter>,

    /// Only positions after this number of plies: 1..24, 8.., ..24 or 16; 0 is the start
    #[arg(long, value_name = "FIRST..LAST", allow_hyphen_values = true)]
    ply: Option<Plies>,

    /// Only the position after ply N: where players leave the book
    #[arg(long, value_name = "N", conflicts_with_all = ["ply", "last"])]
    exit: Option<u32>,

    /// Only the position that a game ends with
    #[arg(long)]
    last: bool,

    /// Positions of variations too
    #[arg(long)]
    variations: bool,

    /// Only positions with queens
    #[arg(long, value_name = "WHOSE", value_parser = words::<Queens>())]
    queens: Option<Queens>,

    /// No position that is mate
    #[arg(long)]
    no_mate: bool,

    /// No position in which the side to move is in check
    #[arg(long)]
    no_check: bool,

    /// Only positions with this number of pieces, kings and pawns included: 20..32
    #[arg(long, value_name = "MIN..MAX")]
    pieces: Option<Plies>,

    /// Only positions with an evaluation by an engine in this range, in centipawns (90..119, -20..20) or pawns (0.90..1.19)
    ///
    /// Evaluations are those in comments on games ([%eval], cutechess, fastchess, TCEC) and `ce` in files of positions. Positions
    /// without an evaluation do not count. The evaluation is written as `ce` or in the column `eval`, in the view of the side
    /// to move.
    #[arg(long, value_name = "MIN..MAX", allow_hyphen_values = true)]
    eval: Option<Evaluations>,

    /// The view in which --eval is given: that of the side to move, or White's
    #[arg(long, value_name = "VIEW", value_parser = words::<EvaluationView>(), default_value = "mover", requires = "eval")]
    eval_view: EvaluationView,

    /// Count only the first position of each game that all other options want
    #[arg(long)]
    once_per_game: bool,

    /// Only the games of one file whose first byte lies in this range, as `pgn2epd splits` prints them
    ///
    /// However a file is cut into ranges, each game counts once. Where the number of a game is given, it is its number in the range and
    /// the byte where the range's first game begins, added up.
    #[arg(long, value_name = "START:END")]
    pub(crate) range: Option<Bytes>,

    /// What to do with a game that has an error
    #[arg(long, value_name = "WHAT", value_parser = words::<OnError>(), default_value = "keep")]
    on_error: OnError,

    #[command(flatten)]
    pub(crate) damage: DamageArgs,

    /// The largest game to read, in bytes, or with K, M or G
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    max_game_bytes: Size,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct Choose {
    /// Only positions of N games at least
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    min_games: u64,

    /// Only positions where White scored so much at least, as 0.45
    #[arg(long, value_name = "SHARE")]
    min_score: Option<Score>,

    /// Only positions where White scored so much at most, as 0.6
    #[arg(long, value_name = "SHARE")]
    max_score: Option<Score>,

    /// How games without a result count in --min-score, --max-score, --order score and the weights of a Polyglot book
    ///
    /// The default is draw for a Polyglot book (--format bin), as in Polyglot's make-book, and skip for all other formats. Counts are
    /// written unchanged.
    #[arg(long, value_name = "HOW", value_parser = words::<UnknownResult>())]
    unknown_result: Option<UnknownResult>,

    /// Of games that reached the same position only the one with the highest mean rating counts
    #[arg(long)]
    keep_strongest: bool,

    /// As many positions with White to move as with Black, drawn at random
    ///
    /// After N plies from the starting position the same side is to move in all of them: use --ply N..N+1, not --exit N.
    #[arg(long)]
    balance: bool,

    /// N positions drawn at random
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// What chance begins with: the same seed draws the same
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// The order: of the input, by count, by text, or by White's score
    #[arg(long, value_name = "ORDER", value_parser = words_but(&[Order::Shuffle]), default_value = "input")]
    order: Order,

    /// In random order
    #[arg(long, conflicts_with = "order")]
    shuffle: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Target {
    /// The format [default: that of the suffix of the output, or epd]
    ///
    /// Suffixes: .epd and .txt, .pgn, .bin, .csv, .jsonl and .ndjson, .arrow and .arrows, .parquet; for a partial result .part,
    /// .arrow and .arrows, .parquet. Another suffix without --format is an error.
    #[arg(long, value_name = "FORM", value_parser = words::<Form>())]
    format: Option<Form>,

    /// Write fewer operations: only the counters, for programs that play, or none
    #[arg(long, value_name = "PRESET", value_enum)]
    preset: Option<Preset>,

    /// Write a partial result, to be merged with others later: nothing is chosen yet. Its form is its own, or arrow or parquet
    #[arg(long)]
    pub(crate) partial: bool,

    /// Keep the moves of the strongest game to each position, as PGN needs them
    #[arg(long)]
    moves: bool,

    /// Write to a file; it is replaced only once everything is written
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write figures and the hash of the book to a file of the same name with .json appended
    #[arg(long, requires = "output", conflicts_with = "partial")]
    pub(crate) metadata: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Room {
    /// Threads that work [default: as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,

    /// How much memory counting may take; what does not fit goes to disk
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    memory: Size,

    /// Where temporary files go [default: the system's folder for them]
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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Preset {
    /// For engine matches with cutechess, fastchess and others: four fields, hmvc, fmvn
    Match,
    /// Four fields and nothing else
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
    pub(crate) fn choice(&self, form: Form) -> Choice {
        Choice {
            min_games: self.min_games,
            min_score: self.min_score.map(|Score(millionths)| millionths),
            max_score: self.max_score.map(|Score(millionths)| millionths),
            unknown_result: self.unknown_result.unwrap_or(match form {
                Form::Polyglot => UnknownResult::Draw,
                _ => UnknownResult::Skip,
            }),
            keep_strongest: self.keep_strongest,
            balance: self.balance,
            sample: self.sample,
            seed: self.seed,
            order: if self.shuffle { Order::Shuffle } else { self.order },
        }
    }

    /// Whether any selection option is given.
    pub(crate) fn is_given(&self) -> bool {
        self.unknown_result.is_some() || self.choice(Form::Epd) != Choice::default()
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
    pub(crate) fn memory(&self) -> usize {
        self.memory.0.max(LEAST_MEMORY)
    }

    pub(crate) fn temp_dir(&self) -> PathBuf {
        self.temp_dir.clone().unwrap_or_else(std::env::temp_dir)
    }
}

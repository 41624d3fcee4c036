//! What was typed to make a library of openings.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum, ValueHint};
use pgn2epd::Filter;
use pgn2epd::OnError;
use pgn2epd::book::{self, BookOptions, Choice};

use super::convert::{Bad, Messages};
use super::values::{Bytes, Evaluations, Jobs, Plies, Score, Size};

const EXAMPLES: &str = "\
Examples:
  pgn2epd book --ply 15..16 --min-games 3 --balance games.pgn -o book.epd
  pgn2epd book --ply 1..24 --min-games 50 --order count *.pgn -o popular.epd
  pgn2epd book --where 'WhiteElo >= 2500' --ply ..30 games.pgn -o repertoire.bin
  pgn2epd book --partial january.pgn -o january.part
  pgn2epd book merge *.part --min-games 50 -o book.epd";

/// Make a library of openings: count positions, choose, write a book
///
/// For every position within the window of plies: games, results, ratings, years, the strongest game, and the same for each
/// move. A position counts once per game; equal are positions with the same placement, side to move, castling rights and
/// legal en passant. The result depends neither on threads, nor on memory, nor on how games are split.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, before_help = EXAMPLES)]
pub(in crate::cli) struct Book {
    #[command(subcommand)]
    pub(in crate::cli) command: Option<BookCommand>,

    /// Files of games, in any form that is converted; none, or -, for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(in crate::cli) count: Count,

    #[command(flatten)]
    pub(in crate::cli) choice: Choose,

    #[command(flatten)]
    pub(in crate::cli) output: Target,

    #[command(flatten)]
    pub(in crate::cli) room: Room,

    #[command(flatten)]
    pub(in crate::cli) messages: Messages,
}

/// What is done with what was counted before.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum BookCommand {
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
    /// Show the moves of a position with their counts
    Show {
        /// A partial result, or a file of games
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: PathBuf,

        /// The position [default: where every game starts]
        #[arg(long)]
        fen: Option<String>,
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
#[command(next_help_heading = "What is counted")]
pub(in crate::cli) struct Count {
    /// Only games and positions for which this holds, as 'WhiteElo >= 2400 and Date >= 2015'
    #[arg(long = "where", value_name = "CONDITION")]
    filter: Option<Filter>,

    /// Only positions after so many plies, as 1..24, 8.., ..24 or 16; 0 is the start
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
    #[arg(long, value_name = "WHOSE", value_enum)]
    queens: Option<Queens>,

    /// No position that is mate
    #[arg(long)]
    no_mate: bool,

    /// No position in which the side to move is in check
    #[arg(long)]
    no_check: bool,

    /// Only positions with so many pieces, kings and pawns too, as 20..32
    #[arg(long, value_name = "MIN..MAX")]
    pieces: Option<Plies>,

    /// Only positions that an engine found worth so many centipawns, in the view of the side to move, as 90..119 or -20..20
    #[arg(long, value_name = "MIN..MAX", allow_hyphen_values = true)]
    eval: Option<Evaluations>,

    /// Only the games of one file whose first byte lies in this range, as `pgn2epd splits` prints them
    ///
    /// However a file is cut into ranges, each game counts once. Where the number of a game is told, it is its number in the range and
    /// the byte where the range's first game begins, added up.
    #[arg(long, value_name = "START:END")]
    pub(in crate::cli) range: Option<Bytes>,

    /// What to do with a game that has an error
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Bad::Keep)]
    on_error: Bad,

    /// The largest game to read, in bytes, or with K, M or G
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    max_game_bytes: Size,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which positions become the book")]
pub(in crate::cli) struct Choose {
    /// Only positions of N games at least
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    min_games: u64,

    /// Only positions where White scored so much at least, as 0.45
    #[arg(long, value_name = "SHARE")]
    min_score: Option<Score>,

    /// Only positions where White scored so much at most, as 0.6
    #[arg(long, value_name = "SHARE")]
    max_score: Option<Score>,

    /// Of games that reached the same position only the one with the highest mean rating counts
    #[arg(long)]
    keep_strongest: bool,

    /// As many positions with White to move as with Black, drawn by chance
    ///
    /// After N plies from the usual start one side is to move in all of them: take --ply N..N+1, not --exit N.
    #[arg(long)]
    balance: bool,

    /// N positions drawn by chance
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// What chance begins with: the same seed draws the same
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// The order: of the input, by count, by text, or by White's score
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = Order::Input)]
    order: Order,

    /// An order by chance
    #[arg(long, conflicts_with = "order")]
    shuffle: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What comes out")]
pub(in crate::cli) struct Target {
    /// The form [default: as the name of the output ends, or epd]
    #[arg(long, value_name = "FORM", value_enum)]
    format: Option<Form>,

    /// For whom: with book, for programs that play, only clocks stand behind the position
    #[arg(long, value_name = "PRESET", value_enum)]
    preset: Option<Preset>,

    /// Write a partial result, to be merged with others later: nothing is chosen yet. Its form is its own, or arrow or parquet
    #[arg(long)]
    pub(in crate::cli) partial: bool,

    /// Keep the moves of the strongest game to each position, as PGN needs them
    #[arg(long)]
    moves: bool,

    /// Write to a file; it is replaced only when all has gone well
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Write figures and the hash of the book beside it, with .json behind its name
    #[arg(long, requires = "output", conflicts_with = "partial")]
    pub(in crate::cli) metadata: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How to run")]
pub(in crate::cli) struct Room {
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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Queens {
    /// One of each side at least
    Both,
    /// One at least
    Any,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    /// As the games came to the positions: files by name, games by number
    Input,
    /// Most games first
    Count,
    /// By the text of the four fields
    Key,
    /// White's best first
    Score,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// EPD records
    Epd,
    /// A game for each position
    Pgn,
    /// Polyglot's book
    Bin,
    /// A line for each move of each position
    Csv,
    /// A JSON object for each position
    Jsonl,
    /// A stream of Arrow's batches, a row for each position
    Arrow,
    /// Parquet, a row for each position
    Parquet,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Preset {
    /// For cutechess, fastchess and others that play: four fields, hmvc, fmvn
    Book,
    /// Four fields and nothing else
    Bare,
}

/// The least memory that is of use, in bytes.
const LEAST_MEMORY: usize = 1 << 20;

impl Book {
    /// What the library is to count.
    pub(in crate::cli) fn options(&self) -> BookOptions {
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
            queens: self.count.queens.map(|queens| match queens {
                Queens::Both => book::Queens::Both,
                Queens::Any => book::Queens::Any,
            }),
            no_mate: self.count.no_mate,
            no_check: self.count.no_check,
            pieces: self.count.pieces.map(|Plies { first, last }| (first, last)),
            eval: self.count.eval.map(|Evaluations { least, most }| (least, most)),
            moves: self.output.moves || self.output.form() == book::Form::Pgn,
            on_error: match self.count.on_error {
                Bad::Keep => OnError::Keep,
                Bad::Skip => OnError::Skip,
                Bad::Stop => OnError::Stop,
            },
            max_game_bytes: self.count.max_game_bytes.0,
            jobs: self.room.jobs.map(|Jobs(jobs)| jobs),
            memory: self.room.memory(),
            temp_dir: self.room.temp_dir(),
        }
    }
}

impl Choose {
    pub(in crate::cli) fn choice(&self) -> Choice {
        Choice {
            min_games: self.min_games,
            min_score: self.min_score.map(|Score(millionths)| millionths),
            max_score: self.max_score.map(|Score(millionths)| millionths),
            keep_strongest: self.keep_strongest,
            balance: self.balance,
            sample: self.sample,
            seed: self.seed,
            order: match self.order {
                _ if self.shuffle => book::Order::Shuffle,
                Order::Input => book::Order::Input,
                Order::Count => book::Order::Count,
                Order::Key => book::Order::Key,
                Order::Score => book::Order::Score,
            },
        }
    }

    /// Whether anything is chosen.
    pub(in crate::cli) fn is_given(&self) -> bool {
        self.choice() != Choice::default()
    }
}

impl Target {
    /// The form that was chosen, or that the name of the output tells.
    pub(in crate::cli) fn form(&self) -> book::Form {
        let suffix = || self.output.as_deref()?.extension()?.to_str();
        match (self.format, suffix()) {
            (Some(Form::Epd), _) => book::Form::Epd,
            (Some(Form::Pgn), _) | (None, Some("pgn")) => book::Form::Pgn,
            (Some(Form::Bin), _) | (None, Some("bin")) => book::Form::Polyglot,
            (Some(Form::Csv), _) | (None, Some("csv")) => book::Form::Csv,
            (Some(Form::Jsonl), _) | (None, Some("jsonl" | "ndjson")) => book::Form::JsonLines,
            (Some(Form::Arrow), _) | (None, Some("arrow" | "arrows")) => book::Form::Arrow,
            (Some(Form::Parquet), _) | (None, Some("parquet")) => book::Form::Parquet,
            (None, _) => book::Form::Epd,
        }
    }

    /// The form of a partial result.
    pub(in crate::cli) fn partial_form(&self) -> book::PartialForm {
        match self.form() {
            book::Form::Arrow => book::PartialForm::Arrow,
            book::Form::Parquet => book::PartialForm::Parquet,
            _ => book::PartialForm::Own,
        }
    }

    pub(in crate::cli) fn ops(&self) -> book::EpdOps {
        match self.preset {
            None => book::EpdOps::Counts,
            Some(Preset::Book) => book::EpdOps::Clocks,
            Some(Preset::Bare) => book::EpdOps::None,
        }
    }
}

impl Room {
    pub(in crate::cli) fn memory(&self) -> usize {
        self.memory.0.max(LEAST_MEMORY)
    }

    pub(in crate::cli) fn temp_dir(&self) -> PathBuf {
        self.temp_dir.clone().unwrap_or_else(std::env::temp_dir)
    }
}

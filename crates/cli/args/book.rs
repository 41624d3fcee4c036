//! Arguments of the command that makes opening books.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::bail;
use clap::{ArgGroup, Subcommand, ValueHint};
use pgn2epd::analyse::{AnalyseOptions, book_has};
use pgn2epd::book::{BookOptions, Form};
use pgn2epd::options::{Filter, Keyword, Omission, Omissions, Share};

use super::commands::{Kept, Messages};
use super::library_options::{Bytes, LibraryOptions, Subset, format_of_suffix, on_command_line};
use crate::host;

const EXAMPLES: &str = "\
Examples:
  pgn2epd book --ply 15..16 --min-games 3 --preset match games.pgn -o book.epd
  pgn2epd book --ply 1..24 --min-games 50 --order count *.pgn -o popular.epd
  pgn2epd book --where 'WhiteElo >= 2500' --ply ..30 --min-move-games 3 games.pgn -o book.bin
  pgn2epd book --variations repertoire.pgn -o repertoire.bin
  pgn2epd book --eval white:0.90..1.19 --once-per-game games.pgn -o unbalanced.epd
  pgn2epd book --ply 16 --engine stockfish --nodes 100000 --eval white:90..130 games.pgn -o uho.epd
  pgn2epd book --partial january.pgn -o january.part
  pgn2epd book merge *.part --min-games 50 -o book.epd";

const SHOW_EXAMPLES: &str = "\
Examples:
  pgn2epd book show games.pgn --moves 'e4 c5 Nf3'
  pgn2epd book show repertoire.bin
  pgn2epd book show masters.explorer --moves 'd4 Nf6'
  pgn2epd book show january.part --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'";

const GAPS_EXAMPLES: &str = "\
Examples:
  pgn2epd book gaps white.pgn --side white --against masters.explorer
  pgn2epd book gaps caro-kann.pgn --side black --against masters.explorer --min-games 100
  pgn2epd book gaps white.pgn --side white --games mine.pgn --where 'White ~ \"carlsen\"'";

/// Make an opening book: count, select and write positions
///
/// Each position has the number of games, results, ratings, years and the strongest game, in total
/// and for each move. A position counts once per game; with --variations, each move of a position.
/// Positions are equal if placement, side to move, castling rights and legal en passant are equal.
/// The result does not depend on threads, memory, or the way games are split.
///
/// With --engine, a UCI engine evaluates the positions that the other options select, and --eval
/// and --draws are ranges of its evaluations.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true, before_help = EXAMPLES)]
pub(crate) struct Book {
    #[command(subcommand)]
    pub(crate) command: Option<BookCommand>,

    /// Files of games or positions (EPD, FEN), compressed or not, or - for standard input, the
    /// default
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<BookOptions>,

    #[command(flatten)]
    pub(crate) engine: BookEngine,

    /// Only the games whose first byte is in this range of the file, as printed by `pgn2epd splits`
    ///
    /// However a file is divided into ranges, each game counts once. Games are numbered from the
    /// first game of the range, plus the offset of its first byte.
    #[arg(long, value_name = "START:END", help_heading = "Running")]
    pub(crate) range: Option<Bytes>,

    #[command(flatten)]
    pub(crate) output: BookOutput,

    #[command(flatten)]
    pub(crate) messages: Messages,
}

/// The options of `merge`: counting is done.
pub(crate) enum OfMerge {}

impl Subset for OfMerge {
    fn has(heading: &str, name: &str) -> bool {
        let of_reading = ["on-damage", "max-game-bytes"].contains(&name);
        ["omit", "eval"].contains(&name)
            || !["Positions", "Counting"].contains(&heading) && !of_reading
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct BookEngine {
    #[command(flatten)]
    library: LibraryOptions<AnalyseOptions, OfBookEngine>,

    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// The options of an engine for books: one evaluation of a position of chess.
pub(crate) enum OfBookEngine {}

impl Subset for OfBookEngine {
    fn has(_: &str, name: &str) -> bool {
        book_has(name)
    }
}

impl BookEngine {
    /// The options of the engine, if there is one.
    pub(crate) fn options(&self) -> anyhow::Result<Option<AnalyseOptions>> {
        if self.library.given().next().is_none() {
            return Ok(None);
        }
        let options = AnalyseOptions::from_names(self.library.given()).map_err(on_command_line)?;
        Ok(Some(options.stop(host::stop_check())))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    /// Merge partial results, and write a book or another partial result
    Merge {
        /// Partial results, written with --partial, or explorer files of all positions
        #[arg(value_name = "PART", required = true, value_hint = ValueHint::FilePath)]
        parts: Vec<PathBuf>,

        #[command(flatten)]
        library: LibraryOptions<BookOptions, OfMerge>,

        #[command(flatten)]
        engine: BookEngine,

        #[command(flatten)]
        output: BookOutput,
    },
    /// Show the moves of a position with their counts, or with their weights in a Polyglot book
    #[command(before_help = SHOW_EXAMPLES)]
    Show {
        /// An explorer file, a partial result, a file of games or positions, or a Polyglot book
        /// (.bin)
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: PathBuf,

        /// The position [default: the standard starting position]
        #[arg(long)]
        fen: Option<String>,

        /// Moves to play from there, such as 'e4 c5'
        #[arg(long)]
        moves: Option<String>,
    },
    /// Compare a repertoire with an explorer file: replies without an answer, ends of lines, moves
    /// that score badly; or with games: where each of them left it
    ///
    /// Positions are compared, so the order of moves does not matter. Variations are part of the
    /// repertoire. The gaps of most games are first.
    ///
    /// A game has left the repertoire after its last position that is part of it: a game that comes
    /// back by another order of moves has not left it before. Variations of these games are
    /// ignored.
    #[command(before_help = GAPS_EXAMPLES)]
    Gaps(Gaps),
    Serve(Serve),
}

/// The arguments of `gaps`.
#[derive(Debug, clap::Args)]
#[group(skip)]
#[command(group(ArgGroup::new("compared").args(["against", "games"]).required(true).multiple(true)))]
pub(crate) struct Gaps {
    /// Files with the lines of the repertoire
    #[arg(value_name = "REPERTOIRE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// The side of the repertoire
    #[arg(long, value_name = "SIDE", value_parser = ["white", "black"])]
    pub(crate) side: String,

    /// Compare with an explorer file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) against: Option<PathBuf>,

    /// Only moves and positions of at least N games
    #[arg(long, value_name = "N", default_value_t = 1, requires = "against")]
    pub(crate) min_games: u64,

    /// Moves of the repertoire with a lower score than this are gaps
    #[arg(long, value_name = "SHARE", default_value = "0.45", requires = "against")]
    pub(crate) min_score: Share,

    /// The N gaps of most games
    #[arg(long, value_name = "N", default_value_t = 20, requires = "against")]
    pub(crate) limit: usize,

    /// Compare with the games of a file, or of - for standard input; may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) games: Vec<PathBuf>,

    /// Only games that match a condition, such as 'White = "Carlsen, Magnus"'; see `pgn2epd help
    /// conditions`
    #[arg(long = "where", value_name = "CONDITION", requires = "games")]
    pub(crate) condition: Option<Filter>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct BookOutput {
    /// Write all counts, to be merged with other partial results later
    #[arg(long)]
    pub(crate) partial: bool,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write the numbers of positions, the hash and the command to a file of the same name with
    /// .json appended
    #[arg(long, requires = "output", conflicts_with = "partial")]
    pub(crate) metadata: bool,
}

impl BookOutput {
    /// The options for the library: the name of the output may select the format.
    pub(crate) fn options<S: Subset>(
        &self,
        library: &LibraryOptions<BookOptions, S>,
        has_engine: bool,
    ) -> anyhow::Result<BookOptions> {
        let given: Vec<_> = library.given().collect();
        let is_stated = given.iter().any(|(name, _)| *name == "format");
        if self.partial && is_stated {
            bail!("--format is for books: a partial result has one format");
        }
        let output = self.output.as_deref();
        let form = match is_stated {
            true => None,
            false if self.partial => {
                format_of_suffix(output, [("part", None)], "partial results")?.flatten()
            }
            false => format_of_suffix(output, Form::suffixes(), "books")?,
        };
        let form = form.map(|form: Form| ("format", form.word()));
        let options = BookOptions::from_names(given.into_iter().chain(form));
        let options = options.map_err(on_command_line)?;
        if self.partial && (has_engine || options.has_any_of("Selection")) {
            let what = if has_engine { "the engine" } else { "the selection options" };
            bail!("--partial keeps all counts: give {what} to `pgn2epd book merge`");
        }
        Ok(options)
    }
}

/// Refuses kinds of positions that a count does not have, and evaluations that no engine makes.
pub(crate) fn check_merge(options: &BookOptions, has_engine: bool) -> anyhow::Result<()> {
    if options.eval.is_some() && !has_engine {
        bail!(
            "--eval: `book merge` needs an engine, --engine stockfish; evaluations of games are selected when these are counted"
        );
    }
    let finished = Omissions::from_iter([Omission::Finished]);
    if ![Omissions::NONE, finished].contains(&options.omit) {
        bail!(
            "--omit {}: `book merge` omits finished only; omit others when games are counted",
            options.omit
        );
    }
    Ok(())
}

const SERVE_EXAMPLES: &str = "\
Examples:
  pgn2epd book serve games.pgn
  pgn2epd book serve masters.explorer mine=my-games.pgn --listen 0.0.0.0:9002 --cors '*'";

/// Answer for positions over HTTP in the form of Lichess' opening explorer, with a page that shows
/// them
///
/// Nothing is written, and no other file is read than those that are named here. SIGINT and SIGTERM
/// end the server when it has answered what was asked.
#[derive(Debug, clap::Args)]
#[command(before_help = SERVE_EXAMPLES)]
#[cfg_attr(not(feature = "serve"), allow(dead_code))]
pub(crate) struct Serve {
    /// Explorer files and partial results, or files of games, which are counted in memory; their
    /// names, up to the first dot, are the paths of requests
    ///
    /// /masters and /lichess mean the first file, unless another has the name.
    #[arg(value_name = "[NAME=]FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Answer at this address
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:9002")]
    pub(crate) listen: SocketAddr,

    /// Let pages of this origin, such as https://lichess.org, ask; * means all, and requests by any
    /// name of this machine
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) cors: Option<String>,

    /// A file of the games that an explorer file was made of, in PGN and not compressed, so that a
    /// game can be asked for
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) games: Vec<PathBuf>,

    /// The maximum number of connections; others wait
    #[arg(long, value_name = "N", default_value = "500")]
    pub(crate) max_connections: NonZeroU32,
}

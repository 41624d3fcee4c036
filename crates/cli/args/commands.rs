//! The arguments of each command but `book`.

use std::path::PathBuf;

use anyhow::bail;
use clap::{ValueEnum, ValueHint};
use pgn2epd::Options;
use pgn2epd::analyse::AnalyseOptions;
use pgn2epd::diagram::DiagramOptions;
use pgn2epd::epd::CheckOptions;
use pgn2epd::join::JoinOptions;
use pgn2epd::options::OnDamage;

use super::library_options::{
    Bytes, LibraryOptions, NumberRanges, OpeningTables, Size, Subset, counted_from_one,
    format_of_suffix, on_command_line, words,
};
use crate::files::shows_progress;

#[derive(Debug, clap::Args)]
pub(crate) struct Convert {
    /// Files of games, positions or training data, or - for standard input, the default
    ///
    /// They may be compressed (gzip, bzip2, zstd, xz) or archives (zip, 7z).
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<Options>,

    #[command(flatten, next_help_heading = "Records")]
    pub(crate) openings: OpeningTables,

    #[command(flatten)]
    pub(crate) run: Run,

    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Run {
    /// Write to a file, which is replaced when everything has been written
    ///
    /// Unless --format is given, the suffixes .csv, .jsonl and .ndjson, .arrow and .arrows, and
    /// .parquet select a table, .vf, .binpack and .bullet the formats viriformat, binpack and
    /// bulletformat, and .fen without --preset the format fen.
    #[arg(short, long, display_order = 0, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write a description of the outputs to a file, as JSON, with which a data set can be
    /// reproduced and checked
    ///
    /// Inputs and outputs with their sizes and SHA-256, the options, the version of the program,
    /// the numbers of games and positions, and how many were omitted for which reason.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) manifest: Option<PathBuf>,

    /// Only the games that begin in this range of bytes, as `pgn2epd splits` prints and explains
    #[arg(long, value_name = "START:END", hide_short_help = true)]
    pub(crate) range: Option<Bytes>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Messages {
    /// Write every problem to a file as a line of JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) report: Option<PathBuf>,

    /// Print a summary at the end: games, positions, errors, bytes, seconds
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text", hide_short_help = true)]
    pub(crate) summary: Option<SummaryForm>,

    /// Print no messages, except why the run failed
    #[arg(short, long, conflicts_with = "progress", hide_short_help = true)]
    pub(crate) quiet: bool,

    /// Show a progress bar [default: on a terminal, unless the records are written there too]
    #[arg(long, hide_short_help = true)]
    pub(crate) progress: bool,
}

impl Messages {
    pub(crate) fn shows_progress(&self, is_terminal: bool) -> bool {
        shows_progress(self.progress, self.quiet, is_terminal)
    }

    /// The form of the summary, which is printed after errors too.
    pub(crate) fn form(&self, errors: u64) -> Option<SummaryForm> {
        self.summary.or((errors > 0 && !self.quiet).then_some(SummaryForm::Text))
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SummaryForm {
    /// A line of text
    Text,
    /// A JSON object
    Json,
}

impl Convert {
    pub(crate) fn options(&self) -> anyhow::Result<Options> {
        let options = match self.run.output.as_deref() {
            Some(output) => Options::from_names_for(self.library.given(), output),
            None => Options::from_names(self.library.given()),
        };
        options.map_err(on_command_line)
    }
}

const JOIN_HELP: &str = "\
Add the operations of equal positions in other files to records

Each record of FILE gets the operations that it lacks from the records of OTHER with the same position, and is written in its place. \
Counters make no difference and are not added; the en passant square counts if a capture is legal. Of several records with an operation, \
that of the one with the greatest acd is written, and otherwise that of FILE, or of the first in OTHER.";

const JOIN_EXAMPLES: &str = "\
Examples:
  pgn2epd join book.epd --with lichess_db_eval.jsonl.zst -o evaluated.epd
  pgn2epd join old.epd --with new.epd > both.epd
  pgn2epd join suite.epd --with known.epd --only-unmatched > new.epd
  pgn2epd join suite.epd --with suite.epd | pgn2epd --unique - > merged.epd";

const DIFF_HELP: &str = "\
Compare two files of positions or games: positions that only one has, and different operations

Lines begin with < for what only A has, and with > for B; if both have a position, they have the operations that differ. Positions and \
operations are compared in any order. Counters make no difference; the en passant square counts if a capture is legal.";

const DIFF_AFTER_HELP: &str = "Exit status: 0 no differences; 1 differences, or errors in records; 2 wrong arguments, or a file that cannot be read.";

/// Everything about a join.
#[derive(Debug, clap::Args)]
#[command(long_about = JOIN_HELP, before_help = JOIN_EXAMPLES)]
pub(crate) struct Join {
    /// Files of positions or games, compressed or not, or - for standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Files of positions or games whose operations are added
    #[arg(long = "with", value_name = "OTHER", required = true, num_args = 1.., value_hint = ValueHint::FilePath)]
    pub(crate) others: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<JoinOptions>,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Print no messages, except why the run failed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Everything about a comparison.
#[derive(Debug, clap::Args)]
#[command(long_about = DIFF_HELP, after_help = DIFF_AFTER_HELP)]
pub(crate) struct Diff {
    /// A file of positions or games, compressed or not, or - for standard input
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub(crate) a: PathBuf,

    /// The other one
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub(crate) b: PathBuf,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<JoinOptions, OfDiff>,

    /// Print no messages, except why the run failed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The options of `diff`: no records are written.
pub(crate) enum OfDiff {}

impl Subset for OfDiff {
    fn has(heading: &str, _: &str) -> bool {
        matches!(heading, "Reading" | "Running")
    }
}

const CHECK_AFTER_HELP: &str = "\
A problem is printed with its location, its level if it is a warning or a note, and the reason:
  suite.epd:12:32: e5: illegal: no white pawn can reach e5
Problems go to standard output, or to standard error if records go to standard output. The dialect of \
a file is reported once. No output means that there are no problems.

--fix repairs everything that has exactly one reading, and omits comments and empty lines. Text after \
the fields that cannot be read becomes a comment. Lines whose position cannot be read are written to \
--rejects FILE; without that option their number and the first few of them are printed. The records are \
EPD; pgn2epd FILE writes them in other formats, selects, sorts and joins them.

Examples:
  pgn2epd check suite.epd
  pgn2epd check --stats --moves off book.epd
  pgn2epd check --fix suite.epd -o clean.epd --rejects unclear.epd

Exit status: 0 no errors, or with --fix nothing is lost; 1 errors, no records, or with --fix something is rejected \
or left out; 2 wrong arguments, or a file that cannot be read or written.";

/// Check files of positions: grammar, fields, operations, moves; repair and count them.
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_AFTER_HELP)]
pub(crate) struct Check {
    /// Files of positions, one per line, compressed or not, or - for standard input, the default
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<CheckOptions>,

    /// Print problems and statistics as lines of JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the records to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write the lines whose position --fix cannot read to a file, unchanged
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) rejects: Option<PathBuf>,

    /// Print no problems; the exit status is 1 if there are errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

const SPLITS_EXAMPLE: &str = "\
Example:
  pgn2epd splits --size 256M *.pgn
  {\"path\":\"games.pgn\",\"start\":0,\"end\":262144000,\"estimated_games\":117000}
  ...
  pgn2epd book --partial --range 0:262144000 games.pgn -o 0.part";

const SPLITS_AFTER_HELP: &str = "\
A range owns the games whose first byte is in it. `pgn2epd --range START:END FILE` and \
`pgn2epd book --range START:END FILE` read these games. Ranges may be divided in any way: each game \
belongs to exactly one of them. Lines and games are counted from the first game of the range, which \
messages show as FILE@BYTE; --unique, --limit and the like apply within the range.

These files can be divided: plain text (UTF-8, ISO 8859-1, Windows-1252), zstd with a seek table \
(as t2sz and --compress zstd write it), and gzip in blocks (bgzip, --compress gzip), with frames of \
at most 64 MiB. Their ranges are bytes of the uncompressed text. Other compressed files, archives \
and UTF-16 are one range each, which contains byte 0, and so are Parquet, Arrow, training data and \
.plain.

Files of positions are divided between lines; a CSV keeps its header in every range. Registers of EPD \
(c0-c9, v0-v9, eco, nic) are null where a range begins: divide files with `--registers full`.";

/// Divide files into ranges of bytes for several machines, printed as lines of JSON
#[derive(Debug, clap::Args)]
#[command(before_help = SPLITS_EXAMPLE, after_help = SPLITS_AFTER_HELP)]
pub(crate) struct Splits {
    /// Files of games or positions, compressed or not
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Maximum size of a range in bytes, or with K, M or G; the ranges of a file have about the
    /// same size
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    pub(crate) size: Size,
}

/// Everything about diagrams.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pgn2epd show 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
  pgn2epd show games.pgn --game 3 --ply 24 -o position.svg
  pgn2epd show games.pgn -o games.html
  pgn2epd show games.pgn --game 1..5 --ply 10,20,30 -o openings.html
  pgn2epd show lichess_db_puzzle.csv.zst --where 'Rating > 3000' -o puzzles.html
  pgn2epd games.pgn --last --ops none | pgn2epd show - -o 'end-%n.png'")]
pub(crate) struct Show {
    /// A FEN or EPD record, or files of positions or games; - for standard input
    #[arg(required = true, value_name = "RECORD|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) what: Vec<String>,

    /// Which games or records of a file: 3, 1..5, 8.. or 2,7 [default: all records; of games all on
    /// an HTML page or with --where, otherwise the first]
    #[arg(short, long, value_name = "GAMES", value_parser = counted_from_one)]
    pub(crate) game: Option<NumberRanges>,

    /// Which positions of a game: 24, 8..24, 8.. or 10,20,30; 0 is the start [default: all on an
    /// HTML page or with --where, otherwise the last]
    #[arg(short, long, value_name = "PLIES")]
    pub(crate) ply: Option<NumberRanges>,

    /// Format of the diagrams [default: from the suffix of the output, otherwise text]
    ///
    /// Suffixes: .svg, .png, .html and .htm, .tex (latex), .txt (text). Another suffix without
    /// --format is an error.
    #[arg(short, long, value_name = "FORMAT", value_enum)]
    format: Option<DiagramFormat>,

    /// Write to a file; %n in its name is replaced by the number of the picture, for several
    /// pictures
    ///
    /// An HTML page has at most 10,000 diagrams; a message says where it ends.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<DiagramOptions>,

    /// Colours of text in the terminal
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: ColorWhen,

    /// Width of a PNG picture in pixels [default: 800]
    #[arg(long, value_name = "PIXELS")]
    #[arg(value_parser = clap::value_parser!(u32).range(16..=16_384))]
    width: Option<u32>,

    /// What to do with a damaged compressed file
    #[arg(long, value_name = "WHAT", value_parser = words::<OnDamage>(), default_value = "stop")]
    pub(crate) on_damage: OnDamage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiagramFormat {
    /// Unicode chess symbols, with colours in a terminal
    Text,
    /// Letters, upper case for white pieces
    Ascii,
    /// A picture without external fonts or files
    Svg,
    /// The same picture in pixels
    Png,
    /// For LaTeX with the package xskak or chessboard
    Latex,
    /// A page with all diagrams for a browser
    Html,
}

const DIAGRAM_SUFFIXES: [(&str, DiagramFormat); 6] = [
    ("svg", DiagramFormat::Svg),
    ("png", DiagramFormat::Png),
    ("html", DiagramFormat::Html),
    ("htm", DiagramFormat::Html),
    ("tex", DiagramFormat::Latex),
    ("txt", DiagramFormat::Text),
];

impl Show {
    /// The selected format, or that of the output's name; options without effect on it are errors.
    pub(crate) fn format(&self) -> anyhow::Result<DiagramFormat> {
        use DiagramFormat::{Html, Png, Svg, Text};
        let by_name = || format_of_suffix(self.output.as_deref(), DIAGRAM_SUFFIXES, "diagrams");
        let format = self.format.map_or_else(by_name, |format| Ok(Some(format)))?.unwrap_or(Text);
        if self.width.is_some() && format != Png {
            bail!("--width is for PNG pictures");
        }
        let has_theme = self.library.given().any(|(name, _)| name == "theme");
        if has_theme && !matches!(format, Html | Png | Svg) {
            bail!("--theme is for SVG and PNG pictures and HTML pages");
        }
        Ok(format)
    }

    #[cfg(feature = "png")]
    pub(crate) fn width(&self) -> u32 {
        self.width.unwrap_or(800)
    }
}

const ANALYSE_EXAMPLES: &str = "\
Examples:
  pgn2epd analyse --engine stockfish --nodes 100000 suite.epd -o evaluated.epd
  pgn2epd analyse --engine stockfish --option Hash=256 --depth 20 --last --unique games.pgn -o ends.epd
  pgn2epd analyse --engine 'lc0 --backend=blas' --nodes 800 --multipv 3 --bm within:20 suite.epd
  pgn2epd analyse --engine stockfish --nodes 100000 suite.epd -o evaluated.epd --resume";

const ANALYSE_AFTER_HELP: &str = "Exit status: 0 success; 1 errors in games, positions that the engine does not evaluate, or nothing to write; 2 wrong arguments, or a file or an engine that cannot be used.";

/// Evaluate positions with a UCI engine
///
/// Each position is written in its place with what the engine says of it: ce, dm, acd, acn, pv, pm.
/// Positions are selected as by the converter. Several processes search one position each; an
/// engine that crashes, hangs, or answers an illegal move is started again and asked once more.
///
/// With -o FILE, records are written to FILE.partial while they are made, and FILE is replaced at
/// the end. A run that was interrupted goes on with --resume and the same arguments.
#[derive(Debug, clap::Args)]
#[command(before_help = ANALYSE_EXAMPLES, after_help = ANALYSE_AFTER_HELP)]
pub(crate) struct Analyse {
    /// Files of positions or games, compressed or not, or - for standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) engine: LibraryOptions<AnalyseOptions, OfEngine>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<Options, OfAnalyse>,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", help_heading = "Running", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) kept: Kept,

    /// Go on with a run that was interrupted: its records are kept, and compared with the input
    ///
    /// If only FILE exists, without FILE.partial, its records are kept.
    #[arg(long, requires = "output", help_heading = "Running")]
    pub(crate) resume: bool,

    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Kept {
    /// Take evaluations from a file that is made in the first run, and add those of other positions
    ///
    /// They are those of the same engine, limits and options. The file is read into memory.
    #[arg(long, value_name = "FILE", requires = "engine", help_heading = "Running", value_hint = ValueHint::FilePath)]
    pub(crate) cache: Option<PathBuf>,
}

/// The options of `analyse`: results are written to one file.
pub(crate) enum OfAnalyse {}

impl Subset for OfAnalyse {
    fn has(_: &str, name: &str) -> bool {
        let of_several_files = ["split", "rows-per-file", "overwrite", "compress"];
        let of_other_results = ["preset", "rows", "blank-line", "conflicts", "draws"];
        // An analysis has its own.
        name != "variant" && !of_several_files.contains(&name) && !of_other_results.contains(&name)
    }
}

/// The options of the engine: it selects no positions.
pub(crate) enum OfEngine {}

impl Subset for OfEngine {
    fn has(_: &str, name: &str) -> bool {
        name != "draws"
    }
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  pgn2epd solve suite.epd --engine stockfish --nodes 100000
  pgn2epd solve suite.epd --engine stockfish --engine 'lc0 --backend=blas' --movetime 1000 --format markdown
  pgn2epd solve suite.epd --engine ./engine --nodes 10000 --quiet --fail-below 20 -o result.json --format json";

const SOLVE_AFTER_HELP: &str = "Exit status: 0 success; 1 an engine failed at a position, an error in a record, a result below --fail-below, or nothing to solve; 2 wrong arguments, or a file or an engine that cannot be used.";

/// Let UCI engines solve test suites: best moves, moves to avoid, mates, points
///
/// A position is solved by one of the moves of bm, by a move that am does not have, by the move
/// with the most points, or, if the record only has dm, by a mate. Engines are asked one after the
/// other.
#[derive(Debug, clap::Args)]
#[command(before_help = SOLVE_EXAMPLES, after_help = SOLVE_AFTER_HELP)]
pub(crate) struct Solve {
    /// Files of positions, compressed or not, or - for standard input
    #[arg(value_name = "SUITE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) engine: LibraryOptions<AnalyseOptions, OfSolve>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<Options, OfSolve>,

    /// What the result is written as
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Result"
    )]
    pub(crate) format: SuiteFormat,

    /// Exit status 1 if an engine solves fewer positions, or, in a suite with points, has fewer
    /// points
    #[arg(long, value_name = "N", help_heading = "Result")]
    pub(crate) fail_below: Option<u64>,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", help_heading = "Result", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SuiteFormat {
    /// The totals of each engine, then what each played where one was wrong
    Text,
    /// The same as tables of Markdown
    Markdown,
    /// All positions of each engine
    Json,
    /// A row for each engine and position
    Csv,
}

/// The options of `solve`: those of `analyse` that choose positions, engines and limits.
pub(crate) enum OfSolve {}

impl Subset for OfSolve {
    fn has(heading: &str, name: &str) -> bool {
        let is_of_one_engine = ["multipv", "searchmoves"].contains(&name);
        ["Engine", "Reading", "Selection", "Running"].contains(&heading)
            && !is_of_one_engine
            && (OfAnalyse::has(heading, name) || name == "variant" && heading == "Engine")
    }
}

#[cfg(test)]
mod tests;

//! What was typed. Only this file knows clap.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Parser, ValueEnum, ValueHint};
use pgn2epd::{CastlingStyle, EnPassantPolicy, OnError, Ops, Options};

const EXAMPLES: &str = "\
Examples:
  pgn2epd games.pgn > positions.epd
  pgn2epd --last --ep legal --ops none book.pgn -o book.epd
  pgn2epd --format fen --ply 8..24 games.pgn | sort -u > suite.fen
  zstd -dc lichess.pgn.zst | pgn2epd --skip-start -j 4 > positions.epd";

const AFTER_HELP: &str = "\
Records go to standard output, everything else to standard error. What is wrong with a game is said as
  games.pgn:1234:17: game 57 (Carlsen, M - Nakamura, H), 12... Nd5: illegal: the knight on f6 is pinned
  to the king on e7 by the bishop on h4
and the next game goes on.

Exit status: 0 all is well; 1 some games have errors; 2 wrong arguments, or a file that cannot be read or written.";

/// Turn chess games (PGN) into positions (EPD): one record for the start of each game and one after every ply.
#[derive(Debug, Parser)]
#[command(name = "pgn2epd", version, before_help = EXAMPLES, after_help = AFTER_HELP, max_term_width = 100)]
pub(super) struct Args {
    /// Files of games, converted one after the other; none, or -, for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) files: Vec<PathBuf>,

    #[command(flatten)]
    records: Records,

    #[command(flatten)]
    positions: Positions,

    #[command(flatten)]
    pub(super) run: Run,

    #[command(flatten)]
    pub(super) messages: Messages,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What a record looks like")]
struct Records {
    /// The form of a record
    #[arg(long, value_enum, default_value_t = Format::Epd)]
    format: Format,

    /// Operations, in any order: of fmvn, hmvc, sm; or none [default: all three in epd, none in fen and perl]
    #[arg(long, value_name = "LIST")]
    ops: Option<OpsList>,

    /// When to give the en passant square
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Ep::Always)]
    ep: Ep,

    /// How to write castling rights
    #[arg(long, value_name = "STYLE", value_enum, default_value_t = Castling::Xfen)]
    castling: Castling,

    /// Put an empty line behind the records of each game
    #[arg(long)]
    blank_line: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which positions")]
struct Positions {
    /// Leave out the position that a game starts from
    #[arg(long)]
    skip_start: bool,

    /// Only positions after so many plies, as 8..24, 8.., ..24 or 16; 0 is the start
    #[arg(long, value_name = "FIRST..LAST", allow_hyphen_values = true)]
    ply: Option<Plies>,

    /// Only the position that a game ends with, as for a book of openings
    #[arg(long)]
    last: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How to run")]
pub(super) struct Run {
    /// Write to a file; it is replaced only when all has gone well
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,

    /// Threads that work [default: as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,

    /// What to do with a game that has an error
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Bad::Keep)]
    on_error: Bad,

    /// The largest game to read, in bytes, or with K, M or G; memory is bounded by it
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    max_game_bytes: Size,

    /// Bytes to work on at once; it changes nothing about the output
    #[arg(long, value_name = "SIZE", hide = true, default_value = "256K")]
    chunk_bytes: Size,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What to say")]
pub(super) struct Messages {
    /// Write every problem to a file, as a line of JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) report: Option<PathBuf>,

    /// Say at the end what was done: games, positions, errors, bytes, seconds
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub(super) summary: Option<SummaryForm>,

    /// Say nothing but why the run failed, if it did
    #[arg(short, long, conflicts_with = "progress")]
    pub(super) quiet: bool,

    /// Show how far it is [default: on a terminal, unless the records go there too]
    #[arg(long)]
    pub(super) progress: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Four fields and operations: the standard's record
    Epd,
    /// The six fields of a FEN
    Fen,
    /// Four fields, positions after each move, an empty line behind each game, as Perl's Chess::PGN::EPD has it
    Perl,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ep {
    /// After every advance of a pawn by two squares: the standard
    Always,
    /// Only if an enemy pawn stands beside: X-FEN
    Pseudo,
    /// Only if a capture is legal: to compare positions with Lichess, python-chess, cutechess
    Legal,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Castling {
    /// KQkq, and a file's letter where that would be ambiguous (Chess960)
    Xfen,
    /// The letters of the rooks' files: HAha
    Shredder,
    /// Always KQkq
    Standard,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Bad {
    /// Write the positions before the error
    Keep,
    /// Write nothing of that game
    Skip,
    /// Write the positions before the error, and end
    Stop,
}

/// The form of the summary.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SummaryForm {
    /// A line for people
    Text,
    /// An object for programs
    Json,
}

impl Args {
    /// What the library is to do.
    pub(super) fn options(&self) -> Options {
        let Plies { first, last } = self.positions.ply.unwrap_or_default();
        Options {
            format: match self.records.format {
                Format::Epd => pgn2epd::Format::Epd,
                Format::Fen => pgn2epd::Format::Fen,
                Format::Perl => pgn2epd::Format::Perl,
            },
            en_passant: match self.records.ep {
                Ep::Always => EnPassantPolicy::Always,
                Ep::Pseudo => EnPassantPolicy::Pseudo,
                Ep::Legal => EnPassantPolicy::Legal,
            },
            castling: match self.records.castling {
                Castling::Xfen => CastlingStyle::XFen,
                Castling::Shredder => CastlingStyle::Shredder,
                Castling::Standard => CastlingStyle::Standard,
            },
            ops: self.records.ops.map(|OpsList(ops)| ops),
            first_ply: first.max(u32::from(self.positions.skip_start)),
            last_ply: last,
            only_final: self.positions.last,
            blank_line: self.records.blank_line,
            on_error: match self.run.on_error {
                Bad::Keep => OnError::Keep,
                Bad::Skip => OnError::Skip,
                Bad::Stop => OnError::Stop,
            },
            max_game_bytes: self.run.max_game_bytes.0,
            jobs: self.run.jobs.map(|Jobs(jobs)| jobs),
            chunk_bytes: self.run.chunk_bytes.0,
        }
    }
}

/// A list of operations.
#[derive(Clone, Copy, Debug)]
struct OpsList(Ops);

impl FromStr for OpsList {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let mut ops = Ops::NONE;
        if list == "none" {
            return Ok(OpsList(ops));
        }
        for name in list.split(',') {
            match name.trim() {
                "fmvn" => ops.fmvn = true,
                "hmvc" => ops.hmvc = true,
                "sm" => ops.sm = true,
                other => {
                    return Err(format!(
                        "there is no operation {other:?} to write; choose of fmvn, hmvc and sm, with commas between, or none"
                    ));
                }
            }
        }
        Ok(OpsList(ops))
    }
}

/// A window of plies.
#[derive(Clone, Copy, Debug)]
struct Plies {
    first: u32,
    last: u32,
}

impl Default for Plies {
    fn default() -> Self {
        Plies { first: 0, last: u32::MAX }
    }
}

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ply = |text: &str, default: u32| {
            match text {
            "" => Ok(default),
            digits => digits.parse().map_err(|_| {
                format!("{digits:?} is no number of plies; write FIRST..LAST, as 8..24, or only one side, as 8.. or ..24")
            }),
        }
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (ply(first, 0)?, ply(last.trim_start_matches('='), u32::MAX)?),
            None if text.is_empty() => return Err("write FIRST..LAST, as 8..24".to_owned()),
            None => (ply(text, 0)?, ply(text, 0)?),
        };
        if first > last {
            return Err(format!(
                "no ply is both {first} or later and {last} or earlier; write {last}..{first}"
            ));
        }
        Ok(Plies { first, last })
    }
}

/// A number of threads.
#[derive(Clone, Copy, Debug)]
struct Jobs(NonZeroUsize);

impl FromStr for Jobs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let advice =
            "write a number of threads, 1 or more, or leave -j out for as many as there are cores";
        text.parse().map(Jobs).map_err(|_| advice.to_owned())
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug)]
struct Size(usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (digits, unit) = match text.as_bytes() {
            [.., b'K' | b'k'] => (&text[..text.len() - 1], 1 << 10),
            [.., b'M' | b'm'] => (&text[..text.len() - 1], 1 << 20),
            [.., b'G' | b'g'] => (&text[..text.len() - 1], 1 << 30),
            _ => (text, 1),
        };
        let number: Option<usize> = digits.parse().ok().and_then(|n: usize| n.checked_mul(unit));
        match number {
            Some(bytes) if bytes > 0 => Ok(Size(bytes)),
            _ => Err("write a number of bytes above 0, or one with K, M or G behind it, as 64M"
                .to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn plies_are_a_window_with_open_sides() {
        let plies = |text: &str| text.parse().map(|Plies { first, last }| (first, last)).ok();
        assert_eq!(plies("8..24"), Some((8, 24)));
        assert_eq!(plies("8.."), Some((8, u32::MAX)));
        assert_eq!(plies("..24"), Some((0, 24)));
        assert_eq!(plies("16"), Some((16, 16)));
        assert_eq!(plies("8..=24"), Some((8, 24)));
        assert_eq!(plies("24..8"), None);
        assert_eq!(plies("x"), None);
        assert_eq!(plies(""), None);
    }

    #[test]
    fn sizes_have_units() {
        let size = |text: &str| text.parse().map(|Size(bytes)| bytes).ok();
        assert_eq!(size("64"), Some(64));
        assert_eq!(size("64K"), Some(65_536));
        assert_eq!(size("2g"), Some(2 << 30));
        assert_eq!(size("0"), None);
        assert_eq!(size("M"), None);
        assert_eq!(size(""), None);
    }
}

//! The command-line arguments. Only this module depends on clap.

mod book;
mod check;
mod convert;
mod damage;
mod name;
mod preset;
mod show;
mod splits;
mod suffix;
mod values;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

pub(super) use book::{Book, BookCommand, Choose, Room, Target};
pub(super) use check::Check;
pub(super) use convert::{Convert, Messages, SummaryForm};
pub(super) use name::{DEFAULT_TABLE, Name, OpeningTables};
pub(super) use show::{DiagramFormat, Show};
pub(super) use splits::Splits;
pub(super) use values::{Bytes, NumberRange};

const EXAMPLES: &str = "\
Examples:
  pgn2epd games.pgn > positions.epd
  pgn2epd --preset book --last --unique openings.pgn -o book.epd
  pgn2epd --format fen --ply 8..24 games.pgn | sort -u > suite.fen
  pgn2epd --skip-start -j 4 lichess.pgn.zst > positions.epd";

const SHORT_AFTER_HELP: &str = "\
`pgn2epd --help` lists all options, `pgn2epd COMMAND --help` those of a command.";

const AFTER_HELP: &str = "\
Records go to standard output, everything else to standard error. An error in a game is printed as
  games.pgn:1234:17: game 57 (Carlsen, M - Nakamura, H), 12... Nd5: illegal: the knight
  on f6 is pinned to the king on e7 by the bishop on h4
and conversion continues with the next game. A file with the name of a command is given as ./book.

Exit status: 0 success; 1 some games have errors; 2 wrong arguments, or a file that cannot be read or written.";

/// Convert chess games (PGN) to positions (EPD): a record for the start of each game and after every ply.
#[derive(Debug, Parser)]
#[command(name = "pgn2epd", version, before_help = EXAMPLES, after_help = SHORT_AFTER_HELP, after_long_help = AFTER_HELP, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    pub(super) convert: Convert,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check, repair, convert and count positions (EPD, FEN)
    Check(Box<Check>),
    Book(Box<Book>),
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    Man,
    /// Print the opening of each game (ECO code, NIC code, name), or write it into the tags
    Name(Name),
    /// Draw diagrams in the terminal, as SVG, PNG or LaTeX, or as an HTML page
    Show(Box<Show>),
    /// Divide files into ranges of bytes for many machines, printed as lines of JSON
    Splits(Splits),
}

/// Parses the command line; explicit options override those of a preset.
pub(super) fn parse() -> Result<Args, clap::Error> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let args = Args::try_parse_from(&typed)?;
    match args.convert.preset() {
        None => Ok(args),
        Some(preset) => Args::try_parse_from(preset.put_before(&typed, Args::command())),
    }
}

/// Returns all commands and options as a clap command, from which completions and the manual page
/// are generated.
pub(super) fn definition() -> clap::Command {
    Args::command()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }
}

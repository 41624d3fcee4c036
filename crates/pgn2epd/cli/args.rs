//! What was typed. Only these files know clap.

mod book;
mod check;
mod convert;
mod name;
mod preset;
mod show;
mod splits;
mod values;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

pub(super) use book::{Book, BookCommand, Choose, Room, Target};
pub(super) use check::Check;
pub(super) use convert::{Convert, Messages, SummaryForm};
pub(super) use name::{Name, OpeningTables};
pub(super) use show::{Kind, Show};
pub(super) use splits::Splits;
pub(super) use values::{Bytes, Plies};

const EXAMPLES: &str = "\
Examples:
  pgn2epd games.pgn > positions.epd
  pgn2epd --last --ep legal --ops none book.pgn -o book.epd
  pgn2epd --format fen --ply 8..24 games.pgn | sort -u > suite.fen
  pgn2epd --skip-start -j 4 lichess.pgn.zst > positions.epd";

const AFTER_HELP: &str = "\
Records go to standard output, everything else to standard error. What is wrong with a game is said as
  games.pgn:1234:17: game 57 (Carlsen, M - Nakamura, H), 12... Nd5: illegal: the knight on f6 is pinned
  to the king on e7 by the bishop on h4
and the next game goes on. A file that has the name of a command is given as ./book.

Exit status: 0 all is well; 1 some games have errors; 2 wrong arguments, or a file that cannot be read or written.";

/// Turn chess games (PGN) into positions (EPD): one record for the start of each game and one after every ply.
#[derive(Debug, Parser)]
#[command(name = "pgn2epd", version, before_help = EXAMPLES, after_help = AFTER_HELP, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    pub(super) convert: Convert,
}

/// Everything that is no conversion.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check files of positions (EPD, FEN), mend and count them
    Check(Box<Check>),
    Book(Box<Book>),
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    Man,
    /// Print the openings of games: ECO code, NIC code, name; or put them into their tags
    Name(Name),
    /// Draw diagrams: in the terminal, as SVG, PNG or LaTeX, or as a page for a browser
    Show(Box<Show>),
    /// Cut files into ranges of bytes for many machines, a line of JSON for each
    Splits(Splits),
}

/// What was typed; of a preset that which was not typed otherwise.
pub(super) fn parse() -> Args {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let args = Args::parse_from(&typed);
    match args.convert.preset() {
        None => args,
        Some(preset) => Args::parse_from(preset.put_before(&typed, Args::command())),
    }
}

/// All commands and options, as clap has them: completions and the manual page are made from it.
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

//! Arguments of the command that checks files of positions.

use std::path::PathBuf;

use clap::ValueHint;
use pgn2epd::epd::CheckOptions;

use super::library_options::LibraryOptions;

const AFTER_HELP: &str = "\
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
#[command(after_help = AFTER_HELP)]
pub(crate) struct Check {
    /// Files of positions, one per line, compressed or not, or - for standard input, the default
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    library: LibraryOptions<CheckOptions>,

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

impl Check {
    /// Returns the options for the library.
    ///
    /// # Errors
    ///
    /// Returns an error if options are in conflict.
    pub(crate) fn options(&self) -> anyhow::Result<CheckOptions> {
        Ok(CheckOptions::from_names(self.library.given())?)
    }
}

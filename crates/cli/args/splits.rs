//! Arguments of the command that divides files into ranges.

use std::path::PathBuf;

use clap::ValueHint;

use super::values::Size;

const EXAMPLE: &str = "\
Example:
  pgn2epd splits --size 256M *.pgn
  {\"path\":\"games.pgn\",\"start\":0,\"end\":262144000,\"estimated_games\":117000}
  ...
  pgn2epd book --partial --range 0:262144000 games.pgn -o 0.part";

const AFTER_HELP: &str = "\
A range owns the games whose first byte lies in it. Whatever the cuts, each game belongs to one range;
--range START:END of the converter and of book reads it. Any division into ranges will do.

Cut are files of plain text (UTF-8, ISO 8859-1, Windows-1252), and compressed files that can be read from
their middle, of which ranges are bytes of the text: zstd with a seek table (t2sz, zeekstd), zstd of several
frames that say how long their texts are (several files packed by zstd, put behind each other), and gzip
in blocks (bgzip); frames of at most 64 MiB. All else that is compressed, archives and UTF-16 are one
range each, and belong as a whole to the range that holds byte 0.";

/// Cut files into ranges of bytes for many machines, a line of JSON for each
#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLE, after_help = AFTER_HELP)]
pub(crate) struct Splits {
    /// Files of games or of positions, in any form that is read
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// The largest range, in bytes, or with K, M or G; those of a file have about the same size
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    pub(crate) size: Size,
}

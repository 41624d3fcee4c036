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
#[command(before_help = EXAMPLE, after_help = AFTER_HELP)]
pub(crate) struct Splits {
    /// Files of games or positions, compressed or not
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Maximum size of a range in bytes, or with K, M or G; the ranges of a file have about the
    /// same size
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    pub(crate) size: Size,
}

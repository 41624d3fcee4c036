//! Arguments of the command that decodes training data.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::ValueHint;
use pgn2epd::Options;
use pgn2epd::options::Format;
use pgn2epd::output::other_format;
use pgn2epd::training::{DecodeOptions, DecodedForm, ScoreUnit, TrainingFormat};

use super::values::words;
use crate::output;

const AFTER_HELP: &str = "\
Scores are written from the view of the side to move in epd, c-chess-cli and plain, and from White's in bullet, whatever \
the view of the file. A chain of a binpack is a game in pgn.

Compressed files are read if their suffix says so: data.binpack.zst, data.vf.gz.

A damaged file is reported with the offset of the damage in bytes; everything before it is written:
  data.binpack: byte 1048712: the piece has 5 moves, and this is number 6

Examples:
  pgn2epd decode data.binpack | head
  pgn2epd decode --score stockfish --format plain data.binpack -o data.plain
  pgn2epd decode --format pgn data.vf > games.pgn
  pgn2epd decode --from bulletformat --format bullet data.bin -o data.txt

Exit status: 0 success; 2 wrong arguments, or a file that is damaged or cannot be read or written.";

/// Write training data of engines as EPD, FEN, labels or games
///
/// The formats are viriformat, binpack, bulletformat and marlinformat.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Decode {
    /// Files of training data, or - for standard input, the default
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Format of the input [default: by the suffix .vf, .binpack or .bullet]
    #[arg(long, value_name = "FORMAT", value_parser = words::<TrainingFormat>())]
    from: Option<TrainingFormat>,

    /// Form of the output [default: epd, or fen for a file .fen]
    #[arg(short, long, value_name = "FORMAT", value_parser = words::<DecodedForm>())]
    format: Option<DecodedForm>,

    /// Unit of the scores in the input; the output has centipawns
    #[arg(long, value_name = "UNIT", value_parser = words::<ScoreUnit>(), default_value = "cp")]
    score: ScoreUnit,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Print no messages, except why the run failed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Decode {
    /// Returns the options for the library.
    ///
    /// # Errors
    ///
    /// If the format of the file is not known.
    pub(crate) fn options(&self, file: &Path) -> anyhow::Result<DecodeOptions> {
        let format = self.from.or_else(|| match Format::of_file_name(file) {
            Some(Format::Training(format)) => Some(format),
            _ => None,
        });
        let format = format
            .ok_or_else(|| anyhow!("{}: unknown format; state it with --from", file.display()))?;
        Ok(DecodeOptions { format, form: self.form()?, unit: self.score })
    }

    /// Returns the selected form, or that of the name of the output.
    fn form(&self) -> anyhow::Result<DecodedForm> {
        let Some(path) = output::named(self.output.as_deref()) else {
            return Ok(self.format.unwrap_or_default());
        };
        let is_pgn = other_format(path).is_some_and(|(what, _)| what == "games");
        let form = self.format.unwrap_or(match Format::of_file_name(path) {
            Some(Format::Fen) => DecodedForm::Fen,
            _ if is_pgn => DecodedForm::Pgn,
            _ => DecodedForm::Epd,
        });
        let format = match form {
            DecodedForm::Pgn if is_pgn => return Ok(form),
            DecodedForm::Label(form) => Format::Label(form),
            DecodedForm::Fen => Format::Fen,
            _ => Format::Epd,
        };
        Options::default().format(format).check_file_name(path).context("-o")?;
        Ok(form)
    }
}

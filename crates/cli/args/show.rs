//! Arguments of the command that draws diagrams.

use std::path::PathBuf;

use anyhow::bail;
use clap::{ValueEnum, ValueHint};
use pgn2epd::diagram::DiagramOptions;
use pgn2epd::options::OnDamage;

use super::library_options::LibraryOptions;
use super::suffix;
use super::values::{Numbers, counted_from_one, words};

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
    pub(crate) game: Option<Numbers>,

    /// Which positions of a game: 24, 8..24, 8.. or 10,20,30; 0 is the start [default: all on an
    /// HTML page or with --where, otherwise the last]
    #[arg(short, long, value_name = "PLIES")]
    pub(crate) ply: Option<Numbers>,

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
    library: LibraryOptions<DiagramOptions>,

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

const SUFFIXES: &[(&str, DiagramFormat)] = &[
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
        let by_name =
            || suffix::format(self.output.as_deref(), SUFFIXES.iter().copied(), "diagrams");
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

    /// Returns the width of a PNG picture in pixels.
    #[cfg(feature = "png")]
    pub(crate) fn width(&self) -> u32 {
        self.width.unwrap_or(800)
    }

    /// Returns the options for the library.
    ///
    /// # Errors
    ///
    /// Returns an error if a value is invalid.
    pub(crate) fn options(&self) -> anyhow::Result<DiagramOptions> {
        Ok(DiagramOptions::from_names(self.library.given())?)
    }
}

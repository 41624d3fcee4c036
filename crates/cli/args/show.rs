//! Arguments of the command that draws diagrams.

use std::path::PathBuf;

use anyhow::bail;
use clap::{ValueEnum, ValueHint};
use pgn2epd::chess::Color;
use pgn2epd::diagram::{Marks, Theme, take_marks};
use pgn2epd::options::OnDamage;

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
  pgn2epd games.pgn --last --ops none | pgn2epd show - -o 'end-%n.png'")]
pub(crate) struct Show {
    /// A FEN or EPD record, or files of records or games; - for standard input
    #[arg(required = true, value_name = "RECORD|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) what: Vec<String>,

    /// Which games of a file: 3, 1..5, 8.. or 2,7 [default: all on an HTML page, otherwise the first]
    #[arg(short, long, value_name = "GAMES", value_parser = counted_from_one)]
    pub(crate) game: Option<Numbers>,

    /// Which positions of a game: 24, 8..24, 8.. or 10,20,30; 0 is the start [default: all on an HTML page, otherwise the last]
    #[arg(short, long, value_name = "PLIES")]
    pub(crate) ply: Option<Numbers>,

    /// Format of the diagrams [default: from the suffix of the output, otherwise text]
    ///
    /// Suffixes: .svg, .png, .html and .htm, .tex (latex), .txt (text). Another suffix without --format is an error.
    #[arg(short, long, value_name = "FORMAT", value_enum)]
    format: Option<DiagramFormat>,

    /// Write to a file; %n in its name is replaced by the number of the picture, for several pictures
    ///
    /// An HTML page has at most 10,000 diagrams; a message says where it ends.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// The side at the bottom of the board
    #[arg(long, value_name = "SIDE", value_parser = words::<Color>(), default_value = "white")]
    view: Color,

    /// Omit the names of files and ranks
    #[arg(long)]
    no_coordinates: bool,

    /// Do not mark the last move and checks, nor the arrows and squares of comments
    #[arg(long)]
    pub(crate) no_marks: bool,

    /// Draw arrows, such as e2e4 or Rd1d8,Gb1c3; R, G, Y and B mean red, green, yellow and blue
    #[arg(long, value_name = "LIST", value_parser = arrows)]
    arrows: Option<Marks>,

    /// Colour squares, such as e4 or Rd5,Yf7; R, G, Y and B mean red, green, yellow and blue
    #[arg(long, value_name = "LIST", value_parser = squares)]
    squares: Option<Marks>,

    /// Colours of a picture
    #[arg(long, value_parser = words::<Theme>(), default_value = "light")]
    theme: Theme,

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

/// When text has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The format of diagrams.
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
    /// For LaTeX with the package chess, as Perl's Chess::PGN::EPD writes it
    LatexChess,
    /// A page with all diagrams for a browser
    Html,
}

/// The suffixes of diagrams.
const SUFFIXES: &[(&str, DiagramFormat)] = &[
    ("svg", DiagramFormat::Svg),
    ("png", DiagramFormat::Png),
    ("html", DiagramFormat::Html),
    ("htm", DiagramFormat::Html),
    ("tex", DiagramFormat::Latex),
    ("txt", DiagramFormat::Text),
];

impl Show {
    /// Returns the selected format, or that of the name of the output. Options without effect on it are errors.
    pub(crate) fn format(&self) -> anyhow::Result<DiagramFormat> {
        use DiagramFormat::{Html, Png, Svg, Text};
        let by_name =
            || suffix::format(self.output.as_deref(), SUFFIXES.iter().copied(), "diagrams");
        let format = self.format.map_or_else(by_name, |format| Ok(Some(format)))?.unwrap_or(Text);
        if self.width.is_some() && format != Png {
            bail!("--width is for PNG pictures");
        }
        if self.theme != Theme::default() && !matches!(format, Html | Png | Svg) {
            bail!("--theme is for SVG and PNG pictures and HTML pages");
        }
        Ok(format)
    }

    /// Returns the width of a PNG picture in pixels.
    #[cfg(feature = "png")]
    pub(crate) fn width(&self) -> u32 {
        self.width.unwrap_or(800)
    }

    /// Sets the appearance of a diagram, and the markings common to all.
    pub(crate) fn adorn(&self, diagram: &mut pgn2epd::diagram::Diagram) {
        diagram.from = self.view;
        diagram.coordinates = !self.no_coordinates;
        diagram.theme = self.theme;
        if self.no_marks {
            diagram.marks = Marks::default();
        }
        for marks in [&self.arrows, &self.squares].into_iter().flatten() {
            diagram.marks.extend(marks.clone());
        }
    }
}

fn arrows(list: &str) -> Result<Marks, String> {
    marks("cal", list).ok_or_else(|| {
        "write an arrow such as e2e4, with G, R, Y or B before it for a colour".into()
    })
}

fn squares(list: &str) -> Result<Marks, String> {
    marks("csl", list)
        .ok_or_else(|| "write a square such as e4, with G, R, Y or B before it for a colour".into())
}

/// Parses a list of markings in the notation of comments; the default color is green.
fn marks(command: &str, list: &str) -> Option<Marks> {
    let painted = list.split(',').map(|item| {
        let item = item.trim();
        let is_painted = item.starts_with(|c: char| c.is_ascii_uppercase());
        if is_painted { item.to_owned() } else { format!("G{item}") }
    });
    let list = painted.collect::<Vec<_>>().join(",");
    let (rest, marks) = take_marks(&format!("[%{command} {list}]"));
    (rest.is_empty() && marks != Marks::default()).then_some(marks)
}

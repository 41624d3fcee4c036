//! Arguments of the command that draws diagrams.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use pgn2epd::Color;
use pgn2epd::diagram::{Marks, Theme, take_marks};

use super::damage::DamageArgs;
use super::values::{Plies, words};

/// Everything about diagrams.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pgn2epd show 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
  pgn2epd show games.pgn --game 3 --ply 24 -o position.svg
  pgn2epd show games.pgn -o game.html
  pgn2epd games.pgn --last --ops none | pgn2epd show - -o 'end-%n.png'")]
pub(crate) struct Show {
    /// A FEN or EPD record, a file of records or of games, or - for standard input
    #[arg(required = true, value_name = "RECORD|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) what: Vec<String>,

    #[command(flatten)]
    pub(crate) damage: DamageArgs,

    /// Which game of a file of games
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) game: Option<u64>,

    /// Which positions of the game, as 24, 8..24 or 8..; 0 is the start [default: all in html, else the last]
    #[arg(short, long, value_name = "PLIES")]
    pub(crate) ply: Option<Plies>,

    /// What to draw [default: what the name of the output ends with, else text]
    #[arg(short = 't', long = "type", value_name = "TYPE", value_enum)]
    kind: Option<Kind>,

    /// Write to a file; %n in its name is the number of the picture, where there are several
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Whose side is at the bottom
    #[arg(long, value_name = "SIDE", value_parser = words::<Color>(), default_value = "white")]
    from: Color,

    /// Leave out the names of files and ranks
    #[arg(long)]
    no_coordinates: bool,

    /// Leave out the last move, the check, and the marks of comments
    #[arg(long)]
    pub(crate) no_marks: bool,

    /// Draw arrows, as e2e4 or, in red, green, yellow or blue, Rd1d8,Gb1c3
    #[arg(long, value_name = "LIST", value_parser = arrows)]
    arrows: Option<Marks>,

    /// Colour squares, as e4 or, in red, green, yellow or blue, Rd5,Yf7
    #[arg(long, value_name = "LIST", value_parser = squares)]
    squares: Option<Marks>,

    /// The colours of a picture
    #[arg(long, value_parser = words::<Theme>(), default_value = "light")]
    theme: Theme,

    /// How wide a PNG picture is, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 800)]
    #[arg(value_parser = clap::value_parser!(u32).range(16..=16_384))]
    pub(crate) width: u32,
}

/// What to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Chess characters of Unicode, with colours in a terminal
    Text,
    /// Letters: capitals are White's
    Ascii,
    /// A picture that needs nothing else
    Svg,
    /// The same picture in pixels
    Png,
    /// For LaTeX with the package xskak or chessboard
    Latex,
    /// For LaTeX with the package chess, as Perl's Chess::PGN::EPD has it
    LatexChess,
    /// A page of all diagrams for a browser
    Html,
}

impl Show {
    /// Returns the kind of diagram: as selected, or as implied by the name of the output.
    pub(crate) fn kind(&self) -> Kind {
        let extension = self.output.as_ref().and_then(|path| path.extension()?.to_str());
        let by_name = match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Kind::Svg,
            Some("png") => Kind::Png,
            Some("tex") => Kind::Latex,
            Some("html" | "htm") => Kind::Html,
            _ => Kind::Text,
        };
        self.kind.unwrap_or(by_name)
    }

    /// Sets the appearance of a diagram, and the markings common to all.
    pub(crate) fn adorn(&self, diagram: &mut pgn2epd::diagram::Diagram) {
        diagram.from = self.from;
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
    marks("cal", list)
        .ok_or_else(|| "write squares as e2e4, and G, R, Y or B before them for a colour".into())
}

fn squares(list: &str) -> Result<Marks, String> {
    marks("csl", list)
        .ok_or_else(|| "write a square as e4, and G, R, Y or B before it for a colour".into())
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

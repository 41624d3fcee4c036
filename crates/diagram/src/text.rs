//! A diagram as characters: for terminals with and without colours, mail, chess fonts and LaTeX.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, Style};
use san::{Color, File, Piece, Rank, Role, Square};

use crate::board::{Diagram, Paint, Placement};

/// Whether the output medium supports colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Colours {
    /// ANSI sequences for 256 colours: squares and pieces look like a board.
    Ansi,
    /// No colours: pieces are told by their outlines, marked squares are in brackets.
    Plain,
}

/// Draws the diagram with the chess characters of Unicode.
///
/// ```
/// use diagram::{Colours, Diagram};
///
/// let text = diagram::text(&Diagram::from(&san::Position::default()), Colours::Plain);
/// assert_eq!(text.lines().nth(1), Some("7  ♟  ♟  ♟  ♟  ♟  ♟  ♟  ♟"));
/// ```
pub fn text(diagram: &Diagram, colours: Colours) -> String {
    draw(diagram, |square| match colours {
        Colours::Plain => {
            let empty = if square.is_dark() { '·' } else { ' ' };
            let piece = diagram.placement.piece(square);
            bracketed(diagram, square, piece.map_or(empty, symbol))
        }
        Colours::Ansi => coloured(diagram, square),
    })
}

/// Draws the diagram with letters, upper case for white pieces.
///
/// ```
/// let text = diagram::ascii(&diagram::Diagram::from(&san::Position::default()));
/// assert_eq!(text.lines().nth(7), Some("1  R  N  B  Q  K  B  N  R"));
/// assert!(text.is_ascii());
/// ```
pub fn ascii(diagram: &Diagram) -> String {
    draw(diagram, |square| {
        let empty = if square.is_dark() { '.' } else { ' ' };
        bracketed(diagram, square, diagram.placement.letter(square).unwrap_or(empty))
    })
}

fn draw(diagram: &Diagram, cell: impl Fn(Square) -> String) -> String {
    let mut text = String::new();
    for rank in diagram.ranks() {
        if diagram.coordinates {
            let _ = write!(text, "{} ", rank.char());
        }
        for file in diagram.files() {
            text.push_str(&cell(Square::from_coords(file, rank)));
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    if diagram.coordinates {
        let files = diagram.files().map(|file| format!(" {} ", file.char()));
        let _ = writeln!(text, "  {}", files.concat().trim_end());
    }
    let turn =
        diagram.to_move().map(|turn| turn.fold_wb("White to move", "Black to move").to_owned());
    let arrows = diagram.marks.arrows.iter().map(|arrow| format!("{}-{}", arrow.from, arrow.to));
    let line: Vec<String> = turn.into_iter().chain(arrows).collect();
    if !line.is_empty() {
        let _ = writeln!(text, "{}", line.join(", "));
    }
    text
}

/// Marks a square without colours: square brackets for the last move, parentheses for other marks.
fn bracketed(diagram: &Diagram, square: Square, inside: char) -> String {
    let marks = &diagram.marks;
    let in_last_move = marks.last_move.is_some_and(|(from, to)| square == from || square == to);
    let is_marked = marks.squares.iter().any(|(marked, _)| *marked == square);
    match (in_last_move, is_marked || marks.check == Some(square)) {
        (_, true) => format!("({inside})"),
        (true, false) => format!("[{inside}]"),
        (false, false) => format!(" {inside} "),
    }
}

fn symbol(piece: Piece) -> char {
    let [outlined, filled] = match piece.role {
        Role::King => ['♔', '♚'],
        Role::Queen => ['♕', '♛'],
        Role::Rook => ['♖', '♜'],
        Role::Bishop => ['♗', '♝'],
        Role::Knight => ['♘', '♞'],
        Role::Pawn => ['♙', '♟'],
    };
    piece.color.fold_wb(outlined, filled)
}

/// Colours of the 256, of which white and black pieces are both visible on every ground.
const WHITE_PIECE: Ansi256Color = Ansi256Color(231);
const BLACK_PIECE: Ansi256Color = Ansi256Color(16);

fn coloured(diagram: &Diagram, square: Square) -> String {
    let piece = diagram.placement.piece(square);
    let ink = match piece.map(|piece| piece.color) {
        Some(Color::White) => WHITE_PIECE,
        _ => BLACK_PIECE,
    };
    let style =
        Style::new().fg_color(Some(ink.into())).bg_color(Some(ground(diagram, square).into()));
    // Both sides use filled symbols. The variation selector prevents an emoji pawn.
    let inside = match piece {
        Some(Piece { role: Role::Pawn, .. }) => "♟\u{fe0e}".to_owned(),
        Some(Piece { role, .. }) => symbol(Piece { role, color: Color::Black }).to_string(),
        None => " ".to_owned(),
    };
    format!("{style} {inside} {style:#}")
}

fn ground(diagram: &Diagram, square: Square) -> Ansi256Color {
    let marks = &diagram.marks;
    if marks.check == Some(square) {
        return paint_ground(Paint::Red);
    }
    if let Some((_, paint)) = marks.squares.iter().rev().find(|(marked, _)| *marked == square) {
        return paint_ground(*paint);
    }
    if let Some(arrow) = marks.arrows.iter().rev().find(|arrow| arrow.to == square) {
        return paint_ground(arrow.paint);
    }
    let in_last_move = marks.last_move.is_some_and(|(from, to)| square == from || square == to);
    Ansi256Color(match (in_last_move, square.is_light()) {
        (true, true) => 143,
        (true, false) => 100,
        (false, true) => 137,
        (false, false) => 94,
    })
}

fn paint_ground(paint: Paint) -> Ansi256Color {
    Ansi256Color(match paint {
        Paint::Green => 71,
        Paint::Red => 167,
        Paint::Yellow => 178,
        Paint::Blue => 68,
    })
}

/// A font, or several fonts with the same characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Font(&'static str);

/// The name of an unknown font.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown chess font {0:?}")]
pub struct UnknownFont(String);

/// Frame of a diagram in a font. Parts that the font lacks are omitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Look {
    /// The lines around the board.
    pub border: Border,
    /// The corners of the frame.
    pub corner: Corner,
    /// Whether the frame shows the names of files and ranks.
    pub legend: bool,
}

/// The lines around the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Border {
    #[default]
    Single,
    Double,
}

/// The corners of the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Corner {
    #[default]
    Square,
    Rounded,
}

impl Font {
    /// Returns the font with this name, ignoring case; `hicky` is an alias of `hickey`.
    pub fn named(name: &str) -> Result<Self, UnknownFont> {
        let name = if name.eq_ignore_ascii_case("hicky") { "hickey" } else { name };
        let known = names().find(|known| known.eq_ignore_ascii_case(name));
        known.map(Font).ok_or_else(|| UnknownFont(name.to_owned()))
    }

    /// Returns the name of the font.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// Returns the rows of a diagram in a font, from the eighth rank to the first, with the frame if
/// the font has one. Characters are in ISO 8859-1, so each is one byte of the font.
///
/// ```
/// use diagram::{Font, Look, Placement};
///
/// let placement: Placement = "8/8/8/4k3/8/8/4P3/4K3".parse()?;
/// let rows = diagram::font_rows(&placement, Font::named("marroquin")?, Look::default());
/// assert_eq!(rows[0], "1222222223");
/// assert_eq!(rows[8], "4+ + K + 5");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn font_rows(placement: &Placement, font: Font, look: Look) -> Vec<String> {
    let light = characters(SQUARES, font, |column| column[0] == "light");
    let dark = characters(SQUARES, font, |column| column[0] == "dark");
    let (light, dark) = match (light, dark) {
        (Some(light), Some(dark)) => (decoded(light[1]), decoded(dark[1])),
        _ => return Vec::new(),
    };
    let rows = Rank::ALL.into_iter().rev().map(|rank| {
        let character = |file| {
            let square = Square::from_coords(file, rank);
            let shown = placement.letter(square);
            let index = shown.map_or(Some(EMPTY), |letter| PIECES.find(letter));
            let ground = if square.is_light() { &light } else { &dark };
            ground[index.unwrap_or(EMPTY)]
        };
        File::ALL.into_iter().map(character).collect()
    });
    framed(rows.collect(), font, look)
}

/// Returns the rows of a board of letters: empty light squares are spaces, empty dark ones are
/// `dark`.
///
/// ```
/// let start = diagram::Placement::from(&san::Position::default());
/// assert_eq!(diagram::checkered(&start, '-')[2], " - - - -");
/// ```
pub fn checkered(placement: &Placement, dark: char) -> Vec<String> {
    let character = |square: Square| {
        let empty = if square.is_dark() { dark } else { ' ' };
        placement.letter(square).unwrap_or(empty)
    };
    let row = |rank| {
        File::ALL.into_iter().map(|file| character(Square::from_coords(file, rank))).collect()
    };
    Rank::ALL.into_iter().rev().map(row).collect()
}

const SQUARES: &str = include_str!("fonts/squares.tsv");
const FRAMES: &str = include_str!("fonts/frames.tsv");

/// Order of the characters in `squares.tsv`; the index of the empty square follows.
const PIECES: &str = "KQRBNPkqrbnp";
const EMPTY: usize = 12;

fn names() -> impl Iterator<Item = &'static str> {
    SQUARES.lines().filter_map(|line| Some(line.split_once("\tlight\t")?.0))
}

/// Returns the columns after the name of the font, in the first matching line of a table.
fn characters(
    table: &'static str,
    font: Font,
    fits: impl Fn(&[&str]) -> bool,
) -> Option<Vec<&'static str>> {
    let of_font = table.lines().filter_map(|line| {
        let (name, columns) = line.split_once('\t')?;
        (name == font.0).then(|| columns.split('\t').collect::<Vec<_>>())
    });
    of_font.into_iter().find(|columns| fits(columns))
}

/// Decodes `\xHH` escapes in the tables.
fn decoded(text: &str) -> Vec<char> {
    let mut parts = text.split("\\x");
    let mut characters: Vec<char> = parts.next().unwrap_or_default().chars().collect();
    for part in parts {
        let (code, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        characters.extend(u8::from_str_radix(code, 16).map(char::from));
        characters.extend(rest.chars());
    }
    characters
}

fn framed(rows: Vec<String>, font: Font, look: Look) -> Vec<String> {
    let border = if look.border == Border::Single { "single" } else { "double" };
    let corner = if look.corner == Corner::Square { "square" } else { "rounded" };
    let legend = if look.legend { "yes" } else { "no" };
    let fits = |columns: &[&str]| {
        let asked = [border, corner, legend];
        columns.iter().zip(asked).all(|(column, asked)| *column == "*" || *column == asked)
    };
    let Some(columns) = characters(FRAMES, font, fits) else { return rows };
    let parts: Vec<Vec<char>> = columns[3..].iter().map(|text| decoded(text)).collect();
    // A single character is repeated eight times.
    let at = |part: usize, index: usize| parts[part].get(index).unwrap_or(&parts[part][0]);
    let across = |left: usize, middle: usize, right: usize| -> String {
        let ends = (at(left, 0), at(right, 0));
        let middle = (0..8).map(|index| at(middle, index));
        std::iter::once(ends.0).chain(middle).chain([ends.1]).collect()
    };
    let mut all = vec![across(0, 1, 2)];
    all.extend(rows.iter().enumerate().map(|(i, row)| format!("{}{row}{}", at(3, i), at(4, i))));
    all.push(across(5, 6, 7));
    all
}

/// Returns the command `\chessboard` that draws the diagram. The document must load
/// `\usepackage{xskak}` or `\usepackage{chessboard}`. Marks use colours of the package xcolor.
///
/// ```
/// let start = diagram::Diagram::from(&san::Position::default());
/// let latex = diagram::latex(&start);
/// assert!(latex.starts_with("\\chessboard[setfen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1,"));
/// ```
pub fn latex(diagram: &Diagram) -> String {
    let turn = diagram.turn.map_or('w', san::Color::char);
    let mut options = vec![format!("setfen={} {turn} - - 0 1", diagram.placement)];
    if diagram.to_move().is_some() {
        options.push("showmover=true".into());
    }
    if diagram.from.is_black() {
        options.push("inverse".into());
    }
    options.push(format!("label={}", diagram.coordinates));
    let marks = &diagram.marks;
    let mut squares: Vec<(Square, &str)> = Vec::new();
    squares
        .extend(marks.last_move.iter().flat_map(|(from, to)| [(*from, "yellow"), (*to, "yellow")]));
    squares.extend(marks.squares.iter().map(|(square, paint)| (*square, colour(*paint))));
    squares.extend(marks.check.map(|king| (king, colour(Paint::Red))));
    for (square, colour) in squares {
        options.push(format!("pgfstyle=color,opacity=0.4,color={colour},markfield={square}"));
    }
    for arrow in &marks.arrows {
        let (from, to, colour) = (arrow.from, arrow.to, colour(arrow.paint));
        options
            .push(format!("pgfstyle=straightmove,opacity=0.8,color={colour},markmove={from}-{to}"));
    }
    let mut latex = String::from("\\chessboard[");
    for (index, option) in options.iter().enumerate() {
        let comma = if index == 0 { "" } else { ",\n  " };
        let _ = write!(latex, "{comma}{option}");
    }
    latex.push_str("]\n");
    latex
}

/// Returns a colour of xcolor that is visible on paper.
fn colour(paint: Paint) -> &'static str {
    match paint {
        Paint::Green => "green!60!black",
        Paint::Red => "red!80!black",
        Paint::Yellow => "orange",
        Paint::Blue => "blue!80!black",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn characters_of_a_font_are_distinct_for_all_pieces_on_both_grounds() {
        for font in names().map(Font) {
            for ground in ["light", "dark"] {
                let columns = characters(SQUARES, font, |columns| columns[0] == ground).unwrap();
                let shown = decoded(columns[1]);
                assert_eq!(shown.len(), 13, "{}", font.name());
                let different: HashSet<char> = shown.into_iter().collect();
                assert_eq!(different.len(), 13, "{}", font.name());
            }
        }
    }

    #[test]
    fn every_frame_fits_every_board() {
        let looks = [Border::Single, Border::Double].into_iter().flat_map(|border| {
            [Corner::Square, Corner::Rounded]
                .into_iter()
                .flat_map(move |corner| [false, true].map(|legend| Look { border, corner, legend }))
        });
        for look in looks {
            for font in names().map(Font) {
                let rows = font_rows(&Placement::default(), font, look);
                let size = if font.name() == "tilburg" { 8 } else { 10 };
                assert_eq!(rows.len(), size, "{}", font.name());
                for row in rows {
                    assert_eq!(row.chars().count(), size, "{}: {row}", font.name());
                    assert!(row.chars().all(|c| u32::from(c) < 256), "{row}");
                }
            }
        }
    }

    #[test]
    fn font_names_ignore_case_and_unknown_names_are_reported() {
        assert_eq!(Font::named("Marroquin").unwrap().name(), "marroquin");
        assert_eq!(Font::named("hicky").unwrap().name(), "hickey");
        let error = Font::named("merida").unwrap_err();
        assert_eq!(error.to_string(), "unknown chess font \"merida\"");
    }
}

//! A diagram as SVG: a self-contained element without external fonts or files.

mod arrow;
mod glyph;

use std::fmt::Write as _;

use san::{Color, Role, Square};

use crate::board::Diagram;
use crate::marks::Paint;
use crate::markup::Escaped;
use crate::pieces;
use crate::theme::Palette;

/// Size of a square, in units.
pub(crate) const SQUARE: u32 = 100;
const BOARD: u32 = 8 * SQUARE;
const FRAME: u32 = 6;
/// Space for coordinates, on the left and at the bottom.
const LEGEND: u32 = 50;
/// Space for the side-to-move disc, on the right.
const TURN: u32 = 54;

/// Draws the diagram as an SVG picture.
///
/// ```
/// let picture = diagram::svg(&diagram::Diagram::from(&san::Position::default()));
/// assert_eq!(picture.matches("<use href=\"#pawn\"").count(), 16);
/// ```
pub fn svg(diagram: &Diagram) -> String {
    let mut svg = String::new();
    let sheet = Sheet::of(diagram);
    let title = match &*diagram.title {
        "" => diagram.placement.to_string(),
        title => title.to_owned(),
    };
    let Sheet { width, height, left, top } = sheet;
    let _ = write!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{}" height="{}" role="img"><title>{}</title>"#,
        width / 2,
        height / 2,
        Escaped(&title)
    );
    let _ = write!(svg, "\n<defs>");
    for role in Role::ALL.into_iter().rev() {
        if diagram.placement.iter().any(|(_, piece)| piece.role == role) {
            let _ = write!(svg, "\n{}", pieces::definition(role));
        }
    }
    if diagram.marks.check.is_some() {
        let _ = write!(svg, "\n{CHECK}");
    }
    svg.push_str("\n</defs>");
    let palette = diagram.theme.palette();
    let background = palette.background;
    let _ = write!(svg, "\n<rect width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>");
    if diagram.coordinates {
        coordinates(diagram, palette, &sheet, &mut svg);
    }
    if let Some(turn) = diagram.to_move() {
        side_to_move(diagram, turn, palette, &sheet, &mut svg);
    }
    let _ = write!(svg, "\n<g transform=\"translate({left} {top})\">");
    empty_board(palette, &mut svg);
    inside(diagram, &mut svg);
    svg.push_str("\n</g>\n</svg>\n");
    svg
}

/// The glow under a king in check.
pub(crate) const CHECK: &str = concat!(
    r##"<radialGradient id="check" r=".62"><stop offset="0" stop-color="#f11"/><stop offset=".5" stop-color="#e00" stop-opacity=".85"/>"##,
    r##"<stop offset="1" stop-color="#a00" stop-opacity="0"/></radialGradient>"##
);

struct Sheet {
    width: u32,
    height: u32,
    /// The corner of the board.
    left: u32,
    top: u32,
}

impl Sheet {
    fn of(diagram: &Diagram) -> Self {
        let margin = if diagram.coordinates { 2 * FRAME } else { FRAME };
        let left = if diagram.coordinates { LEGEND } else { margin };
        let right = if diagram.turn.is_some() { TURN } else { margin };
        let (width, height) = (left + BOARD + right, margin + BOARD + left);
        Sheet { width, height, left, top: margin }
    }
}

/// Draws file names below the board and rank names to its left as paths, without a font.
fn coordinates(diagram: &Diagram, palette: &Palette, sheet: &Sheet, svg: &mut String) {
    let ink = palette.ink;
    let _ = write!(
        svg,
        "\n<g fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.2\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    );
    let half = SQUARE / 2;
    for (row, rank) in (0..).zip(diagram.ranks()) {
        let (x, y) = ((LEGEND - FRAME) / 2, sheet.top + row * SQUARE + half);
        glyph::write(rank.char(), x, y, svg);
    }
    for (column, file) in (0..).zip(diagram.files()) {
        let (x, y) = (sheet.left + column * SQUARE + half, sheet.top + BOARD + FRAME);
        glyph::write(file.char(), x, y + (LEGEND - FRAME) / 2 - 4, svg);
    }
    svg.push_str("</g>");
}

/// Draws a disc in the colour of the side to move, beside its first rank.
fn side_to_move(
    diagram: &Diagram,
    turn: Color,
    palette: &Palette,
    sheet: &Sheet,
    svg: &mut String,
) {
    let x = sheet.left + BOARD + FRAME + (TURN - FRAME) / 2;
    let row = if turn == diagram.from { 7 } else { 0 };
    let y = sheet.top + row * SQUARE + SQUARE / 2;
    let fill = if turn.is_white() { "#fff" } else { "#111" };
    let ink = palette.ink;
    let _ = write!(
        svg,
        "\n<circle cx=\"{x}\" cy=\"{y}\" r=\"12\" fill=\"{fill}\" stroke=\"{ink}\" stroke-width=\"4\"/>"
    );
}

/// Draws the frame and the 64 squares, which look the same from both sides.
fn empty_board(palette: &Palette, svg: &mut String) {
    let Palette { ink, light_square, dark_square, .. } = palette;
    let (outer, light) = (BOARD + FRAME, light_square);
    let corner = FRAME / 2;
    let _ = write!(
        svg,
        "\n<rect x=\"-{corner}\" y=\"-{corner}\" width=\"{outer}\" height=\"{outer}\" fill=\"{light}\" stroke=\"{ink}\" stroke-width=\"{FRAME}\"/>"
    );
    let _ = write!(svg, "\n<path fill=\"{dark_square}\" d=\"{}\"/>", dark_squares());
}

pub(crate) fn dark_squares() -> String {
    let mut path = String::new();
    for row in 0..8 {
        for column in (0..8).filter(|column| (row + column) % 2 == 1) {
            let _ =
                write!(path, "M{} {}h{SQUARE}v{SQUARE}h-{SQUARE}z", column * SQUARE, row * SQUARE);
        }
    }
    path
}

/// Draws marks and pieces, in board coordinates.
pub(crate) fn inside(diagram: &Diagram, svg: &mut String) {
    let marks = &diagram.marks;
    let last_move = diagram.theme.palette().last_move;
    for square in marks.last_move.into_iter().flat_map(|(from, to)| [from, to]) {
        mark_square(diagram, square, last_move, ".6", svg);
    }
    for &(square, paint) in &marks.squares {
        mark_square(diagram, square, paint.hex(), ".55", svg);
    }
    if let Some(king) = marks.check {
        let (column, row) = diagram.cell(king);
        let (x, y) = (column * SQUARE, row * SQUARE);
        let _ = write!(
            svg,
            "\n<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"url(#check)\"/>"
        );
    }
    for color in Color::ALL.into_iter().rev() {
        put_pieces(diagram, color, svg);
    }
    for arrow in &marks.arrows {
        let centre = |square: Square| {
            let (column, row) = diagram.cell(square);
            let middle = |cell: u32| f64::from(cell * SQUARE + SQUARE / 2);
            (middle(column), middle(row))
        };
        arrow::write(centre(arrow.from), centre(arrow.to), Paint::hex(arrow.paint), svg);
    }
}

fn mark_square(diagram: &Diagram, square: Square, fill: &str, opacity: &str, svg: &mut String) {
    let (column, row) = diagram.cell(square);
    let (x, y) = (column * SQUARE, row * SQUARE);
    let _ = write!(
        svg,
        "\n<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" fill-opacity=\"{opacity}\"/>"
    );
}

fn put_pieces(diagram: &Diagram, color: Color, svg: &mut String) {
    let placed: Vec<_> =
        diagram.placement.iter().filter(|(_, piece)| piece.color == color).collect();
    if placed.is_empty() {
        return;
    }
    let _ = write!(svg, "\n<g {}>", pieces::colours(color));
    for (square, piece) in placed {
        let (column, row) = diagram.cell(square);
        let (x, y, name) = (column * SQUARE, row * SQUARE, pieces::name(piece.role));
        let _ = write!(svg, "<use href=\"#{name}\" x=\"{x}\" y=\"{y}\"/>");
    }
    svg.push_str("</g>");
}

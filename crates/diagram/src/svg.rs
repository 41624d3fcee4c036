//! A diagram as SVG: a self-contained element without external fonts or files.

use std::fmt::{self, Write as _};

use san::{Color, Role, Square, role_name};

use crate::board::{Diagram, Paint, Palette};

/// Displays text literally: markup is escaped, characters that XML cannot have are omitted.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' | '\t' => write!(f, "{c}")?,
                '\u{fffe}' | '\u{ffff}' => {}
                c if c.is_control() => {}
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// The pieces as paths, drawn for this project, which can be viewed in any browser.
const SHEET: &str = include_str!("pieces.svg");

/// Returns the definition of a piece: `<g id="king" …>…</g>`, in a square of 100 units.
pub(crate) fn piece_definition(role: Role) -> &'static str {
    let begins = |line: &&str| {
        let id = line.strip_prefix("<g id=\"").and_then(|rest| rest.strip_prefix(role_name(role)));
        id.is_some_and(|rest| rest.starts_with('"'))
    };
    SHEET.lines().find(begins).expect("the sheet has all six")
}

/// Returns the attributes of the group that holds all pieces of a side.
pub(crate) fn colours(color: Color) -> &'static str {
    match color {
        Color::White => r##"fill="#fff" stroke="#1a1a1a" color="#1a1a1a""##,
        Color::Black => r##"fill="#2f2f2f" stroke="#111" color="#f2f2f2""##,
    }
}

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
            let _ = write!(svg, "\n{}", piece_definition(role));
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

fn coordinates(diagram: &Diagram, palette: &Palette, sheet: &Sheet, svg: &mut String) {
    let ink = palette.ink;
    let _ = write!(
        svg,
        "\n<g fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.2\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    );
    let half = SQUARE / 2;
    for (row, rank) in (0..).zip(diagram.ranks()) {
        let (x, y) = ((LEGEND - FRAME) / 2, sheet.top + row * SQUARE + half);
        write_glyph(rank.char(), x, y, svg);
    }
    for (column, file) in (0..).zip(diagram.files()) {
        let (x, y) = (sheet.left + column * SQUARE + half, sheet.top + BOARD + FRAME);
        write_glyph(file.char(), x, y + (LEGEND - FRAME) / 2 - 4, svg);
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
        write_arrow(centre(arrow.from), centre(arrow.to), Paint::hex(arrow.paint), svg);
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
    let _ = write!(svg, "\n<g {}>", colours(color));
    for (square, piece) in placed {
        let (column, row) = diagram.cell(square);
        let (x, y, name) = (column * SQUARE, row * SQUARE, role_name(piece.role));
        let _ = write!(svg, "<use href=\"#{name}\" x=\"{x}\" y=\"{y}\"/>");
    }
    svg.push_str("</g>");
}

/// Distance of the shaft from the centre of its square, which keeps the piece visible.
const START: f64 = 30.0;
const SHAFT: f64 = 8.0;

/// Half the width and the length of the head.
const HEAD: (f64, f64) = (25.0, 44.0);

/// Distance of the tip from the centre of its square.
const TIP: f64 = 6.0;

/// A single outline, so that translucent colours do not overlap and darken, with a white border,
/// for a ground of its colour; a ring if both centres are the same.
fn write_arrow(from: (f64, f64), to: (f64, f64), fill: &str, svg: &mut String) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length == 0.0 {
        let (x, y) = from;
        let _ = write!(
            svg,
            "\n<circle cx=\"{x}\" cy=\"{y}\" r=\"44\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"8\" stroke-opacity=\".8\"/>"
        );
        return;
    }
    // Along the arrow and to its right.
    let point = |along: f64, aside: f64| {
        let (x, y) = (dx / length, dy / length);
        (from.0 + along * x - aside * y, from.1 + along * y + aside * x)
    };
    let (neck, tip) = (length - TIP - HEAD.1, length - TIP);
    let outline = [
        point(START, SHAFT),
        point(neck, SHAFT),
        point(neck, HEAD.0),
        point(tip, 0.0),
        point(neck, -HEAD.0),
        point(neck, -SHAFT),
        point(START, -SHAFT),
    ];
    let _ = write!(
        svg,
        "\n<path fill=\"{fill}\" fill-opacity=\".8\" stroke=\"#fff\" stroke-opacity=\".8\" stroke-width=\"3\" stroke-linejoin=\"round\" d=\""
    );
    for (command, (x, y)) in std::iter::once('M').chain(std::iter::repeat('L')).zip(outline) {
        let _ = write!(svg, "{command}{} {}", short(x), short(y));
    }
    svg.push_str("z\"/>");
}

/// Rounds to one decimal place; more precision is not visible.
fn short(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * 10.0).round() / 10.0 + 0.0
}

/// Letters and digits as paths, without fonts, 6 units wide and 9 high; `g` is below the baseline.
const GLYPHS: &[(char, &str)] = &[
    ('a', "M6 3V9M6 6A3 3 0 1 1 0 6A3 3 0 1 1 6 6"),
    ('b', "M0 0V9M0 6A3 3 0 1 1 6 6A3 3 0 1 1 0 6"),
    ('c', "M5.3 4.1A3 3 0 1 0 5.3 7.9"),
    ('d', "M6 0V9M6 6A3 3 0 1 1 0 6A3 3 0 1 1 6 6"),
    ('e', "M0 6H6A3 3 0 1 0 5.1 8.1"),
    ('f', "M5 .2C3.2-.3 2.2.6 2.2 2.4V9M.4 3.3H4.6"),
    ('g', "M6 3V9.2A3 3 0 0 1 .5 10.8M6 6A3 3 0 1 1 0 6A3 3 0 1 1 6 6"),
    ('h', "M0 0V9M0 6A3 3 0 0 1 6 6V9"),
    ('1', "M1.2 1.7L3.6 0V9"),
    ('2', "M.3 2.5C.5.9 1.5 0 3 0C4.7 0 5.8 1.1 5.8 2.6C5.8 4.6 3.4 5.8.2 9H6"),
    (
        '3',
        "M.5 1.4C1 .5 1.9 0 3 0C4.6 0 5.6.9 5.6 2.1C5.6 3.4 4.5 4.2 2.6 4.2C4.7 4.2 6 5.1 6 6.6C6 8 4.8 9 3 9C1.7 9 .6 8.4.1 7.3",
    ),
    ('4', "M4.5 9V0L0 6.3H6"),
    (
        '5',
        "M5.4 0H1.2L.7 4.1C1.4 3.6 2.2 3.3 3 3.3C4.8 3.3 6 4.5 6 6.1C6 7.8 4.8 9 3 9C1.6 9 .5 8.4 0 7.4",
    ),
    ('6', "M5.2.5C2.3.1 0 2.6 0 6A3 3 0 1 0 6 6A3 3 0 1 0 0 6"),
    ('7', "M0 0H6L2.2 9"),
    (
        '8',
        "M3 4.1A2.05 2.05 0 1 0 3 0A2.05 2.05 0 1 0 3 4.1A2.45 2.45 0 1 0 3 9A2.45 2.45 0 1 0 3 4.1",
    ),
];

/// Picture units per glyph unit.
const SCALE: f64 = 2.5;

fn write_glyph(character: char, x: u32, y: u32, svg: &mut String) {
    let Some((_, path)) = GLYPHS.iter().find(|(known, _)| *known == character) else { return };
    let (x, y) = (f64::from(x) - 3.0 * SCALE, f64::from(y) - 4.5 * SCALE);
    let _ = write!(svg, "<path transform=\"translate({x} {y})scale({SCALE})\" d=\"{path}\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        let text = "<script>\"a\" & b\u{1b}</script>";
        assert_eq!(Escaped(text).to_string(), "&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;");
    }

    #[test]
    fn each_piece_has_its_own_definition() {
        for role in Role::ALL {
            let text = piece_definition(role);
            assert!(text.contains(role_name(role)) && text.ends_with("</g>"), "{text}");
            assert_eq!(
                Role::ALL.iter().filter(|other| text.contains(role_name(**other))).count(),
                1
            );
        }
    }

    #[test]
    fn every_file_and_rank_has_a_glyph() {
        for character in "abcdefgh12345678".chars() {
            let mut svg = String::new();
            write_glyph(character, 20, 20, &mut svg);
            assert!(svg.contains(" d=\"M"), "{character}");
        }
    }
}

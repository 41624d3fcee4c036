//! A diagram as characters: for terminals with and without colours, and for mail.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, Style};
use san::{Color, Piece, Role, Square};

use crate::board::Diagram;
use crate::marks::Paint;

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

/// Returns the symbol of a piece as in print: outlined for White, filled for Black.
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
    // Both sides use filled symbols, distinguished by colour. The variation selector prevents an
    // emoji pawn.
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

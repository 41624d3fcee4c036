//! A diagram for the LaTeX package chessboard, which xskak includes.

use std::fmt::Write as _;

use san::Square;

use crate::board::Diagram;
use crate::marks::Paint;

/// Returns the command `\chessboard` that draws the diagram.
///
/// The document must load `\usepackage{xskak}` or `\usepackage{chessboard}`. Marks use colours of
/// the package xcolor.
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

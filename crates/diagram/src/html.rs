//! An HTML page of many diagrams: a single file that loads no other resources.

use std::fmt::Write as _;

use san::{Color, Role};

use crate::board::Diagram;
use crate::markup::Escaped;
use crate::pieces;
use crate::svg::{self, CHECK, dark_squares};

/// A page of diagrams.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The title of the page, such as the players of a game.
    pub title: String,
    /// Further information as pairs of name and value: event, date, result.
    pub facts: Vec<(String, String)>,
    /// The positions.
    pub entries: Vec<Entry>,
}

/// A diagram and its texts.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The diagram.
    pub diagram: Diagram,
    /// The heading: the move that led to the position, such as `12... Nf6`. If empty, the number of the entry is used.
    pub heading: String,
    /// The name of the position, or an empty string.
    pub name: String,
    /// A comment on the position, or an empty string.
    pub comment: String,
    /// The position as text, for copying.
    pub record: String,
}

/// Returns the page as HTML. It is self-contained, and its content security policy forbids loading anything.
///
/// ```
/// use diagram::{Diagram, Entry, Page};
///
/// let start = san::Position::default();
/// let entry = Entry {
///     diagram: Diagram::from(&start),
///     heading: "Start".into(),
///     name: String::new(),
///     comment: "All men on board".into(),
///     record: start.to_string(),
/// };
/// let html = diagram::page(&Page { title: "A & B".into(), entries: vec![entry], ..Page::default() });
/// assert!(html.contains("<h1>A &amp; B</h1>"));
/// ```
pub fn page(page: &Page) -> String {
    let mut html = String::new();
    let title = Escaped(&page.title);
    let _ = write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    definitions(&mut html);
    let _ = write!(html, "<header>\n<h1>{title}</h1>\n");
    if !page.facts.is_empty() {
        html.push_str("<dl>");
        for (name, value) in &page.facts {
            let (name, value) = (Escaped(name), Escaped(value));
            let _ = write!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        html.push_str("</dl>\n");
    }
    html.push_str("</header>\n<nav>");
    for (number, entry) in page.entries.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| &*page.entries[before].heading);
        let heading = heading(number, entry);
        let label = Escaped(link_label(&heading, before.unwrap_or_default()));
        let _ = write!(html, "<a href=\"#p{number}\">{label}</a> ");
    }
    html.push_str("</nav>\n<main>\n");
    let mut name_before = "";
    for (number, entry) in page.entries.iter().enumerate() {
        // A name that has not changed is not repeated.
        figure(number, entry, entry.name != name_before, &mut html);
        name_before = &entry.name;
    }
    let _ = write!(html, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    html
}

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Writes the definitions shared by all boards: the empty board and the pieces.
fn definitions(html: &mut String) {
    html.push_str("<svg class=\"definitions\" aria-hidden=\"true\"><defs>\n");
    for role in Role::ALL.into_iter().rev() {
        let _ = writeln!(html, "{}", pieces::definition(role));
    }
    let _ = writeln!(html, "{CHECK}");
    let _ = write!(
        html,
        "<g id=\"board\"><rect class=\"light\" width=\"800\" height=\"800\"/><path class=\"dark\" d=\"{}\"/></g>\n</defs></svg>\n",
        dark_squares()
    );
}

/// Returns the heading of an entry, or its number, from 1, if it has no heading.
fn heading(number: usize, entry: &Entry) -> String {
    if entry.heading.is_empty() { (number + 1).to_string() } else { entry.heading.clone() }
}

/// Shortens `1... e5` after `1. e4` to `e5`, as in a move list.
fn link_label<'a>(heading: &'a str, before: &str) -> &'a str {
    match heading.split_once("... ") {
        Some((number, san)) if before.strip_prefix(number).is_some_and(|b| b.starts_with(". ")) => {
            san
        }
        _ => heading,
    }
}

fn figure(number: usize, entry: &Entry, is_new_name: bool, html: &mut String) {
    let Entry { diagram, name, comment, record, .. } = entry;
    let heading = heading(number, entry);
    let _ = write!(html, "<figure id=\"p{number}\">\n<figcaption><b>{}</b>", Escaped(&heading));
    if let Some(turn) = diagram.turn {
        let (class, title) = match turn {
            Color::White => ("white", "White to move"),
            Color::Black => ("black", "Black to move"),
        };
        let _ = write!(html, "<i class=\"turn {class}\" title=\"{title}\"></i>");
    }
    if is_new_name && !name.is_empty() {
        let _ = write!(html, "<span class=\"name\">{}</span>", Escaped(name));
    }
    html.push_str("</figcaption>\n");
    board(diagram, html);
    if !comment.is_empty() {
        let _ = writeln!(html, "<p>{}</p>", Escaped(comment));
    }
    let _ = write!(html, "<code>{}</code>\n</figure>\n", Escaped(record));
}

/// Draws the board, with coordinates as text, since a browser has fonts.
fn board(diagram: &Diagram, html: &mut String) {
    let margin = if diagram.coordinates { 44 } else { 0 };
    let size = 800 + margin;
    let title = Escaped(&diagram.title);
    let _ = write!(
        html,
        "<svg viewBox=\"-{margin} 0 {size} {size}\" role=\"img\"><title>{title}</title><use href=\"#board\"/>"
    );
    svg::inside(diagram, html);
    if diagram.coordinates {
        html.push_str("\n<g class=\"coordinates\">");
        for (row, rank) in (0..).zip(diagram.ranks()) {
            let _ = write!(html, "<text x=\"-22\" y=\"{}\">{}</text>", row * 100 + 60, rank.char());
        }
        for (column, file) in (0..).zip(diagram.files()) {
            let _ =
                write!(html, "<text x=\"{}\" y=\"834\">{}</text>", column * 100 + 50, file.char());
        }
        html.push_str("</g>");
    }
    html.push_str("</svg>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_read_like_movetext() {
        let cases = [
            ("Start", "", "Start"),
            ("1. e4", "Start", "1. e4"),
            ("1... e5", "1. e4", "e5"),
            ("1... e5", "Start", "1... e5"),
            ("11... e5", "1. e4", "11... e5"),
        ];
        for (heading, before, label) in cases {
            assert_eq!(link_label(heading, before), label);
        }
    }
}

//! An HTML page of many diagrams: a single file that loads no other resources.

use std::fmt::Write as _;
use std::io::{self, Write};

use san::{Color, Role};

use crate::board::{Diagram, Theme};
use crate::svg::{self, CHECK, Escaped, dark_squares};

/// A page of diagrams, or a section of a page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The title of the page, such as the players of a game.
    pub title: String,
    /// Further information as pairs of name and value: event, date, result.
    pub facts: Vec<(String, String)>,
    /// The positions.
    pub figures: Vec<Figure>,
}

/// A diagram and its texts.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The diagram.
    pub diagram: Diagram,
    /// The heading: the move that led here, such as `12... Nf6`; if empty, the number of the figure.
    pub heading: String,
    /// The name of the position, or an empty string.
    pub name: String,
    /// A comment on the position, or an empty string.
    pub comment: String,
    /// The position as FEN, for copying.
    pub fen: String,
}

/// Returns the page as HTML, self-contained: its content security policy forbids loading anything.
///
/// ```
/// use diagram::{Diagram, Figure, Page};
///
/// let start = san::Position::default();
/// let figure = Figure {
///     diagram: Diagram::from(&start),
///     heading: "Start".into(),
///     name: String::new(),
///     comment: "All men on board".into(),
///     fen: start.to_string(),
/// };
/// let html = diagram::page(&Page { title: "A & B".into(), figures: vec![figure], ..Page::default() });
/// assert!(html.contains("<h1>A &amp; B</h1>"));
/// ```
pub fn page(page: &Page) -> String {
    let mut html = Vec::new();
    let sections = std::slice::from_ref(page);
    write_page(&page.title, sections, &mut html).expect("memory accepts everything");
    String::from_utf8(html).expect("only text is written")
}

/// Writes one page of several games or files: a list of them, and a section for each. A single one
/// is written as by [`page`]. Fails if the output cannot be written.
///
/// ```
/// use diagram::Page;
///
/// let games = ["A - B", "C - D"].map(|title| Page { title: title.into(), ..Page::default() });
/// let mut html = Vec::new();
/// diagram::write_page("games.pgn", &games, &mut html)?;
/// let html = String::from_utf8(html).unwrap();
/// assert!(html.contains("<h1>games.pgn</h1>"));
/// assert!(html.contains("<h2>C - D</h2>"));
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn write_page(title: &str, sections: &[Page], output: &mut dyn Write) -> io::Result<()> {
    let mut html = String::new();
    let mut themes = sections.iter().flat_map(|section| &section.figures).map(|e| e.diagram.theme);
    head(title, themes.next().unwrap_or_default(), &mut html);
    if let [section] = sections {
        html.push_str("<header>\n");
        heading_and_facts("h1", title, section, &mut html);
        html.push_str("</header>\n");
        links(section, 0, &mut html);
        html.push_str("<main class=\"boards\">\n");
        write_figures(section, 0, false, &mut html, output)?;
    } else if sections.iter().map(|section| section.figures.len()).max() == Some(1) {
        // A board of each game, or none: one grid.
        let _ = write!(html, "<header>\n<h1>{}</h1>\n</header>\n", Escaped(title));
        html.push_str("<main class=\"boards\">\n");
        write_figures(&one_grid(sections), 0, true, &mut html, output)?;
    } else {
        let _ = write!(html, "<header>\n<h1>{}</h1>\n</header>\n", Escaped(title));
        contents(sections, &mut html);
        html.push_str("<main>\n");
        let mut first = 0;
        for (number, section) in sections.iter().enumerate() {
            let _ = writeln!(html, "<section id=\"s{number}\">");
            heading_and_facts("h2", &section.title, section, &mut html);
            if section.figures.len() > 1 {
                links(section, first, &mut html);
            }
            html.push_str("<div class=\"boards\">\n");
            write_figures(section, first, false, &mut html, output)?;
            html.push_str("</div>\n</section>\n");
            first += section.figures.len();
        }
    }
    let _ = write!(html, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    output.write_all(html.as_bytes())
}

/// Returns a section with the figures of all sections, whose titles are their headings.
fn one_grid(sections: &[Page]) -> Page {
    let figures = sections.iter().flat_map(|section| {
        section.figures.iter().map(|figure| {
            let known = section.facts.iter().filter(is_shown).map(|(_, value)| unbroken(value));
            let (heading, name) = (figure.heading.clone(), figure.name.clone());
            let parts = [heading].into_iter().chain(known).chain([name]);
            let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
            Figure { heading: section.title.clone(), name: parts.join(" · "), ..figure.clone() }
        })
    });
    Page { figures: figures.collect(), ..Page::default() }
}

/// Returns a result with word joiners, so that lines do not end within it.
fn unbroken(value: &str) -> String {
    value.replace('-', "\u{2060}-\u{2060}").replace('/', "\u{2060}/\u{2060}")
}

fn is_shown((name, _): &&(String, String)) -> bool {
    matches!(&**name, "Date" | "Result")
}

fn head(title: &str, theme: Theme, html: &mut String) {
    let title = Escaped(title);
    let class = if theme == Theme::Dark { " class=\"night\"" } else { "" };
    let _ = write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\"{class}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    definitions(html);
}

fn heading_and_facts(element: &str, title: &str, section: &Page, html: &mut String) {
    let _ = writeln!(html, "<{element}>{}</{element}>", Escaped(title));
    if !section.facts.is_empty() {
        html.push_str("<dl>");
        for (name, value) in &section.facts {
            let (name, value) = (Escaped(name), Escaped(value));
            let _ = write!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        html.push_str("</dl>\n");
    }
}

fn contents(sections: &[Page], html: &mut String) {
    html.push_str("<ol class=\"contents\">\n");
    for (number, section) in sections.iter().enumerate() {
        let _ = write!(html, "<li><a href=\"#s{number}\">{}</a>", Escaped(&section.title));
        for (_, value) in section.facts.iter().filter(is_shown) {
            let _ = write!(html, " <span>{}</span>", Escaped(value));
        }
        html.push_str("</li>\n");
    }
    html.push_str("</ol>\n");
}

/// Writes links to the diagrams of a section; `first` is the number of its first diagram.
fn links(section: &Page, first: usize, html: &mut String) {
    html.push_str("<nav>");
    let mut before = "";
    for (number, figure) in section.figures.iter().enumerate() {
        let heading = heading(number, figure);
        let label = Escaped(link_label(&heading, before));
        let _ = write!(html, "<a href=\"#p{}\">{label}</a> ", first + number);
        before = &figure.heading;
    }
    html.push_str("</nav>\n");
}

/// Writes figures one by one, since they are large; repeats a name only if `repeats_names`.
fn write_figures(
    section: &Page,
    first: usize,
    repeats_names: bool,
    html: &mut String,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut name_before = "";
    for (number, figure) in section.figures.iter().enumerate() {
        let has_name = repeats_names || figure.name != name_before;
        write_figure(first + number, &heading(number, figure), figure, has_name, html);
        name_before = &figure.name;
        output.write_all(html.as_bytes())?;
        html.clear();
    }
    Ok(())
}

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

fn definitions(html: &mut String) {
    html.push_str("<svg class=\"definitions\" aria-hidden=\"true\"><defs>\n");
    for role in Role::ALL.into_iter().rev() {
        let _ = writeln!(html, "{}", crate::svg::piece_definition(role));
    }
    let _ = writeln!(html, "{CHECK}");
    let _ = write!(
        html,
        "<g id=\"board\"><rect class=\"light\" width=\"800\" height=\"800\"/><path class=\"dark\" d=\"{}\"/></g>\n</defs></svg>\n",
        dark_squares()
    );
}

fn heading(number: usize, figure: &Figure) -> String {
    if figure.heading.is_empty() { (number + 1).to_string() } else { figure.heading.clone() }
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

fn write_figure(
    number: usize,
    heading: &str,
    figure: &Figure,
    is_new_name: bool,
    html: &mut String,
) {
    let Figure { diagram, name, comment, fen, .. } = figure;
    let _ = write!(html, "<figure id=\"p{number}\">\n<figcaption><b>{}</b>", Escaped(heading));
    if let Some(turn) = diagram.to_move() {
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
    let _ = write!(html, "<code>{}</code>\n</figure>\n", Escaped(fen));
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

    fn game(title: &str, figures: usize) -> Page {
        let start = san::Position::default();
        let figure = Figure {
            diagram: Diagram::from(&start),
            heading: "1. e4".into(),
            name: "B00".into(),
            comment: String::new(),
            fen: start.to_string(),
        };
        let facts = vec![("Event".into(), "Cup".into()), ("Result".into(), "1-0".into())];
        Page { title: title.into(), facts, figures: vec![figure; figures] }
    }

    fn written(sections: &[Page]) -> String {
        let mut html = Vec::new();
        write_page("games.pgn", sections, &mut html).unwrap();
        String::from_utf8(html).unwrap()
    }

    #[test]
    fn games_with_one_position_each_are_one_grid() {
        let html = written(&[game("A - B", 1), game("C - D", 0), game("E - F", 1)]);
        assert_eq!(html.matches("class=\"boards\"").count(), 1);
        assert_eq!(html.matches("<h2>").count(), 0);
        let caption = "<figcaption><b>E - F</b><i class=\"turn white\" title=\"White to move\"></i>\
                       <span class=\"name\">1. e4 · 1\u{2060}-\u{2060}0 · B00</span>";
        assert!(html.contains(caption), "{html}");
        let html = written(&[game("A - B", 1), game("C - D", 2)]);
        assert_eq!(html.matches("<h2>").count(), 2);
    }

    /// Browsers print no backgrounds, unless they are asked to.
    #[test]
    fn the_side_to_move_is_no_background_and_in_words_on_paper() {
        let rules: Vec<&str> = STYLE.lines().filter(|rule| rule.contains(".turn")).collect();
        assert!(rules.iter().any(|rule| rule.contains("border-color: #111")), "{rules:?}");
        assert!(rules.iter().all(|rule| !rule.contains("background")), "{rules:?}");
        let print = STYLE.split_once("@media print").unwrap().1;
        assert!(print.contains(".turn::after { content: \" \" attr(title); }"));
    }

    #[test]
    fn a_page_has_the_theme_of_its_diagrams() {
        for (theme, class) in [(Theme::Light, ""), (Theme::Dark, " class=\"night\"")] {
            let root = format!("<html lang=\"en\"{class}>");
            let mut page = game("A - B", 1);
            page.figures[0].diagram.theme = theme;
            assert!(written(&[page]).contains(&root), "{theme:?}");
        }
    }
}

//! Reviewed diagrams, as snapshots.

use pgn2epd::chess::Color;
use pgn2epd::diagram::illustrate;
use pgn2epd::diagram::{self, Colours, Diagram, Figure, Theme};
use proptest::prelude::*;

use crate::support::{fixture, games};

/// The last position of a game of `fixtures/diagrams/games.pgn`.
fn game(number: u64) -> Diagram {
    let pgn = fixture("diagrams/games.pgn");
    let game = games(&pgn).into_iter().find(|game| game.number == number).unwrap();
    assert!(game.problems.is_empty(), "{:?}", game.problems);
    illustrate::game(&game).pop().unwrap().diagram
}

fn record(text: &str) -> Diagram {
    illustrate::record(text).unwrap().diagram
}

/// Eleven diagrams, and the names of their snapshots.
fn diagrams() -> Vec<(&'static str, Diagram)> {
    let start = record("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let bare = Diagram { coordinates: false, turn: None, ..start.clone() };
    let dark = Diagram { theme: Theme::Dark, from: Color::Black, ..game(6) };
    vec![
        ("start", start),
        ("empty", record("8/8/8/8/8/8/8/8 w - -")),
        ("corners", record("n6k/8/8/8/8/8/8/K6N w - -")),
        ("promotion-to-queen", game(1)),
        ("promotion-to-rook", game(2)),
        ("promotion-to-bishop", game(3)),
        ("promotion-to-knight", game(4)),
        ("chess960", game(5)),
        ("arrows", game(6)),
        ("arrows-from-black", dark),
        ("bare", bare),
    ]
}

#[test]
fn svg_pictures_equal_the_reviewed_ones() {
    for (name, diagram) in diagrams() {
        insta::assert_snapshot!(name, diagram::svg(&diagram));
    }
}

#[test]
fn svg_pictures_are_self_contained() {
    for (name, diagram) in diagrams() {
        let svg = diagram::svg(&diagram);
        let links = svg.matches("href=\"").count();
        assert_eq!(svg.matches("href=\"#").count(), links, "{name}");
        for word in ["url(#check)", "<text", "font", "<image", "style="] {
            let allowed = word == "url(#check)" && diagram.marks.check.is_some();
            assert!(allowed || !svg.contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn text_diagrams_equal_the_reviewed_ones() {
    for (name, diagram) in diagrams() {
        let plain = diagram::text(&diagram, Colours::Plain);
        let all = format!("{plain}\n{}\n{}", diagram::ascii(&diagram), diagram::latex(&diagram));
        insta::assert_snapshot!(format!("{name}-text"), all);
    }
    insta::assert_snapshot!(
        "colours",
        diagram::text(&game(6), Colours::Ansi).replace('\u{1b}', "␛")
    );
}

#[cfg(feature = "png")]
#[test]
fn png_pictures_equal_the_reviewed_ones() {
    use std::fmt::Write as _;

    let mut list = String::new();
    for (name, diagram) in diagrams() {
        let png = diagram::png(&diagram, 400).unwrap();
        let (width, height, pixels) = pixels(&png);
        writeln!(list, "{name} {width}x{height} {}", hash(&pixels)).unwrap();
    }
    // On other systems the last bit of a colour may differ.
    if cfg!(target_arch = "x86_64") {
        insta::assert_snapshot!("png", list);
    }
}

#[cfg(feature = "png")]
fn pixels(png: &[u8]) -> (u32, u32, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::Cursor::new(png));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

#[cfg(feature = "png")]
fn hash(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};

    Sha256::digest(bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_html_page_equals_the_reviewed_one() {
    let figure = |(name, diagram): (&str, Diagram)| Figure {
        fen: diagram.title.clone(),
        diagram,
        heading: name.to_owned(),
        name: String::new(),
        comment: String::new(),
    };
    let figures = diagrams().into_iter().map(figure).collect();
    let page = diagram::Page { title: "Diagrams".into(), facts: Vec::new(), figures };
    // Style and script are separate files.
    let html = diagram::page(&page);
    let (head, rest) = html.split_once("<style>").unwrap();
    let body = rest.split_once("</style>").unwrap().1.split_once("<script>").unwrap().0;
    insta::assert_snapshot!("page", format!("{head}{body}"));
}

#[test]
fn each_square_is_in_its_place() {
    let white = record("8/8/8/8/8/8/8/Q7 w - -");
    let black = Diagram { from: Color::Black, ..white.clone() };
    assert!(diagram::svg(&white).contains("<use href=\"#queen\" x=\"0\" y=\"700\"/>"));
    assert!(diagram::svg(&black).contains("<use href=\"#queen\" x=\"700\" y=\"0\"/>"));
}

#[test]
fn a_game_has_its_marks_and_comments() {
    let pgn = fixture("diagrams/games.pgn");
    let games = games(&pgn);
    let last = |number: usize| illustrate::game(&games[number - 1]).pop().unwrap();
    let Figure { diagram, heading, comment, .. } = last(4);
    assert_eq!((&*heading, &*comment), ("1. gxh8=N+", "A fork, nearly."));
    assert!(diagram.marks.check.is_some());
    // The king castles from f1 to g1. The clock is not shown as a comment.
    let Figure { diagram, heading, comment, .. } = last(5);
    assert_eq!((&*heading, &*comment), ("3. O-O", "The king goes one square."));
    let (from, to) = diagram.marks.last_move.unwrap();
    assert_eq!((from.to_string(), to.to_string()), ("f1".into(), "g1".into()));
    let Figure { diagram, .. } = last(6);
    assert_eq!((diagram.marks.squares.len(), diagram.marks.arrows.len()), (4, 4));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_record_says_its_picture_is_well_formed(
        fields in "[pnbrqkPNBRQK1-8]{0,8}(/[pnbrqkPNBRQK1-8]{1,8}){7}|8/4k3/8/8/3q4/8/4K3/7R",
        rest in r#" [wbW] (-|KQkq|HAha) (-|e3|d6)( (sm|bm|am|id|c0|v0) [a-h1-8NBRQKx"<&>;]{0,9};?){0,4}"#,
    ) {
        let text = fields + &rest;
        for figure in illustrate::records(&text, &mut |_| {}) {
            let svg = diagram::svg(&figure.diagram);
            prop_assert!(is_well_formed(&svg), "{}", svg);
            let page = diagram::page(&diagram::Page {
                title: text.clone(),
                figures: vec![figure],
                ..diagram::Page::default()
            });
            let body = page.split_once("<svg class").unwrap().1;
            prop_assert!(!body.contains("<&") && !body.contains("\"\"\""));
        }
    }
}

/// Whether elements are properly nested.
fn is_well_formed(xml: &str) -> bool {
    let mut open = Vec::new();
    for tag in xml.split('<').skip(1) {
        let Some((tag, text)) = tag.split_once('>') else { return false };
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        let is_closed = match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => open.pop() == Some(name),
            (false, true) => true,
            (false, false) => {
                open.push(name);
                true
            }
        };
        if !is_closed || text.contains('>') {
            return false;
        }
    }
    open.is_empty()
}

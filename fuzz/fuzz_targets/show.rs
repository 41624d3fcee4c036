//! For any records, tables and games, pictures are well-formed, and every placement is read back as
//! it was written.
#![no_main]

use std::io::Cursor;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use pgn2epd::diagram::illustrate::{self, Illustrator};
use pgn2epd::diagram::{self, Colours, DiagramOptions, Placement};
use pgn2epd::input::{Input, Inputs};

fuzz_target!(|bytes: &[u8]| {
    let mut figures = illustrate::records(&String::from_utf8_lossy(bytes), &mut |_| {});
    for text in Inputs::new([Input::reader("", Cursor::new(bytes.to_vec()))]).flatten() {
        let mut illustrator = Illustrator::of(text.kind());
        // An error of reading is that of a damaged file.
        let _ = illustrate::for_each_game(text, &DiagramOptions::default(), &mut |game| {
            figures.extend(illustrator.figures(&game, |_| true));
            ControlFlow::Continue(())
        });
    }
    for figure in &figures {
        let placement = figure.diagram.placement;
        assert_eq!(placement.to_string().parse::<Placement>(), Ok(placement));
        let svg = diagram::svg(&figure.diagram);
        assert_eq!(svg.matches("<use ").count(), placement.iter().count());
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
        assert!(diagram::text(&figure.diagram, Colours::Plain).lines().count() >= 9);
        assert!(diagram::ascii(&figure.diagram).is_ascii());
    }
    let (first, second) = figures.split_at(figures.len() / 2);
    let section =
        |figures: &[_]| diagram::Page { figures: figures.to_vec(), ..diagram::Page::default() };
    let mut page = Vec::new();
    diagram::write_page("", &[section(first), section(second)], &mut page)
        .expect("it is in memory");
    assert!(page.ends_with(b"</html>\n"));
    let page = diagram::page(&section(&figures));
    assert_eq!(page.matches("<figure ").count(), figures.len());
});

//! Pictures, pixel by pixel: one for each unit. Where things must stand is worked out here, by hand.

use diagram::{Arrow, Colours, Diagram, Figure, Page, Paint, Placement, Theme};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use san::{Color, Position, Square};

/// The board begins here, beside and above the names of files and ranks; a square has 100 units.
const LEFT: u32 = 50;
const TOP: u32 = 12;
const LIGHT: [u8; 3] = [0xf0, 0xe1, 0xc8];
const DARK: [u8; 3] = [0xb8, 0x8b, 0x66];
const INK: [u8; 3] = [0x3f, 0x3a, 0x36];
const WHITE: [u8; 3] = [0xff; 3];

struct Picture(Pixmap, Color);

impl Picture {
    fn of(diagram: &Diagram) -> Self {
        let width = 50 + 800 + if diagram.turn.is_some() { 54 } else { 12 };
        let pixels = Pixmap::decode_png(&diagram::png(diagram, width).unwrap()).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (width, 12 + 800 + 50));
        Picture(pixels, diagram.from)
    }

    fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let pixel: PremultipliedColorU8 = self.0.pixel(x, y).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    /// At a distance from the upper left corner of a square.
    fn on(&self, square: Square, x: u32, y: u32) -> [u8; 3] {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        let (column, row) = if self.1.is_white() { (file, 7 - rank) } else { (7 - file, rank) };
        self.at(LEFT + 100 * column + x, TOP + 100 * row + y)
    }

    /// Whether the pixels of this colour are a mark in the middle of a box of this size around it.
    fn has_mark(&self, x: u32, y: u32, half: u32) -> bool {
        let inked = |x: &u32, y: &u32| self.at(*x, *y)[0] < 0x80;
        let (columns, rows) = (x - half..x + half, y - half..y + half);
        let places: Vec<(u32, u32)> = columns
            .flat_map(|x| rows.clone().map(move |y| (x, y)))
            .filter(|(x, y)| inked(x, y))
            .collect();
        let middle = |numbers: &dyn Fn(&(u32, u32)) -> u32| {
            let numbers = || places.iter().map(numbers);
            Some(f64::from(numbers().min()? + numbers().max()?) / 2.0)
        };
        let is_near = |found: Option<f64>, wanted: u32| {
            found.is_some_and(|found| (found - f64::from(wanted)).abs() < 9.0)
        };
        is_near(middle(&|(x, _)| *x), x) && is_near(middle(&|(_, y)| *y), y)
    }
}

fn near(found: [u8; 3], wanted: [u8; 3]) -> bool {
    found.iter().zip(wanted).all(|(found, wanted)| found.abs_diff(wanted) < 4)
}

/// A colour over another one.
fn mixed(over: [u8; 3], under: [u8; 3], opacity: f64) -> [u8; 3] {
    let mix = |at: usize| f64::from(over[at]) * opacity + f64::from(under[at]) * (1.0 - opacity);
    [mix(0) as u8, mix(1) as u8, mix(2) as u8]
}

fn ground(square: Square) -> [u8; 3] {
    if (u32::from(square.file()) + u32::from(square.rank())) % 2 == 0 { DARK } else { LIGHT }
}

fn from_both_sides(diagram: &Diagram) -> [(Diagram, Picture); 2] {
    Color::ALL.map(|from| {
        let diagram = Diagram { from, ..diagram.clone() };
        let picture = Picture::of(&diagram);
        (diagram, picture)
    })
}

#[test]
fn pieces_squares_and_names_stand_where_they_belong() {
    let position = "rnb1kbnr/pp2pppp/8/2pq4/3P4/2P5/PP3PPP/RNBQKBNR w KQkq - 0 5";
    let diagram = Diagram::from(&Position::from_fen(position.as_bytes()).unwrap());
    for (diagram, picture) in from_both_sides(&diagram) {
        for square in Square::ALL {
            assert!(near(picture.on(square, 8, 8), ground(square)), "{square}");
            // Every piece covers some point of the upward line through its middle.
            let middle: Vec<_> = (30..80).map(|y| picture.on(square, 50, y)).collect();
            let is_empty = middle.iter().all(|pixel| near(*pixel, ground(square)));
            let letter = position_letter(position, square);
            assert_eq!(is_empty, letter.is_none(), "{square}");
            assert_eq!(diagram.placement.letter(square), letter);
            let has = |is_light: bool| {
                let close = |pixel: &&[u8; 3]| (pixel[0] > 0xf4 && pixel[2] > 0xf4) == is_light;
                middle.iter().filter(close).count()
            };
            if let Some(letter) = letter {
                assert_eq!(has(true) > 10, letter.is_ascii_uppercase(), "{square}");
            }
        }
        for at in 0..8 {
            assert!(picture.has_mark(22, TOP + 100 * at + 50, 20), "rank {at}");
            assert!(picture.has_mark(LEFT + 100 * at + 50, TOP + 800 + 6 + 18, 18), "file {at}");
        }
        // The frame, and outside of it.
        assert_eq!(picture.at(LEFT - 3, TOP + 400), INK);
        assert_eq!(picture.at(LEFT + 400, TOP + 800 + 3), INK);
        assert_eq!(picture.at(1, 1), WHITE);
        assert_eq!(picture.at(LEFT + 803, TOP + 400), INK);
    }
}

/// The letter of the piece, from the text of the position.
fn position_letter(fen: &str, square: Square) -> Option<char> {
    let row = fen.split([' ', '/']).nth(7 - usize::from(square.rank()))?;
    let cells = row.chars().flat_map(|letter| match letter.to_digit(10) {
        Some(empty) => vec![None; empty as usize],
        None => vec![Some(letter)],
    });
    cells.collect::<Vec<_>>()[usize::from(square.file())]
}

#[test]
fn a_disc_beside_its_first_rank_shows_the_side_to_move() {
    for (fen, to_move) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some(Color::White)),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", Some(Color::Black)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None),
    ] {
        let diagram = Diagram::from(&Position::from_fen(fen.as_bytes()).unwrap());
        for (diagram, picture) in from_both_sides(&diagram) {
            for row in [0, 7] {
                let has_disc = to_move.is_some_and(|turn| (turn == diagram.from) == (row == 7));
                let (x, y) = (LEFT + 800 + 6 + 24, TOP + 100 * row + 50);
                // The ring has a radius of 12, and is 4 wide.
                let ring = [(x - 12, y), (x + 12, y), (x, y - 12), (x, y + 12)];
                let ink = ring.map(|(x, y)| picture.at(x, y) == INK);
                assert_eq!(ink, [has_disc; 4], "{fen}, row {row}");
                let inside =
                    if has_disc && to_move == Some(Color::Black) { [0x11; 3] } else { WHITE };
                assert_eq!(picture.at(x, y), inside, "{fen}, row {row}");
            }
        }
    }
}

#[test]
fn marks_colour_their_squares_and_arrows_point_to_them() {
    let mut diagram = Diagram::from("8/8/8/8/8/8/8/8".parse::<Placement>().unwrap());
    diagram.marks.last_move = Some((Square::A1, Square::B1));
    diagram.marks.squares = vec![(Square::H8, Paint::Red), (Square::A5, Paint::Blue)];
    diagram.marks.check = Some(Square::D8);
    let arrows = [(Square::B2, Square::F2), (Square::G2, Square::G6), (Square::B7, Square::D5)];
    for (from, to) in arrows {
        diagram.marks.arrow(from, to, Paint::Green);
        // Only one between two squares.
        diagram.marks.arrow(from, to, Paint::Red);
    }
    diagram.marks.arrow(Square::E7, Square::E7, Paint::Yellow);
    assert_eq!(diagram.marks.arrows.len(), 4);
    let green = [0x1f, 0x8a, 0x3b];
    for (_, picture) in from_both_sides(&diagram) {
        for square in [Square::A1, Square::B1] {
            let yellow = mixed([0xdb, 0xb9, 0x28], ground(square), 0.6);
            assert!(near(picture.on(square, 5, 95), yellow));
        }
        let (red, blue) = ([0xc3, 0x27, 0x2b], [0x1f, 0x62, 0xc4]);
        assert!(near(picture.on(Square::H8, 95, 5), mixed(red, DARK, 0.55)));
        assert!(near(picture.on(Square::A5, 95, 95), mixed(blue, DARK, 0.55)));
        assert!(near(picture.on(Square::D8, 50, 50), mixed([0xff, 0x11, 0x11], DARK, 1.0)));
        for (from, to) in arrows {
            let centre = |square: Square| {
                let (file, rank) =
                    (f64::from(u32::from(square.file())), f64::from(u32::from(square.rank())));
                match picture.1.is_white() {
                    true => (50.0 + 100.0 * file + 50.0, 12.0 + 100.0 * (7.0 - rank) + 50.0),
                    false => (50.0 + 100.0 * (7.0 - file) + 50.0, 12.0 + 100.0 * rank + 50.0),
                }
            };
            let ((x, y), (to_x, to_y)) = (centre(from), centre(to));
            let length = ((to_x - x).powi(2) + (to_y - y).powi(2)).sqrt();
            let (along_x, along_y) = ((to_x - x) / length, (to_y - y) / length);
            // Whether a place along the arrow and beside it is painted.
            let cases = [
                (20.0, 0.0, false), // the piece that moves stays visible
                (36.0, 0.0, true),
                (60.0, 5.0, true), // the shaft
                (60.0, -5.0, true),
                (60.0, 14.0, false),
                (60.0, -14.0, false),
                (length - 70.0, 5.0, true),
                (length - 44.0, 18.0, true), // the head
                (length - 44.0, -18.0, true),
                (length - 44.0, 34.0, false),
                (length - 44.0, -34.0, false),
                (length - 60.0, 18.0, false),
                (length - 14.0, 0.0, true), // the tip
                (length - 14.0, 14.0, false),
                (length - 8.0, 0.0, false),
                (length + 2.0, 0.0, false),
            ];
            for (along, aside, is_painted) in cases {
                let (x, y) =
                    (x + along * along_x - aside * along_y, y + along * along_y + aside * along_x);
                let found = picture.at(x as u32, y as u32);
                let is_green =
                    [LIGHT, DARK].iter().any(|under| near(found, mixed(green, *under, 0.8)));
                assert_eq!(is_green, is_painted, "{from}-{to}: {along} {aside} {found:?}");
            }
        }
        // A ring: its radius is 44.
        let ring = |x, y| near(picture.on(Square::E7, x, y), mixed([0xed, 0xa8, 0], DARK, 0.8));
        assert!(ring(94, 50) && ring(6, 50) && ring(50, 94) && !ring(50, 50) && !ring(80, 50));
    }
}

#[test]
fn without_names_the_margins_are_small_and_dark_colours_are_dark() {
    let mut diagram = Diagram::from("8/8/8/8/8/8/8/8".parse::<Placement>().unwrap());
    (diagram.coordinates, diagram.theme) = (false, Theme::Dark);
    let picture = Pixmap::decode_png(&diagram::png(&diagram, 812).unwrap()).unwrap();
    assert_eq!(picture.height(), 812);
    let pixel = picture.pixel(10, 10).unwrap();
    assert_eq!([pixel.red(), pixel.green(), pixel.blue()], [0xc3, 0xc8, 0xcf]);
    // Half of the units is the size that the picture states.
    assert!(diagram::svg(&diagram).contains(r#"viewBox="0 0 812 812" width="406" height="406""#));
    for (width, is_drawn) in [(0, false), (1, true), (16_385, false)] {
        assert_eq!(diagram::png(&diagram, width).is_ok(), is_drawn, "{width}");
    }
}

#[test]
fn characters_show_pieces_and_marks() {
    let mut diagram = Diagram::from("4k3/8/8/8/8/8/4P3/4K3".parse::<Placement>().unwrap());
    diagram.turn = Some(Color::Black);
    diagram.marks.last_move = Some((Square::A1, Square::E2));
    diagram.marks.squares = vec![(Square::H1, Paint::Red)];
    diagram.marks.check = Some(Square::E8);
    diagram.marks.arrows = vec![Arrow { from: Square::E8, to: Square::D7, paint: Paint::Blue }];
    let board = "8     .     . (k) .     .
7  .     .     .     .
6     .     .     .     .
5  .     .     .     .
4     .     .     .     .
3  .     .     .     .
2     .     . [P] .     .
1 [.]    .     K     . ( )
   a  b  c  d  e  f  g  h
Black to move, e8-d7
";
    assert_eq!(diagram::ascii(&diagram), board);
    let plain = board.replace("(k)", "(♚)").replace(" K ", " ♔ ").replace("[P]", "[♙]");
    assert_eq!(diagram::text(&diagram, Colours::Plain), plain.replace('.', "·"));
    diagram.placement.set(Square::E2, None);
    assert_eq!(diagram.placement.to_string(), "4k3/8/8/8/8/8/8/4K3");
}

#[test]
fn a_section_has_links_if_it_has_several_boards() {
    let figure = |heading: &str| Figure {
        diagram: Diagram::from(&Position::default()),
        heading: heading.to_owned(),
        name: String::new(),
        comment: String::new(),
        fen: String::new(),
    };
    let section = |headings: &[&str]| Page {
        title: headings.concat(),
        figures: headings.iter().map(|heading| figure(heading)).collect(),
        ..Page::default()
    };
    let sections = [section(&["one"]), section(&["two", "three"]), section(&[])];
    let mut html = Vec::new();
    diagram::write_page("games", &sections, &mut html).unwrap();
    let html = String::from_utf8(html).unwrap();
    let part = |number: usize| {
        html.split("<section id=").nth(number).unwrap().split("</section>").next().unwrap()
    };
    // Board 0 is the only one of its section.
    let links = |part: &str| part.matches("<a href=\"#").count();
    assert_eq!([links(part(1)), links(part(2)), links(part(3))], [0, 2, 0]);
    let boards = |part: &str| part.matches("<figure").count();
    assert_eq!([boards(part(1)), boards(part(2)), boards(part(3))], [1, 2, 0]);
}

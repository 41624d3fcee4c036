//! Diagrams of records and of games: what is marked on them, and what stands beside them.
//!
//! ```
//! use pgn2epd::{diagram, illustrate};
//!
//! let game = pgn2epd::games(b"[White \"Anderssen\"] 1. e4 e5 {[%cal Gf2f4] and now the gambit} 2. f4 *").next().unwrap();
//! let entries = illustrate::game(&game);
//! assert_eq!((&*entries[2].heading, &*entries[2].comment), ("1... e5", "and now the gambit"));
//! let picture = diagram::svg(&entries[2].diagram);
//! # assert!(picture.contains("<path fill="));
//! ```

use diagram::{Diagram, Entry, Page, Placement, take_marks};
use emit::MoveNumber;
use san::{Color, FenError, Position, Setup};

use crate::{Game, Record};

/// The diagram of an EPD or FEN record: four or six fields. The position need not be legal.
///
/// # Errors
///
/// If it is no record.
///
/// ```
/// let entry = pgn2epd::illustrate::record("8/8/8/4k3/8/8/4P3/4K3 b - -")?;
/// assert_eq!(entry.diagram.turn, Some(pgn2epd::Color::Black));
/// # Ok::<_, pgn2epd::FenError>(())
/// ```
pub fn record(text: &str) -> Result<Entry, FenError> {
    let text = text.trim();
    let fields: Vec<&str> = text.split_whitespace().collect();
    let mut setup = Setup::from_fen(text.as_bytes())?;
    setup.repair();
    let placement = Placement::from(&setup);
    let diagram = match setup.into_position() {
        Ok(position) => Diagram::from(&position),
        Err(_) => {
            let mut diagram = Diagram::from(placement);
            let is_black = fields.get(1).is_some_and(|side| side.eq_ignore_ascii_case("b"));
            diagram.turn = Some(Color::from_white(!is_black));
            diagram
        }
    };
    Ok(Entry {
        diagram: Diagram { title: text.to_owned(), ..diagram },
        heading: String::new(),
        name: String::new(),
        comment: String::new(),
        record: text.to_owned(),
    })
}

/// A diagram for each position of a game: with the last move, the squares and arrows of its comments, and a king in check.
pub fn game(game: &Game) -> Vec<Entry> {
    let mut before: Option<&Record> = None;
    let mut entries = Vec::with_capacity(game.records.len());
    for record in &game.records {
        entries.push(entry(record, before));
        before = Some(record);
    }
    entries
}

fn entry(record: &Record, before: Option<&Record>) -> Entry {
    let mut diagram = Diagram::from(&record.position);
    let mut heading = "Start".to_owned();
    if let Some((before, last)) = before.and_then(|before| Some((before, before.next?))) {
        // When castling, the king's own squares.
        diagram.marks.last_move = Some((last.from(), last.to()));
        heading = heading_of(&before.position, last);
    }
    let mut comments = Vec::new();
    for comment in &record.comments {
        let (text, marks) = take_marks(comment);
        diagram.marks.extend(marks);
        comments
            .push(emit::comment_text(text.as_bytes(), !record.position.turn(), false).into_owned());
    }
    comments.retain(|comment| !comment.is_empty());
    Entry {
        record: diagram.title.clone(),
        diagram,
        heading,
        name: String::new(),
        comment: comments.join(" "),
    }
}

fn heading_of(position: &Position, last: san::Move) -> String {
    let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
    format!("{number} {}", san::san_of(position, last))
}

/// The HTML page of a game, or of what was chosen of its positions.
///
/// ```
/// use pgn2epd::{diagram, illustrate};
///
/// let game = pgn2epd::games(b"[White \"A\"] [Black \"B\"] [Event \"Match\"] 1. e4 *").next().unwrap();
/// let page = illustrate::page(&game, illustrate::game(&game));
/// assert_eq!(page.title, "A - B");
/// assert!(diagram::page(&page).contains("<dt>Event</dt><dd>Match</dd>"));
/// ```
pub fn page(game: &Game, entries: Vec<Entry>) -> Page {
    let known =
        |name: &str| game.tag(name).filter(|value| !matches!(*value, "" | "?" | "????.??.??"));
    let title = match (known("White"), known("Black")) {
        (None, None) => format!("Game {}", game.number),
        (white, black) => format!("{} - {}", white.unwrap_or("?"), black.unwrap_or("?")),
    };
    const SHOWN: &[&str] = &[
        "Event",
        "Site",
        "Date",
        "Round",
        "Result",
        "WhiteElo",
        "BlackElo",
        "ECO",
        "Opening",
        "Variation",
        "TimeControl",
        "Annotator",
    ];
    let facts = SHOWN.iter().filter_map(|name| Some((name.to_string(), known(name)?.to_owned())));
    Page { title, facts: facts.collect(), entries }
}

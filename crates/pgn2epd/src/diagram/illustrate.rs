//! Diagrams of records and games: their markings and captions.
//!
//! ```
//! use pgn2epd::diagram;
//! use pgn2epd::diagram::illustrate;
//!
//! let pgn = &b"[White \"Anderssen\"] 1. e4 e5 {[%cal Gf2f4] and now the gambit} 2. f4 *"[..];
//! let game = pgn2epd::games(pgn, &pgn2epd::Options::default()).next().unwrap()?;
//! let entries = illustrate::game(&game);
//! assert_eq!((&*entries[2].heading, &*entries[2].comment), ("1... e5", "and now the gambit"));
//! let picture = diagram::svg(&entries[2].diagram);
//! # assert!(picture.contains("<path fill="));
//! # Ok::<_, pgn2epd::GameError>(())
//! ```

mod record;

use diagram::{Diagram, Entry, Page, take_marks};
use emit::{Game, MoveNumber, PlayedPosition};
use openings::{GameName, OpeningTracker, Openings};
use san::Position;

pub use record::{Entries, record, records, records_of};

/// Returns a diagram for each position of a game, with the last move, the squares and arrows of its
/// comments, and a king in check. Its name is that of the latest position in the embedded table of
/// openings.
pub fn game(game: &Game) -> Vec<Entry> {
    positions(game, |_| true)
}

/// Returns the diagrams of [`game`] for the wanted positions, which have these indices among all.
pub fn positions(game: &Game, mut is_wanted: impl FnMut(usize) -> bool) -> Vec<Entry> {
    let mut before: Option<&PlayedPosition> = None;
    let mut tracker = OpeningTracker::of_table(Some(Openings::embedded()), false);
    let mut entries = Vec::new();
    for (index, record) in game.positions.iter().enumerate() {
        tracker.follow(&record.position, record.next, record.ply);
        if is_wanted(index) {
            let name = GameName::of(&tracker);
            entries.push(Entry { name: name.to_string(), ..entry(record, before) });
        }
        before = Some(record);
    }
    entries
}

fn entry(record: &PlayedPosition, before: Option<&PlayedPosition>) -> Entry {
    let mut diagram = Diagram::from(&record.position);
    let mut heading = String::new();
    match before.and_then(|before| Some((before, before.next?))) {
        None => heading.push_str("Start"),
        Some((before, last)) => {
            // For castling, the squares of the king.
            diagram.marks.last_move = Some((last.from(), last.to()));
            heading = heading_of(&before.position, last);
        }
    }
    let mut comments = Vec::new();
    for comment in &record.comments {
        let (text, marks) = take_marks(comment);
        diagram.marks.extend(marks);
        let text = emit::comment_text(text.as_bytes(), !record.position.turn(), false);
        comments.push(text.into_owned());
    }
    comments.retain(|comment| !comment.is_empty());
    let fen = record.position.to_string();
    Entry { diagram, heading, name: String::new(), comment: comments.join(" "), fen }
}

fn heading_of(position: &Position, last: san::Move) -> String {
    let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
    format!("{number} {}", san::san_of(position, last))
}

/// Returns the HTML page of a game, or of selected positions. Without players it is titled with the
/// number of the game.
///
/// ```
/// use pgn2epd::diagram;
/// use pgn2epd::diagram::illustrate;
///
/// let pgn = &b"[White \"A\"] [Black \"B\"] [Event \"Match\"] 1. e4 *"[..];
/// let game = pgn2epd::games(pgn, &pgn2epd::Options::default()).next().unwrap()?;
/// let page = illustrate::page(&game, illustrate::game(&game));
/// assert_eq!(page.title, "A - B");
/// assert!(diagram::page(&page).contains("<dt>Event</dt><dd>Match</dd>"));
/// # Ok::<_, pgn2epd::GameError>(())
/// ```
pub fn page(game: &Game, entries: Vec<Entry>) -> Page {
    let title = players(game).unwrap_or_else(|| format!("Game {}", game.number));
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
    let facts =
        SHOWN.iter().filter_map(|name| Some((name.to_string(), known(game, name)?.to_owned())));
    Page { title, facts: facts.collect(), entries }
}

/// Returns the players of a game, such as `Anderssen - Kieseritzky`; `None` if both are unknown.
pub fn players(game: &Game) -> Option<String> {
    match (known(game, "White"), known(game, "Black")) {
        (None, None) => None,
        (white, black) => Some(format!("{} - {}", white.unwrap_or("?"), black.unwrap_or("?"))),
    }
}

/// Returns the value of a tag if it is known.
fn known<'g>(game: &'g Game, name: &str) -> Option<&'g str> {
    game.tag(name).filter(|value| !pgn::is_unknown(name.as_bytes(), value.as_bytes()))
}

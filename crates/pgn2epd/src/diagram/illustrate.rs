//! Diagrams of games and records: their markings and captions.
//!
//! ```
//! use pgn2epd::diagram;
//! use pgn2epd::diagram::illustrate;
//!
//! let pgn = &b"[White \"Anderssen\"] 1. e4 e5 {[%cal Gf2f4] and now the gambit} 2. f4 *"[..];
//! let game = pgn2epd::games(pgn, &pgn2epd::Options::default()).next().unwrap()?;
//! let figures = illustrate::game(&game);
//! assert_eq!((&*figures[2].heading, &*figures[2].comment), ("1... e5", "and now the gambit"));
//! let picture = diagram::svg(&figures[2].diagram);
//! # assert!(picture.contains("<path fill="));
//! # Ok::<_, pgn2epd::GameError>(())
//! ```

use std::convert::identity;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use diagram::{Diagram, Figure, Page, Paint, Placement, take_marks};
use emit::{Game, MoveNumber, Plan, PlayedPosition, Problem};
use epd::{Opcode, Operand, Record, Registers};
use san::{Color, Move, Position, Setup};

use super::DiagramOptions;
use crate::games::{GameError, plan_of_values, play_text};
use crate::inputs::{InputKind, InputText, TextKind, for_each_text};
use crate::options::Options;
use crate::summary::Summary;

/// Passes the games of a text to `take`, in order, until it breaks, as an [`Illustrator`] draws
/// them: with the positions that the options select. A record is a game; a line without a position
/// is one with its text alone; errors outside of both are those of a game with the number 0.
/// Returns the number of games and records. Fails if the text cannot be read; the games before it
/// have been passed.
pub fn for_each_game(
    text: InputText<'_>,
    options: &DiagramOptions,
    take: &mut dyn FnMut(Game) -> ControlFlow<()>,
) -> io::Result<u64> {
    let is_of_records = text.kind() != TextKind::Pgn;
    // Of games, only the name of the opening is drawn.
    let ops = "eco,v".parse().ok().filter(|_| !is_of_records);
    let options = Options::default().filter(options.filter.clone()).rules(options.rules).ops(ops);
    // Drawing takes longer than reading; threads would hold more records in memory.
    let options = options.jobs(is_of_records.then_some(NonZeroUsize::MIN));
    let plan = Plan {
        wants_text: is_of_records,
        reports_faults: is_of_records,
        ..plan_of_values(&options)
    };
    let mut summary = Summary::default();
    let _ = play_text(text, &options, &plan, &mut summary, &mut |played, _| {
        let others: Vec<Problem> = played.problems.collect();
        for mut game in played.games {
            if options.filter.is_some() {
                game.text.clear();
            } else if game.positions.is_empty() && bare(&game.text).is_some() {
                game.problems.clear();
            }
            take(game)?;
        }
        if others.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut game = Game::default();
        game.problems = others;
        take(game)
    })?;
    Ok(summary.games)
}

/// Returns the diagrams of the records of a text. Errors are passed to `problems`.
///
/// ```
/// let text = "4k3/8/8/8/8/8/4P3/4K3 w - - sm e4;\n4k3/8/8/8/4P3/8/8/4K3 b - e3\n";
/// let figures = pgn2epd::diagram::illustrate::records(text, &mut |problem| panic!("{problem}"));
/// assert_eq!(figures[1].heading, "1. e4");
/// ```
pub fn records(text: &str, problems: &mut dyn FnMut(Problem)) -> Vec<Figure> {
    let (options, mut figures) = (DiagramOptions::default(), Vec::new());
    let read =
        for_each_text(text.as_bytes(), &mut (), Some(InputKind::Epd), identity, |text, _| {
            let mut illustrator = Illustrator::of(text.kind());
            for_each_game(text, &options, &mut |game| {
                figures.extend(illustrator.figures(&game, |_| true));
                game.problems.into_iter().for_each(&mut *problems);
                ControlFlow::Continue(())
            })
            .map(|_| ControlFlow::Continue(()))
        });
    // Text in memory can be read.
    let _ = read;
    figures
}

/// Returns the diagram of one record in any dialect; see [`Illustrator::figures`]. Fails if nothing
/// can be drawn. Faults in operations are ignored.
///
/// ```
/// use pgn2epd::diagram::illustrate;
/// use pgn2epd::chess::Color;
///
/// let figure = illustrate::record("8/8/8/4k3/8/8/4P3/4K3 b - - sm Kd4;")?;
/// assert_eq!(figure.diagram.turn, Some(Color::Black));
/// assert_eq!(figure.diagram.marks.arrows[0].to.to_string(), "d4");
/// # Ok::<_, pgn2epd::GameError>(())
/// ```
pub fn record(line: &str) -> Result<Figure, GameError> {
    let mut first = None;
    let figures = records(line, &mut |problem| {
        first.get_or_insert(problem);
    });
    figures.into_iter().next().ok_or_else(|| match first {
        Some(problem) => Box::new(problem).into(),
        None => GameError::Read(io::ErrorKind::UnexpectedEof.into()),
    })
}

/// Returns a diagram for each position of a game, see [`Illustrator::figures`].
pub fn game(game: &Game) -> Vec<Figure> {
    Illustrator::of(TextKind::Pgn).figures(game, |_| true)
}

/// Draws games, or records, in their order.
#[derive(Debug)]
pub struct Illustrator {
    kind: TextKind,
    registers: Registers,
    /// The position after the last record's move, that move, and its caption.
    expected: Option<(Position, Move, String)>,
}

impl Illustrator {
    /// Begins a text with such a content.
    pub fn of(kind: TextKind) -> Self {
        Illustrator { kind, registers: Registers::default(), expected: None }
    }

    /// Returns the diagrams of the wanted positions of the next game, with the last move, the
    /// squares and arrows of its comments, and a king in check. The registers `eco` and `v0` to
    /// `v9` name a position.
    ///
    /// In records, `sm`, `bm` and `am` become arrows: blue, green and red. `c1` to `c9`, and a `c0`
    /// of the record itself, are its comment, with the squares and arrows of `[%csl …]` and
    /// `[%cal …]`; `id` is its heading. If a record follows from the previous one by that record's
    /// `sm`, the move is the last move and the heading. An illegal position is drawn too, without
    /// the effect of its operations.
    pub fn figures(
        &mut self,
        game: &Game,
        mut is_wanted: impl FnMut(&PlayedPosition) -> bool,
    ) -> Vec<Figure> {
        if game.positions.is_empty() {
            return bare(&game.text).into_iter().collect();
        }
        if self.kind == TextKind::Pgn {
            self.registers.clear();
        }
        let mut figures = Vec::new();
        for played in &game.positions {
            self.read(&played.record);
            let last = match self.kind {
                TextKind::Pgn => last_move(played),
                _ => self.follow(played),
            };
            if is_wanted(played) {
                figures.push(self.figure(played, last, &game.text));
            }
        }
        figures
    }

    fn read(&mut self, record: &Record) {
        for operation in record.operations() {
            let register = operation.opcode().and_then(Opcode::register);
            match (register, operation.operand()) {
                (Some(register), Operand::Text(text)) => self.registers.apply(register, Some(text)),
                (Some(register), Operand::Nothing) => self.registers.apply(register, None),
                _ => {}
            }
        }
    }

    fn follow(&mut self, played: &PlayedPosition) -> Option<(Move, String)> {
        let PlayedPosition { position, next, .. } = played;
        let next = next.map(|next| {
            let mut after = position.clone();
            after.play_unchecked(next);
            let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
            (after, next, format!("{number} {}", san::san_of(position, next)))
        });
        let (expected, last, caption) = std::mem::replace(&mut self.expected, next)?;
        let is_same = Placement::from(&expected) == Placement::from(position);
        is_same.then_some((last, caption))
    }

    fn figure(&self, played: &PlayedPosition, last: Option<(Move, String)>, text: &str) -> Figure {
        let PlayedPosition { position, record, .. } = played;
        let mut diagram = Diagram::from(position);
        // For castling, the squares of the king.
        diagram.marks.last_move = last.as_ref().map(|(last, _)| (last.from(), last.to()));
        let mut heading = last.map_or_else(String::new, |(_, caption)| caption);
        let mut texts = Vec::new();
        if self.kind == TextKind::Pgn {
            if heading.is_empty() && played.ply == 0 {
                heading.push_str("Start");
            }
        } else {
            let own = |opcode| match record.get(opcode) {
                Some(Operand::Text(text)) if !text.is_empty() => Some(text.as_str()),
                _ => None,
            };
            heading = own(Opcode::Id).map_or(heading, str::to_owned);
            let next = played.next.into_iter().map(|next| (next, Paint::Blue));
            let (good, bad) = (moves(record, Opcode::Bm), moves(record, Opcode::Am));
            let good = good.map(|mv| (mv, Paint::Green));
            for (mv, paint) in next.chain(good).chain(bad.map(|mv| (mv, Paint::Red))) {
                diagram.marks.arrow(mv.from(), mv.to(), paint);
            }
            texts.extend(own(Opcode::C0));
            texts.extend((1..10).filter_map(|rank| self.registers.comment(rank)));
        }
        if self.kind == TextKind::Epd {
            text.clone_into(&mut diagram.title);
        }
        let texts = texts.into_iter().map(|text| (text, false));
        let mut comments = Vec::new();
        for (text, is_of_game) in texts.chain(played.comments.iter().map(|text| (&**text, true))) {
            let (mut text, marks) = take_marks(text);
            diagram.marks.extend(marks);
            if is_of_game {
                text = emit::comment_text(text.as_bytes(), !position.turn(), false).into_owned();
            }
            comments.push(text);
        }
        comments.retain(|comment| !comment.is_empty());
        let (name, comment) = (name(&self.registers), comments.join(" "));
        Figure { diagram, heading, name, comment, fen: position.to_string() }
    }
}

fn last_move(played: &PlayedPosition) -> Option<(Move, String)> {
    let (last, san) = played.last?;
    let turn = !played.position.turn();
    let fullmove = played.position.fullmoves() - u32::from(turn == Color::Black);
    Some((last, format!("{} {san}", MoveNumber { fullmove, turn })))
}

fn moves(record: &Record, opcode: Opcode) -> impl Iterator<Item = Move> + '_ {
    record
        .moves(opcode)
        .iter()
        .filter_map(|text| san::resolve(record.position(), text.as_bytes()).ok())
}

/// `B90 Sicilian Defense: Najdorf Variation, English Attack`.
fn name(registers: &Registers) -> String {
    let mut name = registers.eco().unwrap_or_default().to_owned();
    for (rank, part) in (0..10).map_while(|rank| Some((rank, registers.variation(rank)?))) {
        name.push_str(match rank {
            0 if name.is_empty() => "",
            0 => " ",
            1 => ": ",
            _ => ", ",
        });
        name.push_str(part);
    }
    name
}

/// Returns the diagram of a record with an illegal position, or with only its first fields.
fn bare(line: &str) -> Option<Figure> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    let fen = fields.join(" ");
    let setup = Setup::from_fen(fen.as_bytes()).ok()?;
    let mut diagram = Diagram::from(Placement::from(&setup));
    diagram.turn = Some(setup.turn());
    line.trim().clone_into(&mut diagram.title);
    Some(Figure {
        diagram,
        heading: String::new(),
        name: String::new(),
        comment: String::new(),
        fen,
    })
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
pub fn page(game: &Game, figures: Vec<Figure>) -> Page {
    let title = players(game).unwrap_or_else(|| format!("Game {}", game.number));
    const SHOWN: &[&str] = &[
        "Event", "Site", "Date", "Round", "Result", "WhiteElo", "BlackElo", "ECO", "Opening",
        "Variation", "TimeControl", "Annotator",
    ];
    let facts =
        SHOWN.iter().filter_map(|name| Some((name.to_string(), known(game, name)?.to_owned())));
    Page { title, facts: facts.collect(), figures }
}

/// Returns the players of a game, such as `Anderssen - Kieseritzky`; `None` if both are unknown.
pub fn players(game: &Game) -> Option<String> {
    match (known(game, "White"), known(game, "Black")) {
        (None, None) => None,
        (white, black) => Some(format!("{} - {}", white.unwrap_or("?"), black.unwrap_or("?"))),
    }
}

fn known<'g>(game: &'g Game, name: &str) -> Option<&'g str> {
    game.tag(name).filter(|value| !pgn::is_unknown(name.as_bytes(), value.as_bytes()))
}

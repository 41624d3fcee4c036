//! PGN files of openings: one line per game, with its name in the tags.

use emit::{Name, Plan, Ply, Problem, Replay, Sink};
use epd::Severity;
use pgn::{Chunk, Outcome, Place, TagPair, known_value};
use san::{Color, Move, Position, PositionKey};

use crate::error::{LoadError, LoadReason};
use crate::known_lines::{KnownLines, Node, START};
use crate::table::{EnPassant, Openings};

pub(super) fn read(file: &[u8], openings: &mut Openings) -> Result<(), LoadError> {
    let chunk = Chunk::whole(file);
    let plan = Plan::default();
    let mut replay = Replay::new(chunk, &plan);
    let mut line =
        LastPosition { known: std::mem::take(openings.known_lines()), ..LastPosition::default() };
    let read = read_games(&mut replay, chunk, &mut line, openings);
    *openings.known_lines() = line.known;
    read
}

fn read_games(
    replay: &mut Replay<'_>,
    chunk: Chunk<'_>,
    line: &mut LastPosition,
    openings: &mut Openings,
) -> Result<(), LoadError> {
    while replay.next_game(line) {
        line.refused()?;
        if line.name == Name::default() {
            let Place { line, column, .. } = chunk.place(replay.game_start());
            return Err(LoadError { line, column, reason: LoadReason::NoName });
        }
        let position = line.position.take().expect("a game has a position at least");
        let ply = plies_before(&position);
        openings.insert(
            &position,
            Some(ply),
            EnPassant::WhereLegal,
            std::mem::take(&mut line.name),
        );
    }
    line.refused()
}

/// Returns the number of plies before this position, according to its move number.
pub(super) fn plies_before(position: &Position) -> u32 {
    let moves = position.fullmoves().saturating_sub(1);
    moves.saturating_mul(2).saturating_add(u32::from(position.turn() == Color::Black))
}

/// A sink that keeps the name of a game and its final position.
#[derive(Debug, Default)]
struct LastPosition {
    name: Name,
    position: Option<Position>,
    known: KnownLines,
    /// The node of the game in them, unless it starts from another position, and the move played from there.
    node: Option<Node>,
    played: Option<Move>,
    problem: Option<Problem>,
}

impl LastPosition {
    /// Returns the first problem that loses positions.
    fn refused(&mut self) -> Result<(), LoadError> {
        self.problem.take().map_or(Ok(()), |problem| Err(problem.into()))
    }
}

impl Sink for LastPosition {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        let tag = |name: &[u8]| known_value(tags, name);
        let mut opening = tag(b"Opening").unwrap_or_default().into_owned();
        for (name, separator) in [(&b"Variation"[..], ": "), (b"SubVariation", ", ")] {
            if let Some(part) = tag(name) {
                opening += if opening.is_empty() { "" } else { separator };
                opening += &part;
            }
        }
        self.name = Name::new(tag(b"ECO").as_deref(), tag(b"NIC").as_deref(), &opening);
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.node = match (self.node, self.played) {
            (Some(node), Some(played)) if ply.number > 0 => {
                Some(self.known.go_on(node, played, || PositionKey::of(ply.position)))
            }
            _ => (*ply.position == Position::default()).then_some(START),
        };
        self.played = ply.next;
        if ply.next.is_none() {
            self.position = Some(ply.position.clone());
        }
    }

    fn end(&mut self, _outcome: Option<Outcome>) {}

    fn undo(&mut self) {}

    fn problem(&mut self, problem: Problem) {
        if problem.severity() == Severity::Error {
            self.problem.get_or_insert(problem);
        }
    }
}

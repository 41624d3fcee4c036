//! A PGN file of openings: one line a game, its name in the tags.

use emit::{Name, Plan, Ply, Problem, Replay, Severity, Sink};
use pgn::{Chunk, Outcome, Place, TagPair};
use san::{Color, Move, Position};

use crate::key::Key;
use crate::known_lines::{KnownLines, Node, START};
use crate::{EnPassant, LoadError, LoadReason, Openings};

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

/// How many plies a game to this position has, if its move number is right.
pub(super) fn plies_before(position: &Position) -> u32 {
    let moves = position.fullmoves().saturating_sub(1);
    moves.saturating_mul(2).saturating_add(u32::from(position.turn() == Color::Black))
}

/// Keeps the name of a game and the position that it ends with.
#[derive(Debug, Default)]
struct LastPosition {
    name: Name,
    position: Option<Position>,
    known: KnownLines,
    /// Where the game stands in them, unless it begins elsewhere, and the move played from there.
    node: Option<Node>,
    played: Option<Move>,
    problem: Option<Problem>,
}

impl LastPosition {
    /// The first problem through which positions are lost.
    fn refused(&mut self) -> Result<(), LoadError> {
        self.problem.take().map_or(Ok(()), |problem| Err(problem.into()))
    }
}

impl Sink for LastPosition {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        let tag = |name: &[u8]| {
            let tag = tags.iter().find(|tag| tag.name() == name)?;
            Some(emit::text_of(&tag.value())).filter(|value| !matches!(&**value, "" | "?" | "-"))
        };
        let mut opening = tag(b"Opening").unwrap_or_default();
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
                Some(self.known.go_on(node, played, || Key::of(ply.position)))
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

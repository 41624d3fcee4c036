//! What an engine says of positions, for the comments and variations of games.

use std::collections::HashMap;

use epd::{Centipawns, Mate};
use san::{AnyPosition, Color, RepetitionKey};

use crate::games::game_form::GameForm;
use crate::problem::MoveNumber;
use crate::sink::{Movetext, Sink};

/// What an engine says of positions. Games in the normal form get it as commands in comments, such
/// as `{[%eval 0.25,12]}` for a pawn's quarter for White at a depth of 12 plies.
#[derive(Clone, Debug, Default)]
pub struct Evaluations {
    /// The evaluations of positions; those of one that occurs again are the same.
    positions: HashMap<RepetitionKey, Evaluated>,
    /// A move that is at least this many centipawns worse gets the expected moves as a variation.
    worse_by: Option<u32>,
}

/// What an engine says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The evaluation for the side to move.
    pub centipawns: Centipawns,
    /// The depth of the search in plies.
    pub depth: Option<u64>,
    /// The expected moves, separated by blanks.
    pub line: String,
}

impl Evaluations {
    /// Makes an empty set. With `worse_by`, a move that is at least this many centipawns worse gets
    /// the expected moves as a variation.
    pub fn new(worse_by: Option<u32>) -> Self {
        Evaluations { worse_by, ..Evaluations::default() }
    }

    /// Adds a position; if it is there already, nothing changes.
    pub fn add<P: AnyPosition>(&mut self, position: &P, evaluated: Evaluated) {
        self.positions.entry(position.repetition_key()).or_insert(evaluated);
    }

    /// Returns what is known of a move that was played.
    pub(crate) fn of_move<P: AnyPosition>(
        &self,
        position: &P,
        next: P::Move,
        form: GameForm,
    ) -> KnownMove {
        let mut after = position.clone();
        after.play_unchecked(next);
        let evaluated = self.positions.get(&after.repetition_key());
        let comment = evaluated.map(|evaluated| evaluated.command(after.turn()));
        let before = self.positions.get(&position.repetition_key());
        let line = before.filter(|before| {
            let is_worse = before.loss(evaluated).zip(self.worse_by);
            is_worse.is_some_and(|(loss, least)| loss >= i64::from(least))
                && before.first_move(position).is_some_and(|best| best != next)
        });
        KnownMove { comment, line: line.map(|before| before.words(position.clone(), form)) }
    }
}

impl Evaluated {
    /// Returns the evaluation as a command, given the side to move.
    fn command(&self, turn: Color) -> String {
        let for_white = match turn {
            Color::White => self.centipawns,
            Color::Black => self.centipawns.of_other_side(),
        };
        let sign = if for_white.get() < 0 { "-" } else { "" };
        let value = match self.centipawns.mate() {
            Some(Mate::Gives { plies } | Mate::Gets { plies }) => {
                format!("#{sign}{}", plies.div_ceil(2))
            }
            None => {
                let size = for_white.get().abs();
                format!("{sign}{}.{:02}", size / 100, size % 100)
            }
        };
        let depth = self.depth.map_or_else(String::new, |depth| format!(",{depth}"));
        format!("[%eval {value}{depth}]")
    }

    /// Returns by how many centipawns a move is worse, given what is known of the position after
    /// it.
    fn loss(&self, after: Option<&Evaluated>) -> Option<i64> {
        Some(i64::from(self.centipawns.get()) + i64::from(after?.centipawns.get()))
    }

    fn first_move<P: AnyPosition>(&self, position: &P) -> Option<P::Move> {
        position.resolve(self.line.split(' ').next()?.as_bytes()).ok()
    }

    /// Returns the numbered moves of the line.
    fn words<P: AnyPosition>(&self, mut position: P, form: GameForm) -> Vec<(MoveNumber, String)> {
        let moves = self.line.split(' ').map_while(|word| {
            let next = position.resolve(word.as_bytes()).ok()?;
            let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
            let text = form.text_of(&position, next);
            position.play_unchecked(next);
            Some((number, text))
        });
        moves.collect()
    }
}

/// What is known of a move that was played, which follows its NAGs.
#[derive(Debug, Default)]
pub(crate) struct KnownMove {
    comment: Option<String>,
    /// The moves that were expected instead.
    line: Option<Vec<(MoveNumber, String)>>,
}

impl KnownMove {
    /// Passes it on as parts of the movetext.
    pub(crate) fn tell(self, sink: &mut (impl Sink + ?Sized)) {
        if let Some(comment) = self.comment {
            sink.movetext(Movetext::Comment(comment.as_bytes()));
        }
        if let Some(line) = self.line {
            sink.movetext(Movetext::Open);
            for (number, text) in line {
                sink.movetext(Movetext::Move(number, &text));
            }
            sink.movetext(Movetext::Close);
        }
    }
}

//! A game is played here, and nowhere else: tokens become moves, moves become plies, plies go to a sink.

use pgn::{Chunk, Fault, FaultKind, Place, Scanner, TagPair, Token, Worked};
use san::{Move, Position};

use crate::problem::{self, MoveNumber, Problem, Reason, Severity};
use crate::{OnError, Plan, Ply, Select, Sink, start};

/// Plays the games of a chunk.
#[derive(Debug)]
pub struct Replay<'c> {
    chunk: Chunk<'c>,
    plan: Plan,
    scanner: Scanner<'c>,
    counts: Counts,
    problems: Vec<(usize, Problem)>,
    places: Places<'c>,
}

/// What was met in a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games, with those that have an error.
    pub games: u64,
    /// Games that have an error.
    pub bad_games: u64,
    /// Whether an error ended the run: [`OnError::Stop`].
    pub stopped: bool,
}

/// How a game went.
enum Played {
    Whole,
    WithError,
    /// It goes on behind the chunk: it was undone and is not counted.
    Cut,
}

impl<'c> Replay<'c> {
    /// To play the games of `chunk` as `plan` says.
    pub fn new(chunk: Chunk<'c>, plan: &Plan) -> Self {
        Replay {
            chunk,
            plan: *plan,
            scanner: chunk.scanner(),
            counts: Counts::default(),
            problems: Vec::new(),
            places: Places { chunk, at: 0, place: chunk.place(0) },
        }
    }

    /// Plays all games that are whole.
    pub fn run(mut self, sink: &mut impl Sink) -> (Counts, Worked) {
        while self.next_game(sink) {}
        (self.counts, Worked::of(&self.scanner))
    }

    /// Plays the next game; `false` if there is none that is whole, or an error ends the run.
    pub fn next_game(&mut self, sink: &mut impl Sink) -> bool {
        if self.counts.stopped || !self.scanner.next_game() {
            // Text behind the last game.
            if !self.counts.stopped && !self.scanner.is_cut() {
                self.take_faults();
                self.report(sink);
            }
            return false;
        }
        sink.begin(self.scanner.tags());
        self.counts.games += 1;
        match self.play(sink) {
            Played::Cut => {
                sink.undo();
                self.counts.games -= 1;
                return false;
            }
            Played::Whole => sink.end(),
            Played::WithError => {
                self.counts.bad_games += 1;
                self.counts.stopped = self.plan.on_error == OnError::Stop;
                if self.plan.on_error == OnError::Skip { sink.undo() } else { sink.end() }
            }
        }
        self.report(sink);
        true
    }

    /// Says of the game that the chunk begins with that it is larger than the limit.
    pub fn too_large(mut self, sink: &mut impl Sink) -> Counts {
        self.scanner.next_game();
        (self.counts.games, self.counts.bad_games) = (1, 1);
        self.take_faults();
        self.problems.retain(|(_, problem)| problem.game == 0);
        self.counts.stopped = self.plan.on_error == OnError::Stop;
        self.say_too_large();
        self.report(sink);
        self.counts
    }

    fn say_too_large(&mut self) {
        let start = self.scanner.game_start();
        let reason = Reason::TooLarge { limit: self.plan.max_game_bytes };
        self.problem(start, start, None, reason);
    }

    fn play(&mut self, sink: &mut impl Sink) -> Played {
        let mut position = match self.start() {
            Some(position) => position,
            None => return self.end_of_game(sink),
        };
        let select = self.plan.select;
        let wants_all = select == Select::default();
        let mut number = 0;
        loop {
            // Nearly every token is a move in plain SAN: it is read once, as a move, not first as a token.
            let next = match self.plain_move(&position) {
                Some(next) => next,
                None => match self.scanner.next_token() {
                    None => break,
                    Some(Token::Move(text)) if self.scanner.depth() == 0 => {
                        match san::resolve(&position, text) {
                            Ok(next) => next,
                            Err(error) => {
                                self.token_problem(&position, text, Reason::Move(error));
                                break;
                            }
                        }
                    }
                    Some(Token::Unknown(text)) if self.scanner.depth() == 0 => {
                        self.token_problem(&position, text, Reason::UnknownToken);
                        break;
                    }
                    Some(_) => continue,
                },
            };
            if wants_all || select.wants(number, false) {
                sink.ply(Ply { position: &position, next: Some(next), number });
            }
            position.play_unchecked(next);
            number += 1;
        }
        if select.wants(number, true) {
            sink.ply(Ply { position: &position, next: None, number });
        }
        self.end_of_game(sink)
    }

    /// The next move, if the next word is one in plain SAN; it is taken.
    #[inline(always)]
    fn plain_move(&mut self, position: &Position) -> Option<Move> {
        let guess = self.scanner.guess()?;
        let next = san::resolve_plain(position, guess.text)?;
        self.scanner.accept(guess);
        Some(next)
    }

    /// The start position; without one there is a problem, and nothing to play.
    fn start(&mut self) -> Option<Position> {
        let mut warnings = Vec::new();
        let outcome = start::position(self.scanner.tags(), |index, reason| {
            warnings.push((index, reason));
        });
        for (index, reason) in warnings {
            self.tag_problem(index, reason);
        }
        match outcome {
            Ok(position) => Some(position.unwrap_or_default()),
            Err((index, reason)) => {
                self.tag_problem(index, reason);
                None
            }
        }
    }

    /// Passes over what is left of the game and says how it went.
    fn end_of_game(&mut self, sink: &mut impl Sink) -> Played {
        while self.scanner.next_token().is_some() {}
        if self.scanner.is_cut() {
            self.problems.clear();
            return Played::Cut;
        }
        let start = self.scanner.game_start();
        if self.scanner.position() - start > self.plan.max_game_bytes {
            sink.undo();
            self.take_faults();
            self.problems.retain(|(_, problem)| problem.game == 0);
            self.say_too_large();
            return Played::WithError;
        }
        self.take_faults();
        let is_error = |(_, problem): &(usize, Problem)| problem.severity() == Severity::Error;
        if self.problems.iter().any(is_error) { Played::WithError } else { Played::Whole }
    }

    fn take_faults(&mut self) {
        let faults: Vec<Fault> = self.scanner.faults().collect();
        for Fault { kind, span } in faults {
            self.problem(span.start, span.end, None, Reason::Text(kind));
        }
    }

    #[cold]
    fn token_problem(&mut self, position: &Position, text: &[u8], reason: Reason) {
        let start = self.scanner.token_span().start;
        let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
        self.problem(start, start + text.len(), Some(number), reason);
    }

    #[cold]
    fn tag_problem(&mut self, index: usize, reason: Reason) {
        let value = self.scanner.tags()[index].raw_value();
        let start = self.at(value);
        self.problem(start, start + value.len(), None, reason);
    }

    #[cold]
    fn problem(
        &mut self,
        start: usize,
        end: usize,
        move_number: Option<MoveNumber>,
        reason: Reason,
    ) {
        let outside = matches!(reason, Reason::Text(FaultKind::TextOutsideGames));
        let tags = match reason {
            _ if outside => &[],
            Reason::TooLarge { limit } => self.tags_before(start + limit),
            _ => self.scanner.tags(),
        };
        let (white, black) = problem::players(tags);
        let token = problem::shown_token(&self.chunk.bytes()[start..end]);
        let problem = Problem {
            place: Place::default(),
            game: if outside { 0 } else { self.counts.games },
            white,
            black,
            move_number,
            token,
            reason,
        };
        self.problems.push((start, problem));
    }

    /// The tags up to a byte: of a game that is too large no more may be known.
    fn tags_before(&self, end: usize) -> &[TagPair<'c>] {
        let tags = self.scanner.tags();
        let known =
            tags.partition_point(|tag| self.at(tag.raw_value()) + tag.raw_value().len() < end);
        &tags[..known]
    }

    /// Where a part of the chunk stands in it.
    fn at(&self, part: &[u8]) -> usize {
        part.as_ptr().addr() - self.chunk.bytes().as_ptr().addr()
    }

    /// Hands the problems of a game to the sink, in the order of the text.
    fn report(&mut self, sink: &mut impl Sink) {
        self.problems.sort_by_key(|(start, _)| *start);
        for (start, mut problem) in self.problems.drain(..) {
            problem.place = self.places.at(start);
            sink.problem(problem);
        }
    }
}

/// Places in a chunk, asked for from its beginning to its end, so that lines are counted once.
#[derive(Debug)]
struct Places<'c> {
    chunk: Chunk<'c>,
    at: usize,
    place: Place,
}

impl Places<'_> {
    fn at(&mut self, at: usize) -> Place {
        self.place = match self.chunk.bytes().get(self.at..at) {
            Some(bytes) => self.place.after(bytes),
            None => self.chunk.place(at),
        };
        self.at = at;
        self.place
    }
}

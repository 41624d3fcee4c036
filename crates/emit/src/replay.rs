//! A game is played here, and nowhere else: tokens become moves, moves become plies, plies go to a sink.

mod language;
mod notes;
mod problems;
mod variant;
mod variation;

use pgn::{Chunk, Fault, Outcome, Scanner, Token, Worked};
use san::{Language, Move, Position, SanError, VariantPosition};

use self::problems::Places;
use self::variation::Line;
use crate::problem::{Problem, Reason, Severity};
use crate::{Branch, OnError, Plan, Ply, Select, Sink, Verdict, comment, start};

/// Plays the games of a chunk.
#[derive(Debug)]
pub struct Replay<'c> {
    chunk: Chunk<'c>,
    plan: &'c Plan,
    scanner: Scanner<'c>,
    counts: Counts,
    problems: Vec<(usize, Problem)>,
    problems_in_variations: u32,
    places: Places<'c>,
    /// The comments that belong to no record yet.
    comments: Vec<&'c [u8]>,
    /// Whether there may be any.
    wants_comments: bool,
    /// Whether those count too that only machines read.
    wants_machines: bool,
    /// The lines that the one being played is a variation of, the main line first.
    outer: Vec<Line>,
    /// Where those were left.
    branches: Vec<Branch>,
    /// How the game ended, as its movetext says.
    outcome: Option<Outcome>,
    /// In which its moves are written.
    language: Language,
    /// What the filter says of the game.
    wanted: Wanted,
}

/// What was met in a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games, with those that have an error.
    pub games: u64,
    /// Games that have an error.
    pub bad_games: u64,
    /// Games that the filter left out as a whole.
    pub left_out: u64,
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

/// Where a game starts.
enum Start {
    Chess(Position),
    Variant(Box<VariantPosition>),
    /// It cannot be played.
    Nowhere,
}

/// What came of looking for a game.
enum Next {
    Game,
    /// There was one, which the filter does not want.
    LeftOut,
    None,
}

/// What the filter says of a game, and the game's length where that matters.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    verdict: Verdict,
    plies: Option<u32>,
}

/// What comes of a token.
enum Step {
    Move(Move),
    /// A null move, where they are asked for.
    Pass,
    Nothing,
    End,
}

impl<'c> Replay<'c> {
    /// To play the games of `chunk` as `plan` says.
    pub fn new(chunk: Chunk<'c>, plan: &'c Plan) -> Self {
        Replay {
            chunk,
            plan,
            scanner: chunk.scanner(),
            counts: Counts::default(),
            problems: Vec::new(),
            problems_in_variations: 0,
            places: Places::new(chunk),
            comments: Vec::new(),
            wants_comments: plan.wants_comments(),
            wants_machines: plan.wants_machines(),
            outer: Vec::new(),
            branches: Vec::new(),
            outcome: None,
            language: Language::English,
            wanted: Wanted { verdict: Verdict::Yes, plies: None },
        }
    }

    /// Plays all games that are whole.
    pub fn run(mut self, sink: &mut impl Sink) -> (Counts, Worked) {
        while self.next_game(sink) {}
        self.finish()
    }

    /// Plays the next game that the filter wants; `false` if there is none that is whole, or an error ends the run.
    pub fn next_game(&mut self, sink: &mut impl Sink) -> bool {
        loop {
            match self.next(sink) {
                Next::Game => return true,
                Next::LeftOut => {}
                Next::None => return false,
            }
        }
    }

    fn next(&mut self, sink: &mut impl Sink) -> Next {
        if self.counts.stopped || !self.scanner.next_game() {
            // Text behind the last game.
            if !self.counts.stopped && !self.scanner.is_cut() {
                self.take_faults();
                self.report(sink);
            }
            return Next::None;
        }
        self.counts.games += 1;
        self.wanted = self.verdict();
        if self.wanted.verdict == Verdict::No {
            return self.leave_out(sink);
        }
        if !self.plan.templates.is_empty() {
            let place = self.places.at(self.scanner.game_start());
            sink.number(self.counts.games, place);
        }
        sink.begin(self.scanner.tags());
        match self.play(sink) {
            Played::Cut => {
                sink.undo();
                self.counts.games -= 1;
                return Next::None;
            }
            Played::Whole => sink.end(self.outcome),
            Played::WithError => {
                self.counts.bad_games += 1;
                self.counts.stopped = self.plan.on_error == OnError::Stop;
                if self.plan.on_error == OnError::Skip {
                    sink.undo()
                } else {
                    sink.end(self.outcome)
                }
            }
        }
        self.report(sink);
        Next::Game
    }

    /// What the filter says of the game whose tags were read.
    fn verdict(&self) -> Wanted {
        let Some(filter) = &self.plan.filter else {
            return Wanted { verdict: Verdict::Yes, plies: None };
        };
        let tags = self.scanner.tags();
        match filter.game(tags) {
            Verdict::Depends if filter.needs_plies() => {
                let plies = plies_ahead(&self.scanner);
                Wanted { verdict: filter.game_of_length(tags, plies), plies: Some(plies) }
            }
            verdict => Wanted { verdict, plies: None },
        }
    }

    /// Passes over a game that is not wanted. What is wrong with it is not said, unless it is too large to be read.
    fn leave_out(&mut self, sink: &mut impl Sink) -> Next {
        self.scanner.pass_over_game();
        if self.scanner.is_cut() {
            self.counts.games -= 1;
            return Next::None;
        }
        sink.leave_out();
        self.take_faults();
        self.problems.retain(|(_, problem)| problem.game == 0);
        if self.is_too_large() {
            self.say_too_large();
            self.counts.bad_games += 1;
            self.counts.stopped = self.plan.on_error == OnError::Stop;
        } else {
            self.counts.left_out += 1;
        }
        self.report(sink);
        Next::LeftOut
    }

    fn is_too_large(&self) -> bool {
        self.scanner.position() - self.scanner.game_start() > self.plan.max_game_bytes
    }

    /// Where in the chunk the game begins that was played last.
    pub fn game_start(&self) -> usize {
        self.scanner.game_start()
    }

    /// What was met, and how far it came; to be asked once [`Replay::next_game`] has returned `false`.
    pub fn finish(self) -> (Counts, Worked) {
        (self.counts, Worked::of(&self.scanner))
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
        self.problems_in_variations = 0;
        self.outcome = None;
        let position = match self.start(sink.takes_variants()) {
            Start::Chess(position) => position,
            Start::Variant(position) => return self.play_variant(*position, sink),
            Start::Nowhere => return self.end_of_game(sink),
        };
        let is_plain = self.find_language(&position);
        let select = self.plan.select;
        let wants_all = select == Select::default() && self.wanted.verdict == Verdict::Yes;
        let variations = self.plan.variations;
        let last_played = self.plan.last_played;
        let mut line = Line::main(position);
        loop {
            // Nearly every token is a move in plain SAN: it is read once, as a move, not first as a token.
            let next = match self.plain_move(&line.position, is_plain) {
                Some(next) => next,
                None => match self.step(&mut line, sink) {
                    Step::Move(next) => next,
                    Step::Pass => {
                        self.pass(&mut line, sink);
                        continue;
                    }
                    Step::Nothing => continue,
                    Step::End => break,
                },
            };
            if wants_all && line.is_main && self.comments.is_empty() {
                sink.ply(Ply::new(&line.position, Some(next), line.number));
            } else if line.is_shown {
                self.show(&line, Some(next), false, sink);
            } else {
                self.enter_variation(&mut line, next);
            }
            if variations {
                line.before_last = Some(line.position.clone());
            }
            line.position.play_unchecked(next);
            line.number += 1;
            if line.number > last_played {
                break;
            }
        }
        // Variations that nothing closes end with the game.
        while let Some(outer) = self.outer.pop() {
            self.end_variation(&line, sink);
            line = outer;
        }
        self.show(&line, None, true, sink);
        self.end_of_game(sink)
    }

    /// The next move, if the next word is one in plain SAN; it is taken.
    #[inline(always)]
    fn plain_move(&mut self, position: &Position, is_plain: bool) -> Option<Move> {
        let guess = if is_plain { self.scanner.guess()? } else { return None };
        let next = san::resolve_plain(position, guess.text)?;
        self.scanner.accept(guess);
        Some(next)
    }

    /// Shows a position of a variation, or one that has comments, or the last one of a line.
    #[inline(never)]
    fn show(&mut self, line: &Line, next: Option<Move>, ends_line: bool, sink: &mut impl Sink) {
        let ply = Ply {
            position: &line.position,
            next,
            number: line.number,
            comments: &self.comments[line.comments_from..],
            branches: &self.branches,
            ahead: None,
        };
        if self.plan.select.wants(line.number, ends_line && line.is_main) && self.wants(&ply) {
            sink.ply(ply)
        } else {
            sink.pass(ply)
        }
        self.comments.truncate(line.comments_from);
    }

    /// Whether a comment matters for what is written.
    fn wants_comment(&self, text: &[u8]) -> bool {
        self.wants_comments && (self.wants_machines || !comment::is_silent(text))
    }

    /// Whether the filter wants this position of a game that it did not leave out.
    #[inline(always)]
    fn wants(&self, ply: &Ply<'_>) -> bool {
        match (self.wanted.verdict, &self.plan.filter) {
            (Verdict::Depends, Some(filter)) => {
                filter.position(self.scanner.tags(), self.wanted.plies, ply)
            }
            _ => true,
        }
    }

    /// Takes the next token, whatever it is.
    fn step(&mut self, line: &mut Line, sink: &mut impl Sink) -> Step {
        let Some(token) = self.scanner.next_token() else { return Step::End };
        let depth = self.scanner.depth() as usize;
        match token {
            Token::Open if self.plan.variations => self.open_variation(line, depth),
            Token::Close if depth + 1 == self.outer.len() => self.close_variation(line, sink),
            // In a variation that is not played.
            _ if depth != self.outer.len() => {}
            Token::Move(text) => match self.resolve(&line.position, text) {
                Ok(next) => {
                    if self.plan.notes {
                        self.note_move(&line.position, text, next);
                    }
                    return Step::Move(next);
                }
                // What a variation begins with gives it its name: that is a move.
                Err(SanError::NullMove)
                    if self.plan.null_moves && line.is_shown && !line.position.is_check() =>
                {
                    return Step::Pass;
                }
                Err(error) => return self.fail(line, sink, text, Reason::Move(error)),
            },
            Token::Unknown(text) => return self.fail(line, sink, text, Reason::UnknownToken),
            Token::Comment(text) | Token::LineComment(text) if self.wants_comment(text) => {
                self.comments.push(text);
            }
            Token::Result(outcome) if depth == 0 => self.outcome = Some(outcome),
            _ if self.plan.notes => self.note_token(&line.position, token),
            _ => {}
        }
        Step::Nothing
    }

    #[inline(always)]
    fn resolve(&self, position: &Position, text: &[u8]) -> Result<Move, SanError> {
        match self.language {
            Language::English => san::resolve(position, text),
            language => san::resolve_in(position, text, language),
        }
    }

    /// A null move: the record of the position has no move, and the other side goes on.
    #[cold]
    fn pass(&mut self, line: &mut Line, sink: &mut impl Sink) {
        self.show(line, None, false, sink);
        if self.plan.variations {
            line.before_last = Some(line.position.clone());
        }
        line.position.pass();
        line.number += 1;
    }

    /// Something that cannot be played ends the line that it stands in, and no other.
    #[cold]
    fn fail(&mut self, line: &mut Line, sink: &mut impl Sink, text: &[u8], why: Reason) -> Step {
        self.token_problem(&line.position, text, why);
        if self.outer.is_empty() {
            return Step::End;
        }
        self.close_variation(line, sink);
        Step::Nothing
    }

    /// The start position; without one there is a problem, and nothing to play.
    fn start(&mut self, takes_variants: bool) -> Start {
        let mut warnings = Vec::new();
        let outcome = start::position(self.scanner.tags(), |index, reason| {
            warnings.push((index, reason));
        });
        for (index, reason) in warnings {
            self.tag_problem(index, reason);
        }
        match outcome {
            Ok(position) => Start::Chess(position.unwrap_or_default()),
            Err((_, Reason::Variant)) if takes_variants => self.start_of_variant(),
            Err((index, reason)) => {
                self.tag_problem(index, reason);
                Start::Nowhere
            }
        }
    }

    /// Passes over what is left of the game and says how it went.
    fn end_of_game(&mut self, sink: &mut impl Sink) -> Played {
        let outcome = self.scanner.pass_over_game();
        self.outcome = self.outcome.or(outcome);
        if self.scanner.is_cut() {
            self.problems.clear();
            return Played::Cut;
        }
        if self.is_too_large() {
            sink.undo();
            self.take_faults();
            self.problems.retain(|(_, problem)| problem.game == 0);
            self.say_too_large();
            return Played::WithError;
        }
        if self.plan.notes {
            self.note_tags();
            self.note_end();
        }
        self.take_faults();
        let is_error = |(_, problem): &(usize, Problem)| {
            problem.severity() == Severity::Error && !problem.in_variation
        };
        if self.problems.iter().any(is_error) { Played::WithError } else { Played::Whole }
    }

    fn take_faults(&mut self) {
        let faults: Vec<Fault> = self.scanner.faults().collect();
        for Fault { kind, span } in faults {
            self.problem(span.start, span.end, None, Reason::Text(kind));
        }
    }
}

/// How many plies the main line has, as it is written.
fn plies_ahead(scanner: &Scanner<'_>) -> u32 {
    let mut scanner = scanner.clone();
    let mut plies = 0;
    while let Some(token) = scanner.next_token() {
        plies += u32::from(matches!(token, Token::Move(_)) && scanner.depth() == 0);
    }
    plies
}

//! A game is played here, and nowhere else: tokens become moves, moves become plies, plies go to a sink.

mod language;
mod movetext;
mod notes;
mod problems;
mod start;
mod variant;
mod variation;
mod wanted;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use pgn::{Chunk, Fault, Outcome, Scanner, Worked};
use san::Language;

use self::problems::Places;
use self::variation::Line;
use self::wanted::Wanted;
use crate::problem::{Problem, Reason, Severity};
use crate::{Branch, OnError, Plan, Sink, Verdict};

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

/// What came of looking for a game.
enum Next {
    Game,
    /// There was one, which the filter does not want.
    LeftOut,
    None,
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
            wanted: Wanted::ALL,
        }
    }

    /// Plays all games that are whole.
    pub fn run(self, sink: &mut impl Sink) -> (Counts, Worked) {
        #[cfg(target_arch = "x86_64")]
        return x86_64::run(self, sink);
        #[cfg(not(target_arch = "x86_64"))]
        self.run_as_compiled(sink)
    }

    #[inline(always)]
    fn run_as_compiled(mut self, sink: &mut impl Sink) -> (Counts, Worked) {
        while self.next_game(sink) {}
        self.finish()
    }

    /// Plays the next game that the filter wants; `false` if there is none that is whole, or an error ends the run.
    #[inline(always)]
    pub fn next_game(&mut self, sink: &mut impl Sink) -> bool {
        loop {
            match self.next(sink) {
                Next::Game => return true,
                Next::LeftOut => {}
                Next::None => return false,
            }
        }
    }

    #[inline(always)]
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
        if self.plan.places || !self.plan.templates.is_empty() {
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
            // Text before the game may be in the chunk before, and is no part of it.
            problem.severity() == Severity::Error && !problem.in_variation && problem.game > 0
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

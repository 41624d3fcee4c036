//! Replays games; no other module plays them. Tokens become moves, moves plies, which go to a sink.

mod movetext;
mod number;
mod problems;
mod start;
mod variation;
#[cfg(all(target_arch = "x86_64", any(test, not(debug_assertions))))]
mod x86_64;

use epd::Severity;
use pgn::{Chunk, ChunkEnd, Doubt, Outcome, PgnDiagnostic, Place, Scanner};
use san::{Language, Move, Position};

use crate::facts::Fact;
use crate::game::{Ending, GameContext, GameEnd, ending_on_board};
use crate::games::game_form::KnownMove;
use crate::look_ahead::LookAhead;
use crate::ply::{Branch, Ply, VariantPly};
use crate::problem::{GameIdentity, Problem, Reason};
use crate::records::plan::{OnError, Plan};
use crate::selection::Omitted;
use crate::selection::filter::ConditionValues;
use crate::selection::filter::condition::Condition;
use crate::selection::{Omission, Select};
use crate::sink::Sink;
use crate::start::hidden_tag;

/// Plays the games of a chunk.
#[derive(Debug)]
pub struct Replay<'c> {
    chunk: Chunk<'c>,
    plan: &'c Plan,
    scanner: Scanner<'c>,
    counts: Counts,
    before: Counts,
    problems: Vec<(usize, Problem)>,
    problems_in_variations: u32,
    places: Places<'c>,
    comments: Vec<&'c [u8]>,
    nags: Vec<u8>,
    wants_nags: bool,
    wants_comments: bool,
    wants_machines: bool,
    outer: Vec<PlayedLine>,
    branches: Vec<Branch>,
    outcome: Option<Outcome>,
    language: Language,
    condition: Option<Box<Condition<'c>>>,
    /// Whether games are [collected](LookAhead) first.
    collects: bool,
    /// Whether positions are decided here: not if the game is collected, as what follows is needed.
    decides_positions: bool,
    select: Select,
    verdict: Option<bool>,
    wants_places: bool,
    /// Whether the result is needed before the end, and the game is not collected.
    wants_outcome: bool,
    wants_end: bool,
    /// In a box: sinks get a reference, for which the replay itself must not be in memory.
    game: Box<GameContext<'c>>,
    is_numeric: bool,
    has_pawn_letter: bool,
    /// Text that may have been moves, until a move number confirms what was read since.
    doubt: Option<Doubt<'c>>,
    /// Whether that text names the next moves, so that they are lost if no number follows.
    loses_moves: bool,
    checks_numbers: bool,
    /// The difference between the move numbers and the count, once a number differs.
    number_offset: Option<i64>,
    variations_left: u32,
    known_move: KnownMove,
    identity: Option<GameIdentity>,
}

/// Statistics of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of games, including those with an error, and of records.
    pub games: u64,
    /// Number of records of files of positions.
    pub records: u64,
    /// Number of texts in records that are no operations, and were kept as comments.
    pub unread_texts: u64,
    /// Number of records whose texts have no room in comments.
    pub lost_texts: u64,
    /// Number of games with an error.
    pub bad_games: u64,
    /// Number of games that end at a move which is none in English, but legal in another language.
    pub foreign_games: u64,
    /// Number of games rejected as a whole by the filter.
    pub left_out: u64,
    /// Numbers of games that were omitted because of the way they ended.
    pub omitted: Omitted,
    /// The tags of the filter that any game had, as bits; the first tag is the lowest bit.
    pub condition_tags: u64,
    /// Which variables of the filter had a value in a position.
    pub condition_values: ConditionValues,
    /// Number of games and records of variants, if conditions of the filter never hold in them.
    pub undecided_variants: u64,
    /// The [names](Plan::named) of tags and operations that any game or record had, as bits.
    pub named: u64,
    /// Whether an error ended the run: [`OnError::Stop`].
    pub stopped: bool,
    /// Number of annotations of moves that were played.
    pub annotations: u64,
    /// Number of variations that were not played, without those nested in them.
    pub variations: u64,
}

impl AsRef<Counts> for Counts {
    fn as_ref(&self) -> &Counts {
        self
    }
}

enum PlayedGame {
    Whole,
    WithError,
    Cut,
}

enum Step {
    Move(Move, Option<u8>),
    Pass,
    Nothing,
    End,
}

enum NextGame {
    Game,
    LeftOut,
    None,
}

impl<'c> Replay<'c> {
    /// Makes a replay of the games of `chunk` according to `plan`.
    pub fn new(chunk: Chunk<'c>, plan: &'c Plan) -> Self {
        let condition = Condition::of(plan).map(Box::new);
        let facts = plan.facts_of_sink();
        let has_any = |wanted: &[Fact]| wanted.iter().any(|fact| facts.has(*fact));
        let wants_places = has_any(&[Fact::Line, Fact::Offset])
            || condition.as_ref().is_some_and(|of| of.facts.has(Fact::Line))
            || !plan.templates.is_empty();
        let collects = plan.looks_ahead()
            && (plan.counts_plies_ahead() || pgn::may_have_comments(chunk.bytes()));
        let decides_positions =
            condition.as_ref().is_some_and(|of| !(collects && of.facts.needs_comments()));
        Replay {
            chunk,
            plan,
            scanner: Scanner::of_chunk(chunk),
            counts: Counts::default(),
            before: Counts::default(),
            problems: Vec::new(),
            problems_in_variations: 0,
            places: Places::new(chunk),
            comments: Vec::new(),
            nags: Vec::new(),
            wants_nags: plan.wants_nags(),
            wants_comments: plan.wants_comments(),
            wants_machines: plan.wants_machines(),
            outer: Vec::new(),
            branches: Vec::new(),
            outcome: None,
            language: Language::English,
            collects,
            decides_positions,
            condition,
            verdict: Some(true),
            wants_places,
            wants_outcome: plan.wants_outcome() && !collects,
            wants_end: has_any(&END),
            game: Box::new(GameContext {
                file: &plan.file,
                start: plan.start,
                ..GameContext::default()
            }),
            select: plan.select,
            is_numeric: false,
            has_pawn_letter: false,
            doubt: None,
            loses_moves: false,
            checks_numbers: false,
            number_offset: None,
            variations_left: 0,
            known_move: KnownMove::default(),
            identity: None,
        }
    }

    /// Plays all complete games, each collected first if the sink needs what follows positions and
    /// there are comments.
    pub fn run(self, sink: &mut dyn Sink) -> (Counts, ChunkEnd) {
        if !self.collects {
            return self.run_to(sink);
        }
        let mut ahead = LookAhead::new(sink, self.plan);
        let (counts, end) = self.run_to(&mut ahead);
        (Counts { condition_values: ahead.condition_values(), ..counts }, end)
    }

    /// Plays all complete games as [`Replay::run`] does, with a copy of the loop for this sink: for
    /// those that take less time than the calls. Builds for tests have no copies, of which each
    /// takes seconds to compile.
    pub fn run_inlined(self, sink: &mut impl Sink) -> (Counts, ChunkEnd) {
        #[cfg(not(debug_assertions))]
        if !self.collects {
            return self.run_for_processor(sink);
        }
        self.run(sink)
    }

    pub(crate) fn run_to(self, sink: &mut dyn Sink) -> (Counts, ChunkEnd) {
        self.run_for_processor(sink)
    }

    #[inline(always)]
    fn run_for_processor(self, sink: &mut (impl Sink + ?Sized)) -> (Counts, ChunkEnd) {
        #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
        return x86_64::run(self, sink);
        #[cfg(not(all(target_arch = "x86_64", not(debug_assertions))))]
        self.run_as_compiled(sink)
    }

    #[inline(always)]
    fn run_as_compiled(mut self, sink: &mut (impl Sink + ?Sized)) -> (Counts, ChunkEnd) {
        while self.play_next(sink) {}
        self.finish()
    }

    /// Returns `false` if no complete game is left or an error ends the run.
    #[inline(always)]
    fn play_next(&mut self, sink: &mut (impl Sink + ?Sized)) -> bool {
        loop {
            match self.next(sink) {
                NextGame::Game => return true,
                NextGame::LeftOut => {}
                NextGame::None => return false,
            }
        }
    }

    #[inline(always)]
    fn next(&mut self, sink: &mut (impl Sink + ?Sized)) -> NextGame {
        if self.counts.stopped || !self.scanner.next_game() {
            // Text after the last game.
            if !self.counts.stopped && !self.scanner.is_cut() {
                self.take_faults();
                self.assign_to_no_game();
                self.report(sink);
            }
            return NextGame::None;
        }
        self.scanner.limit_preamble(self.plan.max_game_bytes);
        self.before = self.counts;
        self.identity = None;
        self.counts.games += 1;
        if self.scanner.tags().is_empty() && self.is_prose() {
            return self.skip_prose(sink);
        }
        if !self.plan.named.is_empty() {
            self.counts.named |= self.plan.names_in(self.scanner.tags());
        }
        self.game.begin(self.scanner.tags(), self.counts.games);
        if self.wants_places {
            self.game.place = self.places.at(self.scanner.game_start());
        }
        self.verdict = self.verdict();
        if self.verdict == Some(false) {
            return self.game_filtered_out(None, sink);
        }
        if let Some(omission) = self.plan.omission_of_game(&self.game.tags) {
            return self.game_filtered_out(Some(omission), sink);
        }
        if self.plan.wants_text {
            let is_wanted = self.verdict == Some(true) && self.plan.selects_all_positions();
            sink.game_start(self.scanner.game_start(), is_wanted);
        }
        if self.wants_end && self.game.end.is_none() {
            self.game.end = Some(self.play_to_end());
        }
        if self.wants_outcome && self.game.result().is_none() {
            self.game.outcome = Some(self.scanner.clone().skip_game());
        }
        sink.begin(&self.game);
        match self.play(sink) {
            PlayedGame::Cut => {
                sink.discard_game();
                self.counts = self.before;
                return NextGame::None;
            }
            PlayedGame::Whole => self.keep_game(sink),
            PlayedGame::WithError => {
                self.counts.bad_games += 1;
                self.counts.stopped = self.plan.on_error == OnError::Stop;
                match self.plan.on_error {
                    OnError::Skip => sink.discard_game(),
                    OnError::Keep | OnError::Stop => self.keep_game(sink),
                }
            }
        }
        self.report(sink);
        NextGame::Game
    }

    #[inline]
    fn keep_game(&mut self, sink: &mut (impl Sink + ?Sized)) {
        if self.plan.wants_text {
            let text = &self.chunk.bytes()[self.scanner.game_start()..self.scanner.position()];
            self.game.text = text.trim_ascii();
        }
        self.game.outcome = Some(self.outcome);
        sink.end(&self.game);
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.scanner.position() - self.scanner.game_start() > self.plan.max_game_bytes
    }

    fn finish(self) -> (Counts, ChunkEnd) {
        let values = self.condition.map(|condition| condition.values()).unwrap_or_default();
        (Counts { condition_values: values, ..self.counts }, self.scanner.chunk_end())
    }

    /// Reports that the game at the start of the chunk exceeds the size limit.
    pub fn too_large(mut self, sink: &mut dyn Sink) -> Counts {
        self.scanner.next_game();
        self.scanner.limit_preamble(self.plan.max_game_bytes);
        (self.counts.games, self.counts.bad_games) = (1, 1);
        self.take_faults();
        self.problems.retain(|(_, problem)| problem.game == 0);
        self.counts.stopped = self.plan.on_error == OnError::Stop;
        self.say_too_large();
        if self.plan.wants_text {
            let is_kept = self.plan.keeps_all_games() && self.plan.on_error != OnError::Skip;
            sink.game_start(self.scanner.game_start(), is_kept);
        }
        self.report(sink);
        self.counts
    }

    /// Drops the problems of a game that is skipped; returns whether it is too large, which is one.
    fn skips_too_large(&mut self) -> bool {
        self.take_faults();
        self.problems.retain(|(_, problem)| problem.game == 0);
        let is_too_large = self.is_too_large();
        if is_too_large {
            self.say_too_large();
            self.counts.bad_games += 1;
            self.counts.stopped = self.plan.on_error == OnError::Stop;
        }
        is_too_large
    }

    fn say_too_large(&mut self) {
        let start = self.scanner.game_start();
        let reason = Reason::TooLarge { limit: self.plan.max_game_bytes };
        self.problem(start, start, None, reason);
    }

    fn end_of_game(&mut self, sink: &mut (impl Sink + ?Sized)) -> PlayedGame {
        if self.plan.games.is_normal() {
            std::mem::take(&mut self.known_move).tell(sink);
        }
        let outcome = self.scanner.skip_game();
        self.outcome = self.outcome.or(outcome);
        if self.scanner.is_cut() {
            self.problems.clear();
            return PlayedGame::Cut;
        }
        if self.is_too_large() {
            sink.discard_game();
            let Counts { annotations, variations, .. } = self.before;
            self.counts = Counts { annotations, variations, ..self.counts };
            self.take_faults();
            self.problems.retain(|(_, problem)| problem.game == 0);
            self.say_too_large();
            return PlayedGame::WithError;
        }
        if let Some(doubt) = self.doubt.take().filter(|_| self.loses_moves) {
            self.lose_moves(doubt);
        }
        if self.plan.notes {
            self.note_tags();
            self.note_end();
        } else if self.plan.games.is_normal() {
            self.note_losses();
        }
        self.take_faults();
        let is_error = |(_, problem): &(usize, Problem)| {
            // Text before the game may be in the previous chunk, and is not part of the game.
            problem.severity() == Severity::Error && !problem.in_variation && problem.game > 0
        };
        if self.problems.iter().any(is_error) { PlayedGame::WithError } else { PlayedGame::Whole }
    }

    fn take_faults(&mut self) {
        if self.scanner.pending_diagnostics().is_empty() {
            return;
        }
        let faults: Vec<PgnDiagnostic> = self.scanner.diagnostics().collect();
        for PgnDiagnostic { kind, span } in faults {
            let text = &self.chunk.bytes()[span.range()];
            // A variation after the result has no move of the main line.
            let has_moves = kind.skips_text() && !text.starts_with(b"(") && pgn::has_moves(text);
            let reason = match hidden_tag(&[], text) {
                _ if has_moves => Reason::MovesSkipped(kind),
                Some(name) if kind.is_outside() => Reason::StartOutside { name },
                _ => Reason::Text(kind),
            };
            self.problem(span.start, span.end, None, reason);
        }
    }
}

// Offsets in a chunk as places in the file.

/// Converts ascending offsets in a chunk to places, so that lines are counted only once.
#[derive(Debug)]
struct Places<'c> {
    chunk: Chunk<'c>,
    at: usize,
    place: Place,
}

impl<'c> Places<'c> {
    fn new(chunk: Chunk<'c>) -> Self {
        Places { chunk, at: 0, place: chunk.place(0) }
    }

    fn at(&mut self, at: usize) -> Place {
        self.place = match self.chunk.bytes().get(self.at..at) {
            Some(bytes) => self.place.after(bytes),
            None => self.chunk.place(at),
        };
        self.at = at;
        self.place
    }
}

// A line of moves of a game: where it is, and which comments are on its position.

#[derive(Debug)]
struct PlayedLine {
    position: Position,
    /// The position before the last move; only set if variations are played.
    before_last: Option<Position>,
    number: u32,
    /// The first comment and NAG of the line.
    begin: Mark,
    /// The first comment and NAG on the position.
    from: Mark,
    /// The comments and NAGs on the position where an alternative to the last move begins; before
    /// the first move of a variation, on the position that the variation leaves.
    noted: [Mark; 2],
    is_main: bool,
    /// Whether the position should be passed to the sink; that before a variation already was.
    is_shown: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    comments: usize,
    nags: usize,
}

impl PlayedLine {
    fn main(position: Position) -> Self {
        PlayedLine {
            position,
            before_last: None,
            number: 0,
            begin: Mark::default(),
            from: Mark::default(),
            noted: [Mark::default(); 2],
            is_main: true,
            is_shown: true,
        }
    }
}

// Evaluates the condition for whole games, before they are replayed.

impl Replay<'_> {
    fn verdict(&mut self) -> Option<bool> {
        let Some(condition) = &mut self.condition else {
            return Some(true);
        };
        let mut verdict = condition.begin(&self.game);
        self.counts.condition_tags |= condition.tags();
        if verdict.is_none() && condition.facts.needs_result() && self.game.result().is_none() {
            self.game.outcome = Some(self.scanner.clone().skip_game());
            verdict = condition.verdict(&self.game);
        }
        if verdict.is_none() && END.iter().any(|fact| condition.facts.has(*fact)) {
            self.game.end = Some(self.play_to_end());
            verdict = self.condition.as_mut().map_or(verdict, |of| of.verdict(&self.game));
        }
        verdict
    }

    #[inline(never)]
    fn play_to_end(&self) -> GameEnd {
        let Plan { language, null_moves, max_game_bytes, .. } = *self.plan;
        let plan = Plan { language, null_moves, max_game_bytes, ..Plan::default() };
        let rest = &self.chunk.bytes()[self.scanner.game_start()..];
        let mut end = GameEnd::default();
        Replay::new(Chunk::whole(rest), &plan).play_next(&mut end as &mut dyn Sink);
        end
    }

    /// Problems of a game that is left out are not reported, except that it is too large.
    fn game_filtered_out(
        &mut self,
        omission: Option<Omission>,
        sink: &mut (impl Sink + ?Sized),
    ) -> NextGame {
        self.scanner.skip_game();
        if self.scanner.is_cut() {
            self.counts.games -= 1;
            return NextGame::None;
        }
        if self.plan.wants_text {
            sink.game_start(self.scanner.game_start(), false);
        }
        sink.game_filtered_out();
        if !self.skips_too_large() {
            match omission {
                Some(omission) => self.counts.omitted.add(omission),
                None => self.counts.left_out += 1,
            }
        }
        self.report(sink);
        NextGame::LeftOut
    }
}

const END: [Fact; 2] = [Fact::Plies, Fact::Termination];

impl Sink for GameEnd {
    fn begin(&mut self, game: &GameContext<'_>) {
        self.termination = Ending::of_tags(&game.tags).map(Ending::as_str);
    }

    fn ply(&mut self, ply: Ply<'_>, _: &GameContext<'_>) {
        self.plies = ply.number;
        self.termination = ending_on_board(&ply).or(self.termination);
    }

    fn takes_variants(&self) -> bool {
        true
    }

    fn variant(&mut self, ply: VariantPly<'_>, _: &GameContext<'_>, _: Option<Omission>) {
        self.plies = ply.number;
    }

    fn problem(&mut self, _: Problem) {}
}

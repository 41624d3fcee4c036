//! Games and records as values.

use std::fmt;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use emit::{Plan, Ply, Problem, Replay, Sink};
use epd::{RegisterStyle, Severity};
use pgn::{Chunk, ChunkEnd, GameCutter, Outcome, TagPair};
use san::{Buffer, Move, MoveText, Position};
use stream::ordered::{ChunkWorker, Pipeline, in_order};

use crate::options::Options;

/// All positions of main lines, with all comments, including those of engines.
static PLAN: LazyLock<Plan> = LazyLock::new(|| Plan { keep_commands: true, ..Plan::default() });

/// A record without registers.
static PLAIN: LazyLock<Plan> =
    LazyLock::new(|| Plan { registers: RegisterStyle::Off, ..Plan::default() });

/// Returns an iterator over the games in `pgn`, in order, with their moves played.
///
/// ```
/// let mut games = pgn2epd::games(b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 *\n\n[White \"?\"]\n\n1. e5 *");
/// let game = games.next().unwrap();
/// assert_eq!(game.tag("White"), Some("Anderssen"));
/// assert_eq!(game.records.len(), 5);
/// assert!(game.problems.is_empty());
///
/// let bad = games.next().unwrap();
/// assert_eq!(bad.problems[0].to_string(), "7:4: game 2 (? - ?), 1. e5: illegal: no white pawn can reach e5");
/// assert_eq!(games.next(), None);
/// ```
pub fn games(pgn: &[u8]) -> Games<'_> {
    Games { replay: Replay::new(Chunk::whole(pgn), &PLAN), number: 0, rest: None }
}

/// Returns an iterator over all records of the games in `pgn`; errors are yielded in place.
///
/// Warnings are omitted; [`games`] includes them.
///
/// ```
/// for record in pgn2epd::records(b"1. e4 e5 *") {
///     println!("{}", record?); // rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - fmvn 1; hmvc 0; sm e4; …
/// }
/// # Ok::<_, pgn2epd::Problem>(())
/// ```
pub fn records(pgn: &[u8]) -> Records<'_> {
    Records { games: games(pgn), records: Vec::new().into_iter(), errors: Vec::new().into_iter() }
}

/// Finds the game with this number, counted from 1; otherwise returns the number of games. Memory
/// is bounded by the size of one game.
///
/// # Errors
///
/// Returns an error if the stream cannot be read to the end of the game.
///
/// ```
/// let found = pgn2epd::find_game(&b"1. e4 *\n\n1. d4 *\n"[..], 2)?;
/// assert_eq!(found.unwrap().moves().next().unwrap().to_string(), "d4");
/// assert_eq!(pgn2epd::find_game(&b"1. e4 *\n"[..], 3)?, Err(1));
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn find_game(input: impl Read, number: u64) -> io::Result<Result<Game, u64>> {
    let mut found = None;
    let games = for_each_game(input, &|other| other == number, &mut |game| {
        found = Some(game);
        ControlFlow::Break(())
    });
    match found {
        Some(game) => Ok(Ok(game)),
        None => games.map(Err),
    }
}

/// Passes the games whose numbers, counted from 1, are `wanted` to `take`, in order, until it
/// breaks. Returns the number of games read. Memory is bounded by the size of a few hundred
/// kilobytes of games, or of one game if it is larger.
///
/// # Errors
///
/// Returns an error if the stream cannot be read; the games before it have been passed.
///
/// ```
/// use std::ops::ControlFlow;
///
/// let mut plies = Vec::new();
/// let games = pgn2epd::for_each_game(&b"1. e4 *\n\n1. d4 d5 *\n\n1. c4 *\n"[..], &|number| number > 1, &mut |game| {
///     plies.push((game.number, game.moves().count()));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((games, plies), (3, vec![(2, 2), (3, 1)]));
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn for_each_game(
    input: impl Read,
    wanted: &(dyn Fn(u64) -> bool + Sync),
    take: &mut dyn FnMut(Game) -> ControlFlow<()>,
) -> io::Result<u64> {
    let Options { chunk_bytes, max_game_bytes, .. } = Options::default();
    // One worker: a chunk begins when the games before it have been counted.
    let pipeline = Pipeline { workers: 1, chunk_bytes, max_item_bytes: max_game_bytes };
    let before = AtomicU64::new(0);
    let work = Find { wanted, before: &before };
    let read = in_order(input, &pipeline, &work, &mut |done: &mut Found, _| {
        let games_before = before.fetch_add(done.games, Ordering::Relaxed);
        for mut game in done.found.drain(..) {
            game.problems.iter_mut().for_each(|problem| problem.game += games_before);
            if take(game).is_break() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    read.map(|()| before.into_inner())
}

/// Searches the games of a chunk.
struct Find<'b> {
    wanted: &'b (dyn Fn(u64) -> bool + Sync),
    /// Number of games in the previous chunks.
    before: &'b AtomicU64,
}

#[derive(Debug, Default)]
struct Found {
    games: u64,
    found: Vec<Game>,
}

impl ChunkWorker for Find<'_> {
    type Cutter = GameCutter;
    type Output = Found;

    fn chunk(&self, chunk: Chunk<'_>, done: &mut Found) -> ChunkEnd {
        *done = Found::default();
        let mut replay = Replay::new(chunk, &PLAN);
        loop {
            let number = self.before.load(Ordering::Relaxed) + done.games + 1;
            let mut collect = Collect { game: Game::empty(number) };
            if !replay.next_game(&mut collect) {
                return replay.finish().1;
            }
            done.games += 1;
            if (self.wanted)(number) {
                done.found.push(collect.game);
            }
        }
    }

    fn too_large(&self, chunk: Chunk<'_>, done: &mut Found) {
        let number = self.before.load(Ordering::Relaxed) + 1;
        let mut collect = Collect { game: Game::empty(number) };
        Replay::new(chunk, &PLAN).too_large(&mut collect);
        let found = (self.wanted)(number).then_some(collect.game).into_iter().collect();
        *done = Found { games: 1, found };
    }
}

/// A game with its positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The game number, counted from 1.
    pub number: u64,
    /// The tag pairs.
    pub tags: Vec<Tag>,
    /// The positions: the starting position, and one after each ply.
    pub records: Vec<Record>,
    /// Errors in the game, and corrections.
    pub problems: Vec<Problem>,
}

/// A tag pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, such as `White`.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
}

/// A position of a game, and the move that was played from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of its game, counted from 1.
    pub game: u64,
    /// Ply index; 0 is the starting position of the game.
    pub ply: u32,
    /// The position.
    pub position: Position,
    /// The move played; `None` at the end of the game.
    pub next: Option<Move>,
    /// The comments on the position, which are after the move that led to it, unchanged from
    /// between their braces.
    pub comments: Vec<String>,
}

impl Game {
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| &*tag.value)
    }

    /// Returns the legal moves of the game, in canonical SAN.
    ///
    /// ```
    /// let game = pgn2epd::games(b"1. e2-e4 e5 2. Ng1f3 *").next().unwrap();
    /// assert_eq!(game.moves().map(|san| san.to_string()).collect::<Vec<_>>(), ["e4", "e5", "Nf3"]);
    /// ```
    pub fn moves(&self) -> impl Iterator<Item = MoveText> + '_ {
        self.records.iter().filter_map(|record| Some(san::san_of(&record.position, record.next?)))
    }

    /// Returns the game if it has no error. Warnings and notes stay in [`Game::problems`].
    ///
    /// # Errors
    ///
    /// Returns the first problem of the severity [`Severity::Error`](crate::Severity::Error).
    ///
    /// ```
    /// fn plies(pgn: &[u8]) -> Result<usize, Box<dyn std::error::Error>> {
    ///     let mut plies = 0;
    ///     for game in pgn2epd::games(pgn) {
    ///         plies += game.into_result()?.moves().count();
    ///     }
    ///     Ok(plies)
    /// }
    /// assert_eq!(plies(b"1. e4 e5 *").unwrap(), 2);
    /// let error = plies(b"1. e4 e5 *\n\n1. e5 *").unwrap_err();
    /// assert_eq!(error.to_string(), "3:4: game 2, 1. e5: illegal: no white pawn can reach e5");
    /// ```
    pub fn into_result(mut self) -> Result<Game, Box<Problem>> {
        let is_error = |problem: &Problem| problem.severity() == Severity::Error;
        match self.problems.iter().position(is_error) {
            Some(error) => Err(Box::new(self.problems.swap_remove(error))),
            None => Ok(self),
        }
    }
}

impl fmt::Display for Record {
    /// Formats the four fields, `fmvn`, `hmvc` and `sm`, without a line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ply = Ply::new(&self.position, self.next, self.ply);
        let mut buffer = Buffer::default();
        let mut line = buffer.line();
        emit::write_record(&ply, &PLAIN, &mut line);
        line.finish();
        f.write_str(String::from_utf8_lossy(buffer.as_bytes()).trim_end())
    }
}

/// The iterator that [`games`] returns.
#[derive(Debug)]
pub struct Games<'a> {
    replay: Replay<'a>,
    number: u64,
    /// Problems after the last game, once they have been read.
    rest: Option<Vec<Problem>>,
}

impl Games<'_> {
    /// Returns the problems in the text after the last game; available after the iterator has
    /// ended.
    pub fn problems_behind(&self) -> &[Problem] {
        self.rest.as_deref().unwrap_or_default()
    }
}

impl Iterator for Games<'_> {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        if self.rest.is_some() {
            return None;
        }
        let mut collect = Collect { game: Game::empty(self.number + 1) };
        if self.replay.next_game(&mut collect) {
            self.number += 1;
            return Some(collect.game);
        }
        self.rest = Some(collect.game.problems);
        None
    }
}

impl Game {
    fn empty(number: u64) -> Self {
        Game { number, tags: Vec::new(), records: Vec::new(), problems: Vec::new() }
    }
}

/// A sink that collects a game.
struct Collect {
    game: Game,
}

impl Sink for Collect {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        let tag = |pair: &TagPair<'_>| Tag {
            name: pgn::text_of(pair.name()).into_owned(),
            value: pair.text().into_owned(),
        };
        self.game.tags = tags.iter().map(tag).collect();
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.game.records.push(Record {
            game: self.game.number,
            ply: ply.number,
            position: ply.position.clone(),
            next: ply.next,
            comments: ply
                .comments
                .iter()
                .map(|comment| pgn::text_of(comment).into_owned())
                .collect(),
        });
    }

    fn end(&mut self, _: Option<Outcome>) {}

    fn discard_game(&mut self) {
        self.game.records.clear();
    }

    fn problem(&mut self, problem: Problem) {
        self.game.problems.push(problem);
    }
}

/// The iterator that [`records`] returns.
#[derive(Debug)]
pub struct Records<'a> {
    games: Games<'a>,
    records: std::vec::IntoIter<Record>,
    errors: std::vec::IntoIter<Problem>,
}

impl Iterator for Records<'_> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.records.next() {
                return Some(Ok(record));
            }
            if let Some(error) = self.errors.next() {
                return Some(Err(error));
            }
            let (records, mut problems) = match self.games.next() {
                Some(game) => (game.records, game.problems),
                None => (Vec::new(), self.games.rest.as_mut().map(std::mem::take)?),
            };
            if records.is_empty() && problems.is_empty() && self.games.rest.is_some() {
                return None;
            }
            problems.retain(|problem| problem.severity() == Severity::Error);
            (self.records, self.errors) = (records.into_iter(), problems.into_iter());
        }
    }
}

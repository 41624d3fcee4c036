//! Games and records as values, one at a time.

use std::fmt;
use std::sync::LazyLock;

use emit::{Plan, Ply, Problem, RegisterStyle, Replay, Severity, Sink};
use pgn::{Chunk, Outcome, TagPair};
use san::{Buffer, Move, MoveText, Position};

/// All positions of main lines, with comments, those of machines too.
static PLAN: LazyLock<Plan> = LazyLock::new(|| Plan { keep_commands: true, ..Plan::default() });

/// A record without registers.
static PLAIN: LazyLock<Plan> =
    LazyLock::new(|| Plan { registers: RegisterStyle::Off, ..Plan::default() });

/// The games in `pgn`, played, in their order.
///
/// ```
/// let mut games = pgn2epd::games(b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 *\n\n[White \"?\"]\n\n1. e5 *");
/// let game = games.next().unwrap();
/// assert_eq!(game.tag("White"), Some("Anderssen"));
/// assert_eq!(game.records.len(), 5);
/// assert!(game.problems.is_empty());
///
/// let bad = games.next().unwrap();
/// assert_eq!(bad.problems[0].to_string(), "7:4: game 2 (? - ?), 1. e5: illegal: no pawn of White's can reach e5");
/// assert_eq!(games.next(), None);
/// ```
pub fn games(pgn: &[u8]) -> Games<'_> {
    Games { replay: Replay::new(Chunk::whole(pgn), &PLAN), number: 0, rest: None }
}

/// All records of the games in `pgn`; what is an error comes between them.
///
/// Warnings are left out: [`games`] has them.
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

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Which game it is, counted from 1.
    pub number: u64,
    /// Its tag pairs.
    pub tags: Vec<Tag>,
    /// Its positions: the start, and one after each ply.
    pub records: Vec<Record>,
    /// What is wrong with it, and what was.
    pub problems: Vec<Problem>,
}

/// A tag pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, `White` say.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
}

/// A position of a game, and the move that was played from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which game it belongs to, counted from 1.
    pub game: u64,
    /// How many plies were played before.
    pub ply: u32,
    /// The position.
    pub position: Position,
    /// The move that was played from it; `None` at the end of the game.
    pub next: Option<Move>,
    /// The comments on it, those behind the move that led to it, as they stand between their braces.
    pub comments: Vec<String>,
}

impl Game {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| &*tag.value)
    }

    /// The moves that could be played, in canonical SAN.
    ///
    /// ```
    /// let game = pgn2epd::games(b"1. e2-e4 e5 2. Ng1f3 *").next().unwrap();
    /// assert_eq!(game.moves().map(|san| san.to_string()).collect::<Vec<_>>(), ["e4", "e5", "Nf3"]);
    /// ```
    pub fn moves(&self) -> impl Iterator<Item = MoveText> + '_ {
        self.records.iter().filter_map(|record| Some(san::san_of(&record.position, record.next?)))
    }
}

impl fmt::Display for Record {
    /// The four fields, `fmvn`, `hmvc` and `sm`, without a line end.
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
    /// What is wrong behind the last game; it is known once that was read.
    rest: Option<Vec<Problem>>,
}

impl Games<'_> {
    /// What is wrong with the text behind the last game, where no game can tell; known once the iterator has ended.
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

/// The sink that collects a game.
struct Collect {
    game: Game,
}

impl Sink for Collect {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        let tag = |pair: &TagPair<'_>| Tag {
            name: emit::text_of(pair.name()),
            value: emit::text_of(&pair.value()),
        };
        self.game.tags = tags.iter().map(tag).collect();
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.game.records.push(Record {
            game: self.game.number,
            ply: ply.number,
            position: ply.position.clone(),
            next: ply.next,
            comments: ply.comments.iter().map(|comment| emit::text_of(comment)).collect(),
        });
    }

    fn end(&mut self, _: Option<Outcome>) {}

    fn undo(&mut self) {
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

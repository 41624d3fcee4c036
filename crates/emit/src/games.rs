//! A game as a value, with its tags and its positions, and the sink that makes such values.

pub(crate) mod game_form;
pub(crate) mod normal_game;
pub(crate) mod pgn_sink;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use epd::Record;
use pgn::{Place, TagPair, text_of};
use san::{Move, MoveText, Position, san_of};

use crate::game::GameContext;
use crate::ply::{Branch, Ply};
use crate::problem::Problem;
use crate::records::Text;
use crate::records::plan::Plan;
use crate::records::text_sink::TextSink;
use crate::replay::Counts;
use crate::selection::{Losses, Omission, Omitted};
use crate::sink::{RecordSink, Sink};

/// A game with its positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Game {
    /// The game number, counted from 1.
    pub number: u64,
    /// The place where the game begins.
    pub place: Place,
    /// The tag pairs.
    pub tags: GameTags,
    /// The text of a record, if it was asked for; otherwise empty.
    pub text: String,
    /// The selected positions: by default the starting position, and one after each ply.
    pub positions: Vec<PlayedPosition>,
    /// Errors in the game, and corrections.
    pub problems: Vec<Problem>,
}

impl Game {
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// Returns the moves played from the selected positions, in canonical SAN.
    pub fn moves(&self) -> impl Iterator<Item = MoveText> + '_ {
        self.positions.iter().filter_map(PlayedPosition::san)
    }

    /// Returns the game, or its first error. Warnings and notes stay in [`Game::problems`].
    pub fn into_result(mut self) -> Result<Game, Box<Problem>> {
        match self.problems.iter().position(Problem::is_error) {
            Some(error) => Err(Box::new(self.problems.swap_remove(error))),
            None => Ok(self),
        }
    }

    /// Sets the number of the game, in its positions and problems too.
    pub fn renumber(&mut self, number: u64) {
        self.number = number;
        self.positions.iter_mut().for_each(|position| position.game = number);
        for problem in self.problems.iter_mut().filter(|problem| problem.game > 0) {
            problem.game = number;
        }
    }
}

/// A tag pair.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tag {
    /// The name, such as `White`.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
}

/// The tag pairs of a game, shared by its positions. A clone costs no copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTags(Arc<[Tag]>);

impl GameTags {
    pub(crate) fn of(tags: &[TagPair<'_>]) -> Self {
        let tag = |pair: &TagPair<'_>| Tag {
            name: text_of(pair.name()).into_owned(),
            value: pair.text().into_owned(),
        };
        GameTags(tags.iter().map(tag).collect())
    }

    /// Returns the value of a tag: that of the first with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|tag| tag.name == name).map(|tag| &*tag.value)
    }
}

impl Default for GameTags {
    fn default() -> Self {
        GameTags(Arc::new([]))
    }
}

impl Deref for GameTags {
    type Target = [Tag];

    fn deref(&self) -> &[Tag] {
        &self.0
    }
}

/// A position of a game with its EPD record, the move played from it, and its game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayedPosition {
    /// The number of its game, counted from 1.
    pub game: u64,
    /// The place where its game begins.
    pub place: Place,
    /// The tag pairs of its game.
    pub tags: GameTags,
    /// Ply index; 0 is the starting position of the game.
    pub ply: u32,
    /// The position, with the clocks of the game.
    pub position: Position,
    /// The move that led to it, and its SAN; `None` at the start of a line and after a variation.
    pub last: Option<(Move, MoveText)>,
    /// The move played; `None` at the end of the game or variation.
    pub next: Option<Move>,
    /// The comments after the move that led to it, unchanged from between their braces.
    pub comments: Vec<String>,
    /// The branching points that lead to its variation, outermost first; none in the main line.
    pub branches: Vec<Branch>,
    /// The record, with the operations that the options select.
    pub record: Record,
}

impl PlayedPosition {
    /// Returns the move played, in canonical SAN.
    pub fn san(&self) -> Option<MoveText> {
        Some(san_of(&self.position, self.next?))
    }
}

impl fmt::Display for PlayedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.record.fmt(f)
    }
}

/// Games as values, in order, with their problems.
#[derive(Debug, Default)]
pub struct GameList {
    /// The games, numbered from 1 in the chunk.
    pub games: Vec<Game>,
    /// Problems in text after the last game.
    pub problems: Vec<Problem>,
    /// Counts of omitted or changed text.
    pub losses: Losses,
    /// Numbers of positions that were omitted, by reason.
    pub omitted: Omitted,
}

/// Makes games as values, with the records that [`TextSink`] writes.
///
/// The plan must have the fact [`Line`](crate::Fact::Line), since it announces each game, and the
/// format [`Epd`](crate::Format::Epd). Games of variants are errors.
#[derive(Debug)]
pub struct GameSink<'t> {
    list: &'t mut GameList,
    records: TextSink<'t>,
    is_after_game: bool,
    /// The next position of the line: its ply, its depth in variations, the move that leads to it.
    following: Option<(u32, usize, (Move, MoveText))>,
}

impl<'t> GameSink<'t> {
    /// Makes a sink that appends to `list`, and writes records to `text`.
    pub fn new(list: &'t mut GameList, text: &'t mut Text, plan: &'t Plan) -> Self {
        let records = text.sink(plan).of_current_game();
        GameSink { list, records, is_after_game: false, following: None }
    }

    /// Ends the chunk: removes a game that continues after it, which is not counted.
    pub fn finish(self, counts: &Counts) {
        self.list.games.retain(|game| game.number <= counts.games);
    }

    fn follow(&mut self, ply: &Ply<'_>) -> Option<(Move, MoveText)> {
        let depth = ply.branches.len();
        let next = |mv| (ply.number + 1, depth, (mv, san::san_of(ply.position, mv)));
        let before = std::mem::replace(&mut self.following, ply.next.map(next));
        before
            .filter(|(number, of, _)| (*number, *of) == (ply.number, depth))
            .map(|(.., last)| last)
    }
}

impl Sink for GameSink<'_> {
    fn begin(&mut self, game: &GameContext<'_>) {
        self.is_after_game = false;
        self.following = None;
        self.records.begin(game);
        let (number, place, tags) = (game.number, game.place, GameTags::of(&game.tags));
        let text = text_of(game.text).into_owned();
        self.list.games.push(Game { number, place, tags, text, ..Game::default() });
    }

    fn ply(&mut self, ply: Ply<'_>, game: &GameContext<'_>) {
        let last = self.follow(&ply);
        let start = self.records.text().len();
        self.records.ply(ply, game);
        let text = String::from_utf8_lossy(&self.records.text()[start..]);
        let record = text.trim_end_matches('\n').parse();
        let record = record.unwrap_or_else(|_| Record::new(ply.position.clone()));
        let Some(game) = self.list.games.last_mut() else { return };
        let text = |comment: &&[u8]| text_of(comment).into_owned();
        game.positions.push(PlayedPosition {
            game: game.number,
            place: game.place,
            tags: game.tags.clone(),
            ply: ply.number,
            position: ply.position.clone(),
            last,
            next: ply.next,
            comments: ply.comments.iter().map(text).collect(),
            branches: ply.branches.to_vec(),
            record,
        });
    }

    fn skipped_ply(&mut self, ply: Ply<'_>, why: Omission) {
        self.follow(&ply);
        self.records.skipped_ply(ply, why);
    }

    fn end(&mut self, game: &GameContext<'_>) {
        self.is_after_game = true;
        self.records.end(game);
        let Some(game) = self.list.games.last_mut() else { return };
        game.problems.append(self.records.problems());
    }

    fn discard_game(&mut self) {
        self.is_after_game = true;
        self.records.discard_game();
        let Some(game) = self.list.games.last_mut() else { return };
        game.positions.clear();
    }

    fn problem(&mut self, problem: Problem) {
        let last = self.list.games.last_mut().filter(|_| self.is_after_game);
        match last {
            // Text outside of games belongs to the game that follows, that of a record to it.
            Some(game)
                if problem.game == game.number
                    || problem.game == 0
                        && (problem.place.byte < game.place.byte
                            || problem.place.line == game.place.line) =>
            {
                game.problems.push(problem);
            }
            _ if problem.game > 0 => {
                // A game that is too large is not begun.
                let (number, place) = (problem.game, problem.place);
                let problems = vec![problem];
                self.list.games.push(Game { number, place, problems, ..Game::default() });
                self.is_after_game = true;
            }
            _ => self.list.problems.push(problem),
        }
    }
}

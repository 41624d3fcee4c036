//! The counts of a position, in the form of Lichess' explorer.

use std::cmp::Reverse;
use std::fmt;
use std::io;

use axum::http::StatusCode;
use book::count_file::{CountFile, CountFileError, CountedPosition};
use book::{GroupBy, Header, Occurrence, Speed, Tally};
use openings::{Name, Openings};
use pgn::Outcome;
use san::{Move, MoveCode, MoveText, Position, PositionKey, san_of};
use serde::{Serialize, Serializer};

use crate::question::{ClassFilter, Question, Refusal};

/// Positions with their counts, as an [`CountFile`] has them.
pub trait Positions: Send + Sync {
    /// Returns a position, if there are counts of it. Fails if the positions cannot be read.
    fn find(&self, key: PositionKey) -> Result<Option<CountedPosition>, CountFileError>;

    /// Returns what is known of the counts.
    fn header(&self) -> &Header;
}

impl Positions for CountFile {
    fn find(&self, key: PositionKey) -> Result<Option<CountedPosition>, CountFileError> {
        self.find(key)
    }

    fn header(&self) -> &Header {
        self.header()
    }
}

/// The games that were counted, as text.
pub trait Games: Send + Sync {
    /// Returns the text of a game, given the number of its file in the header and its own in the
    /// file; `None` if it is not there. Fails if the file cannot be read.
    fn game(&self, file: u32, game: u64) -> io::Result<Option<Vec<u8>>>;
}

/// Positions under a name, which is the path of requests for them.
pub struct Library {
    pub(crate) name: String,
    pub(crate) positions: Box<dyn Positions>,
    pub(crate) grouped_by: GroupBy,
    pub(crate) games: Option<Box<dyn Games>>,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A name that cannot be the path of a library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum FileNameError {
    #[error("the name {0:?} is not letters, digits, - and _: give another one as NAME=FILE")]
    Characters(String),
    #[error("the name {0:?} is taken: give another one as NAME=FILE")]
    Taken(String),
}

/// Paths that are answered by the first library if no library has the name: those of Lichess.
const LICHESS: [&str; 3] = ["masters", "lichess", "master"];

/// Paths that are no library's.
const RESERVED: [&str; 2] = ["player", "personal"];

impl Library {
    /// Makes a library. Fails if the name is not the last part of a path.
    pub fn new(
        name: impl Into<String>,
        positions: impl Positions + 'static,
    ) -> Result<Self, FileNameError> {
        let name = name.into();
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if name.is_empty() || !name.bytes().all(is_allowed) {
            return Err(FileNameError::Characters(name));
        }
        if RESERVED.contains(&&*name) {
            return Err(FileNameError::Taken(name));
        }
        let grouped_by = positions.header().grouped_by.parse().unwrap_or_default();
        Ok(Library { name, positions: Box::new(positions), grouped_by, games: None })
    }

    /// Sets the games, which can be asked for.
    #[must_use]
    pub fn games(mut self, games: impl Games + 'static) -> Self {
        self.games = Some(Box::new(games));
        self
    }

    /// Returns the text of a game with a name as in [`crate::answer`].
    pub(crate) fn game(&self, id: &str) -> Result<Vec<u8>, Refusal> {
        let missing = || Refusal::not_found(format!("no game has the number {id:?}"));
        let Some(games) = &self.games else {
            let reason = format!("the games of {} were not given to the server", self.name);
            return Err(Refusal::not_found(reason));
        };
        let (file, game) = id.split_once('-').ok_or_else(missing)?;
        let (Ok(file), Ok(game)) = (file.parse(), game.parse()) else { return Err(missing()) };
        games.game(file, game).map_err(|error| self.failed(&error))?.ok_or_else(missing)
    }

    fn failed(&self, error: &dyn fmt::Display) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{}: {error}", self.name))
    }

    pub(crate) fn find(
        &self,
        key: PositionKey,
        classes: &ClassFilter,
    ) -> Result<Option<CountedPosition>, Refusal> {
        classes.check(&self.grouped_by)?;
        let found = self.positions.find(key).map_err(|error| self.failed(&error))?;
        match *classes == ClassFilter::default() {
            true => Ok(found),
            false => Ok(found.and_then(|entry| entry.of_classes(|class| classes.wants(class)))),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Libraries(pub(crate) Vec<Library>);

impl Libraries {
    pub(crate) fn new(libraries: Vec<Library>) -> Result<Self, FileNameError> {
        for (i, library) in libraries.iter().enumerate() {
            if libraries[..i].iter().any(|other| other.name.eq_ignore_ascii_case(&library.name)) {
                return Err(FileNameError::Taken(library.name.clone()));
            }
        }
        Ok(Libraries(libraries))
    }

    /// The names of Lichess mean the first library, unless another one has the name.
    pub(crate) fn named(&self, name: &str) -> Result<&Library, Refusal> {
        let found = self.0.iter().find(|library| library.name.eq_ignore_ascii_case(name));
        found.or(self.0.first().filter(|_| LICHESS.contains(&name))).ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|library| &*library.name).collect();
            Refusal::not_found(format!(
                "{name:?} is not the name of a file; the names are {}",
                names.join(", ")
            ))
        })
    }
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    #[serde(flatten)]
    counts: AnswerCounts,
    moves: Vec<MoveAnswer>,
    top_games: Vec<GameWithMove>,
    recent_games: Vec<GameWithMove>,
    opening: Option<NameAnswer>,
}

#[derive(Debug, Default, Serialize)]
struct AnswerCounts {
    white: u64,
    draws: u64,
    black: u64,
    /// With games without a result, which Lichess does not have.
    games: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveAnswer {
    #[serde(serialize_with = "text")]
    uci: MoveText,
    #[serde(serialize_with = "text")]
    san: MoveText,
    /// 0 if it is not known, as the ratings of players.
    average_rating: u64,
    #[serde(flatten)]
    counts: AnswerCounts,
    game: Option<GameAnswer>,
    opening: Option<NameAnswer>,
}

#[derive(Debug, Serialize)]
struct NameAnswer {
    eco: String,
    name: String,
}

#[derive(Clone, Debug, Serialize)]
struct GameWithMove {
    #[serde(serialize_with = "text")]
    uci: MoveText,
    #[serde(flatten)]
    game: GameAnswer,
}

#[derive(Clone, Debug, Serialize)]
struct GameAnswer {
    id: String,
    winner: Option<&'static str>,
    /// Tells a draw from a game without a result.
    result: &'static str,
    white: Player,
    black: Player,
    year: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    month: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<Speed>,
}

#[derive(Clone, Debug, Serialize)]
struct Player {
    name: String,
    rating: u16,
}

fn text<S: Serializer>(text: &MoveText, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text.as_str())
}

impl From<&Tally> for AnswerCounts {
    fn from(tally: &Tally) -> Self {
        let Tally { white, draws, black, games, .. } = *tally;
        AnswerCounts { white, draws, black, games }
    }
}

impl From<&Name> for NameAnswer {
    fn from(name: &Name) -> Self {
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        NameAnswer { eco: text(name.eco()), name: text(name.opening()) }
    }
}

impl GameAnswer {
    fn of(game: &book::Game) -> Self {
        let class = game.class.as_ref();
        // Halves are rounded up, as in the mean rating of a move.
        let rating = game.elo_sum.div_ceil(2);
        let player = |name: &str| Player { name: name.to_owned(), rating };
        GameAnswer {
            id: format!("{}-{}", game.file, game.number),
            winner: match game.outcome {
                Outcome::WhiteWins => Some("white"),
                Outcome::BlackWins => Some("black"),
                _ => None,
            },
            result: game.outcome.as_str(),
            white: player(&game.white),
            black: player(&game.black),
            year: game.year,
            month: class.and_then(|class| class.month.clone()),
            speed: class.and_then(|class| class.speed),
        }
    }
}

impl Answer {
    pub(crate) fn to(question: &Question, library: &Library) -> Result<Self, Refusal> {
        let key = PositionKey::of(&question.position);
        let position = &question.position;
        let named = || question.name.map(NameAnswer::from);
        let Some(entry) = library.find(key, &question.classes)? else {
            return Ok(Answer { opening: named(), ..Answer::default() });
        };
        // Most played first; ties by code.
        let mut moves = entry.moves.clone();
        moves.sort_by_key(|(code, tally)| (Reverse(tally.games), *code));
        // Programs divide by the sum of the results, which on Lichess is never 0.
        let is_listed = |tally: &Tally| {
            question.has_undecided || tally.white > 0 || tally.draws > 0 || tally.black > 0
        };
        let listed = moves.iter().filter(|(_, tally)| is_listed(tally));
        let played = listed.filter_map(|(code, tally)| {
            Some(MoveAnswer::of(position, code.find(position)?, tally, &entry))
        });
        let answered = |notable: &[(MoveCode, Occurrence)], most| {
            let answer = |(code, at): &(MoveCode, Occurrence)| {
                let uci = position.uci_of(code.find(position)?);
                Some(GameWithMove { uci, game: GameAnswer::of(entry.game(*at)) })
            };
            notable.iter().filter_map(answer).take(most).collect()
        };
        let mut notable = entry.notable_games();
        let top_games = answered(&notable, question.top_games);
        notable.sort_by_key(|(code, at)| {
            let game = entry.game(*at);
            let month = game.class.as_ref().and_then(|class| class.month.as_deref());
            Reverse((game.year, month, game, at.ply, *code))
        });
        let recent_games = answered(&notable, question.recent_games);
        Ok(Answer {
            counts: (&entry.total).into(),
            moves: played.take(question.moves).collect(),
            top_games,
            recent_games,
            opening: match (&entry.eco, &entry.opening) {
                (None, None) => named(),
                (eco, name) => Some(NameAnswer {
                    eco: eco.clone().unwrap_or_default(),
                    name: name.clone().unwrap_or_default(),
                }),
            },
        })
    }
}

impl MoveAnswer {
    fn of(position: &Position, next: Move, tally: &Tally, entry: &CountedPosition) -> Self {
        let mut after = position.clone();
        after.play_unchecked(next);
        MoveAnswer {
            uci: position.uci_of(next),
            san: san_of(position, next),
            average_rating: tally.mean_rating().map_or(0, |rating| rating.round() as u64),
            counts: tally.into(),
            game: (tally.games == 1).then(|| GameAnswer::of(entry.game(tally.strongest))),
            opening: Openings::embedded().classify(&after).map(NameAnswer::from),
        }
    }
}

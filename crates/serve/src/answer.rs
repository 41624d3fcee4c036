//! The counts of a position, in the form of Lichess' explorer.

use std::cmp::Reverse;

use book::explorer::ExplorerEntry;
use book::{GameClass, NotableGame, Speed, Tally};
use openings::{Name, Openings};
use pgn::Outcome;
use san::{Move, MoveCode, MoveText, Position, PositionKey, san_of};
use serde::{Serialize, Serializer};

use crate::libraries::Library;
use crate::question::Question;
use crate::refusal::Refusal;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    #[serde(flatten)]
    counts: Counts,
    moves: Vec<MoveAnswer>,
    top_games: Vec<GameWithMove>,
    recent_games: Vec<GameWithMove>,
    opening: Option<NameAnswer>,
}

#[derive(Debug, Default, Serialize)]
struct Counts {
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
    counts: Counts,
    game: Option<Game>,
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
    game: Game,
}

#[derive(Clone, Debug, Serialize)]
struct Game {
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

impl From<&Tally> for Counts {
    fn from(tally: &Tally) -> Self {
        let Tally { white, draws, black, games, .. } = *tally;
        Counts { white, draws, black, games }
    }
}

impl From<&Name> for NameAnswer {
    fn from(name: &Name) -> Self {
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        NameAnswer { eco: text(name.eco()), name: text(name.opening()) }
    }
}

impl Game {
    fn of(game: &NotableGame, class: Option<&GameClass>) -> Self {
        // Halves are rounded up, as in the mean rating of a move.
        let rating = game.elo_sum.div_ceil(2);
        let player = |name: &str| Player { name: name.to_owned(), rating };
        Game {
            id: format!("{}-{}", game.at.file, game.at.game),
            winner: match game.outcome {
                Outcome::WhiteWins => Some("white"),
                Outcome::BlackWins => Some("black"),
                _ => None,
            },
            result: game.outcome.as_str(),
            white: player(&game.info.white),
            black: player(&game.info.black),
            year: game.year,
            month: class.and_then(|class| class.month.clone()),
            speed: class.and_then(|class| class.speed),
        }
    }
}

type NotableOfClass<'e> = (MoveCode, Option<&'e GameClass>, &'e NotableGame);

fn notable_games(entry: &ExplorerEntry) -> Vec<NotableOfClass<'_>> {
    if entry.classes.is_empty() {
        return entry.games.iter().map(|(code, game)| (*code, None, game)).collect();
    }
    let mut notable = Vec::new();
    for (code, class, tally) in &entry.classes {
        notable.extend(tally.notable_games().map(|game| (*code, Some(class), game)));
    }
    notable
}

impl Answer {
    /// Answers a question; whether a position was found is `true` beside it.
    pub(crate) fn to(question: &Question, library: &Library) -> Result<Self, Refusal> {
        let key = PositionKey::of(&question.position);
        let found = library.find(key, &question.classes)?;
        Ok(Answer::of(question, found))
    }

    fn of(question: &Question, found: Option<ExplorerEntry>) -> Self {
        let position = &question.position;
        let named = || question.name.map(NameAnswer::from);
        let Some(mut entry) = found else {
            return Answer { opening: named(), ..Answer::default() };
        };
        // Most played first; ties by code.
        entry.moves.sort_by_key(|(code, tally)| (Reverse(tally.games), *code));
        // Programs divide by the sum of the results, which on Lichess is never 0.
        let is_listed = |tally: &Tally| {
            question.has_undecided || tally.white > 0 || tally.draws > 0 || tally.black > 0
        };
        let listed = entry.moves.iter().filter(|(_, tally)| is_listed(tally));
        let played = listed.filter_map(|(code, tally)| {
            let class = entry.classes.iter().find(|(of, ..)| of == code).map(|(_, class, _)| class);
            Some(MoveAnswer::of(position, code.find(position)?, tally, class))
        });
        let with_move = |code: MoveCode, game: Game| {
            Some(GameWithMove { uci: position.uci_of(code.find(position)?), game })
        };
        let answered = |notable: &[NotableOfClass<'_>], most| {
            let answer =
                |(code, class, game): &NotableOfClass<'_>| with_move(*code, Game::of(game, *class));
            notable.iter().filter_map(answer).take(most).collect()
        };
        let mut notable = notable_games(&entry);
        notable.sort_by_key(|(code, _, game)| (Reverse(game.elo_sum), game.at, *code));
        let top_games = answered(&notable, question.top_games);
        notable.sort_by_key(|(code, class, game)| {
            let month = class.and_then(|class| class.month.as_deref());
            Reverse((game.year, month, game.at, *code))
        });
        let recent_games = answered(&notable, question.recent_games);
        Answer {
            counts: (&entry.total).into(),
            moves: played.take(question.moves).collect(),
            top_games,
            recent_games,
            opening: match (entry.eco, entry.opening) {
                (None, None) => named(),
                (eco, name) => Some(NameAnswer {
                    eco: eco.unwrap_or_default(),
                    name: name.unwrap_or_default(),
                }),
            },
        }
    }
}

impl MoveAnswer {
    /// `class` is that of the first game.
    fn of(position: &Position, next: Move, tally: &Tally, class: Option<&GameClass>) -> Self {
        let mut after = position.clone();
        after.play_unchecked(next);
        MoveAnswer {
            uci: position.uci_of(next),
            san: san_of(position, next),
            average_rating: tally.mean_rating().map_or(0, |rating| rating.round() as u64),
            counts: tally.into(),
            game: (tally.games == 1).then(|| Game::of(&tally.strongest, class)),
            opening: Openings::embedded().classify(&after).map(NameAnswer::from),
        }
    }
}

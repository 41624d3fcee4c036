//! What a condition uses of a game.

use std::borrow::Cow;

use pgn::{Outcome, TagPair};
use san::Color;

use super::Filter;
use super::value::Value;
use crate::facts::{Fact, Ratings, TimeTags, date_of_game};
use crate::games::game_result::GameResult;
use crate::sink::GameAhead;

/// Values of the current game that a condition uses. Allocations are reused between games.
#[derive(Debug, Default)]
pub(super) struct GameValues {
    /// For each tag of the filter, whether the game has it, and its value, as in a column.
    pub(super) tags: Vec<TagValue>,
    pub(super) ratings: Ratings,
    times: TimeTags,
    date: [u32; 3],
    pub(super) line: Option<u64>,
    pub(super) ahead: Option<GameAhead>,
    ending: GameResult,
    /// The result in the movetext, once it is known.
    pub(super) outcome: Option<Option<Outcome>>,
    /// White and Black.
    players: [Option<String>; 2],
}

#[derive(Debug, Default)]
pub(super) struct TagValue {
    is_present: bool,
    is_known: bool,
    text: String,
}

impl TagValue {
    /// Returns the value, unless [it is unknown](pgn::is_unknown).
    pub(super) fn known(&self) -> Option<&str> {
        self.is_known.then_some(&self.text)
    }
}

impl GameValues {
    pub(super) fn begin(&mut self, filter: &Filter, tags: &[TagPair<'_>], line: Option<u64>) {
        self.tags.resize_with(filter.tags.len(), TagValue::default);
        for (value, wanted) in self.tags.iter_mut().zip(&filter.tags) {
            let tag = tags.iter().find(|tag| tag.name() == wanted.name.as_bytes());
            let text = tag.and_then(|tag| tag.known_text());
            (value.is_present, value.is_known) = (tag.is_some(), text.is_some());
            value.text.clear();
            value.text.push_str(&text.unwrap_or_default());
        }
        let needs_ratings = filter.facts.needs_ratings();
        self.ratings = if needs_ratings { Ratings::of(tags) } else { Ratings::default() };
        if filter.facts.needs_time_tags() {
            (self.times, self.date) = (TimeTags::of(tags), date_of_game(tags));
        }
        if filter.facts.needs_result() {
            self.ending = GameResult::of(tags);
        }
        if filter.names_players {
            self.players =
                [b"White", b"Black"].map(|name| Some(pgn::known_value(tags, name)?.into_owned()));
        }
        (self.line, self.ahead, self.outcome) = (line, None, None);
    }

    pub(super) fn set_outcome(&mut self, outcome: Option<Outcome>) {
        self.outcome = Some(outcome);
    }

    pub(super) fn result(&self) -> Option<&'static str> {
        self.ending.known(self.outcome.flatten())
    }

    pub(super) fn time(&self, fact: Fact) -> Option<Value<'static>> {
        Some(match fact {
            Fact::BaseTime => Value::Number(self.times.base?),
            Fact::Increment => Value::Number(self.times.increment?),
            Fact::Year => Value::Number(self.times.year?.into()),
            _ => Value::Date(self.times.date.map(|_| self.date)?),
        })
    }

    /// Returns the value of a fact about a player and the opponent; `None` if it is not known yet.
    pub(super) fn player(&self, fact: Fact, side: Color, is_last: bool) -> Option<Value<'_>> {
        let rating = |side: Color| {
            let rating = side.fold_wb(Fact::WhiteElo, Fact::BlackElo);
            self.ratings.value(rating).map_or(Value::Missing, Value::Number)
        };
        let name = |side: Color| {
            let name = self.players[side.fold_wb(0, 1)].as_deref();
            name.map_or(Value::Missing, |name| Value::Text(Cow::Borrowed(name)))
        };
        Some(match fact {
            Fact::Player => name(side),
            Fact::Opponent => name(!side),
            Fact::Color => Value::Text(Cow::Borrowed(side.fold_wb("w", "b"))),
            Fact::PlayerElo => rating(side),
            Fact::OpponentElo => rating(!side),
            _ => match self.result() {
                Some("1/2-1/2") => Value::Number(0.5),
                Some(result) => Value::Number(f64::from(result == side.fold_wb("1-0", "0-1"))),
                None if is_last || self.outcome.is_some() => Value::Missing,
                None => return None,
            },
        })
    }

    /// Returns which of the first 64 tags the game has, as bits.
    pub(super) fn tags(&self) -> u64 {
        let there = self.tags.iter().take(64).enumerate();
        there.fold(0, |set, (index, tag)| set | u64::from(tag.is_present) << index)
    }
}

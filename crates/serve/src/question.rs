//! What a client asks: a position, and how much of it; or why that is not answered.

use std::borrow::Cow;
use std::cmp::Ordering;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use book::{GameClass, GroupBy, Speed};
use openings::{Name, Openings};
use san::{Color, Position, resolve};
use serde::Serialize;
use serde_json::Value;

/// A status and the reason, written as `{"error":"…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Refusal {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    #[serde(rename = "error")]
    pub(crate) reason: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Self {
        Refusal { status, reason: reason.into() }
    }

    pub(crate) fn bad(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::BAD_REQUEST, reason)
    }

    pub(crate) fn not_found(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::NOT_FOUND, reason)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, json(&self)).into_response()
    }
}

pub(crate) fn json(value: &impl Serialize) -> Response {
    let body = serde_json::to_vec(value).expect("keys are strings");
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}

/// The classes whose counts are added up; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassFilter {
    /// The first and the last year or month: `2020`, `2020-05`.
    since: Option<String>,
    until: Option<String>,
    /// The least ratings of bands.
    ratings: Vec<u16>,
    speeds: Vec<Speed>,
    /// A player, and the side; without a side both.
    player: Option<String>,
    side: Option<Color>,
}

impl ClassFilter {
    /// Reads a parameter, if it is one that selects classes. Fails if the value is not of its kind.
    pub(crate) fn read(&mut self, name: &str, value: &str) -> Result<bool, Refusal> {
        let wrong = |text: &str, what| Refusal::bad(format!("{name}: {text:?} is not {what}"));
        match name {
            "since" | "until" => {
                if !is_date(value) {
                    return Err(wrong(value, "a year or a month, such as 2020 or 2020-05"));
                }
                let date = if name == "since" { &mut self.since } else { &mut self.until };
                *date = Some(value.to_owned());
            }
            "ratings" => {
                let rating = |text: &str| text.parse().map_err(|_| wrong(text, "a rating"));
                self.ratings = value.split(',').map(rating).collect::<Result<_, _>>()?;
            }
            "speeds" => {
                let speed = |text: &str| text.parse().map_err(|_| wrong(text, "a speed"));
                self.speeds = value.split(',').map(speed).collect::<Result<_, _>>()?;
            }
            "player" => self.player = Some(value.to_owned()),
            "color" => {
                let sides = [("white", Color::White), ("black", Color::Black)];
                let side = sides.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
                self.side = Some(side.ok_or_else(|| wrong(value, "white or black"))?.1);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Checks that games were counted by what is asked for. Fails if they were not.
    pub(crate) fn check(&self, by: &GroupBy) -> Result<(), Refusal> {
        for (name, date) in [("since", &self.since), ("until", &self.until)] {
            let Some(date) = date else { continue };
            if !by.month && (!by.year || date.len() > 4) {
                return Err(not_counted(name));
            }
        }
        let is_band = |rating: &u16| *rating == 0 || by.ratings.contains(rating);
        if !self.ratings.is_empty() && by.ratings.is_empty() {
            return Err(not_counted("ratings"));
        }
        if let Some(other) = self.ratings.iter().find(|rating| !is_band(rating)) {
            let bands: Vec<String> = by.ratings.iter().map(u16::to_string).collect();
            let bands = bands.join(", ");
            let reason = format!("ratings: {other} begins no band; these begin at 0, {bands}");
            return Err(Refusal::bad(reason));
        }
        if !self.speeds.is_empty() && !by.speed {
            return Err(not_counted("speeds"));
        }
        if self.player.is_some() && !by.player {
            return Err(not_counted("player"));
        }
        if self.side.is_some() && self.player.is_none() {
            return Err(Refusal::bad("color: whose? give a player, too"));
        }
        Ok(())
    }

    /// Whether the games of a class are asked for. What is not known of them is not.
    pub(crate) fn wants(&self, class: &GameClass) -> bool {
        let year = class.year.map(|year| format!("{year:04}"));
        let date = class.month.as_ref().or(year.as_ref());
        // A year is compared with the year of a month.
        let compared = |bound: &String| {
            // By bytes, since a file may have any text.
            let date = date?.as_bytes();
            Some(date[..bound.len().min(date.len())].cmp(bound.as_bytes()))
        };
        let is_since = |bound: &String| compared(bound).is_some_and(Ordering::is_ge);
        let is_until = |bound: &String| compared(bound).is_some_and(Ordering::is_le);
        let names = [(Color::White, &class.white), (Color::Black, &class.black)];
        let is_of = |player: &String| {
            names.iter().any(|(side, name)| {
                let is_side = self.side.is_none_or(|wanted| wanted == *side);
                is_side && name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(player))
            })
        };
        self.since.as_ref().is_none_or(is_since)
            && self.until.as_ref().is_none_or(is_until)
            && is_among(&self.ratings, class.rating)
            && is_among(&self.speeds, class.speed)
            && self.player.as_ref().is_none_or(is_of)
    }
}

fn is_among<T: PartialEq>(wanted: &[T], value: Option<T>) -> bool {
    wanted.is_empty() || value.is_some_and(|value| wanted.contains(&value))
}

fn is_date(text: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('-') {
        None => text.len() == 4 && is_number(text),
        Some((year, month)) => {
            let is_month = month.parse().is_ok_and(|month: u8| (1..=12).contains(&month));
            year.len() == 4 && is_number(year) && month.len() == 2 && is_number(month) && is_month
        }
    }
}

/// A selection by what was not counted is refused, not ignored: the counts would be wrong.
pub(crate) fn not_counted(name: &str) -> Refusal {
    Refusal::bad(format!("{name}: the games were not counted in such classes"))
}

#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) position: Position,
    /// The last name on the way to the position.
    pub(crate) name: Option<&'static Name>,
    pub(crate) moves: usize,
    pub(crate) top_games: usize,
    pub(crate) recent_games: usize,
    /// Whether moves are listed of which no game has a result.
    pub(crate) has_undecided: bool,
    pub(crate) classes: ClassFilter,
}

impl Question {
    /// Reads the parameters of a request. Names that Lichess' explorer does not know are ignored,
    /// as there. Fails if a value is not one of its parameter, or a move is not legal.
    pub(crate) fn of<'a>(
        parameters: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Refusal> {
        let (mut fen, mut play) = (None, None);
        let (mut classes, mut has_undecided) = (ClassFilter::default(), false);
        let [mut moves, mut top_games, mut recent_games] = [usize::MAX; 3];
        for (name, value) in parameters {
            if value.is_empty() {
                continue;
            }
            match &*name {
                "fen" => fen = Some(value),
                "play" => play = Some(value),
                "moves" => moves = number(&name, &value)?,
                "topGames" => top_games = number(&name, &value)?,
                "recentGames" => recent_games = number(&name, &value)?,
                "undecided" => has_undecided = !is_false(&value),
                "variant" => variant(&value)?,
                "history" if !is_false(&value) => return Err(not_counted(&name)),
                "modes" => return Err(not_counted(&name)),
                _ => drop(classes.read(&name, &value)?),
            }
        }
        let start = fen.map_or(Ok(Position::default()), |fen| position(&fen))?;
        let (position, name) = played(start, play.as_deref().unwrap_or_default())?;
        Ok(Question { position, name, moves, top_games, recent_games, has_undecided, classes })
    }

    /// Reads the parameters of an object. Fails like [`Question::of`], or if it has other values.
    pub(crate) fn of_json(value: &Value) -> Result<Self, Refusal> {
        let Value::Object(members) = value else {
            return Err(Refusal::bad("a position is an object such as {\"fen\": \"…\"}"));
        };
        let text = |(name, value): (&'_ String, &Value)| {
            let value = match value {
                Value::Bool(value) => value.to_string(),
                Value::Null => String::new(),
                Value::Array(list) if ["play", "speeds", "ratings"].contains(&&**name) => {
                    let list: Option<Vec<String>> = list.iter().map(plain).collect();
                    let wrong = || Refusal::bad(format!("{name}: not a list of texts or numbers"));
                    list.ok_or_else(wrong)?.join(",")
                }
                value => plain(value)
                    .ok_or_else(|| Refusal::bad(format!("{name}: neither a text nor a number")))?,
            };
            Ok((Cow::Owned(name.clone()), Cow::Owned(value)))
        };
        let parameters: Vec<_> = members.iter().map(text).collect::<Result<_, _>>()?;
        Question::of(parameters)
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn number(name: &str, value: &str) -> Result<usize, Refusal> {
    value.parse().map_err(|_| Refusal::bad(format!("{name}: {value:?} is not a number")))
}

fn is_false(value: &str) -> bool {
    ["0", "false", "no", "off"].iter().any(|no| value.eq_ignore_ascii_case(no))
}

fn variant(value: &str) -> Result<(), Refusal> {
    let is_chess = ["standard", "chess", "chess960", "fromposition"]
        .iter()
        .any(|chess| value.eq_ignore_ascii_case(chess));
    if is_chess { Ok(()) } else { Err(Refusal::bad(format!("variant: {value:?} is not counted"))) }
}

/// Reads a FEN, of which spaces may be written as `_`.
fn position(fen: &str) -> Result<Position, Refusal> {
    let fen = fen.replace('_', " ");
    Position::from_fen(&fen).map_err(|error| Refusal::bad(format!("fen: {error}")))
}

/// Plays moves, separated by commas, and follows the names.
fn played(
    mut position: Position,
    moves: &str,
) -> Result<(Position, Option<&'static Name>), Refusal> {
    let openings = Openings::embedded();
    let mut name = openings.classify(&position);
    for (i, token) in moves.split(',').filter(|token| !token.is_empty()).enumerate() {
        let next = resolve(&position, token.as_bytes())
            .map_err(|error| Refusal::bad(format!("play: move {}, {token:?}: {error}", i + 1)))?;
        position.play_unchecked(next);
        name = openings.classify(&position).or(name);
    }
    // Castling is written as the king taking its rook, as by Lichess' explorer.
    position.set_chess960();
    Ok((position, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(parameters: &[(&str, &str)]) -> ClassFilter {
        let mut filter = ClassFilter::default();
        for (name, value) in parameters {
            assert!(filter.read(name, value).unwrap(), "{name}");
        }
        filter
    }

    #[test]
    fn classes_are_selected_by_dates_ratings_speeds_and_players() {
        let month = |month: &str| GameClass { month: Some(month.into()), ..GameClass::default() };
        let year = |year| GameClass { year: Some(year), ..GameClass::default() };
        let rating = |rating| GameClass { rating: Some(rating), ..GameClass::default() };
        let speed = |speed| GameClass { speed: Some(speed), ..GameClass::default() };
        let unknown = GameClass::default();
        for (parameters, class, expected) in [
            (&[][..], unknown.clone(), true),
            (&[("since", "2020")], month("2020-01"), true),
            (&[("since", "2020")], month("2019-12"), false),
            (&[("since", "2020-05")], month("2020-05"), true),
            (&[("since", "2020-05")], month("2020-04"), false),
            (&[("since", "2020")], unknown.clone(), false),
            (&[("until", "2020")], month("2020-12"), true),
            (&[("until", "2020")], month("2021-01"), false),
            (&[("until", "2020-05")], month("2020-06"), false),
            (&[("since", "2019"), ("until", "2020")], year(2020), true),
            (&[("since", "2019"), ("until", "2020")], year(2018), false),
            (&[("since", "0990")], year(990), true),
            // A file may have any text.
            (&[("until", "2020")], month("201é"), true),
            (&[("since", "2020")], month(""), false),
            (&[("ratings", "0,2000")], rating(0), true),
            (&[("ratings", "0,2000")], rating(1600), false),
            (&[("ratings", "0")], unknown.clone(), false),
            (&[("speeds", "blitz,rapid")], speed(Speed::Rapid), true),
            (&[("speeds", "blitz,rapid")], speed(Speed::Bullet), false),
        ] {
            assert_eq!(filter(parameters).wants(&class), expected, "{parameters:?} {class:?}");
        }
        let player = [("player", "carlsen")];
        for (parameters, expected) in [
            (&player[..], [true, true]),
            (&[player[0], ("color", "white")], [true, false]),
            (&[player[0], ("color", "Black")], [false, true]),
        ] {
            let filter = filter(parameters);
            let game = |white: &str, black: &str| {
                let (white, black) = (Some(white.into()), Some(black.into()));
                GameClass { white, black, ..GameClass::default() }
            };
            let games = [game("Carlsen", "x"), game("x", "Carlsen")];
            assert_eq!(games.map(|game| filter.wants(&game)), expected, "{parameters:?}");
            assert!(!filter.wants(&unknown) && !filter.wants(&game("x", "carlse")));
        }
    }

    #[test]
    fn what_was_not_counted_or_has_no_meaning_is_refused() {
        for (name, values) in [
            ("since", "20 2020-13 2020-+1"),
            ("until", "2020-1 x"),
            ("ratings", "1600,x -1"),
            ("speeds", "fast blitz,"),
            ("color", "w"),
        ] {
            for value in values.split(' ') {
                assert!(ClassFilter::default().read(name, value).is_err(), "{name} {value}");
            }
        }
        for (by, name, value, is_allowed) in [
            ("speed", "since", "2020", false),
            ("year", "since", "2020", true),
            ("year", "until", "2020-05", false),
            ("month", "until", "2020-05", true),
            ("month", "until", "2020", true),
            ("month", "speeds", "blitz", false),
            ("rating:1600", "ratings", "1600,0", true),
            ("rating:1600", "ratings", "2000", false),
            ("player", "ratings", "0", false),
        ] {
            let checked = filter(&[(name, value)]).check(&by.parse().unwrap());
            assert_eq!(checked.is_ok(), is_allowed, "{by} {name} {value}");
        }
    }
}

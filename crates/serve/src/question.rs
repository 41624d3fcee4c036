//! What a client asks: a position, and how much of it.

use std::borrow::Cow;

use openings::{Name, Openings};
use san::{Position, resolve};
use serde_json::Value;

use crate::class_filter::{ClassFilter, not_counted};
use crate::refusal::Refusal;

/// A position, and the limits of its answer.
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
    /// as there.
    ///
    /// # Errors
    ///
    /// If a value is not one of its parameter, or a move is not legal.
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

    /// Reads the parameters that an object has.
    ///
    /// # Errors
    ///
    /// As [`Question::of`], or if the value is not an object of texts and numbers.
    pub(crate) fn of_json(value: &Value) -> Result<Self, Refusal> {
        let Value::Object(members) = value else {
            return Err(Refusal::bad("a position is an object such as {\"fen\": \"…\"}"));
        };
        let text = |(name, value): (&'_ String, &Value)| {
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Bool(value) => value.to_string(),
                Value::Null => String::new(),
                Value::Array(list) if ["play", "speeds", "ratings"].contains(&&**name) => {
                    let list: Option<Vec<String>> = list.iter().map(plain).collect();
                    let wrong = || Refusal::bad(format!("{name}: not a list of texts or numbers"));
                    list.ok_or_else(wrong)?.join(",")
                }
                _ => return Err(Refusal::bad(format!("{name}: neither a text nor a number"))),
            };
            Ok((Cow::Owned(name.clone()), Cow::Owned(value)))
        };
        let parameters: Vec<_> = members.iter().map(text).collect::<Result<_, _>>()?;
        Question::of(parameters)
    }
}

/// Returns a text or a number as text.
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

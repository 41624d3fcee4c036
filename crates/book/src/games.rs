//! The classes of games that are counted separately, and what is known of each game, to which the
//! entries of a table refer by its number.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use emit::{Ratings, date_of_game, time_control};
use pgn::{TagPair, known_value};
use san::keywords;
use serde::{Deserialize, Serialize};

use crate::block::GameInfoRef;
use crate::tally::{GameFacts, SourceLocation};

/// By what games are divided into classes, each of which is counted separately.
///
/// ```
/// let by: book::GroupBy = "rating:1600,2000,speed,month".parse()?;
/// assert_eq!(by.to_string(), "rating:1600,2000,speed,month");
/// # Ok::<_, book::GroupByError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GroupBy {
    /// The least mean ratings of bands, in ascending order; games with less are in a band from 0.
    pub ratings: Vec<u16>,
    /// By the speed of the game.
    pub speed: bool,
    /// By year.
    pub year: bool,
    /// By month.
    pub month: bool,
    /// By the players of both sides.
    pub player: bool,
}

/// Why a text is not a [`GroupBy`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupByError {
    /// A word is not known.
    #[error("{0:?} is none of rating:RATING,…, speed, year, month and player")]
    Unknown(String),
    /// Ratings are not numbers in ascending order.
    #[error("{0:?} does not follow as a rating: give numbers from 1 to 9999 in ascending order")]
    Rating(String),
}

/// What the games of a class have in common; what is not known of them, or not in [`GroupBy`], is
/// missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct GameClass {
    /// The least mean rating of the band.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// The speed, in Lichess' words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<Speed>,
    /// The year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// Year and month: `2026-11`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<String>,
    /// The player of the white pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// The player of the black pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
}

keywords! {
    /// The speed of a game: by the time for 40 moves, as on Lichess.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Speed {
        /// Less than 30 seconds.
        UltraBullet = "ultraBullet",
        /// Less than 3 minutes.
        Bullet = "bullet",
        /// Less than 8 minutes.
        Blitz = "blitz",
        /// Less than 25 minutes.
        Rapid = "rapid",
        /// Less than 6 hours.
        Classical = "classical",
        /// More, or without a time control.
        Correspondence = "correspondence",
    }
}

impl Serialize for Speed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Speed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Speed {
    fn of(tags: &[TagPair<'_>]) -> Option<Self> {
        if let Some((base, increment)) = time_control(tags) {
            let seconds = base + 40.0 * increment;
            let limits = [
                (30.0, Speed::UltraBullet),
                (180.0, Speed::Bullet),
                (480.0, Speed::Blitz),
                (1500.0, Speed::Rapid),
                (21_600.0, Speed::Classical),
            ];
            let found = limits.into_iter().find(|(limit, _)| seconds < *limit);
            return Some(found.map_or(Speed::Correspondence, |(_, speed)| speed));
        }
        // PGN standard 9.6.1: no time control was in use.
        let tag = tags.iter().find(|tag| tag.name() == b"TimeControl")?;
        (tag.value().trim_ascii() == b"-").then_some(Speed::Correspondence)
    }
}

/// Bands of Lichess' explorer.
const LICHESS: [u16; 8] = [1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// Longest name of a player in a class in bytes; others are cut.
const LONGEST_NAME: usize = 100;

impl GroupBy {
    /// Whether all games are counted together.
    pub fn is_empty(&self) -> bool {
        *self == GroupBy::default()
    }

    /// Returns the class of a game as text; empty if all games are counted together.
    pub(crate) fn text_of(&self, tags: &[TagPair<'_>]) -> String {
        if self.is_empty() { String::new() } else { self.class_of(tags).to_text() }
    }

    /// Returns the class of a game.
    pub fn class_of(&self, tags: &[TagPair<'_>]) -> GameClass {
        let mut class = GameClass::default();
        if !self.ratings.is_empty() {
            let band = |mean: f64| {
                let before = self.ratings.partition_point(|least| f64::from(*least) <= mean);
                before.checked_sub(1).map_or(0, |band| self.ratings[band])
            };
            class.rating = Ratings::of(tags).mean().map(band);
        }
        if self.speed {
            class.speed = Speed::of(tags);
        }
        if self.year || self.month {
            let [year, month, _] = date_of_game(tags);
            class.year = (self.year && year > 0).then_some(year as u16);
            class.month = (self.month && month > 0).then(|| format!("{year:04}-{month:02}"));
        }
        if self.player {
            let name = |tag: &[u8]| {
                let mut name = known_value(tags, tag)?.into_owned();
                name.truncate(name.floor_char_boundary(LONGEST_NAME));
                Some(name)
            };
            (class.white, class.black) = (name(b"White"), name(b"Black"));
        }
        class
    }
}

impl GameClass {
    /// Returns the class as text: a JSON object, which is the same for equal classes.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a class has only numbers and texts")
    }

    pub(crate) fn of_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

impl FromStr for GroupBy {
    type Err = GroupByError;

    fn from_str(text: &str) -> Result<Self, GroupByError> {
        let mut by = GroupBy::default();
        let mut is_rating = false;
        for word in text.split(',').map(str::trim) {
            let follows = is_rating && word.starts_with(|c: char| c.is_ascii_digit());
            let rating = word.strip_prefix("rating:").or(follows.then_some(word));
            is_rating = rating.is_some();
            match word {
                "rating" => by.ratings = LICHESS.into(),
                "speed" => by.speed = true,
                "year" => by.year = true,
                "month" => by.month = true,
                "player" => by.player = true,
                _ => {
                    let rating = rating.ok_or_else(|| GroupByError::Unknown(word.to_owned()))?;
                    let least = rating.parse().ok().filter(|least| (1..=9999).contains(least));
                    let least = least.filter(|least| by.ratings.last() < Some(least));
                    by.ratings.push(least.ok_or_else(|| GroupByError::Rating(rating.to_owned()))?);
                }
            }
        }
        Ok(by)
    }
}

impl fmt::Display for GroupBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratings: Vec<String> = self.ratings.iter().map(u16::to_string).collect();
        let ratings = (!ratings.is_empty()).then(|| format!("rating:{}", ratings.join(",")));
        let words = [
            (self.speed, "speed"),
            (self.year, "year"),
            (self.month, "month"),
            (self.player, "player"),
        ];
        let words =
            words.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word.to_owned());
        f.write_str(&ratings.into_iter().chain(words).collect::<Vec<_>>().join(","))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Games {
    games: Vec<Game>,
    /// Names and start positions.
    text: String,
    /// Moves, two bytes each.
    moves: Vec<u8>,
    classes: Classes,
}

/// [Texts](crate::GameClass), numbered from 1 in the order of arrival; 0 is the empty text.
#[derive(Debug, Default)]
struct Classes {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
    /// Total length of the texts.
    bytes: usize,
}

/// Maximum number of classes, to which entries refer by 16 bits.
const MOST_CLASSES: usize = u16::MAX as usize;

#[derive(Clone, Copy, Debug)]
struct Game {
    facts: GameFacts,
    file: u32,
    number: u64,
    class: u32,
    /// Offsets of its names and its moves, which end where those of the next game begin.
    text: usize,
    moves: usize,
    /// The lengths of its names and its start.
    lens: [u8; 3],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GamePly {
    /// Index in [`Games`].
    pub(crate) game: u32,
    pub(crate) ply: u32,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
}

impl Games {
    pub(crate) fn clear(&mut self) {
        self.games.clear();
        self.text.clear();
        self.moves.clear();
        self.classes = Classes::default();
    }

    /// Returns the memory used, in bytes.
    pub(crate) fn used(&self) -> usize {
        let Games { games, text, moves, classes } = self;
        games.len() * size_of::<Game>() + text.len() + moves.len() + classes.used()
    }

    /// Whether all game numbers are used.
    pub(crate) fn is_full(&self) -> bool {
        self.games.len() >= u32::MAX as usize || self.classes.texts.len() >= MOST_CLASSES
    }

    /// Adds a game with the names of its players and its start, which have at most 255 bytes.
    pub(crate) fn begin(
        &mut self,
        facts: GameFacts,
        file: u32,
        number: u64,
        class: &str,
        info: [&str; 3],
        moves: &[u16],
    ) {
        let class = self.classes.number(class);
        let (text, at) = (self.text.len(), self.moves.len());
        let lens = info.map(|part| part.len() as u8);
        self.games.push(Game { facts, file, number, class, text, moves: at, lens });
        info.into_iter().for_each(|part| self.text.push_str(part));
        self.moves.extend(moves.iter().flat_map(|code| code.to_le_bytes()));
    }

    /// Returns the index of the game that is added next.
    pub(crate) fn next(&self) -> u32 {
        self.games.len() as u32
    }

    /// Adds a game of a chunk that has `before` games before it in its file.
    pub(crate) fn add(&mut self, chunk: &Games, game: u32, file: u32, before: u64) {
        let class = self.class_number(chunk, game).into();
        let Game { facts, number, lens, .. } = chunk.games[game as usize];
        let (text, moves, number) = (self.text.len(), self.moves.len(), before + number);
        self.games.push(Game { facts, file, number, class, text, moves, lens });
        let end = chunk.games.get(game as usize + 1).map_or(chunk.text.len(), |game| game.text);
        self.text.push_str(&chunk.text[chunk.games[game as usize].text..end]);
        self.moves.extend_from_slice(chunk.moves(game, u32::MAX));
    }

    /// Adds the game's class if it is new, for which this must not be [full](Games::is_full).
    #[inline]
    pub(crate) fn class_number(&mut self, chunk: &Games, game: u32) -> u16 {
        let class = chunk.class(chunk.games[game as usize].class);
        self.classes.number(class).try_into().expect("there are fewer classes")
    }

    #[inline]
    pub(crate) fn class(&self, number: u32) -> &str {
        self.classes.texts.get((number as usize).wrapping_sub(1)).map_or("", |text| text)
    }

    #[inline]
    pub(crate) fn facts(&self, game: u32) -> GameFacts {
        self.games[game as usize].facts
    }

    /// Returns its number in its file.
    pub(crate) fn number(&self, game: u32) -> u64 {
        self.games[game as usize].number
    }

    #[inline]
    pub(crate) fn occurrence(&self, seen: GamePly) -> SourceLocation {
        let GamePly { game, ply, halfmoves, fullmoves } = seen;
        let Game { file, number, .. } = self.games[game as usize];
        SourceLocation {
            file,
            game: number,
            ply,
            halfmoves,
            fullmoves,
            ..SourceLocation::default()
        }
    }

    /// Loops without other work, so that the processor overlaps the cache misses.
    #[inline]
    pub(crate) fn fetch(&self, games: impl Iterator<Item = u32> + Clone) {
        let starts = games.map(|game| self.games[game as usize].text);
        std::hint::black_box(starts.clone().fold(0, |all, start| all | start));
        let byte = |start: usize| self.text.as_bytes().get(start).copied().unwrap_or_default();
        std::hint::black_box(starts.fold(0, |all, start| all | byte(start)));
    }

    /// Returns its names, and its moves before a position.
    #[inline]
    pub(crate) fn info(&self, at: GamePly) -> GameInfoRef<'_> {
        let Game { text, lens, .. } = self.games[at.game as usize];
        let [white, black, start] = lens.map(usize::from);
        let (white, rest) = self.text[text..].split_at(white);
        let (black, rest) = rest.split_at(black);
        GameInfoRef { white, black, start: &rest[..start], moves: self.moves(at.game, at.ply) }
    }

    /// Returns the first `plies` moves, or all.
    #[inline]
    fn moves(&self, game: u32, plies: u32) -> &[u8] {
        let end = self.games.get(game as usize + 1).map_or(self.moves.len(), |game| game.moves);
        let moves = &self.moves[self.games[game as usize].moves..end];
        &moves[..moves.len().min(2 * plies as usize)]
    }
}

impl Classes {
    /// Returns the memory used, in bytes.
    fn used(&self) -> usize {
        2 * self.bytes + 4 * self.texts.len() * size_of::<Box<str>>()
    }

    /// Returns the number of a class, which is added if it is new.
    fn number(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        self.texts.push(text.into());
        self.bytes += text.len();
        let number = self.texts.len() as u32;
        self.numbers.insert(text.into(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use pgn::games;

    use super::*;

    fn class(by: &str, tags: &str) -> String {
        let by: GroupBy = by.parse().unwrap();
        let text = format!("{tags}\n\n*");
        by.class_of(games(text.as_bytes()).next().unwrap().tags()).to_text()
    }

    #[test]
    fn a_game_is_in_the_class_of_its_tags() {
        let ratings = |white, black| format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]");
        let time = |control: &str| format!("[TimeControl \"{control}\"]");
        for (by, tags, expected) in [
            ("rating:1600,2000", ratings(1599, 1600), r#"{"rating":0}"#),
            ("rating:1600,2000", ratings(1600, 1600), r#"{"rating":1600}"#),
            ("rating:1600,2000", ratings(1999, 2000), r#"{"rating":1600}"#),
            ("rating:1600,2000", ratings(2900, 2800), r#"{"rating":2000}"#),
            ("rating", ratings(2900, 2800), r#"{"rating":2500}"#),
            ("rating:1600,2000", "[WhiteElo \"2000\"]".into(), "{}"),
            ("speed", time("15"), r#"{"speed":"ultraBullet"}"#),
            ("speed", time("60+0"), r#"{"speed":"bullet"}"#),
            ("speed", time("180"), r#"{"speed":"blitz"}"#),
            ("speed", time("300+4"), r#"{"speed":"blitz"}"#),
            ("speed", time("300+5"), r#"{"speed":"rapid"}"#),
            ("speed", time("40/5400+30:1800+30"), r#"{"speed":"classical"}"#),
            ("speed", time("1/86400"), r#"{"speed":"correspondence"}"#),
            ("speed", time("-"), r#"{"speed":"correspondence"}"#),
            ("speed", time("?"), "{}"),
            ("year", "[Date \"2024.05.??\"]".into(), r#"{"year":2024}"#),
            ("month", "[Date \"2024.05.??\"]".into(), r#"{"month":"2024-05"}"#),
            ("month", "[Date \"2024.??.??\"]".into(), "{}"),
            ("year,month", "[Date \"2024.??.??\"]".into(), r#"{"year":2024}"#),
            ("player", "[White \"A \\\"B\\\"\"]\n[Black \"?\"]".into(), r#"{"white":"A \"B\""}"#),
            ("player", "[White \"é\"]\n[Black \"C\"]".into(), r#"{"white":"é","black":"C"}"#),
        ] {
            let found = class(by, &tags);
            assert_eq!(found, expected, "{by} {tags}");
            assert_eq!(GameClass::of_text(&found).unwrap().to_text(), found);
        }
        let long = class("player", &format!("[White \"{}\"]", "é".repeat(200)));
        assert_eq!(long, format!("{{\"white\":\"{}\"}}", "é".repeat(50)));
    }

    #[test]
    fn groups_are_read_as_they_are_written() {
        let by = |text: &str| text.parse::<GroupBy>().map(|by| by.to_string());
        for (text, written) in [
            ("rating:400,1000", "rating:400,1000"),
            ("speed,rating:400, 1000 ,player", "rating:400,1000,speed,player"),
            ("rating", "rating:1000,1200,1400,1600,1800,2000,2200,2500"),
            ("year,month", "year,month"),
        ] {
            assert_eq!(by(text).as_deref(), Ok(written));
            assert_eq!(by(written).as_deref(), Ok(written));
        }
        for wrong in ["", "elo", "1000", "speed,1000", "year,"] {
            assert!(matches!(by(wrong), Err(GroupByError::Unknown(_))), "{wrong}");
        }
        for wrong in
            ["rating:", "rating:x", "rating:1000,900", "rating:1,1", "rating:0", "rating:10000"]
        {
            assert!(matches!(by(wrong), Err(GroupByError::Rating(_))), "{wrong}");
        }
    }
}

//! The classes of games that are counted separately.

use std::fmt;
use std::str::FromStr;

use emit::{Ratings, date_of_game, time_control};
use pgn::{TagPair, known_value};
use san::keywords;
use serde::{Deserialize, Serialize};

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
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum GroupByError {
    #[error("{0:?} is none of rating:RATING,…, speed, year, month and player")]
    Unknown(String),
    #[error("{0:?} does not follow as a rating: give numbers from 1 to 9999 in ascending order")]
    Rating(String),
}

/// What the games of a class have in common; what is unknown, or not in [`GroupBy`], is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GameClass {
    /// The least mean rating of the band.
    pub rating: Option<u16>,
    /// The speed, in Lichess' words.
    pub speed: Option<Speed>,
    /// The year.
    pub year: Option<u16>,
    /// Year and month: `2026-11`.
    pub month: Option<String>,
    /// The player of the white pieces.
    pub white: Option<String>,
    /// The player of the black pieces.
    pub black: Option<String>,
}

keywords! {
    /// The speed of a game: by the time for 40 moves, as on Lichess.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
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
    pub(crate) fn bytes(&self) -> usize {
        let texts = [&self.month, &self.white, &self.black].into_iter().flatten();
        size_of::<Self>() + texts.map(String::len).sum::<usize>()
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

#[cfg(test)]
mod tests {
    use pgn::games;

    use super::*;

    /// Returns what is known of the class, as JSON.
    fn class(by: &str, tags: &str) -> String {
        let by: GroupBy = by.parse().unwrap();
        let text = format!("{tags}\n\n*");
        let class = by.class_of(games(text.as_bytes()).next().unwrap().tags());
        let written = serde_json::to_string(&class).unwrap();
        let known = written.trim_matches(['{', '}']).split(',');
        let known: Vec<_> = known.filter(|member| !member.ends_with(":null")).collect();
        format!("{{{}}}", known.join(","))
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

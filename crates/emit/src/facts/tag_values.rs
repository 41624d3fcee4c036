//! Numbers, ratings and dates in tags: one reading for conditions, columns, templates and books.

use pgn::TagPair;

use super::Fact;

/// Parses the value of a tag as a number, ignoring white space around it.
pub(crate) fn decimal(text: &[u8]) -> Option<f64> {
    let text = text.trim_ascii();
    // Fast path for ratings, which nearly all values are.
    if text.len() <= 9 && !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
        return Some(text.iter().fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0')).into());
    }
    if !text.last()?.is_ascii_digit() {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The ratings of the players, if they are numbers above 0 and below 10,000.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ratings {
    /// The rating of White.
    pub white: Option<f64>,
    /// The rating of Black.
    pub black: Option<f64>,
}

impl Ratings {
    /// Returns the ratings in the tags of a game.
    ///
    /// ```
    /// use emit::Ratings;
    /// use pgn::Scanner;
    ///
    /// let mut scanner = Scanner::new(b"[WhiteElo \"2800\"]\n[BlackElo \" 2701.0 \"]\n\n1. e4 *");
    /// scanner.next_game();
    /// assert_eq!(Ratings::of(scanner.tags()).mean(), Some(2750.5));
    /// ```
    pub fn of(tags: &[TagPair<'_>]) -> Self {
        let elo = |name: &[u8]| {
            let tag = tags.iter().find(|tag| tag.name() == name)?;
            decimal(&tag.value()).filter(|elo| *elo > 0.0 && *elo < 9999.5)
        };
        Ratings { white: elo(b"WhiteElo"), black: elo(b"BlackElo") }
    }

    /// Returns the mean, if both are known.
    pub fn mean(self) -> Option<f64> {
        Some((self.white? + self.black?) / 2.0)
    }

    pub(crate) fn value(self, fact: Fact) -> Option<f64> {
        match fact {
            Fact::BlackElo => self.black.map(f64::round),
            Fact::WhiteElo => self.white.map(f64::round),
            _ => self.mean(),
        }
    }
}

/// Reads year, month, day: `1851.06.21`, `18510621`, `1851-??-??`; 0 from an unknown part on.
pub(crate) fn date(text: &[u8]) -> [u32; 3] {
    let text = text.trim_ascii();
    if text.len() == 8 && text.iter().all(u8::is_ascii_digit) {
        return date_of_parts([&text[..4], &text[4..6], &text[6..]].into_iter());
    }
    date_of_parts(text.split(|byte| matches!(byte, b'.' | b'-' | b'/')))
}

fn date_of_parts<'t>(parts: impl Iterator<Item = &'t [u8]>) -> [u32; 3] {
    let mut date = [0; 3];
    for (index, part) in parts.map(<[u8]>::trim_ascii).take(3).enumerate() {
        let len = if index == 0 { 4..=4 } else { 1..=2 };
        if !len.contains(&part.len()) || !part.iter().all(u8::is_ascii_digit) {
            break;
        }
        let number = part.iter().fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0'));
        let most = match index {
            0 => 9999,
            1 => 12,
            _ => days_of_month(date[0], date[1]),
        };
        if !(1..=most).contains(&number) {
            break;
        }
        date[index] = number;
    }
    date
}

fn days_of_month(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns year, month and day of a game: those of the tag `Date`, or else of `UTCDate`, if the
/// year is known.
///
/// Lichess writes both; other servers have only the second.
///
/// ```
/// let game = pgn::games(b"[UTCDate \"2019.05.03\"]\n[Date \"????.??.??\"]\n\n*").next().unwrap();
/// assert_eq!(emit::date_of_game(game.tags()), [2019, 5, 3]);
/// ```
pub fn date_of_game(tags: &[TagPair<'_>]) -> [u32; 3] {
    let value = |name: &[u8]| tags.iter().find(|tag| tag.name() == name).map(TagPair::value);
    let dates = [b"Date".as_slice(), b"UTCDate"].into_iter().filter_map(value);
    dates.map(|text| date(&text)).find(|[year, ..]| *year > 0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_far_as_they_are_known() {
        let cases = [
            ("1970.01.01", [1970, 1, 1]),
            ("2024.02.29", [2024, 2, 29]),
            (" 1851-06-21", [1851, 6, 21]),
            ("1851/6/1 ", [1851, 6, 1]),
            ("19990503", [1999, 5, 3]),
            ("19991340", [1999, 0, 0]),
            ("1992.08.??", [1992, 8, 0]),
            ("1992.??.01", [1992, 0, 0]),
            ("1992", [1992, 0, 0]),
            ("2023.02.29", [2023, 2, 0]),
            ("1900.02.29", [1900, 2, 0]),
            ("2000.02.29", [2000, 2, 29]),
            ("2023.13.01", [2023, 0, 0]),
            ("99.01.01", [0; 3]),
            ("0000.01.01", [0; 3]),
            ("21.06.1851", [0; 3]),
            ("????.??.??", [0; 3]),
            ("199905031", [0; 3]),
            ("", [0; 3]),
        ];
        for (text, expected) in cases {
            assert_eq!(date(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn ratings_are_numbers_that_a_player_may_have() {
        let cases = [
            ("2400", Some(2400.0)),
            (" 2400 ", Some(2400.0)),
            ("2500.5", Some(2500.5)),
            ("0", None),
            ("-5", None),
            ("10000", None),
            ("1e9", None),
            ("?", None),
            ("2400?", None),
            ("nan", None),
        ];
        for (value, expected) in cases {
            let text = format!("[WhiteElo \"{value}\"]\n\n*");
            let game = pgn::games(text.as_bytes()).next().unwrap();
            let ratings = Ratings { white: expected, black: None };
            assert_eq!(Ratings::of(game.tags()), ratings, "{value}");
        }
    }
}

//! The date and the time control of a game, from its tags.

use pgn::TagPair;

use super::tag_values::{date_of_game, decimal};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TimeTags {
    /// Days since 1 January 1970, if year, month and day are known.
    pub(crate) date: Option<i32>,
    pub(crate) year: Option<u32>,
    /// Seconds of the first period.
    pub(crate) base: Option<f64>,
    /// Seconds added for each move of the first period.
    pub(crate) increment: Option<f64>,
}

impl TimeTags {
    pub(crate) fn of(tags: &[TagPair<'_>]) -> Self {
        let [year, month, day] = date_of_game(tags);
        let date = (day > 0).then(|| days((year as i32, month as i32, day as i32)));
        let (base, increment) = time_control(tags).unzip();
        TimeTags { date, year: (year > 0).then_some(year), base, increment }
    }
}

/// Returns the seconds of the first period of a game, and those added for each move, if known.
pub fn time_control(tags: &[TagPair<'_>]) -> Option<(f64, f64)> {
    let tag = tags.iter().find(|tag| tag.name() == b"TimeControl")?;
    read_time_control(&tag.value())
}

/// Returns seconds and increment of the first period (PGN 9.6.1): `40/9000`, `300`, `300+3`.
fn read_time_control(text: &[u8]) -> Option<(f64, f64)> {
    let period = text.trim_ascii().split(|byte| *byte == b':').next()?;
    let time = period.rsplit(|byte| *byte == b'/').next()?;
    let mut parts = time.splitn(2, |byte| *byte == b'+');
    let is_time = |seconds: &f64| seconds.is_finite() && *seconds >= 0.0;
    let base = decimal(parts.next()?).filter(is_time)?;
    let increment = match parts.next() {
        Some(part) => decimal(part).filter(is_time)?,
        None => 0.0,
    };
    Some((base, increment))
}

/// Days from 1 March of year 0 to 1 January 1970.
const EPOCH: i32 = 719_468;

// A library for dates would bring more crates than the library may depend on without features.
/// Returns the days since 1 January 1970 of a date in the Gregorian calendar: year, month, day.
fn days((year, month, day): (i32, i32, i32)) -> i32 {
    // Years begin in March, so that a leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    of_years + (153 * month + 2) / 5 + day - 1 - EPOCH
}

#[cfg(test)]
mod tests {
    use table::write_date;

    use super::*;

    #[test]
    fn each_day_of_the_calendar_has_one_number() {
        let mut expected = days((1, 1, 1));
        for year in 1..=2400 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let february = if is_leap { 29 } else { 28 };
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                for day in 1..=length {
                    assert_eq!(days((year, month, day)), expected);
                    let mut text = Vec::new();
                    write_date(expected, &mut text);
                    assert_eq!(text, format!("{year:04}-{month:02}-{day:02}").as_bytes());
                    expected += 1;
                }
            }
        }
        assert_eq!((days((1970, 1, 1)), days((2000, 3, 1))), (0, 11_017));
    }

    #[test]
    fn the_first_period_of_a_time_control_is_read() {
        let cases = [
            ("300+3", Some((300.0, 3.0))),
            ("10+0.1", Some((10.0, 0.1))),
            ("300", Some((300.0, 0.0))),
            ("40/9000", Some((9000.0, 0.0))),
            ("40/5400+30:1800+30", Some((5400.0, 30.0))),
            ("1/86400", Some((86400.0, 0.0))),
            ("-", None),
            ("?", None),
            ("*180", None),
            ("300+", None),
            ("40 moves", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read_time_control(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn the_date_of_the_game_counts_before_that_of_the_server() {
        let tags = "[UTCDate \"2020.01.02\"]\n[Date \"2019.??.??\"]\n[TimeControl \"60+1\"]\n\n*";
        let game = pgn::games(tags.as_bytes()).next().unwrap();
        let expected =
            TimeTags { date: None, year: Some(2019), base: Some(60.0), increment: Some(1.0) };
        assert_eq!(TimeTags::of(game.tags()), expected);
        let tags = "[UTCDate \"1970.01.02\"]\n[Date \"????.??.??\"]\n\n*";
        let game = pgn::games(tags.as_bytes()).next().unwrap();
        assert_eq!(TimeTags::of(game.tags()).date, Some(1));
    }
}

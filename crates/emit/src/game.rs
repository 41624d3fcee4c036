//! What is known of the game that is read. Ratings, dates, times and results are read from its tags
//! here, once a game and when they are first asked for, for conditions, columns, templates, records
//! and books.

use std::borrow::Cow;
use std::cell::OnceCell;

use pgn::{Outcome, Place, TagPair, text_of};
use san::{AnyPosition, Color};

use crate::annotations;
use crate::ply::Ply;

/// What is known of the game that is read, or of a record, which is a game of one position.
#[derive(Debug, Default)]
pub struct GameContext<'c> {
    /// Name of the input.
    pub file: &'c str,
    /// The byte of the input at which its text begins.
    pub start: u64,
    /// The tag pairs; of a record, its result, its opening, and the operations that are asked for.
    pub tags: Vec<TagPair<'c>>,
    /// Number in the chunk, from 1; 0 if only the tags are known.
    pub number: u64,
    /// Where it begins; only set if [facts](crate::Plan::facts) or templates need it.
    pub place: Place,
    /// The trimmed text, of a game at its end; only if the plan [asks](crate::Plan::wants_text).
    pub text: &'c [u8],
    /// The result in the movetext, if it has one; `None` as long as it may follow.
    pub outcome: Option<Option<Outcome>>,
    /// What follows from the whole game; only set if the plan needs it.
    pub end: Option<GameEnd>,
    /// Allocated when it is first asked for, so that nothing is reset in most games.
    pub(crate) read: OnceCell<Box<Read>>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameEnd {
    /// The number of plies in the main line, up to a move that cannot be played.
    pub plies: u32,
    /// How the game ends, see [`Fact::Termination`](crate::Fact::Termination).
    pub termination: Option<&'static str>,
}

/// What was read from the tags, without their lifetime, so that the context's can be shortened.
#[derive(Debug, Default)]
pub(crate) struct Read {
    ratings: OnceCell<Ratings>,
    date: OnceCell<[u32; 3]>,
    time_control: OnceCell<Option<(f64, f64)>>,
    result: OnceCell<ResultOfTags>,
    players: OnceCell<[Option<String>; 2]>,
}

impl<'c> GameContext<'c> {
    pub(crate) fn begin(&mut self, tags: &[TagPair<'c>], number: u64) {
        self.tags.clear();
        self.tags.extend_from_slice(tags);
        (self.number, self.text, self.outcome, self.end) = (number, b"", None, None);
        self.read = OnceCell::new();
    }

    fn read(&self) -> &Read {
        self.read.get_or_init(Default::default)
    }

    /// Returns the ratings of the players.
    pub fn ratings(&self) -> Ratings {
        *self.read().ratings.get_or_init(|| Ratings::of(&self.tags))
    }

    /// Returns the [date](date_of_game).
    pub fn date(&self) -> [u32; 3] {
        *self.read().date.get_or_init(|| date_of_game(&self.tags))
    }

    /// Returns the [time control](time_control).
    pub fn time_control(&self) -> Option<(f64, f64)> {
        *self.read().time_control.get_or_init(|| time_control(&self.tags))
    }

    /// Returns the result: that of the tag, or else of the movetext, as far as it is known.
    pub fn result(&self) -> Option<Outcome> {
        let of_movetext = self.outcome.flatten().filter(|outcome| *outcome != Outcome::Unknown);
        self.result_of_tags().or(of_movetext)
    }

    pub(crate) fn result_of_tags(&self) -> Option<Outcome> {
        self.ending().result
    }

    fn ending(&self) -> ResultOfTags {
        *self.read().result.get_or_init(|| ResultOfTags::of(&self.tags))
    }

    pub(crate) fn has_resigned(&self, turn: Color, comments: &[&[u8]]) -> bool {
        let loser = match self.result() {
            Some(Outcome::WhiteWins) => Color::Black,
            Some(Outcome::BlackWins) => Color::White,
            _ => return false,
        };
        let said = comments.last().is_some_and(|comment| says_resigns(comment, loser));
        loser == turn && (self.ending().is_resigned || said)
    }

    pub(crate) fn player(&self, side: Color) -> Option<&str> {
        let name = |name| Some(pgn::known_value(&self.tags, name)?.into_owned());
        let players = self.read().players.get_or_init(|| [b"White", b"Black"].map(|tag| name(tag)));
        players[side.fold_wb(0, 1)].as_deref()
    }
}

// Numbers, ratings and dates in tags: one reading for conditions, columns, templates and books.

fn value<'t>(tags: &[TagPair<'t>], name: &[u8]) -> Option<Cow<'t, [u8]>> {
    Some(tags.iter().find(|tag| tag.name() == name)?.value())
}

/// Ignores white space around the number.
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
        let elo = |name| decimal(&value(tags, name)?).filter(|elo| *elo > 0.0 && *elo < 9999.5);
        Ratings { white: elo(b"WhiteElo"), black: elo(b"BlackElo") }
    }

    /// Returns the mean, if both are known.
    pub fn mean(self) -> Option<f64> {
        Some((self.white? + self.black?) / 2.0)
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
        let [year, month, _]: [u32; 3] = date;
        let is_leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let most = match (index, month) {
            (0, _) => 9999,
            (1, _) => 12,
            (_, 2) => 28 + u32::from(is_leap),
            (_, 4 | 6 | 9 | 11) => 30,
            _ => 31,
        };
        if !(1..=most).contains(&number) {
            break;
        }
        date[index] = number;
    }
    date
}

/// Returns year, month and day: of the tag `Date`, or else `UTCDate`, if the year is known.
///
/// ```
/// let game = pgn::games(b"[UTCDate \"2019.05.03\"]\n[Date \"????.??.??\"]\n\n*").next().unwrap();
/// assert_eq!(emit::date_of_game(game.tags()), [2019, 5, 3]);
/// ```
pub fn date_of_game(tags: &[TagPair<'_>]) -> [u32; 3] {
    let dates = [b"Date".as_slice(), b"UTCDate"].into_iter().filter_map(|name| value(tags, name));
    dates.map(|text| date(&text)).find(|[year, ..]| *year > 0).unwrap_or_default()
}

/// Returns the seconds of the first period of a game, and those added for each move, if known.
pub fn time_control(tags: &[TagPair<'_>]) -> Option<(f64, f64)> {
    let text = value(tags, b"TimeControl")?;
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

// Draws by rule and resignations: reported only where they are certain (EPD 5.9, 5.21).

#[derive(Clone, Copy, Debug, Default)]
struct ResultOfTags {
    result: Option<Outcome>,
    is_resigned: bool,
}

impl ResultOfTags {
    fn of(tags: &[TagPair<'_>]) -> Self {
        let result = value(tags, b"Result").map(|value| Outcome::of_tag(&value));
        let says = |name| {
            let text = value(tags, name).map(|value| text_of(&value).to_ascii_lowercase());
            text.is_some_and(|text| text.contains("resign") && !text.contains("not resign"))
        };
        let is_resigned = says(b"Termination") || says(b"TerminationDetails");
        ResultOfTags { result: result.filter(|result| *result != Outcome::Unknown), is_resigned }
    }
}

/// Matches `White resigns`, alone or after an engine's report, but no text that merely mentions it.
fn says_resigns(comment: &[u8], loser: Color) -> bool {
    let ending = annotations::report(comment, loser).and_then(|report| report.ending);
    let text = text_of(ending.unwrap_or(comment)).to_ascii_lowercase();
    let side = if loser == Color::White { "white" } else { "black" };
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    match words[..] {
        ["resigns" | "resigned"] => true,
        [who, "resigns" | "resigned"] => who == side,
        _ => false,
    }
}

// Endings by which games are omitted, since their result says little about their positions.

/// The way a game ended, if it did not end on the board or by agreement.
///
/// ```
/// let game = pgn::games(b"[Termination \"Time forfeit\"]\n\n1. e4 0-1\n").next().unwrap();
/// assert_eq!(emit::Ending::of_tags(game.tags()), Some(emit::Ending::TimeForfeit));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A player lost on time.
    TimeForfeit,
    /// The game was broken off.
    Abandoned,
    /// An arbiter or a match program decided the game.
    Adjudicated,
}

/// Words of cutechess, fastchess, c-chess-cli, TCEC, Lichess, chess.com, PGN 9.8.1; lower case.
const WORDS: [(&[u8], Ending); 10] = [
    (b"adjudicat", Ending::Adjudicated),
    (b"time forfeit", Ending::TimeForfeit),
    (b"on time", Ending::TimeForfeit),
    (b"timeout", Ending::TimeForfeit),
    (b"abandoned", Ending::Abandoned),
    (b"unterminated", Ending::Abandoned),
    (b"connection", Ending::Abandoned),
    (b"disconnect", Ending::Abandoned),
    (b"rules infraction", Ending::Abandoned),
    (b"illegal move", Ending::Abandoned),
];

impl Ending {
    /// Returns how a game ended according to its tags, if they say one of these.
    pub fn of_tags(tags: &[TagPair<'_>]) -> Option<Ending> {
        let tag = tags.iter().find(|tag| tag.name() == b"Termination")?;
        let value = tag.raw_value();
        let has =
            |word: &[u8]| value.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
        WORDS.iter().find(|(word, _)| has(word)).map(|(_, ending)| *ending)
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Ending::TimeForfeit => "time forfeit",
            Ending::Abandoned => "abandoned",
            Ending::Adjudicated => "adjudication",
        }
    }
}

/// Returns how a game ends on the board after its main line, if no move follows and none is legal.
#[inline(always)]
pub(crate) fn ending_on_board<P: AnyPosition>(ply: &Ply<'_, P>) -> Option<&'static str> {
    let position = ply.position.as_chess().filter(|_| ply.next.is_none())?;
    match (position.is_checkmate(), position.is_stalemate()) {
        (true, _) => Some("checkmate"),
        (_, true) => Some("stalemate"),
        _ => None,
    }
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
        ];
        for (text, expected) in cases {
            assert_eq!(date(text.as_bytes()), expected, "{text}");
        }
        for text in ["99.01.01", "0000.01.01", "21.06.1851", "????.??.??", "199905031", ""] {
            assert_eq!(date(text.as_bytes()), [0; 3], "{text}");
        }
    }

    #[test]
    fn ratings_are_numbers_that_a_player_may_have() {
        let known = [("2400", Some(2400.0)), (" 2400 ", Some(2400.0)), ("2500.5", Some(2500.5))];
        let unknown = ["0", "-5", "10000", "1e9", "?", "2400?", "nan"];
        for (value, expected) in known.into_iter().chain(unknown.map(|value| (value, None))) {
            let text = format!("[WhiteElo \"{value}\"]\n\n*");
            let game = pgn::games(text.as_bytes()).next().unwrap();
            let ratings = Ratings { white: expected, black: None };
            assert_eq!(Ratings::of(game.tags()), ratings, "{value}");
        }
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
            let tags = [TagPair::of_value(b"TimeControl", text.as_bytes())];
            assert_eq!(time_control(&tags), expected, "{text}");
        }
    }

    #[test]
    fn the_date_of_the_game_counts_before_that_of_the_server() {
        let tags = "[UTCDate \"2020.01.02\"]\n[Date \"2019.??.??\"]\n\n*";
        let game = pgn::games(tags.as_bytes()).next().unwrap();
        assert_eq!(date_of_game(game.tags()), [2019, 0, 0]);
        let tags = "[UTCDate \"1970.01.02\"]\n[Date \"????.??.??\"]\n\n*";
        let game = pgn::games(tags.as_bytes()).next().unwrap();
        assert_eq!(date_of_game(game.tags()), [1970, 1, 2]);
    }

    #[test]
    fn a_resignation_is_believed_only_where_it_is_said() {
        let cases: [(&str, &str, bool); 9] = [
            ("[Result \"1-0\"] [Termination \"White won by resignation\"]", "", true),
            ("[Result \"1-0\"] [Termination \"normal\"]", "", false),
            ("[Result \"1-0\"]", "Black resigns", true),
            ("[Result \"1-0\"]", "Resigned.", true),
            ("[Result \"1-0\"]", "White resigns", false),
            ("[Result \"1-0\"]", "Black could have resigned here", false),
            ("[Result \"1-0\"]", "+5.01/20 1.0s, Black resigns", true),
            ("[Result \"0-1\"]", "White resigns", false),
            ("[Result \"1/2-1/2\"] [Termination \"resignation\"]", "", false),
        ];
        for (tags, comment, expected) in cases {
            let text = format!("{tags} 1. e4 *");
            let game = pgn::games(text.as_bytes()).next().unwrap();
            let mut context = GameContext::default();
            context.begin(game.tags(), 1);
            // Black to move.
            let found = context.has_resigned(Color::Black, &[comment.as_bytes()]);
            assert_eq!(found, expected, "{tags} {comment}");
        }
    }

    #[test]
    fn endings_are_recognised_in_the_words_of_many_programs() {
        let cases = [
            ("adjudication", Some(Ending::Adjudicated)),
            ("time forfeit", Some(Ending::TimeForfeit)),
            ("Time forfeit", Some(Ending::TimeForfeit)),
            ("hikaru won on time", Some(Ending::TimeForfeit)),
            ("Game drawn by timeout vs insufficient material", Some(Ending::TimeForfeit)),
            ("abandoned", Some(Ending::Abandoned)),
            ("hikaru won - game abandoned", Some(Ending::Abandoned)),
            ("stalled connection", Some(Ending::Abandoned)),
            ("unterminated", Some(Ending::Abandoned)),
            ("Rules infraction", Some(Ending::Abandoned)),
            ("illegal move", Some(Ending::Abandoned)),
            ("Normal", None),
            ("hikaru won by resignation", None),
            ("?", None),
            ("", None),
        ];
        for (value, expected) in cases {
            let text = format!("[Termination \"{value}\"]\n\n1. e4 *\n");
            let game = pgn::games(text.as_bytes()).next().unwrap();
            assert_eq!(Ending::of_tags(game.tags()), expected, "{value}");
        }
        let game = pgn::games(b"[Result \"1-0\"]\n\n1. e4 *\n").next().unwrap();
        assert_eq!(Ending::of_tags(game.tags()), None);
    }
}

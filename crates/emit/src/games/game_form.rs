//! How games are written, and with which evaluations.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use epd::{Centipawns, Mate};
use san::{AnyPosition, Color, Keyword, RepetitionKey, UnknownKeyword, keywords};

use crate::problem::MoveNumber;
use crate::sink::{Movetext, Sink};

keywords! {
    /// A word of [`GameForm`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum GameStyle {
        /// As they are, byte for byte.
        Unchanged = "unchanged",
        /// In the export format of the PGN standard; also with each of the following words.
        Normal = "normal",
        /// From the first selected position to the last one; with the tag FEN unless that is the start.
        Selected = "selected",
        /// With moves such as Ng1-f3.
        Lan = "lan",
        /// With moves such as g1f3.
        Uci = "uci",
        /// With the tags ECO, NIC and Opening of the deepest position that has a name; alone, all else is unchanged.
        Openings = "openings",
        /// Without other tags than the seven of the standard, SetUp, FEN and Variant.
        NoTags = "no-tags",
        /// Without comments.
        NoComments = "no-comments",
        /// Without [%clk], [%emt] and other times in comments.
        NoClocks = "no-clocks",
        /// Without [%eval], [%clk], [%csl] and all other commands in comments.
        NoCommands = "no-commands",
        /// Without NAGs and signs such as !?.
        NoNags = "no-nags",
        /// Without variations.
        NoVariations = "no-variations",
    }
}

/// How games are written: words separated by commas.
///
/// ```
/// use emit::{GameForm, GameStyle};
///
/// let form: GameForm = "no-comments,uci".parse()?;
/// assert!(form.has(GameStyle::Uci) && form.is_normal());
/// assert_eq!(form.to_string(), "uci,no-comments");
/// assert!(!GameForm::default().is_normal());
/// # Ok::<_, emit::GameFormError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GameForm(u16);

impl GameForm {
    /// Whether a word is among those of the form.
    pub const fn has(self, style: GameStyle) -> bool {
        self.0 & 1 << style as u16 != 0
    }

    /// Whether games are not written as they are.
    pub const fn is_normal(self) -> bool {
        self.0 & !(1 << GameStyle::Openings as u16) != 0
    }

    pub(crate) fn text_of<P: AnyPosition>(self, position: &P, next: P::Move) -> String {
        let san = position.san_of(next);
        match position.squares_of(next) {
            _ if self.has(GameStyle::Uci) => position.uci_of(next).to_string(),
            Some((from, to)) if self.has(GameStyle::Lan) && !san.as_str().starts_with('O') => {
                let san = san.as_str();
                let piece = san.chars().next().filter(char::is_ascii_uppercase);
                let piece = piece.map(String::from).unwrap_or_default();
                let sign = if position.is_capture(next) { 'x' } else { '-' };
                let suffix = san.rsplit_once(&to.to_string()).map_or("", |(_, suffix)| suffix);
                format!("{piece}{from}{sign}{to}{suffix}")
            }
            _ => san.to_string(),
        }
    }

    /// Returns the words in their order.
    pub fn iter(self) -> impl Iterator<Item = GameStyle> {
        GameStyle::ALL.iter().copied().filter(move |style| self.has(*style))
    }
}

impl FromIterator<GameStyle> for GameForm {
    fn from_iter<T: IntoIterator<Item = GameStyle>>(styles: T) -> Self {
        let styles = styles.into_iter().filter(|style| *style != GameStyle::Unchanged);
        GameForm(styles.fold(0, |bits, style| bits | 1 << style as u16))
    }
}

/// An error in the words of a [`GameForm`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum GameFormError {
    #[error(transparent)]
    Unknown(#[from] UnknownKeyword),
    #[error("{0} and {1} exclude each other")]
    Exclusive(GameStyle, GameStyle),
}

impl FromStr for GameForm {
    type Err = GameFormError;

    fn from_str(list: &str) -> Result<Self, GameFormError> {
        let styles = list.split(',').map(|word| GameStyle::from_word(word.trim()));
        let styles = styles.collect::<Result<Vec<_>, _>>()?;
        let form = GameForm::from_iter(styles.iter().copied());
        if form.has(GameStyle::Lan) && form.has(GameStyle::Uci) {
            return Err(GameFormError::Exclusive(GameStyle::Lan, GameStyle::Uci));
        }
        let is_other = |style: &GameStyle| *style != GameStyle::Openings;
        let has_unchanged = styles.contains(&GameStyle::Unchanged);
        match form.iter().find(is_other).filter(|_| has_unchanged) {
            Some(other) => Err(GameFormError::Exclusive(GameStyle::Unchanged, other)),
            None => Ok(form),
        }
    }
}

impl fmt::Display for GameForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.iter().map(Keyword::word).collect();
        f.write_str(if words.is_empty() { GameStyle::Unchanged.word() } else { "" })?;
        f.write_str(&words.join(","))
    }
}

/// What an engine says of positions. Games in the normal form get it as commands in comments, such
/// as `{[%eval 0.25,12]}` for a pawn's quarter for White at a depth of 12 plies.
#[derive(Clone, Debug, Default)]
pub struct Evaluations {
    /// The evaluations of positions; those of one that occurs again are the same.
    positions: HashMap<RepetitionKey, Evaluated>,
    worse_by: Option<u32>,
}

/// What an engine says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The evaluation for the side to move.
    pub centipawns: Centipawns,
    /// The depth of the search in plies.
    pub depth: Option<u64>,
    /// The expected moves, separated by blanks.
    pub line: String,
}

impl Evaluations {
    /// Makes an empty set. With `worse_by`, a move that is at least this many centipawns worse gets
    /// the expected moves as a variation.
    pub fn new(worse_by: Option<u32>) -> Self {
        Evaluations { worse_by, ..Evaluations::default() }
    }

    /// Adds a position; if it is there already, nothing changes.
    pub fn add<P: AnyPosition>(&mut self, position: &P, evaluated: Evaluated) {
        self.positions.entry(position.repetition_key()).or_insert(evaluated);
    }

    pub(crate) fn of_move<P: AnyPosition>(
        &self,
        position: &P,
        next: P::Move,
        form: GameForm,
    ) -> KnownMove {
        let mut after = position.clone();
        after.play_unchecked(next);
        let evaluated = self.positions.get(&after.repetition_key());
        let comment = evaluated.map(|evaluated| evaluated.command(after.turn()));
        let before = self.positions.get(&position.repetition_key());
        let line = before.filter(|before| {
            let score = |of: &Evaluated| i64::from(of.centipawns.get());
            let is_worse = evaluated
                .zip(self.worse_by)
                .is_some_and(|(after, least)| score(before) + score(after) >= i64::from(least));
            let best = before.line.split(' ').next().unwrap_or_default();
            is_worse && position.resolve(best.as_bytes()).is_ok_and(|best| best != next)
        });
        KnownMove { comment, line: line.map(|before| before.words(position.clone(), form)) }
    }
}

impl Evaluated {
    fn command(&self, turn: Color) -> String {
        let for_white = match turn {
            Color::White => self.centipawns,
            Color::Black => self.centipawns.of_other_side(),
        };
        let sign = if for_white.get() < 0 { "-" } else { "" };
        let value = match self.centipawns.mate() {
            Some(Mate::Gives { plies } | Mate::Gets { plies }) => {
                format!("#{sign}{}", plies.div_ceil(2))
            }
            None => {
                let size = for_white.get().abs();
                format!("{sign}{}.{:02}", size / 100, size % 100)
            }
        };
        let depth = self.depth.map_or_else(String::new, |depth| format!(",{depth}"));
        format!("[%eval {value}{depth}]")
    }

    fn words<P: AnyPosition>(&self, mut position: P, form: GameForm) -> Vec<(MoveNumber, String)> {
        let moves = self.line.split(' ').map_while(|word| {
            let next = position.resolve(word.as_bytes()).ok()?;
            let number = MoveNumber::of(&position);
            let text = form.text_of(&position, next);
            position.play_unchecked(next);
            Some((number, text))
        });
        moves.collect()
    }
}

#[derive(Debug, Default)]
pub(crate) struct KnownMove {
    comment: Option<String>,
    line: Option<Vec<(MoveNumber, String)>>,
}

impl KnownMove {
    pub(crate) fn tell(self, sink: &mut (impl Sink + ?Sized)) {
        if let Some(comment) = self.comment {
            sink.movetext(Movetext::Comment(comment.as_bytes()));
        }
        if let Some(line) = self.line {
            sink.movetext(Movetext::Open);
            for (number, text) in line {
                sink.movetext(Movetext::Move(number, &text));
            }
            sink.movetext(Movetext::Close);
        }
    }
}

#[cfg(test)]
mod tests {
    use san::Position;

    use super::*;

    #[test]
    fn a_form_is_read_as_it_is_written() {
        for style in GameStyle::ALL {
            let form: GameForm = style.word().parse().unwrap();
            assert_eq!(form.to_string(), style.word());
            let is_unchanged = [GameStyle::Unchanged, GameStyle::Openings].contains(style);
            assert_eq!(form.is_normal(), !is_unchanged);
        }
        let errors = [
            ("uci,lan", "lan and uci exclude each other"),
            ("unchanged,no-tags", "unchanged and no-tags exclude each other"),
        ];
        for (list, error) in errors {
            assert_eq!(list.parse::<GameForm>().unwrap_err().to_string(), error);
        }
        let error = "normal,".parse::<GameForm>().unwrap_err().to_string();
        assert!(error.starts_with("choose from unchanged, normal, selected"), "{error}");
    }

    fn evaluated(centipawns: i64, depth: Option<u64>, line: &str) -> Evaluated {
        let centipawns = Centipawns::new(centipawns).unwrap();
        Evaluated { centipawns, depth, line: line.to_owned() }
    }

    #[test]
    fn commands_are_for_white_and_name_mates_in_moves() {
        for (centipawns, depth, white, black) in [
            (25, Some(12), "[%eval 0.25,12]", "[%eval -0.25,12]"),
            (-105, None, "[%eval -1.05]", "[%eval 1.05]"),
            (0, None, "[%eval 0.00]", "[%eval 0.00]"),
            (7, None, "[%eval 0.07]", "[%eval -0.07]"),
            // Mate in one, and in three moves; being mated after one.
            (32766, Some(3), "[%eval #1,3]", "[%eval #-1,3]"),
            (32762, None, "[%eval #3]", "[%eval #-3]"),
            (-32765, None, "[%eval #-1]", "[%eval #1]"),
        ] {
            let evaluated = evaluated(centipawns, depth, "");
            assert_eq!(evaluated.command(Color::White), white);
            assert_eq!(evaluated.command(Color::Black), black);
        }
    }

    #[test]
    fn a_move_gets_the_expected_line_from_a_loss_on() {
        let start = Position::default();
        let e4 = start.resolve(b"e4").unwrap();
        let after = |mut position: Position, next| {
            position.play_unchecked(next);
            position
        };
        // White expects 30 with d4, and Black has `black` after e4.
        let known = |worse_by, line: &str, black| {
            let mut evaluations = Evaluations::new(worse_by);
            evaluations.add(&start, evaluated(30, None, line));
            evaluations.add(&start, evaluated(999, None, "a3"));
            evaluations.add(&after(start.clone(), e4), evaluated(black, Some(9), ""));
            evaluations.of_move(&start, e4, GameForm::default())
        };
        for (worse_by, line, black, has_line) in [
            (Some(50), "d4 d5", 20, true),
            (Some(51), "d4 d5", 20, false),
            (Some(50), "d4 d5", 19, false),
            (None, "d4 d5", 900, false),
            (Some(50), "e4 e5", 900, false),
            (Some(50), "", 900, false),
        ] {
            let known = known(worse_by, line, black);
            assert_eq!(known.line.is_some(), has_line, "{worse_by:?} {line} {black}");
            let sign = if black > 0 { "-" } else { "" };
            let value = format!("[%eval {sign}{}.{:02},9]", black / 100, black % 100);
            assert_eq!(known.comment, Some(value));
        }
        let line = known(Some(0), "d4 d5 2xx", 20).line.unwrap();
        let words: Vec<_> = line.iter().map(|(_, text)| &**text).collect();
        assert_eq!(words, ["d4", "d5"]);
        assert_eq!((line[1].0.fullmove, line[1].0.turn), (1, Color::Black));
        let unknown = Evaluations::new(Some(0)).of_move(&start, e4, GameForm::default());
        assert_eq!((unknown.comment, unknown.line), (None, None));
    }
}

//! Command-line values of options.

use std::fmt;
use std::str::FromStr;

use emit::LabelForm;
use san::{Keyword, UnknownKeyword, keywords};
use table::TableFormat;
use training::TrainingFormat;

/// A value that an option cannot have: the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValueError(String);

impl ValueError {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        ValueError(reason.into())
    }
}

keywords! {
    /// What a row of a table is.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum RowKind {
        /// A row for each position.
        #[default]
        Positions = "positions",
        /// A row for each game, with lists of the values of its positions.
        Games = "games",
    }
}

keywords! {
    /// Whether something is done.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum OnOff {
        /// Report illegal moves, and moves in a notation other than SAN.
        #[default]
        On = "on",
        /// Only check the grammar of moves, which is faster.
        Off = "off",
    }
}

keywords! {
    /// What becomes of text after the fields that cannot be read.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Unreadable {
        /// Keep it as a comment, in the first free of c0 to c9.
        #[default]
        Comment = "comment",
        /// Leave it out.
        Drop = "drop",
    }
}

keywords! {
    /// The side at the bottom of a board.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum View {
        /// White.
        #[default]
        White = "white",
        /// Black.
        Black = "black",
        /// The side to move.
        Mover = "mover",
    }
}

/// The form of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Four fields, then operations, as in the standard.
    #[default]
    Epd,
    /// The six fields of a FEN, without operations unless some are selected.
    Fen,
    /// The output of Chess::PGN::EPD for Perl: four fields, positions after each move, and an empty
    /// line after each game. As printed by the first sample program of the module, a game without
    /// moves is two empty lines.
    Perl,
    /// The old form of HIARCS and Crafty: trailing empty squares of ranks and empty fields are
    /// omitted, the en passant field names the pawn, and a hyphen ends the fields.
    Crafty,
    /// Positions labeled with the result of their game, for tuning programs. They have no
    /// operations, and positions of variations are excluded. Positions that cannot be labeled are
    /// not written, but [counted](crate::Summary::unlabelled).
    Label(LabelForm),
    /// Training data of engines, in a binary format. Positions without an evaluation, and those
    /// that the format cannot represent, are not written, but
    /// [counted](crate::Summary::unlabelled).
    Training(TrainingFormat),
    /// The games that have a selected position, as they are; those of training data with scores in
    /// comments.
    Pgn,
    /// A table with a row for each position.
    Table(TableFormat),
}

/// What formats have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormatKind {
    /// Records with operations.
    Records,
    /// Positions with the result of their game.
    Labels,
    /// Training data of engines.
    Training,
    /// Games.
    Games,
    /// Tables.
    Tables,
}

impl fmt::Display for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            FormatKind::Records => "records",
            FormatKind::Labels => "labels",
            FormatKind::Training => "training data",
            FormatKind::Games => "games",
            FormatKind::Tables => "tables",
        };
        let formats = Format::ALL.iter().filter(|format| format.kind() == *self);
        let words: Vec<&str> = formats.map(|format| format.word()).collect();
        write!(f, "{what} ({})", words.join(", "))
    }
}

impl Format {
    /// Returns the kind of the format.
    pub fn kind(self) -> FormatKind {
        match self {
            Format::Epd | Format::Fen | Format::Perl | Format::Crafty => FormatKind::Records,
            Format::Label(_) => FormatKind::Labels,
            Format::Training(_) => FormatKind::Training,
            Format::Pgn => FormatKind::Games,
            Format::Table(_) => FormatKind::Tables,
        }
    }

    /// Returns the suffix of files in this format, without compression.
    ///
    /// ```
    /// use pgn2epd::options::{Format, LabelForm};
    ///
    /// assert_eq!(Format::Epd.suffix(), "epd");
    /// assert_eq!(Format::Label(LabelForm::CChessCli).suffix(), "csv");
    /// ```
    pub fn suffix(self) -> &'static str {
        match self {
            Format::Epd | Format::Perl | Format::Crafty | Format::Label(LabelForm::C9) => "epd",
            Format::Fen => "fen",
            Format::Label(LabelForm::CChessCli) => "csv",
            Format::Label(LabelForm::Plain) => "plain",
            Format::Label(LabelForm::Bracket | LabelForm::Bullet) => "txt",
            Format::Training(format) => format.suffix(),
            Format::Pgn => "pgn",
            Format::Table(format) => format.suffix(),
        }
    }
}

keywords! { Format:
    "epd" [Format::Epd] "Four fields and operations, the format of the standard";
    "fen" [Format::Fen] "The six fields of a FEN";
    "perl" [Format::Perl]
        "Four fields of the position after each move, an empty line after each game, like Perl's Chess::PGN::EPD";
    "crafty" [Format::Crafty] "The old format of HIARCS and Crafty: without trailing empty squares, a hyphen at the end";
    "c9" [Format::Label(LabelForm::C9)]
        "Four fields and the result: c9 \"1-0\", \"1/2-1/2\" or \"0-1\", as in PGN";
    "bracket" [Format::Label(LabelForm::Bracket)] "FEN [0.5]: points of White, 1.0, 0.5 or 0.0";
    "bullet" [Format::Label(LabelForm::Bullet)]
        "FEN | 35 | 0.5: centipawns and points, both for White; positions without an evaluation are omitted";
    "c-chess-cli" [Format::Label(LabelForm::CChessCli)]
        "FEN,35,1 as in the samples of c-chess-cli: centipawns, and 0 for a loss, 1 for a draw, 2 for a win, both for the side to move; \
         positions without an evaluation are omitted";
    "plain" [Format::Label(LabelForm::Plain)]
        "Stockfish's .plain, lines with fen, move, score, ply, result (-1, 0, 1) and e: score in centipawns and result, both for \
         the side to move; positions without an evaluation or a move are omitted";
    "viriformat" [Format::Training(TrainingFormat::Viriformat)]
        "Games of moves with scores, binary (.vf): scores and results are White's; bullet and Viridithas read it";
    "binpack" [Format::Training(TrainingFormat::Binpack)]
        "Stockfish's compressed games, binary (.binpack): scores and results are those of the side to move; nnue-pytorch and bullet read it";
    "bulletformat" [Format::Training(TrainingFormat::Bulletformat)]
        "Positions of 32 bytes without moves, binary (.bullet): scores and results are those of the side to move; bullet reads it";
    "marlinformat" [Format::Training(TrainingFormat::Marlinformat)]
        "Positions of 32 bytes without moves, binary: scores and results are White's; bullet-utils and marlinflow read it";
    "pgn" [Format::Pgn] "The games with a selected position, unchanged (.pgn); those of viriformat and binpack with scores in comments";
    "csv" [Format::Table(TableFormat::Csv)] "A table as comma-separated values, with the names of the columns in the first line (.csv)";
    "jsonl" [Format::Table(TableFormat::JsonLines)] "A table as lines of JSON (.jsonl, .ndjson)";
    "arrow" [Format::Table(TableFormat::Arrow)] "A table as an Arrow stream, binary (.arrow, .arrows)";
    "parquet" [Format::Table(TableFormat::Parquet)] "A table as Parquet, binary and compressed (.parquet)";
}

/// A window of plies: `8..24`, `8..`, `..24`, `16`.
///
/// ```
/// use pgn2epd::options::Plies;
///
/// assert_eq!("8..".parse(), Ok(Plies { first: 8, last: u32::MAX }));
/// assert!("24..8".parse::<Plies>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plies {
    /// The first ply; 0 is the starting position.
    pub first: u32,
    /// The last ply.
    pub last: u32,
}

impl Plies {
    /// All plies.
    pub const ALL: Plies = Plies { first: 0, last: u32::MAX };
}

impl Default for Plies {
    fn default() -> Self {
        Plies::ALL
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Plies { first, last: u32::MAX } => write!(f, "{first}.."),
            Plies { first, last } => write!(f, "{first}..{last}"),
        }
    }
}

impl FromStr for Plies {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let ply = |text: &str, default: u32| {
            match text {
            "" => Ok(default),
            digits => digits.parse().map_err(|_| {
                ValueError::new(format!("{digits:?} is not a number of plies; write FIRST..LAST, such as 8..24, or only one side, such as 8.. or ..24"))
            }),
        }
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (ply(first, 0)?, ply(last.trim_start_matches('='), u32::MAX)?),
            None if text.is_empty() => {
                return Err(ValueError::new("write FIRST..LAST, such as 8..24"));
            }
            None => (ply(text, 0)?, ply(text, 0)?),
        };
        if first > last {
            return Err(ValueError::new(format!(
                "no ply is both {first} or later and {last} or earlier; write {last}..{first}"
            )));
        }
        Ok(Plies { first, last })
    }
}

/// A share from 0 to 1, in millionths: `0.55`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Share(pub u64);

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 as f64 / 1e6).fmt(f)
    }
}

impl FromStr for Share {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        match text.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Share((share * 1e6).round() as u64)),
            _ => Err(ValueError::new("write a share from 0 to 1, such as 0.55")),
        }
    }
}

/// A range of shares: `0.45..0.55`, `0.45..`, `..0.55`.
///
/// ```
/// use pgn2epd::options::ShareRange;
///
/// let range: ShareRange = "0.45..0.55".parse()?;
/// assert_eq!((range.least.0, range.most.0), (450_000, 550_000));
/// # Ok::<_, pgn2epd::options::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShareRange {
    /// The lower bound.
    pub least: Share,
    /// The upper bound.
    pub most: Share,
}

impl fmt::Display for ShareRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.least, self.most)
    }
}

impl FromStr for ShareRange {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let advice = || ValueError::new("write MIN..MAX, such as 0.45..0.55");
        let (least, most) = text.split_once("..").ok_or_else(advice)?;
        let share = |text: &str, open| if text.is_empty() { Ok(open) } else { text.parse() };
        let (least, most) = (share(least, Share(0))?, share(most, Share(1_000_000))?);
        if least.0 > most.0 {
            return Err(ValueError::new(format!(
                "no share is both {least} or more and {most} or less"
            )));
        }
        Ok(ShareRange { least, most })
    }
}

/// A number of bytes: `64`, `64K`, `64M`, `2G`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size(pub usize);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")];
        match units.into_iter().find(|(unit, _)| self.0.is_multiple_of(*unit)) {
            Some((unit, letter)) => write!(f, "{}{letter}", self.0 / unit),
            None => self.0.fmt(f),
        }
    }
}

impl FromStr for Size {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (digits, unit) = match text.as_bytes() {
            [.., b'K' | b'k'] => (&text[..text.len() - 1], 1 << 10),
            [.., b'M' | b'm'] => (&text[..text.len() - 1], 1 << 20),
            [.., b'G' | b'g'] => (&text[..text.len() - 1], 1 << 30),
            _ => (text, 1),
        };
        let number: Option<usize> = digits.parse().ok().and_then(|n: usize| n.checked_mul(unit));
        match number {
            Some(bytes) if bytes > 0 => Ok(Size(bytes)),
            _ => Err(ValueError::new(
                "write a number of bytes above 0, with K, M or G for larger units, such as 64M",
            )),
        }
    }
}

/// Which games are equal: `moves`, `prefix`, `prefix:30`.
///
/// ```
/// use pgn2epd::options::GameEquality;
///
/// assert_eq!("prefix".parse(), Ok(GameEquality::Prefix(20)));
/// assert_eq!("prefix:8".parse::<GameEquality>()?.to_string(), "prefix:8");
/// assert!("moves:8".parse::<GameEquality>().is_err());
/// # Ok::<_, pgn2epd::options::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameEquality {
    /// Those with the same starting position and the same moves.
    Moves,
    /// Those too of which one is the beginning of the other, with at least this number of plies.
    Prefix(u32),
}

const PLIES: u32 = 20;

impl fmt::Display for GameEquality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameEquality::Moves => f.write_str("moves"),
            GameEquality::Prefix(plies) => write!(f, "prefix:{plies}"),
        }
    }
}

impl FromStr for GameEquality {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let unknown = || ValueError::new("choose from moves, prefix, prefix:PLIES");
        let (word, plies) = match text.split_once(':') {
            Some((word, plies)) => (word, plies.parse().map_err(|_| unknown())?),
            None => (text, PLIES),
        };
        match word {
            "moves" if word == text => Ok(GameEquality::Moves),
            "prefix" => Ok(GameEquality::Prefix(plies)),
            _ => Err(unknown()),
        }
    }
}

keywords! {
    /// What to do with a damaged compressed input.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum OnDamage {
        /// End the run; a file is not replaced.
        #[default]
        Stop = "stop",
        /// Use what can be decompressed.
        Keep = "keep",
    }
}

/// Named parts of a data set and their shares, which add up to 1.
///
/// ```
/// use pgn2epd::options::DataSplit;
///
/// let split: DataSplit = "train=0.98,valid=0.01,test=0.01".parse()?;
/// assert_eq!(split.names().collect::<Vec<_>>(), ["train", "valid", "test"]);
/// assert_eq!((split.part_of(0), split.part_of(u64::MAX)), (0, 2));
///
/// let error = "train=0.9,test=0.2".parse::<DataSplit>().unwrap_err();
/// assert_eq!(error.to_string(), "the shares add up to 1.1, not to 1");
/// # Ok::<_, pgn2epd::options::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DataSplit {
    parts: Vec<(String, f64)>,
    /// The first number after each part, except the last one.
    ends: Vec<u64>,
}

impl DataSplit {
    /// Returns the names of the parts.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.parts.iter().map(|(name, _)| &**name)
    }

    /// Returns the index of the part to which a random number belongs.
    pub fn part_of(&self, drawn: u64) -> usize {
        self.ends.partition_point(|end| *end <= drawn)
    }
}

impl FromStr for DataSplit {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let mut parts: Vec<(String, f64)> = Vec::new();
        for part in text.split(',') {
            let (name, share) = part.split_once('=').ok_or_else(|| {
                ValueError::new(format!("{part:?} is not NAME=SHARE, as in train=0.9,test=0.1"))
            })?;
            let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            if name.is_empty() || !name.chars().all(is_letter) {
                return Err(ValueError::new(format!(
                    "{name:?} is not a name of a part: letters, digits, - and _"
                )));
            }
            if parts.iter().any(|(other, _)| other == name) {
                return Err(ValueError::new(format!("the part {name} occurs twice")));
            }
            let share = share.parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
            let share = share.ok_or_else(|| {
                ValueError::new(format!("the share of {name} is not a number between 0 and 1"))
            })?;
            parts.push((name.to_owned(), share));
        }
        let sum: f64 = parts.iter().map(|(_, share)| share).sum();
        if (sum - 1.0).abs() > 1e-6 {
            let sum = (sum * 1e6).round() / 1e6;
            return Err(ValueError::new(format!("the shares add up to {sum}, not to 1")));
        }
        let mut end = 0.0;
        let end_of = |(_, share): &(String, f64)| {
            end += share;
            (end * 2_f64.powi(64)) as u64
        };
        let ends = parts[..parts.len() - 1].iter().map(end_of).collect();
        Ok(DataSplit { parts, ends })
    }
}

impl fmt::Display for DataSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, share)) in self.parts.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{name}={share}")?;
        }
        Ok(())
    }
}

/// A named group of options. Options that are set explicitly override it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it is for, and its options.
    pub help: &'static str,
    /// The names and values of the options.
    pub options: &'static [(&'static str, &'static str)],
}

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "fishnet-evals",
        help: "Evaluated positions with the columns of the data set fishnet-evals of Lichess, for White: --columns \
            fen,cp=white_cp,mate=white_mate,move=uci --omit unevaluated --ep legal. The move is the one played. Add -o evals.parquet",
        options: &[
            ("ep", "legal"),
            ("columns", "fen,cp=white_cp,mate=white_mate,move=uci"),
            ("omit", "unevaluated"),
        ],
    },
    Preset {
        name: "match",
        help: "Openings for engine matches, which cutechess, fastchess and python-chess read in the same way: --format epd --ops fmvn,hmvc \
            --registers off --ep legal --castling standard --omit finished. Castling rights of Chess960 become KQkq. Add --last for one \
            position per game",
        options: &[
            ("format", "epd"),
            ("ops", "fmvn,hmvc"),
            ("registers", "off"),
            ("ep", "legal"),
            ("castling", "standard"),
            ("omit", "finished"),
        ],
    },
    Preset {
        name: "suite",
        help: "A test suite with the move played as bm: --where san --format epd --ops none --registers off --ep legal --add \
            bm={san} --add 'id={White|?} - {Black|?} {Date|?}, ply {ply}'. The condition omits the last position of a game; a --where of \
            your own replaces it, so add 'and san' to yours. Add --unique",
        options: &[
            // A program that runs a test suite stops at a record without `bm`, such as the last
            // position of a game.
            ("where", "san"),
            ("format", "epd"),
            ("ops", "none"),
            ("registers", "off"),
            ("ep", "legal"),
            ("add", "bm={san}"),
            ("add", "id={White|?} - {Black|?} {Date|?}, ply {ply}"),
        ],
    },
    Preset {
        name: "tuning",
        help: "Quiet positions with the result, for tuning: --format c9 --ep legal --omit check,captures,promotions,checking-moves",
        options: &[
            ("format", "c9"),
            ("ep", "legal"),
            ("omit", "check,captures,promotions,checking-moves"),
        ],
    },
];

pub(crate) fn preset(presets: &[Preset], name: &str) -> Result<Preset, UnknownKeyword> {
    let found = presets.iter().copied().find(|preset| preset.name == name);
    found.ok_or_else(|| UnknownKeyword::new(presets.iter().map(|preset| preset.name)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use dataset::{Conflicts, Preference};
    use diagram::Theme;
    use emit::{Comments, Omission, OnError};
    use epd::{Dialect, RegisterStyle};
    use san::{CastlingStyle, Color, EnPassantPolicy, Keyword};

    use super::*;
    use crate::options::{Format, OnDamage};

    #[track_caller]
    fn assert_keywords_tell_values_apart<T: Keyword + Debug>() {
        let words: BTreeSet<&str> = T::ALL.iter().map(|value| value.word()).collect();
        assert_eq!(words.len(), T::ALL.len());
        for value in T::ALL {
            assert_eq!(T::from_word(value.word()), Ok(*value));
            assert!(!value.help().ends_with('.'), "{}", value.help());
        }
    }

    #[cfg(feature = "book")]
    #[test]
    fn each_keyword_of_books_is_that_of_one_value() {
        assert_keywords_tell_values_apart::<::book::Queens>();
        assert_keywords_tell_values_apart::<::book::UnknownResult>();
        assert_keywords_tell_values_apart::<::book::Order>();
        assert_keywords_tell_values_apart::<::book::Form>();
    }

    #[test]
    fn each_keyword_is_that_of_one_value() {
        assert_keywords_tell_values_apart::<Format>();
        assert_keywords_tell_values_apart::<RegisterStyle>();
        assert_keywords_tell_values_apart::<Comments>();
        assert_keywords_tell_values_apart::<EnPassantPolicy>();
        assert_keywords_tell_values_apart::<CastlingStyle>();
        assert_keywords_tell_values_apart::<Omission>();
        assert_keywords_tell_values_apart::<RowKind>();
        assert_keywords_tell_values_apart::<emit::GameStyle>();
        assert_keywords_tell_values_apart::<Conflicts>();
        assert_keywords_tell_values_apart::<Preference>();
        assert_keywords_tell_values_apart::<OnError>();
        assert_keywords_tell_values_apart::<OnDamage>();
        assert_keywords_tell_values_apart::<emit::Evals>();
        assert_keywords_tell_values_apart::<Theme>();
        assert_keywords_tell_values_apart::<Color>();
        assert_keywords_tell_values_apart::<Dialect>();
    }

    #[test]
    fn shares_are_a_range_with_open_sides() {
        for (text, written) in
            [("0.48..0.52", "0.48..0.52"), ("..0.5", "0..0.5"), ("0.5..", "0.5..1")]
        {
            assert_eq!(text.parse::<ShareRange>().unwrap().to_string(), written);
        }
        for text in ["", "0.5", "0.6..0.5", "0.5..1.5", "x..1"] {
            assert!(text.parse::<ShareRange>().is_err(), "{text}");
        }
    }

    #[test]
    fn plies_are_a_window_with_open_sides() {
        let plies = |text: &str| text.parse().map(|Plies { first, last }| (first, last)).ok();
        assert_eq!(plies("8..24"), Some((8, 24)));
        assert_eq!(plies("8.."), Some((8, u32::MAX)));
        assert_eq!(plies("..24"), Some((0, 24)));
        assert_eq!(plies("16"), Some((16, 16)));
        assert_eq!(plies("8..=24"), Some((8, 24)));
        assert_eq!(plies("24..8"), None);
        assert_eq!(plies("x"), None);
        assert_eq!(plies(""), None);
    }

    #[test]
    fn sizes_have_units() {
        let size = |text: &str| text.parse().map(|Size(bytes)| bytes).ok();
        assert_eq!(size("64"), Some(64));
        assert_eq!(size("64K"), Some(65_536));
        assert_eq!(size("2g"), Some(2 << 30));
        assert_eq!(size("0"), None);
        assert_eq!(size("M"), None);
        assert_eq!(size(""), None);
    }

    #[test]
    fn parts_are_as_large_as_their_shares() {
        let split: DataSplit = "a=0.5,b=0.3,c=0.2".parse().unwrap();
        let mut counts = [0; 3];
        for number in 0..100_000 {
            counts[split.part_of(dataset::random_rank(7, number))] += 1;
        }
        for (count, expected) in counts.into_iter().zip([50_000_i32, 30_000, 20_000]) {
            assert!((count - expected).abs() < 600, "{counts:?}");
        }
    }

    #[test]
    fn a_split_is_read_as_it_is_written_or_refused_with_the_reason() {
        for text in ["a=0.5,b=0.5", "train=0.98,valid=0.01,test=0.01"] {
            assert_eq!(text.parse::<DataSplit>().unwrap().to_string(), text);
        }
        let cases = [
            ("", "\"\" is not NAME=SHARE"),
            ("a", "\"a\" is not NAME=SHARE"),
            ("a=1", "the share of a is not a number between 0 and 1"),
            ("a=0.5,b=x", "the share of b is not"),
            ("a=0.5,a=0.5", "the part a occurs twice"),
            ("a/b=0.5,c=0.5", "\"a/b\" is not a name"),
            ("a=0.5,b=0.4", "the shares add up to 0.9, not to 1"),
            ("a=0.5,b=NaN", "the share of b is not"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<DataSplit>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn the_help_of_a_preset_lists_its_options() {
        // Options that are only mentioned: --last; --where and --unique.
        for (preset, mentioned) in PRESETS.iter().zip([0, 1, 2, 0]) {
            let help = preset.help.replace('\'', "");
            for (name, value) in preset.options {
                let option = format!("--{name} {value}");
                assert!(help.contains(&option), "{}: {option}", preset.name);
            }
            let count = preset.options.len() + mentioned;
            assert_eq!(help.matches("--").count(), count, "{}", preset.name);
        }
    }
}

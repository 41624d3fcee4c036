//! The keywords of options and their meanings, shared by the command line, Python and
//! [`Options::from_names`].

use std::fmt;
use std::str::FromStr;

use ::book::{EvaluationView, Form as BookForm, Order, Queens, UnknownResult};
use ::epd::{Consumer, Dialect, Form as RecordForm, RegisterStyle};
use diagram::Theme;
use emit::{LabelForm, LongComments, OnError};
use openings::NameSource;
use san::{CastlingStyle, Color, EnPassantPolicy};

use super::Format;
use crate::conflicts::Conflicts;
use crate::inputs::OnDamage;

/// A type whose values are selected by keywords.
///
/// ```
/// use pgn2epd::{EnPassantPolicy, Words};
///
/// assert_eq!(EnPassantPolicy::Legal.word(), "legal");
/// assert_eq!(EnPassantPolicy::from_word("legal"), Ok(EnPassantPolicy::Legal));
///
/// let error = EnPassantPolicy::from_word("never").unwrap_err();
/// assert_eq!(error.to_string(), "choose from always, pseudo, legal");
///
/// // The types of this crate have their words as text too.
/// assert_eq!("crafty".parse(), Ok(pgn2epd::Format::Crafty));
/// assert_eq!(pgn2epd::OnDamage::Keep.to_string(), "keep");
/// ```
pub trait Words: Copy + PartialEq + 'static {
    /// All values, in the order in which they are listed.
    const ALL: &'static [Self];

    /// Returns the word of this value.
    fn word(self) -> &'static str;

    /// Describes the value in a line without a full stop; empty if the keyword is self-explanatory.
    fn help(self) -> &'static str;

    /// Returns the value that has this word.
    ///
    /// # Errors
    ///
    /// Returns an error if no value has this keyword.
    fn from_word(word: &str) -> Result<Self, NoSuchWord> {
        let found = Self::ALL.iter().copied().find(|value| value.word() == word);
        found.ok_or_else(|| NoSuchWord::of(Self::ALL.iter().map(|value| value.word()).collect()))
    }
}

/// A word that no value has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("choose from {}", .words.join(", "))]
pub struct NoSuchWord {
    words: Vec<&'static str>,
}

impl NoSuchWord {
    pub(super) fn of(words: Vec<&'static str>) -> Self {
        NoSuchWord { words }
    }

    /// Returns the valid keywords.
    pub fn words(&self) -> &[&'static str] {
        &self.words
    }
}

/// Declares the keywords of a type: `"word" [value] "what it means";`. A value without a keyword
/// does not compile.
macro_rules! words {
    ($type:ty: $($word:literal [$($value:tt)+] $help:literal;)+) => {
        impl Words for $type {
            const ALL: &'static [Self] = &[$($($value)+),+];

            fn word(self) -> &'static str {
                match self { $($($value)+ => $word),+ }
            }

            fn help(self) -> &'static str {
                match self { $($($value)+ => $help),+ }
            }
        }
    };
}

words! { Format:
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
}

words! { RegisterStyle:
    "delta" [RegisterStyle::Delta] "Only changes: a record depends on those before it";
    "full" [RegisterStyle::Full] "All registers in every record, so that each line is self-contained";
    "off" [RegisterStyle::Off] "No registers";
}

/// The source of opening names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NamesFrom {
    /// The table that comes with the library.
    #[default]
    Table,
    /// The tags of each game.
    Tags,
    /// No names.
    Off,
}

words! { NamesFrom:
    "table" [NamesFrom::Table]
        "A table of 3,810 named positions from Lichess, or the tables of --openings";
    "tags" [NamesFrom::Tags] "The tags ECO, NIC, Opening, Variation and SubVariation of each game";
    "off" [NamesFrom::Off] "No names";
}

impl From<NamesFrom> for NameSource {
    fn from(names: NamesFrom) -> Self {
        match names {
            NamesFrom::Table => NameSource::Embedded,
            NamesFrom::Tags => NameSource::Tags,
            NamesFrom::Off => NameSource::Off,
        }
    }
}

words! { LongComments:
    "cut" [LongComments::Cut] "Cut them after 255 bytes";
    "split" [LongComments::Split] "Continue them in the next registers: c2, c3 and so on, up to c9";
    "drop" [LongComments::Drop] "Omit them";
}

words! { EnPassantPolicy:
    "always" [EnPassantPolicy::Always] "After every pawn advance of two squares, as in the standard";
    "pseudo" [EnPassantPolicy::Pseudo] "Only if an enemy pawn is next to the pawn: X-FEN";
    "legal" [EnPassantPolicy::Legal]
        "Only if a capture is legal: to compare positions with Lichess, python-chess, cutechess";
}

words! { CastlingStyle:
    "xfen" [CastlingStyle::XFen] "KQkq, and the letter of a file where that would be ambiguous (Chess960)";
    "shredder" [CastlingStyle::Shredder] "The letters of the rooks' files: HAha";
    "standard" [CastlingStyle::Standard] "Always KQkq";
}

/// Whether positions of some kind are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeepOrSkip {
    /// Write them.
    #[default]
    Keep,
    /// Omit them.
    Skip,
}

words! { KeepOrSkip:
    "keep" [KeepOrSkip::Keep] "Write them";
    "skip" [KeepOrSkip::Skip] "Omit them";
}

words! { Conflicts:
    "keep" [Conflicts::Keep] "Write each with the result of its game";
    "drop" [Conflicts::Drop] "Write none if their results differ, otherwise the first";
    "mean" [Conflicts::Mean] "Write one, with the mean of results and evaluations; not for c9 and plain";
}

words! { OnError:
    "keep" [OnError::Keep] "Write the positions before the error";
    "skip" [OnError::Skip] "Write nothing of that game";
    "stop" [OnError::Stop] "Write the positions before the error and end the run";
}

words! { OnDamage:
    "stop" [OnDamage::Stop] "Use the games before the first error in the file";
    "keep" [OnDamage::Keep] "Use all games that can be decoded";
}

words! { Queens:
    "both" [Queens::Both] "At least one of each side";
    "any" [Queens::Any] "At least one";
}

words! { EvaluationView:
    "mover" [EvaluationView::Mover] "The side to move";
    "white" [EvaluationView::White] "White";
}

words! { UnknownResult:
    "draw" [UnknownResult::Draw] "They count as draws";
    "skip" [UnknownResult::Skip] "They do not count";
}

words! { Order:
    "input" [Order::Input] "In the order in which games reached the positions: files by name, games by number";
    "count" [Order::Count] "Most games first";
    "key" [Order::Key] "By the text of the four fields";
    "score" [Order::Score] "Best score for White first";
    "shuffle" [Order::Shuffle] "In random order";
}

words! { BookForm:
    "epd" [BookForm::Epd] "EPD records";
    "pgn" [BookForm::Pgn] "A game for each position";
    "bin" [BookForm::Polyglot] "A Polyglot book";
    "csv" [BookForm::Csv] "A line for each move of each position";
    "jsonl" [BookForm::JsonLines] "A JSON object for each position";
    "arrow" [BookForm::Arrow] "An Arrow stream, a row for each position";
    "parquet" [BookForm::Parquet] "Parquet, a row for each position";
}

words! { RecordForm:
    "epd" [RecordForm::Epd] "Four fields and operations, the format of the standard";
    "fen" [RecordForm::Fen] "The six fields of a FEN, then all operations except hmvc and fmvn";
    "crafty" [RecordForm::Crafty] "The old format of HIARCS and Crafty";
    "perl" [RecordForm::Perl] "Four fields and no operations, like Perl's Chess::PGN::EPD";
}

words! { Theme:
    "light" [Theme::Light] "Light colours";
    "dark" [Theme::Dark] "Dark colours";
}

words! { Color:
    "white" [Color::White] "";
    "black" [Color::Black] "";
}

/// Makes words the text of a type: `FromStr` and `Display`.
macro_rules! texts {
    ($($type:ty),+) => {
        $(
            impl fmt::Display for $type {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad(self.word())
                }
            }

            impl FromStr for $type {
                type Err = NoSuchWord;

                fn from_str(word: &str) -> Result<Self, NoSuchWord> {
                    Self::from_word(word)
                }
            }
        )+
    };
}

texts! { Format, NamesFrom, KeepOrSkip, Conflicts, OnDamage }

impl Words for Dialect {
    const ALL: &'static [Self] = &Dialect::ALL;

    fn word(self) -> &'static str {
        self.name()
    }

    fn help(self) -> &'static str {
        self.description()
    }
}

impl Words for Consumer {
    const ALL: &'static [Self] = &Consumer::ALL;

    fn word(self) -> &'static str {
        self.name()
    }

    fn help(self) -> &'static str {
        ""
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use super::*;

    #[track_caller]
    fn assert_words_tell_values_apart<T: Words + Debug>() {
        let words: BTreeSet<&str> = T::ALL.iter().map(|value| value.word()).collect();
        assert_eq!(words.len(), T::ALL.len());
        for value in T::ALL {
            assert_eq!(T::from_word(value.word()), Ok(*value));
            assert!(!value.help().ends_with('.'), "{}", value.help());
        }
    }

    #[test]
    fn each_word_is_that_of_one_value() {
        assert_words_tell_values_apart::<Format>();
        assert_words_tell_values_apart::<RegisterStyle>();
        assert_words_tell_values_apart::<NamesFrom>();
        assert_words_tell_values_apart::<LongComments>();
        assert_words_tell_values_apart::<EnPassantPolicy>();
        assert_words_tell_values_apart::<CastlingStyle>();
        assert_words_tell_values_apart::<KeepOrSkip>();
        assert_words_tell_values_apart::<Conflicts>();
        assert_words_tell_values_apart::<OnError>();
        assert_words_tell_values_apart::<OnDamage>();
        assert_words_tell_values_apart::<Queens>();
        assert_words_tell_values_apart::<EvaluationView>();
        assert_words_tell_values_apart::<UnknownResult>();
        assert_words_tell_values_apart::<Order>();
        assert_words_tell_values_apart::<BookForm>();
        assert_words_tell_values_apart::<RecordForm>();
        assert_words_tell_values_apart::<Theme>();
        assert_words_tell_values_apart::<Color>();
        assert_words_tell_values_apart::<Dialect>();
        assert_words_tell_values_apart::<Consumer>();
    }
}

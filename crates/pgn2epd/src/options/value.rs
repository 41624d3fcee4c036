//! Values of options as text, on the command line, in Python and in maps.

use std::any::Any;
use std::mem::discriminant;
use std::num::{NonZeroU64, NonZeroUsize, ParseIntError};
use std::path::PathBuf;
use std::str::FromStr;

use dataset::{Conflicts, Preference};
use emit::{
    ColumnList, ColumnNames, Comments, Evals, EvaluationRange, Filter, GameForm, GameStyle,
    Omission, Omissions, OnError, OpList, SortOrder, Template,
};
use epd::RegisterStyle;
use openings::NameSource;
use san::{CastlingStyle, EnPassantPolicy, Keyword, Language, UnknownKeyword};
use stream::compress::Compression;
use training::ScoreUnit;

use super::values::{
    DataSplit, Format, GameEquality, OnDamage, OnOff, Plies, RowKind, Share, Size, Unreadable, View,
};
use crate::inputs::InputKind;

/// The kind of value that an option has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `true` or `false`; on the command line, its presence.
    Flag,
    /// One of the [keywords](crate::options::OptionSpec::keywords).
    Keyword,
    /// An integer.
    Number,
    /// A number of bytes: `65536`, `64K`, `64M`, `2G`.
    Size,
    /// A number from 0 to 1.
    Share,
    /// A range: `8..24`, `8..`, `..24`, `16`.
    Range,
    /// Names separated by commas, or `none`.
    List,
    /// The name of a file that is read.
    File,
    /// Other text.
    Text,
}

pub(crate) trait OptionValue: Sized {
    const KIND: ValueKind;

    fn parse(text: &str) -> Result<Self, String>;

    /// Returns the value as text; `None` if it has no effect.
    fn text(&self) -> Option<String>;

    fn keywords() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
}

pub(crate) trait OptionField {
    const KIND: ValueKind;
    const REPEATS: bool = false;

    fn read(&mut self, text: &str) -> Result<(), String>;

    /// Returns the values as text; `None` if they cannot be written.
    fn write(&self) -> Option<Vec<String>>;

    fn keywords() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
}

impl<T: OptionValue> OptionField for T {
    const KIND: ValueKind = T::KIND;

    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = T::parse(text)?;
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        Some(self.text().into_iter().collect())
    }

    fn keywords() -> Vec<(&'static str, &'static str)> {
        T::keywords()
    }
}

impl<T: OptionValue> OptionField for Option<T> {
    const KIND: ValueKind = T::KIND;

    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = Some(T::parse(text)?);
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        Some(self.as_ref().and_then(T::text).into_iter().collect())
    }

    fn keywords() -> Vec<(&'static str, &'static str)> {
        T::keywords()
    }
}

impl<T: OptionValue> OptionField for Vec<T> {
    const KIND: ValueKind = T::KIND;
    const REPEATS: bool = true;

    fn read(&mut self, text: &str) -> Result<(), String> {
        self.push(T::parse(text)?);
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        Some(self.iter().filter_map(T::text).collect())
    }

    fn keywords() -> Vec<(&'static str, &'static str)> {
        T::keywords()
    }
}

/// Sources of opening names, with their words and meanings; tables have none.
const NAMES: [(&str, &str, NameSource); 3] = [
    (
        "table",
        "A table of 3,810 named positions from Lichess, or the tables of --openings",
        NameSource::Embedded,
    ),
    (
        "tags",
        "The tags ECO, NIC, Opening, Variation and SubVariation of each game",
        NameSource::Tags,
    ),
    ("off", "No names", NameSource::Off),
];

impl OptionField for NameSource {
    const KIND: ValueKind = ValueKind::Keyword;

    fn read(&mut self, text: &str) -> Result<(), String> {
        let found = NAMES.into_iter().find(|(word, ..)| *word == text);
        let unknown = || UnknownKeyword::new(NAMES.map(|(word, ..)| word)).to_string();
        *self = found.ok_or_else(unknown)?.2;
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        let mut all = NAMES.into_iter();
        let (word, ..) = all.find(|(.., other)| discriminant(other) == discriminant(self))?;
        Some(vec![word.to_owned()])
    }

    fn keywords() -> Vec<(&'static str, &'static str)> {
        NAMES.map(|(word, help, _)| (word, help)).into()
    }
}

/// Values add up, unless the first word of one is `none`.
impl OptionField for Omissions {
    const KIND: ValueKind = ValueKind::List;
    const REPEATS: bool = true;

    fn read(&mut self, text: &str) -> Result<(), String> {
        let (given, before) = match text.strip_prefix("none,") {
            Some(rest) => (parse(rest)?, Omissions::NONE),
            None if text == "none" => (Omissions::NONE, Omissions::NONE),
            None => (parse::<Omissions>(text)?, *self),
        };
        *self = given.iter().fold(before, Omissions::with);
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        Some((*self != Omissions::NONE).then(|| self.to_string()).into_iter().collect())
    }

    fn keywords() -> Vec<(&'static str, &'static str)> {
        Omission::LISTED.iter().map(|one| (one.word(), one.help())).collect()
    }
}

/// The language of the piece letters, or `auto`.
impl OptionField for Option<Language> {
    const KIND: ValueKind = ValueKind::Text;

    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = match text {
            "auto" => None,
            code => Some(Language::from_code(code).ok_or_else(|| {
                let codes: Vec<&str> = Language::all().map(Language::code).collect();
                format!("unknown language {text:?}; choose from auto, {}", codes.join(", "))
            })?),
        };
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        Some(vec![self.map_or("auto", Language::code).to_owned()])
    }
}

macro_rules! keyword_values {
    ($($type:ty),+ $(,)?) => {
        $(impl OptionValue for $type {
            const KIND: ValueKind = ValueKind::Keyword;

            fn parse(text: &str) -> Result<Self, String> {
                parse(text)
            }

            fn text(&self) -> Option<String> {
                Some(self.to_string())
            }

            fn keywords() -> Vec<(&'static str, &'static str)> {
                <$type>::ALL.iter().map(|value| (value.word(), value.help())).collect()
            }
        })+
    };
}

keyword_values! {
    ::diagram::Theme, View, ::epd::Dialect, ::epd::Rules, OnOff, Unreadable, CastlingStyle, Comments, Conflicts, EnPassantPolicy, Evals, Format, Preference, RowKind, OnDamage, OnError, RegisterStyle, ScoreUnit,
}

impl OptionValue for bool {
    const KIND: ValueKind = ValueKind::Flag;

    fn parse(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| "choose from true, false".to_owned())
    }

    fn text(&self) -> Option<String> {
        self.then(|| "true".to_owned())
    }
}

impl OptionValue for usize {
    const KIND: ValueKind = ValueKind::Size;

    fn parse(text: &str) -> Result<Self, String> {
        parse(text).map(|Size(bytes)| bytes)
    }

    fn text(&self) -> Option<String> {
        Some(Size(*self).to_string())
    }
}

impl OptionValue for PathBuf {
    const KIND: ValueKind = ValueKind::Text;

    fn parse(text: &str) -> Result<Self, String> {
        Ok(text.into())
    }

    fn text(&self) -> Option<String> {
        Some(self.to_string_lossy().into_owned())
    }
}

impl OptionValue for NonZeroU64 {
    const KIND: ValueKind = ValueKind::Number;

    fn parse(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| "a number above 0 is needed".to_owned())
    }

    fn text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

/// Upper bound on threads; more cost more than they gain.
const MOST_JOBS: NonZeroUsize = NonZeroUsize::new(512).expect("512 is not 0");

impl OptionValue for NonZeroUsize {
    const KIND: ValueKind = ValueKind::Number;

    fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(jobs) if jobs > MOST_JOBS => Err(format!("the maximum is {MOST_JOBS} threads")),
            Ok(jobs) => Ok(jobs),
            Err(_) => {
                Err("write a number of threads, 1 or more, or omit -j to use all cores".to_owned())
            }
        }
    }

    fn text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

#[cfg(feature = "book")]
keyword_values! { ::book::EpdOps, ::book::Form, ::book::Order, ::book::Queens, ::book::UnknownResult, ::book::Weights }

/// Values written as they are displayed, some unless they have no effect, or with words.
macro_rules! values_with_display {
    ($($type:ty: $kind:ident $(unless $default:ident)? $(of $word:ty)?),+ $(,)?) => {
        $(impl $crate::options::value::OptionValue for $type {
            const KIND: $crate::options::value::ValueKind =
                $crate::options::value::ValueKind::$kind;

            fn parse(text: &str) -> Result<Self, String> {
                $crate::options::value::parse(text)
            }

            fn text(&self) -> Option<String> {
                $(if *self == <$type>::$default() {
                    return None;
                })?
                Some(self.to_string())
            }

            $(fn keywords() -> Vec<(&'static str, &'static str)> {
                <$word>::ALL.iter().map(|word| (word.word(), word.help())).collect()
            })?
        })+
    };
}

#[cfg(feature = "engine")]
pub(crate) use values_with_display;

values_with_display! {
    Plies: Range unless default, ColumnNames: List unless default, GameForm: List of GameStyle,
    GameEquality: Text, u32: Number, u64: Number, ColumnList: List, SortOrder: List, OpList: List,
    Template: Text, Filter: Text, Compression: Text, InputKind: Text, EvaluationRange: Range,
    Share: Share, DataSplit: Text, ::diagram::ArrowList: List, ::diagram::SquareList: List,
}

#[cfg(feature = "book")]
values_with_display! { ::book::GroupBy: List unless default }

pub(crate) fn parse<T: FromStr<Err: ToString + 'static>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| match (&error as &dyn Any).is::<ParseIntError>() {
        true => "write a whole number in digits, such as 1000".to_owned(),
        false => error.to_string(),
    })
}

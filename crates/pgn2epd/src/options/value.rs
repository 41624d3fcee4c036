//! Values of options as text, on the command line, in Python and in maps.

use std::any::Any;
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
use san::{CastlingStyle, EnPassantPolicy, Keyword, Language};
use stream::compress::Compression;
use training::ScoreUnit;

use super::values::{
    DataSplit, Format, GameEquality, Jobs, LanguageChoice, NamesFrom, OnDamage, OnOff, Plies,
    RowKind, Share, Size, Unreadable, View,
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

/// A value that is written as one text.
pub(crate) trait OptionValue: Sized {
    const KIND: ValueKind;

    fn parse(text: &str) -> Result<Self, String>;

    /// Returns the value as text; `None` if it has no effect.
    fn text(&self) -> Option<String>;

    fn keywords() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
}

/// A field of options: one value, an optional one, or several.
pub(crate) trait OptionField {
    const KIND: ValueKind;
    const REPEATS: bool = false;

    /// Sets or adds a value.
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

impl OptionField for NameSource {
    const KIND: ValueKind = ValueKind::Keyword;

    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = NamesFrom::parse(text)?.into();
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        let names = match self {
            NameSource::Embedded => NamesFrom::Table,
            NameSource::Tags => NamesFrom::Tags,
            NameSource::Off => NamesFrom::Off,
            NameSource::Table(_) => return None,
        };
        OptionField::write(&names)
    }

    fn keywords() -> Vec<(&'static str, &'static str)> {
        <NamesFrom as OptionValue>::keywords()
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
        Some((!self.is_empty()).then(|| self.to_string()).into_iter().collect())
    }

    fn keywords() -> Vec<(&'static str, &'static str)> {
        Omission::LISTED.iter().map(|one| (one.word(), one.help())).collect()
    }
}

impl OptionField for GameForm {
    const KIND: ValueKind = ValueKind::List;

    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = parse(text)?;
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        Some(vec![self.to_string()])
    }

    fn keywords() -> Vec<(&'static str, &'static str)> {
        GameStyle::ALL.iter().map(|one| (one.word(), one.help())).collect()
    }
}

/// Which of equal positions is written; as a switch, the first.
impl OptionField for Option<Preference> {
    const KIND: ValueKind = ValueKind::Keyword;

    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = match text {
            "true" => Some(Preference::First),
            "false" => None,
            word => Some(parse(word)?),
        };
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        Some(self.iter().map(Preference::to_string).collect())
    }

    fn keywords() -> Vec<(&'static str, &'static str)> {
        Preference::ALL.iter().map(|one| (one.word(), one.help())).collect()
    }
}

/// Which games are equal; as a switch, those with the same moves.
impl OptionField for Option<GameEquality> {
    const KIND: ValueKind = ValueKind::Text;

    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = match text {
            "true" => Some(GameEquality::Moves),
            "false" => None,
            word => Some(parse(word)?),
        };
        Ok(())
    }

    fn write(&self) -> Option<Vec<String>> {
        Some(self.iter().map(GameEquality::to_string).collect())
    }
}

/// The language of the piece letters, or `auto`.
impl OptionField for Option<Language> {
    const KIND: ValueKind = ValueKind::Text;

    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = text.parse::<LanguageChoice>().map_err(|error| error.to_string())?.0;
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
    ::diagram::Theme, View, ::epd::Dialect, ::epd::Rules, OnOff, Unreadable, CastlingStyle, Comments, Conflicts, EnPassantPolicy, Evals, Format, NamesFrom, RowKind, OnDamage, OnError, RegisterStyle, ScoreUnit,
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

impl OptionValue for NonZeroUsize {
    const KIND: ValueKind = ValueKind::Number;

    fn parse(text: &str) -> Result<Self, String> {
        parse(text).map(|Jobs(jobs)| jobs)
    }

    fn text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

#[cfg(feature = "book")]
keyword_values! { ::book::EpdOps, ::book::Form, ::book::Order, ::book::Queens, ::book::UnknownResult, ::book::Weights }

/// Values that are written as they are displayed, some of them unless they have no effect.
macro_rules! values_with_display {
    ($($type:ty: $kind:ident $(unless $default:ident)?),+) => {
        $(impl OptionValue for $type {
            const KIND: ValueKind = ValueKind::$kind;

            fn parse(text: &str) -> Result<Self, String> {
                parse(text)
            }

            fn text(&self) -> Option<String> {
                $(if *self == <$type>::$default() {
                    return None;
                })?
                Some(self.to_string())
            }
        })+
    };
}

values_with_display! { Plies: Range unless default, ColumnNames: List unless default }

values_with_display! { u32: Number, u64: Number, ColumnList: List, SortOrder: List, OpList: List, Template: Text, Filter: Text,
    Compression: Text, InputKind: Text, EvaluationRange: Range, Share: Share, DataSplit: Text, ::diagram::ArrowList: List, ::diagram::SquareList: List
}

#[cfg(feature = "book")]
values_with_display! { ::book::GroupBy: List unless default }

#[cfg(feature = "engine")]
values_with_display! { super::best_moves::MoveList: List unless default, ::engine::EngineCommand: Text, ::engine::OptionSetting: Text, super::best_moves::BestMoves: Text, super::values::ShareRange: Range }

fn parse<T: FromStr<Err: ToString + 'static>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| match (&error as &dyn Any).is::<ParseIntError>() {
        true => "write a whole number in digits, such as 1000".to_owned(),
        false => error.to_string(),
    })
}

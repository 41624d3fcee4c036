//! Declarations of options: from one declaration come the field and the builder method of the
//! library, the argument of the command line, the keyword argument of Python, and their
//! descriptions.

use san::UnknownKeyword;

use super::conflict::OptionConflict;
use super::value::{OptionField, ValueKind};
use super::values::{Preset, preset};

/// The declaration of an option of `T`.
///
/// ```
/// use pgn2epd::Options;
/// use pgn2epd::options::ValueKind;
///
/// let ep = Options::SPECS.iter().find(|spec| spec.name == "ep").unwrap();
/// assert_eq!((ep.heading, ep.value_name, ep.kind), ("Records", "WHEN", ValueKind::Keyword));
/// assert_eq!(ep.help(), "When to write en passant squares");
/// assert_eq!(ep.default_value().as_deref(), Some("always"));
/// let words: Vec<_> = ep.keywords().into_iter().map(|(word, _)| word).collect();
/// assert_eq!(words, ["always", "pseudo", "legal"]);
/// ```
#[derive(Debug)]
pub struct OptionSpec<T> {
    /// The name on the command line, without hyphens in front: `null-moves`.
    pub name: &'static str,
    /// The one-letter name on the command line.
    pub short: Option<char>,
    /// The heading under which the option is listed.
    pub heading: &'static str,
    /// What the value is called in descriptions; empty for a flag.
    pub value_name: &'static str,
    /// The kind of value.
    pub kind: ValueKind,
    /// The value if the option is given without one.
    pub optional: Option<&'static str>,
    /// Whether the option may be repeated, and each value is added.
    pub repeats: bool,
    /// Whether the value may begin with a hyphen.
    pub allows_hyphen: bool,
    /// The options of which one is needed, since this one has no meaning otherwise.
    pub for_any: &'static [&'static str],
    /// The options that exclude this one.
    pub not_with: &'static [&'static str],
    /// Whether the option is in the short list of options, in the full list, or in none.
    pub visibility: Visibility,
    pub(super) docs: &'static str,
    pub(super) read: fn(&mut T, &str) -> Result<(), String>,
    pub(super) write: fn(&T) -> Option<Vec<String>>,
    pub(super) keywords: fn() -> Vec<(&'static str, &'static str)>,
}

/// Which lists of options contain an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Visibility {
    /// Both lists.
    Common,
    /// The full list only.
    Full,
    /// None: for tests and measurements.
    Hidden,
}

/// Methods that set a field each.
macro_rules! attributes {
    ($($method:ident($($argument:ident: $type:ty)?) => $field:ident: $value:expr;)+) => {
        $(pub(crate) const fn $method(self, $($argument: $type)?) -> Self {
            OptionSpec { $field: $value, ..self }
        })+
    };
}

impl<T> OptionSpec<T> {
    /// Returns an option without attributes; `docs` is the documentation of its field.
    pub(crate) const fn new<F: OptionField>(
        heading: &'static str,
        name: &'static str,
        docs: &'static str,
        read: fn(&mut T, &str) -> Result<(), String>,
        write: fn(&T) -> Option<Vec<String>>,
    ) -> Self {
        OptionSpec {
            name,
            short: None,
            heading,
            value_name: "",
            kind: F::KIND,
            optional: None,
            repeats: F::REPEATS,
            allows_hyphen: false,
            for_any: &[],
            not_with: &[],
            visibility: Visibility::Full,
            docs,
            read,
            write,
            keywords: F::keywords,
        }
    }

    attributes! {
        name(name: &'static str) => name: name;
        short(letter: char) => short: Some(letter);
        value(name: &'static str) => value_name: name;
        optional(value: &'static str) => optional: Some(value);
        common() => visibility: Visibility::Common;
        hidden() => visibility: Visibility::Hidden;
        for_any(others: &'static [&'static str]) => for_any: others;
        not_with(others: &'static [&'static str]) => not_with: others;
        allows_hyphen() => allows_hyphen: true;
    }

    /// Returns the description in one line, without a full stop.
    pub fn help(&self) -> String {
        let help = one_line(self.docs.split("\n\n").next().unwrap_or_default());
        match help.strip_suffix('.') {
            Some(without) if !without.ends_with('.') => without.to_owned(),
            _ => help,
        }
    }

    /// Returns the full description, if it is longer than [`help`](OptionSpec::help).
    pub fn long_help(&self) -> Option<String> {
        let more: Vec<String> = self.docs.split("\n\n").skip(1).map(one_line).collect();
        (!more.is_empty()).then(|| format!("{}\n\n{}", self.help(), more.join("\n\n")))
    }

    /// Returns the keywords of the value, each with its meaning; empty for values of other kinds.
    pub fn keywords(&self) -> Vec<(&'static str, &'static str)> {
        (self.keywords)()
    }

    /// Sets the option, or adds a value to it. One that may be given without a value is set by
    /// `true`. Fails with the reason if the value is invalid.
    pub fn set(&self, options: &mut T, value: &str) -> Result<(), String> {
        match (self.optional, value) {
            (Some(value), "true") => (self.read)(options, value),
            (Some(_), "false") => Ok(()),
            _ => (self.read)(options, value),
        }
    }

    /// Returns the values of the option, one unless it [repeats](OptionSpec::repeats), none if it
    /// is not set; `None` if its value cannot be written as text.
    pub fn values(&self, options: &T) -> Option<Vec<String>> {
        (self.write)(options)
    }
}

impl<T: Default> OptionSpec<T> {
    /// Returns the default, except those that mean that the option has no effect.
    pub fn default_value(&self) -> Option<String> {
        let default = self.values(&T::default())?.pop()?;
        (self.kind != ValueKind::Flag && default != "0").then_some(default)
    }

    /// Checks a value; fails with the reason if it is invalid.
    pub fn check(&self, value: &str) -> Result<(), String> {
        self.set(&mut T::default(), value)
    }

    pub(crate) fn is_set(&self, options: &T) -> bool {
        self.values(options) != self.values(&T::default())
    }
}

fn one_line(paragraph: &str) -> String {
    // Not by all white space, since all descriptions are prepared at every start of the program.
    paragraph.trim().split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
}

pub(crate) const fn with_hyphens<const N: usize>(field: &str) -> [u8; N] {
    let mut name = [0; N];
    let mut at = 0;
    while at < N {
        let byte = field.as_bytes()[at];
        name[at] = if byte == b'_' { b'-' } else { byte };
        at += 1;
    }
    name
}

/// The documentation of an option; one that is shared may have none of its own.
macro_rules! option_docs {
    () => {
        "As in [`Options`](crate::Options)."
    };
    ($($doc:literal)+) => {
        concat!($($doc, "\n"),+)
    };
}

pub(crate) use option_docs;

/// Declares a structure of options. An option is its documentation, then
/// `field: Type = default, attributes;`, where the attributes are methods of [`OptionSpec`].
macro_rules! options {
    (
        $(#[$attribute:meta])*
        pub struct $Options:ident {
            $($heading:literal: {
                $(
                    $(#[doc = $doc:literal])*
                    $field:ident: $type:ty = $default:expr
                    $(, $method:ident($($argument:expr)?))*;
                )+
            })+
            // Fields that are not options.
            $(
                $(#[doc = $other_doc:literal])+
                $other:ident: $other_type:ty = $other_default:expr;
            )*
        }
    ) => {
        $(#[$attribute])*
        pub struct $Options {
            $($(
                #[doc = $crate::options::option_spec::option_docs!($($doc)*)]
                pub $field: $type,
            )+)+
            $($(#[doc = $other_doc])+ pub $other: $other_type,)*
        }

        impl Default for $Options {
            fn default() -> Self {
                $Options { $($($field: $default,)+)+ $($other: $other_default,)* }
            }
        }

        impl $crate::options::option_spec::Declared for $Options {
            const SPECS: &'static [$crate::options::option_spec::OptionSpec<Self>] = &[$($({
                const FIELD: &str = stringify!($field);
                const NAME: [u8; FIELD.len()] =
                    $crate::options::option_spec::with_hyphens(FIELD);
                const NAME_TEXT: &str = match str::from_utf8(&NAME) {
                    Ok(name) => name,
                    Err(_) => panic!("a field has a name in UTF-8"),
                };
                $crate::options::option_spec::OptionSpec::new::<$type>(
                    $heading,
                    NAME_TEXT,
                    $crate::options::option_spec::option_docs!($($doc)*),
                    |options: &mut Self, value| $crate::options::value::OptionField::read(&mut options.$field, value),
                    |options: &Self| $crate::options::value::OptionField::write(&options.$field),
                )$(.$method($($argument)?))*
            },)+)+];
        }

        impl $Options {
            /// The declarations of all options, in the order in which they are listed.
            pub const SPECS: &'static [$crate::options::option_spec::OptionSpec<Self>] =
                <Self as $crate::options::option_spec::Declared>::SPECS;

            /// Parses options by their command-line names and values, in which `_` may stand for
            /// `-`. Explicit options override those of a `preset`, and add to those that are lists
            /// of words. Fails if an option does not exist, a value is invalid, or two options are
            /// in conflict.
            pub fn from_names<'n>(
                named: impl IntoIterator<Item = (&'n str, &'n str)>,
            ) -> Result<Self, $crate::options::OptionError> {
                $crate::options::option_spec::read(named)
            }

            /// Returns the options that differ from the defaults by their command-line names and
            /// values, as `from_names` reads them. Fails if a value has no name, such as a table of
            /// openings.
            pub fn to_names(
                &self,
            ) -> Result<Vec<(&'static str, String)>, $crate::options::OptionError> {
                $crate::options::option_spec::write(self)
            }

            $($(
                #[doc = $crate::options::option_spec::option_docs!($($doc)*)]
                #[must_use]
                pub fn $field(mut self, value: $type) -> Self {
                    self.$field = value;
                    self
                }
            )+)+

            $(
                $(#[doc = $other_doc])+
                #[must_use]
                pub fn $other(mut self, value: $other_type) -> Self {
                    self.$other = value;
                    self
                }
            )*
        }
    };
}

pub(crate) use options;

/// An error in a named option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum OptionError {
    #[error("unknown option {0:?}")]
    Unknown(String),
    #[error("{name}={value:?}: {reason}")]
    Value { name: String, value: String, reason: String },
    #[error("{0} has a value without a name")]
    Unnamed(&'static str),
    #[error(transparent)]
    OptionConflict(#[from] OptionConflict),
}

/// Options that the macro `options!` declares.
pub trait Declared: Default + 'static {
    /// The declarations, in the order in which they are listed.
    const SPECS: &'static [OptionSpec<Self>];
}

/// Options that are read from names and values.
pub trait OptionSet: Declared {
    /// The named groups of options.
    const PRESETS: &'static [Preset] = &[];

    /// Returns a conflict between the selected options beyond those that are declared.
    fn conflict(&self) -> Option<OptionConflict> {
        None
    }
}

pub(crate) fn read<'n, T: OptionSet>(
    named: impl IntoIterator<Item = (&'n str, &'n str)>,
) -> Result<T, OptionError> {
    let named: Vec<(String, &str)> =
        named.into_iter().map(|(name, value)| (name.replace('_', "-"), value)).collect();
    let mut options = T::default();
    let is_named = |wanted: &str| named.iter().any(|(name, _)| name == wanted);
    for (_, value) in named.iter().filter(|(name, _)| name == "preset" && !T::PRESETS.is_empty()) {
        let preset = preset(T::PRESETS, value)
            .map_err(|reason: UnknownKeyword| error("preset", value, reason.to_string()))?;
        for (name, value) in preset.options {
            let spec = spec::<T>(name)?;
            let adds = spec.repeats && spec.kind == ValueKind::List;
            if adds || !is_named(name) {
                spec.set(&mut options, value).map_err(|reason| error(name, value, reason))?;
            }
        }
    }
    for (name, value) in named.iter().filter(|(name, _)| name != "preset" || T::PRESETS.is_empty())
    {
        let set = spec::<T>(name)?.set(&mut options, value);
        set.map_err(|reason| error(name, value, reason))?;
    }
    let conflict = declared_conflict(&options).or_else(|| options.conflict());
    conflict.map_or(Ok(options), |conflict| Err(conflict.into()))
}

pub(crate) fn first_set<T: Declared>(options: &T, names: &[&'static str]) -> Option<&'static str> {
    let is_set = |name: &&str| {
        let mut specs = T::SPECS.iter().filter(|spec| spec.name == *name);
        specs.any(|spec| spec.is_set(options))
    };
    names.iter().copied().find(is_set)
}

fn declared_conflict<T: Declared>(options: &T) -> Option<OptionConflict> {
    T::SPECS.iter().find_map(|OptionSpec { name, for_any, not_with, .. }| {
        let excluded = first_set(options, not_with);
        let excluded = excluded.map(|other| OptionConflict::Exclusive(name, other));
        let is_unused = !for_any.is_empty() && first_set(options, for_any).is_none();
        let conflict = excluded.or(is_unused.then_some(OptionConflict::Needs(name, for_any)))?;
        first_set(options, &[name]).map(|_| conflict)
    })
}

pub(crate) fn write<T: Declared>(options: &T) -> Result<Vec<(&'static str, String)>, OptionError> {
    let mut names = Vec::new();
    for spec in T::SPECS {
        let values = spec.values(options).ok_or(OptionError::Unnamed(spec.name))?;
        if spec.is_set(options) {
            names.extend(values.into_iter().map(|value| (spec.name, value)));
        }
    }
    Ok(names)
}

fn spec<T: Declared>(name: &str) -> Result<&'static OptionSpec<T>, OptionError> {
    let spec = T::SPECS.iter().find(|spec| spec.name == name);
    spec.ok_or_else(|| OptionError::Unknown(name.to_owned()))
}

fn error(name: &str, value: &str, reason: String) -> OptionError {
    OptionError::Value { name: name.to_owned(), value: value.to_owned(), reason }
}

//! Options from and to their command-line names and values.

use san::UnknownKeyword;

use super::conflict::OptionConflict;
use super::option_spec::OptionSpec;
use super::preset::{Preset, preset};
use super::value::ValueKind;

/// An error in a named option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The option does not exist.
    #[error("unknown option {0:?}")]
    Unknown(String),
    /// The value is invalid.
    #[error("{name}={value:?}: {reason}")]
    Value {
        /// The name of the option.
        name: String,
        /// The invalid value.
        value: String,
        /// The reason.
        reason: String,
    },
    /// The value has no name, such as a table of openings.
    #[error("{0} has a value without a name")]
    Unnamed(&'static str),
    /// The options are in conflict.
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

/// Returns the first conflict between the selected options that is declared.
fn declared_conflict<T: Declared>(options: &T) -> Option<OptionConflict> {
    let is_set = |name: &&&str| {
        let mut specs = T::SPECS.iter().filter(|spec| spec.name == **name);
        specs.any(|spec| spec.is_set(options))
    };
    T::SPECS.iter().find_map(|OptionSpec { name, for_any, not_with, .. }| {
        let excluded =
            not_with.iter().find(is_set).map(|other| OptionConflict::Exclusive(name, other));
        let is_unused = !for_any.is_empty() && !for_any.iter().any(|other| is_set(&other));
        let conflict = excluded.or(is_unused.then_some(OptionConflict::Needs(name, for_any)))?;
        is_set(&name).then_some(conflict)
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

//! Options by their command-line names and values.

use std::str::FromStr;

use emit::Template;

use super::values::{Jobs, LanguageChoice, Plies, Size};
use super::words::{KeepOrSkip, NamesFrom, NoSuchWord, Words};
use super::{Format, Options, Sample};
use crate::conflicts::Conflicts;

/// An error in a named option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is no option with this name.
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

/// A conflict between options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionConflict {
    /// Operations in a format without operations.
    #[error("format {:?} has no operations: omit ops, op and presets that contain them", .0.word())]
    Operations(Format),
    /// Variations in a format whose results are those of main lines.
    #[error("format {:?} has no positions of variations: the result is that of the main line", .0.word())]
    Variations(Format),
    /// Means of results in a format that cannot represent them.
    #[error(
        "conflicts=\"mean\" is not for format {:?}, which has no results between a draw and a win; use drop, or bracket, bullet or c-chess-cli",
        .0.word()
    )]
    Means(Format),
    /// A conflict policy in a format without results.
    #[error("conflicts is for formats with results (c9, bracket, bullet, c-chess-cli, plain), not for {:?}", .0.word())]
    Conflicts(Format),
}

/// Returns the options of a preset, by name, or `None` if the name is unknown.
///
/// ```
/// assert_eq!(pgn2epd::preset("tuning").unwrap()[0], ("format", "c9"));
/// ```
pub fn preset(name: &str) -> Option<&'static [(&'static str, &'static str)]> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, options)| *options)
}

type Named = &'static [(&'static str, &'static str)];

const PRESETS: &[(&str, Named)] = &[
    (
        "match",
        &[
            ("format", "epd"),
            ("ops", "fmvn,hmvc"),
            ("registers", "off"),
            ("ep", "legal"),
            ("castling", "standard"),
        ],
    ),
    (
        "suite",
        &[
            // A program that runs a test suite stops at a record without `bm`, such as the last position of a game.
            ("where", "san != \"\""),
            ("format", "epd"),
            ("ops", "none"),
            ("registers", "off"),
            ("ep", "legal"),
            ("op", "bm={san}"),
            ("op", "id={White|?} - {Black|?} {Date|?}, ply {ply}"),
        ],
    ),
    ("tuning", &[("format", "c9"), ("ep", "legal"), ("in-check", "skip"), ("captures", "skip")]),
];

impl Options {
    /// Parses options by their command-line names and values: `("ep", "legal")` for `--ep legal`,
    /// `("unique", "true")` for `--unique`. `op` may be repeated, and explicit options override
    /// `preset`. Names may have `_` in place of `-`.
    ///
    /// # Errors
    ///
    /// Returns an error if an option does not exist, a value is invalid, or two options are in
    /// conflict.
    ///
    /// ```
    /// use pgn2epd::{EnPassantPolicy, Format, Options};
    ///
    /// let options = Options::from_names([("format", "fen"), ("ep", "legal"), ("ply", "8..24")])?;
    /// assert_eq!(options.format, Format::Fen);
    /// assert_eq!(options.en_passant, EnPassantPolicy::Legal);
    /// assert_eq!((options.first_ply, options.last_ply), (8, 24));
    ///
    /// let error = Options::from_names([("ep", "never")]).unwrap_err();
    /// assert_eq!(error.to_string(), "ep=\"never\": choose from always, pseudo, legal");
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    pub fn from_names<'n>(
        named: impl IntoIterator<Item = (&'n str, &'n str)>,
    ) -> Result<Self, OptionError> {
        let named: Vec<(String, &str)> =
            named.into_iter().map(|(name, value)| (name.replace('_', "-"), value)).collect();
        let mut options = Options::default();
        for (name, value) in named.iter().filter(|(name, _)| name == "preset") {
            let choices = || PRESETS.iter().map(|(name, _)| *name).collect();
            let all = preset(value).ok_or_else(|| NoSuchWord::of(choices()).to_string());
            for (part, value) in all.map_err(|reason| error(name, value, reason))? {
                if named.iter().all(|(name, _)| name != part) {
                    options.set(part, value)?;
                }
            }
        }
        let mut seed = None;
        for (name, value) in &named {
            match name.as_str() {
                "preset" => {}
                "seed" => seed = Some(read(value).map_err(|reason| error(name, value, reason))?),
                _ => options.set(name, value)?,
            }
        }
        match (&mut options.sample, seed) {
            (Some(sample), Some(seed)) => sample.seed = seed,
            (None, Some(seed)) => {
                let value = seed.to_string();
                return Err(error("seed", &value, "it is for sample".to_owned()));
            }
            (_, None) => {}
        }
        options.conflict().map_or(Ok(options), |conflict| Err(conflict.into()))
    }

    /// Returns the conflict between the selected options, if any.
    pub fn conflict(&self) -> Option<OptionConflict> {
        let has_operations = self.ops.is_some() || !self.templates.is_empty();
        match self.format {
            Format::Label(_) if has_operations => Some(OptionConflict::Operations(self.format)),
            Format::Label(_) if self.variations => Some(OptionConflict::Variations(self.format)),
            Format::Label(form) if self.conflicts == Conflicts::Mean && !form.has_means() => {
                Some(OptionConflict::Means(self.format))
            }
            Format::Label(_) => None,
            _ if self.conflicts != Conflicts::Keep => Some(OptionConflict::Conflicts(self.format)),
            _ => None,
        }
    }

    /// Sets an option.
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.try_set(name, value).map_err(|reason| match reason {
            None => OptionError::Unknown(name.to_owned()),
            Some(reason) => error(name, value, reason),
        })
    }

    /// Sets an option. The error is the reason why the value is invalid, or `None` if the option
    /// does not exist.
    fn try_set(&mut self, name: &str, value: &str) -> Result<(), Option<String>> {
        match name {
            "format" => self.format = choose(value)?,
            "ops" => self.ops = Some(read(value)?),
            "registers" => self.registers = Some(choose(value)?),
            "names" => self.names = choose::<NamesFrom>(value)?.into(),
            "op" => self.templates.push(read::<Template>(value)?),
            "variations" => self.variations = flag(value)?,
            "keep-commands" => self.keep_commands = flag(value)?,
            "long-comments" => self.long_comments = choose(value)?,
            "ascii" => self.ascii = flag(value)?,
            "ep" => self.en_passant = choose(value)?,
            "castling" => self.castling = choose(value)?,
            "blank-line" => self.blank_line = flag(value)?,
            "skip-start" => self.first_ply = self.first_ply.max(u32::from(flag(value)?)),
            "min-ply" => self.first_ply = self.first_ply.max(read(value)?),
            "ply" => {
                let Plies { first, last } = read(value)?;
                (self.first_ply, self.last_ply) = (self.first_ply.max(first), last);
            }
            "in-check" => self.exclude.in_check = choose::<KeepOrSkip>(value)? == KeepOrSkip::Skip,
            "captures" => self.exclude.captures = choose::<KeepOrSkip>(value)? == KeepOrSkip::Skip,
            "max-eval" => self.exclude.beyond = Some(read(value)?),
            "last" => self.only_final = flag(value)?,
            "language" => self.language = read::<LanguageChoice>(value)?.0,
            "null-moves" => self.null_moves = flag(value)?,
            "notes" => self.notes = flag(value)?,
            "strict" => self.strict = flag(value)?,
            "where" => self.filter = Some(read(value)?),
            "conflicts" => self.conflicts = choose(value)?,
            "unique" => self.unique = flag(value)?,
            "skip" => self.skip = read(value)?,
            "limit" => self.limit = Some(read(value)?),
            "sample" => self.sample = Some(Sample { count: read(value)?, seed: 0 }),
            "jobs" => self.jobs = Some(read::<Jobs>(value)?.0),
            "on-error" => self.on_error = choose(value)?,
            "on-damage" => self.on_damage = choose(value)?,
            "max-game-bytes" => self.max_game_bytes = read::<Size>(value)?.0,
            "chunk-bytes" => self.chunk_bytes = read::<Size>(value)?.0,
            _ => return Err(None),
        }
        Ok(())
    }
}

fn read<T: FromStr<Err: ToString>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|error: T::Err| error.to_string())
}

fn flag(value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| "choose from true, false".to_owned())
}

fn choose<T: Words>(value: &str) -> Result<T, String> {
    T::from_word(value).map_err(|error| error.to_string())
}

fn error(name: &str, value: &str, reason: String) -> OptionError {
    OptionError::Value { name: name.to_owned(), value: value.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use emit::LabelForm;
    use san::EnPassantPolicy;

    use super::*;

    #[test]
    fn what_is_no_option_is_told_why() {
        let cases: [(&[(&str, &str)], &str); 8] = [
            (&[("colour", "red")], "unknown option \"colour\""),
            (&[("unique", "yes")], "unique=\"yes\": choose from true, false"),
            (&[("jobs", "0")], "jobs=\"0\": write a number of threads"),
            (&[("seed", "1")], "seed=\"1\": it is for sample"),
            (&[("preset", "books")], "preset=\"books\": choose from match, suite, tuning"),
            (&[("where", "elo >")], "where=\"elo >\": "),
            (&[("format", "c9"), ("ops", "sm")], "format \"c9\" has no operations"),
            (&[("conflicts", "drop")], "conflicts is for formats with results"),
        ];
        for (named, expected) in cases {
            let error = Options::from_names(named.iter().copied()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn what_is_given_wins_over_the_preset() {
        let options = Options::from_names([("ep", "always"), ("preset", "tuning")]).unwrap();
        assert_eq!(options.en_passant, EnPassantPolicy::Always);
        assert_eq!(options.format, Format::Label(LabelForm::C9));
        assert!(options.exclude.in_check && options.exclude.captures);
    }

    #[test]
    fn windows_of_plies_meet_whatever_their_order() {
        for named in
            [[("skip_start", "true"), ("ply", "0..9")], [("ply", "0..9"), ("skip-start", "true")]]
        {
            let options = Options::from_names(named).unwrap();
            assert_eq!((options.first_ply, options.last_ply), (1, 9));
        }
    }
    proptest::proptest! {
        #[test]
        fn no_value_makes_it_panic(name in 0..NAMES.len(), value in "[ -~é♞]{0,12}") {
            let _ = Options::from_names([(NAMES[name], &*value)]);
        }
    }

    const NAMES: &[&str] = &[
        "preset",
        "format",
        "ops",
        "op",
        "ply",
        "min-ply",
        "language",
        "where",
        "sample",
        "seed",
        "jobs",
        "max-game-bytes",
    ];
}

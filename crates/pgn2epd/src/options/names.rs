//! Options from and to their command-line names and values.

use dataset::equal::{Conflicts, Preference};
use emit::{Column, ColumnList, Fact, FactPlace, FactSet, Filter, LongComments, Op, Ops, Template};
use epd::RegisterStyle;
use openings::NameSource;
use san::{Keyword, UnknownKeyword};
use training::ScoreUnit;

use super::Options;
use super::format::Format;
use super::keywords::RowKind;
use super::preset::Preset;
use crate::data_split::SplitBy;
use crate::table::format::{NOT_BUILT, TableFormat};

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
    /// The option has no meaning without another one.
    #[error("{0} is for {1}")]
    Requires(&'static str, &'static str),
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
    /// A selection among all positions in a binary format.
    #[error(
        "unique, skip, limit, sample and split-by=\"position\" are not for format {:?}, whose positions follow from those before",
        .0.word()
    )]
    Selection(Format),
    /// A random seed without anything random.
    #[error("seed is for sample, shuffle and split")]
    Seed,
    /// The replacement of files of a folder, where there is none.
    #[error("overwrite is for split and rows_per_file")]
    Overwrite,
    /// A preference among equal positions, all of which are written.
    #[error("keep is for unique, and for conflicts other than keep")]
    Keep,
    /// A unit of scores in a format that has no scores, or those of text.
    #[error(
        "score is for binary formats (viriformat, binpack, bulletformat, marlinformat), not for {:?}",
        .0.word()
    )]
    Score(Format),
    /// A conflict policy in a format without results.
    #[error("conflicts is for formats with results (c9, bracket, bullet, c-chess-cli, plain), not for {:?}", .0.word())]
    Conflicts(Format),
    /// Columns of a format that is not a table.
    #[error("columns is for tables (csv, jsonl, arrow, parquet), not for {:?}", .0.word())]
    Columns(Format),
    /// Rows of games in a format that is not a table.
    #[error("rows is for tables (csv, jsonl, arrow, parquet), not for {:?}", .0.word())]
    Rows(Format),
    /// A selection among equal positions, or positions of variations, in rows of games.
    #[error("unique, split_by=\"position\" and variations are for rows of positions, not of games")]
    SelectionOfGames,
    /// A column that rows of this kind do not have.
    #[error("the column {0} is not for rows of {word}", word = .1.word())]
    Column(Fact, RowKind),
    /// Compression of an Arrow stream, which would not be one.
    #[error("compress is not for format {:?}", .0.word())]
    Compress(Format),
    /// An option without effect, and what it is for.
    #[error("{0} is for {1}")]
    Unused(&'static str, &'static str),
    /// A format that this build does not have.
    #[error("{NOT_BUILT}")]
    NotBuilt(Format),
}

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
    /// assert_eq!((options.plies.first, options.plies.last), (8, 24));
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
        let is_named = |wanted: &str| named.iter().any(|(name, _)| name == wanted);
        for (_, value) in named.iter().filter(|(name, _)| name == "preset") {
            let preset: Preset = value
                .parse()
                .map_err(|reason: UnknownKeyword| error("preset", value, reason.to_string()))?;
            for (name, value) in preset.options.iter().filter(|(name, _)| !is_named(name)) {
                options.set(name, value)?;
            }
        }
        for (name, value) in named.iter().filter(|(name, _)| name != "preset") {
            options.set(name, value)?;
        }
        for spec in Options::SPECS.iter().filter(|spec| is_named(spec.name)) {
            if let Some(other) = spec.requires.filter(|other| !is_named(other)) {
                return Err(OptionError::Requires(spec.name, other));
            }
        }
        options.conflict().map_or(Ok(options), |conflict| Err(conflict.into()))
    }

    /// Returns the options that differ from the defaults by their command-line names and values, as
    /// [`Options::from_names`] reads them. The [name of the input](Options::file) is not an option.
    ///
    /// # Errors
    ///
    /// Returns an error if the source of opening names is a table, which has no name.
    ///
    /// ```
    /// use pgn2epd::Options;
    ///
    /// let names = [("ep", "legal"), ("ply", "8..24"), ("op", "id={White}.{ply}")];
    /// let mut read = Options::from_names(names)?.to_names()?;
    /// read.sort();
    /// let read: Vec<(&str, &str)> = read.iter().map(|(name, value)| (*name, &**value)).collect();
    /// assert_eq!(read, [("ep", "legal"), ("op", "id={White}.{ply}"), ("ply", "8..24")]);
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    pub fn to_names(&self) -> Result<Vec<(&'static str, String)>, OptionError> {
        let default = Options::default();
        let mut names = Vec::new();
        for spec in Options::SPECS {
            let values = spec.values(self).ok_or(OptionError::Unnamed(spec.name))?;
            if Some(&values) != spec.values(&default).as_ref() {
                names.extend(values.into_iter().map(|value| (spec.name, value)));
            }
        }
        Ok(names)
    }

    /// Returns the conflict between the selected options, if any.
    pub fn conflict(&self) -> Option<OptionConflict> {
        let has_operations = self.ops.is_some() || !self.templates.is_empty();
        let by_position = self.split_by == SplitBy::Position;
        let is_random = self.sample.is_some() || self.shuffle || self.split.is_some();
        if self.seed != 0 && !is_random {
            return Some(OptionConflict::Seed);
        }
        if self.overwrite && !self.has_folder() {
            return Some(OptionConflict::Overwrite);
        }
        if self.keep != Preference::First && !self.unique && self.conflicts == Conflicts::Keep {
            return Some(OptionConflict::Keep);
        }
        if self.score != ScoreUnit::default() && self.training().is_none() {
            return Some(OptionConflict::Score(self.format));
        }
        if self.columns.is_some() && !matches!(self.format, Format::Table(_)) {
            return Some(OptionConflict::Columns(self.format));
        }
        if self.rows != RowKind::Positions && !matches!(self.format, Format::Table(_)) {
            return Some(OptionConflict::Rows(self.format));
        }
        if let Some(conflict) = self.conflict_of_rows() {
            return Some(conflict);
        }
        if let Format::Table(table) = self.format {
            let record = Column::Fact(Fact::Record);
            let has_records =
                self.columns.as_ref().is_some_and(|list| list.columns().contains(&record));
            if !table.is_built() {
                return Some(OptionConflict::NotBuilt(self.format));
            }
            if has_operations && !has_records {
                return Some(OptionConflict::Operations(self.format));
            }
            if table == TableFormat::Arrow && self.compress.is_some() {
                return Some(OptionConflict::Compress(self.format));
            }
        }
        if let Some(conflict) = self.unused() {
            return Some(conflict);
        }
        match self.format {
            Format::Training(_) if has_operations => Some(OptionConflict::Operations(self.format)),
            Format::Training(_) if self.variations => Some(OptionConflict::Variations(self.format)),
            Format::Training(_) if self.selects() || by_position => {
                Some(OptionConflict::Selection(self.format))
            }
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

    /// Returns an option that has no effect on what is written.
    fn unused(&self) -> Option<OptionConflict> {
        let columns = match self.format {
            Format::Table(_) => self.column_list().columns().to_vec(),
            _ => Vec::new(),
        };
        let has_records = match self.format {
            Format::Table(_) => columns.contains(&Column::Fact(Fact::Record)),
            format => !matches!(format, Format::Label(_) | Format::Training(_)),
        };
        let plan = self.plan();
        let by_template = has_records && !self.templates.is_empty();
        let has = |ops: &[Op]| has_records && plan.ops.has_any(Ops::of(ops));
        let has_comments = by_template || has(&[Op::C]);
        let names = || {
            let templates = self.templates.iter().map(Template::facts);
            let columns = columns.iter().filter_map(Column::fact).collect();
            let filter = self.filter.as_ref().map(Filter::facts).unwrap_or_default();
            templates.fold(filter.union(columns), FactSet::union).needs_names()
        };
        let is_other = matches!(self.format, Format::Table(_) | Format::Training(_));
        let is_csv = self.format == Format::Table(TableFormat::Csv);
        let registers = matches!(self.registers, Some(RegisterStyle::Full | RegisterStyle::Delta));
        let of_names = [Op::Eco, Op::Nic, Op::V];
        let unused = [
            (
                registers && !has(&of_names) && !has_comments,
                ("registers", "records with c0-c9, v0-v9, eco or nic"),
            ),
            (
                self.long_comments != LongComments::Cut && !has_comments,
                ("long-comments", "records with comments"),
            ),
            (self.keep_commands && !has_comments, ("keep-commands", "records with comments")),
            (
                matches!(self.names, NameSource::Tags) && !has(&of_names) && !names(),
                ("names", "names of openings: the operations eco, nic and v, variables"),
            ),
            (self.blank_line && is_other, ("blank-line", "records, FENs and labels")),
            (self.csv_safe && !is_csv, ("csv-safe", "format csv")),
        ];
        let (_, (option, what)) = unused.into_iter().find(|(is_unused, _)| *is_unused)?;
        Some(OptionConflict::Unused(option, what))
    }

    /// Returns the conflict between the kind of rows and other options, if any.
    fn conflict_of_rows(&self) -> Option<OptionConflict> {
        let place = match self.rows {
            RowKind::Positions => FactPlace::Column,
            RowKind::Games => FactPlace::GameColumn,
        };
        let by_position = self.split.is_some() && self.split_by == SplitBy::Position;
        if self.rows == RowKind::Games && (self.unique || by_position || self.variations) {
            return Some(OptionConflict::SelectionOfGames);
        }
        let columns = self.columns.as_ref().map(ColumnList::columns).unwrap_or_default();
        let mut facts = columns.iter().filter_map(Column::fact);
        let wrong = facts.find(|fact| !fact.is_available_in(place));
        wrong.map(|fact| OptionConflict::Column(fact, self.rows))
    }

    /// Sets an option.
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let spec = Options::SPECS.iter().find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        spec.set(self, value).map_err(|reason| error(name, value, reason))
    }
}

fn error(name: &str, value: &str, reason: String) -> OptionError {
    OptionError::Value { name: name.to_owned(), value: value.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use emit::LabelForm;
    use san::EnPassantPolicy;

    use super::*;
    use crate::options::KeepOrSkip;

    #[test]
    fn what_is_no_option_is_told_why() {
        let cases: [(&[(&str, &str)], &str); 14] = [
            (&[("colour", "red")], "unknown option \"colour\""),
            (&[("unique", "yes")], "unique=\"yes\": choose from true, false"),
            (&[("jobs", "0")], "jobs=\"0\": write a number of threads"),
            (&[("seed", "1")], "seed is for sample, shuffle and split"),
            (&[("keep", "deepest")], "keep is for unique, and for conflicts"),
            (&[("split-by", "game")], "split-by is for split"),
            (
                &[("preset", "books")],
                "preset=\"books\": choose from fishnet-evals, match, suite, tuning",
            ),
            (&[("where", "elo >")], "where=\"elo >\": "),
            (&[("format", "c9"), ("ops", "sm")], "format \"c9\" has no operations"),
            (&[("conflicts", "drop")], "conflicts is for formats with results"),
            (&[("columns", "ply")], "columns is for tables (csv, jsonl, arrow, parquet), not for"),
            (
                &[("format", "csv"), ("columns", "ply,evla")],
                "columns=\"ply,evla\": unknown variable evla; did you mean eval? available: ",
            ),
            (&[("format", "csv"), ("ops", "sm")], "format \"csv\" has no operations"),
            (&[("format", "csv"), ("conflicts", "drop")], "conflicts is for formats with results"),
        ];
        for (named, expected) in cases {
            let error = Options::from_names(named.iter().copied()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn an_option_without_effect_is_refused() {
        type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], Option<&'a str>);
        let cases: [Case<'_>; 22] = [
            ("registers=full", &[("format", "fen")], Some("registers is for records with")),
            ("registers=delta", &[("ops", "sm")], Some("registers is for")),
            ("registers=full", &[("ops", "none")], Some("registers is for")),
            ("registers=full", &[("format", "csv")], Some("registers is for")),
            ("registers=full", &[("format", "fen"), ("ops", "eco")], None),
            ("registers=full", &[("ops", "none"), ("op", "c9={Result}")], None),
            ("registers=full", &[("format", "csv"), ("columns", "record")], None),
            ("registers=off", &[("format", "fen")], None),
            ("long-comments=split", &[("ops", "none")], Some("long-comments is for")),
            ("long-comments=split", &[("ops", "c")], None),
            ("keep-commands=true", &[("format", "c9")], Some("keep-commands is for")),
            ("keep-commands=true", &[], None),
            ("names=tags", &[("ops", "none")], Some("names is for names of openings")),
            ("names=tags", &[("format", "csv"), ("columns", "ply")], Some("names is for")),
            ("names=tags", &[("format", "csv")], None),
            ("names=tags", &[("ops", "none"), ("where", "eco ~ \"B\"")], None),
            ("names=off", &[("ops", "none")], None),
            ("blank-line=true", &[("format", "csv")], Some("blank-line is for")),
            ("blank-line=true", &[("format", "viriformat")], Some("blank-line is for")),
            ("blank-line=true", &[("format", "fen")], None),
            ("csv-safe=true", &[("format", "jsonl")], Some("csv-safe is for format csv")),
            ("csv-safe=true", &[("format", "csv")], None),
        ];
        for (option, others, expected) in cases {
            let given = option.split_once('=').into_iter().chain(others.iter().copied());
            let error = Options::from_names(given).err().map(|error| error.to_string());
            let is_right = match (&error, expected) {
                (Some(error), Some(expected)) => error.starts_with(expected),
                (found, expected) => found.is_none() && expected.is_none(),
            };
            assert!(is_right, "{option} {others:?}: {error:?}");
        }
    }

    #[test]
    fn what_is_given_wins_over_the_preset() {
        let options = Options::from_names([("ep", "always"), ("preset", "tuning")]).unwrap();
        assert_eq!(options.en_passant, EnPassantPolicy::Always);
        assert_eq!(options.format, Format::Label(LabelForm::C9));
        assert!((options.in_check, options.captures) == (KeepOrSkip::Skip, KeepOrSkip::Skip));
    }

    #[test]
    fn windows_of_plies_meet_whatever_their_order() {
        let cases = [
            ([("skip_start", "true"), ("ply", "0..9")], 1),
            ([("ply", "0..9"), ("skip-start", "true")], 1),
            ([("ply", "2..9"), ("min-ply", "5")], 5),
            ([("min-ply", "2"), ("ply", "5..9")], 5),
        ];
        for (named, first) in cases {
            let options = Options::from_names(named).unwrap();
            assert_eq!((options.first_ply(), options.plies.last), (first, 9), "{named:?}");
        }
    }
    proptest::proptest! {
        #[test]
        fn no_value_makes_it_panic(spec in 0..Options::SPECS.len(), value in "[ -~é♞]{0,12}") {
            let _ = Options::from_names([(Options::SPECS[spec].name, &*value)]);
        }
    }

    #[test]
    fn every_option_is_read_as_it_is_written() {
        let names = [
            ("ascii", "true"),
            ("blank-line", "true"),
            ("captures", "skip"),
            ("castling", "shredder"),
            ("chunk-bytes", "1000"),
            ("ep", "pseudo"),
            ("in-check", "skip"),
            ("jobs", "3"),
            ("keep-commands", "true"),
            ("language", "auto"),
            ("last", "true"),
            ("limit", "9"),
            ("long-comments", "split"),
            ("max-eval", "50"),
            ("max-game-bytes", "2000"),
            ("names", "tags"),
            ("notes", "true"),
            ("null-moves", "true"),
            ("on-damage", "keep"),
            ("on-error", "stop"),
            ("op", "c8={{{White|no one}}} {ply}"),
            ("op", "c9={Result}"),
            ("ops", "c,eco,sm"),
            ("ply", "3.."),
            ("registers", "full"),
            ("sample", "5"),
            ("seed", "6"),
            ("skip", "2"),
            ("strict", "true"),
            ("unique", "true"),
            ("variations", "true"),
            ("where", "ply > 3"),
        ];
        let mut written = Options::from_names(names).unwrap().to_names().unwrap();
        written.sort();
        let written: Vec<(&str, &str)> =
            written.iter().map(|(name, value)| (*name, &**value)).collect();
        assert_eq!(written, names);
        for names in [
            [("format", "bracket"), ("conflicts", "mean")],
            [("format", "csv"), ("columns", "fen,cp=white_cp,White")],
        ] {
            let written = Options::from_names(names).unwrap().to_names().unwrap();
            assert_eq!(written, names.map(|(name, value)| (name, value.to_owned())));
        }
        assert!(Options::default().to_names().unwrap().is_empty());
    }

    #[test]
    fn a_table_of_openings_has_no_name() {
        let options = Options::default().names(NameSource::Table(Default::default()));
        assert_eq!(options.to_names(), Err(OptionError::Unnamed("names")));
    }
}

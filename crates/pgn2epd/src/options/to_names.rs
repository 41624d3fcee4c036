//! The command-line names and values of options.

use openings::NameSource;

use super::named::OptionError;
use super::words::{KeepOrSkip, NamesFrom, Words};
use super::{Options, Sample};

impl Options {
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
        let mut names = Names(Vec::new());
        names.word("format", self.format, default.format);
        names.text("ops", self.ops);
        names.text("registers", self.registers.map(Words::word));
        let names_from = match &self.names {
            NameSource::Embedded => NamesFrom::Table,
            NameSource::Tags => NamesFrom::Tags,
            NameSource::Off => NamesFrom::Off,
            NameSource::Table(_) => return Err(OptionError::Unnamed("names")),
        };
        names.word("names", names_from, NamesFrom::Table);
        self.templates.iter().for_each(|template| names.text("op", Some(template)));
        names.flag("variations", self.variations);
        names.flag("keep-commands", self.keep_commands);
        names.word("long-comments", self.long_comments, default.long_comments);
        names.flag("ascii", self.ascii);
        names.word("ep", self.en_passant, default.en_passant);
        names.word("castling", self.castling, default.castling);
        names.flag("blank-line", self.blank_line);
        let plies = (self.first_ply, self.last_ply);
        names.text(
            "ply",
            match plies {
                (0, u32::MAX) => None,
                (first, u32::MAX) => Some(format!("{first}..")),
                (first, last) => Some(format!("{first}..{last}")),
            },
        );
        let stay = |is_skipped| if is_skipped { KeepOrSkip::Skip } else { KeepOrSkip::Keep };
        names.word("in-check", stay(self.exclude.in_check), KeepOrSkip::Keep);
        names.word("captures", stay(self.exclude.captures), KeepOrSkip::Keep);
        names.text("max-eval", self.exclude.beyond);
        names.flag("last", self.only_final);
        let is_other = self.language != default.language;
        let code = self.language.map_or("auto", |language| language.code());
        names.text("language", is_other.then_some(code));
        names.flag("null-moves", self.null_moves);
        names.flag("notes", self.notes);
        names.flag("strict", self.strict);
        names.text("where", self.filter.as_ref());
        names.word("conflicts", self.conflicts, default.conflicts);
        names.flag("unique", self.unique);
        names.text("skip", Some(self.skip).filter(|skip| *skip > 0));
        names.text("limit", self.limit);
        if let Some(Sample { count, seed }) = self.sample {
            names.text("sample", Some(count));
            names.text("seed", Some(seed).filter(|seed| *seed > 0));
        }
        names.text("jobs", self.jobs);
        names.word("on-error", self.on_error, default.on_error);
        names.word("on-damage", self.on_damage, default.on_damage);
        let other = |bytes, default| Some(bytes).filter(|bytes| *bytes != default);
        names.text("max-game-bytes", other(self.max_game_bytes, default.max_game_bytes));
        names.text("chunk-bytes", other(self.chunk_bytes, default.chunk_bytes));
        Ok(names.0)
    }
}

struct Names(Vec<(&'static str, String)>);

impl Names {
    fn text(&mut self, name: &'static str, value: Option<impl ToString>) {
        self.0.extend(value.map(|value| (name, value.to_string())));
    }

    fn flag(&mut self, name: &'static str, is_set: bool) {
        self.text(name, is_set.then_some("true"));
    }

    fn word<T: Words>(&mut self, name: &'static str, value: T, default: T) {
        self.text(name, Some(value).filter(|value| *value != default).map(T::word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("ops", "c,sm"),
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
        let labels = [("format", "bracket"), ("conflicts", "mean")];
        let written = Options::from_names(labels).unwrap().to_names().unwrap();
        assert_eq!(written, labels.map(|(name, value)| (name, value.to_owned())));
        assert!(Options::default().to_names().unwrap().is_empty());
    }

    #[test]
    fn a_table_of_openings_has_no_name() {
        let options =
            Options { names: NameSource::Table(Default::default()), ..Options::default() };
        assert_eq!(options.to_names(), Err(OptionError::Unnamed("names")));
    }
}

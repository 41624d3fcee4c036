//! The files that a conversion writes, and the format that their names state.

use std::path::{Path, PathBuf};

use emit::LabelForm;
use stream::compress::Compression;
use stream::output::{
    FolderFiles, Guard, Output, OutputError, OutputFolder, Refused, compression_suffix,
    files_of_earlier_run, without_compression_suffix,
};
use table::TableFormat;
use training::TrainingFormat;

use crate::convert::Conversion;
use crate::options::{Format, OptionError, Options};
use crate::summary::{OutputCounts, Summary};

/// The file, or the folder of files, that a conversion writes. A file gets its name at the
/// [end](OutputFiles::finish), those of a folder when they are complete.
///
/// ```
/// use pgn2epd::Options;
/// use pgn2epd::output::OutputFiles;
///
/// let folder = tempfile::tempdir()?;
/// let options = Options::default().split(Some("train=0.5,test=0.5".parse()?)).format("fen".parse()?);
/// let mut files = OutputFiles::open(&folder.path().join("x"), &options)?;
/// let mut conversion = files.conversion(&options);
/// conversion.input(&b"1. e4 e5 *"[..], &mut ())?;
/// let (_, written) = conversion.finish_files()?;
/// files.finish()?;
/// let text = std::fs::read_to_string(folder.path().join("x").join(&written[0].0))?;
/// assert_eq!(text.lines().count(), 3);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OutputFiles(OpenOutputs);

#[derive(Debug)]
enum OpenOutputs {
    /// Standard output, or a file with this path; nothing when the file has its name.
    One(Option<PathBuf>, Option<Output>),
    Folder(PathBuf, OutputFolder),
}

impl OutputFiles {
    /// Adds the output with this path, given by `option`, to those of a run. Fails if one of its
    /// files is an input or another output, as in [`Guard::output`].
    pub fn add_to(
        guard: &mut Guard,
        option: &str,
        path: &Path,
        options: &Options,
    ) -> Result<(), Refused> {
        if !options.has_folder() {
            return guard.output(option, path);
        }
        // Files that would be overwritten.
        for file in files_of_earlier_run(path).unwrap_or_default() {
            guard.output_called(&path.join(file), format!("{option} {}", path.display()))?;
        }
        guard.output_folder(option, path)
    }

    /// Opens a file or, if the options [write one](Options::has_folder), a folder, which is new or
    /// empty unless the options [overwrite](Options::overwrite) one. [`Options::check_file_name`]
    /// says whether the name is that of another format.
    pub fn open(path: &Path, options: &Options) -> Result<Self, OutputError> {
        let name = path.to_owned();
        Ok(OutputFiles(match options.has_folder() {
            false => OpenOutputs::One(Some(name), Some(Output::open_stored(path)?)),
            true => OpenOutputs::Folder(name, OutputFolder::create(path, options.overwrite)?),
        }))
    }

    /// Writes to standard output instead of files.
    pub fn stdout(output: Output) -> Self {
        OutputFiles(OpenOutputs::One(None, Some(output)))
    }

    /// Returns the output, unless it is a folder.
    pub fn one(&self) -> Option<&Output> {
        match &self.0 {
            OpenOutputs::One(_, output) => output.as_ref(),
            OpenOutputs::Folder(..) => None,
        }
    }

    /// Sets the compression that the suffix of the file stands for, unless the options have one, or
    /// the format is compressed itself. The conversion compresses, so that all threads do.
    pub fn set_compression(&self, options: &mut Options) {
        let is_compressed = matches!(options.format, Format::Table(table) if table.is_binary());
        if let (OpenOutputs::One(Some(path), Some(output)), None, false) =
            (&self.0, options.compress, is_compressed)
            && output.is_file()
        {
            options.compress = Compression::of_suffix(path);
        }
    }

    /// Creates the conversion that writes these outputs.
    pub fn conversion<'o>(&'o mut self, options: &Options) -> Conversion<'o> {
        match &mut self.0 {
            OpenOutputs::One(_, Some(output)) => Conversion::new(output, options),
            OpenOutputs::One(_, None) => Conversion::new(std::io::sink(), options),
            OpenOutputs::Folder(_, folder) => {
                let files: FolderFiles = folder.files();
                let opened = files.clone();
                let open = move |name: &Path| Ok(opened.create(name)?);
                let complete = move |name: &Path| Ok(files.complete(name)?);
                Conversion::with_files(open, complete, options)
            }
        }
    }

    /// Returns the path of each output with what was written to it, given what the conversion [has
    /// written](Conversion::finish_files); that of standard output is `None`.
    pub fn written(
        &self,
        summary: &Summary,
        files: Vec<(PathBuf, OutputCounts)>,
    ) -> Vec<(Option<PathBuf>, OutputCounts)> {
        match &self.0 {
            OpenOutputs::One(path, _) => {
                let Summary { positions, bytes_written: bytes, .. } = *summary;
                vec![(path.clone(), OutputCounts { positions, bytes })]
            }
            OpenOutputs::Folder(path, _) => {
                files.into_iter().map(|(name, counts)| (Some(path.join(name)), counts)).collect()
            }
        }
    }

    /// Gives the outputs their names, as [`Output::finish`] and [`OutputFolder::complete`] do.
    pub fn complete(&mut self) -> Result<(), OutputError> {
        match &mut self.0 {
            OpenOutputs::One(_, output) => output.take().map_or(Ok(()), Output::finish),
            OpenOutputs::Folder(_, folder) => folder.complete(),
        }
    }

    /// Gives the outputs their names, and writes `_SUCCESS` into a folder.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.complete()?;
        match self.0 {
            OpenOutputs::One(..) => Ok(()),
            OpenOutputs::Folder(_, folder) => folder.finish(),
        }
    }

    /// Gives the outputs of a run that ended early their names; a folder has no `_SUCCESS` then.
    pub fn keep(mut self) -> Result<(), OutputError> {
        self.complete()?;
        if let OpenOutputs::Folder(_, folder) = self.0 {
            folder.keep();
        }
        Ok(())
    }
}

const OTHER: &[(&[&str], &str, &str)] = &[
    (&["bin"], "a Polyglot book", "`pgn2epd book` writes such books"),
    (&["explorer"], "an explorer file", "`pgn2epd book` writes such files"),
    (&["part"], "a partial book", "`pgn2epd book --partial` writes it"),
    (&["pgn"], "games", "`pgn2epd -o NAME.pgn` writes games, `pgn2epd book` a book of them"),
    (&["html", "htm", "svg", "png", "tex"], "diagrams", "`pgn2epd show` writes them"),
    (
        &["pdf", "jpg", "jpeg", "gif", "webp", "doc", "docx"],
        "a page or picture",
        "`pgn2epd show` writes .html, .svg, .png and .tex",
    ),
    (
        &["db", "sqlite", "sqlite3", "duckdb", "xls", "xlsx", "ods"],
        "a database or spreadsheet",
        "these read tables: .csv, .parquet",
    ),
    (&["tsv", "tab"], "a table with tabs", "tables are .csv, .jsonl, .arrow and .parquet"),
    (&["json"], "a JSON document", "a table with a JSON object a line is .jsonl"),
    (
        &["abk", "cbh", "cbv", "ctg", "obk", "scid", "si4", "si5"],
        "a database or book of another program",
        "no command writes it",
    ),
];

fn suffix(path: &Path) -> Option<String> {
    Some(without_compression_suffix(path).extension()?.to_str()?.to_owned())
}

/// What files of this name are, if they are neither records nor tables, and what writes them.
fn other_format(path: &Path) -> Option<(&'static str, &'static str)> {
    let suffix = suffix(path)?.to_ascii_lowercase();
    let (_, what, advice) = OTHER.iter().find(|(names, ..)| names.contains(&&*suffix))?;
    Some((what, advice))
}

impl Format {
    /// Returns the format of files with this name, compressed or not: a table, training data,
    /// games, or FENs. Files of other formats may have any name.
    ///
    /// ```
    /// use std::path::Path;
    /// use pgn2epd::options::Format;
    /// use pgn2epd::table::TableFormat;
    ///
    /// let format = |name| Format::of_file_name(Path::new(name));
    /// assert_eq!(format("positions.csv.zst"), Some(Format::Table(TableFormat::Csv)));
    /// assert_eq!(format("positions.fen"), Some(Format::Fen));
    /// assert_eq!(format("positions.epd"), None);
    /// ```
    pub fn of_file_name(path: &Path) -> Option<Self> {
        let suffix = suffix(path)?;
        let text = || match &*suffix.to_ascii_lowercase() {
            "fen" => Some(Format::Fen),
            "pgn" => Some(Format::Pgn),
            _ => None,
        };
        let training = || TrainingFormat::of_suffix(&suffix).map(Format::Training);
        let table = || TableFormat::of_suffix(&suffix).map(Format::Table);
        training().or_else(table).or_else(text)
    }
}

/// A name of an output that does not fit the options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum OutputNameError {
    #[error("the suffix of {name} is that of {stated}, but the format is {format}")]
    Format { name: String, stated: Format, format: Format },
    #[error("{name} is the name of {what}, but the format is {format}; {advice}")]
    Other { name: String, what: &'static str, format: Format, advice: &'static str },
    #[error(
        "{name}: {format} is not compressed as a whole; omit the last suffix, and use the option compress for parquet"
    )]
    Compressed { name: String, format: Format },
}

impl Options {
    /// Parses options like [`Options::from_names`]. If none of them selects a format, the name of
    /// the output may; that of FENs only without a preset, which may select another. Fails like
    /// [`Options::from_names`]. [`Options::check_file_name`] checks whether the name fits the
    /// options.
    ///
    /// ```
    /// use std::path::Path;
    /// use pgn2epd::Options;
    /// use pgn2epd::options::Format;
    ///
    /// let format = |named: &[(&str, &str)], name| {
    ///     Options::from_names_for(named.iter().copied(), Path::new(name)).map(|options| options.format)
    /// };
    /// assert_eq!(format(&[], "positions.fen")?, Format::Fen);
    /// assert_eq!(format(&[("format", "epd")], "positions.fen")?, Format::Epd);
    /// assert_eq!(format(&[], "positions.epd")?, Format::Epd);
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    pub fn from_names_for<'n>(
        named: impl IntoIterator<Item = (&'n str, &'n str)>,
        output: &Path,
    ) -> Result<Self, OptionError> {
        let mut named: Vec<(&str, &str)> = named.into_iter().collect();
        let is_named = |wanted| named.iter().any(|(name, _)| *name == wanted);
        let stated = Format::of_file_name(output).filter(|format| {
            !is_named("format") && (*format != Format::Fen || !is_named("preset"))
        });
        named.extend(stated.map(|format| ("format", san::Keyword::word(format))));
        Options::from_names(named)
    }

    /// Checks that a file of this name may have this format. Files of text may be named like those
    /// of FENs. Fails if the name is that of another format.
    pub fn check_file_name(&self, path: &Path) -> Result<(), OutputNameError> {
        let (name, format) = (|| path.display().to_string(), self.format);
        // Both are lines of CSV.
        let is_csv = |stated| {
            format == Format::Label(LabelForm::CChessCli)
                && stated == Format::Table(TableFormat::Csv)
        };
        match Format::of_file_name(path) {
            None | Some(Format::Fen) => {}
            Some(stated) if stated == format || is_csv(stated) => {}
            Some(stated) => return Err(OutputNameError::Format { name: name(), stated, format }),
        }
        let other = other_format(path).filter(|_| match format {
            // Training data is often named .bin.
            Format::Training(_) => suffix(path).as_deref() != Some("bin"),
            format => format != Format::Pgn,
        });
        match format {
            _ if let Some((what, advice)) = other => {
                Err(OutputNameError::Other { name: name(), what, format, advice })
            }
            Format::Table(table) if table.is_binary() && compression_suffix(path).is_some() => {
                Err(OutputNameError::Compressed { name: name(), format })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(word: &str) -> Options {
        Options::default().format(word.parse().unwrap())
    }

    #[test]
    fn a_name_must_fit_the_options() {
        for (name, options, expected) in [
            ("x.csv", Options::default(), "is that of csv, but the format is epd"),
            ("x.JSONL.gz", Options::default(), "is that of jsonl, but the format is epd"),
            ("x.binpack", format("fen"), "is that of binpack, but the format is fen"),
            ("x.csv", format("binpack"), "is that of csv, but the format is binpack"),
            ("x.bin", Options::default(), "the name of a Polyglot book, but the format is epd"),
            ("x.pgn", Options::default(), "is that of pgn, but the format is epd"),
            ("x.PGN.gz", format("fen"), "is that of pgn, but the format is fen"),
            ("x.html", Options::default(), "diagrams, but the format is epd; `pgn2epd show`"),
            ("a/x.svg", format("c9"), "diagrams, but the format is c9; `pgn2epd show`"),
            ("x.db", format("csv"), "but the format is csv; these read tables: .csv, .parquet"),
            ("x.json", Options::default(), ".jsonl"),
            ("x.tsv.gz", Options::default(), "tables are .csv"),
            ("x.pgn", format("binpack"), "but the format is binpack"),
            ("x.parquet.zst", format("parquet"), "parquet is not compressed as a whole"),
        ] {
            let error = options.check_file_name(Path::new(name)).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn files_may_have_names_of_their_format_and_any_others() {
        for (name, word) in [
            ("x.csv", "csv"),
            ("x.csv", "c-chess-cli"),
            ("x.bin", "bulletformat"),
            ("x.parquet", "parquet"),
            ("x.jsonl.zst", "jsonl"),
            ("x.fen", "epd"),
            ("x.fen", "bracket"),
            ("x.txt", "binpack"),
            ("x.2024", "epd"),
            ("x.suite", "epd"),
            ("x", "parquet"),
        ] {
            assert_eq!(format(word).check_file_name(Path::new(name)), Ok(()), "{word}");
        }
    }

    #[test]
    fn an_option_selects_the_format_before_the_name_of_a_file() {
        let cases = [
            (None, "x.FEN.gz", "fen"),
            (None, "x.ndjson", "jsonl"),
            (Some(("ply", "8..24")), "x.vf", "viriformat"),
            (Some(("format", "perl")), "x.fen", "perl"),
            (Some(("format", "c-chess-cli")), "x.csv", "c-chess-cli"),
            // Presets may select formats of text, but tables of any format.
            (Some(("preset", "tuning")), "x.fen", "c9"),
            (Some(("preset", "fishnet-evals")), "x.jsonl", "jsonl"),
        ];
        for (option, name, expected) in cases {
            let options = Options::from_names_for(option, Path::new(name)).unwrap();
            assert_eq!(options.format, expected.parse().unwrap(), "{option:?} {name}");
        }
    }
}

//! The files that a conversion writes.

use std::path::{Path, PathBuf};

use stream::compress::Compression;
use stream::output::{
    FolderFiles, Guard, Output, OutputError, OutputFolder, Refused, files_of_earlier_run,
};

use crate::convert::Conversion;
use crate::options::{Format, Options};
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
pub struct OutputFiles(Outputs);

#[derive(Debug)]
enum Outputs {
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
            false => Outputs::One(Some(name), Some(Output::open_stored(path)?)),
            true => Outputs::Folder(name, OutputFolder::create(path, options.overwrite)?),
        }))
    }

    /// Writes to standard output instead of files.
    pub fn stdout(output: Output) -> Self {
        OutputFiles(Outputs::One(None, Some(output)))
    }

    /// Returns the output, unless it is a folder.
    pub fn one(&self) -> Option<&Output> {
        match &self.0 {
            Outputs::One(_, output) => output.as_ref(),
            Outputs::Folder(..) => None,
        }
    }

    /// Sets the compression that the suffix of the file stands for, unless the options have one, or
    /// the format is compressed itself. The conversion compresses, so that all threads do.
    pub fn set_compression(&self, options: &mut Options) {
        let is_compressed = matches!(options.format, Format::Table(table) if table.is_binary());
        if let (Outputs::One(Some(path), Some(output)), None, false) =
            (&self.0, options.compress, is_compressed)
            && output.is_file()
        {
            options.compress = Compression::of_suffix(path);
        }
    }

    /// Creates the conversion that writes these outputs.
    pub fn conversion<'o>(&'o mut self, options: &Options) -> Conversion<'o> {
        match &mut self.0 {
            Outputs::One(_, Some(output)) => Conversion::new(output, options),
            Outputs::One(_, None) => Conversion::new(std::io::sink(), options),
            Outputs::Folder(_, folder) => {
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
            Outputs::One(path, _) => {
                let Summary { positions, bytes_written: bytes, .. } = *summary;
                vec![(path.clone(), OutputCounts { positions, bytes })]
            }
            Outputs::Folder(path, _) => {
                files.into_iter().map(|(name, counts)| (Some(path.join(name)), counts)).collect()
            }
        }
    }

    /// Gives the outputs their names, as [`Output::finish`] and [`OutputFolder::complete`] do.
    pub fn complete(&mut self) -> Result<(), OutputError> {
        match &mut self.0 {
            Outputs::One(_, output) => output.take().map_or(Ok(()), Output::finish),
            Outputs::Folder(_, folder) => folder.complete(),
        }
    }

    /// Gives the outputs their names, and writes `_SUCCESS` into a folder.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.complete()?;
        match self.0 {
            Outputs::One(..) => Ok(()),
            Outputs::Folder(_, folder) => folder.finish(),
        }
    }

    /// Gives the outputs of a run that ended early their names; a folder has no `_SUCCESS` then.
    pub fn keep(mut self) -> Result<(), OutputError> {
        self.complete()?;
        if let Outputs::Folder(_, folder) = self.0 {
            folder.keep();
        }
        Ok(())
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
}

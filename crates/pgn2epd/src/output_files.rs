//! The files that a conversion writes.

use std::io::Write;
use std::path::{Path, PathBuf};

use stream::compress::Compression;
use stream::output::{
    FolderFiles, Guard, Output, OutputError, OutputFolder, Refused, files_of_earlier_run,
};

use crate::convert::Conversion;
use crate::options::{Format, Options};
use crate::output_names::OutputNameError;

/// The names of what a conversion writes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputPaths {
    /// Files: one for each [part](Options::split) and [shard](Options::shards).
    Files(Vec<PathBuf>),
    /// A folder of files, as [`rows_per_file`](Options::rows_per_file) and [`partition_by`](Options::partition_by) say.
    Folder(PathBuf),
}

impl OutputPaths {
    /// Returns what the name of an output stands for, as in [`Options::output_names`].
    ///
    /// # Errors
    ///
    /// If the name does not contain what the options need, contains what they do not have, or is that of another format.
    ///
    /// ```
    /// use std::path::Path;
    /// use pgn2epd::{Options, OutputPaths};
    ///
    /// let options = Options::default().split(Some("train=0.9,test=0.1".parse()?));
    /// let OutputPaths::Files(files) = OutputPaths::new(Path::new("{split}.epd"), &options)? else { panic!() };
    /// assert_eq!(files, [Path::new("train.epd"), Path::new("test.epd")]);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(path: &Path, options: &Options) -> Result<Self, OutputNameError> {
        options.check_file_name(path)?;
        let name = path.to_str();
        if options.has_folder() {
            return match name.is_some_and(|name| name.contains("{split}")) {
                true => Err(OutputNameError::SplitFolder),
                false => Ok(OutputPaths::Folder(path.to_owned())),
            };
        }
        match name {
            Some(name) => {
                let names = options.output_names(name)?;
                Ok(OutputPaths::Files(names.into_iter().map(PathBuf::from).collect()))
            }
            None if options.has_several_files() => {
                Err(OutputNameError::NotUtf8 { name: path.display().to_string() })
            }
            None => Ok(OutputPaths::Files(vec![path.to_owned()])),
        }
    }

    /// Adds the outputs, given by `option`, to those of a run.
    ///
    /// # Errors
    ///
    /// If one of them is an input or another output, as in [`Guard::output`].
    pub fn add_to(&self, guard: &mut Guard, option: &str) -> Result<(), Refused> {
        match self {
            OutputPaths::Files(files) => {
                files.iter().try_for_each(|file| guard.output(option, file))
            }
            OutputPaths::Folder(folder) => {
                // Files that would be overwritten.
                for file in files_of_earlier_run(folder).unwrap_or_default() {
                    let name = format!("{option} {}", folder.display());
                    guard.output_called(&folder.join(file), name)?;
                }
                guard.output_folder(option, folder)
            }
        }
    }
}

/// The files, or the folder of files, that a conversion writes. Files get their names at the [end](OutputFiles::finish), those of a folder
/// when they are complete.
///
/// ```
/// use pgn2epd::{Options, OutputFiles, OutputPaths};
///
/// let folder = tempfile::tempdir()?;
/// let options = Options::default().split(Some("train=0.5,test=0.5".parse()?)).format("fen".parse()?);
/// let paths = OutputPaths::new(&folder.path().join("{split}.fen"), &options)?;
/// let mut files = OutputFiles::open(paths, &options)?;
/// let mut conversion = files.conversion(&options, |output| output);
/// conversion.input(&b"1. e4 e5 *"[..], &mut ())?;
/// conversion.finish()?;
/// files.finish()?;
/// let lines = |name| Ok::<_, std::io::Error>(std::fs::read_to_string(folder.path().join(name))?.lines().count());
/// assert_eq!(lines("train.fen")? + lines("test.fen")?, 3);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OutputFiles(Outputs);

#[derive(Debug)]
enum Outputs {
    Stdout(Output),
    Files(Vec<(PathBuf, Output)>),
    Folder(PathBuf, OutputFolder),
}

impl OutputFiles {
    /// Opens files, or a folder, which is new or empty unless the options [overwrite](Options::overwrite) one.
    ///
    /// # Errors
    ///
    /// If that fails.
    pub fn open(paths: OutputPaths, options: &Options) -> Result<Self, OutputError> {
        let outputs = match paths {
            OutputPaths::Files(files) => {
                let open = |path: PathBuf| Output::open_stored(&path).map(|output| (path, output));
                Outputs::Files(files.into_iter().map(open).collect::<Result<_, _>>()?)
            }
            OutputPaths::Folder(path) => {
                let folder = OutputFolder::create(&path, options.overwrite)?;
                Outputs::Folder(path, folder)
            }
        };
        Ok(OutputFiles(outputs))
    }

    /// Writes to standard output instead of files.
    pub fn stdout(output: Output) -> Self {
        OutputFiles(Outputs::Stdout(output))
    }

    /// Whether they are the files of a folder.
    pub fn is_folder(&self) -> bool {
        matches!(self.0, Outputs::Folder(..))
    }

    /// Returns the first output, which is like the others, unless they are in a folder.
    pub fn first(&self) -> Option<&Output> {
        match &self.0 {
            Outputs::Stdout(output) => Some(output),
            Outputs::Files(files) => files.first().map(|(_, output)| output),
            Outputs::Folder(..) => None,
        }
    }

    /// Sets the compression that the suffix of the files stands for, unless the options have one, or the format is compressed itself.
    /// The conversion compresses, so that all threads do.
    pub fn set_compression(&self, options: &mut Options) {
        let is_compressed = matches!(options.format, Format::Table(table) if table.is_binary());
        if let (Outputs::Files(files), None, false) = (&self.0, options.compress, is_compressed)
            && let Some((path, output)) = files.first()
            && output.is_file()
        {
            options.compress = Compression::of_suffix(path);
        }
    }

    /// Creates the conversion that writes these outputs; `wrap` is applied to each of them.
    #[expect(clippy::needless_lifetimes, reason = "without a name it would be any lifetime")]
    pub fn conversion<'o, W, F>(&'o mut self, options: &Options, mut wrap: F) -> Conversion<W>
    where
        W: Write,
        F: FnMut(Box<dyn Write + 'o>) -> W + Send + 'static,
    {
        match &mut self.0 {
            Outputs::Stdout(output) => Conversion::new(wrap(Box::new(output)), options),
            Outputs::Files(files) => {
                let outputs = files.iter_mut().map(|(_, output)| wrap(Box::new(output)));
                Conversion::with_outputs(outputs, options)
            }
            Outputs::Folder(_, folder) => {
                let files: FolderFiles = folder.files();
                let opened = files.clone();
                let open = move |name: &Path| Ok(wrap(Box::new(opened.create(name)?)));
                let complete = move |name: &Path| Ok(files.complete(name)?);
                Conversion::with_files(open, complete, options)
            }
        }
    }

    /// Returns the paths of the outputs: those of a folder from their [names](Conversion::finish_files), `None` for standard output.
    pub fn paths(&self, names: &[PathBuf]) -> Vec<Option<PathBuf>> {
        match &self.0 {
            Outputs::Stdout(_) => vec![None],
            Outputs::Files(files) => files.iter().map(|(path, _)| Some(path.clone())).collect(),
            Outputs::Folder(path, _) => names.iter().map(|name| Some(path.join(name))).collect(),
        }
    }

    /// Gives the outputs their names.
    ///
    /// # Errors
    ///
    /// If that fails for one of them, after the others have their names, as in [`Output::finish`] and [`OutputFolder::complete`].
    pub fn complete(&mut self) -> Result<(), OutputError> {
        match &mut self.0 {
            Outputs::Stdout(_) => Ok(()),
            Outputs::Files(files) => {
                OutputError::of_all(files.drain(..).map(|(_, output)| output.finish()))
            }
            Outputs::Folder(_, folder) => folder.complete(),
        }
    }

    /// Gives the outputs their names, and writes `_SUCCESS` into a folder.
    ///
    /// # Errors
    ///
    /// As for [`complete`](OutputFiles::complete).
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.complete()?;
        match self.0 {
            Outputs::Stdout(output) => output.finish(),
            Outputs::Files(_) => Ok(()),
            Outputs::Folder(_, folder) => folder.finish(),
        }
    }

    /// Gives the outputs of a run that ended early their names; a folder has no `_SUCCESS` then.
    ///
    /// # Errors
    ///
    /// As for [`complete`](OutputFiles::complete).
    pub fn keep(mut self) -> Result<(), OutputError> {
        self.complete()?;
        match self.0 {
            Outputs::Folder(_, folder) => {
                folder.keep();
                Ok(())
            }
            _ => self.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::num::NonZeroU32;

    use super::*;

    fn format(word: &str) -> Options {
        Options::default().format(word.parse().unwrap())
    }

    #[test]
    fn a_name_must_fit_the_options() {
        let split = || Options::default().split("a=0.5,b=0.5".parse().ok());
        let shards = Options::default().shards(NonZeroU32::new(2));
        let folder = split().partition_by("year".parse().ok());
        for (name, options, expected) in [
            ("x.epd", split(), "must contain {split}"),
            ("x.epd", shards, "must contain {shard}"),
            ("{split}.epd", Options::default(), "contains {split}"),
            ("{split}", folder.clone(), "omit {split}"),
            ("x.csv", Options::default(), "is that of csv, but the format is epd"),
            ("x.JSONL.gz", Options::default(), "is that of jsonl, but the format is epd"),
            ("x.binpack", format("fen"), "is that of binpack, but the format is fen"),
            ("x.csv", format("binpack"), "is that of csv, but the format is binpack"),
            ("x.bin", Options::default(), "the name of a Polyglot book, but the format is epd"),
            (
                "x.pgn",
                Options::default(),
                "the name of games, but the format is epd; `pgn2epd name",
            ),
            ("x.PGN.gz", format("fen"), "the name of games, but the format is fen"),
            ("x.html", Options::default(), "diagrams, but the format is epd; `pgn2epd show`"),
            ("a/x.svg", format("c9"), "diagrams, but the format is c9; `pgn2epd show`"),
            ("x.db", format("csv"), "but the format is csv; these read tables: .csv, .parquet"),
            ("x.json", Options::default(), ".jsonl"),
            ("x.pgn", format("binpack"), "but the format is binpack"),
            ("x.parquet.zst", format("parquet"), "parquet is not compressed as a whole"),
        ] {
            let error = OutputPaths::new(Path::new(name), &options).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
        let paths = OutputPaths::new(Path::new("x"), &folder).unwrap();
        assert_eq!(paths, OutputPaths::Folder("x".into()));
    }

    #[test]
    fn a_file_that_cannot_get_its_name_does_not_affect_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let options = format("fen").split("a=0.2,b=0.2,c=0.2,d=0.2,e=0.2".parse().ok());
        let paths = OutputPaths::new(&path("{split}"), &options).unwrap();
        let mut files = OutputFiles::open(paths, &options).unwrap();
        let mut conversion = files.conversion(&options, |output| output);
        conversion.input("1. e4 e5 *\n\n1. d4 *\n\n".repeat(20).as_bytes(), &mut ()).unwrap();
        conversion.finish().unwrap();
        for name in ["b", "d"] {
            fs::create_dir_all(path(name).join("full")).unwrap();
        }
        let error = files.finish().unwrap_err();
        let names = ["b", "b.new", "d", "d.new"].map(|name| path(name).display().to_string());
        let [b, b_new, d, d_new] = names;
        let expected = format!(
            "cannot write {b} (the result is in {b_new}); cannot write {d} (the result is in {d_new})"
        );
        assert_eq!(error.to_string(), expected);
        for name in ["a", "b.new", "c", "d.new", "e"] {
            assert!(path(name).is_file(), "{name}");
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
            let paths = OutputPaths::new(Path::new(name), &format(word));
            assert_eq!(paths, Ok(OutputPaths::Files(vec![name.into()])), "{word}");
        }
    }
}

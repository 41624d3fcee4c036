//! The files in which results are kept: while they are made, and for later runs.

use std::ffi::OsString;
#[cfg(not(windows))]
use std::fs::TryLockError;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take, Write};
use std::path::{Path, PathBuf};

use emit::{Evaluations, GameStyle};
use stream::output::Output;
use stream::source::decompressed;

use super::evaluator::{AnalyseError, EngineRecord, seal, unseal};
use super::options::AnalyseOptions;
use crate::convert::Conversion;
use crate::options::{Format, InputKind, Options};
use crate::output_files::OutputFiles;
use crate::summary::Summary;

/// The file in which results are kept while they are made, `NAME.partial`.
#[derive(Debug)]
pub struct PartialFile {
    path: PathBuf,
    file: File,
    earlier: u64,
    /// Whether the file is removed if nothing is added to it.
    is_new: bool,
}

#[cfg(windows)]
const FILE_SHARE_READ: u32 = 1;
#[cfg(windows)]
const FILE_SHARE_DELETE: u32 = 4;
#[cfg(windows)]
const ERROR_SHARING_VIOLATION: i32 = 32;

/// The first line of a file that keeps evaluations for later runs.
const CACHE: &str = "# pgn2epd: positions and what engines say of them, each with a checksum\n";

impl PartialFile {
    /// Returns the name of the file beside an output; `None` if the output is a device or a pipe.
    pub fn name(output: &Path) -> Option<PathBuf> {
        let is_file = fs::metadata(output).map(|output| output.is_file());
        let mut name = OsString::from(output);
        name.push(".partial");
        (!matches!(is_file, Ok(false))).then(|| PathBuf::from(name))
    }

    /// Opens the file beside an output; `resume` keeps the records that it has, or those of the
    /// output if it does not exist and the output is EPD. Fails if the file cannot be used, or has
    /// records that are not to be kept.
    pub fn open(path: PathBuf, output: &Path, resume: bool) -> Result<Self, AnalyseError> {
        let is_new = !path.exists();
        let mut file = open_alone(&path)?;
        let prepared = || -> io::Result<_> {
            if resume && is_new && output.exists() && Format::of_file_name(output).is_none() {
                let mut settings = None;
                for line in BufReader::new(decompressed(File::open(output)?)?).lines() {
                    let mut line = line?.into_bytes();
                    let no_settings = || AnalyseError::NoSettings(output.to_owned());
                    let found = settings.take().or_else(|| settings_of(&line));
                    let settings =
                        settings.insert(found.ok_or_else(no_settings).map_err(io::Error::other)?);
                    seal(&mut line, settings);
                    file.write_all(&line)?;
                }
            }
            let earlier = whole_lines(&mut file)?;
            if earlier == 0 || resume {
                file.set_len(earlier)?;
                file.seek(SeekFrom::End(0))?;
            }
            Ok(earlier)
        };
        let prepared = in_file(&path, prepared);
        if is_new && prepared.is_err() {
            let _ = fs::remove_file(&path);
        }
        match prepared? {
            1.. if !resume => Err(AnalyseError::Interrupted(path)),
            earlier => Ok(PartialFile { path, file, earlier, is_new }),
        }
    }

    /// Returns the records of an earlier run. Fails if the file cannot be read.
    pub fn earlier(&self) -> Result<impl BufRead + use<>, AnalyseError> {
        in_file(&self.path, || Ok(BufReader::new(File::open(&self.path)?).take(self.earlier)))
    }

    /// Returns what receives the results.
    pub fn file(&self) -> impl Write + '_ {
        &self.file
    }

    /// Replaces the output with the results, in the format of the options of the analysis. Returns
    /// what a conversion to another format than EPD has written.
    ///
    /// Games are written with their evaluations in comments; `games` reads them into the conversion
    /// once more. Without it, each position is a game. Fails if the output cannot be written, the
    /// file not be removed, or the games not be read.
    pub fn finish<E: From<AnalyseError>>(
        &mut self,
        output: &Path,
        options: &Options,
        analyse: &AnalyseOptions,
        games: Option<impl FnOnce(&mut Conversion<'_>) -> Result<(), E>>,
    ) -> Result<Option<Summary>, E> {
        let path = self.path.clone();
        let failed = |source| AnalyseError::File { path: path.clone(), source };
        self.file.rewind().map_err(failed)?;
        let written = if options.format == Format::Epd {
            let mut output = Output::open(output).map_err(AnalyseError::from)?;
            io::copy(&mut Unsealed::new(&self.file), &mut output).map_err(failed)?;
            output.finish().map_err(AnalyseError::from)?;
            None
        } else {
            let mut form = match games {
                Some(_) => self.annotated(options, analyse).map_err(failed)?,
                None => of_results(options, analyse),
            };
            let mut outputs = OutputFiles::open(output, &form).map_err(AnalyseError::from)?;
            outputs.set_compression(&mut form);
            let mut conversion = outputs.conversion(&form);
            match games {
                Some(games) => games(&mut conversion)?,
                None => {
                    let read = conversion.input(Unsealed::new(&self.file), &mut ());
                    read.map_err(AnalyseError::from)?;
                }
            }
            let summary = conversion.finish().map_err(AnalyseError::from)?;
            outputs.finish().map_err(AnalyseError::from)?;
            Some(summary)
        };
        // Some file systems keep the name until the file is closed.
        self.file.set_len(0).map_err(failed)?;
        fs::remove_file(&self.path).map_err(failed)?;
        Ok(written)
    }

    fn annotated(&self, options: &Options, analyse: &AnalyseOptions) -> io::Result<Options> {
        let worse_by = analyse.annotate.map(|least| least.get().try_into().unwrap_or(u32::MAX));
        let mut evaluations = Evaluations::new(worse_by);
        for line in BufReader::new(Unsealed::new(&self.file)).lines() {
            if let Some(record) = EngineRecord::read(&line?, analyse.variant) {
                record.add_to(&mut evaluations);
            }
        }
        let normal = options.games.iter().chain([GameStyle::Normal]).collect();
        Ok(options.clone().games(normal).evaluated(Some(evaluations.into())))
    }

    /// Returns the name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name of the file if it has results.
    pub fn with_results(&self) -> Option<&Path> {
        (self.has_results() && self.path.exists()).then_some(&*self.path)
    }

    fn has_results(&self) -> bool {
        let least = if self.is_new { self.earlier } else { 0 };
        self.file.metadata().is_ok_and(|file| file.len() > least)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.has_results() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

struct Unsealed<'f> {
    file: BufReader<&'f File>,
    line: String,
    at: usize,
    number: u64,
}

impl<'f> Unsealed<'f> {
    fn new(file: &'f File) -> Self {
        Unsealed { file: BufReader::new(file), line: String::new(), at: 0, number: 0 }
    }
}

impl Read for Unsealed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() {
            (self.at, self.number) = (0, self.number + 1);
            self.line.clear();
            if self.file.read_line(&mut self.line)? > 0 {
                let damaged = || io::Error::other(AnalyseError::EarlierLine(self.number));
                let (record, _) = unseal(self.line.trim_end_matches('\n')).ok_or_else(damaged)?;
                self.line.truncate(record.len());
                self.line.push('\n');
            }
        }
        let read = (&self.line.as_bytes()[self.at..]).read(bytes)?;
        self.at += read;
        Ok(read)
    }
}

/// Returns the digits in the comment of a record that stand for all that it was made with.
fn settings_of(record: &[u8]) -> Option<String> {
    let record = str::from_utf8(record).ok()?;
    let digits = |text: &str| text.split_once('"').map(|(digits, _)| digits.to_owned());
    let mut comments = record.split("; #").skip(1).filter_map(digits);
    comments.find(|text| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn of_results(options: &Options, analyse: &AnalyseOptions) -> Options {
    let Options { format, columns, csv_safe, castling, en_passant, names, .. } = options.clone();
    let columns = columns.or_else(|| match format {
        Format::Table(_) => format!("fen,{}", analyse.columns().join(",")).parse().ok(),
        _ => None,
    });
    Options { format, columns, csv_safe, castling, en_passant, names, ..Options::default() }
        .input(Some(InputKind::Epd))
}

/// Opens the file that keeps evaluations for later runs, and passes it on, to be read and to be
/// written: to [`Analysis::use_cache`](super::Analysis::use_cache) or the like. Fails if the file
/// cannot be used, or has something else.
pub fn use_cache(
    path: &Path,
    pass_on: impl FnOnce(BufReader<Take<File>>, File) -> Result<(), AnalyseError>,
) -> Result<(), AnalyseError> {
    let mut file = open_alone(path)?;
    let mut head = Vec::new();
    in_file(path, || (&file).take(CACHE.len() as u64).read_to_end(&mut head))?;
    // A run may have been killed while it wrote the first line.
    if !CACHE.as_bytes().starts_with(&head) {
        return Err(AnalyseError::NotACache(path.to_owned()));
    }
    in_file(path, || {
        if head.len() < CACHE.len() {
            file.rewind()?;
            file.write_all(CACHE.as_bytes())?;
        }
        let whole = whole_lines(&mut file)?;
        file.rewind()?;
        let cache = BufReader::new(file.try_clone()?.take(whole));
        pass_on(cache, file.try_clone()?).map_err(io::Error::other)?;
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))
    })?;
    Ok(())
}

/// Opens a file to continue it, and makes sure that no other run writes it.
fn open_alone(path: &Path) -> Result<File, AnalyseError> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let other_run = || io::Error::other("another run writes it");
    // Others may read the file and remove it. A lock would keep this run from opening it again.
    #[cfg(windows)]
    let open = || {
        use std::os::windows::fs::OpenOptionsExt;
        let file = options.share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE).open(path);
        let is_shared = |error: &io::Error| error.raw_os_error() == Some(ERROR_SHARING_VIOLATION);
        file.map_err(|error| if is_shared(&error) { other_run() } else { error })
    };
    #[cfg(not(windows))]
    let open = || {
        let file = options.open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(other_run()),
            // A file system without locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    };
    in_file(path, open)
}

fn in_file<T>(path: &Path, action: impl FnOnce() -> io::Result<T>) -> Result<T, AnalyseError> {
    action().map_err(|source| AnalyseError::File { path: path.to_owned(), source })
}

fn whole_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let block = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_reads_what_earlier_ones_wrote_and_no_other_run_writes() {
        let folder = tempfile::tempdir().unwrap();
        let (path, output) = (folder.path().join("x.epd.partial"), folder.path().join("x.epd"));
        fs::write(&path, "a\nb\nc").unwrap();
        let partial = PartialFile::open(path.clone(), &output, true).unwrap();
        partial.file().write_all(b"d\n").unwrap();
        let mut earlier = String::new();
        partial.earlier().unwrap().read_to_string(&mut earlier).unwrap();
        assert_eq!(earlier, "a\nb\n");
        let refused = PartialFile::open(path.clone(), &output, true).unwrap_err();
        let AnalyseError::File { source, .. } = refused else { panic!("{refused}") };
        assert_eq!(source.to_string(), "another run writes it");
        drop(partial);
        assert_eq!(fs::read_to_string(path).unwrap(), "a\nb\nd\n");
    }
}

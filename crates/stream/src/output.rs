//! Destinations of results: standard output, a device or pipe, or a file that is replaced once
//! everything has been written.
//!
//! * `guard` rejects outputs that are the same file as an input or another output; `identity`
//!   determines which file a path names;
//! * `replacing` replaces the old file with the new one; `temporary` is the new file until then;
//! * `folder` is a folder of such files;
//! * `signals` removes the temporary files of a run that is ended by a signal;
//! * `terminal` escapes characters that a terminal would act upon;
//! * `error` reports which output failed.
//!
//! ```
//! use std::io::Write;
//! use stream::output::{Guard, Output};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (games, records) = (folder.path().join("games.pgn"), folder.path().join("records.epd"));
//! # std::fs::write(&games, "1. e4 *")?;
//! let mut guard = Guard::default();
//! guard.input(&games);
//! assert!(guard.output("-o", &games).is_err());
//! guard.output("-o", &records)?;
//! let mut output = Output::open(&records)?;
//! output.write_all(b"4k3/8/8/8/8/8/8/4K3 w - -\n")?;
//! assert!(!records.exists());
//! output.finish()?;
//! assert!(records.exists());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod error;
mod folder;
mod guard;
mod identity;
mod replacing;
mod signals;
mod temporary;
mod terminal;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::path::{Path, is_separator};
use std::sync::Arc;

use crate::compress::Compression;
use crate::compress::file::CompressedFile;
use crate::ordered::Threads;

pub use crate::source::{compression_suffix, without_compression_suffix};
pub use error::OutputError;
pub use folder::{FolderFiles, OutputFolder, files_of_earlier_run};
pub use guard::{Guard, Refused};
pub use identity::is_stdout;
pub use signals::{advise_on_signals, remove_on_signals};
pub use terminal::printable;

use replacing::Replacing;
use terminal::Escaper;

const STDOUT: &str = "standard output";

/// Destination of results.
///
/// [`Write`] errors contain an [`OutputError`], which [`OutputError::find`] finds however they are
/// wrapped.
#[derive(Debug)]
pub struct Output {
    name: String,
    target: Target,
    compressed: Option<Box<CompressedFile>>,
    /// Of a terminal, unless the text has escape sequences of our own.
    escaper: Option<Escaper>,
}

#[derive(Debug)]
enum Target {
    Stdout(StdoutLock<'static>),
    Writer(Box<dyn Writer>),
    /// A device or a pipe, which cannot be replaced, or an open descriptor.
    Direct(File),
    Replacing(Replacing),
    /// A file of a folder, which gives it its name.
    InFolder(Arc<File>),
}

trait Writer: Write + fmt::Debug {}

impl<W: Write + fmt::Debug> Writer for W {}

impl Output {
    /// Returns an output in the place of standard output, with this name in messages.
    pub fn to_writer(name: impl Into<String>, writer: impl Write + fmt::Debug + 'static) -> Self {
        Output::to(name.into(), Target::Writer(Box::new(writer)))
    }

    /// Returns standard output. On a terminal, control characters are written as [`printable`]
    /// escapes.
    pub fn stdout() -> Self {
        Output::to(STDOUT.to_owned(), Target::Stdout(io::stdout().lock()))
    }

    fn to(name: String, target: Target) -> Self {
        let escaper = target.is_terminal().then(Escaper::default);
        Output { name, target, compressed: None, escaper }
    }

    /// The same output, for text that has escape sequences of the program, as colours, and no
    /// others.
    #[must_use]
    pub fn with_escape_sequences(self) -> Self {
        Output { escaper: None, ..self }
    }

    /// Opens a file that is replaced by [`Output::finish`] and otherwise left unchanged. It is
    /// compressed if its [suffix](Compression::of_suffix) says so. A path that names standard
    /// output gives [`Output::stdout`]; other devices, pipes and descriptors, such as `/dev/fd/3`,
    /// are written to directly.
    ///
    /// # Errors
    ///
    /// If a file cannot be created in the folder, or the existing file cannot be replaced.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let mut output = Output::open_stored(path)?;
        if let (Target::Replacing(_), Some(compression)) =
            (&output.target, Compression::of_suffix(path))
        {
            match CompressedFile::new(compression, Threads::new(1)) {
                Ok(file) => output.compressed = Some(Box::new(file)),
                Err(error) => return Err(output.failed(error)),
            }
        }
        Ok(output)
    }

    /// Like [`Output::open`], for a writer that compresses the text itself.
    ///
    /// # Errors
    ///
    /// See [`Output::open`].
    pub fn open_stored(path: &Path) -> Result<Self, OutputError> {
        let name = path.display().to_string();
        match Target::open(path) {
            Ok(None) => Ok(Output::stdout()),
            Ok(Some(target)) => Ok(Output::to(name, target)),
            Err(source) => Err(OutputError::new(name, source)),
        }
    }

    fn in_folder(name: String, file: Arc<File>) -> Self {
        Output::to(name, Target::InFolder(file))
    }

    /// Whether results go to standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.target, Target::Stdout(_) | Target::Writer(_))
    }

    /// Whether results go to a file that is replaced.
    pub fn is_file(&self) -> bool {
        matches!(self.target, Target::Replacing(_))
    }

    /// Whether results are shown on a terminal.
    pub fn is_terminal(&self) -> bool {
        self.target.is_terminal()
    }

    /// Writes buffered data and replaces the old file.
    ///
    /// # Errors
    ///
    /// If that fails. The result is then kept in a file that the error names.
    pub fn finish(mut self) -> Result<(), OutputError> {
        if let Some(file) = self.compressed.take() {
            file.finish(&mut self.target).map_err(|error| self.failed(error))?;
        }
        match self.target {
            Target::Stdout(_) | Target::Writer(_) => {
                self.target.flush().map_err(|error| self.failed(error))
            }
            Target::Direct(_) | Target::InFolder(_) => Ok(()),
            Target::Replacing(file) => file.finish().map_err(|failure| OutputError {
                kept: failure.kept,
                ..OutputError::new(self.name, failure.error)
            }),
        }
    }

    fn failed(&self, source: io::Error) -> OutputError {
        OutputError { is_stdout: self.is_stdout(), ..OutputError::new(self.name.clone(), source) }
    }
}

impl Target {
    fn is_terminal(&self) -> bool {
        match self {
            Target::Stdout(stdout) => stdout.is_terminal(),
            Target::Direct(file) => file.is_terminal(),
            Target::Writer(_) | Target::Replacing(_) | Target::InFolder(_) => false,
        }
    }

    /// Opens the path; `None` for standard output.
    fn open(path: &Path) -> io::Result<Option<Self>> {
        let direct = || Ok(Some(Target::Direct(File::options().write(true).open(path)?)));
        let old = match fs::metadata(path) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // The device that discards what is written has no metadata.
            Err(_) if cfg!(windows) && path.as_os_str().eq_ignore_ascii_case("nul") => {
                return direct();
            }
            Err(error) => return Err(error),
        };
        if is_stdout(path) {
            return Ok(None);
        }
        // On Windows it would be an error that access is denied.
        let last = path.as_os_str().as_encoded_bytes().last().copied();
        if last.is_some_and(|last| is_separator(last.into()))
            || old.as_ref().is_some_and(fs::Metadata::is_dir)
        {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return direct();
        }
        if let Some(number) = identity::descriptor(path) {
            return Ok(Some(Target::Direct(identity::duplicate(number)?)));
        }
        Ok(Some(Target::Replacing(Replacing::open(path, old.as_ref())?)))
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(stdout) => stdout.write(bytes),
            Target::Writer(writer) => writer.write(bytes),
            Target::Direct(file) => file.write(bytes),
            Target::InFolder(file) => file.write(bytes),
            Target::Replacing(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(stdout) => stdout.flush(),
            Target::Writer(writer) => writer.flush(),
            Target::Direct(_) | Target::Replacing(_) | Target::InFolder(_) => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match (&mut self.compressed, &mut self.escaper) {
            (Some(file), _) => file.write(bytes, &mut self.target).map(|()| bytes.len()),
            (None, Some(escaper)) => {
                escaper.write_all(bytes, &mut self.target).map(|()| bytes.len())
            }
            (None, None) => self.target.write(bytes),
        };
        written.map_err(|error| self.failed(error).into())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush().map_err(|error| self.failed(error).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_failed_write_reports_the_output_and_the_cause() {
        let mut output = Output::open(Path::new("/dev/full")).unwrap();
        let error = output.write_all(b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let found = OutputError::find(&error).unwrap();
        assert_eq!(found.to_string(), "cannot write /dev/full");
        assert_eq!(found.io_error().raw_os_error(), Some(28));
        assert!(!found.is_closed_stdout());
    }

    #[cfg(unix)]
    #[test]
    fn a_broken_pipe_that_is_not_standard_output_is_an_error() {
        let (reader, writer) = io::pipe().unwrap();
        let target = Target::Direct(File::from(std::os::fd::OwnedFd::from(writer)));
        let mut output = Output::to("p".into(), target);
        drop(reader);
        let error = output.write_all(b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert!(!OutputError::find(&error).unwrap().is_closed_stdout());
    }

    #[test]
    fn a_folder_is_not_accepted_as_output() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("new/")] {
            let error = Output::open(&path).unwrap_err();
            assert_eq!(error.io_error().kind(), io::ErrorKind::IsADirectory, "{}", path.display());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(all(feature = "gzip", feature = "zstd"))]
    #[test]
    fn a_file_is_compressed_if_its_suffix_says_so() {
        let folder = tempfile::tempdir().unwrap();
        for (name, magic) in [("x.zst", &[0x28, 0xb5][..]), ("x.gz", &[0x1f, 0x8b]), ("x", b"te")] {
            let path = folder.path().join(name);
            let mut output = Output::open(&path).unwrap();
            output.write_all(b"text").unwrap();
            output.finish().unwrap();
            assert!(fs::read(&path).unwrap().starts_with(magic), "{name}");
            let (mut text, file) = (String::new(), File::open(&path).unwrap());
            let mut source = crate::source::Source::new(file).unwrap();
            let text_of_file = &mut source.next_text().unwrap().unwrap();
            io::Read::read_to_string(text_of_file, &mut text).unwrap();
            assert_eq!(text, "text", "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_and_a_file_is_replaced_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "old").unwrap();
        for path in [&path, Path::new("/dev/null")] {
            let mut output = Output::open(path).unwrap();
            assert!(!output.is_stdout() && !output.is_terminal(), "{}", path.display());
            assert_eq!(output.write(b"new").unwrap(), 3);
            output.flush().unwrap();
            output.finish().unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        let mut output = Output::open(&pipe).unwrap();
        output.write_all(b"text").unwrap();
        output.finish().unwrap();
        assert_eq!(reader.join().unwrap(), b"text");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_descriptor_is_written_in_its_mode_and_at_its_place() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        for (mode, expected) in [("append", "earlier new later"), ("write", "earlinew later")] {
            fs::write(&path, "earlier ").unwrap();
            let mut open =
                File::options().append(mode == "append").write(true).open(&path).unwrap();
            if mode == "write" {
                io::Seek::seek(&mut open, io::SeekFrom::Start(5)).unwrap();
            }
            for name in ["/proc/self/fd", "/proc/thread-self/fd", "/dev/fd"] {
                let mut output =
                    Output::open(&Path::new(name).join(open.as_raw_fd().to_string())).unwrap();
                assert!(!output.is_file(), "{name}");
                let part = if name == "/proc/self/fd" { "new" } else { "" };
                output.write_all(part.as_bytes()).unwrap();
                output.finish().unwrap();
            }
            open.write_all(b" later").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        }
        let error = Output::open(Path::new("/proc/self/fd/987654")).unwrap_err();
        assert_eq!(error.io_error().raw_os_error(), Some(9));
    }

    #[test]
    fn characters_that_a_terminal_acts_upon_are_escaped_unless_they_are_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        for (is_escaped, expected) in [(true, "\\u{1b}[0m"), (false, "\u{1b}[0m")] {
            let target = Target::open(&path).unwrap().unwrap();
            let escaper = Some(Escaper::default());
            let mut output = Output { name: "x".to_owned(), target, compressed: None, escaper };
            if !is_escaped {
                output = output.with_escape_sequences();
            }
            assert_eq!(output.write(b"\x1b[0m").unwrap(), 4);
            output.finish().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        }
    }

    #[test]
    fn standard_output_is_known_as_such() {
        let mut output = Output::stdout();
        assert!(output.is_stdout());
        output.flush().unwrap();
        assert!(output.failed(io::ErrorKind::BrokenPipe.into()).is_closed_stdout());
    }
}

//! Destinations of results: standard output, a device or pipe, or a file that is replaced once
//! everything has been written.
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

mod folder;
mod guard;
mod replacing;

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf, is_separator};
use std::sync::Arc;

use crate::compress::{Compression, Compressor};
use crate::ordered::Threads;
use replacing::Replacing;

pub use crate::source::{compression_suffix, without_compression_suffix};
pub use folder::{FolderFiles, OutputFolder, files_of_earlier_run};
pub use guard::{Guard, Refused, is_stdout};
pub use replacing::{advise_on_signals, remove_on_signals};

const STDOUT: &str = "standard output";

/// Destination of results. Errors contain an [`OutputError`], which [`OutputError::find`] finds.
#[derive(Debug)]
pub struct Output {
    name: String,
    target: Compressor<OutputTarget>,
    replacing: Option<Replacing>,
    /// Escapes the text for a terminal, unless it has escape sequences of our own.
    escaper: Option<Escaper>,
}

#[derive(Debug)]
enum OutputTarget {
    Stdout(StdoutLock<'static>),
    Writer(Box<dyn Writer>),
    /// A file that gets its name at the end, also one of a folder, which names it; or a device or a
    /// pipe, which cannot be replaced, or an open descriptor.
    File(Arc<File>),
}

trait Writer: Write + fmt::Debug {}

impl<W: Write + fmt::Debug> Writer for W {}

impl Output {
    /// Returns an output in the place of standard output, with this name in messages.
    pub fn to_writer(name: impl Into<String>, writer: impl Write + fmt::Debug + 'static) -> Self {
        Output::to(name.into(), OutputTarget::Writer(Box::new(writer)), None)
    }

    /// Returns standard output; on a terminal, control characters are [`printable`] escapes.
    pub fn stdout() -> Self {
        Output::to(STDOUT.to_owned(), OutputTarget::Stdout(io::stdout().lock()), None)
    }

    fn to(name: String, target: OutputTarget, replacing: Option<Replacing>) -> Self {
        let escaper = target.is_terminal().then(Escaper::default);
        let target = Compressor::new(target, None, Threads::new(1));
        Output { name, target, replacing, escaper }
    }

    /// The same output, for text that has only the program's own escape sequences, as colours.
    #[must_use]
    pub fn with_escape_sequences(self) -> Self {
        Output { escaper: None, ..self }
    }

    /// Opens a file that is replaced by [`Output::finish`] and otherwise left unchanged. It is
    /// compressed if its [suffix](Compression::of_suffix) says so. A path that names standard
    /// output gives [`Output::stdout`]; other devices, pipes and descriptors, such as `/dev/fd/3`,
    /// are written to directly. Fails if a file cannot be created, or the old one not be replaced.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let mut output = Output::open_stored(path)?;
        if output.is_file() {
            output.target.compression = Compression::of_suffix(path);
        }
        Ok(output)
    }

    /// Like [`Output::open`], for a writer that compresses the text itself.
    pub fn open_stored(path: &Path) -> Result<Self, OutputError> {
        let name = path.display().to_string();
        match OutputTarget::open(path) {
            Ok(None) => Ok(Output::stdout()),
            Ok(Some((file, replacing))) => {
                Ok(Output::to(name, OutputTarget::File(file), replacing))
            }
            Err(source) => Err(OutputError::new(name, source)),
        }
    }

    /// Whether results go to standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.target.output, OutputTarget::Stdout(_) | OutputTarget::Writer(_))
    }

    /// Whether results go to a file that is replaced.
    pub fn is_file(&self) -> bool {
        self.replacing.is_some()
    }

    /// Whether results are shown on a terminal.
    pub fn is_terminal(&self) -> bool {
        self.target.output.is_terminal()
    }

    /// Writes the rest and replaces the old file; an error names the file that has the result.
    pub fn finish(mut self) -> Result<(), OutputError> {
        let ended = self.target.finish().and_then(|()| self.target.flush());
        ended.map_err(|error| self.failed(error))?;
        let Some(file) = self.replacing else { return Ok(()) };
        let failed = |(error, kept)| OutputError { kept, ..OutputError::new(self.name, error) };
        file.finish().map_err(failed)
    }

    fn failed(&self, source: io::Error) -> OutputError {
        OutputError { is_stdout: self.is_stdout(), ..OutputError::new(self.name.clone(), source) }
    }
}

impl OutputTarget {
    fn is_terminal(&self) -> bool {
        match self {
            OutputTarget::Stdout(stdout) => stdout.is_terminal(),
            OutputTarget::File(file) => file.is_terminal(),
            OutputTarget::Writer(_) => false,
        }
    }

    /// `None` for standard output.
    fn open(path: &Path) -> io::Result<Option<(Arc<File>, Option<Replacing>)>> {
        let direct = || Ok(Some((File::options().write(true).open(path)?.into(), None)));
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
        if let Some(number) = guard::descriptor(path) {
            return Ok(Some((guard::duplicate(number)?.into(), None)));
        }
        let replacing = Replacing::open(path, old.as_ref())?;
        Ok(Some((replacing.file(), Some(replacing))))
    }
}

impl Write for OutputTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            OutputTarget::Stdout(stdout) => stdout.write(bytes),
            OutputTarget::Writer(writer) => writer.write(bytes),
            OutputTarget::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            OutputTarget::Stdout(stdout) => stdout.flush(),
            OutputTarget::Writer(writer) => writer.flush(),
            OutputTarget::File(_) => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.escaper {
            Some(escaper) => escaper.write_all(bytes, &mut self.target).map(|()| bytes.len()),
            None => self.target.write(bytes),
        };
        written.map_err(|error| self.failed(error).into())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush().map_err(|error| self.failed(error).into())
    }
}

/// An output could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {name}{}", where_kept(kept.as_deref()))]
pub struct OutputError {
    /// The name of the output in messages.
    pub name: String,
    is_stdout: bool,
    /// Path of the complete result, if it could not replace the target.
    kept: Option<PathBuf>,
    /// The error of the operating system.
    pub source: io::Error,
}

fn where_kept(kept: Option<&Path>) -> String {
    kept.map_or_else(String::new, |kept| format!(" (the result is in {})", kept.display()))
}

impl OutputError {
    /// Creates an error for the output with this name in messages.
    pub fn new(name: impl Into<String>, source: io::Error) -> Self {
        OutputError { name: name.into(), is_stdout: false, kept: None, source }
    }

    /// Finds the failed output in the causes of an error, also inside an [`io::Error`].
    pub fn find<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e OutputError> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(found) = error.downcast_ref() {
                return Some(found);
            }
            // `io::Error::source` skips the wrapped error itself and returns its source.
            let held = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
            cause = held.map_or_else(|| error.source(), |held| Some(held));
        }
        None
    }

    /// Whether the reader of standard output closed it, as `head` does when it has enough.
    pub fn is_closed_stdout(&self) -> bool {
        self.is_stdout && self.source.kind() == io::ErrorKind::BrokenPipe
    }
}

impl From<io::Error> for OutputError {
    /// Takes out the failed output; other errors are of standard output, also written without one.
    fn from(error: io::Error) -> Self {
        error.downcast().unwrap_or_else(|source| OutputError {
            is_stdout: true,
            ..OutputError::new(STDOUT, source)
        })
    }
}

impl From<OutputError> for io::Error {
    /// Keeps the error kind, so that interrupted calls are retried.
    fn from(error: OutputError) -> Self {
        io::Error::new(error.source.kind(), error)
    }
}

/// `text` with an escape such as `\u{1b}` for each control character and each character that
/// changes the direction of text.
///
/// ```
/// assert_eq!(stream::output::printable("Tal\u{1b}[2J"), "Tal\\u{1b}[2J");
/// ```
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| push(c, &mut shown));
    shown
}

fn push(c: char, shown: &mut String) {
    let is_bidi = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    if c.is_control() || is_bidi { shown.extend(c.escape_unicode()) } else { shown.push(c) }
}

/// Makes the bytes written to a terminal printable, apart from line ends and tabs.
#[derive(Debug, Default)]
struct Escaper {
    /// The first bytes of a character whose others are not written yet.
    incomplete: Vec<u8>,
}

impl Escaper {
    fn write_all(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        let mut pending = std::mem::take(&mut self.incomplete);
        pending.extend_from_slice(bytes);
        let mut shown = String::with_capacity(pending.len());
        let mut chunks = pending.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for c in chunk.valid().chars() {
                if matches!(c, '\n' | '\t') { shown.push(c) } else { push(c, &mut shown) }
            }
            // More bytes could make it a character.
            let is_incomplete =
                || str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
            if chunks.peek().is_none() && is_incomplete() {
                self.incomplete = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                shown.push(char::REPLACEMENT_CHARACTER);
            }
        }
        // A carriage return before a line feed is half of a line end.
        out.write_all(shown.replace("\\u{d}\n", "\r\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::{self, Display, Formatter};

    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_failed_write_reports_the_output_and_the_cause() {
        let mut output = Output::open(Path::new("/dev/full")).unwrap();
        let error = output.write_all(b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let found = OutputError::find(&error).unwrap();
        assert_eq!(found.to_string(), "cannot write /dev/full");
        assert_eq!(found.source.raw_os_error(), Some(28));
        assert!(!found.is_closed_stdout());
    }

    #[cfg(unix)]
    #[test]
    fn a_broken_pipe_that_is_not_standard_output_is_an_error() {
        let (reader, writer) = io::pipe().unwrap();
        let target = OutputTarget::File(Arc::new(std::os::fd::OwnedFd::from(writer).into()));
        let mut output = Output::to("p".into(), target, None);
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
            assert_eq!(error.source.kind(), io::ErrorKind::IsADirectory, "{}", path.display());
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
        assert_eq!(error.source.raw_os_error(), Some(9));
    }

    #[test]
    fn characters_that_a_terminal_acts_upon_are_escaped_unless_they_are_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        for (is_escaped, expected) in [(true, "\\u{1b}[0m"), (false, "\u{1b}[0m")] {
            let mut output = Output::open(&path).unwrap();
            output.escaper = Some(Escaper::default());
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

    #[derive(Debug)]
    struct Wrapped(io::Error);

    impl Display for Wrapped {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            f.write_str("wrapped")
        }
    }

    impl Error for Wrapped {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn a_failed_output_is_found_in_any_wrapper() {
        let failed = || OutputError::new("x.epd", io::ErrorKind::StorageFull.into());
        let wrapped = Wrapped(io::Error::other(Wrapped(failed().into())));
        assert_eq!(OutputError::find(&wrapped).map(|e| e.name.as_str()), Some("x.epd"));
        assert!(OutputError::find(&Wrapped(io::ErrorKind::BrokenPipe.into())).is_none());
        assert_eq!(io::Error::from(failed()).kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn only_a_broken_pipe_at_standard_output_is_closed_by_its_reader() {
        let (pipe, full) = (io::ErrorKind::BrokenPipe, io::ErrorKind::StorageFull);
        for (is_stdout, kind, expected) in
            [(true, pipe, true), (true, full, false), (false, pipe, false), (false, full, false)]
        {
            let error = OutputError { is_stdout, ..OutputError::new("x", kind.into()) };
            assert_eq!(error.is_closed_stdout(), expected, "{is_stdout} {kind}");
            assert_eq!(error.source.kind(), kind);
            assert_eq!(error.source().unwrap().to_string(), io::Error::from(kind).to_string());
        }
    }

    #[test]
    fn an_error_names_its_output_and_the_file_with_the_result() {
        let mut error = OutputError::new("x.epd", io::ErrorKind::StorageFull.into());
        assert_eq!(error.to_string(), "cannot write x.epd");
        error.kept = Some("x.epd.new".into());
        assert_eq!(error.to_string(), "cannot write x.epd (the result is in x.epd.new)");
        // An error of an output keeps its name; any other is one of standard output.
        assert_eq!(OutputError::from(io::Error::from(error)).name, "x.epd");
        let other = OutputError::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(other.to_string(), "cannot write standard output");
        assert!(other.is_closed_stdout());
    }

    #[test]
    fn no_control_character_reaches_a_terminal() {
        for (text, expected) in [
            (&b"1. e4\tKr\xc3\xb6ger\r\n"[..], "1. e4\tKröger\r\n"),
            (b"\x1b]0;title\x07\n", "\\u{1b}]0;title\\u{7}\n"),
            (b"a\rb\x7f\xc2\x9b31m", "a\\u{d}b\\u{7f}\\u{9b}31m"),
            (b"\xe2\x80\xae \xff.", "\\u{202e} \u{fffd}."),
            ("\u{61c}\u{200e}\u{200f}\u{200d}".as_bytes(), "\\u{61c}\\u{200e}\\u{200f}\u{200d}"),
            ("\u{202a}\u{2066}\u{2069}".as_bytes(), "\\u{202a}\\u{2066}\\u{2069}"),
        ] {
            let mut whole = Vec::new();
            Escaper::default().write_all(text, &mut whole).unwrap();
            assert_eq!(String::from_utf8(whole).unwrap(), expected);
            // A terminal shows the same if characters are written in parts, carriage returns before
            // line feeds aside.
            let (mut parts, mut escaper) = (Vec::new(), Escaper::default());
            text.chunks(1).for_each(|byte| escaper.write_all(byte, &mut parts).unwrap());
            let parts = String::from_utf8(parts).unwrap();
            assert_eq!(parts.replace("\\u{d}\n", "\r\n"), expected);
        }
    }
}

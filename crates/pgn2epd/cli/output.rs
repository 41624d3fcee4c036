//! Where records go: standard output, or a file that is replaced when all has gone well.

use std::fs::{self, File, Permissions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::{NamedTempFile, TempPath};

/// What the names of temporary files begin and end with.
const PREFIX: &str = ".pgn2epd-";
const SUFFIX: &str = ".tmp";

/// Where records go.
pub(super) enum Output {
    Stdout(io::StdoutLock<'static>),
    /// Something that is no regular file, a device or a pipe: it cannot be replaced.
    Direct(File),
    /// A file beside the one that it will be.
    Replacing {
        file: File,
        path: TempPath,
        target: PathBuf,
    },
}

impl Output {
    /// Opens the output; the file that is to be replaced is not touched yet.
    pub(super) fn open(target: Option<&Path>) -> anyhow::Result<Self> {
        let Some(target) = target.filter(|target| *target != Path::new("-")) else {
            return Ok(Output::Stdout(io::stdout().lock()));
        };
        let cannot_write = || format!("cannot write {}", target.display());
        let old = fs::metadata(target).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = File::options().write(true).open(target).with_context(cannot_write)?;
            return Ok(Output::Direct(file));
        }
        // Through a symbolic link the file is replaced, not the link.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // A better message than one with the name of the temporary file.
        fs::metadata(folder).with_context(cannot_write)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What any new file gets; the temporary one would be private.
            builder.permissions(Permissions::from_mode(0o666));
        }
        remove_litter(folder);
        let temporary = locked(|| builder.tempfile_in(folder)).with_context(cannot_write)?;
        if let Some(old) = old {
            fs::set_permissions(temporary.path(), old.permissions()).with_context(cannot_write)?;
        }
        remove_when_interrupted(temporary.path().to_owned());
        let (file, path) = temporary.into_parts();
        Ok(Output::Replacing { file, path, target })
    }

    /// Whether somebody watches the records go by.
    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Output::Stdout(stdout) if stdout.is_terminal())
    }

    /// Puts the file in the place of the old one.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.flush()?;
        if let Output::Replacing { path, target, .. } = self {
            path.persist(&target).with_context(|| format!("cannot write {}", target.display()))?;
        }
        Ok(())
    }
}

/// A temporary file that says by its lock that somebody is at work on it.
fn locked(make: impl Fn() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    loop {
        let temporary = make()?;
        // Where there are no locks, nothing is taken for litter either.
        let is_locked = temporary.as_file().try_lock().is_ok();
        // Another run may have taken it for litter before it was locked.
        if !is_locked || temporary.path().exists() {
            return Ok(temporary);
        }
    }
}

/// Removes what runs have left behind that were killed: nobody has it locked.
fn remove_litter(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX)
            && name.ends_with(SUFFIX)
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            // It may be somebody else's, and stay.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A signal that ends the run takes the temporary file with it: the last one, for outputs are written one after the other.
fn remove_when_interrupted(path: PathBuf) {
    #[cfg(unix)]
    {
        use std::sync::{Mutex, Once, PoisonError};

        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

        static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);
        static LISTENING: Once = Once::new();
        let temporary = || TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        *temporary() = Some(path);
        LISTENING.call_once(|| {
            let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])
            else {
                return;
            };
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    if let Some(path) = temporary().take() {
                        let _ = fs::remove_file(path);
                    }
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                }
            });
        });
    }
    #[cfg(not(unix))]
    drop(path);
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes),
            Output::Direct(file) | Output::Replacing { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush(),
            Output::Direct(file) | Output::Replacing { file, .. } => file.flush(),
        }
    }
}

/// Whether all that failed is that nobody reads any more, as with `| head`.
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

//! A file that gets its name only once it is complete.
//!
//! On Linux it is unnamed until then (`O_TMPFILE`), so it disappears however the run ends. Other
//! systems, and file systems without that feature, use a hidden file beside the target, which is
//! locked while it is in use.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use tempfile::{Builder, TempPath};

use super::signals::{self, Registered};

/// Prefix and suffix of the names of temporary files; six letters or digits are in between.
pub(super) const PREFIX: &str = ".pgn2epd-";
pub(super) const SUFFIX: &str = ".tmp";
pub(super) const LETTERS: usize = 6;

/// A file that is removed unless it is given a name.
#[derive(Debug)]
pub(super) struct Temporary {
    pub(super) file: Arc<File>,
    name: Option<TempPath>,
    _registered: Option<Registered>,
}

impl Temporary {
    /// Creates an empty file on the file system of the folder, with default permissions.
    pub(super) fn create(folder: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Ok(file) = nameless::create(folder) {
            return Ok(Temporary { file: Arc::new(file), name: None, _registered: None });
        }
        Temporary::with_name(folder)
    }

    /// Creates an empty file with a hidden name.
    pub(super) fn with_name(folder: &Path) -> io::Result<Self> {
        loop {
            let (file, name) = builder().tempfile_in(folder)?.into_parts();
            match file.try_lock() {
                // Another run is about to remove it as stale.
                Err(std::fs::TryLockError::WouldBlock) => continue,
                // Without locks, stale files are never removed.
                Err(std::fs::TryLockError::Error(_)) => {}
                // Another run may have removed it before it was locked.
                Ok(()) if !name.exists() => continue,
                Ok(()) => {}
            }
            let registered = Registered::new(&name);
            return Ok(Temporary {
                file: Arc::new(file),
                name: Some(name),
                _registered: Some(registered),
            });
        }
    }

    /// Replaces the file `target`.
    pub(super) fn replace(&mut self, target: &Path, folder: &Path) -> io::Result<()> {
        let _held = signals::hold();
        let name = self.take_name(folder)?;
        let persisted = name.persist(target);
        self.restore(persisted)
    }

    /// Takes the name `target`, if it is unused.
    pub(super) fn keep_as(&mut self, target: &Path, folder: &Path) -> io::Result<()> {
        let _held = signals::hold();
        #[cfg(target_os = "linux")]
        if self.name.is_none() {
            return nameless::link(&self.file, target);
        }
        let name = self.take_name(folder)?;
        let persisted = name.persist_noclobber(target);
        self.restore(persisted)
    }

    fn take_name(&mut self, folder: &Path) -> io::Result<TempPath> {
        match self.name.take() {
            Some(name) => Ok(name),
            #[cfg(target_os = "linux")]
            None => {
                // The lock prevents its removal as a stale file.
                let _ = self.file.try_lock();
                let link = |name: &Path| nameless::link(&self.file, name);
                Ok(builder().make_in(folder, link)?.into_temp_path())
            }
            // On other systems every temporary file has a name.
            #[cfg(not(target_os = "linux"))]
            None => Err(io::Error::new(io::ErrorKind::NotFound, folder.display().to_string())),
        }
    }

    fn restore(&mut self, persisted: Result<(), tempfile::PathPersistError>) -> io::Result<()> {
        persisted.map_err(|failure| {
            self.name = Some(failure.path);
            failure.error
        })
    }
}

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(LETTERS);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask applies, as for any new file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Unnamed files.
#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, CWD, OFlags, linkat};

    /// Creates a file that can be named later.
    pub(super) fn create(folder: &Path) -> io::Result<File> {
        let flags = OFlags::TMPFILE.bits().cast_signed();
        let file =
            File::options().read(true).write(true).custom_flags(flags).mode(0o666).open(folder)?;
        // Naming it later requires /proc.
        if fs::metadata(path(&file))?.ino() == file.metadata()?.ino() {
            return Ok(file);
        }
        Err(io::ErrorKind::NotFound.into())
    }

    /// Names the file.
    pub(super) fn link(file: &File, name: &Path) -> io::Result<()> {
        Ok(linkat(CWD, path(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    }

    fn path(file: &File) -> PathBuf {
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::thread;

    use super::super::stale_files;
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn both_kinds_replace_an_old_file_without_leftovers() {
        for create in [Temporary::create, Temporary::with_name] {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("x");
            fs::write(&target, "old").unwrap();
            let mut temporary = create(folder.path()).unwrap();
            temporary.file.write_all(b"new").unwrap();
            assert_eq!(fs::read(&target).unwrap(), b"old");
            temporary.replace(&target, folder.path()).unwrap();
            drop(temporary);
            assert_eq!(fs::read(&target).unwrap(), b"new");
            assert_eq!(names(folder.path()), ["x"]);
            drop(create(folder.path()).unwrap());
            assert_eq!(names(folder.path()), ["x"]);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn on_linux_an_unfinished_file_has_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let _temporary = Temporary::create(folder.path()).unwrap();
        assert_eq!(names(folder.path()), [""; 0]);
    }

    /// Threads are sufficient for the test, because locks belong to open files, not to processes.
    #[test]
    fn writers_in_one_folder_do_not_remove_each_others_files() {
        for create in [Temporary::create, Temporary::with_name] {
            let folder = tempfile::tempdir().unwrap();
            let work = |writer: usize| {
                for round in 0..100 {
                    let mut temporary = create(folder.path()).unwrap();
                    stale_files::remove(folder.path(), &temporary.file);
                    let target = folder.path().join(format!("{writer}-{round}"));
                    temporary.replace(&target, folder.path()).unwrap();
                }
            };
            thread::scope(|scope| {
                for writer in 0..8 {
                    scope.spawn(move || work(writer));
                }
            });
            assert_eq!(names(folder.path()).len(), 800);
        }
    }
}

//! A folder that gets its name only once all of its files are complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};

use super::error::OutputError;
use super::identity::{folder, resolved};
use super::signals::Registered;
use super::temporary::{LETTERS, PREFIX, SUFFIX};
use super::{Output, litter};

/// A new folder of files.
///
/// ```
/// use std::io::Write;
/// use std::path::Path;
/// use stream::output::OutputFolder;
///
/// # let parent = tempfile::tempdir()?;
/// # let path = parent.path().join("positions");
/// let folder = OutputFolder::create(&path)?;
/// folder.files().create(Path::new("year=1851/part-00000.epd"))?.write_all(b"4k3/8/8/8/8/8/8/4K3 w - -\n")?;
/// assert!(!path.exists());
/// folder.finish()?;
/// assert!(path.join("year=1851/part-00000.epd").exists());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OutputFolder {
    /// The folder until it is complete, beside the target.
    temporary: TempDir,
    target: PathBuf,
    files: FolderFiles,
    /// Locked, so that other runs do not remove the folder.
    _lock: Option<File>,
    _registered: Registered,
}

/// Creates the files of a folder.
#[derive(Clone, Debug)]
pub struct FolderFiles {
    temporary: PathBuf,
    /// The name of the folder in messages.
    name: PathBuf,
}

impl OutputFolder {
    /// Creates a folder that gets the name `path` at the [end](OutputFolder::finish).
    ///
    /// # Errors
    ///
    /// If the folder exists and is not empty, or cannot be created.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        Self::new(path).map_err(|error| OutputError::new(path.display().to_string(), error))
    }

    fn new(path: &Path) -> io::Result<Self> {
        // Without the slash at the end.
        let target = resolved(&path.components().collect::<PathBuf>());
        match fs::read_dir(&target).map(|mut entries| entries.next().is_some()) {
            Ok(false) => {}
            Ok(true) => {
                let reason = "the folder is not empty";
                return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, reason));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let parent = folder(&target);
        // Fails without the name of the temporary folder, which would be in the error of its creation.
        fs::metadata(parent)?;
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(LETTERS);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The umask applies, as for any new folder.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let (temporary, lock) = loop {
            let temporary = builder.tempdir_in(parent)?;
            // Not every system opens folders.
            let lock = File::open(temporary.path()).ok();
            let is_locked = lock.as_ref().is_some_and(|lock| lock.try_lock().is_ok());
            // Another run may have removed it before it was locked.
            if !is_locked || temporary.path().exists() {
                break (temporary, lock);
            }
        };
        let registered = Registered::new(temporary.path());
        if let Some(lock) = &lock {
            litter::remove(parent, lock);
        }
        let files = FolderFiles { temporary: temporary.path().to_owned(), name: path.to_owned() };
        Ok(OutputFolder { temporary, target, files, _lock: lock, _registered: registered })
    }

    /// Returns what creates the files.
    pub fn files(&self) -> FolderFiles {
        self.files.clone()
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    ///
    /// If that fails. The files are then kept in a folder that the error names.
    pub fn finish(self) -> Result<(), OutputError> {
        // Not every system replaces an empty folder.
        let _ = fs::remove_dir(&self.target);
        let temporary = self.temporary.keep();
        fs::rename(&temporary, &self.target).map_err(|error| OutputError {
            kept: Some(temporary),
            ..OutputError::new(self.files.name.display().to_string(), error)
        })
    }
}

impl FolderFiles {
    /// Creates a file with this name in the folder.
    ///
    /// # Errors
    ///
    /// If the file, or the folder in which it is, cannot be created.
    pub fn create(&self, name: &Path) -> Result<Output, OutputError> {
        let path = self.temporary.join(name);
        let created = path.parent().map_or(Ok(()), fs::create_dir_all);
        let name = self.name.join(name).display().to_string();
        match created.and_then(|()| File::create_new(&path)) {
            Ok(file) => Ok(Output::in_folder(name, file)),
            Err(error) => Err(OutputError::new(name, error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn an_unfinished_folder_leaves_nothing() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        let folder = OutputFolder::create(&path).unwrap();
        folder.files().create(Path::new("a/b")).unwrap().write_all(b"text").unwrap();
        drop(folder);
        assert_eq!(names(parent.path()), [""; 0]);
    }

    #[test]
    fn an_empty_folder_is_replaced_and_others_are_refused() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        fs::create_dir(&path).unwrap();
        OutputFolder::create(&path.join("")).unwrap().finish().unwrap();
        assert_eq!(names(&path), [""; 0]);
        fs::write(path.join("a"), "text").unwrap();
        let error = OutputFolder::create(&path).unwrap_err();
        assert_eq!(error.io_error().to_string(), "the folder is not empty");
        let error = OutputFolder::create(&path.join("a")).unwrap_err();
        assert_eq!(error.io_error().kind(), io::ErrorKind::NotADirectory);
        let error = OutputFolder::create(&parent.path().join("y/z")).unwrap_err();
        assert_eq!(error.io_error().kind(), io::ErrorKind::NotFound);
        assert_eq!(names(parent.path()), ["x"]);
    }

    #[test]
    fn files_are_kept_if_the_folder_cannot_get_its_name() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        let folder = OutputFolder::create(&path).unwrap();
        drop(folder.files().create(Path::new("a")).unwrap());
        fs::create_dir_all(path.join("full")).unwrap();
        let kept = folder.finish().unwrap_err().kept.unwrap();
        assert_eq!(names(&kept), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn folders_of_killed_runs_are_removed_and_those_in_use_are_not() {
        let parent = tempfile::tempdir().unwrap();
        let stale = parent.path().join(format!("{PREFIX}abcdef{SUFFIX}"));
        fs::create_dir_all(stale.join("year=1851")).unwrap();
        let first = OutputFolder::create(&parent.path().join("x")).unwrap();
        assert!(!stale.exists());
        let second = OutputFolder::create(&parent.path().join("y")).unwrap();
        first.finish().unwrap();
        second.finish().unwrap();
        let mut names = names(parent.path());
        names.sort();
        assert_eq!(names, ["x", "y"]);
    }
}

//! A file that gets its name only once it is complete; until then it has a hidden one beside the
//! target.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use tempfile::{Builder, PathPersistError, TempPath};

use super::signals::{self, Registered};

pub(super) const PREFIX: &str = ".pgn2epd-";

/// A file that is removed unless it is given a name. That of a run that is killed stays.
#[derive(Debug)]
pub(super) struct Temporary {
    pub(super) file: Arc<File>,
    name: Option<TempPath>,
    _registered: Registered,
}

impl Temporary {
    /// Creates an empty file in the folder, with default permissions.
    pub(super) fn create(folder: &Path) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The umask applies, as for any new file.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let (file, registered) = Registered::create(|| builder.tempfile_in(folder))?;
        let (file, name) = file.into_parts();
        Ok(Temporary { file: Arc::new(file), name: Some(name), _registered: registered })
    }

    pub(super) fn replace(&mut self, target: &Path) -> io::Result<()> {
        self.rename(|name| name.persist(target))
    }

    /// Takes the name `target`, if it is unused.
    pub(super) fn keep_as(&mut self, target: &Path) -> io::Result<()> {
        self.rename(|name| name.persist_noclobber(target))
    }

    fn rename(
        &mut self,
        rename: impl FnOnce(TempPath) -> Result<(), PathPersistError>,
    ) -> io::Result<()> {
        // No signal ends the run meanwhile.
        let _held = signals::names();
        let Some(name) = self.name.take() else { return Ok(()) };
        rename(name).map_err(|failure| {
            self.name = Some(failure.path);
            failure.error
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn a_new_file_replaces_an_old_one_without_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let (target, other) = (folder.path().join("x"), folder.path().join("y"));
        fs::write(&target, "old").unwrap();
        let mut temporary = Temporary::create(folder.path()).unwrap();
        temporary.file.write_all(b"new").unwrap();
        assert_eq!(temporary.keep_as(&target).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&target).unwrap(), b"old");
        temporary.replace(&target).unwrap();
        drop(temporary);
        Temporary::create(folder.path()).unwrap().keep_as(&other).unwrap();
        drop(Temporary::create(folder.path()).unwrap());
        assert_eq!(
            (fs::read(&target).unwrap(), fs::read(&other).unwrap()),
            (b"new".to_vec(), vec![])
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

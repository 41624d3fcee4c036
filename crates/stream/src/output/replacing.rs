//! A file that replaces the old one once it is complete.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::identity::{folder, resolved};
use super::temporary::Temporary;

#[derive(Debug)]
pub(super) struct Replacing {
    temporary: Temporary,
    target: PathBuf,
}

#[derive(Debug)]
pub(super) struct NotReplaced {
    pub(super) error: io::Error,
    /// Where the new file is kept instead.
    pub(super) kept: Option<PathBuf>,
}

impl Replacing {
    /// Creates a new file to replace `path`, with the permissions of the old one.
    pub(super) fn open(path: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        let target = resolved(path);
        let folder = folder(&target);
        // Fails without the name of the temporary file, which would be in the error of its
        // creation.
        fs::metadata(folder)?;
        if old.is_some() {
            refuse_immutable(&target)?;
        }
        let temporary = Temporary::create(folder)?;
        if let Some(old) = old {
            #[cfg(unix)]
            {
                use std::os::unix::fs::{MetadataExt, fchown};
                // Only root may keep the old owner; otherwise the file belongs to the user who
                // writes it.
                let _ = fchown(&temporary.file, Some(old.uid()), Some(old.gid()));
            }
            temporary.file.set_permissions(old.permissions())?;
        }
        Ok(Replacing { temporary, target })
    }

    /// Returns the new file, to be written.
    pub(super) fn file(&self) -> Arc<File> {
        Arc::clone(&self.temporary.file)
    }

    /// A target that cannot be replaced (a mount point) is overwritten, or the file kept beside it.
    pub(super) fn finish(mut self) -> Result<(), NotReplaced> {
        let Err(error) = self.temporary.replace(&self.target) else { return Ok(()) };
        if self.overwrite().is_ok() {
            return Ok(());
        }
        let kept = self.keep();
        Err(NotReplaced { error, kept })
    }

    fn overwrite(&mut self) -> io::Result<()> {
        let mut target =
            File::options().write(true).create(true).truncate(true).open(&self.target)?;
        self.temporary.file.rewind()?;
        io::copy(&mut self.temporary.file, &mut target)?;
        Ok(())
    }

    /// Keeps the new file under an unused name: `out.epd.new`, `out.epd.new2` ….
    fn keep(&mut self) -> Option<PathBuf> {
        for number in 1..1000 {
            let mut name = OsString::from(self.target.file_name()?);
            name.push(".new");
            if number > 1 {
                name.push(number.to_string());
            }
            let kept = self.target.with_file_name(name);
            match self.temporary.keep_as(&kept) {
                Ok(()) => return Some(kept),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(_) => break,
            }
        }
        None
    }
}

/// Fails if it can be neither replaced nor written: it is immutable or append-only.
fn refuse_immutable(target: &Path) -> io::Result<()> {
    match File::options().write(true).open(target) {
        // A read-only file can be replaced (EACCES); an immutable one cannot (EPERM).
        #[cfg(unix)]
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::PERM.raw_os_error()) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn written(target: &Path, text: &str) -> Replacing {
        let new = Replacing::open(target, fs::metadata(target).ok().as_ref()).unwrap();
        new.file().write_all(text.as_bytes()).unwrap();
        new
    }

    #[test]
    fn an_unfinished_output_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x");
        fs::write(&target, "old").unwrap();
        drop(written(&target, "new"));
        assert_eq!(fs::read_to_string(&target).unwrap(), "old");
        written(&target, "new").finish().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_dangling_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("real", &link).unwrap();
        written(&link, "new").finish().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(folder.path().join("real")).unwrap(), "new");
    }

    /// A folder at the target path can be neither replaced nor overwritten.
    #[test]
    fn a_result_that_cannot_replace_the_target_is_kept_and_reported() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x");
        for name in ["x.new", "x.new2"] {
            let new = written(&target, name);
            fs::create_dir_all(target.join("full")).unwrap();
            let NotReplaced { kept, .. } = new.finish().unwrap_err();
            let kept = kept.unwrap();
            assert_eq!(kept.file_name().unwrap(), name);
            assert_eq!(fs::read_to_string(&kept).unwrap(), name);
            fs::remove_dir_all(&target).unwrap();
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn an_old_file_keeps_its_owner_and_permissions() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x");
        fs::write(&target, "old").unwrap();
        // Only permitted for root.
        let _ = chown(&target, Some(12345), Some(54321));
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        let old = fs::metadata(&target).unwrap();
        written(&target, "new").finish().unwrap();
        let new = fs::metadata(&target).unwrap();
        assert_ne!(old.ino(), new.ino());
        assert_eq!((old.uid(), old.gid(), old.mode()), (new.uid(), new.gid(), new.mode()));
    }
}

//! Removes the temporary files of killed runs.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use super::temporary::{LETTERS, PREFIX, SUFFIX};

/// Removes the temporary files in a folder that are not locked by a run. `own` is a file of this
/// run.
pub(super) fn remove(folder: &Path, own: &File) {
    let (Ok(entries), Ok(own)) = (fs::read_dir(folder), own.metadata()) else { return };
    for entry in entries.flatten() {
        if is_name_of_temporary(&entry.file_name()) {
            // A file that cannot be removed does not prevent this run.
            let _ = remove_if_stale(&entry.path(), &own);
        }
    }
}

fn is_name_of_temporary(name: &OsStr) -> bool {
    let name = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    name.is_some_and(|name| {
        name.len() == LETTERS && name.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

fn remove_if_stale(path: &Path, own: &Metadata) -> io::Result<()> {
    // Checked before opening, because opening a pipe would block.
    let found = fs::symlink_metadata(path)?;
    if !is_like(&found, own) {
        return Ok(());
    }
    let file = open(path)?;
    if is_like(&file.metadata()?, own) && file.try_lock().is_ok() {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// Opens for writing, which locks on some network file systems require; does not block if the file
/// has been replaced.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        use rustix::fs::OFlags;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32);
    }
    options.open(path)
}

/// Whether it is a regular file of the same user, as far as the system knows users.
fn is_like(file: &Metadata, own: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        file.is_file() && file.uid() == own.uid()
    }
    #[cfg(not(unix))]
    {
        let _ = own;
        file.is_file()
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unlocked_files_with_the_name_of_a_temporary_file_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let stay =
            [".pgn2epd-x.tmp", ".pgn2epd-abc123.txt", "pgn2epd-abc123.tmp", ".pgn2epd-abc-23.tmp"];
        for name in stay.iter().chain(&[".pgn2epd-stale1.tmp", ".pgn2epd-locked.tmp"]) {
            fs::write(path(name), "").unwrap();
        }
        fs::create_dir(path(".pgn2epd-folder.tmp")).unwrap();
        let locked = File::open(path(".pgn2epd-locked.tmp")).unwrap();
        locked.lock().unwrap();
        remove(folder.path(), &tempfile::tempfile().unwrap());
        drop(locked);
        assert!(!path(".pgn2epd-stale1.tmp").exists());
        for name in stay.iter().chain(&[".pgn2epd-locked.tmp", ".pgn2epd-folder.tmp"]) {
            assert!(path(name).exists(), "{name}");
        }
    }

    #[test]
    fn pipes_links_and_files_of_others_are_not_opened() {
        use std::os::unix::fs::{chown, symlink};

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        // Opening it would block forever, and so would this test.
        let made = std::process::Command::new("mkfifo").arg(path(".pgn2epd-pipe00.tmp")).status();
        assert!(made.unwrap().success());
        fs::write(path("theirs"), "").unwrap();
        symlink("theirs", path(".pgn2epd-link00.tmp")).unwrap();
        let mut stay = vec![".pgn2epd-pipe00.tmp", ".pgn2epd-link00.tmp", "theirs"];
        fs::write(path(".pgn2epd-others.tmp"), "").unwrap();
        if chown(path(".pgn2epd-others.tmp"), Some(12345), None).is_ok() {
            stay.push(".pgn2epd-others.tmp");
        }
        remove(folder.path(), &tempfile::tempfile().unwrap());
        for name in stay {
            assert!(fs::symlink_metadata(path(name)).is_ok(), "{name}");
        }
    }
}

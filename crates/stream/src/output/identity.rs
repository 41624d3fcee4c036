//! Identity of the file that a path or a descriptor refers to, under any of its names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Maximum number of symbolic links followed, as in Linux.
const MOST_LINKS: usize = 40;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Identity {
    Existing(FileId),
    /// The file does not exist yet; its resolved path.
    Missing(PathBuf),
}

#[cfg(unix)]
pub(super) use unix::FileId;

#[cfg(windows)]
pub(super) use windows::FileId;

impl Identity {
    /// `None` for files with two directions: terminals, other character devices, sockets.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(metadata) => FileId::of(path, &metadata).map(Identity::Existing),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some(Identity::Missing(resolved(path)))
            }
            // A file whose metadata cannot be read cannot be opened either.
            Err(_) => None,
        }
    }

    /// That of the file at a standard stream.
    #[cfg(unix)]
    pub(super) fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Self> {
        let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        FileId::of(Path::new(""), &file.metadata().ok()?).map(Identity::Existing)
    }

    #[cfg(windows)]
    pub(super) fn of_stream(stream: impl winapi_util::AsHandleRef) -> Option<Self> {
        FileId::of_handle(stream).map(Identity::Existing)
    }
}

/// The path that writing creates or replaces: links are followed, even to missing files.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(whole) = fs::canonicalize(&path) {
            return whole;
        }
        match fs::read_link(&path) {
            Ok(link) => path = folder(&path).join(link),
            Err(_) => break,
        }
    }
    match (fs::canonicalize(folder(&path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether the path is a name of standard output, such as `/dev/stdout` or a link to it. Such a
/// path must not be reopened, because that would write from the beginning of the file.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("/dev/stdout") || descriptor(path) == Some(1)
}

/// For `/dev/stderr`, `/dev/fd/3`, `/proc/self/fd/3`, and links to one of them.
pub(super) fn descriptor(path: &Path) -> Option<i32> {
    let own = fs::canonicalize("/proc/self");
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = fs::canonicalize(folder(&path)).ok()?;
        let is_own = || own.as_ref().is_ok_and(|own| folder.starts_with(own));
        if folder == Path::new("/dev/fd") || folder.ends_with("fd") && is_own() {
            return path.file_name()?.to_str()?.parse().ok();
        }
        path = folder.join(fs::read_link(&path).ok()?);
    }
    None
}

/// Keeps the mode and the offset: the path would be opened anew, at the beginning.
#[cfg(target_os = "linux")]
pub(super) fn duplicate(number: i32) -> io::Result<fs::File> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    use std::os::fd::AsFd;
    // Containers may forbid the other way.
    if number == 2 {
        return Ok(io::stderr().as_fd().try_clone_to_owned()?.into());
    }
    let process = pidfd_open(getpid(), PidfdFlags::empty())?;
    Ok(pidfd_getfd(process, number, PidfdGetfdFlags::empty())?.into())
}

/// Returns the open file behind a descriptor: other systems duplicate it when it is opened.
#[cfg(not(target_os = "linux"))]
pub(super) fn duplicate(number: i32) -> io::Result<fs::File> {
    fs::File::options().write(true).open(format!("/dev/fd/{number}"))
}

#[cfg(unix)]
mod unix {
    use std::fs::Metadata;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    use std::path::Path;

    #[derive(Debug, PartialEq, Eq)]
    pub(crate) struct FileId {
        device: u64,
        inode: u64,
    }

    impl FileId {
        pub(super) fn of(_: &Path, metadata: &Metadata) -> Option<Self> {
            let kind = metadata.file_type();
            let has_two_directions = kind.is_char_device() || kind.is_socket();
            (!has_two_directions).then(|| FileId { device: metadata.dev(), inode: metadata.ino() })
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::fs::Metadata;
    use std::path::Path;

    use winapi_util::{AsHandleRef, Handle, file};

    /// No handle stays open: an open file could not be replaced on every file system.
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) struct FileId {
        volume: u64,
        index: u64,
    }

    impl FileId {
        pub(super) fn of(path: &Path, metadata: &Metadata) -> Option<Self> {
            let is_stored = metadata.is_file() || metadata.is_dir();
            if is_stored { FileId::of_handle(Handle::from_path_any(path).ok()?) } else { None }
        }

        /// Pipes and terminals have no information.
        pub(super) fn of_handle(handle: impl AsHandleRef) -> Option<Self> {
            let found = file::information(handle).ok()?;
            Some(FileId { volume: found.volume_serial_number(), index: found.file_index() })
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_under_all_its_names() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "a").unwrap();
        fs::write(path("b"), "a").unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        symlink("a", path("soft")).unwrap();
        symlink("new", path("to_new")).unwrap();
        fs::create_dir(path("sub")).unwrap();
        let same = [
            ("a", "hard"),
            ("a", "soft"),
            ("soft", "hard"),
            ("a", "sub/../a"),
            ("new", "to_new"),
            ("new", "sub/../new"),
            ("sub/new", "./sub/new"),
        ];
        for (one, other) in same {
            assert_eq!(Identity::of(&path(one)), Identity::of(&path(other)), "{one} {other}");
        }
        for (one, other) in [("a", "b"), ("new", "newer"), ("a", "new"), ("sub/new", "new")] {
            assert_ne!(Identity::of(&path(one)), Identity::of(&path(other)), "{one} {other}");
        }
    }

    #[test]
    fn a_device_may_be_read_and_written_at_once() {
        assert_eq!(Identity::of(Path::new("/dev/null")), None);
    }

    #[test]
    fn a_descriptor_is_known_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
        for (link, target) in
            [("a", "/dev/stdout"), ("b", "a"), ("c", "/dev/fd"), ("3", "x"), ("fd", ".")]
        {
            std::os::unix::fs::symlink(target, path(link)).unwrap();
        }
        for (name, expected) in [
            ("/dev/stdout".to_owned(), Some(1)),
            ("//dev/../dev/stdout".to_owned(), Some(1)),
            ("/dev/stderr".to_owned(), Some(2)),
            ("/dev/fd/7".to_owned(), Some(7)),
            (path("a"), Some(1)),
            (path("b"), Some(1)),
            (path("c/12"), Some(12)),
            (path("3"), None),
            (path("fd/3"), None),
            ("/dev/null".to_owned(), None),
            ("fd/1".to_owned(), None),
        ] {
            assert_eq!(descriptor(Path::new(&name)), expected, "{name}");
            assert_eq!(is_stdout(Path::new(&name)), expected == Some(1), "{name}");
        }
        #[cfg(target_os = "linux")]
        for name in ["self", "thread-self", &std::process::id().to_string()] {
            assert_eq!(descriptor(Path::new(&format!("/proc/{name}/fd/3"))), Some(3), "{name}");
        }
    }

    #[test]
    fn circular_links_terminate() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::os::unix::fs::symlink("a", &path).unwrap();
        assert!(Identity::of(&path).is_none());
        assert_eq!(resolved(&path).file_name(), path.file_name());
    }
}

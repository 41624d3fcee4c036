//! A folder of files, each of which gets its name when it is complete.
//!
//! As Hadoop and Spark do it: a file `_SUCCESS` is written after all others, so a folder without it
//! is not complete.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use super::guard::{folder, resolved};
use super::replacing::Temporary;
use super::{Output, OutputError, OutputTarget};
use crate::ordered::lock;

/// The file that says that a folder is complete; its lines are the names of the others.
const SUCCESS: &str = "_SUCCESS";

/// A folder of files that this run writes.
///
/// ```
/// use std::io::Write;
/// use std::path::Path;
/// use stream::output::OutputFolder;
///
/// # let parent = tempfile::tempdir()?;
/// # let path = parent.path().join("positions");
/// let folder = OutputFolder::create(&path, false)?;
/// let name = Path::new("year=1851/part-00000.epd");
/// folder.files().create(name)?.write_all(b"4k3/8/8/8/8/8/8/4K3 w - -\n")?;
/// assert!(!path.join(name).exists());
/// folder.files().complete(name)?;
/// assert!(path.join(name).exists() && !path.join("_SUCCESS").exists());
/// folder.finish()?;
/// assert!(path.join("_SUCCESS").exists());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OutputFolder {
    files: FolderFiles,
    is_new: bool,
    /// Locked, so that no other run writes into the folder.
    _lock: Option<File>,
}

/// Creates the files of a folder.
#[derive(Clone, Debug)]
pub struct FolderFiles {
    path: PathBuf,
    /// The name of the folder in messages.
    name: PathBuf,
    state: Arc<Mutex<FolderState>>,
}

#[derive(Debug, Default)]
struct FolderState {
    /// The files without a name.
    incomplete: BTreeMap<PathBuf, Temporary>,
    complete: Vec<PathBuf>,
    /// The folders that were created in it.
    folders: Vec<PathBuf>,
    /// The files of an earlier run, which are removed when the first file is complete.
    old: Vec<PathBuf>,
}

impl OutputFolder {
    /// Uses a folder that is new or empty; if it is to `overwrite` others, also one in which an
    /// earlier run was successful. The files of that run are removed when the first new one is
    /// complete, and no others. Fails if the folder cannot be created or used.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self, OutputError> {
        Self::new(path, overwrite)
            .map_err(|error| OutputError::new(path.display().to_string(), error))
    }

    fn new(name: &Path, overwrite: bool) -> io::Result<Self> {
        // Without the slash at the end.
        let path = resolved(&name.components().collect::<PathBuf>());
        let is_new = match fs::create_dir(&path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            created => created.is_ok(),
        };
        // Not every system opens folders.
        let lock = File::open(&path).ok();
        if let Some(Err(TryLockError::WouldBlock)) = lock.as_ref().map(File::try_lock) {
            let reason = "another run writes into the folder";
            return Err(io::Error::new(ErrorKind::ResourceBusy, reason));
        }
        let is_empty = fs::read_dir(&path)?.next().is_none();
        let old = match overwrite {
            _ if is_empty => Vec::new(),
            true => files_of_earlier_run(&path)?,
            false => {
                let reason = "the folder is not empty";
                return Err(io::Error::new(ErrorKind::DirectoryNotEmpty, reason));
            }
        };
        let state = Arc::new(Mutex::new(FolderState { old, ..FolderState::default() }));
        let files = FolderFiles { path, name: name.to_owned(), state };
        Ok(OutputFolder { files, is_new, _lock: lock })
    }

    /// Returns what creates the files.
    pub fn files(&self) -> FolderFiles {
        self.files.clone()
    }

    /// Gives all files their names.
    pub fn complete(&self) -> Result<(), OutputError> {
        let names: Vec<PathBuf> = self.files.state().incomplete.keys().cloned().collect();
        names.iter().try_for_each(|name| self.files.complete(name))
    }

    /// Gives all files their names, and writes `_SUCCESS`; a failure removes the files of this run.
    pub fn finish(self) -> Result<(), OutputError> {
        self.complete()?;
        let mut names = self.files.state().complete.clone();
        names.sort();
        let name = Path::new(SUCCESS);
        let mut success = self.files.create(name)?;
        for name in names {
            writeln!(success, "{}", name.display())
                .map_err(|error| OutputError::new(SUCCESS, error))?;
        }
        self.files.complete(name)?;
        self.keep();
        Ok(())
    }

    /// Keeps complete files without `_SUCCESS`, which are removed if the folder is just dropped.
    pub fn keep(self) {
        self.files.state().complete.clear();
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        let path = &self.files.path;
        let mut state = self.files.state();
        state.incomplete.clear();
        state.complete.drain(..).for_each(|name| drop(fs::remove_file(path.join(name))));
        // Folders that are not empty stay.
        state.folders.drain(..).rev().for_each(|name| drop(fs::remove_dir(path.join(name))));
        if self.is_new {
            drop(fs::remove_dir(path));
        }
    }
}

impl FolderFiles {
    /// Creates a file, which gets this name in the folder when it is complete. Fails if the file,
    /// or the folder in which it is, cannot be created.
    pub fn create(&self, name: &Path) -> Result<Output, OutputError> {
        self.new_file(name).map_err(|error| self.failed(name, error))
    }

    fn new_file(&self, name: &Path) -> io::Result<Output> {
        let mut state = self.state();
        let mut folders: Vec<&Path> = name.ancestors().skip(1).collect();
        folders.pop();
        for folder in folders.into_iter().rev() {
            match fs::create_dir(self.path.join(folder)) {
                Ok(()) => state.folders.push(folder.to_owned()),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        let file = Temporary::create(folder(&self.path.join(name)))?;
        let output = Arc::clone(&file.file);
        state.incomplete.insert(name.to_owned(), file);
        let name = self.name.join(name).display().to_string();
        Ok(Output::to(name, OutputTarget::File(output), None))
    }

    /// Gives a file its name, unless it has it. Nothing may be written to it any more. Fails if
    /// there is a file with this name, or it cannot be given.
    pub fn complete(&self, name: &Path) -> Result<(), OutputError> {
        let mut state = self.state();
        let Some(mut file) = state.incomplete.remove(name) else { return Ok(()) };
        let path = self.path.join(name);
        let removed = state.old.drain(..).try_for_each(|old| remove_if_there(&self.path.join(old)));
        removed.and_then(|()| file.keep_as(&path)).map_err(|error| self.failed(name, error))?;
        state.complete.push(name.to_owned());
        Ok(())
    }

    fn failed(&self, name: &Path, error: io::Error) -> OutputError {
        OutputError::new(self.name.join(name).display().to_string(), error)
    }

    fn state(&self) -> MutexGuard<'_, FolderState> {
        lock(&self.state)
    }
}

/// Returns the files of an earlier run in a folder, `_SUCCESS` first. Fails without a list.
pub fn files_of_earlier_run(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let list = fs::read_to_string(folder.join(SUCCESS)).map_err(|error| match error.kind() {
        ErrorKind::NotFound => io::Error::new(
            ErrorKind::DirectoryNotEmpty,
            "the folder is not empty, and has no file _SUCCESS with the names of those that may be overwritten",
        ),
        _ => error,
    })?;
    let is_inside = |name: &&str| {
        let is_normal = |component| matches!(component, Component::Normal(_));
        !name.is_empty() && Path::new(name).components().all(is_normal)
    };
    Ok([SUCCESS].into_iter().chain(list.lines().filter(is_inside)).map(PathBuf::from).collect())
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::replacing::PREFIX;
    use super::*;

    /// All files and folders, with their texts.
    fn contents(folder: &Path) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            // Of an incomplete file.
            if name.starts_with(PREFIX) {
                continue;
            }
            if path.is_dir() {
                let inside = contents(&path).into_iter();
                found.extend(inside.map(|(inner, text)| (format!("{name}/{inner}"), text)));
                found.push((name, String::new()));
            } else {
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
        found.sort();
        found
    }

    fn names(folder: &Path) -> Vec<String> {
        contents(folder).into_iter().map(|(name, _)| name).collect()
    }

    fn write(folder: &OutputFolder, name: &str, text: &str) {
        let mut file = folder.files().create(Path::new(name)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    fn complete(folder: &OutputFolder, name: &str) -> Result<(), OutputError> {
        folder.files().complete(Path::new(name))
    }

    #[test]
    fn each_file_appears_when_it_is_complete_and_success_at_the_end() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        let folder = OutputFolder::create(&path.join(""), false).unwrap();
        write(&folder, "b=1/y", "text");
        write(&folder, "a", "other");
        complete(&folder, "b=1/y").unwrap();
        assert_eq!(names(&path), ["b=1", "b=1/y"]);
        folder.finish().unwrap();
        assert_eq!(names(&path), ["_SUCCESS", "a", "b=1", "b=1/y"]);
        assert_eq!(fs::read_to_string(path.join("_SUCCESS")).unwrap(), "a\nb=1/y\n");
    }

    #[test]
    fn an_unfinished_folder_leaves_nothing_unless_it_is_kept() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        for is_kept in [false, true] {
            let folder = OutputFolder::create(&path, false).unwrap();
            write(&folder, "a/b", "text");
            write(&folder, "c/d", "text");
            complete(&folder, "a/b").unwrap();
            if is_kept {
                folder.keep();
            }
        }
        assert_eq!(names(parent.path()), ["x", "x/a", "x/a/b"]);
    }

    #[test]
    fn folders_that_are_not_empty_are_refused() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("a"), "text").unwrap();
        let cases = [
            (path.clone(), false, "the folder is not empty"),
            (path.clone(), true, "the folder is not empty, and has no file _SUCCESS"),
            (path.join("a"), false, "Not a directory"),
            (parent.path().join("y/z"), false, "No such file or directory"),
        ];
        for (path, overwrite, expected) in cases {
            let error = OutputFolder::create(&path, overwrite).unwrap_err();
            let is_of_system = error.source.raw_os_error().is_some();
            let reason = error.source.to_string();
            assert!(reason.starts_with(expected) || cfg!(windows) && is_of_system, "{error:?}");
        }
        assert_eq!(names(parent.path()), ["x", "x/a"]);
    }

    #[test]
    fn only_files_of_an_earlier_run_are_overwritten() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        fs::write(parent.path().join("outside"), "theirs").unwrap();
        let first = OutputFolder::create(&path, false).unwrap();
        for name in ["a", "b/c", "b/d"] {
            write(&first, name, "old");
        }
        first.finish().unwrap();
        let mut list = fs::read_to_string(path.join(SUCCESS)).unwrap();
        list += "../outside\n\n/etc/passwd\n";
        fs::write(path.join(SUCCESS), list).unwrap();
        fs::write(path.join("mine"), "theirs").unwrap();
        // A run that ends before it has a file changes nothing.
        let before = contents(parent.path());
        drop(OutputFolder::create(&path, true).unwrap());
        assert_eq!(contents(parent.path()), before);
        let second = OutputFolder::create(&path, true).unwrap();
        write(&second, "b/d", "new");
        write(&second, "e", "new");
        complete(&second, "b/d").unwrap();
        assert_eq!(names(&path), ["b", "b/d", "mine"]);
        second.finish().unwrap();
        assert_eq!(names(&path), ["_SUCCESS", "b", "b/d", "e", "mine"]);
        assert_eq!(names(parent.path())[0], "outside");
        // Files of others are not overwritten.
        let third = OutputFolder::create(&path, true).unwrap();
        write(&third, "mine", "new");
        assert_eq!(third.finish().unwrap_err().source.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(path.join("mine")).unwrap(), "theirs");
    }

    #[cfg(unix)]
    #[test]
    fn an_empty_folder_keeps_its_owner_and_permissions() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        fs::create_dir(&path).unwrap();
        // Only permitted for root.
        let _ = chown(&path, Some(12345), Some(54321));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o2770)).unwrap();
        let of = |path: &Path| {
            let metadata = fs::metadata(path).unwrap();
            (metadata.ino(), metadata.uid(), metadata.gid(), metadata.mode())
        };
        let before = of(&path);
        let folder = OutputFolder::create(&path, false).unwrap();
        write(&folder, "a", "text");
        folder.finish().unwrap();
        assert_eq!(of(&path), before);
        assert_eq!(names(&path), ["_SUCCESS", "a"]);
    }

    #[cfg(unix)]
    #[test]
    fn of_two_runs_into_a_folder_one_is_refused_before_it_writes() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        let first = OutputFolder::create(&path, false).unwrap();
        let error = OutputFolder::create(&path, false).unwrap_err();
        assert_eq!(error.source.to_string(), "another run writes into the folder");
        write(&first, "a", "text");
        first.finish().unwrap();
        assert_eq!(names(&path), ["_SUCCESS", "a"]);
    }

    /// Threads are sufficient for the test, because locks belong to open files, not to processes.
    #[test]
    fn many_runs_beside_each_other_are_complete_or_refused() {
        let parent = tempfile::tempdir().unwrap();
        let run = |number: usize| {
            // Some have a folder of their own, and others the same.
            let path = parent.path().join(format!("x{}", number % 50));
            let Ok(folder) = OutputFolder::create(&path, false) else { return 0 };
            for name in ["a", "b/c", "b/d"] {
                write(&folder, name, &number.to_string());
            }
            usize::from(folder.finish().is_ok())
        };
        let run = &run;
        let complete: usize = std::thread::scope(|scope| {
            let all = |thread: usize| (thread * 25..thread * 25 + 25).map(run).sum::<usize>();
            let threads: Vec<_> = (0..8).map(|thread| scope.spawn(move || all(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(complete, 50);
        for number in 0..50 {
            let found = contents(&parent.path().join(format!("x{number}")));
            let of_file: Vec<&str> = found[1..].iter().map(|(_, text)| &**text).collect();
            let writer = of_file[0];
            assert_eq!(of_file, [writer, "", writer, writer], "{number}");
            assert_eq!(writer.parse::<usize>().unwrap() % 50, number);
        }
    }
}

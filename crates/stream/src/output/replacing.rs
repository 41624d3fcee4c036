//! A file that replaces the old one once it is complete; until then it has a hidden name beside the
//! target, and is removed when a signal ends the run.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tempfile::{Builder, PathPersistError, TempPath};

use super::guard::{folder, resolved};
use crate::ordered::lock;

#[derive(Debug)]
pub(super) struct Replacing {
    temporary: Temporary,
    target: PathBuf,
}

impl Replacing {
    /// Creates a new file to replace `path`, with the permissions of the old one.
    pub(super) fn open(path: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        let target = resolved(path);
        let folder = folder(&target);
        // An error of creating the temporary file would have its name.
        fs::metadata(folder)?;
        // A read-only file can be replaced (EACCES); an immutable or append-only one cannot (EPERM).
        #[cfg(unix)]
        if old.is_some()
            && let Err(error) = File::options().write(true).open(&target)
            && error.raw_os_error() == Some(rustix::io::Errno::PERM.raw_os_error())
        {
            return Err(error);
        }
        let temporary = Temporary::create(folder)?;
        if let Some(old) = old {
            #[cfg(unix)]
            {
                use std::os::unix::fs::{MetadataExt, fchown};
                // Only root may keep the old owner; else the file belongs to who writes it.
                let _ = fchown(&temporary.file, Some(old.uid()), Some(old.gid()));
            }
            temporary.file.set_permissions(old.permissions())?;
        }
        Ok(Replacing { temporary, target })
    }

    pub(super) fn file(&self) -> Arc<File> {
        Arc::clone(&self.temporary.file)
    }

    /// A target that cannot be replaced (a mount point) is overwritten, or the file kept beside it,
    /// with the name that follows the error.
    pub(super) fn finish(mut self) -> Result<(), (io::Error, Option<PathBuf>)> {
        let Err(error) = self.temporary.replace(&self.target) else { return Ok(()) };
        if self.overwrite().is_ok() {
            return Ok(());
        }
        Err((error, self.keep()))
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

pub(super) const PREFIX: &str = ".pgn2epd-";

/// A file that is removed unless it is given a name. That of a run that is killed stays.
#[derive(Debug)]
pub(super) struct Temporary {
    pub(super) file: Arc<File>,
    name: Option<TempPath>,
    /// The path that signals remove.
    registered: PathBuf,
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
        if IS_ON.load(Ordering::Relaxed) {
            #[cfg(unix)]
            unix::listen();
        }
        // No signal ends the run before the file is registered.
        let mut names = names();
        let (file, name) = builder.tempfile_in(folder)?.into_parts();
        names.push(name.to_path_buf());
        let registered = name.to_path_buf();
        Ok(Temporary { file: Arc::new(file), name: Some(name), registered })
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
        let _held = names();
        let Some(name) = self.name.take() else { return Ok(()) };
        rename(name).map_err(|failure| {
            self.name = Some(failure.path);
            failure.error
        })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(self.name.take());
        names().retain(|name| *name != self.registered);
    }
}

static IS_ON: AtomicBool = AtomicBool::new(false);
#[cfg(unix)]
static IS_TOO_LARGE: AtomicBool = AtomicBool::new(false);
static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static ADVICE: Mutex<Option<(PathBuf, String)>> = Mutex::new(None);

/// From now on, hanging up, interrupts and requests to end first remove the temporary files, unless
/// they are ignored. For `main` only; a library must not change signal handling.
pub fn remove_on_signals() {
    IS_ON.store(true, Ordering::Relaxed);
    // What is beyond the greatest size of a file is an error of writing then.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, &IS_TOO_LARGE);
}

/// From now on, signals that end the program first print a line, unless the file is empty then.
pub fn advise_on_signals(file: &Path, line: String) {
    *lock(&ADVICE) = Some((file.to_owned(), line));
    if IS_ON.load(Ordering::Relaxed) {
        #[cfg(unix)]
        unix::listen();
    }
}

/// While the files to remove are held, no signal ends the run; after one, waits for the end.
fn names() -> MutexGuard<'static, Vec<PathBuf>> {
    lock(&NAMES)
}

#[cfg(unix)]
mod unix {
    use std::io::{self, Write};
    use std::sync::{Once, mpsc};
    use std::{fs, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{ADVICE, lock, names};

    pub(super) fn listen() {
        static LISTENING: Once = Once::new();
        LISTENING.call_once(|| {
            let ignored = ignored();
            let mut signals = vec![SIGHUP, SIGINT, SIGTERM];
            signals.retain(|signal| !ignored(*signal));
            let (tell, is_ready) = mpsc::channel();
            // Inside the thread: if it cannot be started, the signals keep their default actions.
            let started = thread::Builder::new().name("signals".into()).spawn(move || {
                let Ok(mut signals) = Signals::new(signals) else { return };
                let _ = tell.send(());
                for signal in signals.forever() {
                    // Held to the end, so that no file that was removed is missed.
                    let mut names = names();
                    names.drain(..).for_each(|name| drop(fs::remove_file(name)));
                    if let Some((file, line)) = &*lock(&ADVICE)
                        && fs::metadata(file).is_ok_and(|file| file.len() > 0)
                    {
                        // Below a bar of progress, if there is one.
                        let _ = writeln!(io::stderr(), "\n{line}");
                    }
                    let _ = emulate_default_handler(signal);
                }
            });
            if started.is_ok() {
                let _ = is_ready.recv();
            }
        });
    }

    /// Whether a signal was ignored when the program was started, such as SIGHUP under `nohup`.
    fn ignored() -> impl Fn(i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        move |signal| match mask {
            Some(mask) => mask & (1 << (signal - 1)) != 0,
            // Unknown on other systems: assume that the signal ignored by `nohup` is ignored.
            None => signal == SIGHUP,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
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
            let kept = new.finish().unwrap_err().1.unwrap();
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
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(fs::read(&other).unwrap(), b"");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod signals_tests {
    use std::fs;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process};

    use super::*;

    const FOLDER: &str = "PGN2EPD_TEST_FOLDER";

    /// Body of the child processes of these tests: creates a named temporary file and waits.
    #[test]
    #[ignore = "ends by a signal"]
    fn process() {
        remove_on_signals();
        let folder = std::env::var_os(FOLDER).expect("started by another test");
        let _temporary = Temporary::create(Path::new(&folder)).unwrap();
        writeln!(io::stdout(), "ready").unwrap();
        std::thread::sleep(Duration::from_secs(60));
    }

    /// Starts the child process through a shell.
    fn start(before: &str, folder: &Path) -> Child {
        let test = "output::replacing::signals_tests::process";
        let mut child = Command::new("sh")
            .args(["-c", &format!("{before} \"$0\" --exact {test} --ignored --nocapture")])
            .arg(std::env::current_exe().unwrap())
            .env(FOLDER, folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().ends_with("ready")));
        child
    }

    fn send(child: &Child, signal: Signal) {
        kill_process(Pid::from_child(child), signal).unwrap();
    }

    fn files(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn signals_that_end_a_run_remove_its_file() {
        for signal in [Signal::HUP, Signal::INT, Signal::TERM] {
            let folder = tempfile::tempdir().unwrap();
            let mut child = start("ulimit -c 0; exec env --default-signal", folder.path());
            assert_eq!(files(folder.path()), 1);
            send(&child, signal);
            assert_eq!(child.wait().unwrap().signal(), Some(signal.as_raw()));
            assert_eq!(files(folder.path()), 0, "{signal:?}");
        }
    }

    #[test]
    fn signals_that_were_ignored_stay_ignored_and_a_limit_of_files_is_no_end() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = start("trap '' HUP INT; exec", folder.path());
        for signal in [Signal::HUP, Signal::INT, Signal::XFSZ] {
            send(&child, signal);
        }
        std::thread::sleep(Duration::from_millis(100));
        assert!(child.try_wait().unwrap().is_none());
        send(&child, Signal::TERM);
        assert_eq!(child.wait().unwrap().signal(), Some(Signal::TERM.as_raw()));
        assert_eq!(files(folder.path()), 0);
    }
}

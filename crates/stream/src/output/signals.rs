//! Removes temporary files when a signal ends the run.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

static IS_ON: AtomicBool = AtomicBool::new(false);
#[cfg(unix)]
static IS_TOO_LARGE: AtomicBool = AtomicBool::new(false);
static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static ADVICE: Mutex<Option<(PathBuf, String)>> = Mutex::new(None);

/// From now on, hanging up, interrupts and requests to end first remove the temporary files. Ignored
/// signals stay ignored.
///
/// To be called by `main` of a program only; a library must not change signal handling.
pub fn remove_on_signals() {
    IS_ON.store(true, Ordering::Relaxed);
    // What is beyond the greatest size of a file is an error of writing then.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, &IS_TOO_LARGE);
}

/// From now on, signals that end the program first print a line to standard error, if the file has
/// something in it by then.
pub fn advise_on_signals(file: &Path, line: String) {
    *advice() = Some((file.to_owned(), line));
    if IS_ON.load(Ordering::Relaxed) {
        #[cfg(unix)]
        unix::listen();
    }
}

fn advice() -> MutexGuard<'static, Option<(PathBuf, String)>> {
    ADVICE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file that is removed by signals while this value exists.
#[derive(Debug)]
pub(super) struct Registered(PathBuf);

impl Registered {
    /// Creates a temporary file; no signal ends the run before it is registered.
    pub(super) fn create(
        create: impl FnOnce() -> io::Result<NamedTempFile>,
    ) -> io::Result<(NamedTempFile, Self)> {
        if IS_ON.load(Ordering::Relaxed) {
            #[cfg(unix)]
            unix::listen();
        }
        let mut names = names();
        let file = create()?;
        let path = file.path().to_owned();
        names.push(path.clone());
        Ok((file, Registered(path)))
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        names().retain(|name| *name != self.0);
    }
}

/// While the files to remove are held, no signal ends the run; after one, waits for the end.
pub(super) fn names() -> MutexGuard<'static, Vec<PathBuf>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
mod unix {
    use std::io::{self, Write};
    use std::sync::{Once, mpsc};
    use std::{fs, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{advice, names};

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
                    if let Some((file, line)) = &*advice()
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

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process};

    use super::super::temporary::Temporary;
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
        let test = "output::signals::tests::process";
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

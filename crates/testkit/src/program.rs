//! Runs a built program as a user would, in a folder of its own.
//!
//! ```no_run
//! use testkit::program::Program;
//!
//! let outcome = Program::new("/path/to/pgn2epd")
//!     .file("games.pgn", "1. e4 *")
//!     .args(["-j", "1", "games.pgn"])
//!     .run();
//! assert_eq!(outcome.status, 0, "{}", outcome.stderr);
//! assert_eq!(outcome.lines().len(), 2);
//! ```

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

use tempfile::TempDir;

/// A run in preparation.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    folder: TempDir,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    stdin: Vec<u8>,
}

/// Result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status; 128 plus the number of the signal that ended the program, as in shells.
    pub status: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error; invalid UTF-8 is replaced.
    pub stderr: String,
    folder: TempDir,
}

impl Program {
    /// Prepares a run of this executable, without arguments, files or input.
    pub fn new(path: impl AsRef<Path>) -> Self {
        // Absolute, because the program runs in another folder.
        let path = std::path::absolute(path).expect("a program has a path");
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        Self { path, folder, args: Vec::new(), env: Vec::new(), stdin: Vec::new() }
    }

    /// Creates a file in the folder of the run. The name may contain folders.
    pub fn file(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.folder.path().join(name);
        let parent = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(parent).and_then(|()| fs::write(&path, bytes)).expect(name);
        self
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.into(), value.as_ref().to_owned()));
        self
    }

    /// Sets the standard input, which is empty by default.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Returns the folder in which the program will run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program to completion.
    pub fn run(self) -> Outcome {
        let Self { path, folder, args, env, stdin } = self;
        let mut child = Command::new(&path)
            .args(args)
            .envs(env)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not run: {error}", path.display()));
        let mut input = child.stdin.take().expect("standard input is a pipe");
        // On a separate thread, because both sides would block forever once both pipes are full.
        let feeder = thread::spawn(move || {
            // A program may end before it has read everything; its outcome shows whether that was
            // correct.
            let _ = input.write_all(&stdin);
        });
        let output = child.wait_with_output().expect("a child can be waited for");
        feeder.join().expect("writing does not panic");
        Outcome {
            status: status_number(output.status),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            folder,
        }
    }

    /// Runs the program, which succeeds.
    ///
    /// # Panics
    ///
    /// With its arguments and messages if it does not.
    #[track_caller]
    pub fn succeed(self) -> Outcome {
        let args = self.args.clone();
        let outcome = self.run();
        assert_eq!(outcome.status, 0, "{args:?}: {}", outcome.stderr);
        outcome
    }

    /// Runs the program, which succeeds without any message.
    ///
    /// # Panics
    ///
    /// As [`succeed`](Self::succeed) does, and if there is a message.
    #[track_caller]
    pub fn run_quietly(self) -> Outcome {
        let args = self.args.clone();
        let outcome = self.succeed();
        assert_eq!(outcome.stderr, "", "{args:?}");
        outcome
    }
}

impl Outcome {
    /// Returns standard output as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("standard output is UTF-8")
    }

    /// Returns the lines of standard output.
    pub fn lines(&self) -> Vec<&str> {
        self.text().lines().collect()
    }

    /// Returns the folder in which the program ran.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the contents of a file written by the program, or `None` if it is missing.
    pub fn file(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.path().join(name)).ok()
    }

    /// Returns the contents of a text file written by the program.
    ///
    /// # Panics
    ///
    /// If the file is missing or not UTF-8.
    #[track_caller]
    pub fn string(&self, name: &str) -> String {
        String::from_utf8(self.file(name).expect(name)).expect(name)
    }

    /// Returns the names of all files in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

/// Returns the names of all files in a folder, sorted.
///
/// # Panics
///
/// If the folder cannot be read.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("entries can be read").file_name().to_string_lossy().into())
        .collect();
    names.sort();
    names
}

#[cfg(unix)]
fn status_number(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;

    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

#[cfg(not(unix))]
fn status_number(status: ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Program {
        Program::new("/bin/sh").args(["-c", script])
    }

    #[test]
    fn files_input_and_environment_reach_the_program() {
        let outcome =
            shell("cat sub/a.txt; cat; echo $COLOUR; echo oh >&2; cp sub/a.txt b.txt; exit 3")
                .file("sub/a.txt", "from a file\n")
                .stdin("from a pipe\n")
                .env("COLOUR", "red")
                .run();
        assert_eq!(outcome.status, 3);
        assert_eq!(outcome.lines(), ["from a file", "from a pipe", "red"]);
        assert_eq!(outcome.stderr, "oh\n");
        assert_eq!(outcome.file("b.txt"), Some(b"from a file\n".to_vec()));
        assert_eq!(outcome.file("c.txt"), None);
        assert_eq!(outcome.names(), ["b.txt", "sub"]);
    }

    #[test]
    fn megabytes_pass_both_ways() {
        let much = vec![b'x'; 1 << 20];
        assert_eq!(shell("cat").stdin(much.clone()).run().stdout, much);
        assert_eq!(shell("exit 0").stdin(much).run().status, 0);
    }

    #[test]
    fn a_signal_is_seen() {
        assert_eq!(shell("kill -9 $$").run().status, 137);
    }
}

//! Prevents outputs from overwriting inputs or each other, by the identity of the file that a path
//! or a descriptor refers to, under any of its names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::STDOUT;
use crate::compress::Compression;
use crate::source::compression_suffix;

/// Records the inputs and outputs of a run, and rejects an output that is the same file as one of
/// them. Files are compared by identity and not by name, so hard links, symbolic links, descriptors
/// and files that do not exist yet are recognized. Terminals, other character devices and sockets
/// have two directions and are never rejected.
#[derive(Debug, Default)]
pub struct Guard {
    inputs: Vec<KnownFile>,
    outputs: Vec<KnownFile>,
    folders: Vec<KnownFile>,
}

#[derive(Debug)]
struct KnownFile {
    name: String,
    identity: Identity,
}

/// An output was rejected, because it is the same file as an input or another output, is in a
/// folder of outputs, or has the name of a compressed file of a format that is not written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(String);

impl Guard {
    /// Adds an input file.
    pub fn input(&mut self, path: &Path) {
        self.inputs.extend(known(path.display().to_string(), Identity::of(path)));
    }

    /// Adds standard input.
    pub fn stdin(&mut self) {
        self.inputs.extend(known("standard input".to_owned(), Identity::of_stream(io::stdin())));
    }

    /// Adds an output file given by `option`. Fails if it is the same file as one added before, or
    /// in a folder added before, or its name suggests a compressed file.
    pub fn output(&mut self, option: &str, path: &Path) -> Result<(), Refused> {
        let name = format!("{option} {}", path.display());
        refuse_compressed(&name, path)?;
        let folder = self.folders.iter().find(|folder| {
            path.ancestors().skip(1).any(|path| {
                let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
                Identity::of(path).as_ref() == Some(&folder.identity)
            })
        });
        if let Some(KnownFile { name: folder, .. }) = folder {
            let reason = format!("is in the folder of {folder}: give a name outside of it");
            return Err(Refused(format!("{name} {reason}")));
        }
        self.output_called(path, name)
    }

    /// Adds a folder of output files given by `option`. Fails if it is a file added before.
    pub fn output_folder(&mut self, option: &str, path: &Path) -> Result<(), Refused> {
        let name = format!("{option} {}", path.display());
        self.output_called(path, name.clone())?;
        self.folders.extend(known(name, Identity::of(path)));
        Ok(())
    }

    /// Adds an output file with another name in messages. Fails if the file was added before.
    pub fn output_called(&mut self, path: &Path, name: impl Into<String>) -> Result<(), Refused> {
        self.add(name.into(), Identity::of(path))
    }

    /// Adds standard output. Fails like [`Guard::output`].
    pub fn stdout(&mut self) -> Result<(), Refused> {
        self.add(STDOUT.to_owned(), Identity::of_stream(io::stdout()))
    }

    /// Checks standard error, the destination of messages. It may be the same file as an output, as
    /// with `> log 2>&1`. Fails if it is an input: every message would become input.
    pub fn stderr(&self) -> Result<(), Refused> {
        let identity = Identity::of_stream(io::stderr());
        let input = self.inputs.iter().find(|input| Some(&input.identity) == identity.as_ref());
        input.map_or(Ok(()), |KnownFile { name, .. }| {
            Err(Refused(format!("standard error is the same file as the input {name}")))
        })
    }

    fn add(&mut self, output: String, identity: Option<Identity>) -> Result<(), Refused> {
        let Some(new) = known(output, identity) else { return Ok(()) };
        for (files, what) in [(&self.inputs, "the input "), (&self.outputs, "")] {
            if let Some(same) = files.iter().find(|file| file.identity == new.identity) {
                let reason = format!("is the same file as {what}{}", same.name);
                return Err(Refused(format!("{} {reason}", new.name)));
            }
        }
        self.outputs.push(new);
        Ok(())
    }
}

fn known(name: String, identity: Option<Identity>) -> Option<KnownFile> {
    identity.map(|identity| KnownFile { name, identity })
}

/// Rejects names like `out.xz`: programs would take the text for a damaged compressed file.
fn refuse_compressed(output: &str, path: &Path) -> Result<(), Refused> {
    // A pipe may lead to a program that compresses.
    let is_pipe = || path.metadata().is_ok_and(|metadata| !metadata.is_file());
    match compression_suffix(path) {
        Some(suffix) if Compression::of_suffix(path).is_none() && !is_pipe() => {
            Err(Refused(format!(
                "{output} would not be compressed: compressed outputs are .zst and .gz files; for .{suffix}, give another name and compress the file afterwards"
            )))
        }
        _ => Ok(()),
    }
}

/// Maximum number of symbolic links followed, as in Linux.
const MOST_LINKS: usize = 40;

#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// The numbers of the device or volume, and of the file there.
    Existing(u64, u64),
    /// The file does not exist yet; its resolved path.
    Missing(PathBuf),
}

impl Identity {
    /// `None` for files with two directions: terminals, other character devices, sockets.
    fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(metadata) => Identity::of_existing(path, &metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some(Identity::Missing(resolved(path)))
            }
            // A file whose metadata cannot be read cannot be opened either.
            Err(_) => None,
        }
    }

    #[cfg(unix)]
    fn of_existing(_: &Path, metadata: &fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let kind = metadata.file_type();
        let has_two_directions = kind.is_char_device() || kind.is_socket();
        (!has_two_directions).then(|| Identity::Existing(metadata.dev(), metadata.ino()))
    }

    #[cfg(unix)]
    fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Self> {
        let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        Identity::of_existing(Path::new(""), &file.metadata().ok()?)
    }

    /// No handle stays open: an open file could not be replaced on every file system.
    #[cfg(windows)]
    fn of_existing(path: &Path, metadata: &fs::Metadata) -> Option<Self> {
        let is_stored = metadata.is_file() || metadata.is_dir();
        let file = is_stored.then(|| winapi_util::Handle::from_path_any(path).ok()).flatten()?;
        Identity::of_stream(file)
    }

    /// Pipes and terminals have no information.
    #[cfg(windows)]
    fn of_stream(stream: impl winapi_util::AsHandleRef) -> Option<Self> {
        let found = winapi_util::file::information(stream).ok()?;
        Some(Identity::Existing(found.volume_serial_number(), found.file_index()))
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

/// The descriptor that `/dev/stderr`, `/dev/fd/3`, `/proc/self/fd/3` or a link to them names.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_input_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.pgn"), "1. e4 *").unwrap();
        fs::hard_link(path("a.pgn"), path("b.pgn")).unwrap();
        let mut guard = Guard::default();
        guard.input(&path("a.pgn"));
        for name in ["a.pgn", "b.pgn", "./a.pgn"] {
            let refused = guard.output("--report", &path(name)).unwrap_err();
            assert!(refused.0.contains("is the same file as the input"), "{refused}");
        }
        guard.output("--report", &path("c.pgn")).unwrap();
    }

    #[test]
    fn two_outputs_must_differ_even_before_they_exist() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut guard = Guard::default();
        guard.output("-o", &path("x")).unwrap();
        guard.output("--report", &path("y")).unwrap();
        let refused = guard.output("--metadata", &path("./x")).unwrap_err();
        assert!(refused.0.contains("is the same file as -o"), "{refused}");
    }

    #[test]
    fn a_folder_of_files_has_no_other_output() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("empty")).unwrap();
        for target in ["empty", "new"] {
            let mut guard = Guard::default();
            guard.output_folder("-o", &path(target)).unwrap();
            for inside in ["a", "./a", "a/b"] {
                let refused = guard.output("--report", &path(target).join(inside)).unwrap_err();
                assert!(refused.0.contains("is in the folder of -o"), "{refused}");
            }
            let refused = guard.output("--report", &path(target)).unwrap_err();
            assert!(refused.0.contains("is the same file as -o"), "{refused}");
            guard.output("--report", &path("a")).unwrap();
            guard.output("--manifest", &path(&format!("{target}.json"))).unwrap();
        }
        let mut guard = Guard::default();
        guard.output_folder("-o", Path::new(".")).unwrap();
        guard.output("--manifest", Path::new("m.json")).unwrap_err();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_may_be_used_for_two_outputs() {
        let null = Path::new("/dev/null");
        let mut guard = Guard::default();
        guard.input(null);
        guard.output("-o", null).unwrap();
        guard.output("--report", null).unwrap();
    }

    #[test]
    fn extensions_of_compressed_files_are_rejected_unless_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |name: &str| {
            let refused = Guard::default().output("-o", &folder.path().join(name));
            refused.is_err_and(|refused| refused.0.contains("would not be compressed"))
        };
        for name in ["x.bz2", "x.XZ", "x.epd.xz", "x.zip", "x.7z", "x.tgz"] {
            assert!(refused(name), "{name}");
        }
        for name in ["x.epd", "gz", ".gz", "x.gz.epd", "x.parquet", "x.part", "x.epd.gz", "x.zst"] {
            assert!(!refused(name), "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    mod standard_streams {
        use std::fs::File;
        use std::process::{Command, Stdio};

        use super::*;

        const EXPECTED: &str = "PGN2EPD_TEST_GUARD";

        /// The process whose standard streams are checked.
        #[test]
        #[ignore = "started by another test"]
        fn process() {
            let mut guard = Guard::default();
            guard.stdin();
            let stdout = guard.stdout().is_err();
            let second = guard.stdout().is_err();
            let stderr = guard.stderr().is_err();
            let found = format!("{stdout} {second} {stderr}");
            assert_eq!(Some(found), std::env::var(EXPECTED).ok());
        }

        #[test]
        fn standard_output_and_error_are_not_the_input() {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name);
            for name in ["a", "b", "c"] {
                fs::write(path(name), "").unwrap();
            }
            let open = |name: &str| -> Stdio {
                let path = if name == "null" { "/dev/null".into() } else { path(name) };
                File::options().read(true).append(true).open(path).unwrap().into()
            };
            // Files at standard input, output and error; whether the output is refused, also as a
            // second output, and whether the messages are.
            let cases = [
                (["a", "b", "c"], "false true false"),
                (["a", "a", "c"], "true true false"),
                (["a", "b", "a"], "false true true"),
                (["a", "b", "b"], "false true false"),
                (["null", "null", "null"], "false false false"),
                (["a", "null", "null"], "false false false"),
            ];
            let process = "output::guard::tests::standard_streams::process";
            for ([stdin, stdout, stderr], expected) in cases {
                let status = Command::new(std::env::current_exe().unwrap())
                    .args(["--exact", process, "--ignored"])
                    .env(EXPECTED, expected)
                    .stdin(open(stdin))
                    .stdout(open(stdout))
                    .stderr(open(stderr))
                    .status()
                    .unwrap();
                assert!(status.success(), "{stdin} {stdout} {stderr}: not {expected}");
            }
        }
    }

    #[test]
    fn a_refusal_names_both_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut guard = Guard::default();
        guard.input(&path("in"));
        guard.output_called(&path("out"), "the records").unwrap();
        let input = format!("the report is the same file as the input {}", path("in").display());
        for (name, expected) in
            [("in", &*input), ("out", "the report is the same file as the records")]
        {
            let refused = guard.output_called(&path(name), "the report").unwrap_err();
            assert_eq!(refused.to_string(), expected);
        }
        // A rejected output is not added.
        guard.output_called(&path("other"), "the report").unwrap();
    }
}

#[cfg(unix)]
#[cfg(test)]
mod identity_tests {
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

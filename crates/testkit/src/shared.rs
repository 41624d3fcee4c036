//! Real games and expected results, in the folder `shared` beside the repository, which does not
//! include them.
//!
//! If the folder is missing, tests that use it are skipped, with a message on standard error once
//! per test binary, or check less. If `PGN2EPD_SHARED=required` is set in the environment, they
//! fail instead; otherwise their names are appended to the file named by `PGN2EPD_SKIPPED`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::thread;

/// A file of games in the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusFile {
    /// Path relative to the corpus folder, with `/` and without `.pgn` and `.zst`:
    /// `chess960/champshow518`.
    pub name: String,
    /// Path of the file.
    pub path: PathBuf,
}

impl CorpusFile {
    /// Reads the file, and decompresses it if necessary.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        read(&self.path)
    }

    /// Reads the first games, at least one and at most 16 kB otherwise, for tests that take long;
    /// all of them with `CI_FULL=1`.
    pub fn read_first(&self) -> io::Result<Vec<u8>> {
        let mut text = self.read()?;
        if !is_full() {
            text.truncate(end_of_first_games(&text, 16 << 10));
        }
        Ok(text)
    }
}

/// Returns the last place up to `most` where a tag section follows an empty line, or else the first
/// one after it, or the end.
fn end_of_first_games(text: &[u8], most: usize) -> usize {
    let begins_game = |at: &usize| {
        let (before, rest) = text.split_at(*at);
        rest.starts_with(b"[") && (before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n"))
    };
    let most = most.min(text.len());
    let last = (1..=most).rev().find(begins_game);
    last.or_else(|| (most..text.len()).find(begins_game)).unwrap_or(text.len())
}

/// Whether tests take all of their data, which `CI_FULL=1` asks for.
pub fn is_full() -> bool {
    std::env::var_os("CI_FULL").is_some_and(|value| value == "1")
}

/// Returns the number of cases of a test that takes long: a quarter unless `CI_FULL=1` is set.
pub fn cases(all: u32) -> u32 {
    if is_full() { all } else { all.div_ceil(4) }
}

/// Returns the folder `shared` beside the repository, if it exists. A folder without `corpus` is
/// another one that happens to have this name.
///
/// # Panics
///
/// If the folder is missing and `PGN2EPD_SHARED` is `required`.
pub fn shared() -> Option<PathBuf> {
    let is_required = std::env::var_os("PGN2EPD_SHARED").is_some_and(|value| value == "required");
    found(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), is_required)
}

fn found(folder: &Path, is_required: bool) -> Option<PathBuf> {
    static SKIPPED: Once = Once::new();
    let found = folder.canonicalize().ok().filter(|folder| folder.join("corpus").is_dir());
    assert!(
        found.is_some() || !is_required,
        "PGN2EPD_SHARED is required, but {} is not a folder with a corpus",
        folder.display()
    );
    if found.is_none() {
        // The test harness captures `eprintln!`, but not this.
        SKIPPED.call_once(|| {
            let _ = writeln!(io::stderr(), "skipped: tests that need {}", folder.display());
        });
        if let Some(list) = std::env::var_os("PGN2EPD_SKIPPED") {
            // The test harness names the thread of a test after it.
            let name = format!("{}\n", thread::current().name().unwrap_or("unnamed"));
            let mut list = OpenOptions::new().create(true).append(true).open(list).unwrap();
            list.write_all(name.as_bytes()).unwrap();
        }
    }
    found
}

/// Returns the PGN files of the corpus, sorted by name, or nothing without the corpus. Files are
/// read on demand by [`CorpusFile::read`]. Files of chess variants other than Chess960 are
/// excluded.
pub fn corpus_pgn() -> impl Iterator<Item = CorpusFile> {
    below("").filter(|file| !file.name.starts_with("variants/"))
}

/// Returns the PGN files of the corpus with other chess variants, sorted by name.
pub fn variants_pgn() -> impl Iterator<Item = CorpusFile> {
    below("variants")
}

/// The files of a folder of the corpus.
fn below(folder: &str) -> impl Iterator<Item = CorpusFile> {
    let mut files = Vec::new();
    if let Some(shared) = shared() {
        let corpus = shared.join("corpus");
        collect(&corpus, &corpus.join(folder), &mut files);
        files.sort_by(|a, b| a.name.cmp(&b.name));
    }
    files.into_iter()
}

/// Returns the corpus file with this name, such as `8moves_v3_first20000`, or `None` without the
/// corpus.
///
/// # Panics
///
/// If the corpus exists but does not contain the file.
pub fn corpus_file(name: &str) -> Option<CorpusFile> {
    let found = corpus_pgn().find(|file| file.name == name);
    assert!(found.is_some() || shared().is_none(), "the corpus has no {name}");
    found
}

/// Reads a file; `.zst` files are decompressed.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.extension().is_some_and(|extension| extension == "zst") {
        zstd::decode_all(File::open(path)?)
    } else {
        fs::read(path)
    }
}

fn collect(corpus: &Path, folder: &Path, files: &mut Vec<CorpusFile>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(corpus, &path, files);
        } else if let Some(name) = pgn_name(corpus, &path) {
            files.push(CorpusFile { name, path });
        }
    }
}

/// Returns the name of a PGN file; `None` for other files.
fn pgn_name(corpus: &Path, path: &Path) -> Option<String> {
    let parts: Vec<&str> =
        path.strip_prefix(corpus).ok()?.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    let name = parts.join("/");
    let name = name.strip_suffix(".zst").unwrap_or(&name);
    name.strip_suffix(".pgn").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_games_end_before_a_tag_section() {
        for end in ["\n", "\r\n"] {
            let text = "[A \"b\"]\n\n1. e4 {[c]\n[d]} *\n\n".replace('\n', end);
            let games = text.repeat(3);
            for (most, count) in
                [(1, 1), (text.len(), 1), (2 * text.len() - 1, 1), (2 * text.len(), 2)]
            {
                assert_eq!(
                    end_of_first_games(games.as_bytes(), most),
                    count * text.len(),
                    "{most}"
                );
            }
            assert_eq!(end_of_first_games(games.as_bytes(), 3 * text.len() + 1), 2 * text.len());
            assert_eq!(end_of_first_games(text.as_bytes(), 5), text.len());
        }
    }

    #[test]
    fn a_missing_folder_is_skipped() {
        assert_eq!(found(Path::new("/no such folder"), false), None);
        assert_eq!(found(Path::new(env!("CARGO_MANIFEST_DIR")), false), None);
    }

    #[test]
    #[should_panic(
        expected = "PGN2EPD_SHARED is required, but /no such folder is not a folder with a corpus"
    )]
    fn a_missing_folder_is_an_error_if_required() {
        found(Path::new("/no such folder"), true);
    }

    #[test]
    fn names_are_those_of_the_games() {
        let name = |path| pgn_name(Path::new("/c"), Path::new(path));
        assert_eq!(name("/c/sub/a.pgn").as_deref(), Some("sub/a"));
        assert_eq!(name("/c/a.pgn.zst").as_deref(), Some("a"));
        assert_eq!(name("/c/a.epd"), None);
        assert_eq!(name("/c/README.md"), None);
    }

    #[test]
    fn the_corpus_is_read_if_present() {
        if shared().is_none() {
            return;
        }
        let names: Vec<String> = corpus_pgn().map(|file| file.name).collect();
        assert!(names.len() > 50, "{names:?}");
        assert!(names.contains(&"chess960/champshow518".to_owned()));
        assert!(names.iter().all(|name| !name.starts_with("variants")));
        let compressed = corpus_file("tcec").unwrap().read().unwrap();
        assert!(compressed.starts_with(b"[Event "));
    }
}

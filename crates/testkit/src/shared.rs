//! Real games and expected answers, which lie beside the repository and are not part of it.
//!
//! Tests that use them pass over their work where they are not there.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file of games in the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusFile {
    /// Its name from the corpus folder on, with `/` and without `.pgn` and `.zst`: `chess960/champshow518`.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
}

impl CorpusFile {
    /// Its bytes, decompressed if need be.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        read(&self.path)
    }
}

/// The folder `shared` beside the repository, if it is there.
pub fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    folder.canonicalize().ok().filter(|folder| folder.is_dir())
}

/// The PGN files of the corpus, sorted by name: none if the folder is not there. Files are read one at a time, by
/// [`CorpusFile::read`]. Those of other chess variants than Chess960 are left out.
pub fn corpus_pgn() -> impl Iterator<Item = CorpusFile> {
    let mut files = Vec::new();
    if let Some(shared) = shared() {
        let corpus = shared.join("corpus");
        collect(&corpus, &corpus, &mut files);
        files.retain(|file| !file.name.starts_with("variants/"));
        files.sort_by(|a, b| a.name.cmp(&b.name));
    }
    files.into_iter()
}

/// The PGN files of the corpus that hold other chess variants, sorted by name.
pub fn variants_pgn() -> impl Iterator<Item = CorpusFile> {
    let mut files = Vec::new();
    if let Some(shared) = shared() {
        let corpus = shared.join("corpus");
        collect(&corpus, &corpus.join("variants"), &mut files);
        files.sort_by(|a, b| a.name.cmp(&b.name));
    }
    files.into_iter()
}

/// The file of the corpus with this name: `8moves_v3_first20000`.
pub fn corpus_file(name: &str) -> Option<CorpusFile> {
    corpus_pgn().find(|file| file.name == name)
}

/// The bytes of a file; those of a `.zst` file decompressed.
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

/// The name of a PGN file; none for other files.
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
    fn names_are_those_of_the_games() {
        let name = |path| pgn_name(Path::new("/c"), Path::new(path));
        assert_eq!(name("/c/sub/a.pgn").as_deref(), Some("sub/a"));
        assert_eq!(name("/c/a.pgn.zst").as_deref(), Some("a"));
        assert_eq!(name("/c/a.epd"), None);
        assert_eq!(name("/c/README.md"), None);
    }

    #[test]
    fn the_corpus_is_read_where_it_is() {
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

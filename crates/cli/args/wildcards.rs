//! Wildcards in the names of inputs: the shells of Windows leave them to the program, those of
//! other systems replace them.

use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern, glob_with};

/// As Windows compares names.
const AS_WINDOWS: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// A name with wildcards that no file has.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no file matches {0}")]
pub(super) struct NoMatch(String);

/// Replaces each name with `*` or `?` by the names of the files that it matches, in alphabetical
/// order. `**` stands for folders of any depth.
pub(super) fn expanded(names: &[PathBuf]) -> Result<Vec<PathBuf>, NoMatch> {
    let mut all = Vec::new();
    for name in names {
        match wildcards(name) {
            None => all.push(name.clone()),
            Some(pattern) => {
                let before = all.len();
                let found = glob_with(&pattern, AS_WINDOWS).into_iter().flatten();
                all.extend(found.flatten().filter(|path| !path.is_dir()));
                if all.len() == before {
                    return Err(NoMatch(pgn2epd::input::input_name(name)));
                }
            }
        }
    }
    Ok(all)
}

/// Like [`expanded`], for arguments that may be something else, such as a record with a question
/// mark.
pub(super) fn expanded_texts(texts: &[String]) -> Vec<String> {
    let files_of = |text: &String| {
        let files = expanded(&[text.into()]).unwrap_or_default();
        let names: Option<Vec<_>> =
            files.into_iter().map(|f| f.into_os_string().into_string().ok()).collect();
        names.filter(|names| !names.is_empty()).unwrap_or_else(|| vec![text.clone()])
    };
    texts.iter().flat_map(files_of).collect()
}

/// Returns the pattern of a name with wildcards. A bracket is a bracket, since names may contain
/// it.
fn wildcards(name: &Path) -> Option<String> {
    /// A path that Windows does not interpret.
    const VERBATIM: &str = r"\\?\";

    let name = name.to_str().filter(|name| !name.starts_with(VERBATIM))?;
    let has_any = name.contains(['*', '?']);
    has_any.then(|| Pattern::escape(name).replace("[*]", "*").replace("[?]", "?"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn wildcards_stand_for_the_files_that_they_match() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("sub.pgn")).unwrap();
        for name in ["b.pgn", "a.pgn", "A1.PGN", "[x] 1.pgn", "c.epd", "sub.pgn/d.pgn"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let cases: [(&str, &[&str]); 8] = [
            ("*.pgn", &["A1.PGN", "[x] 1.pgn", "a.pgn", "b.pgn"]),
            ("?.pgn", &["a.pgn", "b.pgn"]),
            ("A?.pgn", &["A1.PGN"]),
            ("[x] ?.pgn", &["[x] 1.pgn"]),
            ("*/*.pgn", &["sub.pgn/d.pgn"]),
            ("**/d.pgn", &["sub.pgn/d.pgn"]),
            ("a.pgn", &["a.pgn"]),
            // Without wildcards a name is passed on, whether or not it is there.
            ("missing.pgn", &["missing.pgn"]),
        ];
        for (name, expected) in cases {
            let expected: Vec<PathBuf> = expected.iter().map(|n| folder.path().join(n)).collect();
            assert_eq!(expanded(&[folder.path().join(name)]), Ok(expected), "{name}");
        }
        let nothing = folder.path().join("*.zip");
        let error = expanded(&["-".into(), nothing.clone()]).unwrap_err();
        assert_eq!(error.to_string(), format!("no file matches {}", nothing.display()));
        let record = "8/8/8/8/8/8/8/K1k5 w - - id \"why?\";".to_owned();
        let files = folder.path().join("?.pgn").display().to_string();
        let texts = expanded_texts(&[record.clone(), files]);
        assert_eq!((texts.len(), &texts[0], texts[2].ends_with("b.pgn")), (3, &record, true));
        let verbatim = PathBuf::from(r"\\?\C:\games.pgn");
        assert_eq!(expanded(&[verbatim.clone(), "-".into()]), Ok(vec![verbatim, "-".into()]));
    }
}

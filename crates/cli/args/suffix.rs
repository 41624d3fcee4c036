//! The format that the name of an output states.

use std::path::Path;

use anyhow::bail;
use pgn2epd::output::without_compression_suffix;

/// Returns the format by the suffix, in any case; `None` without one and for standard output.
/// An unknown suffix is an error: the file would not contain what its name says.
pub(super) fn format<T: Copy>(
    output: Option<&Path>,
    known: impl IntoIterator<Item = (&'static str, T)>,
    what: &str,
) -> anyhow::Result<Option<T>> {
    let name = output.map(without_compression_suffix);
    let Some((path, suffix)) = name.as_deref().and_then(|path| Some((path, path.extension()?)))
    else {
        return Ok(None);
    };
    let known: Vec<_> = known.into_iter().collect();
    if let Some((_, format)) = known.iter().find(|(name, _)| suffix.eq_ignore_ascii_case(name)) {
        return Ok(Some(*format));
    }
    let names: Vec<String> = known.iter().map(|(name, _)| format!(".{name}")).collect();
    bail!(
        "{}: unknown suffix .{}; known suffixes of {what}: {}{}",
        path.display(),
        suffix.display(),
        names.join(", "),
        if names.len() > 1 { "; --format selects a format for any name" } else { "" }
    )
}

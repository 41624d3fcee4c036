//! The format that the name of an output states.

use std::path::{Path, PathBuf};

use anyhow::bail;
use pgn2epd::output::compression_suffix;
use pgn2epd::{Format, TableFormat, TrainingFormat};

/// Returns the format of an output by the suffix of its name, in upper or lower case; `None` for a
/// name without a suffix, and for standard output.
///
/// An unknown suffix is an error, because the file would not contain what its name says.
pub(super) fn format<T: Copy>(
    output: Option<&Path>,
    known: &[(&str, T)],
    what: &str,
) -> anyhow::Result<Option<T>> {
    let name = output.map(uncompressed);
    let Some((path, suffix)) = name.as_deref().and_then(|path| Some((path, path.extension()?)))
    else {
        return Ok(None);
    };
    if let Some((_, format)) = known.iter().find(|(name, _)| suffix.eq_ignore_ascii_case(name)) {
        return Ok(Some(*format));
    }
    let names: Vec<String> = known.iter().map(|(name, _)| format!(".{name}")).collect();
    bail!(
        "{}: unknown suffix .{}; known suffixes of {what}: {}; --format selects a format for any name",
        path.display(),
        suffix.display(),
        names.join(", ")
    )
}

/// Returns the binary format of training data that a file states by its suffix.
pub(super) fn of_training(file: Option<&Path>) -> Option<TrainingFormat> {
    TrainingFormat::of_suffix(uncompressed(file?).extension()?.to_str()?)
}

/// Returns the format of a conversion that an output states by its suffix: training data or a table.
pub(super) fn of_conversion(output: Option<&Path>) -> Option<Format> {
    let table = || TableFormat::of_suffix(uncompressed(output?).extension()?.to_str()?);
    of_training(output).map(Format::Training).or_else(|| table().map(Format::Table))
}

/// Returns whether a file is named like one of FENs. It selects the format only if nothing else does.
pub(super) fn is_fen(output: &Path) -> bool {
    uncompressed(output).extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("fen"))
}

/// Returns the name without the suffix of a compression.
fn uncompressed(path: &Path) -> PathBuf {
    match compression_suffix(path) {
        Some(_) => path.with_extension(""),
        None => path.to_owned(),
    }
}

/// Returns whether the name of an output has the suffix of binary books, which the converter does not write.
pub(super) fn is_book(output: Option<&Path>) -> bool {
    let name = output.map(uncompressed);
    let suffix = name.as_deref().and_then(Path::extension);
    suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("bin"))
}

//! `SHA256SUMS`, as `sha256sum --check` reads it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;
use sha2::{Digest, Sha256};

/// The file of the checksums.
const NAME: &str = "SHA256SUMS";

/// Writes the checksums of all files in the folder.
pub(crate) fn write(folder: &Path) -> anyhow::Result<()> {
    let mut names = Vec::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name() != NAME {
            names.push(entry.file_name().into_string().map_err(|_| anyhow::anyhow!("not UTF-8"))?);
        }
    }
    names.sort();
    let mut text = String::new();
    for name in names {
        writeln!(text, "{}  {name}", sha256(&folder.join(&name))?)?;
    }
    fs::write(folder.join(NAME), text)?;
    Ok(())
}

/// Returns the checksum of a file in hexadecimal digits.
pub(crate) fn sha256(file: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksums_are_those_of_sha256sum() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b"), "abc").unwrap();
        fs::write(folder.path().join("a"), "").unwrap();
        // The second time the file of the checksums exists.
        for _ in 0..2 {
            write(folder.path()).unwrap();
            let text = fs::read_to_string(folder.path().join(NAME)).unwrap();
            let expected = "\
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a
ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b
";
            assert_eq!(text, expected);
        }
    }
}

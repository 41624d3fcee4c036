//! Archives that are the same, byte by byte, if their members are.

use std::io::{Cursor, Write};

use anyhow::Context;
use flate2::{Compression, GzBuilder};
use time::OffsetDateTime;
use zip::write::SimpleFileOptions;

/// A file in an archive.
#[derive(Debug)]
pub(crate) struct Member {
    /// The path in the folder of the archive, with `/`.
    pub(crate) path: String,
    /// The contents.
    pub(crate) bytes: Vec<u8>,
    /// Whether the file can be run.
    pub(crate) is_program: bool,
}

impl Member {
    /// A file that is not a program.
    pub(crate) fn text(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into(), is_program: false }
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// Returns an archive with a folder that contains the members; `time` is in seconds since 1970.
pub(crate) fn tar_gz(folder: &str, members: &[&Member], time: u64) -> anyhow::Result<Vec<u8>> {
    let gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(gzip);
    for member in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(member.bytes.len() as u64);
        header.set_mode(member.mode());
        header.set_mtime(time);
        archive.append_data(&mut header, format!("{folder}/{}", member.path), &*member.bytes)?;
    }
    Ok(archive.into_inner()?.finish()?)
}

/// The same as a .zip file.
pub(crate) fn zip(folder: &str, members: &[&Member], time: u64) -> anyhow::Result<Vec<u8>> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let time = date_and_time(time)?;
    for member in members {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .unix_permissions(member.mode())
            .last_modified_time(time);
        archive.start_file(format!("{folder}/{}", member.path), options)?;
        archive.write_all(&member.bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// Converts seconds since 1970 to the calendar that .zip files use.
fn date_and_time(seconds: u64) -> anyhow::Result<zip::DateTime> {
    let time = OffsetDateTime::from_unix_timestamp(seconds.try_into()?)?;
    let (hour, minute, second) = time.to_hms();
    let year = u16::try_from(time.year())?;
    zip::DateTime::from_date_and_time(year, time.month().into(), time.day(), hour, minute, second)
        .ok()
        .context("the time of the commit is not in a year from 1980 to 2107")
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    const TIME: u64 = 1_709_210_096; // 2024-02-29 12:34:56

    fn members() -> Vec<Member> {
        let program = Member { path: "pgn2epd".into(), bytes: vec![0, 159, 1], is_program: true };
        vec![program, Member::text("completions/pgn2epd.bash", "complete\n")]
    }

    #[test]
    fn a_tar_archive_has_the_members_with_their_modes() {
        let members = members();
        let members: Vec<&Member> = members.iter().collect();
        let bytes = tar_gz("folder", &members, TIME).unwrap();
        assert_eq!(bytes, tar_gz("folder", &members, TIME).unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&*bytes));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut contents = Vec::new();
            entry.read_to_end(&mut contents).unwrap();
            assert_eq!(entry.header().mtime().unwrap(), TIME);
            let path = entry.path().unwrap().to_str().unwrap().to_owned();
            found.push((path, entry.header().mode().unwrap(), contents));
        }
        let expected = [
            ("folder/pgn2epd".to_owned(), 0o755, vec![0, 159, 1]),
            ("folder/completions/pgn2epd.bash".to_owned(), 0o644, b"complete\n".to_vec()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_zip_archive_has_the_members_with_their_time() {
        let members = members();
        let members: Vec<&Member> = members.iter().collect();
        let bytes = zip("folder", &members, TIME).unwrap();
        assert_eq!(bytes, zip("folder", &members, TIME).unwrap());
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(archive.len(), 2);
        let mut program = archive.by_name("folder/pgn2epd").unwrap();
        let mut contents = Vec::new();
        program.read_to_end(&mut contents).unwrap();
        assert_eq!(contents, [0, 159, 1]);
        if cfg!(unix) {
            assert_eq!(program.unix_mode().unwrap() & 0o777, 0o755);
        }
        let time = program.last_modified().unwrap();
        assert_eq!((time.year(), time.month(), time.day()), (2024, 2, 29));
        assert_eq!((time.hour(), time.minute(), time.second()), (12, 34, 56));
    }

    #[test]
    fn times_before_1980_are_refused() {
        assert!(zip("folder", &[&Member::text("name", "")], 0).is_err());
    }
}

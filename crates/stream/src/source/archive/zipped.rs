//! Zip archives: the files listed in the central directory.

use std::io::{self, BufReader, SeekFrom};

use zip::ZipArchive;
use zip::read::read_zipfile_from_stream;
use zip::result::ZipError;

use super::{Each, Format, Member, Seekable, SourceError};

pub(super) fn walk(mut archive: &mut dyn Seekable, each: Each<'_>) -> io::Result<()> {
    let mut zip = match ZipArchive::new(BufReader::new(&mut archive)) {
        Ok(zip) => zip,
        // The directory at the end is missing; the files before the truncation are still readable.
        Err(ZipError::InvalidArchive(_)) => return walk_torn(archive, each),
        Err(fault) => return Err(error(fault)),
    };
    for index in 0..zip.len() {
        let Some(name) = zip.name_for_index(index) else { continue };
        let name = name.map_err(error)?.into_owned();
        match zip.by_index(index) {
            Ok(mut file) => {
                if file.is_file() {
                    each(Member::Text(&name, &mut file))?;
                }
            }
            Err(fault) => each(Member::Failed(&name, error(fault)))?,
        }
    }
    // The library keeps only the last of several members with the same name.
    match zip.has_duplicate_names() {
        true => Err(SourceError::RepeatedNames.into()),
        false => Ok(()),
    }
}

/// Reads a truncated zip file by file, up to the truncation.
fn walk_torn(archive: &mut dyn Seekable, each: Each<'_>) -> io::Result<()> {
    archive.seek(SeekFrom::Start(0))?;
    let mut archive = BufReader::new(archive);
    loop {
        let Some(mut file) = read_zipfile_from_stream(&mut archive).map_err(error)? else {
            return Err(SourceError::Truncated(Format::Zip).into());
        };
        if file.is_file() {
            let name = file.name().map_err(error)?.into_owned();
            each(Member::Text(&name, &mut file))?;
        }
        io::copy(&mut file, &mut io::sink())
            .map_err(|error| SourceError::of(Format::Zip, error))?;
    }
}

fn error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => SourceError::of(Format::Zip, error),
        error => SourceError::Damaged { format: Format::Zip, reason: error.to_string() }.into(),
    }
}

//! Zip archives: all files listed in the central directory, including duplicate names.

use std::collections::HashSet;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use zip::ZipArchive;
use zip::read::{read_zipfile_from_stream, read_zipfile_from_stream_with_compressed_size};
use zip::result::ZipError;

use super::{ArchiveEntry, Each, Format, SourceError};
use crate::read_at::ReadSeek;

pub(super) fn walk(mut archive: &mut dyn ReadSeek, each: Each<'_>) -> io::Result<()> {
    let mut zip = match ZipArchive::new(BufReader::new(&mut archive)) {
        Ok(zip) => zip,
        // The directory at the end is missing; the files before the truncation are still readable.
        Err(ZipError::InvalidArchive(_)) => return walk_torn(archive, each),
        Err(fault) => return Err(error(fault)),
    };
    let mut starts = HashSet::new();
    for index in 0..zip.len() {
        let Some(name) = zip.name_for_index(index) else { continue };
        let name = name.map_err(error)?.into_owned();
        match zip.by_index(index) {
            Ok(mut file) => {
                starts.insert(file.header_start());
                if file.is_file() {
                    each(ArchiveEntry::Text(&name, &mut file))?;
                }
            }
            Err(fault) => each(ArchiveEntry::Failed(&name, error(fault)))?,
        }
    }
    if !zip.has_duplicate_names() {
        return Ok(());
    }
    // The library keeps only the last of several members with the same name.
    let (directory, before) = (zip.central_directory_start(), zip.offset());
    let mut archive = zip.into_inner();
    for (start, stored) in listed(&mut archive, directory)? {
        if starts.contains(&start) || starts.contains(&(before + start)) {
            continue;
        }
        archive.seek(SeekFrom::Start(before + start))?;
        let file = read_zipfile_from_stream_with_compressed_size(&mut archive, stored);
        let Some(mut file) = file.map_err(error)? else { continue };
        if file.is_file() {
            let name = file.name().map_err(error)?.into_owned();
            each(ArchiveEntry::Text(&name, &mut file))?;
        }
    }
    Ok(())
}

/// Returns where each listed member begins, if 32 bits say it, and its stored size.
fn listed(archive: &mut (impl Read + Seek), directory: u64) -> io::Result<Vec<(u64, u64)>> {
    const ENTRY: u32 = 0x0201_4b50;
    let mut listed = Vec::new();
    archive.seek(SeekFrom::Start(directory))?;
    let mut entry = [0; 46];
    while archive.read_exact(&mut entry).is_ok() && entry[..4] == ENTRY.to_le_bytes() {
        let short = |at: usize| i64::from(u16::from_le_bytes([entry[at], entry[at + 1]]));
        let long = |at: usize| {
            u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]])
        };
        if long(42) != u32::MAX {
            listed.push((long(42).into(), long(20).into()));
        }
        archive.seek(SeekFrom::Current(short(28) + short(30) + short(32)))?;
    }
    Ok(listed)
}

/// Reads a truncated zip file by file, up to the truncation.
fn walk_torn(archive: &mut dyn ReadSeek, each: Each<'_>) -> io::Result<()> {
    archive.seek(SeekFrom::Start(0))?;
    let mut archive = BufReader::new(archive);
    loop {
        let Some(mut file) = read_zipfile_from_stream(&mut archive).map_err(error)? else {
            return Err(SourceError::Truncated(Format::Zip).into());
        };
        if file.is_file() {
            let name = file.name().map_err(error)?.into_owned();
            each(ArchiveEntry::Text(&name, &mut file))?;
        }
        io::copy(&mut file, &mut io::sink())
            .map_err(|error| SourceError::of(Format::Zip, error))?;
    }
}

fn error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => SourceError::of(Format::Zip, error),
        error => SourceError::Damaged(Format::Zip, error.to_string()).into(),
    }
}

//! Archives: zip and 7z, one `.pgn` file of theirs after the other.
//!
//! Nothing is ever written where a member's name says: names are for messages alone.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use zip::result::ZipError;

use super::{Format, SourceError};

/// What is done with a member: its name and what it holds. An error ends the walk.
pub(super) type Each<'e> = &'e mut dyn FnMut(&str, &mut dyn Read) -> io::Result<()>;

/// Both ways to read an archive are needed of it.
pub(super) trait Seekable: Read + Seek + Send {}
impl<T: Read + Seek + Send> Seekable for T {}

/// Hands every `.pgn` file of the archive to `each`, in the order of the archive.
pub(super) fn walk(format: Format, archive: &mut dyn Seekable, each: Each<'_>) -> io::Result<()> {
    let mut members = 0;
    let mut each = |name: &str, reader: &mut dyn Read| {
        if !is_pgn(name) {
            return Ok(());
        }
        members += 1;
        each(name, reader)
    };
    match format {
        Format::SevenZip => walk_7z(archive, &mut each)?,
        _ => walk_zip(archive, &mut each)?,
    }
    if members == 0 { Err(SourceError::NoGames(format).into()) } else { Ok(()) }
}

fn is_pgn(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

fn walk_zip(mut archive: &mut dyn Seekable, each: Each<'_>) -> io::Result<()> {
    let fault = |error| zip_error(error);
    let mut zip = match zip::ZipArchive::new(BufReader::new(&mut archive)) {
        Ok(zip) => zip,
        // Its directory stands at its end, and that is not there: what comes before can be read all the same.
        Err(ZipError::InvalidArchive(_)) => return walk_torn_zip(archive, each),
        Err(error) => return Err(fault(error)),
    };
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).map_err(fault)?;
        if file.is_file() {
            let name = file.name().map_err(fault)?.into_owned();
            each(&name, &mut file)?;
        }
    }
    Ok(())
}

/// A zip that ends too early: one file after the other, up to where it ends.
fn walk_torn_zip(archive: &mut dyn Seekable, each: Each<'_>) -> io::Result<()> {
    archive.seek(SeekFrom::Start(0))?;
    let mut archive = BufReader::new(archive);
    loop {
        let Some(mut file) =
            zip::read::read_zipfile_from_stream(&mut archive).map_err(zip_error)?
        else {
            return Err(SourceError::Truncated(Format::Zip).into());
        };
        if file.is_file() {
            let name = file.name().map_err(zip_error)?.into_owned();
            each(&name, &mut file)?;
        }
        io::copy(&mut file, &mut io::sink())
            .map_err(|error| SourceError::of(Format::Zip, error))?;
    }
}

fn zip_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => SourceError::of(Format::Zip, error),
        error => SourceError::Damaged { format: Format::Zip, reason: error.to_string() }.into(),
    }
}

fn walk_7z(archive: &mut dyn Seekable, each: Each<'_>) -> io::Result<()> {
    let mut stopped = None;
    let password = sevenz_rust2::Password::empty();
    sevenz_rust2::ArchiveReader::new(archive, password)
        .and_then(|mut archive| {
            archive.for_each_entries(|entry, reader| {
                if !entry.is_directory() && stopped.is_none() {
                    stopped = each(entry.name(), reader).err();
                }
                Ok(stopped.is_none())
            })
        })
        .map_err(seven_zip_error)?;
    stopped.map_or(Ok(()), Err)
}

fn seven_zip_error(error: sevenz_rust2::Error) -> io::Error {
    match error {
        sevenz_rust2::Error::Io(error, _) => SourceError::of(Format::SevenZip, error),
        error => {
            SourceError::Damaged { format: Format::SevenZip, reason: error.to_string() }.into()
        }
    }
}

//! Lines as the unit of ranges.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use crate::range::part::RangeUnit;

/// Lines are not split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeLines;

impl RangeUnit for WholeLines {
    fn first_start(self, input: &mut (impl Read + Seek), at: u64, len: u64) -> io::Result<u64> {
        first_line(input, at, len)
    }
}

/// Returns the offset of the first line that begins at or after `at`, or the length of the file, `len`. Lines end with LF.
///
/// # Errors
///
/// If the file cannot be read.
pub fn first_line(input: &mut (impl Read + Seek), at: u64, len: u64) -> io::Result<u64> {
    input.seek(SeekFrom::Start(at - 1))?;
    Ok((at - 1 + BufReader::new(input).skip_until(b'\n')? as u64).min(len))
}

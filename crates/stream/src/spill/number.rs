//! Numbers in seven bits per byte, the lowest first; the highest bit says that more follow
//! (LEB128).

use std::io::{self, BufRead};

/// Appends a number.
///
/// ```
/// use stream::spill::number::{read_number, write_number};
///
/// let mut bytes = Vec::new();
/// write_number(300, &mut bytes);
/// assert_eq!(bytes, [0b1010_1100, 0b10]);
/// assert_eq!(read_number(&mut &bytes[..])?, 300);
/// # Ok::<_, std::io::Error>(())
/// ```
#[inline]
pub fn write_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number.
///
/// # Errors
///
/// If the input cannot be read, ends within the number, or has a number of more than 64 bits.
#[inline]
pub fn read_number(input: &mut impl BufRead) -> io::Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *input.fill_buf()?.first().ok_or(io::ErrorKind::UnexpectedEof)?;
        input.consume(1);
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "a number has more than 64 bits"))
}

//! Encoding of what runs and explorer files have in common: numbers, texts, and games.

use std::io::{self, BufRead};

use stream::spill::{read_number, write_number};

use crate::evaluation::Evaluation;
use crate::tally::{GameInfo, SourceLocation};

/// Maximum length of a text, in bytes; anything that exceeds memory is damage.
const LONGEST: u64 = 1 << 40;

pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

pub(crate) fn write_info(info: &GameInfo, out: &mut Vec<u8>) {
    for text in [&info.white, &info.black, &info.start] {
        write_text(text, out);
    }
    write_number(info.moves.len() as u64, out);
    for code in &info.moves {
        out.extend_from_slice(&code.to_le_bytes());
    }
}

pub(crate) fn read_info(input: &mut impl BufRead) -> io::Result<GameInfo> {
    // Fast path: nothing is known of the game.
    if input.fill_buf()?.starts_with(&[0; 4]) {
        input.consume(4);
        return Ok(GameInfo::default());
    }
    Ok(GameInfo {
        white: read_text(input)?,
        black: read_text(input)?,
        start: read_text(input)?,
        moves: read_moves(input)?,
    })
}

pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    write_number(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

pub(crate) fn read_text(input: &mut impl BufRead) -> io::Result<Box<str>> {
    let text = String::from_utf8(read_bytes(input, 1)?).map_err(|_| damaged())?;
    Ok(text.into())
}

pub(crate) fn write_occurrence(at: &SourceLocation, out: &mut Vec<u8>) {
    let SourceLocation { file, game, ply, halfmoves, fullmoves, evaluation } = *at;
    // One bit for the presence of an evaluation, which is absent without `--eval`.
    let halfmoves = u64::from(halfmoves) << 1 | u64::from(evaluation != Evaluation::NONE);
    for number in [file.into(), game, ply.into(), halfmoves, fullmoves.into()] {
        write_number(number, out);
    }
    if evaluation != Evaluation::NONE {
        out.extend_from_slice(&evaluation.bits().to_le_bytes());
    }
}

pub(crate) fn read_occurrence(input: &mut impl BufRead) -> io::Result<SourceLocation> {
    let (file, game, ply) = (read_small(input)?, read_number(input)?, read_small(input)?);
    let halfmoves = read_number(input)?;
    let fullmoves = read_small(input)?;
    let mut bits = [0; 2];
    if halfmoves & 1 == 1 {
        input.read_exact(&mut bits)?;
    }
    let evaluation = Evaluation::of_bits(u16::from_le_bytes(bits));
    let halfmoves = u16::try_from(halfmoves >> 1).map_err(|_| damaged())?;
    Ok(SourceLocation { file, game, ply, halfmoves, fullmoves, evaluation })
}

/// Reads a length, and this number of bytes.
pub(crate) fn split_bytes<'b>(input: &mut &'b [u8]) -> io::Result<&'b [u8]> {
    let len = read_small(input)?;
    let (bytes, rest) = input.split_at_checked(len).ok_or_else(damaged)?;
    *input = rest;
    Ok(bytes)
}

fn read_bytes(input: &mut impl BufRead, unit: u64) -> io::Result<Vec<u8>> {
    let len = read_number(input)?;
    if len > LONGEST {
        return Err(damaged());
    }
    let wanted = len * unit;
    // Fast path: nearly always all of it is buffered.
    if let Some(bytes) = input.fill_buf()?.get(..wanted as usize) {
        let bytes = bytes.to_vec();
        input.consume(bytes.len());
        return Ok(bytes);
    }
    let mut bytes = Vec::new();
    // The length is untrusted, so memory is allocated as data arrives.
    io::Read::read_to_end(&mut io::Read::take(input, wanted), &mut bytes)?;
    if bytes.len() as u64 == wanted { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn read_moves(input: &mut impl BufRead) -> io::Result<Box<[u16]>> {
    let bytes = read_bytes(input, 2)?;
    let code = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
    Ok(bytes.chunks_exact(2).map(code).collect())
}

/// Reads a number that was written in as few bytes as possible, seven bits each.
pub(crate) fn read_small<T: TryFrom<u64>>(input: &mut impl BufRead) -> io::Result<T> {
    T::try_from(read_number(input)?).map_err(|_| damaged())
}

#[inline]
pub(crate) fn read_byte(input: &mut impl BufRead) -> io::Result<u8> {
    let byte = *input.fill_buf()?.first().ok_or(io::ErrorKind::UnexpectedEof)?;
    input.consume(1);
    Ok(byte)
}

//! Inserts and replaces the tags of openings, leaving everything else of a game unchanged.

use std::ops::Range;

use openings::GameName;
use pgn::{Chunk, TagPair, escaped, write_tag};
use san::Buffer;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    range: Range<usize>,
    text: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// The name and value of a tag that may be replaced.
    of_opening: Option<(&'static str, String)>,
    raw: Range<usize>,
    name_at: usize,
    is_utf_8: bool,
}

const ECO: &str = "ECO";
const NIC: &str = "NIC";
const OPENING: &str = "Opening";

impl Tag {
    pub(super) fn new(tag: &TagPair<'_>, chunk: &[u8]) -> Self {
        let at = |part: &[u8]| part.as_ptr().addr() - chunk.as_ptr().addr();
        let start = at(tag.raw_value());
        let is_name = |name: &&str| tag.name().eq_ignore_ascii_case(name.as_bytes());
        Tag {
            of_opening: [ECO, NIC, OPENING]
                .into_iter()
                .find(is_name)
                .map(|name| (name, tag.text().into_owned())),
            raw: start..start + tag.raw_value().len(),
            name_at: at(tag.name()),
            is_utf_8: std::str::from_utf8(tag.raw_value()).is_ok(),
        }
    }
}

pub(super) type Known<'n> = (&'static str, Option<&'n str>);

pub(super) fn known<'n>(name: &'n GameName<'_>) -> [Known<'n>; 3] {
    [(ECO, name.eco()), (NIC, name.nic()), (OPENING, name.opening())]
}

pub(super) fn edits(
    chunk: Chunk<'_>,
    start: usize,
    tags: &[Tag],
    known: [Known<'_>; 3],
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let is_latin_1 = tags.iter().any(|tag| !tag.is_utf_8);
    let mut missing: Vec<(&str, &str)> = Vec::new();
    for (name, value) in known {
        let Some(value) = value else { continue };
        let mut is_present = false;
        for tag in tags {
            let Some((_, present)) = tag.of_opening.as_ref().filter(|(other, _)| *other == name)
            else {
                continue;
            };
            is_present = true;
            if !says(present, name, value) {
                let text = encoded(&escaped(value), is_latin_1);
                edits.push(Edit { range: tag.raw.clone(), text });
            }
        }
        if !is_present {
            missing.push((name, value));
        }
    }
    if !missing.is_empty() {
        edits.push(insertion(chunk, start, tags.last(), &missing, is_latin_1));
    }
    edits.sort_by_key(|edit| edit.range.start);
    edits
}

/// Whether a tag already has a value; a more specific code of the same opening counts.
fn says(present: &str, name: &str, value: &str) -> bool {
    present == value || name == ECO && present.starts_with(value)
}

/// Returns the edit that inserts tags after the last one, or before a game without tags.
fn insertion(
    chunk: Chunk<'_>,
    start: usize,
    last: Option<&Tag>,
    missing: &[(&str, &str)],
    is_latin_1: bool,
) -> Edit {
    let bytes = chunk.bytes();
    let line_end = line_end(bytes, last.map_or(start, |tag| tag.raw.end));
    let mut lines = Vec::new();
    for (name, value) in missing {
        let mut tag = Vec::new();
        write_tag(name, value, &mut tag);
        lines.push(encoded(&String::from_utf8_lossy(&tag), is_latin_1));
    }
    let mut text = lines.join(line_end);
    let at = match last {
        Some(tag) if bytes[tag.raw.end..].starts_with(b"\"]") => {
            text.splice(..0, line_end.iter().copied());
            tag.raw.end + 2
        }
        // The end of this tag is uncertain, so the new ones are inserted before it.
        Some(tag) => {
            text.extend_from_slice(line_end);
            let opens = bytes[..tag.name_at].iter().rposition(|byte| *byte == b'[');
            opens.unwrap_or(start)
        }
        None => {
            text.extend_from_slice(line_end);
            text.extend_from_slice(line_end);
            if !begins_line(chunk, start) {
                text.splice(..0, line_end.iter().copied());
            }
            start
        }
    };
    Edit { range: at..at, text }
}

/// Whether a byte is the first of a line, ignoring a byte order mark.
fn begins_line(chunk: Chunk<'_>, at: usize) -> bool {
    match &chunk.bytes()[..at] {
        [] | b"\xef\xbb\xbf" => !chunk.begins_within_line(),
        [.., before] => matches!(before, b'\n' | b'\r'),
    }
}

pub(super) fn line_end(chunk: &[u8], at: usize) -> &'static [u8] {
    let end = chunk[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    match end.map(|end| &chunk[at + end..]) {
        Some([b'\r', b'\n', ..]) => b"\r\n",
        Some([b'\r', ..]) => b"\r",
        _ => b"\n",
    }
}

/// Encodes a text for the file: as ISO 8859-1 if the tags of the game are, and if possible.
fn encoded(text: &str, is_latin_1: bool) -> Vec<u8> {
    let latin_1: Option<Vec<u8>> =
        if is_latin_1 { text.chars().map(|c| u8::try_from(c).ok()).collect() } else { None };
    latin_1.unwrap_or_else(|| text.as_bytes().to_owned())
}

/// Copies a range of the chunk with its edits, which are in text order.
pub(super) fn apply(edits: &[Edit], chunk: &[u8], copied: Range<usize>, output: &mut Buffer) {
    let mut at = copied.start;
    for Edit { range, text } in edits {
        output.extend(&chunk[at..range.start]);
        output.extend(text);
        at = range.end;
    }
    output.extend(&chunk[at..copied.end]);
}

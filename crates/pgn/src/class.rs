//! Byte classes of movetext: one table, one lookup per byte.

/// Ends a word: white space, a line end or a mark that is a token of its own.
pub(crate) const END: u8 = 1;
/// A digit. Nearly every move has one; a word without a digit is castling, a glyph or nonsense.
pub(crate) const DIGIT: u8 = 2;
/// `.` `*` `/` `-` or a byte above ASCII: the word may contain more than a move (`Nf3*`, `c64.Nc3`,
/// `Qg20-1`, a no-break space).
pub(crate) const ODD: u8 = 4;

/// Allowed in a tag name: letters, digits and underscore by the standard (8.1.1), other marks
/// because programs write them.
pub(crate) const NAME: u8 = 8;

pub(crate) static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let ends = b" \t\n\r\x0b\x0c\0\x1a{}();<>[]$";
    let mut i = 0;
    while i < ends.len() {
        table[ends[i] as usize] = END;
        i += 1;
    }
    let mut byte = b'0';
    while byte <= b'9' {
        table[byte as usize] = DIGIT;
        byte += 1;
    }
    table[b'.' as usize] = ODD;
    table[b'*' as usize] = ODD;
    table[b'/' as usize] = ODD;
    table[b'-' as usize] = ODD;
    let mut byte: u8 = 0;
    while byte < 0x80 {
        let mark = matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'.' | b'-');
        if byte.is_ascii_alphanumeric() || mark {
            table[byte as usize] |= NAME;
        }
        byte += 1;
    }
    let mut high = 0x80;
    while high < 256 {
        table[high] = ODD;
        high += 1;
    }
    table
};

/// Whether `byte` ends a word; the end of the text (`None`) does.
pub(crate) fn ends_word(byte: Option<&u8>) -> bool {
    byte.is_none_or(|b| CLASS[*b as usize] & END != 0)
}

/// Returns the length of a hyphen, dash or minus sign at the beginning of a text, or 0.
pub(crate) fn dash(text: &[u8]) -> usize {
    match text {
        [b'-', ..] => 1,
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => 3,
        // In Windows-1252.
        [0x96 | 0x97, ..] => 1,
        _ => 0,
    }
}

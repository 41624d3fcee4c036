//! Wraps movetext to 80 columns, as required by the PGN export format.

/// Maximum line length, unless a single word is longer.
const COLUMNS: usize = 79;

/// Appends words, each preceded by a space or line end.
#[derive(Debug)]
pub(super) struct Wrapped<'a> {
    out: &'a mut Vec<u8>,
    column: usize,
    /// Buffer for the digits of numbers, kept to avoid allocations.
    digits: Vec<u8>,
}

impl<'a> Wrapped<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, column: 0, digits: Vec::new() }
    }

    /// Appends a word, which is never broken.
    pub(super) fn word(&mut self, word: &[u8]) {
        if self.column > 0 {
            if self.column + 1 + word.len() > COLUMNS {
                self.end_line();
            } else {
                self.out.push(b' ');
                self.column += 1;
            }
        }
        self.out.extend_from_slice(word);
        self.column += word.len();
    }

    /// Appends a move number: `12.` or `12...`.
    pub(super) fn number(&mut self, number: u32, dots: &[u8]) {
        self.number_between(b"", number, dots);
    }

    /// Appends a numeric annotation glyph: `$14`.
    pub(super) fn glyph(&mut self, number: u32) {
        self.number_between(b"$", number, b"");
    }

    fn number_between(&mut self, before: &[u8], number: u32, after: &[u8]) {
        let mut digits = std::mem::take(&mut self.digits);
        digits.clear();
        digits.extend_from_slice(before);
        super::append_number(number, &mut digits);
        digits.extend_from_slice(after);
        self.word(&digits);
        self.digits = digits;
    }

    /// Appends the words of a text, which is split at spaces.
    pub(super) fn words(&mut self, text: &[u8]) {
        for word in text.split(|&byte| byte == b' ') {
            self.word(word);
        }
    }

    /// Appends a comment to the end of the line.
    pub(super) fn line_comment(&mut self, text: &[u8]) {
        self.word(b"; ");
        self.out.extend_from_slice(text);
        self.end_line();
    }

    /// Appends a line unchanged, beginning at the start of a line.
    pub(super) fn raw_line(&mut self, line: &[u8]) {
        if self.column > 0 {
            self.end_line();
        }
        self.out.extend_from_slice(line);
        self.end_line();
    }

    pub(super) fn end_line(&mut self) {
        self.out.push(b'\n');
        self.column = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_before_column_80() {
        let mut out = Vec::new();
        let mut wrapped = Wrapped::new(&mut out);
        for _ in 0..100 {
            wrapped.word(b"Nf3");
        }
        wrapped.end_line();
        let text = String::from_utf8(out).unwrap();
        assert!(text.lines().all(|line| line.len() <= COLUMNS && !line.ends_with(' ')));
        assert_eq!(text.lines().next().unwrap().len(), COLUMNS);
        assert_eq!(text.split_whitespace().count(), 100);
    }
}

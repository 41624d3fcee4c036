//! Words of a line, and where they stand in it.

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// The byte of the line at which it begins.
    pub(crate) at: usize,
    pub(crate) text: &'a str,
}

impl<'a> Token<'a> {
    /// The word at the beginning, up to the next white space, and what stands behind it, without white space before it.
    #[inline]
    pub(crate) fn split_word(self) -> (Token<'a>, Token<'a>) {
        let len = self.text.bytes().position(is_blank).unwrap_or(self.text.len());
        let (word, _) = self.split_at(len);
        (word, self.skip(len).trim_start())
    }

    /// The first `len` bytes, and the rest.
    #[inline]
    pub(crate) fn split_at(self, len: usize) -> (Token<'a>, Token<'a>) {
        (Token { at: self.at, text: &self.text[..len] }, self.skip(len))
    }

    /// What stands behind the first `len` bytes.
    #[inline]
    pub(crate) fn skip(self, len: usize) -> Token<'a> {
        Token { at: self.at + len, text: &self.text[len..] }
    }

    #[inline]
    pub(crate) fn trim_start(self) -> Token<'a> {
        let len = self.text.bytes().take_while(|b| is_blank(*b)).count();
        self.skip(len)
    }

    #[inline]
    pub(crate) fn trim_end(self) -> Token<'a> {
        let behind = self.text.bytes().rev().take_while(|b| is_blank(*b)).count();
        Token { at: self.at, text: &self.text[..self.text.len() - behind] }
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// The byte behind it.
    #[inline]
    pub(crate) fn end(self) -> usize {
        self.at + self.text.len()
    }

    /// Its words.
    #[inline]
    pub(crate) fn words(self) -> Words<'a> {
        Words { rest: self.trim_start() }
    }
}

/// The words of a text, with their places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    rest: Token<'a>,
}

impl<'a> Iterator for Words<'a> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, rest) = self.rest.split_word();
        self.rest = rest;
        Some(word)
    }
}

/// Blank, tab, line ends; the other control characters are no part of a word either.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

//! The syntax of an operation: ` opcode operand…;` (EPD 4.1). The only other code that writes its
//! spaces and semicolon is [`counter`](super::counter) and, for the records of games, that of `sm`;
//! both are on the hot path.

use san::Buffer;

use crate::operand::Operand;

/// A buffer to which operations are appended.
pub trait Append {
    /// Appends bytes.
    fn append(&mut self, bytes: &[u8]);
}

impl Append for Vec<u8> {
    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl Append for Buffer {
    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.extend(bytes);
    }
}

/// Writes one operation, preceded by a space.
///
/// ```
/// use epd::OperationWriter;
///
/// let mut text = Vec::new();
/// OperationWriter::new("bm", &mut text).word("Nf3").word("d4").end();
/// OperationWriter::new("id", &mut text).string("BK.01").end();
/// assert_eq!(text, b" bm Nf3 d4; id \"BK.01\";");
/// ```
#[derive(Debug)]
#[must_use = "the semicolon is missing until `end`"]
pub struct OperationWriter<'o, O> {
    out: &'o mut O,
}

impl<'o, O: Append> OperationWriter<'o, O> {
    /// Writes the opcode.
    #[inline]
    pub fn new(opcode: impl AsRef<[u8]>, out: &'o mut O) -> Self {
        OperationWriter { out }.word(opcode)
    }

    /// Appends an operand that needs no quotes, or several that are already formatted.
    #[inline]
    pub fn word(self, word: impl AsRef<[u8]>) -> Self {
        self.out.append(b" ");
        self.out.append(word.as_ref());
        self
    }

    /// Appends a string, which must be [valid](crate::is_legal_string).
    #[inline]
    pub fn string(self, text: &str) -> Self {
        self.out.append(b" \"");
        self.out.append(text.as_bytes());
        self.out.append(b"\"");
        self
    }

    pub(crate) fn operand(self, operand: &Operand) -> Self {
        match operand {
            Operand::Nothing => self,
            Operand::Moves(texts) => texts.iter().fold(self, OperationWriter::word),
            Operand::Move(text) | Operand::Raw(text) => self.word(text),
            Operand::Text(text) => self.string(text),
            operand => self.word(operand.to_string()),
        }
    }

    /// Ends the operation.
    #[inline]
    pub fn end(self) {
        self.out.append(b";");
    }
}

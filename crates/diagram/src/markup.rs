//! Text in XML and HTML.

use std::fmt;

/// Displays text literally: markup is escaped, characters that XML cannot have are omitted.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' | '\t' => write!(f, "{c}")?,
                '\u{fffe}' | '\u{ffff}' => {}
                c if c.is_control() => {}
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        let text = "<script>\"a\" & b\u{1b}</script>";
        assert_eq!(Escaped(text).to_string(), "&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;");
    }
}

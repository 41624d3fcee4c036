//! Splits a PGN text into the words that determine positions; drops comments, variations, glyphs
//! and numbers.

/// A relevant word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// A tag pair: name and value, the value without its escapes.
    Tag(String, String),
    /// A move of the main line, as written.
    Move(String),
    /// Any result.
    Result,
}

/// Splits a text, character by character.
pub fn words(pgn: &str) -> Vec<Word> {
    let chars: Vec<char> = pgn.trim_start_matches('\u{feff}').chars().collect();
    let mut words = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < chars.len() {
        let starts_line = at == 0 || matches!(chars[at - 1], '\n' | '\r');
        match chars[at] {
            '{' => at = behind(&chars, at, |c| c == '}'),
            ';' => at = behind(&chars, at, |c| matches!(c, '\n' | '\r')),
            '%' if starts_line => at = behind(&chars, at, |c| matches!(c, '\n' | '\r')),
            '(' => {
                depth += 1;
                at += 1;
            }
            ')' => {
                depth -= 1;
                assert!(depth >= 0, "a variation ends that did not begin");
                at += 1;
            }
            '[' if depth == 0 => {
                let (tag, end) = tag(&chars, at);
                words.push(tag);
                at = end;
            }
            c if c.is_whitespace() => at += 1,
            _ => {
                let end =
                    (at + 1..chars.len()).find(|&i| ends_word(chars[i])).unwrap_or(chars.len());
                let word: String = chars[at..end].iter().collect();
                if depth == 0 {
                    words.extend(classify(&word));
                }
                at = end;
            }
        }
    }
    assert_eq!(depth, 0, "the text ends in a variation");
    words
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || "{;()[$".contains(c)
}

/// Returns the index after the first character that satisfies `is_end`, or the end of the text.
fn behind(chars: &[char], from: usize, is_end: impl Fn(char) -> bool) -> usize {
    (from..chars.len()).find(|&i| is_end(chars[i])).map_or(chars.len(), |i| i + 1)
}

/// Returns the tag pair that begins here, and the index after it.
fn tag(chars: &[char], from: usize) -> (Word, usize) {
    let quote = behind(chars, from, |c| c == '"');
    let name: String = chars[from + 1..quote - 1].iter().collect();
    let mut value = String::new();
    let mut at = quote;
    while chars[at] != '"' {
        if chars[at] == '\\' {
            at += 1;
        }
        value.push(chars[at]);
        at += 1;
    }
    (Word::Tag(name.trim().to_owned(), value), behind(chars, at, |c| c == ']'))
}

/// Returns a result, a move (with a glued number removed), or nothing.
fn classify(word: &str) -> Option<Word> {
    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
        return Some(Word::Result);
    }
    if word.starts_with('$') || word.chars().all(|c| "!?".contains(c)) {
        return None;
    }
    // `12.`, `12...`, `12` and the number of `12.Nf3`; but 0-0 begins with a digit, too.
    let behind_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let san = if behind_digits.is_empty() || behind_digits.starts_with('.') {
        behind_digits.trim_start_matches('.')
    } else {
        word
    };
    (!san.is_empty()).then(|| Word::Move(san.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(pgn: &str) -> Vec<String> {
        let only_moves = |word| if let Word::Move(san) = word { Some(san) } else { None };
        words(pgn).into_iter().filter_map(only_moves).collect()
    }

    #[test]
    fn only_the_main_line_is_kept() {
        let pgn = "1. e4 {a (b} e5$1 (1... c5 (1... c6 {)}) 2. d4) ; { (\n% 3. Qh5\n2.Nf3 2...Nc6 3 Bb5 a6 ! 0-0";
        assert_eq!(moves(pgn), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "0-0"]);
    }

    #[test]
    fn escapes_in_tags_are_decoded() {
        let tag = Word::Tag("Event".to_owned(), "a \"b\" \\ ]".to_owned());
        assert_eq!(words("[Event \"a \\\"b\\\" \\\\ ]\"]\n*"), [tag, Word::Result]);
    }
}

//! Distinguishes games from prose by words that only texts about chess contain.
//!
//! A text is prose only if there is no sign of chess at all: taking games for prose would lose
//! them, while prose that is read as games only causes warnings.

/// Whether a text has words, but neither a tag pair, nor a move, a result, or ranks of a board.
/// Lines of comments (`;`, `%`, `#`) do not count; a text that begins with `{` is a game.
pub(super) fn is_prose(text: &[u8]) -> bool {
    let mut has_words = false;
    for line in lines(text) {
        match line[0] {
            b';' | b'%' | b'#' => continue,
            b'{' if !has_words => return false,
            _ => has_words = true,
        }
        if is_tag_pair(line) || words(line).any(is_of_chess) || line.ends_with(b"*") {
            return false;
        }
    }
    has_words
}

/// Whether the first line, except for escaped ones, is a tag pair or contains the first move.
pub(super) fn begins_with_game(text: &[u8]) -> bool {
    let first = lines(text).find(|line| line[0] != b'%').unwrap_or_default();
    is_tag_pair(first) || first.strip_prefix(b"1.").is_some_and(|rest| words(rest).any(is_of_chess))
}

/// Whether a text has a tag pair, or the number of a move and the move.
pub(super) fn has_game(text: &[u8]) -> bool {
    let has_moves = |line: &[u8]| {
        let words: Vec<&[u8]> = line.split(|byte| b" \t".contains(byte)).collect();
        let is_numbered = |pair: &[&[u8]]| {
            let digits = pair[0].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (number, rest) = pair[0].split_at(digits);
            let dots = rest.iter().take_while(|byte| **byte == b'.').count();
            let attached = &rest[dots..];
            let text = if attached.is_empty() { pair[1] } else { attached };
            !number.is_empty() && dots > 0 && (has_square(text) || text.starts_with(b"O-O"))
        };
        words.windows(2).any(is_numbered) || is_numbered(&[words[words.len() - 1], b""])
    };
    lines(text).any(|line| is_tag_pair(line) || has_moves(line))
}

/// Returns the lines that are not empty, without spaces at both ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty())
}

/// Whether a line begins like `[Event "`.
fn is_tag_pair(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let rest = rest.trim_ascii_start();
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let (name, value) = rest.split_at(name.count());
    !name.is_empty() && value.trim_ascii_start().starts_with(b"\"")
}

/// Returns the words between spaces, dots and brackets.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| b" \t\x0b\x0c.,:;(){}[]\"'".contains(byte)).filter(|word| !word.is_empty())
}

/// Whether a word could be a move in any notation, a result, or the ranks of a board.
fn is_of_chess(word: &[u8]) -> bool {
    let slashes = word.iter().filter(|byte| **byte == b'/').count();
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"--" | b"Z0")
        || word.starts_with(b"O-O")
        || word.starts_with(b"0-0")
        || word.starts_with(b"o-o")
        || slashes >= 3 && word.iter().all(|byte| b"12345678/pnbrqkPNBRQK~".contains(byte))
        || has_square(word)
}

/// Whether a word is like a move: `Nf3!?`, `e7-e8=Q+`, `12e4`, `♘f3`, but not `utf8`, `sha256`.
fn has_square(word: &[u8]) -> bool {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut word = &word[digits..];
    while let [rest @ .., b'+' | b'#' | b'!' | b'?' | b'='] = word {
        word = rest;
    }
    if let [rest @ .., b'=', _] | [rest @ .., _] = word
        && matches!(rest, [.., b'a'..=b'h', b'1' | b'8'])
    {
        word = rest;
    }
    let [before @ .., b'a'..=b'h', b'1'..=b'8'] = word else { return false };
    let before = match before {
        [b'A'..=b'Z', rest @ ..] => rest,
        _ => before,
    };
    let is_of_move = |byte: &u8| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-' | 0x80..);
    before.iter().all(is_of_move)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_has_no_sign_of_chess() {
        for (text, expected) in [
            ("Dear reader,\n\nthis file has no games.\n", true),
            ("# Title\n\n* one [link](https://example.org)\n* two (2nd)\n\n1. First\n", true),
            ("name,elo\nCarlsen,2830\n", true),
            ("utf8, sha256 and <h1> are no squares, nor is 3d or b2b", true),
            ("{\"games\": []}", false),
            ("{a comment} of a game", false),
            ("[package]\nname = \"x\"\n", true),
            ("From: a@b.example\n\n[Event \"?\"]\n", false),
            ("[ Event \"?\" ]", false),
            ("Here it is:\n1.e4 e5", false),
            ("1. ♘f3", false),
            ("hello e2e4", false),
            ("bxa8D", false),
            ("e7-e8=Q+", false),
            ("12e4!?", false),
            ("1. O-O-O", false),
            ("A draw: 1/2-1/2", false),
            ("1-0", false),
            ("*", false),
            ("8/8/8/8/8/8/8/7 w - -", false),
            ("; a comment\n% escaped\n# another\n", false),
            ("", false),
            (" \r\n\t\n", false),
        ] {
            assert_eq!(is_prose(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_game_begins_with_a_tag_or_a_move() {
        for (text, expected) in [
            ("[Event \"?\"]\n\n*", true),
            ("\u{feff}\n% escaped\n[White \"A\"]", true),
            ("1. e4 e5 *", true),
            ("1.e4", true),
            ("1. First, buy a book\n", false),
            ("bm Nf3; id \"1\";", false),
            ("8/8/8/8/8/8/8/7 w - - bm e4;", false),
            ("[0.5]", false),
            ("", false),
        ] {
            assert_eq!(begins_with_game(text.as_bytes()), expected, "{text}");
        }
    }
}

//! Words of movetext other than plain moves; off the fast path.

use crate::class::{CLASS, END, dash, ends_word};
use crate::result;

/// Standalone annotations in signs or letters, as written by ChessBase, Informator and annotators;
/// `N` is a novelty, `D` a diagram.
const GLYPHS: &[&str] = &[
    "!", "?", "!!", "??", "!?", "?!", "□", "=", "∞", "+=", "=+", "⩲", "⩱", "±", "∓", "+/-", "-/+",
    "+-", "-+", "+/=", "=/+", "=/∞", "N", "D", "-", "--+", "+--", "⨀", "○", "↑", "→", "⇆", "⊕",
    "∆", "⌓", "RR", "TN", "ep", "e.p.", "e.p", "+", "#", "++", "x", "‼", "⁇", "⁉", "⁈",
];

/// Words about a check, each with or without a dot, alone or joined: `ch`, `dbl.`, `dis.ch.`.
const CHECKS: &[&[u8]] =
    &[b"ch", b"check", b"mate", b"dbl", b"double", b"dis", b"disc", b"discovered"];

/// Whether the word is a standalone annotation.
pub(crate) fn is_glyph(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| *byte == b'.').filter(|part| !part.is_empty()).peekable();
    GLYPHS.iter().any(|glyph| glyph.as_bytes() == word)
        || parts.peek().is_some() && parts.all(|part| CHECKS.contains(&part))
}

/// Returns the number of dashes if the word consists of dashes only: a null move if there are
/// several, or if the word is in the place of a move.
pub(crate) fn dashes(mut word: &[u8]) -> Option<usize> {
    let mut count = 0;
    while !word.is_empty() {
        let len = dash(word);
        word = if len > 0 { &word[len..] } else { return None };
        count += 1;
    }
    (count > 0).then_some(count)
}

/// Whether a word without a digit may be a move: castling, a null move, or a pawn capture given by
/// files only.
pub(crate) fn is_move_without_digit(word: &[u8]) -> bool {
    let bare = word.trim_ascii_end();
    let castles = match bare {
        [b'O' | b'o', rest @ ..] => matches!(rest, [b'O' | b'o', ..]) || dash(rest) > 0,
        _ => false,
    };
    let null = matches!(bare, b"@@@@" | b"null" | b"pass") || dashes(bare) > Some(1);
    let files_only =
        matches!(bare, [b'a'..=b'h', b'a'..=b'h'] | [b'a'..=b'h', b'x' | b':', b'a'..=b'h']);
    castles || null || files_only
}

/// Returns the length of castling at the beginning of a text if it is written with `O` and has
/// spaces around its dashes, `O - O`, or 0.
pub(crate) fn spaced_castling(text: &[u8]) -> usize {
    let o_after_dash = |at: usize| {
        let blanks = |at: usize| usize::from(text.get(at) == Some(&b' '));
        let before = at + blanks(at);
        let after = before + dash(text.get(before..)?);
        let o = after + blanks(after);
        (after > before && matches!(text.get(o), Some(b'O' | b'o'))).then_some(o + 1)
    };
    let short = o_after_dash(1).filter(|_| matches!(text[0], b'O' | b'o'));
    let end = short.map_or(0, |short| o_after_dash(short).unwrap_or(short));
    let has_space = text[..end].contains(&b' ');
    if has_space && text.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric()) {
        end
    } else {
        0
    }
}

/// Returns the length of `e. p.` at the beginning of a text, or 0.
pub(crate) fn spaced_en_passant(text: &[u8]) -> usize {
    let is_mark = |mark: &&[u8]| text.starts_with(mark) && ends_word(text.get(mark.len()));
    [&b"e. p."[..], b"e. p", b"e p"].into_iter().find(is_mark).map_or(0, <[u8]>::len)
}

/// Whether a word after a result, or before any game, begins a game: it looks like a move.
pub(crate) fn starts_game(word: &[u8]) -> bool {
    !is_glyph(word) && (move_prefix(word).is_some() || word == b"Z0")
}

/// Returns the length of the move in a word to which a result or move number is glued: `Qg20-1`,
/// `e5*`, `c64.Nc3`.
pub(crate) fn glued_move(word: &[u8]) -> Option<usize> {
    let end = move_prefix(word)?;
    let rest = &word[end..];
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let result =
        rest == b"*" || matches!(result::at_start(rest), Some((Some(_), len)) if len == rest.len());
    (result || digits > 0 && rest.get(digits) == Some(&b'.')).then_some(end)
}

/// Returns the length of the move at the beginning of the word, if any.
///
/// A piece letter, file, rank and mark are all optional before the target square, so the longest
/// reading is tried first.
fn move_prefix(word: &[u8]) -> Option<usize> {
    castling_prefix(word).or_else(|| square_move_prefix(word)).map(|end| {
        let marks = count(&word[end..], |b| matches!(b, b'+' | b'#')).min(2);
        end + marks + count(&word[end + marks..], |b| matches!(b, b'!' | b'?'))
    })
}

fn castling_prefix(word: &[u8]) -> Option<usize> {
    let is_o = |i: usize| matches!(word.get(i), Some(b'O' | b'o' | b'0'));
    let after_dash = |i: usize| Some(i + dash(word.get(i..)?)).filter(|to| *to > i && is_o(*to));
    let short = after_dash(1).filter(|_| is_o(0))? + 1;
    Some(after_dash(short).map_or(short, |last| last + 1))
}

fn square_move_prefix(word: &[u8]) -> Option<usize> {
    let at = |i: usize| word.get(i).copied().unwrap_or(0);
    let piece = usize::from(matches!(at(0), b'N' | b'B' | b'R' | b'Q' | b'K' | b'P'));
    for (with_file, with_rank) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut i = piece;
        if with_file {
            if !matches!(at(i), b'a'..=b'h') {
                continue;
            }
            i += 1;
        }
        if with_rank {
            if !matches!(at(i), b'1'..=b'8') {
                continue;
            }
            i += 1;
        }
        i += usize::from(matches!(at(i), b'x' | b':' | b'-'));
        if matches!(at(i), b'a'..=b'h') && matches!(at(i + 1), b'1'..=b'8') {
            i += 2;
            let mark = usize::from(at(i) == b'=');
            let promotes =
                matches!(at(i + mark), b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n');
            return Some(if promotes { i + mark + 1 } else { i });
        }
    }
    None
}

/// Returns the end of the word at `at` if it contains bytes above ASCII, which may be another kind
/// of space.
pub(crate) fn end_of_odd_word(bytes: &[u8], at: usize) -> usize {
    let mut i = at;
    while i < bytes.len() && CLASS[bytes[i] as usize] & END == 0 && odd_space(&bytes[i..]) == 0 {
        i += character_len(&bytes[i..]);
    }
    i
}

/// Returns the length of a white space or invisible character above ASCII at the beginning of
/// `bytes`, or 0.
///
/// No-break spaces come from web pages (chess.com copies), zero-width ones and byte order marks
/// from concatenated files. In ISO 8859-1 a no-break space is the single byte A0.
pub(crate) fn odd_space(bytes: &[u8]) -> usize {
    match bytes {
        [0xc2, 0xa0, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8f | 0xaf, ..] | [0xef, 0xbb, 0xbf, ..] | [0xe3, 0x80, 0x80, ..] => 3,
        [0xe2, 0x81, 0x9f | 0xa0, ..] => 3,
        [0xa0, ..] => 1,
        _ => 0,
    }
}

/// Returns the length of an ellipsis character at the beginning of `bytes`, or 0.
pub(crate) fn ellipsis(bytes: &[u8]) -> usize {
    if bytes.starts_with("…".as_bytes()) { "…".len() } else { 0 }
}

/// Returns the length of a promotion piece in parentheses after a move, with the marks after it:
/// `e8(Q)+`. These parentheses do not open a variation.
pub(crate) fn bracketed_promotion(bytes: &[u8]) -> usize {
    match bytes {
        [b'(', b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n', b')', rest @ ..] => {
            3 + count(rest, |b| matches!(b, b'+' | b'#' | b'!' | b'?'))
        }
        [b'(', b'=', b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n', b')', rest @ ..] => {
            4 + count(rest, |b| matches!(b, b'+' | b'#' | b'!' | b'?'))
        }
        _ => 0,
    }
}

/// Returns the length of a time in parentheses at the beginning of `bytes`, or 0: `(0:04)`,
/// `(1:02:03.5)`.
pub(crate) fn time_in_parentheses(bytes: &[u8]) -> usize {
    let inside = bytes.get(1..).unwrap_or_default();
    let len = count(inside, |byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
    let parts = || inside[..len].split(|byte| *byte == b':');
    let is_time = (2..=3).contains(&parts().count()) && parts().all(|part| !part.is_empty());
    if is_time && inside.get(len) == Some(&b')') { len + 2 } else { 0 }
}

/// Returns the length in bytes of the first character of `bytes`: UTF-8, or a single byte if it is
/// not valid.
pub(crate) fn character_len(bytes: &[u8]) -> usize {
    let len = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    match bytes.get(..len) {
        Some(character) if std::str::from_utf8(character).is_ok() => len,
        _ => 1,
    }
}

fn count(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|b| wanted(**b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_or_number_glued_to_a_move_is_found() {
        let cases: &[(&str, Option<&str>)] = &[
            ("Qg20-1", Some("Qg2")),
            ("Qxf71-0", Some("Qxf7")),
            ("e5*", Some("e5")),
            ("c64.Nc3", Some("c6")),
            ("e52.", Some("e5")),
            ("Nf3+1/2-1/2", Some("Nf3+")),
            ("O-O1-0", Some("O-O")),
            ("e2-e4", None),
            ("0-0", None),
            ("exd6e.p.", None),
            ("e4.", None),
            ("hello*", None),
            // Marks after the move belong to it.
            ("Nf3+1-0", Some("Nf3+")),
            ("Nf3++!?1-0", Some("Nf3++!?")),
            ("O-O-O#*", Some("O-O-O#")),
            ("e8=Q*", Some("e8=Q")),
            ("e8Q+12.Nf3", Some("e8Q+")),
            ("Nf3x*", None),
            ("Nf3", None),
            ("e412", None),
        ];
        for (word, found) in cases {
            let found = found.map(str::len);
            assert_eq!(glued_move(word.as_bytes()), found, "{word}");
        }
    }

    #[test]
    fn a_game_starts_with_what_looks_like_a_move() {
        for word in
            ["e4", "Nf3", "Ng1f3", "e2-e4", "exd5", "O-O", "0-0", "O–O", "Z0", "e8=Q+", "a1xb2"]
        {
            assert!(starts_game(word.as_bytes()), "{word}");
        }
        for word in ["White", "forfeits", "N", "+-", "x", "mate", "Sf3", "", "k", "--", "-----"] {
            assert!(!starts_game(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn the_longest_move_at_the_beginning_of_a_word_is_found() {
        // `|` marks the end of the move; a case without it does not begin with one.
        let cases = [
            "e4|", "e4e5|", "a1|", "h8|x", "e9", "e0", "i4", "4", "e", "", "Nf3|", "Pd4|", "Sf3",
            "Nbd2|", "N1f3|", "Nb1d2|", "nbd2", "Nxd4|", "Nbxd4|", "N1xf3|", "Nb1xd2|", "e2e4|",
            "e2-e4|", "e2:e4|", "e2xf3|", "e2e4|e5", "ed4|", "exd4|", "e:d4|", "e-d4|", "exd",
            "2e4|", "2-e4|", "i2e4", "-e4|", "xe4|", "--e4", "xxe4", "e8Q|", "e8=Q|", "e8=R|",
            "e8=B|", "e8=N|", "e8q|", "e8=r|", "e8b|", "e8n|", "e8|=K", "e8|=", "e8|K", "e8|==Q",
            "e4+|", "e4++|", "e4++|+", "e4#|", "e4+#|", "e4!|", "e4!?!?|", "e4+!|+", "e8=Q+!|",
            "e4|x", "O-O|", "O-O-O|", "o-o|", "0-0|", "0-0-0|", "O-0|", "O-O|-", "O-O|-x",
            "O-O-O|-O", "O-O+!|", "OO", "O-", "-O", "O-x",
        ];
        let is_wrong =
            |case: &&str| move_prefix(case.replace('|', "").as_bytes()) != case.find('|');
        assert_eq!(cases.into_iter().filter(is_wrong).collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn marks_and_castling_may_have_spaces_inside() {
        for text in [
            "O - O|",
            "O - O| Nf6",
            "O – O - O|+",
            "o -o|",
            "O- O -O|",
            "|O-O",
            "|O",
            "|O -",
            "|O Nf6",
            "|O - Only",
            "|0 - 0",
            "|-",
        ] {
            let len = spaced_castling(text.replace('|', "").as_bytes());
            assert_eq!(len, text.find('|').unwrap(), "{text}");
        }
        for (text, len) in [
            ("e. p. Nf6", 5),
            ("e. p", 4),
            ("e p", 3),
            ("e.p.", 0),
            ("e", 0),
            ("e pawn", 0),
            ("e. play", 0),
        ] {
            assert_eq!(spaced_en_passant(text.as_bytes()), len, "{text}");
        }
    }

    #[test]
    fn words_without_a_digit_may_be_moves() {
        for word in [
            "O-O", "O-O-O", "o-o", "OO", "O–O", "O—O", "O‑O", "O-O+", "O-", "--", "@@@@", "null",
            "pass", "ed", "exd", "e:d", "ah", "ha", "---", "––", "-—", "o–o", "−−",
        ] {
            assert!(is_move_without_digit(word.as_bytes()), "{word}");
        }
        for word in [
            "O", "-O", "--x", "", "-", "–", "@@", "Null", "e-d", "ei", "id", "exi", "ixe", "e",
            "exdd", "Ox", "xO", "–O",
        ] {
            assert!(!is_move_without_digit(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn a_promotion_in_parentheses_ends_with_its_marks() {
        let cases = [
            ("(Q)", 3),
            ("(=Q)", 4),
            ("(r)!? e5", 5),
            ("(=n)+# x", 6),
            ("(B)(N)", 3),
            ("(R) +", 3),
            ("(N)#", 4),
            ("(b)x", 3),
            ("(q)", 3),
            ("(K)", 0),
            ("(=K)", 0),
            ("(Q", 0),
            ("(=Q", 0),
            ("Q)", 0),
            ("(QQ)", 0),
            ("(==Q)", 0),
            ("()", 0),
            ("", 0),
        ];
        for (text, len) in cases {
            assert_eq!(bracketed_promotion(text.as_bytes()), len, "{text}");
        }
    }

    #[test]
    fn a_character_is_utf_8_or_one_byte() {
        let cases: &[(&[u8], usize)] = &[
            (b"a", 1),
            ("\u{80}x".as_bytes(), 2),
            ("\u{7ff}x".as_bytes(), 2),
            ("\u{800}x".as_bytes(), 3),
            ("\u{ffff}x".as_bytes(), 3),
            ("\u{10000}x".as_bytes(), 4),
            ("\u{10ffff}x".as_bytes(), 4),
            (b"\xfcx", 1),
            (b"\xc3", 1),
            (b"\xe2\x80", 1),
            (b"\xf0\x9f\x98", 1),
            (b"\xc3x", 1),
            (b"\x80", 1),
            (b"\xff\xff", 1),
        ];
        for (bytes, len) in cases {
            assert_eq!(character_len(bytes), *len, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn an_ellipsis_is_one_character() {
        assert_eq!((ellipsis("…e5".as_bytes()), ellipsis(b"...")), (3, 0));
    }
}

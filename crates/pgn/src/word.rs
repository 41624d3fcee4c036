//! Words of movetext other than plain moves; off the fast path.

use crate::token::{CLASS, END, at_start, dash, ends_word};

/// Annotations in signs or letters and their numbers (PGN standard 10, and those of databases; of
/// White, if each side has one), 0 if they say what the move does. A hyphen is any dash.
const SIGNS: &[(u8, &[&str])] = &[
    (3, &["‼"]),
    (4, &["⁇"]),
    (5, &["⁉"]),
    (6, &["⁈"]),
    (1, &["❗"]),
    (2, &["❓"]),
    (7, &["□", "▢"]),
    (10, &["="]),
    (13, &["∞"]),
    (14, &["+=", "+/=", "⩲"]),
    (15, &["=+", "=/+", "⩱"]),
    (16, &["±", "+/-"]),
    (17, &["∓", "-/+"]),
    (18, &["+-", "+--"]),
    (19, &["-+", "--+"]),
    (22, &["⨀", "⊙"]),
    (26, &["○", "◯"]),
    (32, &["↑↑", "⇈", "⟳"]),
    (36, &["↑"]),
    (40, &["→"]),
    (44, &["=∞", "=/∞", "∞=", "∞/=", "⯹"]),
    (132, &["⇆", "⇄"]),
    (138, &["⊕", "⨁"]),
    (140, &["∆", "Δ", "△"]),
    (141, &["∇"]),
    (142, &["⌓"]),
    (143, &["≤"]),
    (145, &["RR"]),
    (146, &["N", "TN"]),
    (220, &["D"]),
    (239, &["⇔"]),
    (240, &["⇗"]),
    (241, &["⊞"]),
    (242, &["⟫"]),
    (243, &["⟪"]),
    (245, &["⊥"]),
    (0, &["-", "ep", "e.p.", "e.p", "+", "#", "++", "x"]),
];

/// Words about a check, each with or without a dot, alone or joined: `ch`, `dbl.`, `dis.ch.`.
const CHECKS: &[&[u8]] =
    &[b"ch", b"check", b"mate", b"dbl", b"double", b"dis", b"disc", b"discovered"];

pub(crate) fn is_glyph(word: &[u8]) -> bool {
    first_sign(word).is_some()
}

/// Returns the length of the first annotation of a word that consists of annotations.
pub(crate) fn first_sign(word: &[u8]) -> Option<usize> {
    let mut parts = word.split(|byte| *byte == b'.').filter(|part| !part.is_empty()).peekable();
    if parts.peek().is_some() && parts.all(|part| CHECKS.contains(&part)) {
        return Some(word.len());
    }
    let (first, nag) = sign_at(word)?;
    let mut at = first;
    // Of several signs only the last may be a letter, and none a hyphen or the mark of a check.
    if at < word.len() && (nag == 0 || word[0].is_ascii_alphabetic()) {
        return None;
    }
    while at < word.len() {
        let (len, nag) = sign_at(&word[at..])?;
        let is_letter = word[at].is_ascii_alphabetic();
        at += len;
        if nag == 0 || is_letter && at < word.len() {
            return None;
        }
    }
    Some(first)
}

/// Returns the length of the longest annotation at the beginning of a text, and its number or 0.
fn sign_at(text: &[u8]) -> Option<(usize, u8)> {
    let suffix = count(text, |byte| matches!(byte, b'!' | b'?'));
    let nag = match text {
        [b'!', b'!', ..] => 3,
        [b'?', b'?', ..] => 4,
        [b'!', b'?', ..] => 5,
        [b'?', b'!', ..] => 6,
        [b'!', ..] => 1,
        [b'?', ..] => 2,
        // In ISO 8859-1.
        [0xb1, ..] => return Some((1, 16)),
        _ => {
            let signs = SIGNS.iter().flat_map(|(nag, signs)| signs.iter().map(|sign| (*nag, sign)));
            let found = signs.filter_map(|(nag, sign)| Some((sign_len(text, sign)?, nag)));
            return found.max_by_key(|(len, _)| *len);
        }
    };
    Some((suffix, nag))
}

/// Returns the length of a sign at the beginning of a text, written with any dash.
fn sign_len(text: &[u8], sign: &str) -> Option<usize> {
    let mut at = 0;
    for byte in sign.bytes() {
        at += match byte {
            b'-' => Some(dash(&text[at..])).filter(|len| *len > 0)?,
            byte => (text.get(at) == Some(&byte)).then_some(1)?,
        };
    }
    // Web pages choose between text and emoji.
    while is_selector(&text[at..]) {
        at += 3;
    }
    Some(at)
}

/// Whether a text begins with a character that chooses between text and emoji.
pub(crate) fn is_selector(text: &[u8]) -> bool {
    matches!(text, [0xef, 0xb8, 0x8e | 0x8f, ..])
}

/// Returns the number of an annotation in signs or letters (PGN standard 10).
///
/// ```
/// assert_eq!(pgn::nag_of_sign(b"!?"), Some(5));
/// assert_eq!(pgn::nag_of_sign("∓".as_bytes()), Some(17));
/// assert_eq!(pgn::nag_of_sign(b"ch."), None);
/// ```
pub fn nag_of_sign(sign: &[u8]) -> Option<u8> {
    sign_at(sign).filter(|(len, nag)| *len == sign.len() && *nag > 0).map(|(_, nag)| nag)
}

/// `e4±`, `Nf3?!∓`, `Nf3+-`: marks of check and a suffix of the standard belong to the move.
pub(crate) fn before_signs(word: &[u8]) -> Option<usize> {
    let castling = castling_prefix(word);
    let bare = castling.or_else(|| end_of_last_square(word))?;
    // `O-O-+` is rather a damaged `O-O-O+`.
    if castling.is_some() && dash(&word[bare..]) > 0 {
        return None;
    }
    let checks = count(&word[bare..], |byte| matches!(byte, b'+' | b'#')).min(2);
    (bare..=bare + checks).find_map(|end| {
        let end = end + count(&word[end..], |byte| matches!(byte, b'!' | b'?'));
        let (_, nag) = sign_at(&word[end..])?;
        (nag > 0 && is_glyph(&word[end..])).then_some(end)
    })
}

/// The end of the last square, with a promotion, whatever the letter of the piece.
fn end_of_last_square(word: &[u8]) -> Option<usize> {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let end = word.windows(2).rposition(is_square)? + 2;
    let is_pawn = word[0].is_ascii_lowercase() && matches!(word[end - 1], b'1' | b'8');
    Some(match word[end..] {
        [b'=', b'A'..=b'Z', ..] if is_pawn => end + 2,
        [b'Q' | b'R' | b'B' | b'N', ..] if is_pawn => end + 1,
        _ => end,
    })
}

/// Longest move in a text that is not read, in bytes.
const LONGEST_MOVE: usize = 10;

/// Whether a text that is not read consists of moves, as opposed to words of which some are moves.
/// Comments and commands do not count.
///
/// ```
/// assert!(pgn::has_moves(b"+1. e4 e5 2. Nf3 1-0"));
/// assert!(!pgn::has_moves(b"3. Bb5 was played in many games."));
/// ```
pub fn has_moves(text: &[u8]) -> bool {
    let (mut moves, mut words, mut at) = (0, 0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let comment_len = match rest {
            [b'{', ..] => memchr::memchr(b'}', rest),
            [b'[', b'%', ..] => memchr::memchr(b']', rest),
            [b';', ..] => memchr::memchr2(b'\n', b'\r', rest).or(Some(rest.len())),
            _ => None,
        };
        if let Some(len) = comment_len {
            at += len + 1;
            continue;
        }
        let len = count(rest, |byte| CLASS[usize::from(byte)] & END == 0 && byte != b'.');
        let word = &rest[..len];
        if is_like_move(word) {
            moves += 1;
        } else if word.iter().any(u8::is_ascii_alphabetic) {
            words += 1;
        }
        at += len.max(1);
    }
    moves > words
}

const USUAL_START: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const SHORTEST_PLACEMENT: usize = 15;

/// Whether a text has the placement of a FEN, which may be damaged, other than that of the usual
/// start: eight ranks, one of them with a king.
///
/// ```
/// assert!(pgn::has_placement(b"White wins: 4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
/// assert!(!pgn::has_placement(b"https://example.org/games/2020/12/05/1/2/3/4"));
/// ```
pub fn has_placement(text: &[u8]) -> bool {
    if text.len() < SHORTEST_PLACEMENT {
        return false;
    }
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let is_king = |byte: &u8| matches!(byte, b'k' | b'K');
    let is_of_rank = |byte: &u8| matches!(byte.to_ascii_lowercase(), b'1'..=b'8' | b'~' | b'b' | b'k' | b'n' | b'p'..=b'r');
    text.split(|byte| !is_slash(byte) && !is_of_rank(byte)).any(|run| {
        let ranks: Vec<&[u8]> = match run.iter().filter(|byte| is_slash(byte)).count() {
            7.. => run.split(is_slash).collect(),
            _ => return false,
        };
        let has_king = |rank: &&[u8]| rank.iter().any(is_king);
        let is_board = |ranks: &[&[u8]]| {
            ranks.iter().all(|rank| !rank.is_empty()) && ranks.iter().any(has_king)
        };
        ranks.windows(8).any(is_board) && memchr::memmem::find(run, USUAL_START).is_none()
    })
}

/// A percent sign is only known to escape no line if the text before it is.
pub(crate) fn says_start(word: &[u8]) -> bool {
    !word.starts_with(b"%") && has_placement(word)
}

/// Returns the numbers in a text that a dot and a move follow.
///
/// ```
/// assert_eq!(pgn::move_numbers(b"good) 2...e6 3. Nc3 in 1972. {x").collect::<Vec<_>>(), [2, 3]);
/// ```
pub fn move_numbers(text: &[u8]) -> impl Iterator<Item = u32> {
    let starts = (0..text.len()).filter(|at| {
        text[*at].is_ascii_digit() && !text[..*at].last().is_some_and(u8::is_ascii_alphanumeric)
    });
    starts.filter_map(|at| {
        let digits = count(&text[at..], |byte| byte.is_ascii_digit());
        let is_number = text.get(at + digits) == Some(&b'.') && begins_with_move(&text[at..]);
        let digits = std::str::from_utf8(&text[at..at + digits]).ok().filter(|_| is_number)?;
        digits.parse().ok()
    })
}

fn is_like_move(word: &[u8]) -> bool {
    let end = castling_prefix(word).or_else(|| end_of_last_square(word));
    let is_of_move =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | 0x80..);
    end.is_some_and(|end| end <= LONGEST_MOVE && word[..end].iter().all(is_of_move))
}

pub(crate) fn begins_with_move(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let digits = count(text, |byte| byte.is_ascii_digit());
    let dots = count(&text[digits..], |byte| byte == b'.');
    let rest = if dots > 0 { text[digits + dots..].trim_ascii_start() } else { text };
    // A bound for the cost of hostile text; moves are far shorter.
    let rest = &rest[..rest.len().min(4 * LONGEST_MOVE)];
    let word = &rest[..end_of_odd_word(rest, 0)];
    starts_game(word) || dots > 0 && is_like_move(word)
}

/// If it consists of them: several, or one in the place of a move, are a null move.
pub(crate) fn dashes(mut word: &[u8]) -> Option<usize> {
    let mut count = 0;
    while !word.is_empty() {
        let len = dash(word);
        word = if len > 0 { &word[len..] } else { return None };
        count += 1;
    }
    (count > 0).then_some(count)
}

/// Castling, a null move, or a pawn capture given by files only.
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

/// Written with `O` and spaces around its dashes, `O - O`; 0 if not.
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

pub(crate) fn spaced_en_passant(text: &[u8]) -> usize {
    let is_mark = |mark: &&[u8]| text.starts_with(mark) && ends_word(text.get(mark.len()));
    [&b"e. p."[..], b"e. p", b"e p"].into_iter().find(is_mark).map_or(0, <[u8]>::len)
}

/// Whether a word after a result, or before any game, begins a game: it looks like a move.
pub(crate) fn starts_game(word: &[u8]) -> bool {
    !is_glyph(word) && (move_prefix(word).is_some() || word == b"Z0")
}

/// `Qg20-1`, `e5*`, `c64.Nc3`
pub(crate) fn glued_move(word: &[u8]) -> Option<usize> {
    let end = move_prefix(word)?;
    let rest = &word[end..];
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let result =
        rest == b"*" || matches!(at_start(rest), Some((Some(_), len)) if len == rest.len());
    (result || digits > 0 && rest.get(digits) == Some(&b'.')).then_some(end)
}

/// All parts before the target are optional, so the longest reading is tried first.
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
            let is_last = piece == 0 && matches!(at(i - 1), b'1' | b'8');
            let promotes = is_last
                && matches!(at(i + mark), b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n');
            return Some(if promotes { i + mark + 1 } else { i });
        }
    }
    None
}

/// The end of a word that may contain spaces above ASCII.
pub(crate) fn end_of_odd_word(bytes: &[u8], at: usize) -> usize {
    let mut i = at;
    while i < bytes.len() && CLASS[bytes[i] as usize] & END == 0 && odd_space(&bytes[i..]) == 0 {
        i += character_len(&bytes[i..]);
    }
    i
}

/// Returns the length of a white space or invisible character above ASCII at the beginning, or 0,
/// as in copies of web pages and concatenated files. A no-break space of ISO 8859-1 is one byte.
pub(crate) fn odd_space(bytes: &[u8]) -> usize {
    match bytes {
        [0xc2, 0xa0, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8f | 0xa8..=0xaf, ..]
        | [0xe2, 0x81, 0x9f | 0xa0 | 0xa6..=0xa9, ..] => 3,
        [0xef, 0xbb, 0xbf, ..] | [0xe3, 0x80, 0x80, ..] => 3,
        [0xa0, ..] => 1,
        _ => 0,
    }
}

/// Dots above ASCII: an ellipsis, and the dots of other scripts.
const DOTS: [&[u8]; 4] = ["…".as_bytes(), "．".as_bytes(), "。".as_bytes(), "․".as_bytes()];

/// Returns the length of a dot or an ellipsis above ASCII at the beginning of `bytes`, or 0.
pub(crate) fn ellipsis(bytes: &[u8]) -> usize {
    DOTS.iter().find(|dot| bytes.starts_with(dot)).map_or(0, |dot| dot.len())
}

pub(crate) fn strip_dot(text: &[u8]) -> Option<&[u8]> {
    text.strip_suffix(b".").or_else(|| DOTS.iter().find_map(|dot| text.strip_suffix(*dot)))
}

/// `e8(Q)+`: these parentheses do not open a variation.
pub(crate) fn bracketed_promotion(bytes: &[u8]) -> usize {
    let inside = bytes.strip_prefix(b"(").map(|rest| rest.strip_prefix(b"=").unwrap_or(rest));
    match inside {
        Some([b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n', b')', marks @ ..]) => {
            let marks_len = count(marks, |b| matches!(b, b'+' | b'#' | b'!' | b'?'));
            bytes.len() - marks.len() + marks_len
        }
        _ => 0,
    }
}

/// `(0:04)`, `(1:02:03.5)`
pub(crate) fn time_in_parentheses(bytes: &[u8]) -> usize {
    let inside = bytes.get(1..).unwrap_or_default();
    let len = count(inside, |byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
    let parts = || inside[..len].split(|byte| *byte == b':');
    let is_time = (2..=3).contains(&parts().count()) && parts().all(|part| !part.is_empty());
    if is_time && inside.get(len) == Some(&b')') { len + 2 } else { 0 }
}

/// Returns whether there may be comments on moves: in braces, behind a semicolon (PGN 5), or times
/// in parentheses.
///
/// ```
/// assert!(pgn::may_have_comments(b"1. e4 (0:04) e5 *"));
/// assert!(!pgn::may_have_comments(b"[Variation \"Alapin (2.c3)\"] 1. e4 (1. d4) c5 *"));
/// ```
pub fn may_have_comments(text: &[u8]) -> bool {
    memchr::memchr3_iter(b'{', b';', b'(', text)
        .any(|at| text[at] != b'(' || time_in_parentheses(&text[at..]) > 0)
}

/// UTF-8, or a single byte if it is not valid.
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
            "O - O|", "O - O| Nf6", "O – O - O|+", "o -o|", "O- O -O|", "|O-O", "|O", "|O -",
            "|O Nf6", "|O - Only", "|0 - 0", "|-",
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
        // `|` marks the end.
        for case in [
            "(Q)|", "(=Q)|", "(r)!?| e5", "(=n)+#| x", "(B)|(N)", "(R)| +", "(N)#|", "(b)|x",
            "(q)|", "|(K)", "|(=K)", "|(Q", "|(=Q", "|Q)", "|(QQ)", "|(==Q)", "|()", "|",
        ] {
            let len = bracketed_promotion(case.replace('|', "").as_bytes());
            assert_eq!(len, case.find('|').unwrap(), "{case}");
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

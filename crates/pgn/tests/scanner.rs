//! Laws of the scanner, whatever bytes come.

use std::time::{Duration, Instant};

use pgn::{Scanner, Token};
use proptest::prelude::*;
use testkit::hostile::hostile;

/// Reads all, and holds what must hold of any bytes.
fn assert_laws(bytes: &[u8]) {
    let mut scanner = Scanner::new(bytes);
    let mut last_end = 0;
    while scanner.next_game() {
        assert!(last_end <= scanner.game_start(), "games overlap");
        let mut end = scanner.game_start();
        for tag in scanner.tags() {
            let start = tag.name().as_ptr().addr() - bytes.as_ptr().addr();
            assert!(end <= start, "tags are in order");
            end = start + tag.name().len();
            assert_eq!(&bytes[start..end], tag.name());
        }
        let mut depth = 0i64;
        while let Some(token) = scanner.next_token() {
            let span = scanner.token_span();
            assert!(end <= span.start && span.start < span.end, "{token:?}: {span:?} behind {end}");
            assert_eq!(&bytes[span.range()], &*shown(token, &bytes[span.range()]), "{token:?}");
            end = span.end;
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            assert_eq!(i64::from(scanner.depth()), depth, "{token:?}");
        }
        assert!(end <= scanner.position() && scanner.position() <= bytes.len());
        last_end = scanner.position();
        assert_faults_within(&mut scanner, bytes.len());
    }
    assert_faults_within(&mut scanner, bytes.len());
    assert!(!scanner.is_cut());
    assert!(!scanner.next_game(), "the end is the end");
    assert_eq!(scanner.next_token(), None);
}

fn assert_faults_within(scanner: &mut Scanner<'_>, len: usize) {
    for fault in scanner.faults() {
        assert!(fault.span.start <= fault.span.end && fault.span.end <= len, "{fault:?}");
    }
}

/// A token as its span must show it.
fn shown(token: Token<'_>, span: &[u8]) -> Vec<u8> {
    match token {
        Token::Move(text) | Token::Glyph(text) | Token::Unknown(text) => text.to_vec(),
        Token::Nag(digits) => [b"$", digits].concat(),
        Token::Comment(text) => [b"{", text, b"}"].concat(),
        Token::LineComment(text) => [b";", text].concat(),
        Token::Open => b"(".to_vec(),
        Token::Close => b")".to_vec(),
        // A draw has several spellings.
        Token::Result(_) => span.to_vec(),
    }
}

/// As values, one game after the other, it is the same text.
fn assert_values_agree(bytes: &[u8]) {
    let mut scanner = Scanner::new(bytes);
    for game in pgn::games(bytes) {
        assert!(scanner.next_game());
        assert_eq!(scanner.game_start(), game.span().start);
        assert_eq!(scanner.tags(), game.tags());
        for token in game.movetext() {
            assert_eq!(scanner.next_token(), Some(token));
        }
        assert_eq!(scanner.next_token(), None);
        assert_eq!(scanner.position(), game.span().end);
        assert_eq!(game.place().byte, game.span().start as u64);
    }
    assert!(!scanner.next_game());
}

#[test]
fn hostile_inputs_keep_the_laws() {
    for (_, bytes) in hostile() {
        assert_laws(&bytes);
        assert_values_agree(&bytes);
    }
}

#[test]
fn variations_nest_without_end_and_without_recursion() {
    const DEPTH: usize = 200_000;
    let bytes = format!("1. e4 {}{}e5 *", "(1. d4 ".repeat(DEPTH), ")".repeat(DEPTH));
    let game = pgn::games(bytes.as_bytes()).next().unwrap();
    let mut movetext = game.movetext();
    let (mut deepest, mut main_line) = (0, 0);
    while let Some(token) = movetext.next() {
        deepest = deepest.max(movetext.depth());
        main_line += usize::from(movetext.depth() == 0 && matches!(token, Token::Move(_)));
    }
    assert_eq!((deepest, main_line), (DEPTH as u32, 2));
    assert_eq!(game.faults(), []);
}

#[test]
fn half_a_megabyte_of_anything_is_read_at_once() {
    // What costs the square of its length takes minutes here; a second is more than any of these takes.
    let pieces = [
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "$",
        "*",
        "%",
        ";",
        "\"",
        "\\",
        "\n",
        "\r",
        "a",
        "N",
        "1",
        "1.",
        "-",
        "!",
        "[E \"",
        "{}",
        "\u{a0}",
        "½",
        "\0",
        "<",
        "‹",
        "e4\u{a0}",
        "%\u{feff}",
        "*\u{feff}",
        "-\u{a0}",
        "1.e4",
        "e4",
        "é",
    ];
    for piece in pieces {
        for before in ["", "1. e4 ", "1. e4 * ", "[Event \"x\"]\n"] {
            let bytes = format!("{before}{}", piece.repeat(500_000 / piece.len()));
            let began = Instant::now();
            pgn::games(bytes.as_bytes()).for_each(drop);
            assert!(began.elapsed() < Duration::from_secs(5), "{before:?} and {piece:?}");
        }
    }
}

/// Bytes, more often those that mean something.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let words: Vec<&[u8]> = vec![
        b"\n",
        b"\r\n",
        b"\r",
        b" ",
        b"\t",
        b"[",
        b"]",
        b"[Event \"x\"]\n",
        b"[A \"",
        b"{",
        b"}",
        b"(",
        b")",
        b";",
        b"%",
        b"$",
        b"$1",
        b"*",
        b"1-0",
        b"1/2",
        b"1.",
        b"12...",
        b"e4",
        b"Nf3",
        b"O-O",
        b"0-0",
        b"hello",
        b"!?",
        b"<",
        b">",
        b"\"",
        b"\\",
        b"\0",
        b"\xef\xbb\xbf",
        b"\xc2\xa0",
        b"\xc2\xbd",
        b"\xe2\x80\xa6",
        b"e8",
        b"=Q",
    ];
    let word = prop::sample::select(words).prop_map(<[u8]>::to_vec);
    let byte = any::<u8>().prop_map(|byte| vec![byte]);
    prop::collection::vec(prop_oneof![8 => word, 1 => byte], 0..200).prop_map(|all| all.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_keep_the_laws(bytes in bytes()) {
        assert_laws(&bytes);
        assert_values_agree(&bytes);
    }
}

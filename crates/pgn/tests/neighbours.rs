//! What a caller can ask about the text around the last token.

use pgn::{Outcome, Scanner, Token};

/// Returns a scanner of a game whose last token read is the first one with this text.
#[track_caller]
fn scanner_after<'a>(text: &'a str, last: &str) -> Scanner<'a> {
    let mut scanner = Scanner::new(text.as_bytes());
    assert!(scanner.next_game());
    while &text[scanner.token_span().range()] != last {
        assert!(scanner.next_token().is_some(), "{text}: no token {last}");
    }
    scanner
}

#[test]
fn the_word_ahead_is_the_next_move_or_number_of_the_same_line() {
    let cases = [
        ("1. Nf3 Nc6 *", Some("Nc6")),
        ("1. Nf3 2. d4 *", Some("2.")),
        ("1. Nf3 1-0", Some("1-0")),
        ("1. Nf3 {a} ;b } c\n Nc6 *", Some("Nc6")),
        ("1. Nf3 $1 $23 !? += Nc6 *", Some("Nc6")),
        ("1. Nf3 (1. d4 (1. c4) d5) Nc6 *", Some("Nc6")),
        ("1. Nf3\t\r\n\u{a0}\u{feff}Nc6 *", Some("Nc6")),
        ("1. Nf3{a}Nc6{b}", Some("Nc6")),
        ("1. Nf3 Nc6\u{a0}*", Some("Nc6")),
        ("1. Nf3 hello *", Some("hello")),
        ("1. Nf3 *", Some("*")),
        ("1. Nf3 (1. d4 *) Nc6 *", Some("Nc6")),
        ("1. Nf3 [ Nc6 \"x\"]\n", Some("Nc6")),
        ("1. Nf3\n[Nc6] *", Some("Nc6")),
        ("1. Nf3\n% Nf6 {\n Nc6 *", Some("Nc6")),
        // The line, or the game, ends before a word.
        ("1. d4 (1. Nf3) Nc6 *", None),
        ("1. Nf3 (1. d4", None),
        ("1. Nf3 {Nc6 *", None),
        ("1. Nf3\n[White \"x\"]\n", None),
        ("1. Nf3\n\n1. Nc6 *", None),
        ("1. Nf3 (1. d4\n\n [White \"x\"]\n\n) Nc6 *", None),
        ("1. Nf3 $1", None),
        ("1. Nf3 !", None),
        ("1. Nf3", None),
    ];
    for (text, word) in cases {
        let found = scanner_after(text, "Nf3").word_ahead();
        assert_eq!(found.map(String::from_utf8_lossy).as_deref(), word, "{text}");
    }
    // Text farther away than 256 bytes is not examined.
    for (blanks, word) in
        [(250, Some(&b"Nc6"[..])), (253, Some(b"Nc6")), (254, Some(b"Nc")), (256, None)]
    {
        let text = format!("1. Nf3{}Nc6 *", " ".repeat(blanks));
        assert_eq!(scanner_after(&text, "Nf3").word_ahead(), word, "{blanks}");
    }
}

#[test]
fn a_number_or_the_opening_of_a_variation_precedes_a_move() {
    for text in [
        "1. Nf3", "1.Nf3", "1... Nf3", "1… Nf3", "1 Nf3", "1.\r\n Nf3", "1. \t\x0b\x1a Nf3",
        "e4 (Nf3", "e4 12 Nf3", "e4 {c} 2 Nf3", "2 (1 Nf3",
    ] {
        assert!(scanner_after(text, "Nf3").is_after_number(), "{text}");
    }
    for text in [
        "e4 {1.} Nf3", "e4 a1 Nf3", "e4 $1 Nf3", "e4 $1{c}\n$14\nNf3", "e4 Nf3", "e4 e5 Nf3", "Nf3",
    ] {
        assert!(!scanner_after(text, "Nf3").is_after_number(), "{text}");
    }
}

#[test]
fn the_number_before_a_move_has_dots_of_black_or_not() {
    let cases = [
        ("12. Nf3", Some(("12", false))),
        ("12.Nf3", Some(("12", false))),
        ("e4 e5 12 Nf3", Some(("12", false))),
        ("12... Nf3", Some(("12", true))),
        ("12.. Nf3", Some(("12", true))),
        ("12. ... Nf3", Some(("12", true))),
        ("12… Nf3", Some(("12", true))),
        ("e4 e5 2.\n Nf3", Some(("2", false))),
        ("e4 e5 Nf3", None),
        ("e4 $12 Nf3", None),
        ("e4 ... Nf3", None),
        ("e4 (3. Nf3", Some(("3", false))),
    ];
    for (text, number) in cases {
        let scanner = scanner_after(text, "Nf3");
        let number = number.map(|(digits, has_dots)| (digits.as_bytes(), has_dots));
        assert_eq!(scanner.number_before(), number, "{text}");
    }
}

#[test]
fn digits_directly_before_a_move_are_glued_to_it() {
    // Text, token, digits, and whether a dot precedes the digits.
    let cases = [
        ("3a3", "a3", Some("3"), false),
        ("3. 3a3", "a3", Some("3"), true),
        ("3.12a3", "a3", Some("12"), true),
        ("3... 3a3", "a3", Some("3"), true),
        ("e4 3 3a3", "a3", Some("3"), false),
        ("3 a3", "a3", None, false),
        ("3.a3", "a3", None, true),
        ("e4 a3", "a3", None, false),
        ("a3", "a3", None, false),
        ("e4 {3}a3", "a3", None, false),
        ("e4 (a3", "a3", None, false),
    ];
    for (text, token, digits, is_repeated) in cases {
        let scanner = scanner_after(text, token);
        let found = scanner.glued_digits().map(String::from_utf8_lossy);
        assert_eq!(found.as_deref(), digits, "{text}");
        assert_eq!(scanner.is_number_repeated(), is_repeated, "{text}");
    }
    // The digits of an annotation belong to it.
    assert_eq!(scanner_after("e4 $3{c} d4", "{c}").glued_digits(), None);
    // Text of the previous game does not count.
    let mut scanner = Scanner::new(b"1. d4 * 1. c4 *");
    assert!(scanner.next_game() && scanner.next_game());
    assert_eq!(scanner.next_token(), Some(Token::Move(b"c4")));
    assert!(scanner.is_after_number());
}

/// Reads a game by plain words and comments where possible, as the replay does, and otherwise by
/// tokens.
fn tokens_by_plain_words(text: &[u8]) -> Vec<(String, usize, usize, bool)> {
    let is_san =
        |word: &[u8]| matches!(word, [b'a'..=b'h', b'1'..=b'8'] | [b'N', b'a'..=b'h', b'1'..=b'8']);
    let mut scanner = Scanner::new(text);
    let mut tokens = Vec::new();
    while scanner.next_game() {
        loop {
            let plain_word = |scanner: &Scanner<'_>| {
                scanner.peek_plain_word().filter(|word| is_san(word.text()))
            };
            let (token, is_plain) = if let Some(comment) = scanner.plain_comment() {
                (format!("{:?}", Token::Comment(comment)), true)
            } else if let Some(word) = plain_word(&scanner) {
                scanner.consume(word);
                (format!("{:?}", Token::Move(word.text())), true)
            } else if let Some(token) = scanner.next_token() {
                (format!("{token:?}"), false)
            } else {
                break;
            };
            let span = scanner.token_span();
            tokens.push((token, span.start, span.end, is_plain));
        }
    }
    tokens
}

/// Reads all tokens, one by one.
fn tokens(text: &[u8]) -> Vec<(String, usize, usize)> {
    let mut scanner = Scanner::new(text);
    let mut tokens = Vec::new();
    while scanner.next_game() {
        while let Some(token) = scanner.next_token() {
            let span = scanner.token_span();
            tokens.push((format!("{token:?}"), span.start, span.end));
        }
    }
    tokens
}

#[track_caller]
fn assert_plain_words_are_tokens(text: &[u8]) {
    let plain = tokens_by_plain_words(text).into_iter();
    let plain: Vec<_> = plain.map(|(token, start, end, _)| (token, start, end)).collect();
    assert_eq!(plain, tokens(text), "{}", text.escape_ascii());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_plain_word_or_comment_is_the_next_token(
        pieces in proptest::collection::vec(proptest::sample::select(&[
            "1.", "1. ", "12... ", "1 ", "1a. ", "e4", "e5 ", "Nf3 ", "d4\n", "e4{c}", "{c} ", "{", "\n", "\r\n", "\r", "\n\n", " ", "\t",
            "\n[A \"\"]\n", "\n%x\n", "%", "(", ") ", "*", "1-0 ", "\0", "\u{a0}", "[", ";", "$1 ", "exd5 ", "...",
        ][..]), 0..60),
    ) {
        let text = pieces.concat();
        assert_plain_words_are_tokens(text.as_bytes());
        assert_plain_words_are_tokens(format!("1. e4 {text}{}", " ".repeat(25)).as_bytes());
    }
}

#[test]
fn plain_movetext_is_read_on_the_fast_path() {
    // Each text is followed by enough bytes for a look-ahead; the number of its tokens that are not
    // plain.
    let cases = [
        ("1. e4 e5 2. Nf3 d6 3. d4", 0),
        ("1.e4 e5 2.Nf3", 0),
        ("1. e4 1... e5", 0),
        ("1. e4\ne5\r\n2. Nf3 d6\n3.\nd4", 0),
        ("1. e4 {a} {b}\n{c}\r\n1... e5", 0),
        ("1. e4   e5  2. Nf3", 0),
        ("123. e4 e5", 0),
        // Left to the general scanner.
        ("1 e4 e5", 1),
        ("1.  e4 e5", 1),
        ("1. e4 1a. e5", 1),
        ("1. e4\n\ne5 d4", 1),
        ("1. e4\n%x\ne5 d4", 1),
        ("1. e4{a} e5", 1),
        ("1. e4 (1. d4 d5) e5", 4),
        ("1. e4 $1 e5", 1),
        ("1. e4 !? e5", 1),
        ("1. e4\te5", 1),
    ];
    for (text, expected) in cases {
        let text = format!("{text}{}", " ".repeat(25));
        let tokens = tokens_by_plain_words(text.as_bytes());
        assert_eq!(tokens.iter().filter(|token| !token.3).count(), expected, "{text:?}");
        assert_plain_words_are_tokens(text.as_bytes());
    }
}

#[test]
fn skipping_a_game_returns_its_result_unless_it_was_read() {
    let cases = [
        ("1. e4 e5 1-0", 0, Some(Outcome::WhiteWins)),
        ("1. e4 e5 0-1", 1, Some(Outcome::BlackWins)),
        ("1. e4 {1-0} (1. d4 0-1) ½-½ {c}", 1, Some(Outcome::Draw)),
        ("1. e4 * {c}", 0, Some(Outcome::Unknown)),
        ("1. e4 * {c}", 2, None),
        ("1. e4 e5", 0, None),
        ("*", 0, Some(Outcome::Unknown)),
        ("*", 1, None),
    ];
    for (text, read, outcome) in cases {
        let mut scanner = Scanner::new(text.as_bytes());
        assert!(scanner.next_game());
        for _ in 0..read {
            scanner.next_token();
        }
        assert_eq!(scanner.skip_game(), outcome, "{text}, after {read} tokens");
        assert_eq!((scanner.next_token(), scanner.position()), (None, text.len()), "{text}");
    }
}

#[test]
fn outcomes_are_markers_numbers_and_half_points() {
    let outcomes = [
        (Outcome::WhiteWins, "1-0", Some(2)),
        (Outcome::BlackWins, "0-1", Some(0)),
        (Outcome::Draw, "1/2-1/2", Some(1)),
        (Outcome::Unknown, "*", None),
    ];
    for (outcome, marker, halves) in outcomes {
        assert_eq!(outcome.as_str(), marker);
        assert_eq!(Outcome::of_text(marker.as_bytes()), Some(outcome));
        assert_eq!(Outcome::of_tag(format!(" {marker}\t").as_bytes()), outcome);
        assert_eq!(outcome.halves(), halves);
    }
    for draw in ["1/2", "½-½", "½", "0.5-0.5", "1/2 - 1/2"] {
        assert_eq!(Outcome::of_text(draw.as_bytes()), Some(Outcome::Draw));
    }
    for other in ["", " 1-0", "1-0 ", "0-0", "1", "draw"] {
        assert_eq!(Outcome::of_text(other.as_bytes()), None, "{other}");
    }
    assert_eq!(Outcome::of_tag(b"adjourned"), Outcome::Unknown);
}

#[test]
fn a_game_has_its_place_span_tags_and_faults() {
    let text = "[White \"A\"]\n[White \"B\"]\n\n1. e4 ) *\n\n\n[White \"C\"]\n\n1. d4 (1. c4) *\n";
    let games: Vec<_> = pgn::games(text.as_bytes()).collect();
    let shown: Vec<_> = games
        .iter()
        .map(|game| {
            let faults: Vec<_> = game.diagnostics().iter().map(|fault| fault.span.start).collect();
            (game.place().line, game.place().column, &text[game.span().range()][..12], faults)
        })
        .collect();
    assert_eq!(shown, [(1, 1, "[White \"A\"]\n", vec![31]), (7, 1, "[White \"C\"]\n", vec![])]);
    assert_eq!(games[0].tag("White").as_deref(), Some(&b"A"[..]));
    assert_eq!(games[0].tag("white"), None);
    let mut movetext = games[1].movetext();
    let mut tokens = Vec::new();
    while movetext.next().is_some() {
        tokens.push((&text[movetext.token_span().range()], movetext.depth()));
    }
    assert_eq!(tokens, [("d4", 0), ("(", 1), ("c4", 1), (")", 0), ("*", 0)]);
    assert!(pgn::PgnDiagnosticKind::OpenVariation.loses_text());
    assert!(!pgn::PgnDiagnosticKind::StrayClose.loses_text());
}

//! Laws of the scanner that hold for any bytes.

use pgn::{PgnDiagnosticKind, Scanner, Span, Token};
use proptest::prelude::*;
use testkit::cost::{assert_linear, cost};
use testkit::hostile::hostile;

/// Reads everything and asserts the laws.
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
            assert!(end <= span.start && span.start < span.end, "{token:?}: {span:?} after {end}");
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
    for fault in scanner.diagnostics() {
        assert!(fault.span.start <= fault.span.end && fault.span.end <= len, "{fault:?}");
    }
}

/// Returns the text that the token's span must contain.
fn shown(token: Token<'_>, span: &[u8]) -> Vec<u8> {
    match token {
        Token::Move(text) | Token::Glyph(text) | Token::Unknown(text) => text.to_vec(),
        Token::Nag(digits) => [b"$", digits].concat(),
        Token::Comment(text) if span.starts_with(b"(") => text.to_vec(),
        Token::Comment(text) => [b"{", text, b"}"].concat(),
        Token::LineComment(text) => [b";", text].concat(),
        Token::Open => b"(".to_vec(),
        Token::Close => b")".to_vec(),
        // A result has several spellings, and a number may have dots.
        Token::Result(_) | Token::Number(_) => span.to_vec(),
    }
}

/// Asserts that [`pgn::games`] yields the same games.
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

/// Returns the first byte that is significant to the standard but not in any token, tag pair or
/// fault.
fn lost_byte(bytes: &[u8]) -> Option<usize> {
    let mut covered = vec![false; bytes.len()];
    let place = |part: &[u8]| part.as_ptr().addr() - bytes.as_ptr().addr();
    let mut scanner = Scanner::new(bytes);
    let mut goes_on = true;
    while goes_on {
        goes_on = scanner.next_game();
        for tag in scanner.tags() {
            let end = place(tag.raw_value()) + tag.raw_value().len();
            let rest = String::from_utf8_lossy(&bytes[end..]);
            let closing = rest.find(|c: char| !"\"”] \t".contains(c)).unwrap_or(rest.len());
            let end = (end + closing).min(bytes.len());
            let start = bytes[..place(tag.name())].iter().rposition(|byte| *byte == b'[').unwrap();
            covered[start..end].fill(true);
        }
        while scanner.next_token().is_some() {
            covered[scanner.token_span().range()].fill(true);
        }
        for fault in scanner.diagnostics() {
            if matches!(fault.kind, PgnDiagnosticKind::More | PgnDiagnosticKind::OpenComment) {
                // Further faults are not listed, or the rest of the text is lost.
                return None;
            }
            covered[fault.span.range()].fill(true);
        }
    }
    let mut at = 0;
    while at < bytes.len() {
        let starts_line = at == 0 || matches!(bytes[at - 1], b'\n' | b'\r');
        let rest = &bytes[at..];
        at += match bytes[at] {
            _ if covered[at] => 1,
            b'%' if starts_line => {
                rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len())
            }
            byte if byte.is_ascii_whitespace() || byte.is_ascii_digit() => 1,
            b'.' | 0 | 0x0b | 0x1a | 0xa0 => 1,
            // A comment between tag pairs.
            b';' => rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len()),
            _ => {
                let start = std::str::from_utf8(&rest[..rest.len().min(3)]);
                let blanks = |c: char| {
                    c.is_whitespace()
                        || "…\u{feff}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2060}".contains(c)
                };
                let chars = match start {
                    Ok(text) => text.chars().next(),
                    Err(error) => {
                        std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap().chars().next()
                    }
                };
                match chars.filter(|c| blanks(*c)) {
                    Some(c) => c.len_utf8(),
                    None => return Some(at),
                }
            }
        };
    }
    None
}

#[test]
fn every_byte_is_in_a_token_a_tag_or_a_fault() {
    let texts = hostile().into_iter().map(|(_, bytes)| bytes).filter(|bytes| bytes.len() < 50_000);
    for bytes in texts {
        assert_eq!(lost_byte(&bytes), None, "{}", bytes.escape_ascii());
    }
}

proptest! {
    #[test]
    fn no_byte_of_any_text_is_lost(bytes in prop::collection::vec(
        prop_oneof![9 => prop::sample::select(b" \n\r\t{}()[]];%$\"\\!?+-#=*./0123e4NfKO<>EW".to_vec()), 1 => 0..0x80_u8], 0..200
    )) {
        let lost = lost_byte(&bytes);
        prop_assert_eq!(lost, None, "{}", bytes.escape_ascii());
    }
}

#[test]
fn variations_nest_to_any_depth_without_recursion() {
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
    assert_eq!(game.diagnostics(), []);
}

#[test]
fn scan_time_is_linear_for_repeated_fragments() {
    // Quadratic cost would take minutes here; each case takes less than a second.
    let pieces = [
        "[", "]", "{", "}", "(", ")", "$", "*", "%", ";", "\"", "\\", "\n", "\r", "a", "N", "1",
        "1.", "-", "!", "[E \"", "{}", "\u{a0}", "½", "\0", "<", "‹", "e4\u{a0}", "%\u{feff}",
        "*\u{feff}", "-\u{a0}", "1.e4", "e4", "é",
    ];
    let games_of_one_line = [
        "[E \"x\"] 1. e4 * ",
        "[E \"x\"]* ",
        "[E \"\\\\\"] 1. e4 1-0 ",
        "[E x] 1. e4 * ",
        "[E \"a \"b\" c\"] 1. e4 * ",
        "1. e4 {c} (d4) * ",
    ];
    for piece in pieces.into_iter().chain(games_of_one_line) {
        for before in ["", "1. e4 ", "1. e4 * ", "[Event \"x\"]\n"] {
            assert_linear(&format!("{before:?} and {piece:?}"), 5_000, |pieces| {
                let bytes = format!("{before}{}", piece.repeat(pieces));
                [cost(|| pgn::games(bytes.as_bytes()).for_each(drop))]
            });
        }
    }
}

/// Bytes, weighted towards those with a meaning.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let words: Vec<&[u8]> = vec![
        b"\n", b"\r\n", b"\r", b" ", b"\t", b"[", b"]", b"[Event \"x\"]\n", b"[A \"", b"{", b"}",
        b"(", b")", b";", b"%", b"$", b"$1", b"*", b"1-0", b"1/2", b"1.", b"12...", b"e4", b"Nf3",
        b"O-O", b"0-0", b"hello", b"!?", b"<", b">", b"\"", b"\\", b"\0", b"\xef\xbb\xbf",
        b"\xc2\xa0", b"\xc2\xbd", b"\xe2\x80\xa6", b"e8", b"=Q",
    ];
    let word = prop::sample::select(words).prop_map(<[u8]>::to_vec);
    let byte = any::<u8>().prop_map(|byte| vec![byte]);
    prop::collection::vec(prop_oneof![8 => word, 1 => byte], 0..200).prop_map(|all| all.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(3000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_keep_the_laws(bytes in bytes()) {
        assert_laws(&bytes);
        assert_values_agree(&bytes);
    }
}

#[test]
fn the_loss_of_text_is_reported_however_many_faults_come_before() {
    for faults in [0, 99, 100, 101, 500] {
        let text = format!("1. e4 {} {{never closed", ") ".repeat(faults));
        let mut scanner = Scanner::new(text.as_bytes());
        assert!(scanner.next_game());
        while scanner.next_token().is_some() {}
        let kinds: Vec<PgnDiagnosticKind> = scanner.diagnostics().map(|fault| fault.kind).collect();
        let count = |wanted| kinds.iter().filter(|kind| **kind == wanted).count();
        assert_eq!(count(PgnDiagnosticKind::StrayClose), faults.min(100), "{faults}");
        assert_eq!(count(PgnDiagnosticKind::More), usize::from(faults > 100), "{faults}");
        assert_eq!(kinds.last(), Some(&PgnDiagnosticKind::OpenComment), "{faults}");
    }
}

#[test]
fn move_number_one_after_an_empty_line_in_a_variation_does_not_begin_a_game() {
    let moves_of = |text: &str| -> Vec<usize> {
        let games = pgn::games(text.as_bytes());
        games.map(|game| game.movetext().filter(|t| matches!(t, Token::Move(_))).count()).collect()
    };
    assert_eq!(moves_of("1. e4 e5\n\n1. d4 d5 *"), [2, 2]);
    assert_eq!(moves_of("1. e4 (\n\n1. d4 d5) e5 *"), [4]);
    assert_eq!(moves_of("1. e4 e5 (1... c5\n\n1. d4) 2. Nf3 *"), [5]);
    assert_eq!(moves_of("1. e4 e5 (1... c5 (1... d5)\n\n1 d4) 2. Nf3 *"), [6]);
}

#[test]
fn a_game_that_ends_with_the_text_without_a_result_or_a_line_end_is_reported() {
    let is_reported = |text: &str| {
        let mut scanner = Scanner::new(text.as_bytes());
        while scanner.next_game() {}
        scanner.diagnostics().any(|fault| fault.kind == PgnDiagnosticKind::TruncatedGame)
    };
    let tags = "[White \"A\"]\n\n";
    for text in ["1. e4 e5 2. Nf", "1. e4 e5 2. Nf3", "1. e4 (1. d4 d5", "1. e4 e5 2."] {
        assert!(is_reported(&format!("{tags}{text}")), "{text}");
        assert!(!is_reported(&format!("{tags}{text}\n")), "{text}");
        // A list of moves without tags needs neither.
        assert!(!is_reported(text), "{text}");
    }
    for text in ["1. e4 *", "1. e4 {a}", "1. e4 1-0 {end}", "1. e4 e5\n\n[White \"B\"]\n\n1. d4 *"]
    {
        assert!(!is_reported(&format!("{tags}{text}")), "{text}");
    }
}

#[test]
fn text_before_a_game_does_not_count_towards_the_limit_of_its_faults() {
    for before in ["text ", "{comment} ", "{comment}\n[White \"x\"]\n"] {
        let text = format!("{before}1. e4 {} *", ")".repeat(100));
        let mut scanner = Scanner::new(text.as_bytes());
        assert!(scanner.next_game());
        scanner.limit_preamble(3);
        while scanner.next_token().is_some() {}
        let kinds: Vec<PgnDiagnosticKind> = scanner.diagnostics().map(|fault| fault.kind).collect();
        assert_eq!(kinds[0], PgnDiagnosticKind::TextOutsideGames, "{before}");
        assert_eq!(kinds[1..], [PgnDiagnosticKind::StrayClose; 100], "{before}");
    }
}

#[test]
fn comments_above_the_limit_do_not_belong_to_a_game_and_are_reported() {
    let text = "{0123456789} {abc}\n1. e4 *";
    for (limit, is_kept) in [(100, true), (19, true), (18, false), (0, false)] {
        let mut scanner = Scanner::new(text.as_bytes());
        assert!(scanner.next_game());
        scanner.limit_preamble(limit);
        let reported: Vec<_> =
            scanner.diagnostics().map(|found| (found.kind, found.span)).collect();
        let first = scanner.next_token();
        if is_kept {
            assert_eq!((scanner.game_start(), first), (0, Some(Token::Comment(b"0123456789"))));
            assert_eq!(reported, []);
        } else {
            assert_eq!((scanner.game_start(), first), (19, Some(Token::Move(b"e4"))));
            let span = Span { start: 0, end: 19 };
            assert_eq!(reported, [(PgnDiagnosticKind::TextOutsideGames, span)], "{limit}");
        }
    }
}

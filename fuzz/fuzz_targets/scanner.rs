//! For any text, tokens are in order and inside the text, and skipping a game, from its beginning or
//! after some tokens, ends at the same byte as reading it, with the same result and faults.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn::{Outcome, Scanner, Token};

/// Reads the rest of a game, inside of `depth` variations; returns the result of the main line.
fn read(scanner: &mut Scanner<'_>, mut depth: u32, end: usize) -> Option<Outcome> {
    let (mut outcome, mut at) = (None, scanner.game_start());
    while let Some(token) = scanner.next_token() {
        let span = scanner.token_span();
        assert!(at <= span.start && span.start < span.end && span.end <= end);
        at = span.end;
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Result(result) if depth == 0 => outcome = Some(result),
            _ => {}
        }
    }
    outcome
}

fuzz_target!(|text: &[u8]| {
    for taken in [0, 1, 4] {
        let (mut reading, mut skipping) = (Scanner::new(text), Scanner::new(text));
        while reading.next_game() {
            assert!(skipping.next_game());
            assert_eq!(reading.game_start(), skipping.game_start());
            let mut depth = 0;
            for _ in 0..taken {
                let token = reading.next_token();
                assert_eq!(token, skipping.next_token());
                match token {
                    Some(Token::Open) => depth += 1,
                    Some(Token::Close) => depth -= i32::from(depth > 0),
                    _ => {}
                }
            }
            assert_eq!(skipping.skip_game(), read(&mut reading, depth as u32, text.len()));
            assert_eq!(reading.position(), skipping.position());
            assert!(reading.diagnostics().eq(skipping.diagnostics()));
        }
        assert!(!skipping.next_game());
    }
});

//! For any text, tokens are in order and inside the text, and skipping a game ends at the same byte
//! as reading it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn::Scanner;

fuzz_target!(|text: &[u8]| {
    let (mut reading, mut skipping) = (Scanner::new(text), Scanner::new(text));
    while reading.next_game() {
        assert!(skipping.next_game());
        assert_eq!(reading.game_start(), skipping.game_start());
        let mut end = reading.game_start();
        while reading.next_token().is_some() {
            let span = reading.token_span();
            assert!(end <= span.start && span.start < span.end && span.end <= text.len());
            end = span.end;
        }
    }
    assert!(!skipping.next_game());
});

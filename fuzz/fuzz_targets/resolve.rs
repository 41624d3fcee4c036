//! Any token is a legal move, whose SAN and UCI are read as the same move, or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use san::{Position, resolve, san_of, uci_of};

fuzz_target!(|text: &[u8]| {
    let (fen, tokens) = match text.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (&b""[..], text),
    };
    let mut position = Position::from_fen(fen).unwrap_or_default();
    for token in tokens.split(|byte| *byte == b' ') {
        if let Ok(next) = resolve(&position, token) {
            assert!(position.legal_moves().contains(&next));
            assert_eq!(resolve(&position, san_of(&position, next).as_bytes()), Ok(next));
            assert_eq!(resolve(&position, uci_of(next).as_bytes()), Ok(next));
            position.play_unchecked(next);
        }
    }
});

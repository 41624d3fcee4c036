//! Any text is a legal position, which is written and read back unchanged, or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use san::{Position, Setup};

fuzz_target!(|fen: &[u8]| {
    if let Ok(position) = Position::from_fen(fen) {
        assert_eq!(Position::from_fen(position.to_string()), Ok(position));
    }
    if let Ok(mut setup) = Setup::from_fen(fen) {
        setup.repair();
        assert_eq!(setup.repair(), []);
    }
});

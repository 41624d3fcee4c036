//! Whatever the bytes: they are read or refused, and on a thread of their own they are read as here.
#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::fuzz_target;
use pgn::Source;

/// Of a text no more is read: what is small may be packed from much.
const MOST: u64 = 1 << 20;

/// The name and the text of each file, whether it could be read to its end, and whether all files could be found.
type Texts = (Vec<(Option<String>, Vec<u8>, bool)>, bool);

fn texts(mut source: Source<'_>) -> Texts {
    let mut texts = Vec::new();
    loop {
        let mut text = match source.next_text() {
            Ok(Some(text)) => text,
            end => return (texts, end.is_ok()),
        };
        let name = text.name().map(str::to_owned);
        let mut bytes = Vec::new();
        let is_whole = (&mut text).take(MOST).read_to_end(&mut bytes).is_ok();
        texts.push((name, bytes, is_whole));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::new(bytes) else { return };
    let here = texts(source);
    // No bytes at all are one empty text.
    assert!(here.0.len() <= bytes.len().max(1));
    // Behind the thread what is wrong from the beginning comes later.
    if let Ok(ahead) = Source::ahead(Cursor::new(bytes.to_vec())) {
        assert_same(texts(ahead), here);
    }
});

/// Of what is damaged, how much is read before the damage is found depends on the pieces in which it is read: a decoder gives
/// nothing of the piece in which it finds it.
fn assert_same(mut ahead: Texts, mut here: Texts) {
    assert_eq!(ahead.0.len(), here.0.len());
    for ((_, ahead, _), (_, here, is_whole)) in ahead.0.iter_mut().zip(&mut here.0) {
        if !*is_whole {
            let both = ahead.len().min(here.len());
            ahead.truncate(both);
            here.truncate(both);
        }
    }
    assert_eq!(ahead, here);
}

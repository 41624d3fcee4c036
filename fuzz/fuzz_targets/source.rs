//! Any bytes are read or refused, with the same result on a separate thread.
#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::fuzz_target;
use stream::source::Source;

/// The maximum number of bytes read from a text, since small files may contain large texts.
const MOST: u64 = 1 << 20;

/// The name and the text of each file, whether it could be read to its end, and whether all files
/// could be found.
type Texts = (Vec<(Option<String>, Vec<u8>, bool)>, bool);

fn texts(mut source: Source<'_>) -> Texts {
    let mut texts = Vec::new();
    loop {
        let mut text = match source.next_text() {
            Ok(Some(text)) => text,
            end => return (texts, end.is_ok()),
        };
        let name = text.name.clone();
        let mut bytes = Vec::new();
        let is_whole = (&mut text).take(MOST).read_to_end(&mut bytes).is_ok();
        texts.push((name, bytes, is_whole));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::new(bytes) else { return };
    let here = texts(source);
    // Empty input is one empty text.
    assert!(here.0.len() <= bytes.len().max(1));
    // With the thread, errors at the beginning are reported later.
    if let Ok(ahead) = Source::ahead(Cursor::new(bytes.to_vec())) {
        assert_same(texts(ahead), here);
    }
});

/// How much of a damaged file is read before the damage is found depends on the sizes of the reads:
/// a decoder does not return data of the read in which it finds the damage.
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

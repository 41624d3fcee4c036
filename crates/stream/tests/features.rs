//! Which formats are read depends on the features; the others are named.

use std::io::{Cursor, Read};

use stream::source::Source;
use testkit::pack;

const TEXT: &[u8] = b"[Event \"One\"]\n\n1. e4 e5 *\n";

/// The text of the input, or its error.
fn text(source: std::io::Result<Source<'_>>) -> Result<Vec<u8>, String> {
    let read = |mut source: Source<'_>| {
        let mut bytes = Vec::new();
        source.next_text()?.expect("one text").read_to_end(&mut bytes).map(|_| bytes)
    };
    source.and_then(read).map_err(|error| error.to_string())
}

#[test]
fn a_format_is_read_or_its_missing_feature_is_named() {
    let members = [("games.pgn", TEXT)];
    let inputs = [
        ("gzip", cfg!(feature = "gzip"), pack::gzip(TEXT)),
        ("gzip", cfg!(feature = "gzip"), pack::bgzf(TEXT, 10)),
        ("bzip2", cfg!(feature = "bzip2"), pack::bzip2(TEXT)),
        ("zstd", cfg!(feature = "zstd"), pack::zstd(TEXT)),
        ("zstd", cfg!(feature = "zstd"), pack::zstd_frames(TEXT, 7)),
        ("xz", cfg!(feature = "xz"), pack::xz(TEXT)),
        ("zip", cfg!(feature = "zip"), pack::zip(&members)),
        ("7z", cfg!(feature = "7z"), pack::seven_zip(&members)),
    ];
    for (feature, is_read, packed) in inputs {
        let expected = match is_read {
            true => Ok(TEXT.to_vec()),
            false => Err(format!(
                "this is a {feature} file, and this program was built without the feature `{feature}`"
            )),
        };
        assert_eq!(text(Source::new(&packed[..])), expected, "{feature}");
        assert_eq!(text(Source::ahead(Cursor::new(packed.clone()))), expected, "{feature}, ahead");
        assert_eq!(text(Source::file(Cursor::new(packed))), expected, "{feature}, file");
    }
}

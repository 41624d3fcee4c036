//! Every kind of packed input yields its text, or the text up to the damage and an error.

use std::io::{self, Read};
use std::path::Path;

use proptest::prelude::*;
use stream::compress::Compression;
use stream::source::{Source, SourceError};
use testkit::generate::{Generator, Style};
use testkit::pack::{self, PACKERS};

const TEXT: &[u8] = b"[Event \"One\"]\n\n1. e4 e5 *\n\n[Event \"Two\"]\n\n1. d4 d5 *\n";

/// A reader that returns one byte at a time.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(&mut buffer[..1.min(self.0.len())])
    }
}

/// The texts of an input with their names, each up to its error, and the error of the whole input.
type Texts = (Vec<(Option<String>, Vec<u8>, Option<String>)>, Option<String>);

fn texts(source: io::Result<Source<'_>>) -> Texts {
    let mut texts = Vec::new();
    let mut source = match source {
        Ok(source) => source,
        Err(error) => return (texts, Some(error.to_string())),
    };
    loop {
        let mut text = match source.next_text() {
            Ok(Some(text)) => text,
            Ok(None) => return (texts, None),
            Err(error) => return (texts, Some(error.to_string())),
        };
        let mut bytes = Vec::new();
        let outcome = text.read_to_end(&mut bytes);
        let name = text.name.clone();
        texts.push((name, bytes, outcome.err().map(|error| error.to_string())));
    }
}

/// The only text.
#[track_caller]
fn text(bytes: &[u8]) -> (Vec<u8>, Option<String>) {
    let here = texts(Source::new(bytes));
    let ahead = texts(Source::ahead(io::Cursor::new(bytes.to_vec())));
    let (mut all, error) = here.clone();
    if all.is_empty() {
        return (Vec::new(), error);
    }
    assert_eq!((all.len(), error), (1, None));
    assert_eq!(here, ahead, "same result on a separate thread");
    let (_, text, error) = all.remove(0);
    (text, error)
}

#[test]
fn every_compression_format_yields_the_same_text() {
    for (name, packer) in PACKERS {
        let packed = packer(TEXT);
        assert_eq!(text(&packed), (TEXT.to_vec(), None), "{name}");
        let mut source = Source::new(Drops(&packed)).unwrap();
        let mut slow = Vec::new();
        source.next_text().unwrap().unwrap().read_to_end(&mut slow).unwrap();
        assert_eq!(slow, TEXT, "{name}");
    }
    assert_eq!(text(TEXT), (TEXT.to_vec(), None));
    assert_eq!(text(b""), (Vec::new(), None));
}

#[test]
fn a_source_is_plain_if_its_bytes_are_the_text() {
    let utf_16: Vec<u8> = "\u{feff}1. e4 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, is_plain) in
        [(TEXT.to_vec(), true), (Vec::new(), true), (pack::gzip(TEXT), false), (utf_16, false)]
    {
        assert_eq!(Source::new(&bytes[..]).unwrap().is_plain, is_plain, "{bytes:?}");
    }
    assert!(!Source::new(&pack::zip(&[("a.pgn", TEXT)])[..]).unwrap().is_plain);
}

#[test]
fn a_compression_has_the_suffix_that_states_it() {
    for (text, suffix) in [("zstd:3", "zst"), ("gzip:6", "gz")] {
        let compression: Compression = text.parse().unwrap();
        assert_eq!(compression.suffix(), suffix);
        let path = Path::new("x.epd").with_extension(suffix);
        assert_eq!(Compression::of_suffix(&path), Some(compression));
    }
}

#[test]
fn concatenated_members_and_frames_are_one_text() {
    let (first, second) = TEXT.split_at(20);
    for (name, packer) in PACKERS {
        let packed = [packer(first), packer(b""), packer(second)].concat();
        assert_eq!(text(&packed), (TEXT.to_vec(), None), "{name}");
    }
    let skippable: &[u8] = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
    let packed = [skippable, &pack::zstd(first), skippable, &pack::zstd(second)].concat();
    assert_eq!(text(&packed), (TEXT.to_vec(), None));
}

#[test]
fn pgn_files_of_an_archive_are_texts_in_archive_order() {
    let files: &[(&str, &[u8])] = &[
        ("b.pgn", TEXT),
        ("folder/A.PGN", b"1. d4 *"),
        ("readme.txt", b"no games"),
        ("../../up.pgn", b"1. c4 *"),
        ("pgn", b"no games"),
    ];
    let expected: Vec<_> = files
        .iter()
        .filter(|(name, _)| name.to_lowercase().ends_with(".pgn"))
        .map(|(name, bytes)| (Some((*name).to_owned()), bytes.to_vec(), None))
        .collect();
    for archive in [pack::zip(files), pack::seven_zip(files)] {
        assert_eq!(texts(Source::new(&archive[..])), (expected.clone(), None));
        assert_eq!(texts(Source::ahead(io::Cursor::new(archive))), (expected.clone(), None));
    }
}

#[test]
fn a_member_of_an_archive_may_be_skipped() {
    let files: &[(&str, &[u8])] = &[("a.pgn", TEXT), ("b.pgn", b"1. d4 *")];
    for archive in [pack::zip(files), pack::seven_zip(files)] {
        let mut source = Source::new(&archive[..]).unwrap();
        assert_eq!(source.next_text().unwrap().unwrap().name.as_deref(), Some("a.pgn"));
        assert_eq!(source.next_text().unwrap().unwrap().name.as_deref(), Some("b.pgn"));
        assert!(source.next_text().unwrap().is_none());
    }
}

#[test]
fn the_other_members_of_an_archive_are_counted_and_the_first_three_named() {
    let mut files: Vec<(&str, &[u8])> = vec![("a.txt", b""), ("a.pgn", TEXT), ("b.txt", b"x")];
    files.extend(["c.txt", "d.txt", "e.txt"].map(|name| (name, &b""[..])));
    // The number of members, and how those that are not read are shown.
    let cases = [
        (2, "a.txt"),
        (4, "a.txt, b.txt, c.txt"),
        (5, "a.txt, b.txt, c.txt and 1 more"),
        (6, "a.txt, b.txt, c.txt and 2 more"),
    ];
    for (members, shown) in cases {
        for archive in [pack::zip(&files[..members]), pack::seven_zip(&files[..members])] {
            let mut source = Source::new(&archive[..]).unwrap();
            while let Some(mut text) = source.next_text().unwrap() {
                text.read_to_end(&mut Vec::new()).unwrap();
            }
            let skipped = source.skipped();
            assert_eq!((skipped.count, &*skipped.to_string()), (members as u64 - 1, shown));
        }
    }
    assert_eq!(Source::new(TEXT).unwrap().skipped().count, 0);
}

#[test]
fn a_file_is_read_from_its_position() {
    for packed in [TEXT.to_vec(), pack::gzip(TEXT)] {
        let mut file = io::Cursor::new([&b"before"[..], &packed].concat());
        file.set_position(6);
        let mut text = Vec::new();
        Source::file(file).unwrap().next_text().unwrap().unwrap().read_to_end(&mut text).unwrap();
        assert_eq!(text, TEXT);
    }
}

#[test]
fn a_format_is_found_without_losing_a_byte() {
    let cases: [(&[u8], &str); 12] = [
        (b"1. e4", "text"),
        (b"", "text"),
        (b"\xff\xfe1\0", "UTF-16"),
        (b"\xfe\xff\x001", "UTF-16"),
        (b"\xff\xfe\0\0", "UTF-32"),
        (b"\x1f\x8b rest", "gzip"),
        (b"BZh91AY", "bzip2"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\x5f\x2a\x4d\x18", "zstd"),
        (b"\xfd7zXZ\0", "xz"),
        (b"PK\x05\x06", "zip"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
    ];
    for (bytes, name) in cases {
        let (mut reader, format) = stream::source::sniff(bytes).unwrap();
        assert_eq!(format.to_string(), name);
        let mut all = Vec::new();
        reader.read_to_end(&mut all).unwrap();
        assert_eq!(all, bytes, "{name}");
    }
}

#[test]
fn members_of_the_same_name_are_all_read() {
    let mut archive = pack::zip(&[("a.pgn", TEXT), ("b.pgn", b"1. d4 *"), ("c.pgn", b"1. c4 *")]);
    for at in 0..archive.len() - 5 {
        if archive[at..].starts_with(b"b.pgn") || archive[at..].starts_with(b"c.pgn") {
            archive[at] = b'a';
        }
    }
    let (texts, error) = texts(Source::new(&archive[..]));
    assert_eq!(error, None);
    let mut found: Vec<_> =
        texts.into_iter().map(|(name, text, _)| (name.unwrap(), text)).collect();
    found.sort();
    let texts = [&b"1. c4 *"[..], b"1. d4 *", TEXT];
    assert_eq!(found, texts.map(|text| ("a.pgn".to_owned(), text.to_vec())));
}

#[test]
fn an_archive_without_games_is_an_error() {
    for (name, archive) in
        [("zip", pack::zip(&[("a.txt", TEXT)])), ("7z", pack::seven_zip(&[("a.txt", TEXT)]))]
    {
        let suffixes = ".pgn, .epd, .fen, .csv, .jsonl, .plain or .fns";
        let expected = format!("no {suffixes} file in this {name} archive");
        assert_eq!(texts(Source::new(&archive[..])), (vec![], Some(expected)));
    }
}

#[test]
fn excessive_memory_demands_are_rejected_with_the_limit() {
    let refused = |format: &str, limit: u32| {
        format!(
            "decompressing this {format} data takes more than {limit} MiB of memory: decompress it first with another program"
        )
    };
    assert_eq!(text(&pack::zstd_long(TEXT)), (vec![], Some(refused("zstd", 128))));
    let mut xz = pack::xz(TEXT);
    ask_xz_for_4_gib(&mut xz);
    assert_eq!(text(&xz), (vec![], Some(refused("xz", 512))));
    // With one file the header is stored, with many it is compressed: both state dictionary sizes.
    for (files, is_packed) in [(1, false), (200, true)] {
        let names: Vec<String> = (0..files).map(|number| format!("{number}.pgn")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, TEXT)).collect();
        let mut archive = pack::seven_zip(&files);
        assert_eq!(archive[header(&archive).start] == 0x17, is_packed);
        ask_for_4_gib(&mut archive);
        assert_eq!(texts(Source::new(&archive[..])), (vec![], Some(refused("7z", 512))));
    }
}

/// Range of the header in a 7z archive.
fn header(archive: &[u8]) -> std::ops::Range<usize> {
    let number = |at: usize| u64::from_le_bytes(*archive[at..].first_chunk().unwrap()) as usize;
    32 + number(12)..32 + number(12) + number(20)
}

/// Changes the dictionary size in the header: that of LZMA, or the exponent of LZMA2.
fn ask_for_4_gib(archive: &mut [u8]) {
    let range = header(archive);
    let header = &mut archive[range];
    let find = |header: &[u8], bytes: &[u8]| header.windows(bytes.len()).position(|w| w == bytes);
    if let Some(at) = find(header, b"\x03\x01\x01\x05") {
        header[at + 5..at + 9].fill(0xff);
    } else {
        let at = find(header, b"\x21\x21\x01").unwrap();
        header[at + 3] = 40;
    }
    let checksum = crc32(header).to_le_bytes();
    archive[28..32].copy_from_slice(&checksum);
    let checksum = crc32(&archive[12..32]).to_le_bytes();
    archive[8..12].copy_from_slice(&checksum);
}

/// Changes the exponent of the dictionary size in the header of the first block, which is after 12
/// bytes of stream header.
fn ask_xz_for_4_gib(xz: &mut [u8]) {
    let header = &mut xz[12..24];
    assert_eq!(header[..4], [2, 0, 0x21, 1], "a short header with LZMA2 as the only filter");
    header[4] = 40;
    let checksum = crc32(&header[..8]).to_le_bytes();
    header[8..].copy_from_slice(&checksum);
}

fn crc32(bytes: &[u8]) -> u32 {
    let bit = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), bit))
}

#[test]
fn nested_compression_is_read_up_to_the_limit() {
    let twice = pack::xz(&pack::gzip(TEXT));
    assert_eq!(text(&twice), (TEXT.to_vec(), None));
    let mut often = TEXT.to_vec();
    for _ in 0..4 {
        often = pack::zstd(&often);
    }
    let (_, error) = text(&often);
    assert_eq!(error.as_deref(), Some("it is compressed more than 3 times"));
    let archive = pack::gzip(&pack::zip(&[("a.pgn", TEXT)]));
    let (_, error) = text(&archive);
    assert_eq!(error.as_deref(), Some("it contains a zip archive; unpack it first"));
}

#[test]
fn utf_16_may_be_compressed_and_packed() {
    let units = std::str::from_utf8(TEXT).unwrap().encode_utf16();
    let utf_16: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
    assert_eq!(text(&pack::bzip2(&utf_16)).0, TEXT);
    let (texts, _) = texts(Source::new(&pack::zip(&[("a.pgn", &utf_16)])[..]));
    assert_eq!(texts[0].1, TEXT);
}

#[test]
fn truncated_input_yields_its_beginning_and_an_error() {
    for (name, packer) in PACKERS {
        let packed = packer(TEXT);
        for len in 6..packed.len() {
            let (text, error) = text(&packed[..len]);
            assert!(TEXT.starts_with(&text), "{name} {len}");
            let error = error.unwrap_or_else(|| panic!("{name} {len}: no error"));
            assert!(error.ends_with("data ends too early"), "{name} {len}: {error}");
        }
    }
}

#[test]
fn a_truncated_zip_yields_the_files_before_the_truncation() {
    let archive = pack::zip(&[("a.pgn", TEXT), ("b.pgn", b"1. d4 *")]);
    for len in 6..archive.len() {
        let (texts, error) = texts(Source::new(&archive[..len]));
        for ((_, text, _), whole) in texts.iter().zip([TEXT, b"1. d4 *"]) {
            assert!(whole.starts_with(text), "{len}");
        }
        let failed = texts.iter().any(|(.., error)| error.is_some());
        assert!(failed || error.is_some(), "{len}: no error");
    }
    let (texts, _) = texts(Source::new(&archive[..archive.len() - 10]));
    assert_eq!(texts.len(), 2);
    assert!(texts.iter().all(|(.., error)| error.is_none()), "{texts:?}");
}

#[test]
fn a_damaged_zip_member_does_not_affect_the_others() {
    let mut archive = pack::zip(&[("a.pgn", TEXT), ("b.pgn", b"1. d4 *")]);
    // Inside the data of the first file.
    archive[70] ^= 0xff;
    let (texts, error) = texts(Source::new(&archive[..]));
    assert_eq!(error, None);
    let fault = texts[0].2.as_deref().unwrap();
    assert!(fault.starts_with("the zip data is damaged"), "{fault}");
    assert_eq!(texts[1], (Some("b.pgn".to_owned()), b"1. d4 *".to_vec(), None));
}

#[test]
fn damaged_input_is_read_up_to_a_few_kilobytes_before_the_damage() {
    let games = Generator::text(Style::Plain, 5, 400_000);
    let mut gzip = pack::gzip(&games);
    let middle = gzip.len() / 2;
    gzip[middle..middle + 64].fill(0xff);
    // As much as a decoder returns when read byte by byte.
    let decoder = io::BufReader::with_capacity(1, flate2::read::GzDecoder::new(&gzip[..]));
    let all = decoder.bytes().map_while(Result::ok).count();
    assert!((100_000..390_000).contains(&all), "{all}");

    let mut zip = pack::zip(&[("a.pgn", &games)]);
    let middle = zip.len() / 2;
    zip[middle..middle + 64].fill(0xff);
    let (texts, _) = texts(Source::new(&zip[..]));
    for (text, error) in [text(&gzip), (texts[0].1.clone(), texts[0].2.clone())] {
        assert!(error.is_some_and(|error| error.contains("damaged")));
        assert!(text.len() + 4096 >= all, "{} of {all} bytes", text.len());
        assert!(text[..100_000] == games[..100_000]);
    }
}

#[test]
fn the_error_is_a_source_error() {
    let error = Source::new(&b"\0\0\xfe\xff"[..]).unwrap_err();
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<SourceError>());
    assert!(matches!(inner, Some(SourceError::NotRead(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn damage_is_an_error_or_harmless_and_never_a_panic(
        which in 0usize..6,
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let files: &[(&str, &[u8])] = &[("a.pgn", TEXT), ("b.pgn", TEXT)];
        let mut packed = match which {
            0..4 => PACKERS[which].1(TEXT),
            4 => pack::zip(files),
            _ => pack::seven_zip(files),
        };
        for (at, flip) in flips {
            let at = at.index(packed.len());
            packed[at] ^= flip;
        }
        let len = packed.len();
        packed.truncate(len - cut.index(len / 4));
        let (texts, _) = texts(Source::new(&packed[..]));
        prop_assert!(texts.len() <= 2);
    }
}

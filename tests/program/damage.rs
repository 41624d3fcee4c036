//! Compressed files whose damage is found at their end: text from the first error on is not
//! trusted.

use testkit::pack;
use testkit::program::Outcome;

use super::{GOOD, RECORDS};
use crate::support::program;

const CHECKSUM: &str =
    "the gzip data is damaged: corrupt gzip stream does not have a matching checksum";

/// A gzip file of a text in stored blocks, with the checksum of another text of the same length.
fn gzip_with_checksum_of(text: &[u8], original: &[u8]) -> Vec<u8> {
    assert_eq!(text.len(), original.len());
    let mut file = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    let mut blocks = text.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let len = block.len() as u16;
        file.push(blocks.peek().is_none().into());
        file.extend(len.to_le_bytes());
        file.extend((!len).to_le_bytes());
        file.extend(block);
    }
    let whole = pack::gzip(original);
    file.extend(&whole[whole.len() - 8..]);
    file
}

/// A number of games, three lines each. In the damaged text, games from the 500th on have an
/// illegal move.
fn games() -> (String, String) {
    let game = |number: usize| format!("[Event \"{number:05}\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
    let whole: Vec<String> = (1..=2000).map(game).collect();
    let damaged = whole[499..].concat().replace("Nc6", "Nc1");
    (whole.concat(), whole[..499].concat() + &damaged)
}

fn run(name: &str, file: &[u8], args: &[&str]) -> Outcome {
    program().file(name, file).args(args).run()
}

#[test]
fn an_intact_file_is_read_like_the_plain_one() {
    let (_, with_errors) = games();
    let packed = gzip_with_checksum_of(with_errors.as_bytes(), with_errors.as_bytes());
    let plain = run("x", with_errors.as_bytes(), &["x"]);
    assert_eq!(plain.status, 1);
    for outcome in [
        run("x", &packed, &["x"]),
        run("x", &packed, &["--on-damage", "keep", "x"]),
        run("x", &pack::zip(&[("a.pgn", with_errors.as_bytes())]), &["x"]),
    ] {
        assert_eq!(outcome.status, 1);
        assert_eq!(outcome.stdout, plain.stdout);
        let problems = |outcome: &Outcome| {
            let lines = outcome.stderr.lines().filter(|line| line.contains("illegal"));
            lines.map(|line| line.replace("x/a.pgn", "x")).collect::<Vec<_>>()
        };
        assert_eq!(problems(&outcome), problems(&plain));
    }
}

#[test]
fn games_before_the_first_error_are_used_and_the_damage_is_one_line() {
    let (whole, changed) = games();
    let damaged = gzip_with_checksum_of(changed.as_bytes(), whole.as_bytes());
    let before = &whole[..whole.find("[Event \"00500\"]").unwrap()];
    // The error is in the third line of the 500th game.
    let line = 3 * 499 + 3;
    let message = format!(
        "pgn2epd: cannot read x: {CHECKSUM}; not used from line {line} on, where the first error is (--on-damage keep uses all)\n"
    );
    let commands: [&[&str]; 7] = [
        &[],
        &["-j", "1"],
        &["-j", "3", "--chunk-bytes", "2K"],
        &["--unique"],
        &["--rows", "games", "--format", "csv"],
        &["--format", "pgn", "--games", "openings"],
        &["--format", "pgn"],
    ];
    for command in commands {
        let args = [command, &["x"]].concat();
        let (outcome, expected) = (run("x", &damaged, &args), run("x", before.as_bytes(), &args));
        assert_eq!((outcome.status, &*outcome.stderr), (2, &*message), "{command:?}");
        assert!(outcome.stdout == expected.stdout, "{command:?}");
        assert!(!outcome.stdout.is_empty());
    }
    let book = program().file("x", &damaged).file("out", "old");
    let book = book.args(["book", "x", "-o", "out"]).run();
    assert_eq!((book.status, &*book.stderr), (2, &*message));
    assert_eq!(book.file("out").unwrap(), b"old");
}

#[test]
fn records_before_the_first_error_are_checked_whatever_ends_their_lines() {
    for end in ["\n", "\r", "\r\n"] {
        let record =
            |number: usize| format!("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"{number:05}\";{end}");
        // The first error is in the second chunk.
        let whole: Vec<String> = (1..=20_000).map(record).collect();
        let before = whole[..14_999].concat();
        let changed = before.clone() + &whole[14_999..].concat().replace("bm e4", "bm e5");
        let damaged = gzip_with_checksum_of(changed.as_bytes(), whole.concat().as_bytes());
        let message = format!("{CHECKSUM}; not used from line 15000 on");
        for jobs in ["1", "3"] {
            let args = ["check", "--fix", "-j", jobs, "x"];
            let outcome = run("x", &damaged, &args);
            let expected = run("x", before.as_bytes(), &args);
            assert_eq!(outcome.status, 2);
            assert!(outcome.stderr.contains(&message), "{end:?}: {}", outcome.stderr);
            assert!(!outcome.stderr.contains("illegal"), "{end:?}");
            assert!(outcome.stdout == expected.stdout, "{end:?}, -j {jobs}");
            assert_eq!(outcome.stdout.iter().filter(|byte| **byte == b'\n').count(), 14_999);
        }
    }
}

/// Files of a text whose checksum is wrong, and the names of their formats.
fn files_with_wrong_checksums(text: &[u8]) -> [(&'static str, Vec<u8>); 4] {
    let mut zstd = pack::zstd_with_checksum(text);
    // The checksum is at the end.
    *zstd.last_mut().unwrap() ^= 1;
    let mut bzip2 = pack::bzip2(text);
    // After the mark of the only block, which is before its data.
    assert!(text.len() < 100_000);
    bzip2[10] ^= 1;
    let mut xz = pack::xz(text);
    // Before the index, whose size is in the last twelve bytes.
    let size = u32::from_le_bytes(*xz[xz.len() - 8..].first_chunk().unwrap());
    let index = xz.len() - 12 - 4 * (size as usize + 1);
    xz[index - 1] ^= 1;
    let mut gzip = pack::gzip(text);
    let checksum = gzip.len() - 8;
    gzip[checksum] ^= 1;
    [("zstd", zstd), ("bzip2", bzip2), ("xz", xz), ("gzip", gzip)]
}

#[test]
fn damage_is_found_in_every_format_with_a_checksum() {
    let (_, changed) = games();
    let line = 3 * 499 + 3;
    let whole = run("x", changed.as_bytes(), &["x"]);
    let before = &changed[..changed.find("[Event \"00500\"]").unwrap()];
    let expected = run("x", before.as_bytes(), &["x"]);
    for (format, file) in files_with_wrong_checksums(changed.as_bytes()) {
        let stopped = run("x", &file, &["x"]);
        let begin = format!("pgn2epd: cannot read x: the {format} data is damaged: ");
        let end = format!(
            "; not used from line {line} on, where the first error is (--on-damage keep uses all)\n"
        );
        assert!(stopped.stderr.starts_with(&begin), "{format}: {}", stopped.stderr);
        assert!(stopped.stderr.ends_with(&end), "{format}: {}", stopped.stderr);
        assert_eq!((stopped.status, stopped.stderr.lines().count()), (2, 1), "{format}");
        assert!(stopped.stdout == expected.stdout, "{format}");
        let kept = run("x", &file, &["--on-damage", "keep", "x"]);
        let begin = format!("; it may be wrong from line {line} on (1");
        assert!(kept.stderr.contains(&begin), "{format}: {}", kept.stderr);
        // Decoders keep the last kilobytes before an error to themselves.
        assert!(kept.status == 2 && whole.stdout.starts_with(&kept.stdout), "{format}");
        assert!(kept.stdout.len() > whole.stdout.len() * 9 / 10, "{format}");
    }
}

#[test]
fn all_decoded_games_are_used_on_request() {
    let (whole, changed) = games();
    let damaged = gzip_with_checksum_of(changed.as_bytes(), whole.as_bytes());
    let plain = run("x", changed.as_bytes(), &["x"]);
    let message = |name: &str| {
        let line = 3 * 499 + 3;
        format!(
            "pgn2epd: cannot read {name}: {CHECKSUM}; it may be wrong from line {line} on (1501 problems not shown)\n"
        )
    };
    let kept = run("x", &damaged, &["--on-damage", "keep", "--report", "r", "x"]);
    assert_eq!(kept.status, 2);
    assert!(kept.stderr.ends_with(&message("x")) && !kept.stderr.contains("illegal"));
    assert!(kept.stdout == plain.stdout);
    let book = |file: &[u8], options: &[&str]| {
        run("x", file, &[&["book", "--ply", "..4", "x"], options].concat())
    };
    let whole_book = book(changed.as_bytes(), &[]);
    let kept_book = book(&damaged, &["--on-damage", "keep"]);
    assert_eq!((kept_book.status, kept_book.text()), (2, whole_book.text()));
    assert!(kept_book.stderr.ends_with(&message("x")) && !kept_book.stdout.is_empty());
    let stopped_book = book(&damaged, &[]);
    assert_eq!((stopped_book.status, stopped_book.text()), (2, ""));
    // A stream cannot be read twice, so the decoded text is used.
    let streamed = program().stdin(damaged).run();
    assert_eq!(streamed.status, 2);
    assert!(streamed.stderr.ends_with(&message("-")) && !streamed.stderr.contains("illegal"));
    assert!(streamed.stdout == plain.stdout);
}

#[test]
fn truncated_data_is_used_with_its_problems() {
    let bad = "[Event \"x\"]\n\n1. e4 Ke6 *\n\n".repeat(3) + &GOOD.repeat(3);
    let packed = pack::gzip(bad.as_bytes());
    for outcome in [
        run("x", &packed[..packed.len() - 4], &["x"]),
        run("x", &packed[..packed.len() - 4], &["--on-damage", "keep", "x"]),
    ] {
        assert_eq!(outcome.status, 2);
        assert!(outcome.text().ends_with(&RECORDS.repeat(2)), "{}", outcome.text());
        assert_eq!(outcome.stderr.matches("illegal").count(), 3);
        assert!(outcome.stderr.contains("the gzip data ends too early"), "{}", outcome.stderr);
    }
}

#[test]
fn a_damaged_member_does_not_affect_the_others() {
    let (whole, changed) = games();
    let damaged = gzip_with_checksum_of(changed.as_bytes(), whole.as_bytes());
    let bad = "1. e4 Ke6 *\n";
    let archive = pack::zip(&[
        ("a.pgn", bad.as_bytes()),
        ("b.pgn.gz", &damaged),
        ("c.pgn", bad.as_bytes()),
        ("d.pgn", GOOD.as_bytes()),
    ]);
    let outcome = run("x.zip", &archive, &["x.zip"]);
    assert_eq!(outcome.status, 2);
    assert!(outcome.text().ends_with(RECORDS));
    let messages: Vec<&str> =
        outcome.stderr.lines().filter(|line| !line.contains("errors")).collect();
    assert!(messages[0].starts_with("x.zip/a.pgn:1:7: "), "{}", outcome.stderr);
    assert!(messages[1].starts_with("x.zip/c.pgn:1:7: "), "{}", outcome.stderr);
    assert!(
        messages[2].starts_with("pgn2epd: cannot read x.zip/b.pgn.gz: the gzip data is damaged")
    );
    assert_eq!(messages.len(), 3);
}

#[test]
fn records_before_the_first_error_are_used() {
    let record = |number: usize| format!("4k3/8/8/8/8/8/4P3/4K3 w - - id \"{number:05}\";\n");
    let whole: String = (1..=20_000).map(record).collect();
    let (before, after) = whole.split_at(12_344 * record(1).len());
    let changed = format!("{before}{}", after.replace("4K3", "4X3"));
    let damaged = gzip_with_checksum_of(changed.as_bytes(), whole.as_bytes());
    let outcome = run("x", &damaged, &["check", "--fix", "-o", "out", "x"]);
    let message = format!(
        "pgn2epd: cannot read x: {CHECKSUM}; not used from line 12345 on, where the first error is (--on-damage keep uses all)\n"
    );
    assert_eq!((outcome.status, &*outcome.stderr, outcome.text()), (2, &*message, ""));
    assert!(outcome.file("out").unwrap() == before.as_bytes());
    let kept = run("x", &damaged, &["check", "--on-damage", "keep", "x"]);
    let message = "; it may be wrong from line 12345 on (7656 problems not shown)\n";
    assert!(kept.stderr.ends_with(message) && kept.text().is_empty(), "{}", kept.stderr);
}

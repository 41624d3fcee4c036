//! Compressed files whose damage is found at their end: they end the run.

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
fn damage_ends_the_run_and_replaces_no_file() {
    let (whole, changed) = games();
    let damaged = gzip_with_checksum_of(changed.as_bytes(), whole.as_bytes());
    let message =
        format!("pgn2epd: cannot read x: {CHECKSUM}; --on-damage keep uses what can be read\n");
    let commands: [&[&str]; 8] = [
        &["-o", "out"],
        &["-j", "1", "-o", "out"],
        &["-j", "3", "--chunk-bytes", "2K", "-o", "out"],
        &["--unique", "-o", "out"],
        &["--rows", "games", "--format", "csv", "-o", "out.csv"],
        &["--format", "pgn", "-o", "out.pgn"],
        &["book", "-o", "out"],
        &["check", "--fix", "-o", "out"],
    ];
    for command in commands {
        let name = *command.last().unwrap();
        let inputs: &[&str] = if command[0] == "check" { &["y"] } else { &["x", "good"] };
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\n".repeat(9);
        let records =
            gzip_with_checksum_of(text.as_bytes(), &text.replace("e5", "e4").into_bytes());
        let run = program().file("x", &damaged).file("y", records).file("good", GOOD);
        let outcome = run.file(name, "old").args(command).args(inputs).run();
        let message = message.replace("read x", &format!("read {}", inputs[0]));
        assert_eq!(outcome.status, 2, "{command:?}");
        assert!(outcome.stderr.ends_with(&message), "{command:?}: {}", outcome.stderr);
        assert_eq!(outcome.file(name).unwrap(), b"old", "{command:?}");
    }
    // What was read before is on standard output, also of a stream.
    let plain = run("x", changed.as_bytes(), &["x"]);
    for outcome in [run("x", &damaged, &["x", "x"]), program().stdin(damaged).run()] {
        assert_eq!(outcome.status, 2);
        assert!(outcome.stdout == plain.stdout);
        assert!(outcome.stderr.contains("illegal"), "{}", outcome.stderr);
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
fn damage_is_found_in_every_format_with_a_checksum_and_kept_on_request() {
    let (_, changed) = games();
    let whole = run("x", changed.as_bytes(), &["x"]);
    for (format, file) in files_with_wrong_checksums(changed.as_bytes()) {
        let stopped = program().file("x", &file).file("out", "old").args(["x", "-o", "out"]).run();
        let message = format!("pgn2epd: cannot read x: the {format} data is damaged: ");
        assert!(stopped.stderr.contains(&message), "{format}: {}", stopped.stderr);
        assert!(stopped.stderr.ends_with("; --on-damage keep uses what can be read\n"), "{format}");
        assert_eq!(
            (stopped.status, stopped.file("out").unwrap()),
            (2, b"old".to_vec()),
            "{format}"
        );
        let kept = program().file("x", &file).file("good", GOOD);
        let kept = kept.args(["--on-damage", "keep", "x", "good", "-o", "out"]).run();
        assert!(kept.stderr.contains(&message), "{format}: {}", kept.stderr);
        let text = kept.file("out").unwrap();
        let text = String::from_utf8(text).unwrap();
        // Decoders keep the last kilobytes before an error to themselves.
        let of_x = text.strip_suffix(RECORDS).expect("the other input is read");
        assert!(kept.status == 2 && whole.text().starts_with(of_x), "{format}");
        assert!(of_x.len() > whole.stdout.len() * 9 / 10, "{format}");
    }
}

#[test]
fn a_book_of_what_can_be_decoded_is_written_on_request() {
    let (whole, changed) = games();
    let damaged = gzip_with_checksum_of(changed.as_bytes(), whole.as_bytes());
    let book = |file: &[u8], options: &[&str]| {
        run("x", file, &[&["book", "--ply", "..4", "x"], options].concat())
    };
    let whole = book(changed.as_bytes(), &[]);
    let kept = book(&damaged, &["--on-damage", "keep"]);
    assert_eq!((kept.status, kept.text()), (2, whole.text()));
    assert!(!kept.stdout.is_empty());
    assert!(kept.stderr.ends_with(&format!("cannot read x: {CHECKSUM}\n")), "{}", kept.stderr);
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
fn a_damaged_member_does_not_affect_the_others_on_request() {
    let (whole, changed) = games();
    let damaged = gzip_with_checksum_of(changed.as_bytes(), whole.as_bytes());
    let bad = "1. e4 Ke6 *\n";
    let archive = pack::zip(&[
        ("a.pgn", bad.as_bytes()),
        ("b.pgn.gz", &damaged),
        ("c.pgn", bad.as_bytes()),
        ("d.pgn", GOOD.as_bytes()),
    ]);
    for (options, is_kept) in [(&["x.zip"][..], false), (&["--on-damage=keep", "x.zip"], true)] {
        let outcome = run("x.zip", &archive, options);
        assert_eq!((outcome.status, outcome.text().ends_with(RECORDS)), (2, is_kept));
        let said = |text: &str| outcome.stderr.contains(text);
        assert!(said("x.zip/a.pgn:1:7: ") && said("x.zip/c.pgn:1:7: ") == is_kept);
        assert!(said("cannot read x.zip/b.pgn.gz: the gzip data is damaged"), "{}", outcome.stderr);
    }
}

//! Compressed files and archives are read like uncompressed files.

use testkit::pack::{self, PACKERS};
use testkit::program::Outcome;

use super::{GOOD, RECORDS, assert_quiet};
use crate::support::{fixture, program};

fn convert(name: &str, bytes: &[u8]) -> Outcome {
    program().file(name, bytes).arg(name).run()
}

#[test]
fn every_format_gives_the_records_of_the_plain_file_under_any_name() {
    let plain = fixture("classics.pgn");
    let expected = convert("a.pgn", &plain);
    assert_quiet(&expected);
    for (name, packer) in PACKERS {
        let packed = packer(&plain);
        for outcome in [
            convert("a.pgn", &packed),
            program().stdin(&packed[..]).run(),
            program().file("a", &packed).args(["-j", "1", "a"]).run(),
        ] {
            assert_quiet(&outcome);
            assert_eq!(outcome.text(), expected.text(), "{name}");
        }
    }
    for archive in [pack::zip(&[("a.pgn", &plain)]), pack::seven_zip(&[("a.pgn", &plain)])] {
        for outcome in [convert("a.pgn", &archive), program().stdin(&archive[..]).run()] {
            assert_quiet(&outcome);
            assert_eq!(outcome.text(), expected.text());
        }
    }
}

#[test]
fn compressed_files_of_the_corpus_give_the_same_records() {
    use testkit::shared::{corpus_pgn, read};

    for file in corpus_pgn().filter(|file| file.path.extension().is_some_and(|e| e == "zst")) {
        let plain = program().stdin(read(&file.path).unwrap()).run();
        let packed = program().arg(&file.path).run();
        assert!(plain.stdout.len() > 1_000_000, "{}", file.name);
        assert!(plain.stdout == packed.stdout, "{}", file.name);
    }
}

#[test]
fn truncated_files_give_complete_games_and_then_an_error() {
    // The last move of the second game, `Qh4e1`, is cut to `Qh4`, which is another move.
    let text = "[Event \"A\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n\n1. f3 e5 2. g4 Qh4e1 *\n";
    let first = convert("a.pgn", text.split("[Event \"B\"]").next().unwrap().as_bytes());
    for (name, packer) in PACKERS {
        let whole = packer(text.as_bytes());
        let all = convert("a.pgn", &whole).text().to_owned();
        for cut in [1, 9, whole.len() / 2] {
            let outcome = convert("a.pgn", &whole[..whole.len() - cut]);
            assert_eq!(outcome.status, 2, "{name}");
            assert!(["", first.text(), &all].contains(&outcome.text()), "{name}");
            assert!(
                outcome.stderr.ends_with("data ends too early\n"),
                "{name}: {}",
                outcome.stderr
            );
        }
    }
    // Several frames, so that the cut only affects the last one.
    let (whole, torn) = text.split_at(text.find("e1 *").unwrap());
    let whole = pack::zstd(whole.as_bytes());
    let packed = [&whole, &pack::zstd(torn.as_bytes())[..6]].concat();
    let outcome = program().file("a", &packed).args(["-o", "out.epd", "a"]).run();
    assert_eq!(outcome.status, 2);
    assert_eq!(outcome.file("out.epd").unwrap(), first.stdout);
}

#[test]
fn a_damaged_file_does_not_affect_the_others() {
    let mut archive =
        pack::zip(&[("a.pgn", &[GOOD.as_bytes(); 9].concat()), ("b.pgn", GOOD.as_bytes())]);
    archive[45] ^= 0xff;
    let outcome = program()
        .file("a.zip", &archive)
        .file("b.gz", b"\x1f\x8b")
        .file("c.pgn", GOOD)
        .args(["--on-damage", "keep", "a.zip", "b.gz", "c.pgn"])
        .run();
    assert_eq!(outcome.status, 2);
    assert_eq!(outcome.text(), RECORDS.repeat(2));
    let messages: Vec<&str> = outcome.stderr.lines().collect();
    assert!(messages[0].starts_with("pgn2epd: cannot read a.zip/a.pgn: the zip data is damaged: "));
    assert_eq!(messages[1], "pgn2epd: cannot read b.gz: the gzip data ends too early");
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: CI_FULL=1 runs it"]
fn a_decompression_bomb_uses_bounded_memory() {
    use crate::support::limited;

    // 130 MB of spaces, and 130 MB of one word, with 120 MB of address space, most of it only
    // reserved. The comment makes the word a text of games.
    for (start, byte) in [("", b' '), ("{} ", b'x')] {
        let mut text = start.as_bytes().to_vec();
        text.resize(130_000_000, byte);
        let bomb = pack::zstd(&text);
        assert!(bomb.len() < 1_000_000);
        // Each once, since a run takes seconds.
        let bytes = if byte == b' ' { pack::zip(&[("a.pgn", &bomb)]) } else { bomb };
        let options = "-j 1 --max-game-bytes 1M --ops sm --registers off";
        let outcome = limited(120_000).args(options.split(' ')).stdin(bytes).run();
        assert_eq!((outcome.status, outcome.stdout.len()), (1, 0), "{}", outcome.stderr);
    }
}

//! All commands read inputs in the same way: names, formats, archives, and unreadable inputs.

use testkit::pack;

use crate::support::program;

#[test]
fn two_members_with_the_same_name_are_both_read() {
    let games = ["1. e4 *", "1. d4 *", "1. c4 *"];
    let files = [("a.pgn", games[0]), ("b.pgn", games[1]), ("c.pgn", games[2])];
    let mut archive = pack::zip(&files.map(|(name, game)| (name, game.as_bytes())));
    // In the headers and in the directory of the archive.
    for at in 0..archive.len() - 5 {
        if &archive[at..at + 5] == b"b.pgn" {
            archive[at..at + 5].copy_from_slice(b"a.pgn");
        }
    }
    let outcome = program().file("x.zip", &archive).args(["--ops", "sm", "x.zip"]).run_quietly();
    for game in games {
        assert!(outcome.text().contains(&format!("sm {};", &game[3..5])), "{game}");
    }
    assert_eq!(outcome.lines().len(), 6);
}

#[test]
fn binary_input_gives_one_line_and_keeps_the_old_file() {
    // From a seeded random generator, so that it is the same in each run.
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as u8
    };
    let noise: Vec<u8> = (0..100_000).map(|_| random()).collect();
    let mut damaged = pack::gzip(&noise);
    damaged[0] ^= 0x40;
    for bytes in [noise, damaged] {
        for command in [&["x"][..], &["book", "x"], &["check", "--fix", "x"]] {
            let outcome = program().file("x", &bytes).file("out", "old");
            let outcome = outcome.args(command).args(["-o", "out"]).run();
            let expected = "pgn2epd: cannot read x: this is a binary file, not PGN or EPD\n";
            assert_eq!((outcome.status, &*outcome.stderr), (2, expected), "{command:?}");
            assert_eq!(outcome.file("out").unwrap(), b"old", "{command:?}");
        }
    }
}

#[test]
fn a_carriage_return_alone_ends_a_line_for_every_command() {
    let [white, black] = ["4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/4P3/8/8/4K3 b - e3"];
    let records =
        format!("{white} eco \"A00\"; v0 \"M\u{fc}ller\";\n# a comment\n\n{black} id \"x\";\n");
    let bad = format!("{records}8/8/8/8/8/8/8/7 w - -\n{white} id \"y\";\n");
    for end in ["\r", "\r\n"] {
        for args in [&["book", "x"][..], &["book", "--ops", "none", "x"], &["show", "x"]] {
            let run = |text: &str| program().args(args).file("x", text).run();
            let (expected, found) = (run(&bad), run(&bad.replace('\n', end)));
            assert!(expected.stderr.starts_with("x:5:15: "), "{args:?}: {}", expected.stderr);
            // The last line of some commands says how long it took.
            let first_line = |text: &str| text.lines().next().map(str::to_owned);
            assert_eq!(first_line(&found.stderr), first_line(&expected.stderr), "{args:?} {end:?}");
            assert_eq!(found.text(), expected.text(), "{args:?} {end:?}");
        }
    }
}

//! The list of the games that `--unique-games` leaves out, and options that it excludes.

use crate::support::program;

#[test]
fn a_list_says_which_games_are_left_out() {
    let (name, quoted) = match cfg!(windows) {
        true => ("a, b.pgn", r#""a, b.pgn""#),
        false => (r#"a, "b".pgn"#, r#""a, ""b"".pgn""#),
    };
    let outcome = program()
        .file(name, "1. e4 *\n\n1. d4 *\n\n[White \"A\"]\n\n1. e4 Ke6 *\n")
        .file("b.pgn", "\n1. e4 *\n\n1. c4 *\n")
        .args(["--format", "pgn", "--unique-games", "--keep", "last", "--duplicates", "list.csv"])
        .args(["--summary", name, "b.pgn"])
        .run();
    assert_eq!(outcome.text(), "1. d4 *\n\n1. e4 *\n\n1. c4 *\n\n");
    assert!(outcome.stderr.contains("2 duplicates omitted"), "{}", outcome.stderr);
    let list = String::from_utf8(outcome.file("list.csv").unwrap()).unwrap();
    assert_eq!(
        list,
        format!(
            "file,line,game,kept_file,kept_line,kept_game\n{quoted},1,1,\"b.pgn\",2,1\n{quoted},5,3,\"b.pgn\",2,1\n"
        )
    );
    for (args, reason) in [
        (&["--duplicates", "x"][..], "--unique-games"),
        (&["--keep", "last"], "--unique-games"),
        (&["--unique-games", "--keep", "deepest"], "most-annotated"),
        (&["--unique-games", "--unique"], "--unique-games and --unique exclude each other"),
        (&["--unique-games=prefix:x"], "choose from moves, prefix, prefix:PLIES"),
    ] {
        let outcome = program().file("a.pgn", "1. e4 *\n").args(args).arg("a.pgn").run();
        assert!(outcome.status == 2 && outcome.stderr.contains(reason), "{}", outcome.stderr);
    }
    let positions = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";
    let outcome = program().file("a.fen", positions).args(["--unique-games", "a.fen"]).run();
    assert!(outcome.stderr.contains("--unique-games is for games"), "{}", outcome.stderr);
}

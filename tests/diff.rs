//! Two sources that are compared by position.

use crate::support::program;

#[test]
fn counters_and_formats_make_no_difference() {
    let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let folder = || {
        program()
            .file("a.epd", format!("{fields} hmvc 4; id \"a\"; bm e4;\n"))
            .file("b.fen", format!("{fields} 0 9 bm e4; id \"a\";\n"))
            .file("c.epd", format!("{fields} id \"c\"; bm e4;\n4k3/8/8/8/8/8/8/4K3 w - -\n"))
    };
    let outcome = folder().args(["diff", "-q", "a.epd", "b.fen"]).run();
    assert_eq!((outcome.status, outcome.text(), &*outcome.stderr), (0, "", ""));
    let outcome = folder().args(["diff", "a.epd", "b.fen"]).run();
    let summary = "0 positions only in a.epd, 0 positions only in b.fen, 0 positions with different operations, 1 equal\n";
    assert_eq!((outcome.status, outcome.text(), &*outcome.stderr), (0, "", summary));
    let outcome = folder().args(["diff", "a.epd", "c.epd"]).run();
    let summary = "0 positions only in a.epd, 1 position only in c.epd, 1 position with different operations, 0 equal\n";
    assert_eq!((outcome.status, &*outcome.stderr), (1, summary));
}

#[test]
fn counts_of_two_books_are_compared() {
    let book = |name: &str, pgn: &str| {
        let outcome = program().file(name, pgn).args(["book", "--ply", "1", name]).run();
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        outcome.stdout
    };
    let outcome = program()
        .file("a.epd", book("a.pgn", "1. e4 1-0\n\n1. e4 *\n\n1. d4 *\n"))
        .file("b.epd", book("b.pgn", "1. e4 1-0\n\n1. e4 0-1\n\n1. d4 *\n"))
        .args(["diff", "a.epd", "b.epd"])
        .run();
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    let d4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -";
    let expected = format!(
        "< {e4} c0 \"games 2 white 1 draws 0 black 0\"; c2 \"? - ?, a.pgn:1\";\n\
         > {e4} c0 \"games 2 white 1 draws 0 black 1\"; c2 \"? - ?, b.pgn:1\";\n\
         < {d4} c2 \"? - ?, a.pgn:3\";\n\
         > {d4} c2 \"? - ?, b.pgn:3\";\n"
    );
    assert_eq!((outcome.status, outcome.text()), (1, &*expected), "{}", outcome.stderr);
}

#[test]
fn an_unreadable_file_is_not_compared() {
    let outcome = program().file("a.epd", "x\n").args(["diff", "a.epd", "b.epd"]).run();
    assert_eq!((outcome.status, outcome.text()), (2, ""));
    assert!(outcome.stderr.contains("b.epd"), "{}", outcome.stderr);
    let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    let folder = program().file("a.epd", fields).file("b.epd", format!("{fields}4k3/9 w - -\n"));
    let outcome = folder.args(["diff", "a.epd", "b.epd"]).run();
    assert_eq!((outcome.status, outcome.text()), (1, ""));
    assert!(outcome.stderr.starts_with("b.epd:2:"), "{}", outcome.stderr);
}

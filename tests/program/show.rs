//! `show`: diagrams of records and games.

use super::{assert_failed, assert_quiet};
use crate::support::{fixture, program};

const ENDGAME: &str = "8/8/8/4k3/8/8/4P3/4K3 w - -";
const ENDGAME_TEXT: &str = "\
8     ·     ·     ·     ·
7  ·     ·     ·     ·
6     ·     ·     ·     ·
5  ·     ·     ♚     ·
4     ·     ·     ·     ·
3  ·     ·     ·     ·
2     ·     ·  ♙  ·     ·
1  ·     ·     ♔     ·
   a  b  c  d  e  f  g  h
White to move
";

#[test]
fn a_record_is_shown_with_and_without_quotes() {
    let quoted = program().args(["show", ENDGAME]).run();
    assert_quiet(&quoted);
    assert_eq!(quoted.text(), ENDGAME_TEXT);
    let words = program().arg("show").args(ENDGAME.split(' ')).run();
    assert_quiet(&words);
    assert_eq!(words.text(), ENDGAME_TEXT);
}

#[test]
fn a_pipe_and_a_file_get_no_colours_unless_they_are_forced() {
    let run = |name, value| program().args(["show", ENDGAME]).env(name, value).run();
    assert!(!run("TERM", "xterm-256color").text().contains('\u{1b}'));
    assert!(run("CLICOLOR_FORCE", "1").text().contains("\u{1b}[48;5;"));
    assert!(!run("NO_COLOR", "1").text().contains('\u{1b}'));
    let file =
        program().args(["show", ENDGAME, "-o", "board.txt"]).env("CLICOLOR_FORCE", "1").run();
    assert_quiet(&file);
    assert_eq!(file.file("board.txt").as_deref(), Some(ENDGAME_TEXT.as_bytes()));
}

#[test]
fn records_of_standard_input_are_shown_one_by_one() {
    let input = format!("# two endgames\n{ENDGAME}\n\n{ENDGAME}\n");
    let outcome = program().args(["show", "-"]).stdin(input).run();
    assert_quiet(&outcome);
    assert_eq!(outcome.text(), format!("{ENDGAME_TEXT}\n{ENDGAME_TEXT}"));
}

#[test]
fn an_invalid_line_is_reported_and_the_others_are_shown() {
    let input = format!("{ENDGAME}\n8/8/8/8/8/8/8/7 w - -\n{ENDGAME}\n");
    let outcome = program().args(["show", "-"]).stdin(input).run();
    assert_eq!(outcome.status, 1);
    assert_eq!(outcome.stderr, "-:2:15: the pieces: rank 1 has 7 squares, not 8\n");
    assert_eq!(outcome.text(), format!("{ENDGAME_TEXT}\n{ENDGAME_TEXT}"));
}

#[test]
fn the_position_of_a_game_is_shown_with_its_last_move() {
    let show = |args: &[&str]| {
        let immortal = program().file("immortal.pgn", fixture("immortal.pgn"));
        immortal.args(["show", "immortal.pgn", "-t", "ascii"]).args(args).run()
    };
    insta::assert_snapshot!(show(&["--game", "1", "--ply", "45"]).text(), @r"
    8  r  .  b (k)    .     r
    7  p     .  p [B] p  N  p
    6  n  .    [.]    n     .
    5  .  p  .  N  P     .  P
    4     .     .     .  P  .
    3  .     .  P  .     .
    2  P  .  P  .  K  .     .
    1  q     .     .     b
       a  b  c  d  e  f  g  h
    Black to move
    23. Be7#
    C33 King's Gambit Accepted: Bishop's Gambit, Bryan Countergambit
    ");
    // Without --ply it is the last position.
    assert_eq!(show(&[]).text(), show(&["--ply", "45"]).text());
    assert_eq!(show(&["--ply", "0..2"]).text().matches("a  b  c").count(), 3);
}

#[test]
fn the_name_of_the_output_selects_the_format() {
    for (name, begins) in [
        ("a.svg", &b"<svg "[..]),
        ("a.png", b"\x89PNG"),
        ("a.html", b"<!DOCTYPE html>"),
        ("a.tex", b"\\chessboard["),
        ("a.txt", "8     ·".as_bytes()),
    ] {
        let outcome = program().args(["show", ENDGAME, "-o", name]).run();
        assert_quiet(&outcome);
        assert!(outcome.file(name).unwrap().starts_with(begins), "{name}");
    }
}

#[test]
fn a_picture_has_the_requested_width() {
    let outcome = program().args(["show", ENDGAME, "-o", "a.png", "--width", "123"]).run();
    assert_quiet(&outcome);
    // The width in the header of the file.
    assert_eq!(outcome.file("a.png").unwrap()[16..20], [0, 0, 0, 123]);
}

#[test]
fn the_first_line_decides_between_games_and_records() {
    let show = |input: &str| program().args(["show", "-"]).stdin(input).run();
    assert!(show("1/2-1/2\n").text().contains("Start"));
    assert!(show("{a/b/c/d/e/f/g} 1. e4 *\n").text().contains("1. e4"));
    let bad_first = show(&format!("8/8/8/8/8/8/8/9 w - -\n{ENDGAME}\n"));
    assert_eq!((bad_first.status, bad_first.text()), (1, ENDGAME_TEXT));
    // In the format of early Crafty versions.
    assert_quiet(&show("r1bqkbnr/pp1ppppp/2n/2p/4P/5N/PPPP1PPP/RNBQKB1R/ w KQkq -\n"));
}

#[test]
fn operations_become_arrows_names_and_text() {
    let record = r#"1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - am Qb6; bm Qd1+; id "BK.01";"#;
    let outcome = program().args(["show", record, "-t", "svg"]).run();
    assert_quiet(&outcome);
    let arrows: Vec<&str> =
        outcome.text().lines().filter(|line| line.contains("<path fill")).collect();
    // The board, the good move, and the bad one.
    assert_eq!(arrows.len(), 3);
    assert!(arrows[1].contains("#1f8a3b") && arrows[2].contains("#c3272b"), "{arrows:?}");
    let outcome = program().args(["show", record]).run();
    assert!(outcome.text().ends_with("Black to move, d6-d1, d6-b6\nBK.01\n"), "{}", outcome.text());
}

#[test]
fn records_of_a_conversion_are_shown_as_a_game() {
    let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {best by test} e5 *\n";
    let records = program().args(["--names", "table"]).stdin(pgn).run();
    let outcome = program().args(["show", "-", "-t", "ascii"]).stdin(records.stdout).run();
    assert_quiet(&outcome);
    let footers: Vec<&str> = outcome
        .text()
        .split("\n\n")
        .map(|board| board.split_once(" to move").unwrap().1.trim_end())
        .collect();
    let expected = [
        ", e2-e4\nA - B",
        ", e7-e5\n1. e4\nB00 King's Pawn Game\nbest by test",
        "\n1... e5\nC20 King's Pawn Game",
    ];
    assert_eq!(footers, expected);
    assert_eq!(outcome.text().matches("[P]").count(), 1);
}

#[test]
fn marks_in_the_comment_of_a_record_are_drawn() {
    let record = r#"4k3/8/8/8/8/8/4P3/4K3 w - - c0 "go [%cal Ge2e4] on"; c1 "[%csl Re8]";"#;
    let outcome = program().args(["show", record]).run();
    assert_quiet(&outcome);
    assert!(outcome.text().starts_with("8     ·     · (♚)"), "{}", outcome.text());
    assert!(outcome.text().ends_with("White to move, e2-e4\ngo on\n"), "{}", outcome.text());
}

#[test]
fn an_invalid_operation_is_reported_and_the_position_shown() {
    let outcome = program().args(["show", "4k3/8/8/8/8/8/8/4K3 w - - bm Ke9;"]).run();
    assert_eq!(outcome.status, 1);
    assert_eq!(outcome.stderr, "record:1:30: Ke9: illegal: not a move\n");
    assert!(outcome.text().ends_with("White to move\n"));
}

#[test]
fn several_pictures_get_numbers() {
    let input = format!("{ENDGAME}\n").repeat(10);
    let outcome = program().args(["show", "-", "-o", "p-%n.svg"]).stdin(&*input).run();
    assert_quiet(&outcome);
    assert_eq!(outcome.names().len(), 10);
    assert!(outcome.file("p-01.svg").is_some() && outcome.file("p-10.svg").is_some());
    let outcome = program().args(["show", "-", "-o", "p.svg"]).stdin(&*input).run();
    assert_failed(&outcome);
    assert_eq!(
        outcome.stderr,
        "pgn2epd: 10 pictures need a file each: name it with %n, as -o 'board-%n.svg'\n"
    );
}

#[test]
fn marks_are_added_and_removed() {
    let show = |args: &[&str]| {
        let games = program().file("g.pgn", fixture("diagrams/games.pgn"));
        games.args(["show", "g.pgn", "-g", "6", "-t", "svg"]).args(args).run().text().to_owned()
    };
    let arrows = |svg: &str| svg.matches("fill-opacity=\".8\"").count();
    assert_eq!(arrows(&show(&[])), 4);
    assert_eq!(arrows(&show(&["--no-marks"])), 0);
    assert_eq!(arrows(&show(&["--no-marks", "--arrows", "e2e4,Rd1h5"])), 2);
    assert!(show(&["--no-marks", "--squares", "Ya1"]).contains("#eda800"));
    let outcome = program().args(["show", ENDGAME, "--arrows", "e2"]).run();
    assert_failed(&outcome);
    assert!(outcome.stderr.contains("write squares as e2e4"), "{}", outcome.stderr);
}

#[test]
fn missing_inputs_and_positions_are_reported() {
    let cases: [(&[&str], &str); 6] = [
        (&["gmaes.pgn"], "there is no file gmaes.pgn"),
        (
            &["8/8/8 w - -"],
            "8/8/8 w - - is neither a file nor a position: the pieces: 3 ranks, not 8",
        ),
        (&["g.pgn", "--game", "9"], "g.pgn has no game 9: it has 6"),
        (
            &["g.pgn", "-g", "6", "-p", "9"],
            "g.pgn: game 6 has 5 plies: there is no position after 9",
        ),
        (&["empty.pgn"], "empty.pgn has no game 1: it has 0"),
        (
            &["g.pgn", "-o", "no/such/folder.svg"],
            "cannot write no/such/folder.svg: No such file or directory (os error 2)",
        ),
    ];
    for (args, message) in cases {
        let outcome = program()
            .file("g.pgn", fixture("diagrams/games.pgn"))
            .file("empty.pgn", "")
            .arg("show")
            .args(args)
            .run();
        assert_failed(&outcome);
        assert_eq!(outcome.stderr, format!("pgn2epd: {message}\n"), "{args:?}");
    }
}

#[test]
fn a_game_with_an_error_is_shown_up_to_it() {
    let outcome = program().file("bad.pgn", "1. e4 e5 2. Ke3 *\n").args(["show", "bad.pgn"]).run();
    assert_eq!(outcome.status, 1);
    assert_eq!(
        outcome.stderr,
        "bad.pgn:1:13: game 1, 2. Ke3: illegal: no white king can reach e3\n"
    );
    assert!(outcome.text().contains("5  ·     ·    [♟]    ·"), "{}", outcome.text());
}

#[test]
fn no_file_is_written_without_a_picture() {
    let records =
        program().args(["show", "-", "-o", "a.html"]).stdin("8/8/8/8/8/8/8/9 w - -\n").run();
    assert_eq!((records.status, records.names().len()), (1, 0));
    let game = "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n";
    let game = program().args(["show", "-", "-o", "a.html"]).stdin(game).run();
    assert_eq!((game.status, game.names().len()), (1, 0));
    assert!(
        game.stderr.starts_with("-:1:7: game 1, 8/8/8/8/8/8/8/8 w - - 0 1: FEN tag: "),
        "{}",
        game.stderr
    );
}

#[test]
fn the_old_latex_equals_that_of_the_perl_module() {
    let outcome = program().args(["show", ENDGAME, "-t", "latex-chess"]).run();
    assert_quiet(&outcome);
    assert!(outcome.text().starts_with("\\begin{diagram}\n\\board\n{ * * * *}\n"));
    assert!(outcome.text().ends_with("{* * K * }\n\\end{diagram}\n"));
}

//! `show`: diagrams of records and games.

use std::io;

use super::{assert_failed, assert_quiet};
use crate::support::{NULL, fixture, missing_file, program};

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
    assert_eq!(outcome.stderr, "-:2:15: 7: the pieces: rank 1 has 7 squares, not 8\n");
    assert_eq!(outcome.text(), format!("{ENDGAME_TEXT}\n{ENDGAME_TEXT}"));
}

#[test]
fn the_position_of_a_game_is_shown_with_its_last_move() {
    let show = |args: &[&str]| {
        let immortal = program().file("immortal.pgn", fixture("immortal.pgn"));
        immortal.args(["show", "immortal.pgn", "--format", "ascii"]).args(args).run()
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
    let outcome = program().args(["show", record, "--format", "svg"]).run();
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
    let outcome = program().args(["show", "-", "--format", "ascii"]).stdin(records.stdout).run();
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
        games
            .args(["show", "g.pgn", "-g", "6", "--format", "svg"])
            .args(args)
            .run()
            .text()
            .to_owned()
    };
    let arrows = |svg: &str| svg.matches("fill-opacity=\".8\"").count();
    assert_eq!(arrows(&show(&[])), 4);
    assert_eq!(arrows(&show(&["--no-marks"])), 0);
    assert_eq!(arrows(&show(&["--no-marks", "--arrows", "e2e4,Rd1h5"])), 2);
    assert!(show(&["--no-marks", "--squares", "Ya1"]).contains("#eda800"));
    let outcome = program().args(["show", ENDGAME, "--arrows", "e2"]).run();
    assert_failed(&outcome);
    assert!(outcome.stderr.contains("write an arrow such as e2e4"), "{}", outcome.stderr);
}

#[test]
fn missing_inputs_and_positions_are_reported() {
    let no_folder = io::Error::from_raw_os_error(if cfg!(windows) { 3 } else { 2 });
    let cases: [(&[&str], &str); 9] = [
        (&["gmaes.pgn"], "file not found: gmaes.pgn"),
        (
            &["8/8/8 w - -"],
            "8/8/8 w - - is neither a file nor a position: the pieces: 3 ranks, not 8",
        ),
        (&["g.pgn", "--game", "9"], "g.pgn has no game 9: it has 6"),
        (&["g.pgn", "-g", "6", "-p", "9"], "g.pgn: game 6 has 5 plies, so none after 9"),
        (&["g.pgn", "-g", "1..3,8..9", "-o", "x.html"], "g.pgn has no game 8..9: it has 6"),
        (&["x.pgn", "y.pgn"], "file not found: x.pgn"),
        (
            &["a.epd", "--ply", "4"],
            "--ply is for games: a.epd has positions, of which --game selects records",
        ),
        (&["empty.pgn", "-g", "1"], "empty.pgn has no game 1: it has 0"),
        (
            &["g.pgn", "-g", "1", "-o", "no/such/folder.svg"],
            &format!("cannot write no/such/folder.svg: {}", no_folder),
        ),
    ];
    for (args, message) in cases {
        let outcome = program()
            .file("g.pgn", fixture("diagrams/games.pgn"))
            .file("a.epd", ENDGAME)
            .file("empty.pgn", "")
            .arg("show")
            .args(args)
            .run();
        assert_failed(&outcome);
        assert_eq!(outcome.stderr, format!("pgn2epd: {message}\n"), "{args:?}");
    }
    // A missing file does not affect the others.
    let files = program().file("a.epd", ENDGAME).args(["show", "a.epd", "x.pgn"]).run();
    let message = format!("pgn2epd: cannot read x.pgn: {}\n", missing_file());
    assert_eq!((files.status, &*files.stderr), (2, &*message));
    assert!(files.text().contains("a  b  c"));
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

const TWO_GAMES: &str = "\
[White \"Anna\"]\n[Black \"Ben\"]\n[Date \"2001.05.01\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n1. d4 *\n";

/// The contents of the elements of an HTML page that begin with `start`.
fn elements(html: &str, start: &str, end: &str) -> Vec<String> {
    html.split(start).skip(1).map(|rest| rest.split(end).next().unwrap().to_owned()).collect()
}

#[test]
fn a_page_has_all_games_of_its_files_with_a_list_of_them() {
    let show = |args: &[&str]| {
        let outcome = program()
            .file("two.pgn", TWO_GAMES)
            .file("one.pgn", "1. c4 *\n")
            .file("suite.epd", format!("{ENDGAME} id \"E1\";\n"))
            .arg("show")
            .args(args)
            .args(["-o", "x.html"])
            .run();
        assert_quiet(&outcome);
        String::from_utf8(outcome.file("x.html").unwrap()).unwrap()
    };
    let cases: [(&[&str], &str, &[&str], usize); 6] = [
        (&["two.pgn"], "two.pgn", &["Anna - Ben", "Game 2"], 5),
        (&["two.pgn", "--game", "1"], "Anna - Ben", &[], 3),
        (&["two.pgn", "--game", "2"], "two.pgn: Game 2", &[], 2),
        (&["one.pgn"], "one.pgn: Game 1", &[], 2),
        (
            &["two.pgn", "one.pgn", "suite.epd"],
            "two.pgn, one.pgn, suite.epd",
            &["Anna - Ben", "Game 2", "Game 1", "suite.epd"],
            8,
        ),
        (&["suite.epd"], "suite.epd", &[], 1),
    ];
    for (args, title, sections, diagrams) in cases {
        let html = show(args);
        assert_eq!(elements(&html, "<title>", "</title>")[0], title, "{args:?}");
        assert_eq!(elements(&html, "<h1>", "</h1>"), [title], "{args:?}");
        assert_eq!(elements(&html, "<h2>", "</h2>"), sections, "{args:?}");
        let listed = elements(&html, "<li><a href=\"#s", "</a>");
        let expected: Vec<String> =
            sections.iter().enumerate().map(|(n, title)| format!("{n}\">{title}")).collect();
        assert_eq!(listed, expected, "{args:?}");
        // Diagrams are numbered across the page, and every link leads to one.
        let ids = elements(&html, "<figure id=\"p", "\"");
        assert_eq!(ids, (0..diagrams).map(|n| n.to_string()).collect::<Vec<_>>(), "{args:?}");
        assert!(elements(&html, "<a href=\"#p", "\"").iter().all(|link| ids.contains(link)));
    }
    let html = show(&["two.pgn", "one.pgn"]);
    assert!(html.contains("Anna - Ben</a> <span>2001.05.01</span> <span>1-0</span></li>"));
    assert!(html.contains("<div><dt>File</dt><dd>one.pgn</dd></div>"));
}

#[test]
fn a_page_from_standard_input_has_a_title() {
    let title = |input: &str| {
        let outcome = program().args(["show", "-", "-o", "x.html"]).stdin(input).run();
        assert_quiet(&outcome);
        let html = String::from_utf8(outcome.file("x.html").unwrap()).unwrap();
        elements(&html, "<h1>", "</h1>").remove(0)
    };
    assert_eq!(title(TWO_GAMES), "Games");
    assert_eq!(title("1. e4 *\n"), "Game 1");
    assert_eq!(title("[White \"Anna\"]\n\n1. e4 *\n"), "Anna - ?");
    assert_eq!(title(ENDGAME), "Positions");
}

#[test]
fn every_board_of_a_page_has_its_fen() {
    let fens = |input: &str| {
        let outcome = program().args(["show", "-", "-o", "x.html"]).stdin(input).run();
        let html = String::from_utf8(outcome.file("x.html").unwrap()).unwrap();
        elements(&html, "<code>", "</code>")
    };
    assert_eq!(
        fens("1. e4 *\n"),
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        ]
    );
    let records = format!(
        "{ENDGAME} bm e4; hmvc 7; fmvn 40; id \"a\";\n{ENDGAME}\n8/8/8/8/8/8/8/K7 w - - id \"b\";\n"
    );
    // The last position is illegal: only its fields are known.
    let expected =
        [format!("{ENDGAME} 7 40"), format!("{ENDGAME} 0 1"), "8/8/8/8/8/8/8/K7 w - -".into()];
    assert_eq!(fens(&records), expected);
}

#[test]
fn games_and_plies_are_lists_of_numbers_and_ranges() {
    let show = |args: &[&str]| {
        let games = program().file("g.pgn", fixture("diagrams/games.pgn"));
        games.args(["show", "g.pgn", "--format", "ascii"]).args(args).run()
    };
    let headings = |args: &[&str]| {
        let outcome = show(args);
        assert_quiet(&outcome);
        let is_heading = |line: &&str| line.starts_with("Game ");
        let lines = outcome.text().lines().filter(is_heading).map(str::to_owned);
        (lines.collect::<Vec<_>>(), outcome.text().matches("a  b  c").count())
    };
    let names = ["Queen", "Rook", "Bishop"].map(|name| format!("{name} - Promotion"));
    let three: Vec<String> =
        (1..).zip(names).map(|(n, name)| format!("Game {n}: {name}")).collect();
    assert_eq!(headings(&["--game", "1..3"]), (three.clone(), 3));
    assert_eq!(headings(&["--game", "3,1..2", "--ply", "0,1"]), (three, 6));
    // The only game needs no heading.
    assert_eq!(headings(&["--game", "6", "--ply", "0,2..3,5"]), (vec![], 4));
    assert_eq!(headings(&["--game", "5.."]).0.len(), 2);
    for (args, message) in [
        (["--game", "0"], "the first game has the number 1"),
        (["--game", "5..1"], "the range 5..1 is empty; write 1..5"),
        (["--ply", "1,x"], "\"x\" is neither a number nor a range, such as 1..5 or 8.."),
    ] {
        let outcome = show(&args);
        assert_failed(&outcome);
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    }
}

#[test]
fn games_that_are_not_drawn_are_mentioned() {
    let show = |args: &[&str]| {
        let games = program().file("g.pgn", fixture("diagrams/games.pgn"));
        games.args(["show", "g.pgn", "--format", "ascii"]).args(args).run()
    };
    let cases: [(&[&str], &str, usize); 3] = [
        (
            &[],
            "pgn2epd: g.pgn has more games, of which the first is drawn; --game selects others, such as --game 1..5\n",
            1,
        ),
        (&["--game", "1"], "", 1),
        (
            &["--game", "4..", "--ply", "1,6"],
            "pgn2epd: g.pgn: game 4 has 1 ply, so none after 6; the same for 2 more games\n",
            3,
        ),
    ];
    for (args, message, diagrams) in cases {
        let outcome = show(args);
        assert_eq!((outcome.status, &*outcome.stderr), (0, message), "{args:?}");
        assert_eq!(outcome.text().matches("a  b  c").count(), diagrams, "{args:?}");
    }
}

#[test]
fn a_page_has_a_limit_that_is_mentioned() {
    // 10,000 diagrams: 3,333 games of three.
    let games = "1. e4 e5 *\n\n".repeat(3400);
    let outcome = program().file("g.pgn", games).args(["show", "g.pgn", "-o", "x.html"]).run();
    assert_eq!(
        (outcome.status, &*outcome.stderr),
        (
            0,
            "pgn2epd: the page is full: it ends before game 3334 of g.pgn; --game 3334.. continues there\n"
        )
    );
    let html = String::from_utf8(outcome.file("x.html").unwrap()).unwrap();
    assert_eq!(html.matches("<figure ").count(), 9_999);
    let records = format!("{ENDGAME}\n").repeat(10_001);
    let outcome = program().file("r.epd", records).args(["show", "r.epd", "-o", "x.html"]).run();
    assert_eq!(
        (outcome.status, &*outcome.stderr),
        (0, "pgn2epd: the page is full: it has the first 10,000 records of r.epd\n")
    );
}

#[test]
fn an_unknown_suffix_is_an_error_unless_the_format_is_given() {
    let known = "known suffixes of diagrams: .svg, .png, .html, .htm, .tex, .txt; --format selects a format for any name";
    for (name, suffix) in [("w.pdf", ".pdf"), ("w.JPG", ".JPG"), ("w-%n.gif", ".gif")] {
        let outcome = program().args(["show", ENDGAME, "-o", name]).run();
        assert_failed(&outcome);
        assert_eq!(outcome.stderr, format!("pgn2epd: {name}: unknown suffix {suffix}; {known}\n"));
        assert!(outcome.names().is_empty());
        assert_quiet(&program().args(["show", ENDGAME, "-o", name, "--format", "svg"]).run());
    }
    for name in ["w", "W.SVG", NULL, "-"] {
        assert_quiet(&program().args(["show", ENDGAME, "-o", name]).run());
    }
}

#[test]
fn the_board_is_seen_from_the_chosen_side() {
    let outcome = program().args(["show", ENDGAME, "--view", "black"]).run();
    assert_quiet(&outcome);
    assert!(outcome.text().contains("h  g  f  e  d  c  b  a"), "{}", outcome.text());
}

/// The pieces of each diagram as text, and the line after its last rank.
fn diagrams(text: &str) -> Vec<(String, String)> {
    let board = |text: &str| {
        let (rows, rest) = text.split_once("   a  b  c  d  e  f  g  h\n").unwrap();
        let pieces = rows.chars().filter(|c| c.is_ascii_alphabetic()).collect();
        (pieces, rest.trim_end().replace('\n', "; "))
    };
    text.split("\n\n").map(board).collect()
}

#[test]
fn positions_of_every_source_are_drawn() {
    const PUZZLES: &str = "PuzzleId,FEN,Moves,Rating\n\
        a,4k3/8/8/8/8/8/4P3/4K3 b - - 0 1,e8e7 e2e4,1500\n\
        b,4k3/8/8/8/8/8/3P4/4K3 b - - 0 1,e8d7 d2d4,2500\n";
    const PLAIN: &str = "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nmove e2e4\nscore 5\nply 0\nresult 1\ne\n\
        fen 4k3/8/8/8/4P3/8/8/4K3 b - - 0 1\nmove e8e7\nscore 5\nply 1\nresult -1\ne\n";
    let evals = r#"{"fen":"4k3/8/8/8/8/8/4P3/4K3 w - -","evals":[{"pvs":[{"cp":31,"line":"e2e3"}],"knodes":1,"depth":2}]}"#;
    let json = r#"{"fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","bm":"e4","id":"x"}"#;
    let fns = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1|Pawn|e4|\n";
    let label = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 35 | 0.5\n";
    let pawn = "kPK";
    type Case<'c> = (&'c str, &'c str, &'c [&'c str], &'c [(&'c str, &'c str)]);
    let cases: [Case<'_>; 8] = [
        (
            "a.csv",
            PUZZLES,
            &[],
            &[(pawn, "White to move, e2-e4; a"), (pawn, "White to move, d2-d4; b")],
        ),
        ("a.csv", PUZZLES, &["--where", "Rating > 2000"], &[(pawn, "White to move, d2-d4; b")]),
        (
            "a.plain",
            PLAIN,
            &[],
            &[(pawn, "White to move, e2-e4; 1-0"), (pawn, "Black to move, e8-e7; 1. e4; 1-0")],
        ),
        ("a.jsonl", evals, &[], &[(pawn, "White to move")]),
        ("b.jsonl", json, &[], &[(pawn, "White to move, e2-e4; x")]),
        ("a.fns", fns, &[], &[(pawn, "White to move, e2-e4; Pawn")]),
        ("a.txt", label, &[], &[(pawn, "White to move; 1/2-1/2")]),
        ("c.jsonl", json, &["--input", "jsonl"], &[(pawn, "White to move, e2-e4; x")]),
    ];
    for (name, text, args, expected) in cases {
        for packed in [false, true] {
            let bytes = match packed {
                true => testkit::pack::gzip(text.as_bytes()),
                false => text.as_bytes().to_vec(),
            };
            let show = program().file(name, bytes).args(["show", "--format", "ascii", name]);
            let outcome = show.args(args).run();
            assert_quiet(&outcome);
            let expected: Vec<(String, String)> = expected
                .iter()
                .map(|(pieces, rest)| (pieces.to_string(), rest.to_string()))
                .collect();
            assert_eq!(diagrams(outcome.text()), expected, "{name} {args:?}");
        }
    }
}

#[test]
fn training_data_and_tables_are_drawn_like_the_records_made_of_them() {
    let games = fixture("engines.pgn");
    let names = ["a.vf", "a.binpack", "a.bullet", "a.parquet", "a.arrow", "a.csv"];
    for name in names.into_iter().filter(|name| cfg!(feature = "arrow") || !name.contains(".ar")) {
        let columns: &[&str] =
            if name.ends_with(['t', 'w', 'v']) { &["--columns", "fen,san"] } else { &[] };
        let columns = if name == "a.bullet" { &[] } else { columns };
        let data =
            program().file("a.pgn", &games).args(["a.pgn", "-q", "-o", name]).args(columns).run();
        let data = data.file(name).unwrap();
        let shown = |args: &[&str]| {
            let outcome = program().file(name, &data).args(args).arg(name).run();
            assert_eq!(outcome.status, 0, "{}", outcome.stderr);
            outcome.text().to_owned()
        };
        let records = shown(&["-q"]);
        let of_records = program().args(["show", "-", "--format", "ascii"]).stdin(records).run();
        let of_data = shown(&["show", "--format", "ascii"]);
        assert_eq!(diagrams(&of_data), diagrams(of_records.text()), "{name}");
        assert!(diagrams(&of_data).len() > 20, "{name}");
    }
}

#[test]
fn records_and_positions_are_selected() {
    let records: String =
        (1..=9).map(|number| format!("{ENDGAME} ce {number}; id \"n{number}\";\n")).collect();
    let show = |args: &[&str]| {
        let folder = program().file("r.epd", &records).file("g.pgn", fixture("classics.pgn"));
        folder.args(["show", "--format", "ascii"]).args(args).run()
    };
    let ids = |args: &[&str]| {
        let outcome = show(args);
        assert_quiet(&outcome);
        diagrams(outcome.text())
            .into_iter()
            .map(|(_, rest)| rest[rest.len() - 2..].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&["r.epd", "--game", "2,8.."]), ["n2", "n8", "n9"]);
    assert_eq!(ids(&["r.epd", "--where", "ce > 7 or id = \"n3\""]), ["n3", "n8", "n9"]);
    assert_eq!(ids(&["r.epd", "--game", "3..8", "--where", "ce > 7"]), ["n8"]);
    let failed = |args: &[&str]| {
        let outcome = show(args);
        assert_failed(&outcome);
        outcome.stderr
    };
    assert_eq!(failed(&["r.epd", "--game", "12"]), "pgn2epd: r.epd has no record 12: it has 9\n");
    let nothing = "pgn2epd: no diagrams: no position meets the condition of --where\n";
    for args in [["r.epd", "--where", "ce > 9"], ["g.pgn", "--where", "White = 'Unknown'"]] {
        let outcome = show(&args);
        assert_eq!((outcome.status, outcome.text(), &*outcome.stderr), (1, "", nothing));
    }
    // Positions of games keep their last moves and their names.
    let all = show(&["g.pgn", "--game", "1", "--ply", "0.."]);
    let is_check = |(_, rest): &(String, String)| rest.contains(['+', '#']);
    let headings = diagrams(all.text()).into_iter().filter(is_check).map(|(_, rest)| rest);
    let checks = show(&["g.pgn", "--game", "1", "--where", "check"]);
    let found = diagrams(checks.text()).into_iter().map(|(_, rest)| rest);
    let (headings, found): (Vec<_>, Vec<_>) = (headings.collect(), found.collect());
    assert!(!found.is_empty());
    assert_eq!(found, headings);
}

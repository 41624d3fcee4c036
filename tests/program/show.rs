//! `show`: diagrams of records and games.

use crate::support::{fixture, program};

const ENDGAME: &str = "8/8/8/4k3/8/8/4P3/4K3 w - -";
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
            .run_quietly();
        outcome.string("x.html")
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
    let html = outcome.string("x.html");
    assert_eq!(html.matches("<figure ").count(), 9_999);
    let records = format!("{ENDGAME}\n").repeat(10_001);
    let outcome = program().file("r.epd", records).args(["show", "r.epd", "-o", "x.html"]).run();
    assert_eq!(
        (outcome.status, &*outcome.stderr),
        (0, "pgn2epd: the page is full: it has the first 10,000 records of r.epd\n")
    );
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
            program().file(name, &data).args(args).arg(name).succeed().text().to_owned()
        };
        let records = shown(&["-q"]);
        let of_records = program().args(["show", "-", "--format", "ascii"]).stdin(records).run();
        let of_data = shown(&["show", "--format", "ascii"]);
        assert_eq!(diagrams(&of_data), diagrams(of_records.text()), "{name}");
        assert!(diagrams(&of_data).len() > 20, "{name}");
    }
}

#[test]
fn selected_positions_of_games_keep_their_moves_and_names() {
    let show = |args: &[&str]| {
        let games = program().file("g.pgn", fixture("classics.pgn"));
        games.args(["show", "--format", "ascii", "g.pgn", "--game", "1"]).args(args).run()
    };
    let all = show(&["--ply", "0.."]);
    let is_check = |(_, rest): &(String, String)| rest.contains(['+', '#']);
    let headings: Vec<_> = diagrams(all.text()).into_iter().filter(is_check).collect();
    let checks = show(&["--where", "check"]);
    assert!(!headings.is_empty());
    assert_eq!(diagrams(checks.text()), headings);
}

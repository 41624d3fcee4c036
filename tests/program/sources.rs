//! Files of positions as many programs write them, with what each means by hand.

use std::path::Path;

use testkit::program::Outcome;

use crate::support::program;

/// A game of fool's mate up to its last move, and after 1. e4.
const FOOLS: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const PAWN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
/// Black moves Qh3-h6, and White mates with Rd8.
const PUZZLE: &str = "6k1/5ppp/8/8/8/7q/5PP1/3R2K1 b - - 1 30";
const SOLVED: &str = "6k1/5ppp/7q/8/8/8/5PP1/3R2K1 w - -";

fn read(name: &str, text: &str, args: &[&str]) -> Outcome {
    program().file(name, text).args(args).arg(name).run()
}

/// The operations of each record.
fn operations(outcome: &Outcome) -> Vec<&str> {
    let text = outcome.text().lines();
    text.map(|line| line.splitn(5, ' ').nth(4).unwrap_or_default()).collect()
}

#[test]
fn evaluations_are_for_the_side_that_the_names_of_columns_say() {
    // Columns, cells, and `ce` with Black to move.
    let cases = [
        ("cp,mate", ",-1", "ce 32766;"),
        ("mate,cp", "-1,", "ce 32766;"),
        ("mate,cp", "1,", "ce -32765;"),
        ("cp", "18", "ce -18;"),
        ("cp,mate", "18,", "ce -18;"),
        ("white_cp,white_mate", ",-2", "ce 32764;"),
        ("white_cp", "-7.0", "ce 7;"),
        // Those of this program.
        ("eval_cp,mate", ",-1", "ce -32765;"),
        ("eval_cp,mate", "18,", "ce 18;"),
        ("mate", "1", "ce 32766;"),
        ("eval", "32764", "ce 32764;"),
        ("depth,knodes,line,cp", "30,7,d8h4,-9", "acd 30; acn 7000; ce 9; pv Qh4#;"),
        ("move", "d8h4", "sm Qh4#;"),
        // The number of the move, and of a line of the file.
        ("move,line", "2,17", ""),
    ];
    for (columns, cells, expected) in cases {
        let args = ["--ops", "acd,acn,ce,pv,sm"];
        let outcome = read("a.csv", &format!("fen,{columns}\n{FOOLS},{cells}\n"), &args);
        assert_eq!(operations(&outcome), [expected], "{columns} {cells}: {}", outcome.stderr);
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{columns}");
        let names = columns.split(',').zip(cells.split(','));
        let members: Vec<String> = names
            .map(|(name, cell)| match cell {
                "" => format!("\"{name}\":null"),
                cell if cell.parse::<f64>().is_ok() => format!("\"{name}\":{cell}"),
                cell => format!("\"{name}\":\"{cell}\""),
            })
            .collect();
        let line = format!("{{{},\"fen\":\"{FOOLS}\"}}\n", members.join(","));
        let outcome = read("a.jsonl", &line, &args);
        assert_eq!(operations(&outcome), [expected], "{line}: {}", outcome.stderr);
    }
    // With names that say nothing, the user does.
    let table = format!("fen,score,m\n{FOOLS},18,\n{FOOLS},,-1\n");
    let args = ["--ops", "ce", "--rename", "white_cp=score,white_mate=m"];
    assert_eq!(operations(&read("a.csv", &table, &args)), ["ce -18;", "ce 32766;"]);
    // A number that is none of centipawns is an error of each column.
    for column in ["white_cp", "cp", "ce", "eval"] {
        let outcome = read("a.csv", &format!("fen,{column}\n{PAWN},5000000000\n"), &[]);
        assert_eq!((outcome.status, operations(&outcome)), (1, vec!["fmvn 1; hmvc 0;"]));
        assert!(outcome.stderr.contains("1 error in 1 line"), "{}", outcome.stderr);
    }
}

#[test]
fn tables_with_the_columns_of_presets_and_of_the_documentation_are_read_as_they_are_written() {
    let fixture = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let pages = ["docs/datasets.md", "docs/positions.md", "docs/questions.md", "docs/cluster.md"];
    let pages = pages.map(|page| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap()
    });
    let words = pages.iter().flat_map(|page| page.split_whitespace());
    let words: Vec<&str> = words.map(|word| word.trim_matches(['`', '\'', '"'])).collect();
    let lists = words.windows(2).filter(|pair| pair[0] == "--columns").map(|pair| pair[1]);
    let mut lists: Vec<Vec<&str>> = lists.map(|list| vec!["--columns", list]).collect();
    lists.extend([vec![], vec!["--preset", "fishnet-evals"]]);
    assert!(lists.len() > 5, "{lists:?}");
    let mut tried = 0;
    for list in lists {
        let columns = list.get(1).copied().unwrap_or("fen");
        let names = columns.split(',').map(|column| column.rsplit('=').next().unwrap());
        let names: Vec<&str> = names.collect();
        let has_position = list.is_empty() || list[0] == "--preset" || names.contains(&"fen");
        // A table of games; what is counted in a file.
        if !has_position || names.contains(&"plies") || columns.contains("record.") {
            continue;
        }
        for format in ["csv", "jsonl"] {
            let mut args = list.clone();
            args.extend(["--format", format, "-q"]);
            let games = fixture("engines.pgn");
            let first = program().args(&args).arg(games.to_str().unwrap()).run();
            let second = program().args(&args).stdin(first.text()).run();
            // The number of a game is that of a row.
            let is_numbered = list.is_empty() || names.contains(&"game");
            let cells = |outcome: &Outcome| -> Vec<String> {
                let lines = outcome.text().lines().skip(usize::from(format == "csv"));
                let from = usize::from(is_numbered);
                lines.map(|line| line.splitn(2, ',').nth(from).unwrap_or(line).to_owned()).collect()
            };
            // Operations, which are written from records.
            if first.stderr.contains("is not known of games") {
                continue;
            }
            tried += 1;
            assert_eq!((first.status, second.status), (0, 0), "{list:?} {}", second.stderr);
            assert!(!cells(&first).is_empty(), "{list:?}");
            assert_eq!(cells(&second), cells(&first), "{list:?} {format}");
        }
    }
    assert!(tried >= 4, "{tried}");
}

#[test]
fn puzzles_are_known_by_the_names_of_their_columns() {
    let headers = [
        "PuzzleId,FEN,Moves,Rating",
        "FEN,Moves,Rating",
        "Rating,Moves,FEN",
        "fen,moves",
        "Moves,x,Rating,fen,y",
        "puzzle_id,rating,FEN,moves",
        "ID,FEN,MOVES",
    ];
    let cell = |name: &str| match &*name.to_ascii_lowercase().replace('_', "") {
        "fen" => PUZZLE,
        "moves" => "h3h6 d1d8",
        "rating" => "900",
        _ => "x1",
    };
    for header in headers {
        for delimiter in [",", ";", "\t", "|"] {
            let names: Vec<&str> = header.split(',').collect();
            let cells: Vec<&str> = names.iter().map(|name| cell(name)).collect();
            let table = format!("{}\n{}\n", names.join(delimiter), cells.join(delimiter));
            let outcome = read("a.txt", &table, &[]);
            let record = outcome.text();
            assert!(record.starts_with(SOLVED), "{table}{record}{}", outcome.stderr);
            assert!(record.contains(" bm Rd8#; ") && record.contains(" pv Rd8#;"), "{record}");
            let has_rating = header.to_ascii_lowercase().contains("rating");
            assert_eq!(record.contains("Rating 900;"), has_rating, "{record}");
        }
        let members = header.split(',').map(|name| format!("\"{name}\":\"{}\"", cell(name)));
        let line = format!("{{{}}}\n", members.collect::<Vec<_>>().join(", "));
        let outcome = read("a.jsonl", &line, &["--ops", "pv"]);
        assert_eq!(outcome.text(), format!("{SOLVED} pv Rd8#;\n"), "{line}{}", outcome.stderr);
    }
    // Without names, by their places; and moves that are none of a puzzle.
    let nameless = format!("00008,{PUZZLE},h3h6 d1d8,1853,76,94,4500,mate short,url,\n");
    let outcome = read("a.csv", &nameless, &["--ops", "id,pv,Rating"]);
    assert_eq!(outcome.text(), format!("{SOLVED} Rating 1853; id \"00008\"; pv Rd8#;\n"));
    for moves in ["2", "h3h6", "Qh6 Rd8#", "h3h6 d1d8 g8h7"] {
        let outcome =
            read("a.csv", &format!("fen,moves\n{PUZZLE},{moves}\n"), &["--format", "fen"]);
        assert_eq!(outcome.text(), format!("{PUZZLE}\n"), "{moves}");
    }
    let outcome = read("a.csv", &format!("PuzzleId,FEN,Moves\nx,{PUZZLE},h3h9 d1d8\n"), &[]);
    assert_eq!((outcome.status, outcome.text()), (1, ""));
}

#[test]
fn one_rule_says_what_a_name_means() {
    let table = format!(
        "fen,name,score,source,opening_name,line,eval,Eco,pieces\n\
         {PAWN},back rank,120,book,none,7,5,A00,900\n{PAWN},pawn,15,own,x,8,6,B00,800\n"
    );
    let epd = "4k3/8/8/8/8/8/4P3/4K3 w - - moves 3; nps 1000; Rating 900; eval 7;\n\
               4k3/8/8/8/8/8/3P4/4K3 w - - moves 2; nps 2000; Rating 1500; eval 8;\n";
    // The file, arguments, and the number of records.
    let conditions = [
        (&*table, "source = 'book'", 1),
        (&table, "record.score > 100", 1),
        (&table, "record.score in 10..20", 1),
        (&table, "has(record.score) and opening_name ~ 'none'", 1),
        (&table, "record.line = 8", 1),
        (&table, "record.pieces > 850", 1),
        (&table, "pieces > 850", 0),
        (&table, "eval = 6 and record.eval = 6", 1),
        (&table, "name ~ 'a'", 2),
        (epd, "nps > 1500", 1),
        (epd, "moves = 3", 1),
        (epd, "Rating > 1000", 1),
        (epd, "record.eval = 7", 1),
        (epd, "eval = 7", 0),
    ];
    for (text, condition, count) in conditions {
        let outcome = read("a.txt", text, &["--where", condition, "--ops", "none"]);
        assert_eq!(outcome.text().lines().count(), count, "{condition}: {}", outcome.stderr);
    }
    let columns = [
        (&*table, "id,name", "id,name\n,back rank\n,pawn\n"),
        (&table, "record.score,x=record.line", "score,x\n120,7\n15,8\n"),
        (&table, "record.Eco,record.pieces", "Eco,pieces\nA00,900\nB00,800\n"),
        (epd, "Rating,nps,record.eval", "Rating,nps,eval\n900,1000,7\n1500,2000,8\n"),
    ];
    for (text, list, expected) in columns {
        let outcome = read("a.txt", text, &["--format", "csv", "--columns", list]);
        assert_eq!(outcome.text(), expected, "{list}: {}", outcome.stderr);
    }
    for (text, order) in [(&*table, "record.score"), (epd, "-Rating"), (epd, "-record.eval")] {
        let args = ["--sort", order, "--ops", "none", "--add", "c0={record.score|}{Rating|}"];
        let first = read("a.txt", text, &args).text().lines().next().unwrap().to_owned();
        assert!(first.contains("\"15\"") || first.contains("\"1500\""), "{order}: {first}");
    }
    // Names that nothing in the whole input has.
    const GAME: &str = "[White \"W\"]\n\n1. e4 *\n";
    for (args, text, expected) in [
        (
            &["-f", "csv", "--columns", "nps,Ratingg,Rating"][..],
            epd,
            "--columns: no record has an operation or a column Ratingg",
        ),
        (&["--sort", "-Ratingg"], epd, "--sort: no record has an operation or a column Ratingg"),
        (
            &["-f", "csv", "--columns", "fen,Wappen,White"],
            GAME,
            "--columns: no game has a tag Wappen",
        ),
        (&["--sort", "White,Black"], GAME, "--sort: no game has a tag Black"),
        (&["--sort", "White", "--where", "ply = 1"], GAME, ""),
        (&["-f", "csv", "--columns", "White", "-q"], GAME, ""),
        (&["-f", "csv", "--columns", "Black", "-q"], GAME, ""),
    ] {
        let outcome = read(if text == GAME { "a.pgn" } else { "a.epd" }, text, args);
        let expected = if expected.is_empty() {
            String::new()
        } else {
            format!("pgn2epd: warning: {expected}\n")
        };
        assert_eq!((&*outcome.stderr, outcome.status), (&*expected, 0), "{args:?}");
    }
    // What no record has is reported, and what games cannot have is refused.
    let cases = [
        ("plyy > 2", "no record has an operation or a column plyy; did you mean ply?"),
        ("Ratingg > 2", "no record has an operation or a column Ratingg"),
    ];
    for (condition, expected) in cases {
        let outcome = read("a.epd", epd, &["--where", condition]);
        assert!(outcome.stderr.contains(expected), "{condition}: {}", outcome.stderr);
        let outcome = read("a.pgn", "1. e4 *", &["--where", condition]);
        let is_refused = condition.starts_with("plyy");
        assert_eq!(outcome.status == 2, is_refused, "{condition}: {}", outcome.stderr);
    }
}

#[test]
fn what_is_read_as_something_else_is_reported_once() {
    let changed = "4k3/8/8/8/8/8/4P3/4K3 w - e6 7 12\n\
                   4k3/8/8/8/8/8/3P4/4K3 w - - 1 0\n\
                   4k3/8/8/8/8/8/2P5/4K3 w K - 0 1\n\
                   4k3/8/8/8/8/8/1P6/4K3 w - - 3 7 fmvn 9; hmvc 4;\n\
                   4k3/8/8/8/8/8/P7/4K3 w - e6 0 1\n";
    for args in [&[][..], &["--format", "fen"], &["--unique"], &["--ops", "none"]] {
        let outcome = read("a.fen", changed, args);
        assert_eq!((outcome.status, outcome.text().lines().count()), (0, 5), "{args:?}");
        let lines: Vec<&str> = outcome.stderr.lines().collect();
        let places = ["a.fen:1:27: ", "a.fen:2:31: ", "a.fen:3:25: ", "a.fen:4:"];
        for place in places {
            let found = lines.iter().filter(|line| line.starts_with(place));
            assert_eq!(found.count(), 1, "{args:?} {place}: {}", outcome.stderr);
        }
        assert!(
            lines.contains(&"a.fen: 1 more problem like that in line 1 (en-passant)"),
            "{lines:?}"
        );
        let strict = read("a.fen", changed, &[args, &["--strict"]].concat());
        assert_eq!(strict.status, 1, "{args:?}");
        assert_eq!(strict.text(), outcome.text());
    }
    for command in ["join", "diff"] {
        let args: &[&str] = if command == "join" { &["--with"] } else { &[] };
        let run = |more: &[&str]| {
            let run = program().file("a.fen", changed).file("b.epd", "").arg(command);
            run.args(more).arg("a.fen").args(args).arg("b.epd").run()
        };
        let outcome = run(&[]);
        assert!(outcome.stderr.contains("a.fen:1:27: "), "{command}: {}", outcome.stderr);
        assert_eq!(run(&["--strict"]).status, 1, "{command}");
    }
    let table = format!("fen,id\n{},x\n", "4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 0");
    let outcome = read("a.csv", &table, &["--ops", "id"]);
    assert_eq!(outcome.text(), "4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";\n");
    assert!(outcome.stderr.contains("a.csv:2:1: "), "{}", outcome.stderr);
    // A legal move besides a legal line.
    let line = "1k6/1P6/PK3p2/B3p2p/8/3R1P1r/8/8 b - - pm Rxf3; pv Rh2 a7#;\n";
    let outcome = read("a.epd", line, &[]);
    assert_eq!(outcome.text(), line);
    assert!(outcome.stderr.contains("pm Rxf3 is not the first move of pv"), "{}", outcome.stderr);
}

#[test]
fn positions_are_not_taken_for_games() {
    let table = format!("position,ce\n{PAWN},35\n");
    let read_as = [
        ("other name", table.clone(), " ce 35;"),
        ("between", format!("n;the start;ce\n1;{PAWN};35\n"), " ce 35;"),
        ("bars", format!("fen|ce\n{PAWN}|35\n"), " ce 35;"),
        ("bars, spaces", format!("fen | ce\n{PAWN} | 35\n"), " ce 35;"),
        ("separator", format!("sep=;\nfen;ce\n{PAWN};35\n"), " ce 35;"),
        ("comment", format!("# made by hand\n# twice\nfen,ce\n{PAWN},35\n"), " ce 35;"),
        ("quoted", format!("\"{PAWN}\"\n\"{PAWN}\"\n"), ""),
        ("quoted names", format!("\"fen\",\"ce\"\n\"{PAWN}\",\"35\"\n"), " ce 35;"),
        ("score first", "35,4k3/8/8/8/8/8/4P3/4K3 w - -\n".to_owned(), " c0 \"35\";"),
        ("json", format!("{{\"start\": \"{PAWN}\", \"ce\": 35}}\n"), " ce 35;"),
    ];
    for (name, text, expected) in &read_as {
        let outcome = read("a.txt", text, &["-q", "--ops", "c0,ce"]);
        let lines = text.lines().filter(|line| line.contains("/8/")).count();
        let expected = format!("4k3/8/8/8/8/8/4P3/4K3 w - -{expected}\n").repeat(lines);
        assert_eq!((outcome.status, outcome.text()), (0, &*expected), "{name}: {}", outcome.stderr);
    }
    let refused = [
        ("indented JSON", format!("{{\n  \"fen\": \"{PAWN}\",\n  \"ce\": 35\n}}\n"), "jq"),
        ("an array", format!("[{{\"fen\": \"{PAWN}\"}},\n{{\"fen\": \"{PAWN}\"}}]\n"), "jq"),
        ("objects with commas", format!("{{\"fen\": \"{PAWN}\"}},\n{{\"fen\": \"{E4}\"}}\n"), "jq"),
        ("perft", format!("id gentest-1\nepd {PAWN}\nperft 1 7\n"), "not recognized"),
        ("a numbered list", format!("Some positions\n1. {PAWN}\n2. {E4}\n"), "not recognized"),
        ("two columns", format!("before,after\n{PAWN},{E4}\n"), "not recognized"),
    ];
    for (name, text, expected) in &refused {
        let outcome = read("a.txt", text, &["-q"]);
        assert_eq!((outcome.status, outcome.text()), (2, ""), "{name}");
        assert!(outcome.stderr.contains(expected), "{name}: {}", outcome.stderr);
    }
    // Games stay games.
    let games = [
        format!("[SetUp \"1\"]\n[FEN \"{PAWN}\"]\n\n1. e4 *\n"),
        format!("; {PAWN}\n1. e4 *\n"),
        format!("{{from {PAWN}}}\n1. e4 *\n"),
        format!("1. e4 {{\"{E4}\"}} *\n"),
    ];
    for text in &games {
        let outcome = read("a.txt", text, &["--last", "--ops", "none"]);
        assert_eq!(outcome.text().lines().count(), 1, "{text}: {}", outcome.stderr);
    }
    let renamed = read(
        "a.csv",
        &format!("before,after\n{PAWN},{E4}\n"),
        &["--input", "csv", "--rename", "fen=after", "--format", "fen"],
    );
    assert_eq!(renamed.text(), format!("{E4}\n"), "{}", renamed.stderr);
}

#[test]
fn marks_encodings_and_suffixes_make_no_difference() {
    let plain = format!("fen {PAWN}\nmove e2e4\nscore 30\nply 0\nresult 1\ne\n");
    let json = format!("{{\"fen\":\"{PAWN}\",\"sm\":\"e4\"}}\n");
    let csv = format!("fen,sm\n{PAWN},e4\n");
    let evals = format!(
        "{{\"fen\":\"{PAWN}\",\"evals\":[{{\"pvs\":[{{\"cp\":1,\"line\":\"e2e4\"}}],\"knodes\":1,\"depth\":2}}]}}\n"
    );
    for text in [&plain, &json, &csv, &evals] {
        let utf16 = |to: fn(u16) -> [u8; 2]| -> Vec<u8> {
            format!("\u{feff}{text}").encode_utf16().flat_map(to).collect()
        };
        let forms = [
            text.clone().into_bytes(),
            format!("\u{feff}{text}").into_bytes(),
            utf16(u16::to_le_bytes),
            utf16(u16::to_be_bytes),
            text.replace('\n', "\r\n").into_bytes(),
        ];
        for (number, bytes) in forms.into_iter().enumerate() {
            let outcome = program().args(["--ops", "sm,pv"]).stdin(bytes).run();
            let found = outcome.text().replace("pv", "sm");
            let expected = "4k3/8/8/8/8/8/4P3/4K3 w - - sm e4;\n";
            assert_eq!(found, expected, "{number} of {text}: {}", outcome.stderr);
        }
    }
    // Content decides, not the suffix of training data.
    for name in ["x.bullet", "x.vf", "x.binpack"] {
        let outcome = read(name, &format!("{PAWN} | 35 | 1.0\n"), &["--ops", "ce"]);
        assert_eq!(outcome.text(), "4k3/8/8/8/8/8/4P3/4K3 w - - ce 35;\n", "{name}");
    }
}

#[test]
fn labels_of_many_forms_are_those_of_the_side_that_each_is_for() {
    // The label with White and with Black to move, as White's label of bullet.
    let cases = [
        (",35,2", "35 | 1.0", "-35 | 0.0"),
        (",35,1", "35 | 0.5", "-35 | 0.5"),
        (",35,1.0", "35 | 1.0", "-35 | 0.0"),
        (",35,0.5", "35 | 0.5", "-35 | 0.5"),
        (",-12,0.75", "-12 | 0.75", "12 | 0.25"),
        ("\t35\t1.0", "35 | 1.0", "35 | 1.0"),
        ("\t35\t1", "35 | 1.0", "35 | 1.0"),
        ("\t35\t1/2-1/2", "35 | 0.5", "35 | 0.5"),
        (";35;1.0", "35 | 1.0", "35 | 1.0"),
        ("; -35; 0-1", "-35 | 0.0", "-35 | 0.0"),
        (" 35 0.5", "35 | 0.5", "35 | 0.5"),
        (" -35 0.0", "-35 | 0.0", "-35 | 0.0"),
        (" 35 0", "35 | 0.0", "35 | 0.0"),
        (" | 35 | 1.0 | e2e4", "35 | 1.0", ""),
    ];
    for (label, white, black) in cases {
        for (fen, expected) in [(PAWN, white), (&PAWN.replace(" w ", " b "), black)] {
            let is_meant = !expected.is_empty();
            let outcome = read("a.txt", &format!("{fen}{label}\n"), &["--format", "bullet"]);
            let expected = format!("{fen} | {expected}\n");
            assert!(!is_meant || outcome.text() == expected, "{fen}{label}: {}", outcome.text());
        }
    }
    let played = read("a.txt", &format!("{PAWN} | 35 | 1.0 | e2e4\n"), &["--ops", "sm,ce"]);
    assert_eq!(played.text(), "4k3/8/8/8/8/8/4P3/4K3 w - - ce 35; sm e4;\n");
    let plain = read("a.txt", &format!("{PAWN} | 35 | 1.0 | e2e4\n"), &["--format", "plain"]);
    assert!(plain.text().contains("\nmove e2e4\nscore 35\n"), "{}", plain.text());
    // A full stop is none.
    let stop = read("a.fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 7.\n", &["--format", "fen"]);
    assert_eq!((stop.text(), &*stop.stderr), ("4k3/8/8/8/8/8/4P3/4K3 w - - 3 7\n", ""));
    // Moves from the start that lead to the position are not the move played from it.
    let openings = format!(
        "eco\tname\tpgn\tuci\tepd\nA00\tAmar\t1. Nh3\tg1h3\t\
         rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R b KQkq -\n\
         B00\tKing's Pawn\t1. e4\te2e4\t{}\n",
        E4.trim_end_matches(" 0 1")
    );
    let outcome =
        read("a.tsv", &openings, &["--columns", "name,uci,record.uci", "--format", "csv"]);
    let expected = "the column \"uci\" occurs twice";
    assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    let args = ["--columns", "name,played=uci,record.uci", "--format", "csv"];
    let outcome = read("a.tsv", &openings, &args);
    assert_eq!(outcome.text(), "name,played,uci\nAmar,,g1h3\nKing's Pawn,,e2e4\n");
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    // What a format has no room for is reported.
    let records = "4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"1-0\"; ce 30; sm e4;\n\
                   4k3/8/8/8/8/8/3P4/4K3 w - - c9 \"1-0\"; sm d4;\n";
    let outcome = read("a.epd", records, &["--format", "plain"]);
    assert!(outcome.stderr.contains("1 position not written"), "{}", outcome.stderr);
}

#[test]
fn positions_of_variants_are_read_by_their_rules() {
    let pockets = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR/Pp w KQkq - 0 3\n\
                   rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR/Np w KQkq - 0 3\n\
                   rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3\n";
    let outcome = read("a.fen", pockets, &["--unique", "--ops", "none"]);
    let pocket =
        |pieces| format!("rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[{pieces}] w KQkq -\n");
    assert_eq!(outcome.text(), format!("{}{}", pocket("Pp"), pocket("Np")));
    let checks = "rnbqkbnr/ppp2ppp/3p4/1B2p3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 3 +1+0\n\
                  rnbqkbnr/ppp2ppp/3p4/1B2p3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 2+3 1 3\n\
                  rnbqkbnr/ppp2ppp/3p4/1B2p3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 3 +2+0 id \"x\";\n";
    let outcome = read("a.fen", checks, &["--unique", "--ops", "id"]);
    let fields = "rnbqkbnr/ppp2ppp/3p4/1B2p3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq -";
    assert_eq!(outcome.text(), format!("{fields} 2+3\n{fields} 1+3 id \"x\";\n"));
    // Kings may be neighbours in Atomic: each command takes what another writes.
    let atomic = "8/8/8/3kr3/3K4/8/P7/8 w - - id \"a\";\n8/8/8/3kR3/3K4/8/p7/8 b - - bm a1=Q;\n";
    assert_eq!(read("a.epd", atomic, &[]).status, 1);
    let run = |command: &[&str]| {
        let files = program().file("a.epd", atomic).file("b.epd", atomic.replace("\"a\"", "\"b\""));
        files.args(command).run()
    };
    let variant = ["--variant", "atomic"];
    let fixed = run(&[&["check", "--fix", "a.epd"][..], &variant].concat());
    assert_eq!(fixed.text(), atomic);
    assert_eq!(run(&[&["a.epd"][..], &variant].concat()).text(), atomic);
    let joined = run(&[&["join", "a.epd", "--with", "b.epd"][..], &variant].concat());
    assert_eq!(joined.text(), atomic, "{}", joined.stderr);
    let diff = run(&[&["diff", "a.epd", "b.epd"][..], &variant].concat());
    assert_eq!(diff.text().lines().count(), 2, "{}", diff.stderr);
    let show = run(&[&["show", "a.epd"][..], &variant].concat());
    assert_eq!(show.status, 0, "{}", show.stderr);
    // A check that cannot be, but with a capture en passant: 6 moves, as published.
    let fen = "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1\n";
    let args = ["--columns", "legal,ep", "--format", "csv"];
    let outcome = read("a.fen", fen, &args);
    assert_eq!(outcome.text(), "legal,ep\n6,d3\n", "{}", outcome.stderr);
}

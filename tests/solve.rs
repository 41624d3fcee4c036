//! `pgn2epd solve` with a scripted engine, whose moves are known.

use serde_json::Value;
use shakmaty::{CastlingMode, Chess};
use testkit::program::{Outcome, Program};
use testkit::scripted_engine::{EXIT_STATUS, expected};

use crate::engines::{engine, position, san};
use crate::support::program;

const FENS: [&str; 6] = [
    "4k3/8/8/8/8/8/4P3/4K3 w - -",
    "4k3/8/8/8/8/8/3P4/4K3 w - -",
    "4k3/8/8/8/8/8/2P5/4K3 w - -",
    "4k3/4p3/8/8/8/8/8/4K3 b - -",
    "4k3/3p4/8/8/8/8/8/4K3 b - -",
    "r3k3/8/8/8/8/8/8/4K2R w - -",
];

/// The move of the engine and another one, in UCI notation and in SAN, and the score.
struct Known {
    moves: [String; 2],
    san: [String; 2],
    score: i64,
}

fn known(fields: &str) -> Known {
    let (start, fen): (Chess, String) = position(fields, CastlingMode::Standard).unwrap();
    let lines = expected(&fen, false, 2, &[]);
    let moves = [0, 1].map(|rank| lines[rank].moves[0].clone());
    let san = moves.each_ref().map(|mv| san(&start, std::slice::from_ref(mv)));
    Known { moves, san, score: lines[0].score }
}

fn solve(program: Program, scripts: &[&[&str]], arguments: &[&str]) -> Outcome {
    let program = program.args(["solve", "suite.epd", "--nodes=500"]);
    let engines = scripts.iter().flat_map(|script| ["--engine".to_owned(), engine(script)]);
    program.args(engines).args(arguments).run()
}

/// Records of each kind: four are solved, with 17 of 30 points.
fn suite() -> (String, Vec<Known>) {
    let known: Vec<Known> = FENS.iter().map(|fen| known(fen)).collect();
    let records = known.iter().zip(FENS).enumerate().map(|(number, (known, fen))| {
        let [best, other] = &known.san;
        let [best_uci, other_uci] = &known.moves;
        let asked = match number {
            0 => format!("bm {other} {best}; id \"a, b\";"),
            1 => format!("bm {other}; c8 \"10 7\"; c9 \"{other_uci} {best_uci}\"; id \"b\";"),
            2 => format!("am {best}; id \"c\";"),
            3 => format!("am {other}; c8 \"10 9\"; c9 \"text, not moves\"; id \"d\";"),
            4 => format!("c0 \"{best}=10, {other}=7\"; id \"e\";"),
            _ => format!("bm {best}; c0 \"{other}=10\"; id \"f\";"),
        };
        format!("{fen} {asked}\n")
    });
    (records.collect(), known)
}

#[test]
fn positions_are_solved_by_their_moves() {
    let (suite, known) = suite();
    let run = |scripts: &[&[&str]], arguments: &[&str]| {
        let outcome = solve(program().file("suite.epd", &*suite), scripts, arguments);
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{arguments:?}");
        outcome.text().to_owned()
    };
    let cell = |number: usize, points: &str| {
        let Known { san: [best, _], score, .. } = &known[number];
        format!("{best} ({score}){points}")
    };
    let (b, c) = (cell(1, ", points: 7"), cell(2, ""));
    let (b_asked, c_asked) = (format!("bm {}", known[1].san[1]), format!("am {}", known[2].san[0]));
    let wide = b.len().max(c.len()).max("Scripted 1.0".len());
    let asked = b_asked.len().max(c_asked.len()).max("asked".len());
    let text = format!(
        "engine        solved  points    nodes  depth\n\
         Scripted 1.0  4 of 6  17 of 30  1      1.0\n\n\
         position  {:asked$}  Scripted 1.0\n\
         b         {b_asked:asked$}  {b}\n\
         c         {c_asked:asked$}  {c}\n",
        "asked"
    );
    assert_eq!(run(&[&[]], &[]), text);
    let markdown = run(&[&[], &["late"]], &["--format", "markdown"]);
    let lines: Vec<&str> = markdown.lines().collect();
    assert_eq!(lines[0], "| engine           | solved | points   | nodes | depth |");
    assert_eq!(lines[1], "|------------------|--------|----------|-------|-------|");
    assert_eq!(lines[2], "| Scripted 1.0     | 4 of 6 | 17 of 30 | 1     | 1.0   |");
    // The other move at depth 4 solves the first position too: (1 + 3 * 500) / 4 nodes.
    assert_eq!(lines[3], "| Scripted 1.0 (2) | 4 of 6 | 17 of 30 | 375   | 5.5   |");
    let last = format!("| c        | {c_asked:asked$} | {c:wide$} | {c:0$} |", wide.max(16));
    assert_eq!((lines.len(), lines[8]), (9, &*last));

    let csv = run(&[&[]], &["--format=csv"]);
    let rows: Vec<&str> = csv.lines().collect();
    let columns =
        "engine,record,position,asked,move,score,solved,points,most_points,mate,nodes,depth";
    assert_eq!((rows.len(), rows[0]), (7, columns));
    let (best, other, score) = (&known[0].san[0], &known[0].san[1], known[0].score);
    let sorted = if best < other { [best, other] } else { [other, best] };
    let asked = format!("bm {} {}", sorted[0], sorted[1]);
    let first = format!("Scripted 1.0,1,\"a, b\",{asked},{best},{score},true,,,,1,1");
    assert_eq!(rows[1], first);
    let (best, other, score) = (&known[1].san[0], &known[1].san[1], known[1].score);
    assert_eq!(rows[2], format!("Scripted 1.0,2,b,bm {other},{best},{score},false,7,10,,,"));
    assert!(rows[6].ends_with(",true,0,10,,1,1"), "{}", rows[6]);

    let json = run(&[&[], &["late"]], &["--format=json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    for (engine, name) in json.as_array().unwrap().iter().zip(["Scripted 1.0", "Scripted 1.0 (2)"])
    {
        assert_eq!(
            (&engine["engine"], &engine["settings"]),
            (&name.into(), &"Scripted 1.0; nodes 500".into())
        );
        assert_eq!((&engine["solved"], &engine["exercises"]), (&4.into(), &6.into()));
        let solved = engine["positions"].as_array().unwrap().iter().map(|of| &of["solved"]);
        assert!(solved.eq([true, false, false, true, true, true].map(Value::from).iter()));
    }
    for other in [&["--engines=1", "-j1"][..], &["--engines=5", "--chunk-bytes=200"]] {
        assert_eq!(run(&[&["slow=9", "chatty", "bounds"]], other), text);
    }
    // Only a limit of time makes it a result.
    let timed = run(&[&["late"]], &["--movetime=5", "--format=csv"]);
    assert!(timed.lines().nth(4).unwrap().ends_with(",500,7,0.012"), "{timed}");
}

#[test]
fn mates_are_found_and_may_be_longer() {
    let known: Vec<Known> = FENS.iter().map(|fen| known(fen)).collect();
    let found: Vec<i64> =
        known.iter().map(|known| known.score).filter(|score| *score > 0).collect();
    assert!(found.len() > 1 && found.len() < 6, "{found:?}");
    // Every second mate of the engine is longer than that of the suite.
    let mut shortest = 0;
    let records = known.iter().zip(FENS).enumerate().map(|(number, (known, fen))| {
        let dm = if number.is_multiple_of(2) { known.score.max(1) } else { known.score - 1 };
        shortest += usize::from(known.score > 0 && dm >= known.score);
        format!("{fen} dm {};\n", dm.max(1))
    });
    let suite: String = records.collect();
    let outcome = solve(program().file("suite.epd", suite), &[&["mates"]], &[]);
    let of = format!("{} of 6", found.len());
    let expected = format!("Scripted 1.0  {of}  {of}  {shortest} of 6    500    7.0\n");
    assert!(
        outcome.text().starts_with(&format!(
            "engine        solved  mates   shortest  nodes  depth\n{expected}"
        )),
        "{}",
        outcome.text()
    );
}

#[test]
fn the_status_says_whether_all_was_answered_and_enough_solved() {
    let (points, known) = suite();
    let solved = format!("{} bm {};\n", FENS[0], known[0].san[0]);
    let unread = format!("{solved}{} bm Qa9;\n{} id \"nothing\";\n", FENS[1], FENS[2]);
    let bad = format!("{} bm {}; c0 \"{}=1, Ra1=2\";\n", FENS[0], known[0].san[0], known[0].san[0]);
    for (suite, script, arguments, status, reason) in [
        (&points, "", &["--fail-below=17"][..], 0, ""),
        (&points, "", &["--fail-below=18"], 1, "Scripted 1.0: 17 points, fewer than 18\n"),
        (&solved, "", &["--fail-below=1"], 0, ""),
        (&solved, "", &["--fail-below=2"], 1, "Scripted 1.0: 1 solved position, fewer than 2\n"),
        (&solved, "crash=4k3", &[], 1, "the engine ended (exit status: 3)"),
        (&points, "crash=4", &["--engines=1"], 0, ""),
        (&bad, "", &[], 1, "record 1: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1: points of Ra1: "),
        (&unread, "", &[], 1, "2 records without bm, am, dm or points\n"),
        (&unread, "", &["--where", "id = nothing"], 1, "no records: "),
        (&solved, "", &["--option=X=1"], 2, "the engine has no option X"),
        (&solved, "", &["-o", "suite.epd"], 2, "suite.epd"),
    ] {
        let outcome = solve(program().file("suite.epd", &**suite), &[&[script]], arguments);
        assert_eq!(outcome.status, status, "{arguments:?}: {}", outcome.stderr);
        let stderr = outcome.stderr.replace(EXIT_STATUS, "exit status");
        assert!(stderr.contains(reason), "{arguments:?}: {stderr}");
        assert_eq!(outcome.stderr.is_empty(), status == 0, "{}", outcome.stderr);
    }
    let failed = solve(program().file("suite.epd", &*points), &[&["crash=3p4"]], &["--quiet"]);
    assert!(failed.text().contains("3 of 6  7 of 30  1       1      1.0\n"), "{}", failed.text());
    assert!(failed.text().ends_with("  failed\n"), "{}", failed.text());
    let missing = solve(program().file("suite.epd", &*solved), &[&[]], &["--engine", "./missing"]);
    assert!(missing.stderr.contains("./missing cannot be started"), "{}", missing.stderr);
    assert_eq!((missing.status, missing.text()), (2, ""));
    let files = missing.names();
    assert_eq!(files, ["suite.epd"]);
}

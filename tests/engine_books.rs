//! Books whose positions a scripted engine selects, compared with all positions of the book and
//! what the engine answers for each.

use std::collections::BTreeSet;

use shakmaty::CastlingMode;
use testkit::program::{Outcome, Program};
use testkit::scripted_engine::{EXIT_STATUS, expected};
use testkit::shared::is_full;

use crate::engines::{FILES, engine, games, operations, position, san};
use crate::support::{fields, program};

/// The arguments that select positions by counts, but not by their number.
const BOOK: [&str; 2] = ["--ply", "6..40"];

fn book(program: Program, script: &[&str], arguments: &[&str]) -> Outcome {
    let program = program.arg("book").args(FILES).args(BOOK);
    program.args(["--engine", &engine(script), "--nodes", "500"]).args(arguments).run()
}

fn plain(arguments: &[&str]) -> Vec<String> {
    let outcome = games().arg("book").args(FILES).args(BOOK).args(arguments).succeed();
    outcome.lines().into_iter().map(str::to_owned).collect()
}

/// A record of a book as its fields and operations; without the name of its opening, which depends
/// on the record before it.
fn record(line: &str) -> (String, Vec<(String, String)>) {
    let is_of_position = |name: &str| name != "eco" && !name.starts_with('v');
    let all = operations(line).into_iter().filter(|(name, _)| is_of_position(name));
    (fields(line), all.collect())
}

/// The records of a plain book that have an evaluation of the engine in a range, with it.
fn inside(lines: &[String], is_wanted: impl Fn(i64, bool) -> bool) -> Vec<String> {
    let evaluated = lines.iter().filter_map(|line| {
        let (position, fen) = position(line, CastlingMode::Standard).unwrap();
        let answers = expected(&fen, false, 1, &[]);
        let best = answers.first()?;
        is_wanted(best.score, fen.contains(" w ")).then(|| {
            let moves = san(&position, &best.moves);
            let first = moves.split(' ').next().unwrap();
            let score = best.score;
            format!("{line} acd 7; acn 500; ce {score}; pm {first}; pv {moves};")
        })
    });
    evaluated.collect()
}

fn records(lines: &[String]) -> Vec<(String, Vec<(String, String)>)> {
    lines.iter().map(|line| record(line)).collect()
}

fn found(outcome: &Outcome) -> Vec<(String, Vec<(String, String)>)> {
    let text = outcome.text().replacen(" c9 \"Scripted 1.0; nodes 500\";", "", 1);
    text.lines().map(record).collect()
}

#[test]
fn a_book_has_the_positions_with_an_evaluation_in_the_window() {
    let all = plain(&[]);
    let of_mover = inside(&all, |score, _| (5..=25).contains(&score));
    let of_white = inside(&all, |score, white| {
        let score = if white { score } else { -score };
        (-40..=-20).contains(&score)
    });
    let everything = inside(&all, |_, _| true);
    assert!(of_mover.len() > 10 && of_white.len() > 10 && everything.len() > of_mover.len());
    let windows = [("5..25", of_mover), ("white:-0.40..-0.20", of_white), ("..", everything)];
    for (number, (window, lines)) in windows.into_iter().enumerate() {
        let all_arguments = [
            &[][..],
            &["--engines", "1", "-j", "1"],
            &["--engines", "3", "-j", "3", "--memory", "1M"],
        ];
        for (_, arguments) in
            all_arguments.into_iter().enumerate().filter(|(at, _)| is_full() || *at == number)
        {
            let eval = format!("--eval={window}");
            let arguments = [&[&*eval], arguments].concat();
            let outcome = book(games(), &["slow=2", "chatty"], &arguments);
            assert_eq!(outcome.status, 0, "{}", outcome.stderr);
            assert_eq!(found(&outcome), records(&lines), "{arguments:?}");
            // One position is over.
            let totals = format!("{} positions analysed, 1 without", all.len() - 1);
            assert!(outcome.stderr.starts_with(&totals), "{}", outcome.stderr);
        }
    }
}

#[test]
fn a_book_has_the_positions_with_an_expected_share_of_draws() {
    // What the engine says of each position, by another command.
    let all = games().arg("book").args(FILES).args(BOOK).args(["--ops", "clocks"]).run();
    let analyse = ["analyse", "all.epd", "--wdl", "--nodes=500", "--registers=off"];
    let analysed = program().file("all.epd", all.text()).args(analyse);
    let analysed = analysed.args(["--engine", &engine(&[])]).run();
    let is_wanted = |line: &&str| {
        // A position without a legal move has none.
        let Some(wdl) = operations(line).get("wdl").cloned() else { return false };
        let draws: u32 = wdl.split(' ').nth(1).unwrap().parse().unwrap();
        (300..=700).contains(&draws)
            && (-10..=40).contains(&operations(line)["ce"].parse().unwrap())
    };
    let lines: Vec<&str> = analysed.lines().into_iter().filter(is_wanted).collect();
    assert!(lines.len() > 10);
    let outcome = book(games(), &[], &["--draws=0.3..0.7", "--eval=-10..40"]);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    assert!(outcome.text().contains("c9 \"Scripted 1.0; nodes 500; wdl\";"));
    let kept = ["acd", "ce", "pv", "wdl"];
    let of = |line: &str| {
        let all = operations(line);
        (fields(line), kept.map(|name| all[name].clone()))
    };
    assert!(outcome.lines().into_iter().map(of).eq(lines.into_iter().map(of)));

    let outcome = book(games(), &["lacks=UCI_ShowWDL"], &["--draws=0.3..0.7"]);
    assert_eq!((outcome.status, outcome.text()), (2, ""));
    assert!(outcome.stderr.contains("the engine has no option UCI_ShowWDL"), "{}", outcome.stderr);
}

#[test]
fn a_sample_consists_of_positions_in_the_window() {
    let window = ["--eval=0..30"];
    let whole = book(games(), &[], &window).text().to_owned();
    for choice in [
        &["--sample=7", "--seed=3"][..],
        &["--sample=8", "--equal-turns"],
        &["--equal-turns", "--order=key"],
        &["--sample=9", "--order=shuffle"],
        &["--sample=100000"],
    ] {
        // A book that is made of the positions in the window.
        let again = program().file("window.epd", &*whole).args(["book", "window.epd"]);
        let again = again.args(choice).run();
        for arguments in [&["--engines=1", "-j1"][..], &["--engines=3", "--memory=1M"]] {
            let outcome = book(games(), &["slow=1"], &[&window, choice, arguments].concat());
            assert_eq!(outcome.status, 0, "{}", outcome.stderr);
            let [found, expected] = [&outcome, &again]
                .map(|book| book.lines().into_iter().map(fields).collect::<BTreeSet<_>>());
            assert!(!found.is_empty());
            assert_eq!(found, expected, "{choice:?}");
            assert_eq!(found.len(), outcome.lines().len());
        }
    }
    let few = book(games(), &[], &[&window[..], &["--sample=1", "--engines=1"]].concat());
    let asked: usize = few.stderr.split(' ').next().unwrap().parse().unwrap();
    assert!(asked < 100, "a sample needs no more");
}

#[test]
fn every_format_has_the_same_positions() {
    let window = ["--eval=0..30"];
    let whole = book(games(), &[], &window);
    let evaluations: BTreeSet<(String, String)> = whole
        .lines()
        .into_iter()
        .map(|line| (fields(line), operations(line)["ce"].clone()))
        .collect();
    let jsonl = book(games(), &[], &["--eval=0..30", "--format=jsonl"]);
    let of_object = |line: &str| {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        (object["epd"].as_str().unwrap().to_owned(), object["eval"].to_string())
    };
    assert_eq!(jsonl.lines().into_iter().map(of_object).collect::<BTreeSet<_>>(), evaluations);
    let csv = book(games(), &[], &["--eval=0..30", "--format=csv"]);
    let of_row = |line: &str| {
        let fields = line.split(',').next().unwrap().to_owned();
        (fields, line.rsplit(',').next().unwrap().to_owned())
    };
    assert_eq!(csv.lines().into_iter().skip(1).map(of_row).collect::<BTreeSet<_>>(), evaluations);
    let pgn = book(games(), &[], &["--eval=0..30", "--format=pgn"]);
    assert_eq!(pgn.text().matches("[Event ").count(), evaluations.len());
    let clocks = book(games(), &[], &["--eval=0..30", "--ops=clocks"]);
    let found: Vec<_> = clocks.lines().into_iter().map(|line| operations(line).len()).collect();
    assert_eq!(found, vec![2; evaluations.len()]);
    // The book of these positions has the same entries.
    let bin = book(games(), &[], &["--eval=0..30", "--format=bin"]);
    let keys =
        |book: &[u8]| book.chunks(16).map(|entry| entry[..8].to_vec()).collect::<BTreeSet<_>>();
    let with_moves = evaluations.iter().filter(|(fields, _)| {
        let rows = csv.lines().into_iter().filter(|row| row.starts_with(&**fields));
        rows.into_iter().any(|row| !row.starts_with(&format!("{fields},,")))
    });
    let all = games().arg("book").args(FILES).args(BOOK).args(["--format", "bin"]).run();
    let found = keys(&bin.stdout);
    assert!(found.is_subset(&keys(&all.stdout)));
    assert!(found.len() <= with_moves.count() && !found.is_empty());
}

#[test]
fn partial_results_are_evaluated_when_they_are_merged() {
    let window = ["--eval=white:0..30", "--engine", &engine(&[]), "--nodes=500"];
    let whole = book(games(), &[], &window[..1]);
    let part = games().args(["book", "--partial"]).args(FILES).args(BOOK).run();
    let merge = |arguments: &[&str]| {
        program()
            .file("a.part", &*part.stdout)
            .args(["book", "merge", "a.part"])
            .args(arguments)
            .run()
    };
    let merged = merge(&window);
    assert_eq!((merged.status, merged.text()), (0, whole.text()));
    let refused = merge(&window[..1]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("--eval: `book merge` needs an engine"), "{}", refused.stderr);
    let partial = book(games(), &[], &["--eval=0..30", "--partial", "-o", "a.part"]);
    assert_eq!((partial.status, partial.names()), (2, FILES.map(str::to_owned).to_vec()));
    assert!(partial.stderr.contains("give the engine to `pgn2epd book merge`"));
}

#[test]
fn a_position_that_the_engine_does_not_evaluate_is_reported_and_not_selected() {
    let plain = book(games(), &[], &["--eval=.."]);
    // After 9. Nf5 in the first game.
    let failing = " b kq - 4 9";
    for (word, reason) in
        [("crash", "the engine ended (exit status: 3)"), ("lie", "\"a1a1\", which is illegal")]
    {
        let outcome = book(games(), &[&format!("{word}={failing}")], &["--eval=..", "-o", "x.epd"]);
        assert_eq!(outcome.status, 1, "{word}");
        let stderr = outcome.stderr.replace(EXIT_STATUS, "exit status");
        let failed: Vec<&str> = stderr.lines().filter(|line| line.contains(reason)).collect();
        assert_eq!(failed.len(), 1, "{}", outcome.stderr);
        assert!(outcome.stderr.ends_with("1 failed\n"), "{}", outcome.stderr);
        let missing = failed[0].split(' ').take(4).collect::<Vec<_>>().join(" ");
        let book = outcome.string("x.epd");
        let expected = plain.lines().into_iter().filter(|line| fields(line) != missing);
        assert!(book.lines().map(|line| record(line).0).eq(expected.map(fields)), "{word}");
        assert_eq!(book.lines().count() + 1, plain.lines().len());
    }
    let once = book(games(), &["crash=5", "hang=9"], &["--eval=..", "--timeout=2"]);
    assert_eq!((once.status, once.text()), (0, plain.text()));
}

#[test]
fn a_book_without_a_position_in_the_window_is_empty() {
    let program = games().file("x.epd", "old");
    let outcome = book(program, &[], &["--eval=5000..", "-o", "x.epd"]);
    assert_eq!((outcome.status, outcome.file("x.epd").unwrap()), (1, b"old".to_vec()));
    let reason = "no positions: no position has an evaluation of the engine that meets --eval";
    assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
}

#[test]
fn evaluations_are_kept_for_another_range() {
    let arguments = ["--eval=100..110", "--depth=12", "--cache", "cache.epd"];
    let first = book(games(), &["scale=3"], &arguments);
    let cache = first.file("cache.epd").unwrap();
    let kept = String::from_utf8(cache.clone()).unwrap().lines().count() - 1;
    assert_eq!(kept, plain(&[]).len() - 1, "{}", first.stderr);
    let second = book(games().file("cache.epd", &*cache), &["scale=3"], &arguments);
    assert_eq!(second.text(), first.text());
    let totals = format!("0 positions analysed, {kept} equal to others");
    assert!(second.stderr.starts_with(&totals), "{}", second.stderr);
}

#[test]
fn starting_positions_of_chess960_are_evaluated_as_such() {
    let starts = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w HAkq -\n";
    let program = program().file("starts.epd", starts);
    let log = format!("log={}", program.folder().join("log").display());
    let outcome = program
        .args(["book", "starts.epd", "--engine", &engine(&[&*log]), "--engines=1"])
        .args(["--depth=3", "--eval=.."])
        .run();
    assert_eq!((outcome.status, outcome.lines().len()), (0, 2), "{}", outcome.stderr);
    let log = outcome.string("log");
    assert_eq!(log.matches("UCI_Chess960 value true").count(), 1, "{log}");
}

//! Messages, their streams, and exit statuses.

use serde_json::{Value, json};

use super::{BAD, GOOD, RECORDS, assert_quiet};
use crate::support::{fixture, program};

/// Removes seconds and megabytes, which vary.
fn without_time(stderr: &str) -> String {
    let lines = stderr.lines().map(|line| line.split_once("; ").map_or(line, |(text, _)| text));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn success_is_silent() {
    let outcome = program().stdin(fixture("classics.pgn")).run();
    assert_quiet(&outcome);
    assert_eq!(outcome.lines().len(), 48 + 34 + 51);
}

#[test]
fn a_warning_is_printed_and_is_not_an_error() {
    let outcome = program().stdin("1. e4 ) e5 *").run();
    assert_eq!(outcome.status, 0);
    assert_eq!(outcome.text(), RECORDS);
    insta::assert_snapshot!(without_time(&outcome.stderr), @"-:1:7: game 1, ): warning: a closing parenthesis without an opening one: skipped");
}

#[test]
fn errors_are_kept_skipped_or_stop_the_run() {
    let run = |what| program().args(["--ops", "sm", "--on-error", what]).stdin(BAD).run();
    let moves = |what| {
        let outcome = run(what);
        assert_eq!(outcome.status, 1, "{what}");
        outcome.lines().iter().map(|line| line.rsplit(' ').next().unwrap().to_owned()).collect()
    };
    let keep: Vec<String> = moves("keep");
    assert_eq!(keep, ["e4;", "e3", "d4;", "d3"]);
    let skip: Vec<String> = moves("skip");
    assert_eq!(skip, ["d4;", "d3"]);
    let stop: Vec<String> = moves("stop");
    assert_eq!(stop, ["e4;", "e3"]);
    insta::assert_snapshot!(without_time(&run("stop").stderr), @r"
    -:4:7: game 1 (A - B), 1... Ke6: illegal: no black king can reach e6
    1 game, 2 positions, 1 error in 1 game
    ");
}

#[test]
fn stop_does_not_read_the_following_files() {
    let outcome = program().file("a.pgn", BAD).file("b.pgn", GOOD);
    let outcome = outcome.args(["--on-error", "stop", "a.pgn", "b.pgn"]).run();
    assert_eq!((outcome.status, outcome.lines().len()), (1, 2));
}

#[test]
fn a_summary_is_printed_after_errors_or_on_request() {
    let summary = |args: &[&str], pgn: &str| {
        let outcome = program().args(args).stdin(pgn).run();
        without_time(outcome.stderr.lines().last().unwrap_or_default())
    };
    insta::assert_snapshot!(summary(&["--summary"], GOOD), @"1 game, 3 positions");
    insta::assert_snapshot!(summary(&["--summary=text"], ""), @"0 games, 0 positions");
    insta::assert_snapshot!(summary(&[], BAD), @"2 games, 4 positions, 1 error in 1 game");
    insta::assert_snapshot!(summary(&["--summary"], "1. e4 ) } *"), @"1 game, 2 positions, 2 warnings");
    insta::assert_snapshot!(summary(&["--summary"], &GOOD.repeat(1200)), @"1,200 games, 3,600 positions");
}

#[test]
fn shortened_data_is_counted_and_noted_once_per_file() {
    let comment = "word ".repeat(60);
    let pgn =
        format!("1. e4! {{{comment}}} e5 {{a \"quote\"}} (1... c5) 2. Nf3 $1 {{{comment}}} *");
    let run = |args: &[&str]| program().file("a.pgn", &pgn).args(args).arg("a.pgn").run();
    let outcome = run(&["--summary"]);
    assert_eq!(outcome.status, 0);
    let (note, summary) = outcome.stderr.split_once('\n').unwrap();
    assert_eq!(
        note,
        "a.pgn: note: 1 variation not written (see --variations), 2 annotations not written (see {nags} of --add), \
         2 comments cut after 255 bytes (--comments split keeps them), 2 strings shortened"
    );
    assert_eq!(
        without_time(summary.trim_end()),
        "1 game, 4 positions, 2 comments longer than 255 bytes, 2 strings shortened, \
         1 string with replaced characters, 2 annotations not written, 1 variation not written"
    );
    let split = run(&["--comments", "split"]);
    assert_eq!(
        split.stderr,
        "a.pgn: note: 1 variation not written (see --variations), 2 annotations not written (see {nags} of --add), \
         2 comments longer than 255 bytes in several registers\n"
    );
    let long = format!("1. e4 {{{}}} e5 {{{}}} *", "word ".repeat(250), "more ".repeat(250));
    let outcome = program().file("a.pgn", long).args(["--comments", "split", "a.pgn"]).run();
    assert_eq!(
        outcome.stderr,
        "a.pgn: note: 2 comments longer than 255 bytes in several registers, 2 lines longer than 1024 bytes, which readers \
         of EPD may refuse\n"
    );
    assert!(split.text().contains("; c2 \"word"), "{}", split.text());
    assert!(!run(&["-q", "--comments", "drop"]).text().contains("word"));
    assert_eq!(run(&["-q"]).stderr, "");
}

#[test]
fn a_summary_counts_the_duplicates_that_unique_omits() {
    let run = |form: &str| {
        program().file("a.pgn", GOOD).args(["--unique", form, "a.pgn", "a.pgn"]).run().stderr
    };
    assert_eq!(
        without_time(run("--summary").trim_end()),
        "2 games, 3 positions, 3 duplicates omitted"
    );
    let summary: Value = serde_json::from_str(&run("--summary=json")).unwrap();
    assert_eq!((&summary["positions"], &summary["duplicates"]), (&json!(3), &json!(3)));
}

#[test]
fn an_empty_result_is_explained_in_one_line() {
    let labels = "1. e4 e5 2. Nf3 1-0\n";
    for (args, input, expected) in [
        (&[][..], "", "no records: the input has no games and no positions"),
        (&["--format", "fen"], "\n \n", "no records: the input has no games and no positions"),
        (&["--where", "White = \"X\""], BAD, "no records: --where excludes all of 2 games"),
        (&["--where", "ply > 99"], GOOD, "no records: no position of 1 game meets --where"),
        (&["--ply", "50.."], GOOD, "no records: no position of 1 game meets --ply"),
        (
            &["--last", "--where", "pieces < 2"],
            GOOD,
            "no records: no position of 1 game meets --last, --where",
        ),
        (&["--limit", "0"], GOOD, "no records: --limit 0 selects none"),
        (&["--sample", "0", "--where", "ply > 99"], GOOD, "no records: --sample 0 selects none"),
        (
            &["--format", "csv", "--rows", "games"],
            "",
            "no records: the input has no games and no positions",
        ),
        (&["--skip", "50"], GOOD, "no records: no position of 1 game meets --skip"),
        (
            &["--format", "c9"],
            "1. e4 *",
            "no records: --format c9 needs a result: 2 positions without a result in 1 game",
        ),
        (
            &["--format", "bullet"],
            labels,
            "no records: --format bullet needs a result and an evaluation: no position of 1 game has an evaluation",
        ),
        (
            &["--format", "plain"],
            labels,
            "no records: --format plain needs a result, an evaluation and a move: no position of 1 game has an evaluation",
        ),
        // Each position counts once, by the first that is missing.
        (
            &["--format", "plain"],
            "1. e4 {[%eval 0.2]} e5 {[%eval 0.1]} *",
            "no records: --format plain needs a result, an evaluation and a move: 1 position without an evaluation, \
             2 positions without a result in 1 game",
        ),
        (
            &["--format", "plain"],
            "[Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n{[%eval 1.2]} 1-0",
            "no records: --format plain needs a result, an evaluation and a move: 1 position without a move in 1 game",
        ),
        (
            &["-f", "binpack", "-o", "x.binpack"],
            "1. e4 {[%eval 0.2]} e5 2. Nf3 *",
            "no records: --format binpack needs a result, an evaluation and a move: 3 positions without an evaluation, \
             1 position without a result in 1 game",
        ),
        (&["check"], "", "no records: the input has no games and no positions"),
        (
            &["check", "--fix"],
            "# a comment\n",
            "no records: the input has no games and no positions",
        ),
        (&["book"], "", "no positions: the input has no games and no positions"),
    ] {
        let run = |quiet: &[&str]| program().args(args).args(quiet).stdin(input).run();
        let outcome = run(&[]);
        assert_eq!(outcome.status, 1, "{args:?}: {}", outcome.stderr);
        assert_eq!(outcome.stderr, format!("pgn2epd: {expected}\n"), "{args:?}");
        assert_eq!(run(&["-q"]).stderr, "", "{args:?}");
    }
}

/// Runs with the files a.pgn, e.epd, which has two records, and empty.pgn, and old outputs with
/// these names; they must stay as they are, alone, with exit status 1 and a reason.
#[track_caller]
fn assert_kept(args: &[&str], outputs: &[&str]) {
    let records =
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x\";\n4k3/8/8/8/8/8/3P4/4K3 w - - bm d4;\n";
    let inputs = [("a.pgn", GOOD), ("e.epd", records), ("empty.pgn", "")];
    let mut run = inputs.iter().fold(program(), |run, (name, text)| run.file(name, text));
    for name in outputs {
        run = run.file(name, "old");
    }
    let outcome = run.args(args).run();
    assert_eq!(outcome.status, 1, "{args:?}: {}", outcome.stderr);
    assert!(!outcome.stderr.is_empty(), "{args:?}");
    for name in outputs {
        assert_eq!(outcome.file(name).unwrap(), b"old", "{args:?}");
    }
    let mut names = outcome.names();
    names.retain(|name| !outputs.contains(&&**name));
    assert_eq!(names, ["a.pgn", "e.epd", "empty.pgn"], "{args:?}");
}

#[test]
fn a_run_that_writes_nothing_leaves_the_old_output_as_it_is() {
    let nothing: &[&[&str]] = &[
        &["--where", "ply > 99", "a.pgn"],
        &["--where", "White = 'X'", "a.pgn"],
        &["--ply", "50..", "--last", "a.pgn"],
        &["--omit", "check", "--where", "check", "e.epd"],
        &["empty.pgn"],
        &["--limit", "0", "a.pgn"],
        &["--sample", "0", "e.epd"],
        &["--skip", "9", "--sort", "fen", "a.pgn"],
        &["--where", "ply > 99", "--unique", "--shuffle", "a.pgn"],
    ];
    for selection in nothing {
        for output in ["old.epd", "old.fen", "old.csv", "old.jsonl.zst", "old.epd.gz"] {
            assert_kept(&[selection, &["-o", output][..]].concat(), &[output]);
        }
        if cfg!(feature = "arrow") {
            assert_kept(&[selection, &["-o", "old.parquet"][..]].concat(), &["old.parquet"]);
        }
        // Games have no records as a source, and neither they nor entries that follow from those
        // before have all options.
        let of_entries = &["--unique", "--skip", "--limit", "--sample"][..];
        for (format, output, refused) in [
            ("pgn", "old.pgn", &["e.epd", "--sort", "--unique"][..]),
            ("perl", "old", &[]),
            ("c9", "old", &[]),
            ("plain", "old", &[]),
            ("viriformat", "old.vf", of_entries),
            ("binpack", "old.binpack", of_entries),
            ("bullet", "old", &[]),
        ] {
            if !selection.iter().any(|word| refused.contains(word)) {
                let more = ["--format", format, "-o", output];
                assert_kept(&[selection, &more[..]].concat(), &[output]);
            }
        }
    }
    let games = ["--where", "White = 'X'", "a.pgn"];
    for more in [
        &["--format", "pgn", "--games", "normal", "-o", "old.pgn"][..],
        &["--format", "pgn", "--unique-games", "-o", "old.pgn"],
        &["--format", "csv", "--rows", "games", "-o", "old.csv"],
    ] {
        assert_kept(&[&games, more].concat(), &[more[more.len() - 1]]);
    }
    // The other commands.
    for (args, output) in [
        (&["join", "empty.pgn", "--with", "e.epd"][..], "old.epd"),
        (&["check", "--fix", "empty.pgn"], "old.epd"),
        (&["--format", "pgn", "--games", "openings", "empty.pgn"], "old.pgn"),
        (&["show", "empty.pgn"], "old.html"),
        (&["show", "empty.pgn"], "old.txt"),
        (&["show", "--where", "ply > 99", "a.pgn"], "old.html"),
        (&["show", "--where", "ply > 99", "a.pgn"], "old.svg"),
        (&["show", "--where", "ply > 99", "a.pgn"], "old.tex"),
        (&["book", "--ply", "50..", "a.pgn"], "old.epd"),
        (&["book", "empty.pgn"], "old.pgn"),
        (&["book", "--min-games", "9", "a.pgn"], "old.bin"),
        (&["book", "--where", "White = 'X'", "a.pgn"], "old.explorer"),
        (&["book", "--where", "White = 'X'", "a.pgn"], "old.csv"),
    ] {
        assert_kept(&[args, &["-o", output]].concat(), &[output]);
    }
    // Standard output, where a table has its header.
    let outcome = program().args(["--where", "ply > 99", "--format", "csv", "--columns", "ply"]);
    let outcome = outcome.stdin(GOOD).run();
    assert_eq!((outcome.status, outcome.text()), (1, "ply\n"));
}

#[test]
fn a_folder_without_records_is_not_made_and_replaces_no_other() {
    let nothing = ["--where", "ply > 99", "--format", "fen", "--rows-per-file", "2", "-o", "x"];
    assert_kept(&[&nothing[..], &["a.pgn"]].concat(), &[]);
    let split = ["--split", "a=0.5,b=0.5", "--limit", "0", "--format", "fen", "-o", "x", "a.pgn"];
    assert_kept(&split, &[]);
    let first = program().file("a.pgn", GOOD);
    let first = first.args(["--format", "fen", "--rows-per-file", "2", "-o", "x", "a.pgn"]).run();
    let names = ["x/_SUCCESS", "x/part-00000.fen", "x/part-00001.fen"];
    let files = names.map(|name| first.file(name).unwrap());
    let again =
        names.iter().zip(&files).fold(program(), |run, (name, bytes)| run.file(name, bytes));
    let again = again.file("a.pgn", GOOD).args(nothing).args(["--overwrite", "a.pgn"]).run();
    assert_eq!(again.status, 1, "{}", again.stderr);
    assert_eq!(names.map(|name| again.file(name).unwrap()), files);
}

#[test]
fn a_part_of_a_larger_job_may_be_empty() {
    let run = |args: &[&str]| program().file("a.pgn", GOOD).file("old", "old").args(args).run();
    let range = run(&["--range", "5:6", "--format", "fen", "-o", "old", "a.pgn"]);
    assert_eq!((range.status, &*range.stderr, range.file("old").unwrap()), (0, "", vec![]));
    let partial = run(&["book", "--partial", "--ply", "50..", "-o", "old", "a.pgn"]);
    assert_eq!(partial.status, 0, "{}", partial.stderr);
    assert_ne!(partial.file("old").unwrap(), b"old");
}

#[test]
fn rows_and_games_without_positions_are_no_empty_output() {
    let bad = "[FEN \"8/8\"]\n[SetUp \"1\"]\n\n1. e4 *\n";
    for args in [
        &["--format", "pgn", "-o", "old"][..],
        &["--format", "pgn", "--games", "normal", "-o", "old"],
        &["--format", "csv", "--rows", "games", "--columns", "problem", "-o", "old"],
    ] {
        let outcome = program().file("a.pgn", bad).file("old", "old").args(args).arg("a.pgn").run();
        assert_eq!(outcome.status, 1, "{args:?}: {}", outcome.stderr);
        let written = String::from_utf8(outcome.file("old").unwrap()).unwrap();
        assert!(written.contains("8/8"), "{args:?}: {written}");
    }
}

#[test]
fn an_empty_result_needs_no_explanation_in_a_range_or_if_errors_were_printed() {
    assert_quiet(&program().file("a.pgn", GOOD).args(["--range", "5:6", "a.pgn"]).run());
    let outcome = program().args(["--on-error", "skip"]).stdin("1. e4 Ke6 *").run();
    assert_eq!((outcome.status, outcome.text()), (1, ""));
    assert!(!outcome.stderr.contains("no records"), "{}", outcome.stderr);
    let outcome = program().file("a.gz", b"\x1f\x8b").arg("a.gz").run();
    assert_eq!((outcome.status, outcome.stderr.lines().count()), (2, 1), "{}", outcome.stderr);
}

#[test]
fn a_summary_counts_all_files() {
    let outcome = program().file("a.pgn", BAD).file("b.pgn", GOOD);
    let outcome = outcome.args(["--summary", "a.pgn", "b.pgn"]).run();
    insta::assert_snapshot!(without_time(outcome.stderr.lines().last().unwrap()), @"3 games, 7 positions, 1 error in 1 game");
}

#[test]
fn a_summary_for_programs_is_one_object() {
    let outcome = program().args(["-q", "--summary=json"]).stdin(BAD).run();
    let mut summary: Value = serde_json::from_str(&outcome.stderr).unwrap();
    let seconds = summary.as_object_mut().unwrap().remove("seconds");
    assert!(seconds.unwrap().as_f64().unwrap() >= 0.0);
    let expected = json!({
        "games": 2, "records": 0, "unread_texts": 0, "lost_texts": 0, "left_out": 0, "bad_games": 1, "positions": 4, "duplicates": 0, "unlabelled": 0, "errors": 1, "warnings": 0, "notes": 0,
        "long_comments": 0, "shortened": 0, "altered": 0, "cut_lines": 0, "annotations": 0, "variations": 0,
        "bytes_read": BAD.len(), "bytes_written": outcome.stdout.len(), "stopped": false,
        "omitted": {
            "start": 0, "check": 0, "captures": 0, "promotions": 0, "checking-moves": 0, "finished": 0, "book-moves": 0, "unevaluated": 0,
            "mates": 0, "time-forfeits": 0, "abandoned": 0, "adjudicated": 0, "ply": 0, "where": 0, "eval": 0,
        },
    });
    assert_eq!(summary, expected);
}

#[test]
fn the_form_of_a_summary_may_be_the_next_argument() {
    let is_json = |args: &[&str]| {
        let outcome = program().file("a.pgn", GOOD).args(args).run();
        assert_eq!(outcome.status, 0, "{args:?}: {}", outcome.stderr);
        serde_json::from_str::<Value>(&outcome.stderr).is_ok()
    };
    assert!(is_json(&["--summary", "json", "a.pgn"]));
    assert!(is_json(&["a.pgn", "--summary", "json"]));
    assert!(is_json(&["book", "--summary", "json", "a.pgn"]));
    assert!(!is_json(&["--summary", "text", "a.pgn"]));
    assert!(!is_json(&["--summary", "a.pgn"]));
    // A file with the name of a form is given with its folder.
    let outcome = program().file("json", GOOD).args(["--summary", "./json"]).run();
    assert_eq!((outcome.status, outcome.text()), (0, RECORDS));
    assert!(outcome.stderr.starts_with("1 game, 3 positions"), "{}", outcome.stderr);
}

#[test]
fn quiet_prints_nothing_and_keeps_the_exit_status() {
    let outcome = program().arg("-q").stdin(BAD).run();
    assert_eq!((outcome.status, &*outcome.stderr), (1, ""));
    assert_eq!(outcome.lines().len(), 4);
    let outcome = program().args(["-q", "nowhere.pgn"]).run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("nowhere.pgn"));
}

#[test]
fn progress_is_not_shown_in_a_pipe() {
    let outcome = program().args(["-o", "out.epd"]).stdin(GOOD.repeat(10_000)).run();
    assert_quiet(&outcome);
}

#[test]
fn a_report_has_a_line_of_json_for_each_problem() {
    let outcome = program()
        .file("bad.pgn", fixture("bad.pgn"))
        .args(["-q", "--report", "report.jsonl", "bad.pgn"])
        .run();
    assert_eq!(outcome.status, 1);
    let report = String::from_utf8(outcome.file("report.jsonl").unwrap()).unwrap();
    let lines: Vec<Value> =
        report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 18);
    let byte = String::from_utf8(fixture("bad.pgn")).unwrap().find("Nd4 5.").unwrap();
    let first = json!({
        "file": "bad.pgn", "line": 6, "column": 37, "byte": byte,
        "game": 1, "white": "Pinner", "black": "Pinned", "site": null, "round": null, "move": "4...", "token": "Nd4",
        "severity": "error", "kind": "illegal-move",
        "reason": "illegal: the knight on c6 is pinned to the king on e8 by the bishop on b5",
    });
    assert_eq!(lines[0], first);
    let kinds: Vec<&str> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    for kind in ["illegal-move", "unknown-token", "fen", "variant", "setup", "fen-repaired", "text"]
    {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    let errors = lines.iter().filter(|line| line["severity"] == "error").count();
    assert_eq!((errors, lines.len() - errors), (10, 8));
    // This problem has no players and no move.
    let eighth = lines.iter().find(|line| line["game"] == 8).unwrap();
    assert_eq!((&eighth["white"], &eighth["move"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_report_without_problems_is_an_empty_file() {
    let outcome = program().args(["--report", "report.jsonl"]).stdin(GOOD).run();
    assert_quiet(&outcome);
    assert_eq!(outcome.file("report.jsonl").unwrap(), b"");
}

#[test]
fn a_report_that_cannot_be_written_is_a_failure() {
    let outcome = program().args(["--report", "nowhere/report.jsonl"]).stdin(BAD).run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.starts_with("pgn2epd: cannot write nowhere/report.jsonl: "));
}

#[test]
fn control_characters_are_shown_as_codes() {
    let pgn = "[White \"M\u{1b}[31mred\"]\n[Black \"\u{202e}x\"]\n\n1. e5 *";
    let outcome = program().stdin(pgn).run();
    insta::assert_snapshot!(outcome.stderr.lines().next().unwrap(), @r"-:4:4: game 1 (M\u{1b}[31mred - \u{202e}x), 1. e5: illegal: no white pawn can reach e5");
}

#[test]
fn what_is_not_written_is_noted_once_per_file() {
    let pgn = "1. e4! (1. d4 d5 (1... f5)) (1. c4) 1... e5 $1 *\n".repeat(2);
    let note = |args: &[&str]| {
        let outcome = program().file("a.pgn", &pgn).args(args).arg("a.pgn").run();
        assert_eq!(outcome.status, 0, "{args:?}: {}", outcome.stderr);
        outcome.stderr.trim().to_owned()
    };
    let both = "a.pgn: note: 4 variations not written (see --variations), 4 annotations not written (see {nags} of --add)";
    let variations = "a.pgn: note: 4 variations not written (see --variations)";
    for (args, expected) in [
        (&[][..], both),
        (&["--notes"], both),
        (&["--strict", "--format", "fen"], variations),
        (&["--format", "csv"], variations),
        (&["--ops", "sm"], variations),
        (&["--add", "c9={nags}"], variations),
        (&["--format", "csv", "--rows", "games"], "a.pgn: note: 4 variations not written"),
        (&["book", "--ply", "1"], variations),
        (&["-q"], ""),
        (&["--variations", "--add", "c9={nags}"], ""),
    ] {
        let found = note(args);
        let found = found.lines().find(|line| line.contains("not written")).unwrap_or_default();
        assert_eq!(found, expected, "{args:?}");
    }
    let found = note(&["--variations"]);
    assert!(
        found.starts_with("a.pgn: note: ") && found.contains("annotations not written"),
        "{found}"
    );
}

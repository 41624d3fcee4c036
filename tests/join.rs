//! Two sources that are joined by position.

use pgn2epd::Options;
use pgn2epd::join::{Join, JoinOptions, Side};
use pgn2epd::options::RegisterStyle;
use proptest::prelude::*;

use crate::support::{program, try_convert};

fn run(file: &str, other: &str, arguments: &[&str]) -> String {
    let program = program().file("file.epd", file).file("other.epd", other);
    let outcome = program.args(["join", "file.epd", "--with", "other.epd"]).args(arguments).run();
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    outcome.text().to_owned()
}

const SUITE: &str = "\
4k3/8/8/8/8/8/4P3/4K3 w - - acd 12; ce 90; hmvc 3; id \"pawn\";
8/8/8/8/8/8/4P3/k3K3 w - - id \"other\";
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"e4\";
";

const EVALUATIONS: &str = r#"{"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","evals":[{"pvs":[{"cp":31,"line":"e7e5 g1f3"}],"knodes":206,"depth":36}]}
{"fen":"4k3/8/8/8/8/8/4P3/4K3 w - -","evals":[{"pvs":[{"mate":12,"line":"e2e4"}],"knodes":1,"depth":29}]}
{"fen":"4k3/8/8/8/8/8/3P4/4K3 w - -","evals":[{"pvs":[{"mate":12,"line":"d2d4"}],"knodes":1,"depth":9}]}
"#;

#[test]
fn evaluations_of_lichess_are_added_to_a_suite() {
    let run = |arguments: &[&str]| {
        let program = program().file("suite.epd", SUITE).file("evaluations.jsonl", EVALUATIONS);
        let program = program.args(["join", "suite.epd", "--with", "evaluations.jsonl"]);
        program.args(arguments).run()
    };
    let other = "8/8/8/8/8/8/4P3/k3K3 w - - id \"other\";\n";
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 acd 36; acn 206000; ce -31; id \"e4\"; pv e5 Nf3;\n";
    let pawn = "4k3/8/8/8/8/8/4P3/4K3 w - - acd 29; acn 1000; ce 32744; dm 12; hmvc 3; id \"pawn\"; pv e4;\n";
    let outcome = run(&[]);
    assert_eq!(outcome.text(), [pawn, other, e4].concat());
    assert_eq!((outcome.status, &*outcome.stderr), (0, "3 records, 2 matched, 1 unmatched\n"));
    assert_eq!(run(&["-q"]).stderr, "");
}

#[test]
fn equal_records_of_a_suite_are_united() {
    let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let suite = format!(
        "{fields} id \"a\";\n{fields} id \"b\"; bm e4;\n4k3/8/8/8/8/8/8/4K3 w - -\n{fields} ce 9; bm e3;\n"
    );
    let all = format!("{fields} bm e4; ce 9; id \"a\";\n");
    let text = run(&suite, &suite, &[]);
    assert_eq!(text.lines().next(), all.lines().next());
    let outcome = program().stdin(text).args(["--unique", "-"]).run();
    assert_eq!(outcome.text(), all + "4k3/8/8/8/8/8/8/4K3 w - -\n");
}

#[test]
fn games_and_several_files_are_joined() {
    let outcome = program()
        .file("a.pgn", "1. e4 e5 *\n")
        .file("b.fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
        .file("c.epd", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - ce 1;\n")
        .file("d.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 2;\n")
        .args(["join", "a.pgn", "b.fen", "--registers=off", "--with", "c.epd", "d.epd"])
        .run();
    let expected = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 2; fmvn 1; hmvc 0; sm e4;
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 ce 1; fmvn 1; hmvc 0; sm e5;
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 fmvn 2; hmvc 0;
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 2; fmvn 1; hmvc 0;
";
    assert_eq!(outcome.text(), expected);
    assert_eq!((outcome.status, &*outcome.stderr), (0, "4 records, 3 matched, 1 unmatched\n"));
}

#[test]
fn damage_is_reported_and_an_unreadable_file_ends_the_run() {
    let folder = || program().file("a.epd", SUITE).file("b.epd", format!("nonsense 4\n{SUITE}"));
    let outcome = folder().args(["join", "a.epd", "--with", "b.epd"]).run();
    assert_eq!(outcome.text(), SUITE);
    assert_eq!(outcome.status, 1);
    assert!(outcome.stderr.starts_with("b.epd:1:"), "{}", outcome.stderr);
    let outcome = folder().args(["join", "a.epd", "--with", "c.epd", "-o", "a.out"]).run();
    assert_eq!((outcome.status, outcome.file("a.out")), (2, None));
    let cut = testkit::pack::gzip(SUITE.repeat(500).as_bytes());
    let folder = program().file("a.epd", SUITE).file("b.epd.gz", &cut[..cut.len() - 9]);
    let outcome = folder.args(["join", "a.epd", "--with", "b.epd.gz", "-o", "a.out"]).run();
    assert_eq!((outcome.status, outcome.file("a.out")), (2, None));
    assert!(outcome.stderr.contains("b.epd.gz"), "{}", outcome.stderr);
    let outcome = program().stdin(SUITE).args(["join", "-", "--with", "-"]).run();
    assert_eq!(outcome.stderr, "pgn2epd: standard input (-) can only be read once\n");
}

/// Lines that are records, damaged in places.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let known = SUITE.lines().chain(EVALUATIONS.lines()).map(|line| line.as_bytes().to_vec());
    let known: Vec<Vec<u8>> = known
        .chain([
            b"4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"a\"; v3 \"b\"; bm e3 e9; id x; 7up;".to_vec(),
            b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 [0.5] c1 \"d\"; eco; \"".to_vec(),
            b"1. e4 e5 {[%eval 0.3]} *".to_vec(),
        ])
        .collect();
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3);
    let line = (prop::sample::select(known), damage).prop_map(|(mut line, damage)| {
        for (index, byte) in damage {
            let index = index.index(line.len());
            line[index] = byte;
        }
        line
    });
    let lines = prop::collection::vec(line, 0..12);
    prop_oneof![
        3 => lines.prop_map(|lines| lines.join(&b'\n')),
        1 => prop::collection::vec(any::<u8>(), 0..300),
    ]
}

proptest! {
    #[test]
    fn no_record_of_the_first_source_is_lost(file in lines(), other in lines()) {
        let options = JoinOptions::default().registers(RegisterStyle::Full).memory(500);
        let mut join = Join::new(&options);
        let read = join.side(Side::First).input(&file[..], &mut ());
        join.first_is_complete();
        _ = join.side(Side::Second).input(&other[..], &mut ());
        let mut output = Vec::new();
        let joined = join.join(&mut output).unwrap();
        let lines = String::from_utf8(output).unwrap();
        prop_assert_eq!(lines.lines().count() as u64, joined.matched + joined.unmatched);
        let converted = try_convert(&file, &Options::default().registers(Some(RegisterStyle::Full)));
        let (Ok(converted), Ok(read)) = (converted, read) else { return Ok(()) };
        // Positions of variants are errors here, as with --unique.
        let text = String::from_utf8(converted.output).unwrap();
        prop_assert_eq!(
            converted.summary.positions - read.positions,
            read.errors - converted.summary.errors
        );
        let mut lines = lines.lines();
        // Such a record replaces operands.
        let may_be_deeper = ["acd", "depth"].iter().any(|word| {
            other.windows(word.len()).any(|bytes| bytes == word.as_bytes())
        });
        for record in text.lines().filter(|_| read.positions == converted.summary.positions) {
            let line = lines.next().unwrap();
            let fields = |line: &str| line.split(' ').take(4).collect::<Vec<_>>().join(" ");
            prop_assert_eq!(fields(line), fields(record));
            for operation in record[fields(record).len()..].split_inclusive(';') {
                let is_null = !operation.trim().contains(' ');
                let is_kept = may_be_deeper || line.contains(operation);
                prop_assert!(is_null || is_kept, "{} in {}", operation, line);
            }
        }
    }
}

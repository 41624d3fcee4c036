//! Two sources that are joined by position, compared with maps of texts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use pgn2epd::Options;
use pgn2epd::join::{Join, JoinOptions, Side};
use pgn2epd::options::RegisterStyle;
use proptest::prelude::*;
use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use testkit::rng::Rng;
use testkit::shared::is_full;

use crate::support::{program, try_convert};

/// A record, with the registers that a reader of the whole file has after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// What it is equal by.
    pub(crate) identity: String,
    pub(crate) fields: String,
    pub(crate) operations: BTreeMap<String, String>,
}

pub(crate) fn is_counter(name: &str) -> bool {
    name == "hmvc" || name == "fmvn"
}

impl Record {
    fn depth(&self) -> u32 {
        self.operations.get("acd").map_or(0, |depth| depth.parse().unwrap())
    }
}

/// Divides a text into records. Of the registers it knows c0, c1 and eco.
pub(crate) fn records(text: &str) -> Vec<Record> {
    let mut registers: BTreeMap<String, String> = BTreeMap::new();
    let record = |line: &str| {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        let fields = words[..4].join(" ");
        let epd: Epd = fields.parse().unwrap();
        let position: Chess = epd.into_position(CastlingMode::Standard).unwrap();
        let mut operations = BTreeMap::new();
        for operation in words.get(4).unwrap_or(&"").split(';').map(str::trim) {
            let (name, operands) = operation.split_once(' ').unwrap_or((operation, ""));
            let cleared: &[&str] = match name {
                "" => continue,
                "c0" => &["c0", "c1"],
                "c1" => &["c1"],
                "eco" => &["eco"],
                _ => {
                    operations.insert(name.to_owned(), operands.to_owned());
                    continue;
                }
            };
            registers.retain(|register, _| !cleared.contains(&&**register));
            if !operands.is_empty() {
                registers.insert(name.to_owned(), operands.to_owned());
            }
        }
        operations.extend(registers.clone());
        let identity = Epd::from_position(&position, EnPassantMode::Legal).to_string();
        Record { identity, fields, operations }
    };
    text.lines().map(record).collect()
}

/// Positions of a game, with some in which a pawn could be captured en passant.
pub(crate) fn positions(rng: &mut Rng) -> Vec<Chess> {
    let mut position = Chess::default();
    let mut positions = vec![position.clone()];
    while positions.len() < 40 && !position.is_game_over() {
        let moves = position.legal_moves();
        let doubled = moves.iter().find(|mv| {
            let ranks = mv.from().map(|from| from.rank().distance(mv.to().rank()));
            mv.role() == shakmaty::Role::Pawn && ranks == Some(2)
        });
        let index = rng.between(0, moves.len() as u32 - 1) as usize;
        let next = *doubled.filter(|_| rng.one_in(2)).unwrap_or(&moves[index]);
        position.play_unchecked(next);
        positions.push(position.clone());
    }
    positions
}

/// Writes records of these positions with operations of any kind.
pub(crate) fn source(rng: &mut Rng, positions: &[Chess], count: usize) -> String {
    let mut text = String::new();
    for _ in 0..count {
        let position = &positions[rng.between(0, positions.len() as u32 - 1) as usize];
        let en_passant = if rng.one_in(2) { EnPassantMode::Always } else { EnPassantMode::Legal };
        text += &Epd::from_position(position, en_passant).to_string();
        let mut number = |most| rng.between(0, most).to_string();
        let mut word = |name: &str| format!("\"{name}{}\"", number(3));
        let words = [word("a"), word("b"), word("c"), word("d"), word("e"), word("f")];
        let [acd, ce, zz, hmvc] = [3, 100, 1, 5].map(number);
        let best =
            position.legal_moves().first().map(|mv| SanPlus::from_move(position.clone(), *mv));
        let best = best.map(|san| san.to_string()).unwrap_or_default();
        let operations = [
            ("Ab", words[0].clone()),
            ("acd", acd),
            ("bm", best),
            ("c0", words[1].clone()),
            ("c0", String::new()),
            ("c1", words[2].clone()),
            ("c1", String::new()),
            ("ce", ce),
            ("eco", words[3].clone()),
            ("eco", String::new()),
            ("fmvn", "60".to_owned()),
            ("hmvc", hmvc),
            ("id", words[4].clone()),
            ("resign", String::new()),
            ("zz", zz),
        ];
        let mut last = "";
        for (name, operands) in operations {
            if name == last || !rng.one_in(4) || name == "bm" && operands.is_empty() {
                continue;
            }
            last = name;
            let space = if operands.is_empty() { "" } else { " " };
            text += &format!(" {name}{space}{operands};");
        }
        text.push('\n');
    }
    text
}

/// The first of these records with operations of the others: each is that of the first record that
/// has it, in the order of preference.
fn joined(record: &Record, others: &[Record], prefer: &str) -> Record {
    let mut ranked: Vec<(bool, &Record)> = vec![(true, record)];
    ranked.extend(others.iter().map(|other| (false, other)));
    match prefer {
        "first" => {}
        "second" => ranked.rotate_left(1),
        _ => ranked.sort_by_key(|(_, record)| Reverse(record.depth())),
    }
    let mut joined = Record { operations: BTreeMap::new(), ..record.clone() };
    for (is_own, record) in ranked {
        for (name, operands) in &record.operations {
            if is_own || !is_counter(name) {
                joined.operations.entry(name.clone()).or_insert(operands.clone());
            }
        }
    }
    joined
}

fn run(file: &str, other: &str, arguments: &[&str]) -> String {
    let program = program().file("file.epd", file).file("other.epd", other);
    let outcome = program.args(["join", "file.epd", "--with", "other.epd"]).args(arguments).run();
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    outcome.text().to_owned()
}

#[test]
fn records_get_the_operations_of_equal_positions() {
    for seed in 0..if is_full() { 6 } else { 2 } {
        let mut rng = Rng::new(seed);
        let positions = positions(&mut rng);
        let file = source(&mut rng, &positions[..30], 120);
        let other = source(&mut rng, &positions[10..], 120);
        let mut by_identity: HashMap<String, Vec<Record>> = HashMap::new();
        for record in records(&other) {
            by_identity.entry(record.identity.clone()).or_default().push(record);
        }
        let others = |record: &Record| by_identity.get(&record.identity).map_or(&[][..], |of| of);
        for prefer in ["first", "second", "deepest"] {
            let all: Vec<(bool, Record)> = records(&file)
                .iter()
                .map(|record| (!others(record).is_empty(), joined(record, others(record), prefer)))
                .collect();
            let matched = all.iter().filter(|(is_matched, _)| *is_matched).count();
            assert!(matched > 20 && matched < all.len() - 20, "{matched}");
            for (only, wanted) in [
                ("--registers=delta", [true, false]),
                ("--registers=full", [true, false]),
                ("--only-matched", [true, true]),
                ("--only-unmatched", [false, false]),
            ] {
                let expected = all.iter().filter(|(is_matched, _)| wanted.contains(is_matched));
                let expected: Vec<Record> = expected.map(|(_, record)| record.clone()).collect();
                let text = run(&file, &other, &["--prefer", prefer, only]);
                assert_eq!(text.lines().count(), expected.len(), "{seed} {prefer} {only}");
                for (found, expected) in records(&text).iter().zip(&expected) {
                    assert_eq!(found, expected, "{seed} {prefer} {only}");
                }
                for settings in [
                    ["-j1", "--memory=1", "--chunk-bytes=900"],
                    ["-j2", "--memory=20K", "--chunk-bytes=300"],
                ] {
                    let arguments = [&["--prefer", prefer, only][..], &settings].concat();
                    assert_eq!(run(&file, &other, &arguments), text, "{arguments:?}");
                }
            }
        }
    }
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
    let outcome = run(&[]);
    let pawn =
        "4k3/8/8/8/8/8/4P3/4K3 w - - acd 12; acn 1000; ce 90; dm 12; hmvc 3; id \"pawn\"; pv e4;\n";
    assert_eq!(outcome.text(), [pawn, other, e4].concat());
    assert_eq!((outcome.status, &*outcome.stderr), (0, "3 records, 2 matched, 1 unmatched\n"));
    let outcome = run(&["-q", "--prefer=deepest"]);
    let pawn = "4k3/8/8/8/8/8/4P3/4K3 w - - acd 29; acn 1000; ce 32744; dm 12; hmvc 3; id \"pawn\"; pv e4;\n";
    assert_eq!(outcome.text(), [pawn, other, e4].concat());
    assert_eq!(outcome.stderr, "");
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
        let read = join.input(Side::First, &file[..], &mut ());
        join.first_is_complete();
        _ = join.input(Side::Second, &other[..], &mut ());
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
        for record in text.lines().filter(|_| read.positions == converted.summary.positions) {
            let line = lines.next().unwrap();
            let fields = |line: &str| line.split(' ').take(4).collect::<Vec<_>>().join(" ");
            prop_assert_eq!(fields(line), fields(record));
            for operation in record[fields(record).len()..].split_inclusive(';') {
                let is_null = !operation.trim().contains(' ');
                prop_assert!(is_null || line.contains(operation), "{} in {}", operation, line);
            }
        }
    }
}

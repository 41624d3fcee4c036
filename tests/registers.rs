//! Whatever records are omitted, a reader of the output has for each position the same registers as
//! a reader of the complete output.

use std::collections::HashMap;

use pgn2epd::Options;
use pgn2epd::epd::{CheckOptions, Checker, Registers, Scanner};
use pgn2epd::openings::Openings;
use pgn2epd::options::{
    Comments, Format, NameSource, OnError, OpList, Plies, Preference, RegisterStyle,
};
use proptest::prelude::*;
use testkit::generate::{Generator, Style};
use testkit::shared::{corpus_file, corpus_pgn, is_full};

use crate::folders;
use crate::support::{self, convert, jobs, program};

/// The identity of a record, and the registers after it.
type Scanned = Vec<(String, Registers)>;

/// Scans records that contain their identity in `Ae`.
fn scan(text: &[u8]) -> Scanned {
    scan_text(std::str::from_utf8(text).unwrap())
}

/// Reads each record alone, as those with all registers can be.
fn scan_alone(text: &[u8]) -> Scanned {
    std::str::from_utf8(text).unwrap().lines().flat_map(scan_text).collect()
}

fn scan_text(text: &str) -> Scanned {
    let mut scanner = Scanner::new(text);
    let mut all = Vec::new();
    while let Some(record) = scanner.next_record(&mut |_| {}) {
        let own = record.operations().filter(|operation| matches!(operation.name(), "Ae" | "Rav"));
        let key: Vec<&str> = own.map(|operation| operation.operands()).collect();
        all.push((key.join(" "), scanner.registers().clone()));
    }
    all
}

/// The registers of each position in a complete run. Two variations at one place may begin with the
/// same move; such ambiguous positions are not compared.
fn registers_of(scanned: Scanned) -> HashMap<String, Option<Registers>> {
    let mut registers: HashMap<String, Option<Registers>> = HashMap::new();
    for (key, value) in scanned {
        let known = registers.entry(key).or_insert_with(|| Some(value.clone()));
        if known.as_ref().is_some_and(|known| *known != value) {
            *known = None;
        }
    }
    registers
}

#[track_caller]
fn assert_scanned(scanned: Scanned, expected: &HashMap<String, Option<Registers>>, what: &str) {
    for (key, registers) in scanned {
        if let Some(expected) = &expected[&key] {
            assert_eq!(registers, *expected, "{what}: {key}");
        }
    }
}

/// A position is identified by game and ply, and by `Rav` in a variation.
fn tagged(options: Options) -> Options {
    options.templates(vec!["Ae={game}.{ply}".parse().unwrap()]).jobs(jobs(1))
}

/// Ways to write records.
fn forms() -> Vec<Options> {
    let default = Options::default;
    let ops: Option<OpList> = Some("c,eco,nic,v,fmvn".parse().unwrap());
    let tags = || default().names(NameSource::Tags);
    vec![
        default(),
        tags(),
        default().names(NameSource::Off),
        default().variations(true),
        tags().variations(true),
        tags().format(Format::Fen).ops(ops.clone()),
        default().format(Format::Crafty).ops(ops),
        default().ops(Some("v,eco".parse().unwrap())),
        tags().ops(Some("c".parse().unwrap())),
        default().comments(Comments::Split).ascii(true),
    ]
}

/// Options that omit records.
fn choices(options: &Options) -> Vec<Options> {
    let default = || options.clone().seed(7);
    let sample = Some(20);
    vec![
        default().unique(Some(Preference::First)),
        default().skip(7),
        default().skip(3).limit(Some(60)),
        default().sample(sample),
        default().sample(sample).unique(Some(Preference::First)),
        default().shuffle(true),
        default().sort(Some("-san".parse().unwrap())),
        default().unique(Some(Preference::First)).shuffle(true).memory(1),
        default().unique(Some(Preference::Deepest)),
        default().plies(Plies { first: 4, last: 9 }),
        default().only_final(true).plies(Plies { first: 0, last: 12 }),
        default().omit("check,captures,promotions,checking-moves".parse().unwrap()),
        default()
            .filter(Some("ply != 2 and not (ply > 5 and ply < 9)".parse().unwrap()))
            .unique(Some(Preference::First)),
        default().on_error(OnError::Skip).skip(2),
        default().on_error(OnError::Stop).unique(Some(Preference::First)),
        // Chunks of one game.
        default().jobs(jobs(3)).chunk_bytes(64).unique(Some(Preference::First)),
        default().jobs(jobs(3)).chunk_bytes(64).sample(sample).skip(3).limit(Some(9)),
    ]
}

fn assert_law(pgn: &[u8]) {
    for form in forms() {
        let all = convert(pgn, &tagged(form.clone()));
        let expected = registers_of(scan(&all.output));
        for (number, choice) in choices(&tagged(form.clone())).into_iter().enumerate() {
            let styles = [None, Some(RegisterStyle::Full)];
            // Each selection with one of them, unless all are wanted.
            let is_wanted = |style: &usize| is_full() || *style == (number + pgn.len()) % 2;
            for registers in (0..2).filter(is_wanted).map(|style| styles[style]) {
                let options = choice.clone().registers(registers);
                let what = format!("{options:?}");
                let output = convert(pgn, &options).output;
                let stands_alone = registers == Some(RegisterStyle::Full);
                let scanned = if stands_alone { scan_alone(&output) } else { scan(&output) };
                assert_scanned(scanned, &expected, &what);
            }
        }
        let options = tagged(form.clone()).split(Some("a=0.5,b=0.5".parse().unwrap()));
        let full = options.clone().registers(Some(RegisterStyle::Full));
        for (options, scan) in [(options, scan as fn(&[u8]) -> Scanned), (full, scan_alone)] {
            for part in folders::convert_to(pgn, &options).files.values() {
                assert_scanned(scan(part), &expected, &format!("{options:?}"));
            }
        }
        let mut written = Vec::new();
        let mut checker = Checker::new(CheckOptions::default().fix(true));
        checker.check(&all.output[..], &mut written, &mut |_| {}, &mut |_| Ok(())).unwrap();
        assert_scanned(scan(&written), &expected, "check --fix");
        for format in [Format::Epd, Format::Fen, Format::Crafty] {
            for unique in [None, Some(Preference::First)] {
                let options = Options::default().format(format).ops(Some(OpList::KEEP));
                let written = convert(&all.output, &options.unique(unique)).output;
                assert_scanned(scan(&written), &expected, &format!("{format:?} {unique:?}"));
            }
        }
    }
}

#[test]
fn registers_are_correct_whatever_is_omitted_from_generated_games() {
    for style in [Style::Annotated, Style::Lichess, Style::Plain] {
        // The same games under other names, so that many positions occur twice.
        let bytes = if is_full() { 4_000 } else { 1_000 };
        let mut pgn = Generator::text(style, 11, bytes);
        let again = String::from_utf8_lossy(&pgn).replace("[White \"", "[White \"Another ");
        pgn.extend_from_slice(b"\n\n");
        pgn.extend_from_slice(again.replace("[ECO ", "[Code ").as_bytes());
        assert_law(&pgn);
    }
}

/// A game: its tags, its moves, and the plies with a comment.
fn game() -> impl Strategy<Value = String> {
    const TAGS: [&str; 6] = [
        "[White \"A\"]",
        "[Event \"B\"]",
        "[ECO \"C00\"]",
        "[NIC \"SI 1\"]",
        "[Opening \"D: E, F\"]",
        "[Variation \"G\"]",
    ];
    const LINES: [&[&str]; 5] = [
        &["e4", "c5", "Nf3", "Ke4"],
        &["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6"],
        &["Nf3", "d6", "e4", "c5", "d4", "Nf6"],
        &["a3", "h6", "h3", "a6"],
        &["Nh3", "Nh6", "Ng1", "Ng8", "Nh3"],
    ];
    let tags = prop::collection::vec(any::<bool>(), TAGS.len());
    let comments = prop::collection::vec(prop::option::weighted(0.3, "[xyé]|(xé{9} ){30}"), 11);
    (tags, 0..LINES.len(), comments).prop_map(|(tags, line, comments)| {
        let mut pgn = String::new();
        for (tag, _) in TAGS.iter().zip(tags).filter(|(_, is_there)| *is_there) {
            pgn += &format!("{tag}\n");
        }
        let before = comments[0].iter().map(|text| format!("{{{text}}} "));
        pgn += &format!("\n{}", before.collect::<String>());
        for (word, comment) in LINES[line].iter().zip(&comments[1..]) {
            pgn += word;
            pgn += &comment.as_ref().map_or(" ".to_owned(), |text| format!(" {{{text}}} "));
        }
        pgn + "*\n\n"
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testkit::shared::cases(12)))]

    #[test]
    fn registers_are_right_whatever_is_left_out(games in prop::collection::vec(game(), 1..6)) {
        assert_law(games.concat().as_bytes());
    }
}

#[test]
fn registers_of_real_games_are_correct_whatever_is_omitted() {
    let Some(file) = corpus_file("repertoire/Dutch") else { return };
    let pgn = file.read().unwrap();
    let tags = Options::default().names(NameSource::Tags);
    for form in [Options::default(), tags] {
        let all = convert(&pgn, &tagged(form.clone()));
        let expected = registers_of(scan(&all.output));
        let unique = Options::default().unique(Some(Preference::First));
        let of_records = convert(&all.output, &unique).output;
        assert_scanned(scan(&of_records), &expected, "--unique of records");
        let unique = convert(&pgn, &tagged(form).unique(Some(Preference::First)));
        assert_scanned(scan(&unique.output), &expected, "--unique");
    }
}

#[test]
fn registers_of_several_files_are_correct_whatever_is_omitted() {
    let one = Generator::text(Style::Annotated, 11, 6_000);
    let other = String::from_utf8_lossy(&one).replace("[White \"", "[White \"Another ");
    let run = |args: &[&str]| {
        let files = program().file("a.pgn", &one).file("b.pgn", &other);
        let own = ["a.pgn", "b.pgn", "-q", "--add", "Ae={file}.{game}.{ply}"];
        files.args(own).args(args).run().stdout
    };
    let expected = registers_of(scan(&run(&[])));
    assert!(expected.keys().any(|key| key.contains("b.pgn")));
    let cases: [&[&str]; 5] = [
        &["--unique"],
        &["--skip", "7", "--limit", "200"],
        &["--sample", "50", "--unique"],
        &["--where", "ply > 3 and ply != 9", "-j", "3", "--chunk-bytes", "64"],
        &["--on-error", "skip", "--unique"],
    ];
    for args in cases {
        for registers in [&[][..], &["--registers", "full"]] {
            let text = run(&[args, registers].concat());
            assert!(!text.is_empty());
            let stands_alone = registers.contains(&"full");
            let scanned = if stands_alone { scan_alone(&text) } else { scan(&text) };
            assert_scanned(scanned, &expected, &format!("{args:?} {registers:?}"));
        }
    }
}

/// The only register of a label is the result in `c9`, which every record has.
#[test]
fn labels_have_their_own_result_whatever_is_omitted() {
    let game = |result: &str| format!("[Result \"{result}\"]\n\n1. e4 e5 2. Nf3 Nc6 {result}\n\n");
    let pgn: String = ["1-0", "1/2-1/2", "*", "0-1"].map(game).concat();
    let cases: [&[&str]; 4] = [&[], &["--skip", "3"], &["--unique"], &["--sample", "4"]];
    for args in cases {
        let outcome = program().args(["--format", "c9", "-q"]).args(args).stdin(&*pgn).run();
        let mut scanner = Scanner::new(outcome.text());
        let mut records = 0;
        while let Some(record) = scanner.next_record(&mut |_| {}) {
            let mut own = Registers::default();
            own.read(&record);
            assert_eq!(scanner.registers(), &own, "{args:?}");
            assert!(own.comment(9).is_some() && own.iter().count() == 1, "{args:?}");
            records += 1;
        }
        assert!(records > 0, "{args:?}");
    }
}

#[test]
fn records_of_a_conversion_as_a_table_give_the_same_names() {
    let tables = |pgn: &[u8], registers| {
        let options =
            Options::default().registers(Some(registers)).plies(Plies { first: 0, last: 20 });
        let mut openings = Openings::default();
        openings.layer(&convert(pgn, &options).output).unwrap();
        openings
    };
    let mut games = 0;
    for file in corpus_pgn().filter(|file| file.name == "worldcup2005") {
        let pgn = file.read().unwrap();
        let [delta, full] = [RegisterStyle::Delta, RegisterStyle::Full].map(|r| tables(&pgn, r));
        for game in support::games(&pgn) {
            let mut last: Option<String> = None;
            let mut of_full: Option<String> = None;
            for record in game.positions.iter().filter(|record| record.ply <= 20) {
                let name = |table: &Openings| {
                    table.name(&record.position, record.ply).map(|name| format!("{name:?}"))
                };
                last = name(&delta).or(last);
                of_full = name(&full).or(of_full);
            }
            assert_eq!(last, of_full, "game {}", game.number);
            games += 1;
        }
    }
    assert!(games == 0 || games > 300, "{games}");
}

#[test]
fn a_position_of_a_book_has_its_own_name_or_none() {
    let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. h4 h5 5. a4 *\n\n1. h4 h5 2. a4 a5 3. Rh3 *\n";
    let outcome = program().args(["book", "-"]).stdin(pgn).run_quietly();
    let text = outcome.text();
    let mut scanner = Scanner::new(text);
    let (mut named, mut unnamed) = (0, 0);
    while let Some(record) = scanner.next_record(&mut |_| {}) {
        let mut own = Registers::default();
        own.read(&record);
        assert_eq!(scanner.registers(), &own, "line {}", scanner.line_number());
        *if own.eco().is_some() { &mut named } else { &mut unnamed } += 1;
    }
    assert!(named > 3 && unnamed > 3, "{named} {unnamed}");
}

//! The ranges of a file contain each game of the file once, whatever the cuts.

use std::io::Cursor;

use pgn2epd::game::Place;
use pgn2epd::input::{Unit, part};
use pgn2epd::options::{InputKind, OnError};
use pgn2epd::{Options, Summary};
use proptest::prelude::*;
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::pack;
use testkit::shared::corpus_pgn;

use crate::chunks::text;
use crate::support::{Converted, convert, fixture, jobs, program, try_convert, try_convert_from};

/// The concatenated results of the ranges between these cuts, with places and game numbers as in
/// the whole text.
fn in_ranges(
    file: &[u8],
    pgn: &[u8],
    cuts: &[u64],
    options: &Options,
) -> Result<Converted, String> {
    let mut cuts = [cuts, &[0, u64::MAX]].concat();
    cuts.sort_unstable();
    let mut all =
        Converted { output: Vec::new(), summary: Summary::default(), problems: Vec::new() };
    for range in cuts.windows(2) {
        let part = part(Cursor::new(file.to_vec()), range[0]..range[1], |_| Some(Unit::Game));
        let mut part = part.map_err(|error| error.to_string())?;
        let before = Place::default().after(&pgn[..part.start as usize]);
        while let Some(text) = part.source.next_text().map_err(|error| error.to_string())? {
            let Converted { output, summary, problems } = try_convert_from(text, options)?;
            all.output.extend(output);
            for mut problem in problems {
                let Place { byte, line, column } = problem.place;
                problem.place = Place {
                    byte: before.byte + byte,
                    line: before.line + line - 1,
                    column: if line == 1 { before.column + column - 1 } else { column },
                };
                if problem.game > 0 {
                    problem.game += all.summary.games;
                }
                all.problems.push(problem);
            }
            all.summary += summary;
        }
    }
    Ok(all)
}

#[track_caller]
fn assert_ranges_agree(name: &str, pgn: &[u8], cuts: &[u64], options: &Options) {
    assert_ranges_of_file_agree(name, pgn, pgn, cuts, options);
}

#[track_caller]
fn assert_ranges_of_file_agree(
    name: &str,
    file: &[u8],
    pgn: &[u8],
    cuts: &[u64],
    options: &Options,
) {
    let options = options.clone().jobs(jobs(1));
    // Data that is not text gives another message when it is opened.
    let Ok(whole) = try_convert(pgn, &options) else { return };
    let parts = in_ranges(file, pgn, cuts, &options).unwrap();
    let name = format!("{name}, cut at {cuts:?}");
    assert_eq!(parts.summary, whole.summary, "{name}");
    assert_eq!(parts.messages(), whole.messages(), "{name}");
    assert_eq!(parts.problems, whole.problems, "{name}");
    assert!(parts.output == whole.output, "{name}");
}

/// The text, cut everywhere.
#[track_caller]
fn assert_cut_everywhere(pgn: &str) {
    let cuts: Vec<u64> = (0..pgn.len() as u64).collect();
    assert_ranges_agree(pgn, pgn.as_bytes(), &cuts, &Options::default());
}

#[test]
fn text_before_a_tag_of_the_next_game_is_the_same_in_ranges() {
    let fen = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n";
    for pgn in [
        format!("[Event \"a\"]\n{fen}\n}}1.{fen}"),
        format!("{fen}\n!? [FEN\n}}1.{fen}\n*\n"),
        format!("{fen}\n1-0\n\n)) \n* {fen}\n*\n"),
        format!("{fen}\n1. e4 *\n\n1-0 [FEN\n{fen}{fen}*\n"),
        format!("hello [[ $1 $1 {fen}"),
        format!("{fen}*\nhello 1. {fen}\nhello 1. e4 *1. d4 * {fen}*"),
    ] {
        assert_cut_everywhere(&pgn);
    }
}

#[test]
fn a_comment_between_tags_belongs_to_the_same_game_in_ranges() {
    for pgn in [
        "[White \"x\"]\n{a}\n\n[White \"y\"]\n\n1. e4 *\n",
        "[White \"x\"]\n\n{a}\n\n[White \"y\"]\n\n1. e4 *\n",
        "[White \"x\"]\n{a}\n\n[White \"y\"]\n{b}\n\n[White \"z\"]\n\n1. e4 *\n[Event \"a\"]\n*\n",
        "[White \"x\"]\n{a\n%}\n\n[White \"y\"]\n\n1. e4 *\n",
        "[White \"x\"]\n{a}\n%b\n\n[White \"y\"]\n\n1. e4 *\n",
        "[White \"x\"]\n{a} *\n\n[White \"y\"]\n\n1. e4 *\n",
    ] {
        assert_cut_everywhere(pgn);
    }
}

/// A number of evenly spaced cuts.
fn even_cuts(len: usize, pieces: usize) -> Vec<u64> {
    (1..pieces).map(|piece| (len * piece / pieces) as u64).collect()
}

#[test]
fn hostile_inputs_are_the_same_in_ranges() {
    for (name, pgn) in hostile() {
        let pieces = if pgn.len() < 20_000 { 31 } else { 5 };
        assert_ranges_agree(name, &pgn, &even_cuts(pgn.len(), pieces), &Options::default());
        if pgn.len() < 1000 {
            let everywhere: Vec<u64> = (1..pgn.len() as u64).collect();
            assert_ranges_agree(name, &pgn, &everywhere, &Options::default());
        }
    }
}

#[test]
fn games_of_every_style_are_the_same_in_ranges() {
    for style in Style::ALL {
        let pgn = Generator::text(style, 11, 300_000);
        assert_ranges_agree(style.name(), &pgn, &even_cuts(pgn.len(), 23), &Options::default());
    }
}

/// The text in all compressed formats that can be cut, in frames of about the given size.
fn framed(pgn: &[u8], size: usize) -> [(&'static str, Vec<u8>); 2] {
    [
        ("zstd with a seek table", pack::seekable_zstd(pgn, size)),
        ("BGZF", pack::bgzf(pgn, size.min(30_000))),
    ]
}

#[test]
fn compressed_files_with_frames_are_the_same_in_ranges() {
    for style in [Style::Plain, Style::Lichess] {
        let pgn = Generator::text(style, 12, 300_000);
        for (name, file) in framed(&pgn, 20_000) {
            let name = format!("{}, {name}", style.name());
            let cuts = even_cuts(pgn.len(), 7);
            assert_ranges_of_file_agree(&name, &file, &pgn, &cuts, &Options::default());
        }
    }
    for (name, pgn) in hostile().into_iter().filter(|(_, pgn)| (200..2000).contains(&pgn.len())) {
        for (form, file) in framed(&pgn, 97) {
            let name = format!("{name}, {form}");
            let cuts = even_cuts(pgn.len(), 7);
            assert_ranges_of_file_agree(&name, &file, &pgn, &cuts, &Options::default());
        }
    }
}

#[test]
fn ranges_of_a_damaged_file_are_correct_up_to_the_damage() {
    let pgn = Generator::text(Style::Lichess, 14, 300_000);
    let options = Options::default().jobs(jobs(1)).ops(Some(pgn2epd::options::OpList::NONE));
    let records = |file: &[u8], range| {
        let mut part = part(Cursor::new(file.to_vec()), range, |_| Some(Unit::Game)).unwrap();
        let text = part.source.next_text().unwrap().unwrap();
        let mut output = Vec::new();
        let fault = pgn2epd::convert(text, &mut output, &options).err();
        let reason = |fault: &dyn std::error::Error| fault.source().unwrap().to_string();
        (output, fault.map(|fault| reason(&fault)))
    };
    for (name, file) in framed(&pgn, 20_000) {
        let mut damaged = file.clone();
        let middle = file.len() / 2;
        damaged[middle..middle + 64].fill(0xff);
        for range in [0..50_000, 50_000..100_000, 200_000..u64::MAX] {
            let (before, whole) = (records(&damaged, range.clone()), records(&file, range.clone()));
            // Not assert_eq, which would print kilobytes.
            assert!(
                before == whole,
                "{name}, {range:?}: {} and {}: {:?}",
                before.0.len(),
                whole.0.len(),
                before.1
            );
        }
        let (whole, _) = records(&file, 100_000..200_000);
        let (before, fault) = records(&damaged, 100_000..200_000);
        assert!(fault.unwrap().contains("data is damaged"), "{name}");
        // Part of a damaged frame may be read; with BGZF its text may be wrong.
        let sure = whole.len() / 4;
        assert!(before.len() > sure && before[..sure] == whole[..sure], "{name}: {}", before.len());
        // The range ends in the damage: the start of the next range is unknown, so none of its
        // games is returned.
        let (before, fault) = records(&damaged, 100_000..151_000);
        assert!(
            fault.is_some() && before.len() > sure && before[..sure] == whole[..sure],
            "{name}"
        );
    }
}

#[test]
fn splits_of_compressed_files_with_frames_are_ranges_of_their_text() {
    let pgn = Generator::text(Style::Lichess, 13, 400_000);
    let plain = pgn::splits(Cursor::new(pgn.clone()), 60_000, |_| Some(Unit::Game)).unwrap();
    for (name, file) in framed(&pgn, 20_000) {
        let splits = pgn::splits(Cursor::new(file), 60_000, |_| Some(Unit::Game)).unwrap();
        assert_eq!(splits, plain, "{name}");
    }
}

#[test]
fn every_file_of_the_corpus_is_the_same_in_ranges() {
    for file in corpus_pgn() {
        let pgn = file.read().unwrap();
        assert_ranges_agree(&file.name, &pgn, &even_cuts(pgn.len(), 16), &Options::default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(2000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_the_same_in_ranges(
        pgn in text(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        skip in any::<bool>(),
    ) {
        let cuts: Vec<u64> = cuts.iter().map(|cut| cut.index(pgn.0.len() + 1) as u64).collect();
        let on_error = if skip { OnError::Skip } else { OnError::Keep };
        // Ranges are of games, while some of these texts look like positions.
        let options = Options::default().input(Some(InputKind::Pgn)).on_error(on_error);
        assert_ranges_agree("generated", &pgn.0, &cuts, &options);
    }
}

#[test]
fn a_game_that_goes_on_from_number_1_is_in_one_range() {
    let game = "[Event \"A\"]\n\n1. e4 e5 {so}\n\n1. Qh5 Nc6 {and}\n\n1. Bc4 Nf6 *\n\n";
    // The number is not that of a move after a comment that may have had moves in it.
    let doubt =
        "[Event \"a\"]\nN\n1. e4 e5 ;[1.\n% {\n}\n\n1. Bb5 a6\n\n\n1. Bb5 a6\n[Event \"a\"]\n";
    for pgn in [game.repeat(3), doubt.to_owned()] {
        assert_cut_everywhere(&pgn);
        for cut in 0..pgn.len() as u64 {
            assert_ranges_agree("continued", pgn.as_bytes(), &[cut], &Options::default());
        }
    }
}

#[test]
fn offsets_are_those_of_the_whole_file() {
    let pgn = Generator::text(Style::Lichess, 4, 60_000);
    let offsets = |file: &[u8], range: &str| -> Vec<String> {
        let rows = ["--format", "csv", "--columns", "offset,uci", "--range", range, "games"];
        let outcome = program().file("games", file).args(rows).run();
        outcome.lines().iter().skip(1).map(|line| (*line).to_owned()).collect()
    };
    for file in [pgn.clone(), pack::bgzf(&pgn, 9_000)] {
        let whole = offsets(&file, "0:");
        let ranges = ["0:17", "17:20000", "20000:41000", "41000:"];
        assert_eq!(ranges.map(|range| offsets(&file, range)).concat(), whole);
        let mut games: Vec<&str> = whole.iter().map(|row| row.split(',').next().unwrap()).collect();
        games.dedup();
        let text = std::str::from_utf8(&pgn).unwrap();
        let starts: Vec<String> =
            text.match_indices("[Event ").map(|(at, _)| at.to_string()).collect();
        assert_eq!(games, starts);
        assert!(starts.len() > 20);
    }
}

/// A book of the file from a number of ranges, as JSON lines.
fn book_in_ranges(name: &str, bytes: &[u8], cuts: &[usize]) -> String {
    let mut merge = program();
    for (number, cut) in cuts.windows(2).enumerate() {
        let range = format!("{}:{}", cut[0], cut[1]);
        let part = program()
            .file(name, bytes)
            .args(["book", "--partial", "--range", &range, name, "-o", "part"])
            .run_quietly();
        merge = merge.file(&number.to_string(), part.file("part").unwrap());
    }
    let parts = (0..cuts.len() - 1).map(|number| number.to_string());
    let book = ["book", "merge", "--format", "jsonl", "--order", "input"];
    merge.args(book).args(parts).run_quietly().text().to_owned()
}

/// The game numbers in JSON lines, in order, and the lines without them.
fn without_numbers(book: &str) -> (Vec<u64>, String) {
    let mut numbers = Vec::new();
    let mut rest = String::new();
    let keys = ["\"first_game\":", "\"strongest_game\":"];
    let mut book = book;
    while let Some(at) = keys.iter().filter_map(|key| Some(book.find(key)? + key.len())).min() {
        let digits = book[at..].find(|c: char| !c.is_ascii_digit()).unwrap();
        numbers.push(book[at..at + digits].parse().unwrap());
        rest += &book[..at];
        book = &book[at + digits..];
    }
    (numbers, rest + book)
}

#[test]
fn a_book_from_ranges_equals_that_of_the_whole_file() {
    let pgn = Generator::text(Style::ALL[0], 3, 60_000);
    let len = pgn.len();
    let whole = book_in_ranges("games.pgn", &pgn, &[0, len]);
    let parts =
        book_in_ranges("games.pgn", &pgn, &[0, 1, 9999, 10_000, len / 2, len - 1, len, 1 << 40]);
    let (_, whole) = without_numbers(&whole);
    let (numbers, parts) = without_numbers(&parts);
    assert!(whole == parts);
    assert!(numbers.len() > 1000 && numbers.iter().any(|number| *number > len as u64 / 2));
}

#[test]
fn a_book_of_positions_is_cut_between_lines() {
    let book: String = (0..500)
        .map(|i| {
            format!(
                "# line {i}\n4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"games {}\"; id \"{i}\";\n",
                i % 7 + 1
            )
        })
        .collect();
    let len = book.len();
    let whole = book_in_ranges("book.epd", book.as_bytes(), &[0, len]);
    let parts =
        book_in_ranges("book.epd", book.as_bytes(), &[0, 5, 777, len / 2, len / 2 + 1, len]);
    assert_eq!(without_numbers(&parts).1, without_numbers(&whole).1);
    assert_eq!(whole.lines().count(), 1);
}

/// Games as files of positions, by their names.
fn positions() -> Vec<(&'static str, Vec<u8>)> {
    let games = fixture("engines.pgn");
    let of_games = |options: &[(&'static str, &'static str)]| {
        let options = Options::from_names(options.iter().copied()).unwrap();
        convert(&games, &options).output
    };
    let columns = ("columns", "fen,san,eval,result,depth");
    let csv = of_games(&[("format", "csv"), columns]);
    let evaluations = r#"{"fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","evals":[{"knodes":1,"depth":9,"pvs":[{"cp":3,"line":"e2e4"}]}]}"#;
    let mut files = vec![
        ("full.epd", of_games(&[("registers", "full")])),
        ("a.fen", of_games(&[("format", "fen")])),
        ("bullet.txt", of_games(&[("format", "bullet")])),
        ("framed.csv.gz", pack::bgzf(&csv, 300)),
        ("a.csv", csv),
        ("puzzles.csv", fixture("tables/puzzles.csv")),
        ("a.jsonl", of_games(&[("format", "jsonl"), columns])),
        ("evals.jsonl", format!("{evaluations}\n").repeat(20).into()),
        // These are one range each.
        ("a.plain", of_games(&[("format", "plain")])),
        ("a.binpack", of_games(&[("format", "binpack")])),
        ("a.bullet", of_games(&[("format", "bulletformat")])),
    ];
    if cfg!(feature = "arrow") {
        files.push(("a.parquet", of_games(&[("format", "parquet"), columns])));
        files.push(("a.arrow", of_games(&[("format", "arrow"), columns])));
    }
    files
}

#[test]
fn ranges_of_positions_have_each_once() {
    for (name, bytes) in positions() {
        let run = |args: &[&str]| {
            let program = program().file(name, &bytes).args(args).arg(name);
            program.run_quietly().text().to_owned()
        };
        let options = ["--registers", "full"];
        let whole = run(&options);
        let splits = run(&["splits", "--size", "150"]);
        let is_divided = !["plain", "binpack", "bullet", "parquet", "arrow"]
            .contains(&name.rsplit('.').next().unwrap());
        assert_eq!(splits.lines().count() > 2, is_divided, "{name}: {splits}");
        let number = |line: &str, key: &str| -> u64 {
            let value = line.split(key).nth(1).unwrap();
            value[..value.find([',', '}']).unwrap()].parse().unwrap()
        };
        let parts: String = splits
            .lines()
            .map(|line| {
                let range = format!("{}:{}", number(line, "start\":"), number(line, "end\":"));
                run(&[&options[..], &["--range", &range]].concat())
            })
            .collect();
        assert_eq!(parts, whole, "{name}");
        assert!(whole.lines().count() > 1, "{name}: {whole}");
        // In a file that is one range, no other has a position.
        assert_eq!(run(&["--range", "99999999:"]), "", "{name}");
        assert!(is_divided || run(&["--range", "1:"]).is_empty(), "{name}");
    }
}

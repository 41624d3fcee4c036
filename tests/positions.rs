//! Files of positions as sources of a conversion: the same selection and the same results as from
//! games.

use std::sync::LazyLock;

use pgn2epd::Options;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{Converted, convert, fixture, jobs};

/// Records have all that games say of a position.
const ALL: [(&str, &str); 2] =
    [("ops", "acd,acn,acs,c,ce,dm,eco,fmvn,hmvc,nic,pv,sm,v"), ("add", "c9={Result}")];

fn with(given: &[(&'static str, &'static str)]) -> Options {
    Options::from_names(given.iter().copied()).unwrap()
}

/// Converts records on several threads and in chunks of several sizes, with equal results.
#[track_caller]
fn convert_records(records: &[u8], options: &Options) -> Converted {
    let converted = convert(records, options);
    for (threads, chunk_bytes) in [(1, 700), (5, 700), (2, 5_000)] {
        let options = options.clone().jobs(jobs(threads)).chunk_bytes(chunk_bytes);
        let again = convert(records, &options);
        let what = format!("{threads} threads, chunks of {chunk_bytes}");
        assert_eq!(again.summary.positions, converted.summary.positions, "{what}");
        assert_eq!(again.problems, converted.problems, "{what}");
        assert!(again.output == converted.output, "{what}");
    }
    converted
}

/// Options of one kind, of which a conversion has one or none.
type Kind = &'static [&'static [(&'static str, &'static str)]];

const CONDITIONS: Kind = &[
    &[],
    &[("where", "ply > 10 and pieces < 30")],
    &[("where", "eval > 50 or depth > 20")],
    &[("where", "abs(eval) < 100 and not mate")],
    &[("where", "turn = w and not check")],
    &[("where", "Result = '1-0'")],
    &[("where", "eco ~ 'C' or opening ~ 'Gambit'")],
    &[("where", "san ~ 'x' or uci ~ 'e7'")],
];
const RANGES: Kind = &[&[], &[], &[("ply", "5..12")], &[("move", "3..4")], &[("move", "2..")]];
const OMISSIONS: Kind = &[
    &[],
    &[],
    &[("omit", "check,captures,promotions,checking-moves")],
    &[("omit", "mates,unevaluated")],
    &[("omit", "start")],
    &[("eval", "white:-50..150")],
    &[("eval", "-20..90"), ("omit", "captures")],
];
/// What depends on the other records.
const DATA_SETS: Kind = &[
    &[],
    &[],
    &[("unique", "first")],
    &[("unique", "last")],
    &[("unique", "deepest")],
    &[("sample", "20"), ("seed", "3")],
    &[("shuffle", "true"), ("skip", "3"), ("limit", "30")],
    &[("sort", "-eval,ply")],
    &[("sort", "pieces"), ("unique", "deepest"), ("limit", "40")],
];
const FORMATS: Kind = &[
    &[("registers", "full")],
    &[("format", "fen")],
    &[("format", "c9")],
    &[("format", "bracket")],
    &[("format", "bullet")],
    &[("format", "c-chess-cli")],
    &[("registers", "full"), ("format", "crafty")],
    &[("format", "plain")],
    &[("format", "bulletformat")],
    &[("format", "jsonl"), ("columns", "ply,fen,san,turn,white_cp,mate,depth,points,eco")],
    &[("format", "csv"), ("columns", "ply,fen,san,uci,turn,eval,mate,depth,result,eco,opening")],
];

/// Games, and their records with each style of registers.
static GAMES: LazyLock<[[Vec<u8>; 3]; 2]> = LazyLock::new(|| {
    ["classics.pgn", "engines.pgn"].map(|name| {
        let games = fixture(name);
        let [delta, full] = ["delta", "full"].map(|registers| {
            convert(&games, &with(&[&ALL[..], &[("registers", registers)]].concat())).output
        });
        [games, delta, full]
    })
});

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    /// The law of one road: games become records and are selected, or are selected at once.
    #[test]
    fn selecting_from_records_is_selecting_from_their_games(
        (which, style) in (0..2usize, 1..3usize),
        kinds in (select(CONDITIONS), select(RANGES), select(OMISSIONS), select(DATA_SETS)),
        format in select(FORMATS),
    ) {
        let given = [kinds.0, kinds.1, kinds.2, kinds.3, format].concat();
        let is_epd = format[0].0 == "registers";
        let of_games = if is_epd { [&given[..], &ALL[..]].concat() } else { given.clone() };
        let options = |given: &[_]| Options::from_names(given.iter().copied());
        // Training data are neither sorted nor without duplicates.
        prop_assume!(options(&given).is_ok());
        let expected = convert(&GAMES[which][0], &with(&of_games));
        let found = convert_records(&GAMES[which][style], &with(&given));
        let shown = |converted: &Converted| String::from_utf8_lossy(&converted.output).into_owned();
        prop_assert_eq!(shown(&found), shown(&expected), "{}, {}, {:?}", which, style, given);
        prop_assert_eq!(&found.problems, &[], "{}, {}, {:?}", which, style, given);
    }
}

/// Each text that the program writes has what the next one needs: the results of the chain are
/// those of the games.
#[test]
fn a_format_is_read_with_all_that_it_has() {
    let games = fixture("engines.pgn");
    let written = |source: &[u8], input: Option<&str>, format: &str| {
        let input = input.map(|input| ("input", input));
        // The binary formats have an en passant square only if a pawn can capture.
        let options = [Some(("format", format)), Some(("ep", "legal")), input];
        let options: Vec<_> = options.into_iter().flatten().collect();
        convert(source, &Options::from_names(options).unwrap()).output
    };
    // Positions without an evaluation or a move are not in the formats that need one.
    let plain = written(&games, None, "plain");
    let bullet = written(&games, None, "bullet");
    type Case<'c> = (&'c str, Option<&'c str>, &'c [u8], &'c [&'c str]);
    let cases: [Case<'_>; 9] = [
        ("bullet", None, &games, &["bullet", "c-chess-cli", "bulletformat", "marlinformat"]),
        ("c-chess-cli", None, &games, &["bullet", "c-chess-cli", "bulletformat", "marlinformat"]),
        ("bracket", None, &games, &["c9", "bracket"]),
        ("c9", None, &games, &["c9"]),
        ("plain", None, &games, &["plain", "viriformat", "binpack"]),
        ("plain", None, &plain, &["bullet", "c9", "fen", "bulletformat"]),
        ("viriformat", Some("viriformat"), &games, &["plain", "viriformat", "binpack"]),
        ("binpack", Some("binpack"), &games, &["plain", "viriformat", "binpack"]),
        ("marlinformat", Some("marlinformat"), &bullet, &["bullet", "bulletformat"]),
    ];
    for (first, input, source, nexts) in cases {
        let between = written(source, None, first);
        for next in nexts {
            let found = written(&between, input, next);
            let expected = written(source, None, next);
            assert!(found == expected, "{first} to {next}");
            assert!(!found.is_empty(), "{first} to {next}");
        }
    }
}

#[test]
fn values_are_those_of_any_source() {
    let games = fixture("engines.pgn");
    let with_evaluations = [("ops", "ce,fmvn,hmvc,sm"), ("add", "c9={Result}"), ("ep", "legal")];
    let epd = convert(&games, &with(&with_evaluations)).output;
    let binpack = convert(&games, &with(&[("format", "binpack")])).output;
    let read = |source: &[u8],
                options: &[(&'static str, &'static str)]|
     -> Vec<(String, Option<String>)> {
        let records = pgn2epd::records(std::io::Cursor::new(source.to_vec()), &with(options));
        let value = |record: pgn2epd::PlayedPosition| {
            let next = record.next.map(|next| san::san_of(&record.position, next).to_string());
            (record.record.to_string(), next)
        };
        records.map(|record| value(record.unwrap())).collect()
    };
    let of_epd = read(&epd, &[]);
    let texts: Vec<&str> = of_epd.iter().map(|(text, _)| &**text).collect();
    assert_eq!(texts, String::from_utf8(epd.clone()).unwrap().lines().collect::<Vec<_>>());
    // Positions without an evaluation or a move are not in a binpack, which has no en passant
    // squares without a capture.
    let operations = |(text, next): &(String, Option<String>)| {
        (text.splitn(5, ' ').nth(4).unwrap().to_owned(), next.clone())
    };
    let evaluated = of_epd.iter().filter(|(text, next)| text.contains(" ce ") && next.is_some());
    let of_binpack = read(&binpack, &[("input", "binpack")]);
    assert!(of_binpack.iter().map(operations).eq(evaluated.map(operations)));
    let error = pgn2epd::records(std::io::Cursor::new(epd), &with(&[("last", "true")]))
        .next()
        .unwrap()
        .unwrap_err();
    let reason = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(reason, "--last is for games; this file has positions");
}

/// Columns that are read as they are written: all that a position has which does not depend on its
/// file.
const COLUMNS: &str = "ply,fen,epd,san,uci,from,to,promotion,turn,move,check,pieces,material,key,eval,eval_cp,white_cp,\
                       mate,white_mate,depth,seldepth,nodes,time,clock,result,points,white_elo,black_elo,elo,date,year,\
                       base_time,increment,eco,opening,White,Black,Event,TimeControl,comment,nags";

/// The values of the columns of a table, from the texts of another reader than that of the program.
fn values(csv: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn a_table_of_games_is_read_with_all_that_it_has() {
    let mut games = ["engines.pgn", "classics.pgn", "annotated.pgn"].map(fixture).concat();
    games.extend_from_slice(
        "\n[White \"Kröger, \"]\n[Black \"\u{2013}, \u{a0}x\"]\n[Date \"2024.??.??\"]\n[TimeControl \"300+3\"]\n\
         [Variant \"Crazyhouse\"]\n\n1. Nf3 {[%eval 0.3] [%clk 0:05:00.1] a \"b\", c} f6 $14 2. Nd4 1/2-1/2\n"
            .as_bytes(),
    );
    let expected = convert(&games, &with(&[("format", "csv"), ("columns", COLUMNS)])).output;
    assert!(values(&expected).len() > 150);
    let formats: &[&str] = match cfg!(feature = "arrow") {
        true => &["csv", "jsonl", "arrow", "parquet"],
        false => &["csv", "jsonl"],
    };
    for format in formats {
        let table = convert(&games, &with(&[("format", *format), ("columns", COLUMNS)])).output;
        let again = with(&[("format", "csv"), ("columns", COLUMNS)]);
        let read = match *format {
            "csv" | "jsonl" => convert_records(&table, &again),
            _ => convert(&table, &again),
        };
        assert_eq!(read.problems, [], "{format}");
        let (found, expected) = (values(&read.output), values(&expected));
        assert_eq!(found.len(), expected.len(), "{format}");
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "{format}");
        }
    }
}

#[test]
fn a_table_of_records_is_read_with_their_operations() {
    let records = fixture("epd/mates.epd");
    let operations = ["acd", "acn", "bm", "dm", "id"];
    let columns = format!("epd,{}", operations.join(","));
    for format in ["csv", "jsonl"] {
        let table =
            convert(&records, &with(&[("format", format), ("columns", &*columns.clone().leak())]));
        let again = convert(&table.output, &Options::default());
        assert_eq!(String::from_utf8_lossy(&again.output), String::from_utf8_lossy(&records));
        let whole = convert(&records, &with(&[("format", format), ("columns", "record")]));
        assert!(convert(&whole.output, &Options::default()).output == records, "{format}");
    }
}

/// Text that becomes a comment depends on the comments before it, wherever the file is cut.
#[test]
fn added_comments_are_those_of_any_chunks() {
    let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let mut text = String::new();
    for number in 0..400 {
        let operations = match number % 40 {
            0 => format!("c0 \"{number}\";"),
            5 => "c1 \"x\";".to_owned(),
            7 | 8 | 30 => "00:00".to_owned(),
            _ => "id \"a\";".to_owned(),
        };
        // Lines without a position, which have no registers.
        let line = if number % 11 == 10 {
            "4k3/9 w - -".repeat(60)
        } else {
            format!("{fields} {operations}")
        };
        text.push_str(&format!("{line}\n"));
    }
    let read = convert_records(text.as_bytes(), &Options::default());
    assert!(read.lines().iter().any(|line| line.ends_with("c2 \"00:00\";")), "{:?}", read.lines());
}

#[test]
fn fixtures_of_tables_are_read_as_what_they_are() {
    let cases =
        [("mates.csv", 4, 0), ("mates.jsonl", 4, 0), ("faults.csv", 3, 6), ("puzzles.csv", 2, 0)];
    let others = [("evaluations.jsonl", 2, 0), ("positions.fns", 2, 0)];
    for (name, positions, errors) in cases.into_iter().chain(others) {
        let read = convert_records(&fixture(&format!("tables/{name}")), &Options::default());
        assert_eq!((read.summary.positions, read.summary.errors), (positions, errors), "{name}");
    }
}

proptest::proptest! {
    /// Any bytes are rows, or are reported: none are lost, and nothing depends on chunks and
    /// threads.
    #[test]
    fn any_bytes_after_a_header_are_rows_or_faults(
        rows in proptest::collection::vec("[0-9a-zA-Z/ ,\"é;-]{0,40}", 0..8),
    ) {
        let good = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,1-0,e2e4";
        let mut text = "fen,result,uci\n".to_owned();
        for row in &rows {
            text.push_str(&format!("{row}\n{good}\n"));
        }
        let read = convert_records(text.as_bytes(), &Options::default());
        let blank = rows.iter().filter(|row| row.trim().is_empty()).count();
        let counted = read.summary.records + read.summary.bad_games;
        proptest::prop_assert_eq!(counted as usize + blank, 2 * rows.len());
        proptest::prop_assert!(read.summary.records as usize >= rows.len());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>, kind in proptest::sample::select(vec!["csv", "jsonl", "evals"])) {
        let text = [&b"fen,bm,c0\n"[..], &bytes].concat();
        let _ = crate::support::try_convert(&text, &with(&[("input", kind)]));
    }
}

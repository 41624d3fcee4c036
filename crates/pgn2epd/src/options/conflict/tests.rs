use emit::LabelForm;
use san::EnPassantPolicy;

use super::*;
use crate::options::OptionError;

#[test]
fn what_is_no_option_is_told_why() {
    let cases: [(&[(&str, &str)], &str); 25] = [
        (
            &[("unique-games", "moves"), ("unique", "first")],
            "--unique-games and --unique exclude each other",
        ),
        (&[("unique-games", "moves:3")], "unique-games=\"moves:3\": choose from moves, "),
        (&[("colour", "red")], "unknown option \"colour\""),
        (&[("unique", "yes")], "unique=\"yes\": choose from first, last, deepest"),
        (&[("jobs", "0")], "jobs=\"0\": write a number of threads"),
        (&[("seed", "1")], "--seed is for --sample, --shuffle and --split"),
        (
            &[("registers", "delta"), ("sort", "ply")],
            "--registers delta is for all records in their order: use full with --unique, ",
        ),
        (&[("registers", "delta"), ("rows-per-file", "9")], "--registers delta is for all records"),
        (
            &[("preset", "books")],
            "preset=\"books\": choose from fishnet-evals, match, suite, tuning",
        ),
        (&[("where", "elo >")], "where=\"elo >\": "),
        (&[("format", "c9"), ("ops", "sm")], "--format c9 has no operations: omit"),
        (
            &[("conflicts", "drop")],
            "--conflicts is for labels (c9, bracket, bullet, c-chess-cli, plain)",
        ),
        (&[("columns", "ply")], "--columns is for tables (csv, jsonl, arrow, parquet)"),
        (
            &[("format", "csv"), ("columns", "ply,eval-cp")],
            "columns=\"ply,eval-cp\": unknown variable eval-cp; did you mean eval_cp?",
        ),
        (&[("format", "csv"), ("ops", "sm")], "--format csv has no operations, unless `record`"),
        (&[("format", "csv"), ("conflicts", "drop")], "--conflicts is for labels ("),
        (&[("sort", "ply"), ("shuffle", "true")], "--sort and --shuffle exclude each other"),
        (&[("sort", "-pl-y")], "sort=\"-pl-y\": unknown variable pl-y; did you mean ply?"),
        (
            &[("sort", "WhitElo")],
            "sort=\"WhitElo\": no tag is called WhitElo; did you mean WhiteElo?",
        ),
        (&[("sort", "ply,-ply")], "sort=\"ply,-ply\": the column \"ply\" occurs twice"),
        (&[("sort", "ply,")], "sort=\"ply,\": unknown variable ; available: "),
        (
            &[("sort", "game")],
            "sort=\"game\": game is not available in sort keys, only in templates and columns",
        ),
        (
            &[("sort", "board")],
            "sort=\"board\": board is not available in sort keys, only in columns",
        ),
        (
            &[("format", "viriformat"), ("sort", "ply")],
            "--unique, --skip, --limit, --sample and --sort are not for --format viriformat",
        ),
        (
            &[("format", "csv"), ("rows", "games"), ("sort", "-White,eval")],
            "--sort: eval is not for games",
        ),
    ];
    for (named, expected) in cases {
        let error = Options::from_names(named.iter().copied()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn an_option_without_effect_is_refused() {
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], Option<&'a str>);
    let cases: [Case<'_>; 24] = [
        ("registers=full", &[("format", "fen")], Some("registers is for records with")),
        ("registers=delta", &[("ops", "sm")], Some("registers is for")),
        ("registers=full", &[("ops", "none")], Some("registers is for")),
        ("registers=full", &[("format", "csv")], Some("registers is for")),
        ("registers=full", &[("format", "fen"), ("ops", "eco")], None),
        // Those of files.
        ("registers=full", &[("format", "fen"), ("ops", "keep")], None),
        ("registers=full", &[("format", "fen"), ("ops", "-c,-v,-eco,-nic")], Some("registers is")),
        ("registers=full", &[("ops", "none"), ("add", "c9={Result}")], None),
        ("registers=full", &[("format", "csv"), ("columns", "record")], None),
        ("registers=off", &[("format", "fen")], None),
        ("comments=split", &[("ops", "none")], Some("comments is for")),
        ("comments=split", &[("ops", "c")], None),
        ("comments=raw", &[("format", "c9")], Some("comments is for")),
        ("names=tags", &[("ops", "none")], Some("names is for names of openings")),
        ("names=tags", &[("format", "csv"), ("columns", "ply")], Some("names is for")),
        ("names=tags", &[("format", "csv")], None),
        ("names=tags", &[("ops", "none"), ("where", "eco ~ \"B\"")], None),
        ("names=tags", &[("ops", "none"), ("sort", "-eco")], None),
        ("names=off", &[("ops", "none")], None),
        ("blank-line=true", &[("format", "csv")], Some("blank-line is for")),
        ("blank-line=true", &[("format", "viriformat")], Some("blank-line is for")),
        ("blank-line=true", &[("format", "fen")], None),
        ("csv-safe=true", &[("format", "jsonl")], Some("csv-safe is for format csv")),
        ("csv-safe=true", &[("format", "csv")], None),
    ];
    for (option, others, expected) in cases {
        let given = option.split_once('=').into_iter().chain(others.iter().copied());
        let error = Options::from_names(given).err().map(|error| error.to_string());
        let is_right = match (&error, expected) {
            (Some(error), Some(expected)) => error.trim_start_matches("--").starts_with(expected),
            (found, expected) => found.is_none() && expected.is_none(),
        };
        assert!(is_right, "{option} {others:?}: {error:?}");
    }
}

#[test]
fn what_is_given_wins_over_the_preset() {
    let options = Options::from_names([("ep", "always"), ("preset", "tuning")]).unwrap();
    assert_eq!(options.en_passant, EnPassantPolicy::Always);
    assert_eq!(options.format, Format::Label(LabelForm::C9));
    assert_eq!(options.omit.to_string(), "check,captures,promotions,checking-moves");
}

#[test]
fn what_is_omitted_adds_up() {
    let cases: [(&[(&str, &str)], &str); 5] = [
        (&[("omit", "start"), ("omit", "check,start")], "start,check"),
        (&[("preset", "match"), ("omit", "captures")], "captures,finished"),
        (&[("omit", "captures"), ("preset", "match")], "captures,finished"),
        (&[("preset", "match"), ("omit", "none,start")], "start"),
        (&[("preset", "match"), ("omit", "none")], "none"),
    ];
    for (named, expected) in cases {
        let options = Options::from_names(named.iter().copied()).unwrap();
        assert_eq!(options.omit.to_string(), expected, "{named:?}");
    }
}

proptest::proptest! {
    #[test]
    fn no_value_makes_it_panic(spec in 0..Options::SPECS.len(), value in "[ -~é♞]{0,12}") {
        let _ = Options::from_names([(Options::SPECS[spec].name, &*value)]);
    }
}

#[test]
fn every_option_is_read_as_it_is_written() {
    let names = [
        ("add", "c8={{{White|no one}}} {ply}"),
        ("add", "c9={Result}"),
        ("ascii", "true"),
        ("blank-line", "true"),
        ("castling", "shredder"),
        ("chunk-bytes", "1000"),
        ("comments", "raw"),
        ("ep", "pseudo"),
        ("eval", "white:-50..50"),
        ("jobs", "3"),
        ("language", "auto"),
        ("last", "true"),
        ("limit", "9"),
        ("max-game-bytes", "2000"),
        ("move", "2..9"),
        ("names", "tags"),
        ("notes", "true"),
        ("null-moves", "true"),
        ("omit", "start,mates"),
        ("on-damage", "keep"),
        ("on-error", "stop"),
        ("ops", "c,eco,sm"),
        ("ply", "3.."),
        ("registers", "full"),
        ("sample", "5"),
        ("seed", "6"),
        ("skip", "2"),
        ("sort", "-WhiteElo,ply"),
        ("strict", "true"),
        ("unique", "deepest"),
        ("variations", "true"),
        ("where", "ply > 3"),
    ];
    let mut written = Options::from_names(names).unwrap().to_names().unwrap();
    written.sort();
    let written: Vec<(&str, &str)> =
        written.iter().map(|(name, value)| (*name, &**value)).collect();
    assert_eq!(written, names);
    for names in [
        [("format", "bracket"), ("conflicts", "mean")],
        [("format", "csv"), ("columns", "fen,cp=white_cp,White")],
    ] {
        let written = Options::from_names(names).unwrap().to_names().unwrap();
        assert_eq!(written, names.map(|(name, value)| (name, value.to_owned())));
    }
    assert!(Options::default().to_names().unwrap().is_empty());
}

#[test]
fn a_table_of_openings_has_no_name() {
    let options = Options::default().names(NameSource::Table(Default::default()));
    assert_eq!(options.to_names(), Err(OptionError::Unnamed("names")));
}

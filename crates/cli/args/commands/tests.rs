//! The options that the library declares are arguments.

use clap::Parser;
use pgn2epd::Options;
use pgn2epd::options::ValueKind;

use crate::args::Args;

/// Returns values of an option that differ from its default.
fn values(name: &str, kind: ValueKind, keywords: &[&'static str]) -> Vec<&'static str> {
    match kind {
        ValueKind::Flag => vec!["true"],
        ValueKind::Keyword => keywords.to_vec(),
        ValueKind::Number => vec!["3"],
        ValueKind::Size => vec!["1M", "1000"],
        ValueKind::Share => vec!["0.5"],
        ValueKind::Range if name == "eval" => vec!["-90..90", "white:20.."],
        ValueKind::Range => vec!["8..24", "3.."],
        ValueKind::List if name == "omit" => vec!["start,check"],
        ValueKind::List if name == "columns" => vec!["ply", "fen,cp=white_cp,WhiteElo"],
        ValueKind::List if name == "games" => vec!["normal", "selected,uci,no-tags"],
        ValueKind::List if name == "sort" => vec!["ply", "-WhiteElo,ply"],
        ValueKind::List if name == "rename" => vec!["fen=position,white_cp=score"],
        ValueKind::List => vec!["none", "ce,sm"],
        ValueKind::File => vec!["fixtures/epd/mates.epd"],
        ValueKind::Text if name == "add" => vec!["c9={Result}"],
        ValueKind::Text if name == "where" => vec!["ply > 20"],
        ValueKind::Text if name == "compress" => vec!["zstd:19", "gzip:6"],
        ValueKind::Text if name == "split" => vec![SPLIT],
        ValueKind::Text if name == "unique-games" => vec!["moves", "prefix:8"],
        ValueKind::Text if name == "input" => vec!["epd", "binpack"],
        ValueKind::Text => vec!["auto", "de"],
    }
}

const SPLIT: &str = "train=0.9,test=0.1";

#[test]
fn every_option_of_the_library_is_an_argument_with_the_same_value() {
    for spec in Options::SPECS {
        let keywords: Vec<&str> = spec.keywords().into_iter().map(|(word, _)| word).collect();
        for value in values(spec.name, spec.kind, &keywords) {
            let mut named = vec![(spec.name, value)];
            named.extend((spec.name == "seed").then_some(("sample", "5")));
            named.extend((spec.name == "overwrite").then_some(("rows-per-file", "5")));
            named.extend((spec.name == "conflicts").then_some(("format", "bracket")));
            named.extend((spec.name == "games").then_some(("format", "pgn")));
            named.extend((spec.name == "score").then_some(("format", "binpack")));
            let is_of_tables =
                ["columns", "rows", "csv-safe"].contains(&spec.name) || value == "fishnet-evals";
            named.extend(is_of_tables.then_some(("format", "csv")));
            if !cfg!(feature = "arrow") && ["arrow", "parquet"].contains(&value) {
                continue;
            }
            let args = named.iter().map(|(name, value)| match *value {
                "true" => format!("--{name}"),
                value => format!("--{name}={value}"),
            });
            let args = Args::parse_from(std::iter::once("pgn2epd".to_owned()).chain(args));
            let given = args.convert.options().unwrap();
            let named = Options::from_names(named).unwrap();
            assert_eq!(format!("{given:?}"), format!("{named:?}"), "{}={value}", spec.name);
        }
    }
}

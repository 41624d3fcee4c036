//! Tables of games.

use std::collections::BTreeMap;

use serde_json::Value;
use testkit::generate::{Generator, Style};

use crate::support::program;

#[test]
fn lists_have_the_values_of_the_rows_of_positions() {
    let columns = "game,line,ply,fen,san,uci,turn,check,eval,clock,time,nags,comment,pieces,packed,epd,record";
    for style in Style::ALL {
        let pgn = Generator::text(style, 11, 20_000);
        let rows = |kind: &str, more: &[&str]| -> Vec<BTreeMap<String, Value>> {
            let args = ["-q", "--rows", kind, "--format", "jsonl", "--columns", columns];
            let outcome = program().args(args).args(more).stdin(pgn.clone()).run();
            assert_eq!(&*outcome.stderr, "");
            outcome.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        for more in [&[][..], &["--ply", "3..20"], &["--where", "turn = w and White"]] {
            let mut expected: BTreeMap<u64, BTreeMap<String, Vec<Value>>> = BTreeMap::new();
            let args = [more, &["--chunk-bytes", "3000", "-j", "2"]].concat();
            for row in rows("positions", more) {
                let game = expected.entry(row["game"].as_u64().unwrap()).or_default();
                let has_move = !row["san"].is_null();
                for (name, value) in row {
                    let values = game.entry(name.clone()).or_default();
                    if has_move || !matches!(&*name, "san" | "uci" | "time") {
                        values.push(value);
                    }
                }
            }
            let found = rows("games", &args);
            assert_eq!(found.len(), expected.len(), "{style:?} {more:?}");
            for (row, expected) in found.into_iter().zip(expected.into_values()) {
                for (name, value) in row {
                    match &*name {
                        "game" | "line" => assert_eq!(value, expected[&name][0]),
                        _ => assert_eq!(value, Value::Array(expected[&name].clone()), "{name}"),
                    }
                }
            }
        }
    }
}

//! Files of positions as many programs write them, with what each means by hand.

use std::path::Path;

use testkit::program::Outcome;

use crate::support::program;
#[test]
fn tables_with_the_columns_of_presets_and_of_the_documentation_are_read_as_they_are_written() {
    let fixture = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let pages = ["docs/datasets.md", "docs/positions.md", "docs/questions.md", "docs/cluster.md"];
    let pages = pages.map(|page| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap()
    });
    let words = pages.iter().flat_map(|page| page.split_whitespace());
    let words: Vec<&str> = words.map(|word| word.trim_matches(['`', '\'', '"'])).collect();
    let lists = words.windows(2).filter(|pair| pair[0] == "--columns").map(|pair| pair[1]);
    let mut lists: Vec<Vec<&str>> = lists.map(|list| vec!["--columns", list]).collect();
    lists.extend([vec![], vec!["--preset", "fishnet-evals"]]);
    assert!(lists.len() > 5, "{lists:?}");
    let mut tried = 0;
    for list in lists {
        let columns = list.get(1).copied().unwrap_or("fen");
        let names = columns.split(',').map(|column| column.rsplit('=').next().unwrap());
        let names: Vec<&str> = names.collect();
        let has_position = list.is_empty() || list[0] == "--preset" || names.contains(&"fen");
        // A table of games; what is counted in a file.
        if !has_position || names.contains(&"plies") || columns.contains("record.") {
            continue;
        }
        for format in ["csv", "jsonl"] {
            let mut args = list.clone();
            args.extend(["--format", format, "-q"]);
            let games = fixture("engines.pgn");
            let first = program().args(&args).arg(games.to_str().unwrap()).run();
            let second = program().args(&args).stdin(first.text()).run();
            // The number of a game is that of a row.
            let is_numbered = list.is_empty() || names.contains(&"game");
            let cells = |outcome: &Outcome| -> Vec<String> {
                let lines = outcome.text().lines().skip(usize::from(format == "csv"));
                let from = usize::from(is_numbered);
                lines.map(|line| line.splitn(2, ',').nth(from).unwrap_or(line).to_owned()).collect()
            };
            // Operations, which are written from records.
            if first.stderr.contains("is not known of games") {
                continue;
            }
            tried += 1;
            assert_eq!((first.status, second.status), (0, 0), "{list:?} {}", second.stderr);
            assert!(!cells(&first).is_empty(), "{list:?}");
            assert_eq!(cells(&second), cells(&first), "{list:?} {format}");
        }
    }
    assert!(tried >= 4, "{tried}");
}

//! Two sources that are joined by position.

use pgn2epd::Options;
use pgn2epd::join::{Join, JoinOptions, Side};
use pgn2epd::options::RegisterStyle;
use proptest::prelude::*;

use crate::support::{fields, try_convert};

const SUITE: &str = "\
4k3/8/8/8/8/8/4P3/4K3 w - - acd 12; ce 90; hmvc 3; id \"pawn\";
8/8/8/8/8/8/4P3/k3K3 w - - id \"other\";
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"e4\";
";

const EVALUATIONS: &str = r#"{"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","evals":[{"pvs":[{"cp":31,"line":"e7e5 g1f3"}],"knodes":206,"depth":36}]}
{"fen":"4k3/8/8/8/8/8/4P3/4K3 w - -","evals":[{"pvs":[{"mate":12,"line":"e2e4"}],"knodes":1,"depth":29}]}
{"fen":"4k3/8/8/8/8/8/3P4/4K3 w - -","evals":[{"pvs":[{"mate":12,"line":"d2d4"}],"knodes":1,"depth":9}]}
"#;

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
            prop_assert_eq!(fields(line), fields(record));
            for operation in record[fields(record).len()..].split_inclusive(';') {
                let is_null = !operation.trim().contains(' ');
                let is_kept = may_be_deeper || line.contains(operation);
                prop_assert!(is_null || is_kept, "{} in {}", operation, line);
            }
        }
    }
}

//! Games with variations: `rc` counts the positions of the line that leads to a record, a condition
//! on repetitions finds the same, and the normal form has the numbers and NAGs of the standard.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use pgn2epd::{Options, convert};
use testkit::tree::Tree;

fn run(pgn: &str, names: &[(&str, &str)], chunk_bytes: usize) -> String {
    let options = Options::from_names(names.iter().copied()).expect("they exist");
    let options = options.jobs(NonZeroUsize::new(2)).chunk_bytes(chunk_bytes);
    let mut output = Vec::new();
    convert(pgn.as_bytes(), &mut output, &options).expect("memory can be read and written");
    String::from_utf8(output).expect("records are UTF-8")
}

fuzz_target!(|input: &[u8]| {
    let Some((&chunk_bytes, bytes)) = input.split_first() else { return };
    let mut numbers = bytes.iter();
    let mut trees = Vec::new();
    while !numbers.as_slice().is_empty() && trees.len() < 3 {
        trees.push(Tree::new(&mut |bound| {
            numbers.next().map_or(0, |number| u32::from(*number) % bound)
        }));
    }
    let pgn: String = trees.iter().map(|tree| format!("{} *\n\n", tree.pgn)).collect();
    let counts: Vec<usize> = trees.iter().flat_map(Tree::repetitions).collect();
    let chunk_bytes = 1 + usize::from(chunk_bytes);

    let all = [("variations", "true"), ("ops", "rc"), ("registers", "off")];
    let records = run(&pgn, &all, chunk_bytes);
    let found = records.lines().map(|record| {
        let operation = record.split(';').find_map(|operation| operation.rsplit_once("rc "));
        operation.and_then(|(_, count)| count.parse().ok())
    });
    assert_eq!(
        found.collect::<Vec<Option<usize>>>(),
        counts.iter().copied().map(Some).collect::<Vec<_>>(),
        "{pgn}"
    );
    let again = [&all[..], &[("where", "repetition = 2")]].concat();
    let expected = counts.iter().filter(|count| **count == 2).count();
    assert_eq!(run(&pgn, &again, chunk_bytes).lines().count(), expected, "{pgn}");

    let games = run(&pgn, &[("format", "pgn"), ("games", "normal")], chunk_bytes);
    let words = games.lines().filter(|line| !line.starts_with('[')).flat_map(str::split_whitespace);
    let expected: Vec<String> = trees.iter().map(|tree| format!("{} *", tree.normal)).collect();
    assert!(words.eq(expected.iter().flat_map(|text| text.split(' '))), "{pgn}{games}");
});

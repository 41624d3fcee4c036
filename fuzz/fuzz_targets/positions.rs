//! Any bytes as a file of positions or a table: the output depends neither on chunks nor on
//! threads, every record is written or reported, what is written as EPD is read again as it is, and
//! training data is written up to its damage.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use pgn2epd::training::{Entries, TrainingFormat};
use pgn2epd::{Conversion, Observer, Options, Problem, Summary};

const KINDS: [&str; 9] = [
    "epd", "viriformat", "binpack", "bulletformat", "marlinformat", "plain", "csv", "jsonl",
    "evals",
];

const FORMATS: [&str; 5] = ["epd", "fen", "bullet", "csv", "binpack"];

/// Everything that a conversion says.
#[derive(PartialEq, Debug)]
struct Converted {
    output: Vec<u8>,
    problems: Vec<Problem>,
    summary: Summary,
    error: Option<String>,
}

struct Problems<'p>(&'p mut Vec<Problem>);

impl Observer for Problems<'_> {
    fn problem(&mut self, problem: &Problem) {
        self.0.push(problem.clone());
    }
}

fn convert(bytes: &[u8], options: &Options) -> Converted {
    let (mut output, mut problems) = (Vec::new(), Vec::new());
    let mut conversion = Conversion::new(&mut output, options);
    let read = conversion.input(bytes, &mut Problems(&mut problems));
    let summary = conversion.finish().expect("memory is written");
    Converted { output, problems, summary, error: read.err().map(|error| error.to_string()) }
}

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let kind = KINDS[usize::from(choice) % KINDS.len()];
    let format = FORMATS[usize::from(choice) / KINDS.len() % FORMATS.len()];
    let options = Options::from_names([("input", kind), ("format", format)]).expect("they exist");
    let alone = convert(bytes, &options.clone().jobs(NonZeroUsize::new(1)));
    let several = options.clone().jobs(NonZeroUsize::new(3)).chunk_bytes(64);
    assert_eq!(convert(bytes, &several), alone);

    let Converted { output, problems, summary, .. } = alone;
    let written = summary.positions + summary.unlabelled;
    if let Ok(format) = kind.parse::<TrainingFormat>() {
        let whole = Entries::new(format, bytes).map_while(Result::ok).count() as u64;
        assert_eq!(written, whole);
    } else if kind == "epd" {
        let is_error = |problem: &&Problem| problem.is_error();
        let mut lines: Vec<u64> =
            problems.iter().filter(is_error).map(|problem| problem.place.line).collect();
        lines.dedup();
        assert_eq!(written + lines.len() as u64, summary.records + summary.bad_games);
    }
    if format == "epd" {
        let again = convert(&output, &options.input("epd".parse().ok()));
        assert_eq!(String::from_utf8_lossy(&again.output), String::from_utf8_lossy(&output));
        assert!(!again.problems.iter().any(Problem::is_error), "{:?}", again.problems);
    }
});

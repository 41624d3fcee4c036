//! Checking EPD files does not depend on threads and block boundaries, every line is written or
//! rejected, and repairing a repaired file changes nothing.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::epd::{
    CheckCounts, CheckOptions, Checker, Dialect, LineDiagnostic, OnOff, RejectedLine,
};
use pgn2epd::options::Keyword;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    dialect: u8,
    moves: bool,
    fix: bool,
    /// Distance of the lines from the end of a block.
    cut: Option<u16>,
    lines: &'a [u8],
}

/// The block size.
const BLOCK: usize = 512 << 10;

fn one_of<T: Copy>(choice: u8, of: &[T]) -> T {
    of[usize::from(choice) % of.len()]
}

impl Input<'_> {
    fn options(&self, jobs: usize) -> CheckOptions {
        let mut dialects: Vec<_> = Dialect::ALL.iter().copied().map(Some).collect();
        dialects.insert(0, None);
        CheckOptions::default()
            .dialect(one_of(self.dialect, &dialects))
            .moves(if self.moves { OnOff::On } else { OnOff::Off })
            .fix(self.fix)
            .jobs(NonZeroUsize::new(jobs))
    }
}

/// The result of a check.
#[derive(Debug)]
struct Checked {
    output: Vec<u8>,
    faults: Vec<LineDiagnostic>,
    /// The lines that are not written, with their numbers.
    rejected: Vec<(u64, Vec<u8>)>,
    counts: CheckCounts,
}

fn check(text: &[u8], options: CheckOptions) -> Option<Checked> {
    let mut checker = Checker::new(options);
    let (mut output, mut faults, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
    let mut reject = |line: &RejectedLine<'_>| {
        rejected.push((line.line, line.bytes.to_vec()));
        Ok(())
    };
    let mut tell = |fault: &LineDiagnostic| faults.push(fault.clone());
    checker.check(text, &mut output, &mut tell, &mut reject).ok()?;
    let counts = checker.counts();
    assert_eq!(counts.rejected, rejected.len() as u64);
    Some(Checked { output, faults, rejected, counts })
}

fuzz_target!(|input: Input<'_>| {
    let Some(checked) = check(input.lines, input.options(1)) else { return };
    let Checked { output, faults, rejected, counts } = checked;
    if input.fix {
        // Comments and empty lines are not written.
        let written = output.iter().filter(|byte| **byte == b'\n').count() as u64;
        let lines = counts.records + counts.bad_lines;
        assert_eq!(written + counts.rejected, lines);
    }
    if let Some(cut) = input.cut {
        // Other encodings and compressed texts do not begin with a comment.
        let start = &input.lines[..input.lines.len().min(3)];
        if input.lines.contains(&0) || !start.is_ascii() {
            return;
        }
        let mut text = vec![b'#'; BLOCK - usize::from(cut) % 4096];
        text.push(b'\n');
        text.extend_from_slice(input.lines);
        let mut later = check(&text, input.options(2)).expect("it is in memory");
        later.faults.iter_mut().for_each(|fault| fault.line -= 1);
        later.rejected.iter_mut().for_each(|(line, _)| *line -= 1);
        let CheckCounts { errors, warnings, .. } = later.counts;
        assert_eq!(
            later.counts,
            CheckCounts { comments: counts.comments + 1, errors, warnings, ..counts }
        );
        assert_eq!(later.faults, faults);
        assert_eq!(later.rejected, rejected);
        assert!(later.output == output);
    }
    if input.fix {
        let options = CheckOptions { dialect: Some(Dialect::Standard), ..input.options(1) };
        let again = check(&output, options).expect("it is in memory");
        assert_eq!(String::from_utf8_lossy(&again.output), String::from_utf8_lossy(&output));
        let written = counts.records + counts.bad_lines - counts.rejected;
        assert_eq!(again.counts.records, written);
        assert_eq!((again.counts.bad_lines, again.counts.rejected), (0, 0));
    }
});

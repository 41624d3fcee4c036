//! Checking EPD files does not depend on threads and block boundaries, and repairing a repaired file changes nothing.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::epd::{
    CheckCounts, CheckOptions, Checker, Consumer, Dialect, Form, LineFault, Rewrite,
};
use pgn2epd::{CastlingStyle, EnPassantPolicy, FieldStyle};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    dialect: u8,
    form: u8,
    castling: u8,
    en_passant: u8,
    consumer: u8,
    unique: bool,
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
        use EnPassantPolicy::{Always, Legal, Pseudo};
        let style = FieldStyle {
            castling: one_of(
                self.castling,
                &[CastlingStyle::XFen, CastlingStyle::Shredder, CastlingStyle::Standard],
            ),
            en_passant: one_of(self.en_passant, &[Always, Pseudo, Legal]),
        };
        let form = one_of(self.form, &[Form::Epd, Form::Fen, Form::Crafty, Form::Perl]);
        let mut consumers: Vec<_> = Consumer::ALL.into_iter().map(Some).collect();
        consumers.push(None);
        let mut dialects: Vec<_> = Dialect::ALL.into_iter().map(Some).collect();
        dialects.insert(0, None);
        CheckOptions {
            dialect: one_of(self.dialect, &dialects),
            moves: self.moves,
            consumers: one_of(self.consumer, &consumers).into_iter().collect(),
            rewrite: Some(if self.fix {
                Rewrite::Normal(form, style)
            } else {
                Rewrite::AsTheyStand
            }),
            unique: self.unique,
            jobs: NonZeroUsize::new(jobs),
            ..CheckOptions::default()
        }
    }
}

type Checked = (Vec<u8>, Vec<LineFault>, CheckCounts);

fn check(text: &[u8], options: CheckOptions) -> Option<Checked> {
    let mut checker = Checker::new(options);
    let (mut output, mut faults) = (Vec::new(), Vec::new());
    checker.check(text, &mut output, &mut |fault| faults.push(fault.clone())).ok()?;
    Some((output, faults, checker.counts()))
}

fuzz_target!(|input: Input<'_>| {
    let Some((output, faults, counts)) = check(input.lines, input.options(1)) else { return };
    if let Some(cut) = input.cut {
        // Other encodings and compressed texts do not begin with a comment.
        if input.lines.contains(&0) || input.lines.get(..3).is_some_and(|start| !start.is_ascii()) {
            return;
        }
        let mut text = vec![b'#'; BLOCK - usize::from(cut) % 4096];
        text.push(b'\n');
        let comment = if input.fix { 0 } else { text.len() };
        text.extend_from_slice(input.lines);
        let (later, mut later_faults, later_counts) =
            check(&text, input.options(2)).expect("it is in memory");
        // Some programs misread a comment.
        later_faults.retain(|fault| fault.line > 1);
        later_faults.iter_mut().for_each(|fault| fault.line -= 1);
        let (errors, warnings) = (later_counts.errors, later_counts.warnings);
        assert_eq!(
            later_counts,
            CheckCounts { comments: counts.comments + 1, errors, warnings, ..counts }
        );
        assert_eq!(later_faults, faults);
        assert!(later[comment..] == output);
    }
    let options = input.options(1);
    // The Crafty format with Shredder castling rights is not recognised when it is read.
    let is_lossy = matches!(options.rewrite, Some(Rewrite::Normal(Form::Crafty, style)) if style.castling != CastlingStyle::Standard);
    if input.fix && !is_lossy {
        // Standard records have no escapes; in other dialects a backslash may be read as the beginning of one.
        let is_standard = matches!(options.rewrite, Some(Rewrite::Normal(Form::Epd, _)));
        if !is_standard && output.contains(&b'\\') {
            return;
        }
        let dialect = is_standard.then_some(Dialect::Standard);
        let options = CheckOptions { dialect, ..input.options(1) };
        let (again, _, again_counts) = check(&output, options).expect("it is in memory");
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&output));
        assert_eq!(again_counts.records, counts.records - counts.duplicates);
        assert_eq!(again_counts.bad_lines, 0);
    }
});

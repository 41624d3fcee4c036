//! For any input and options, records are lines of UTF-8, their number is the reported one, and the
//! output does not depend on threads.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::options::{
    CastlingStyle, Conflicts, EnPassantPolicy, EvaluationRange, Format, LabelForm, Language,
    Omission, OnError, Plies, RegisterStyle,
};
use pgn2epd::{Options, Summary, convert};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    format: u8,
    en_passant: u8,
    castling: u8,
    registers: u8,
    on_error: u8,
    language: u8,
    variations: bool,
    null_moves: bool,
    notes: bool,
    strict: bool,
    only_final: bool,
    blank_line: bool,
    first_ply: u8,
    last_ply: u8,
    conflicts: u8,
    omitted: [u8; 2],
    eval: Option<(i16, i16, bool)>,
    first_move: u8,
    chunk_bytes: u8,
    bytes: &'a [u8],
}

/// The formats with one line per record.
const FORMATS: &[Format] = &[
    Format::Epd,
    Format::Fen,
    Format::Perl,
    Format::Label(LabelForm::C9),
    Format::Label(LabelForm::Bracket),
    Format::Label(LabelForm::Bullet),
    Format::Label(LabelForm::CChessCli),
];

fn one_of<T: Copy>(choice: u8, of: &[T]) -> T {
    of[usize::from(choice) % of.len()]
}

impl Input<'_> {
    fn options(&self) -> Options {
        let languages: Vec<Option<Language>> =
            Language::all().map(Some).chain(std::iter::once(None)).collect();
        Options::default()
            .format(one_of(self.format, FORMATS))
            .conflicts(one_of(self.conflicts, &[Conflicts::Keep, Conflicts::Drop, Conflicts::Mean]))
            .omit(self.omitted.iter().map(|one| one_of(*one, Omission::LISTED)).collect())
            .eval(self.eval.map(|(a, b, is_white)| EvaluationRange {
                least: a.min(b).into(),
                most: a.max(b).into(),
                is_white,
            }))
            .moves(Plies { first: u32::from(self.first_move % 4), ..Plies::ALL })
            .en_passant(one_of(
                self.en_passant,
                &[EnPassantPolicy::Always, EnPassantPolicy::Pseudo, EnPassantPolicy::Legal],
            ))
            .castling(one_of(
                self.castling,
                &[CastlingStyle::XFen, CastlingStyle::Shredder, CastlingStyle::Standard],
            ))
            .registers(one_of(
                self.registers,
                &[
                    None,
                    Some(RegisterStyle::Delta),
                    Some(RegisterStyle::Full),
                    Some(RegisterStyle::Off),
                ],
            ))
            .on_error(one_of(self.on_error, &[OnError::Keep, OnError::Skip, OnError::Stop]))
            .language(one_of(self.language, &languages))
            .variations(self.variations)
            .null_moves(self.null_moves)
            .notes(self.notes)
            .strict(self.strict)
            .only_final(self.only_final)
            .blank_line(self.blank_line)
            .plies(Plies { first: u32::from(self.first_ply % 8), last: u32::from(self.last_ply) })
            .max_game_bytes(1 << 16)
    }
}

fn run(input: &Input<'_>, jobs: usize, chunk_bytes: usize) -> (Vec<u8>, Option<Summary>) {
    let options = input.options().jobs(NonZeroUsize::new(jobs)).chunk_bytes(chunk_bytes);
    let mut output = Vec::new();
    let summary = convert(input.bytes, &mut output, &options).ok();
    (output, summary)
}

fuzz_target!(|input: Input<'_>| {
    let (output, summary) = run(&input, 1, 4 << 20);
    let text = std::str::from_utf8(&output).expect("records are UTF-8");
    assert!(text.is_empty() || text.ends_with('\n'));
    if let Some(summary) = summary {
        let records = text.lines().filter(|line| !line.is_empty()).count();
        assert_eq!(records as u64, summary.positions);
    }
    assert_eq!(run(&input, 3, 64 + usize::from(input.chunk_bytes)), (output, summary));
});

//! Partial results that were damaged, joined or written by another program are rejected, or yield
//! the same book.

use std::path::{Path, PathBuf};

use book::{
    Aggregate, BookError, Counts, EpdOps, Form, GameFacts, Header, Part, PartialForm, Selection,
    Source, Style, write_book, write_partial,
};
use pgn::Outcome;
use san::{MoveCode, Position, PositionKey};
use stream::ordered::Threads;
use table::TableFormat;
use testkit::shared::is_full;

const FORMS: [PartialForm; 3] = [PartialForm::Own, PartialForm::Arrow, PartialForm::Parquet];

/// Formats that this build supports.
fn forms() -> impl Iterator<Item = PartialForm> {
    FORMS.into_iter().filter(|form| form.is_built())
}

/// Returns the counts of a game of two moves from the starting position, with this result.
fn counts(outcome: Outcome) -> Counts {
    let mut position = Position::default();
    let mut positions = Vec::new();
    for word in ["e4", "e5"] {
        let next = san::resolve(&position, word.as_bytes()).unwrap();
        positions.push((PositionKey::of(&position), next.code()));
        position.play_unchecked(next);
    }
    positions.push((PositionKey::of(&position), MoveCode::NONE));
    let mut counts = Counts::default();
    counts.game(GameFacts { elo_sum: 5001, year: 1999, outcome }, &positions);
    counts
}

fn header() -> Header {
    Header { files: vec!["a.pgn".into()], counted: "plies 0..".into(), moves: false }
}

/// Returns a partial result of a game with this result.
fn part(outcome: Outcome, form: PartialForm) -> Vec<u8> {
    let aggregate = Aggregate::new(1 << 20, &std::env::temp_dir());
    aggregate.add(&mut counts(outcome), 0, 0).unwrap();
    let mut part = Vec::new();
    write_partial(aggregate, &header(), form, &mut part).unwrap();
    part
}

/// Returns the book of a file, as JSON lines.
fn book(path: &Path) -> Result<String, BookError> {
    let style = Style { form: Form::Table(TableFormat::JsonLines), ops: EpdOps::None, names: None };
    let (selection, folder) = (Selection::default(), std::env::temp_dir());
    let mut table = Vec::new();
    let source = Source::Parts(vec![Part::open(path)?], Threads::new(2));
    write_book(source, &selection, &style, 1 << 20, &folder, None, &mut table)?;
    Ok(String::from_utf8(table).unwrap())
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join("x.part");
        std::fs::write(&path, bytes).unwrap();
        path
    }

    #[track_caller]
    fn book(&self, bytes: &[u8]) -> String {
        book(&self.file(bytes)).unwrap()
    }

    #[track_caller]
    fn refusal(&self, bytes: &[u8]) -> String {
        book(&self.file(bytes)).unwrap_err().to_string()
    }
}

/// Flips bits of a partial result, one at a time, `step` apart: the result is rejected, or yields
/// the same book. Returns the numbers of rejected ones and of all.
#[track_caller]
fn change_bits(form: PartialForm, step: usize) -> (usize, usize) {
    let folder = Folder::new();
    let mut part = part(Outcome::WhiteWins, form);
    let expected = folder.book(&part);
    let bits = 8 * part.len();
    let mut refused = 0;
    for bit in (0..bits).step_by(step) {
        part[bit / 8] ^= 1 << (bit % 8);
        match book(&folder.file(&part)) {
            Ok(book) => assert_eq!(book, expected, "{form:?}: bit {bit} of {bits}"),
            Err(_) => refused += 1,
        }
        part[bit / 8] ^= 1 << (bit % 8);
    }
    (refused, bits.div_ceil(step))
}

#[test]
fn a_part_in_our_own_format_is_rejected_if_any_bit_is_changed() {
    let (refused, bits) = change_bits(PartialForm::Own, 1);
    assert_eq!(refused, bits);
}

/// Every eighth byte has a changed bit, with `CI_FULL=1` every second, and each bit of a byte is
/// changed in some; all of them would take minutes.
#[cfg(feature = "arrow")]
fn step() -> usize {
    if is_full() { 19 } else { 67 }
}

#[cfg(feature = "arrow")]
#[test]
fn an_arrow_stream_with_a_changed_bit_is_rejected_or_yields_the_same_book() {
    let (refused, bits) = change_bits(PartialForm::Arrow, step());
    assert!(refused > bits / 2, "{refused} of {bits}");
}

#[cfg(feature = "arrow")]
#[test]
fn a_parquet_file_with_a_changed_bit_is_rejected_or_yields_the_same_book() {
    let (refused, bits) = change_bits(PartialForm::Parquet, step());
    assert!(refused > bits / 4, "{refused} of {bits}");
}

#[test]
fn a_truncated_partial_result_is_rejected() {
    for form in forms() {
        let (folder, part) = (Folder::new(), part(Outcome::WhiteWins, form));
        let expected = folder.book(&part);
        for len in (0..part.len()).step_by(if is_full() { 1 } else { 3 }) {
            // An Arrow stream may end before its checksum, since other programs do not write one.
            if let Ok(book) = book(&folder.file(&part[..len])) {
                assert!(form == PartialForm::Arrow && book == expected, "{form:?} {len}");
            }
        }
    }
}

/// Other programs may write a part, with valid checksums.
#[test]
fn a_part_with_an_impossible_move_is_rejected() {
    let folder = Folder::new();
    let part = |next: u16, form| {
        let position = Position::default();
        let positions = [(PositionKey::of(&position), MoveCode(next))];
        let mut counts = Counts::default();
        let facts = GameFacts { elo_sum: 5001, year: 1999, outcome: Outcome::Draw };
        counts.game(facts, &positions);
        let aggregate = Aggregate::new(1 << 20, &std::env::temp_dir());
        aggregate.add(&mut counts, 0, 0).unwrap();
        let mut part = Vec::new();
        write_partial(aggregate, &header(), form, &mut part).unwrap();
        part
    };
    for form in forms() {
        // e2-e4, and no move.
        for possible in [12 | 28 << 6, 0] {
            folder.book(&part(possible, form));
        }
        // e2-e5, e7-e5, h8-h8, e2-e4 with a promotion.
        for impossible in [12 | 36 << 6, 52 | 36 << 6, 63 | 63 << 6, 12 | 28 << 6 | 5 << 12] {
            let refusal = folder.refusal(&part(impossible, form));
            let reason = format!("the move {impossible} is not legal in its position");
            assert!(refusal.contains(&reason), "{form:?}: {refusal}");
        }
    }
}

#[test]
fn concatenated_partial_results_are_read_or_rejected() {
    let folder = Folder::new();
    for form in forms() {
        let (a, b) = (part(Outcome::WhiteWins, form), part(Outcome::Draw, form));
        let joined = [a.clone(), b.clone(), a.clone()].concat();
        if form == PartialForm::Arrow {
            let text = folder.book(&joined);
            assert_eq!(text.matches(r#""games":3,"white":2,"draws":1,"#).count(), 6, "{text}");
        } else {
            folder.refusal(&joined);
        }
        // Parts in another format are rejected, like any other bytes.
        for rest in [&b"x\n"[..], b"\0", &[0xff; 3], b"PAR1", &a[..a.len() - 1]] {
            folder.refusal(&[&a[..], rest].concat());
        }
    }
    let own = part(Outcome::WhiteWins, PartialForm::Own);
    let refusal = folder.refusal(&[&own[..], b"x\n"].concat());
    assert!(refusal.contains("other bytes follow its end"), "{refusal}");
}

#[test]
fn an_unsupported_version_of_a_partial_result_is_reported() {
    let folder = Folder::new();
    let own = part(Outcome::WhiteWins, PartialForm::Own);
    let mark = b"pgn2epd book, partial result 3\n".len();
    for (version, message) in
        [("4", "by an older version"), ("6", "by a newer version"), ("10", "newer")]
    {
        let begin = format!("pgn2epd book, partial result {version}\n");
        let refusal = folder.refusal(&[begin.as_bytes(), &own[mark..]].concat());
        assert!(refusal.contains(message), "{refusal}");
    }
    let refusal = folder.refusal(b"hello");
    assert!(refusal.contains("it was not written by"), "{refusal}");
}

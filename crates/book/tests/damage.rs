//! Partial results that were damaged, joined or written by another program are rejected.

use std::path::{Path, PathBuf};

use book::{
    Aggregate, BookError, Counts, EpdOps, Form, Game, Header, Part, Selection, Source, Style,
    write_book, write_partial,
};
use pgn::Outcome;
use san::{MoveCode, Position, PositionKey};
use stream::ordered::Threads;
use table::TableFormat;

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
    counts.game(Game { elo_sum: 5001, year: 1999, outcome, ..Game::default() }, &positions);
    counts
}

fn header() -> Header {
    Header { files: vec!["a.pgn".into()], counted: "plies 0..".into(), ..Header::default() }
}

/// Returns a partial result of a game with this result.
fn part(outcome: Outcome) -> Vec<u8> {
    part_of(&mut counts(outcome))
}

fn part_of(counts: &mut Counts) -> Vec<u8> {
    let folder = std::env::temp_dir();
    let aggregate = Aggregate::new(1 << 20, &folder);
    aggregate.add(counts, 0, 0).unwrap();
    let mut part = Vec::new();
    let source = Source::Counted(Box::new(aggregate), header());
    write_partial(source, 1 << 20, &folder, &mut part).unwrap();
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

#[test]
fn a_part_is_rejected_if_any_bit_is_changed_and_if_it_is_cut() {
    let folder = Folder::new();
    let mut part = part(Outcome::WhiteWins);
    folder.book(&part);
    for bit in 0..8 * part.len() {
        part[bit / 8] ^= 1 << (bit % 8);
        folder.refusal(&part);
        part[bit / 8] ^= 1 << (bit % 8);
    }
    for len in 0..part.len() {
        folder.refusal(&part[..len]);
    }
}

/// Other programs may write a part, with valid checksums.
#[test]
fn a_part_with_an_impossible_move_is_rejected() {
    let folder = Folder::new();
    let part = |next: u16| {
        let position = Position::default();
        let positions = [(PositionKey::of(&position), MoveCode(next))];
        let mut counts = Counts::default();
        let outcome = Outcome::Draw;
        let facts = Game { elo_sum: 5001, year: 1999, outcome, ..Game::default() };
        counts.game(facts, &positions);
        part_of(&mut counts)
    };
    // e2-e4, and no move.
    for possible in [12 | 28 << 6, 0] {
        folder.book(&part(possible));
    }
    // e2-e5, e7-e5, h8-h8, e2-e4 with a promotion.
    for impossible in [12 | 36 << 6, 52 | 36 << 6, 63 | 63 << 6, 12 | 28 << 6 | 5 << 12] {
        let refusal = folder.refusal(&part(impossible));
        let reason = format!("the move {impossible} is not legal in its position");
        assert!(refusal.contains(&reason), "{refusal}");
    }
}

#[test]
fn what_follows_the_end_of_a_partial_result_is_rejected() {
    let folder = Folder::new();
    let part = part(Outcome::WhiteWins);
    for rest in [&b"x\n"[..], b"\0", &[0xff; 3], b"PAR1", &part, &part[..part.len() - 1]] {
        let refusal = folder.refusal(&[&part[..], rest].concat());
        let is_joined = rest == part;
        let reason = if is_joined { "other bytes follow" } else { "it ends early" };
        assert!(refusal.contains(reason), "{refusal}");
    }
}

#[test]
fn an_unsupported_version_of_a_partial_result_is_reported() {
    let folder = Folder::new();
    let mut part = part(Outcome::WhiteWins);
    part[16] = 9;
    let refusal = folder.refusal(&part);
    assert!(refusal.contains("it has version 9 of the format"), "{refusal}");
    let refusal = folder.refusal(b"hello");
    assert!(refusal.contains("nor a partial result of `pgn2epd book`"), "{refusal}");
}

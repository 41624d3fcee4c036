//! Encoding and decoding of rows.

use stream::spill::write_number;

use super::*;
use crate::games::Games;
use crate::tally::{GameFacts, GameInfo};

fn occurrence(game: u64) -> SourceLocation {
    let evaluation = Evaluation::new(-119);
    SourceLocation { file: 7, game, ply: 1 << 20, halfmoves: 3, fullmoves: 513, evaluation }
}

fn one() -> Tally {
    Tally {
        games: 1,
        white: 1,
        rated: 1,
        rating_sum: 5001,
        first_year: 2024,
        last_year: 2024,
        first: occurrence(1 << 40),
        strongest: NotableGame {
            elo_sum: 5001,
            at: occurrence(1 << 40),
            outcome: Outcome::WhiteWins,
            year: 2024,
            info: GameInfo {
                white: "Weiß".into(),
                black: "b".into(),
                start: "".into(),
                moves: [1, 700].into(),
            },
        },
        ..Tally::default()
    }
}

/// Several games, of which the last one is not the strongest.
fn with_latest() -> Tally {
    let latest = NotableGame {
        elo_sum: 4001,
        at: occurrence(1 << 41),
        outcome: Outcome::Draw,
        year: 2025,
        info: GameInfo { white: "Schwarz".into(), moves: [7].into(), ..GameInfo::default() },
    };
    Tally { games: 2, draws: 1, last_year: 2025, latest: Some(latest), ..one() }
}

fn bytes_of(tally: &Tally) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_row(PositionKey([1, 2, 3, u64::MAX]), MoveCode(0x1234), "", tally, &mut bytes);
    bytes
}

fn tally_of(row: &Row<'_>) -> Option<Tally> {
    Some(row.counted()?.tally)
}

#[test]
fn a_row_survives_a_round_trip() {
    let mut many = one();
    many.games = u64::MAX;
    many.draws = 1 << 33;
    for (tally, number, head) in [
        (one(), 1, HEAD),
        (many, u64::MAX, HEAD + NUMBERS),
        (Tally::default(), 0, HEAD + NUMBERS),
        (with_latest(), 2, HEAD + NUMBERS),
    ] {
        let mut bytes = bytes_of(&tally);
        assert_eq!(len(&bytes), bytes.len());
        bytes.extend_from_slice(b"what follows");
        let row = Row::read(&bytes).unwrap();
        assert_eq!((row.key, row.next), (PositionKey([1, 2, 3, u64::MAX]), MoveCode(0x1234)));
        assert_eq!((key_of(&bytes), next_of(&bytes)), (row.key, row.next));
        assert_eq!((games_of(&bytes), head_len(&bytes)), (number, head));
        assert_eq!(tally_of(&row), Some(tally));
        assert_eq!((row.class, class_of(&bytes)), ("", &b""[..]));
    }
}

#[test]
fn a_row_has_its_class() {
    let mut many = one();
    many.games = 9;
    for tally in [one(), many, Tally::default(), with_latest()] {
        let (key, next) = (PositionKey([1, 2, 3, 4]), MoveCode(5));
        for class in ["x".to_owned(), r#"{"speed":"blitz"}"#.to_owned(), "é".repeat(30_000)] {
            let mut bytes = Vec::new();
            write_row(key, next, &class, &tally, &mut bytes);
            assert_eq!(len(&bytes), bytes.len());
            bytes.extend_from_slice(b"what follows");
            assert_eq!((class_of(&bytes), next_of(&bytes)), (class.as_bytes(), next));
            let counted = Row::read(&bytes).unwrap().counted().unwrap();
            assert_eq!((counted.class.to_string(), counted.tally), (class, tally.clone()));
        }
    }
}

#[test]
fn a_single_game_with_additional_recorded_counts_is_written_in_full() {
    let mut recorded = one();
    recorded.strongest.outcome = Outcome::Unknown;
    assert_eq!(bytes_of(&recorded).len(), bytes_of(&one()).len() + NUMBERS);
    assert_eq!(tally_of(&Row::read(&bytes_of(&recorded)).unwrap()), Some(recorded));
}

#[test]
fn merging_rows_equals_merging_tallies() {
    let first = one();
    let mut weaker = one();
    (weaker.strongest.elo_sum, weaker.strongest.at) = (4000, occurrence(3));
    (weaker.first, weaker.first_year, weaker.last_year) = (occurrence(3), 1990, 2025);
    let mut namesake = one();
    namesake.strongest.info.white = "A".into();
    for other in [&first, &weaker, &namesake, &with_latest()] {
        for (a, b) in [(&first, other), (other, &first)] {
            let (a_bytes, b_bytes) = (bytes_of(a), bytes_of(b));
            let mut row = Row::read(&a_bytes).unwrap();
            row.merge(&Row::read(&b_bytes).unwrap());
            let mut sum = a.clone();
            sum += b.clone();
            assert_eq!(tally_of(&row), Some(sum));
        }
    }
}

#[test]
fn truncated_bytes_are_not_a_row() {
    for bytes in [bytes_of(&one()), bytes_of(&with_latest())] {
        for end in 0..bytes.len() {
            let cut = &bytes[..end];
            let row = (end >= HEAD).then(|| Row::read(cut)).flatten();
            assert_eq!(row, None, "{end}");
        }
    }
}

#[test]
fn rows_that_refer_to_games_are_written_with_their_information() {
    let facts = GameFacts { elo_sum: 5001, year: 2024, outcome: Outcome::WhiteWins };
    let mut games = Games::default();
    games.begin(GameFacts::default(), 1, 1, "", [b"x", b"y", b"z"], &[1]);
    games.begin(facts, 7, 1 << 40, "", ["Weiß".as_bytes(), b"b", b""], &[1, 700, 5]);
    let at = SourceLocation { ply: 2, ..occurrence(1 << 40) };
    let mut tally = one();
    (tally.first, tally.strongest.at) = (at, at);
    let mut many = tally.clone();
    (many.games, many.draws, many.first, many.last_year) = (9, 8, occurrence(3), 2025);
    for tally in [tally, many] {
        let info = GameInfoRef::of_game(&games, Some(1), 2);
        let (key, next) = (PositionKey([1, 2, 3, u64::MAX]), MoveCode(0x1234));
        let row = Row { key, next, class: "", tally: tally.map_info(|_| info) };
        assert_eq!(tally_of(&row), Some(tally.clone()));
        let mut bytes = Vec::new();
        row.write(&mut bytes);
        assert_eq!(bytes, bytes_of(&tally));
    }
}

#[test]
fn the_length_of_a_number_equals_its_encoded_length() {
    for shift in 0..64 {
        for number in [(1 << shift) - 1, 1 << shift, u64::MAX >> shift] {
            let mut bytes = Vec::new();
            write_number(number, &mut bytes);
            assert_eq!(number_len(number), bytes.len(), "{number}");
        }
    }
}

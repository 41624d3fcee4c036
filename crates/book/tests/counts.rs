//! Books against counts made while the games were made, with the moves of shakmaty.

use std::collections::{BTreeMap, BTreeSet};

use book::{
    Aggregate, Counts, Details, EpdOps, Form, Part, PositionFilter, Selection, Source, Style,
    UnknownResult, write_book,
};
use emit::{Plan, Replay, Sink};
use pgn::Chunk;
use serde_json::Value;
use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use stream::ordered::Threads;
use testkit::rng::Rng;

#[cfg(feature = "zstd")]
use book::{BookError, Order, count_file::CountFile, four_fields, write_partial};

use crate::algebra::{FILTER, counted as of_counts, part, table};

/// How many games reached a position, and played each of its moves.
#[derive(Debug, Default, PartialEq, Eq)]
struct Reached {
    games: u64,
    moves: BTreeMap<String, u64>,
}

/// Games of random plies, and their counts: each position once per game, with the move of its first
/// visit.
fn games(count: usize, plies: usize) -> (String, BTreeMap<String, Reached>) {
    let (mut rng, mut pgn) = (Rng::new(23), String::new());
    let mut counts: BTreeMap<String, Reached> = BTreeMap::new();
    for _ in 0..count {
        let (mut position, mut seen) = (Chess::default(), BTreeSet::new());
        for ply in 0..=plies {
            let epd = Epd::from_position(&position, EnPassantMode::Legal).to_string();
            let reached = counts.entry(epd.clone()).or_default();
            let is_first = seen.insert(epd);
            reached.games += u64::from(is_first);
            let moves = position.legal_moves();
            if ply == plies || moves.is_empty() {
                break;
            }
            let mv = rng.pick(&moves);
            if is_first {
                let uci = mv.to_uci(CastlingMode::Standard).to_string();
                *reached.moves.entry(uci).or_default() += 1;
            }
            pgn += &SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string();
            pgn.push(' ');
        }
        pgn += "*\n\n";
    }
    (pgn, counts)
}

fn aggregate(pgn: &str, memory: usize, folder: &std::path::Path) -> Aggregate {
    counted(pgn, &FILTER, 1, memory, folder)
}

fn counted(
    pgn: &str,
    filter: &PositionFilter,
    threads: usize,
    memory: usize,
    folder: &std::path::Path,
) -> Aggregate {
    let (plan, mut counts) = (Plan::default(), Counts::default());
    Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut counts.sink(filter));
    assert_eq!(counts.problems, []);
    let aggregate = Aggregate::of_details(filter.details, Threads::new(threads), memory, folder);
    aggregate.add(&mut counts, 0, 0).unwrap();
    aggregate
}

/// Returns the counts in a book as lines of JSON.
fn reached(lines: &str) -> BTreeMap<String, Reached> {
    let mut found = BTreeMap::new();
    for line in lines.lines() {
        let position: Value = serde_json::from_str(line).unwrap();
        let games = |value: &Value| value["games"].as_u64().unwrap();
        let moves = position["moves"].as_array().unwrap().iter();
        let moves = moves.filter_map(|mv| Some((mv["uci"].as_str()?.to_owned(), games(mv))));
        let reached = Reached { games: games(&position), moves: moves.collect() };
        let epd = position["epd"].as_str().unwrap().to_owned();
        assert!(found.insert(epd, reached).is_none(), "a position stands twice: {line}");
    }
    found
}

#[track_caller]
fn assert_counts(lines: &str, expected: &BTreeMap<String, Reached>) {
    let found = reached(lines);
    for (epd, counts) in expected {
        assert_eq!(found.get(epd), Some(counts), "{epd}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn positions_and_moves_are_counted_in_any_memory_and_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    // Four plies of many games: most positions have several moves.
    let (pgn, expected) = games(4000, 4);
    for memory in [1, 100_000, 1 << 30] {
        let source = || of_counts(aggregate(&pgn, memory, folder.path()), 1);
        assert_counts(&table(source(), &Selection::default(), memory, folder.path()), &expected);
    }
    let path = folder.path().join("a.part");
    part(of_counts(aggregate(&pgn, 1 << 20, folder.path()), 1), 1 << 20, &path);
    for threads in [1, 2] {
        let source = Source::Parts(vec![Part::open(&path).unwrap()], Threads::new(threads));
        assert_counts(&table(source, &Selection::default(), 1 << 20, folder.path()), &expected);
    }
}

#[test]
fn shares_of_points_and_draws_are_those_of_the_games_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = "1. e4 1-0\n\n1. e4 1-0\n\n1. e4 1/2-1/2\n\n1. e4 *\n\n";
    // In millionths: two and a half points in three games, one drawn; three in four, two drawn.
    for (unknown_result, score, draws) in
        [(UnknownResult::Skip, 833_333, 333_333), (UnknownResult::Draw, 750_000, 500_000)]
    {
        let all = Selection { unknown_result, ..Selection::default() };
        for (selection, positions) in [
            (Selection { min_score: Some(score), ..all }, 2),
            (Selection { min_score: Some(score + 1), ..all }, 0),
            (Selection { max_score: Some(score), ..all }, 2),
            (Selection { max_score: Some(score - 1), ..all }, 0),
            (Selection { max_draws: Some(draws), ..all }, 2),
            (Selection { max_draws: Some(draws - 1), ..all }, 0),
        ] {
            let source = of_counts(aggregate(pgn, 1 << 20, folder.path()), 1);
            let lines = table(source, &selection, 1 << 20, folder.path());
            assert_eq!(lines.lines().count(), positions, "{selection:?}");
        }
    }
}

#[test]
fn an_empty_book_says_which_step_left_no_position() {
    let folder = tempfile::tempdir().unwrap();
    // The first position of a game alone, so that White is to move in all.
    let filter = PositionFilter { once_per_game: true, ..FILTER };
    let all = Selection::default();
    for (pgn, selection, expected) in [
        ("1. e4 0-1\n\n", all, "no move has a point"),
        ("[Event \"x\"]\n\n0-1\n\n", all, "no position has a move"),
        ("1. e4 1-0\n\n", Selection { equal_turns: true, ..all }, "the only position has White"),
        ("1. e4 1-0\n\n", Selection { sample: Some(0), ..all }, "--sample 0 leaves no position"),
        ("1. e4 1-0\n\n", Selection { min_games: 2, ..all }, "no position was reached by 2 games"),
    ] {
        let source = of_counts(counted(pgn, &filter, 1, 1 << 20, folder.path()), 1);
        let style = Style { form: Form::Polyglot, ops: EpdOps::None, names: None };
        let mut book = Vec::new();
        let figures =
            write_book(source, &selection, &style, 1 << 20, folder.path(), None, &mut book);
        let reason = figures.unwrap().empty.unwrap();
        assert!(book.is_empty() && reason.starts_with(expected), "{pgn}: {reason}");
    }
}

#[test]
fn many_parts_are_merged_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, expected) = games(400, 4);
    let games: Vec<&str> = pgn.split_inclusive("\n\n").collect();
    let parts = games.chunks(10).enumerate().map(|(number, games)| {
        let counts = aggregate(&games.concat(), 1 << 20, folder.path());
        part(of_counts(counts, 1), 1 << 20, &folder.path().join(format!("{number}.part")))
    });
    let source = Source::Parts(parts.collect(), Threads::new(2));
    assert_counts(&table(source, &Selection::default(), 1, folder.path()), &expected);
}

#[test]
fn a_book_of_fields_needs_neither_moves_nor_players() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, expected) = games(2000, 4);
    let style = Style { form: Form::Epd, ops: EpdOps::None, names: None };
    for (memory, threads) in [(1, 1), (100_000, 2), (1 << 30, 1), (1 << 30, 3)] {
        for min_games in [1, 2, 5] {
            let selection = Selection { min_games, ..Selection::default() };
            let details = style.details(&selection);
            assert_eq!(details, Details::NONE);
            let filter = PositionFilter { details, ..FILTER };
            let counts = counted(&pgn, &filter, threads, memory, folder.path());
            let source = of_counts(counts, 1);
            let mut book = Vec::new();
            write_book(source, &selection, &style, memory, folder.path(), None, &mut book).unwrap();
            let book = String::from_utf8(book).unwrap();
            let mut found: Vec<&str> = book.lines().collect();
            found.sort_unstable();
            let has_games =
                |(epd, reached): (_, &Reached)| (reached.games >= min_games).then_some(epd);
            assert!(found.into_iter().eq(expected.iter().filter_map(has_games)), "{memory}");
        }
    }
}

#[test]
fn a_sample_has_as_many_positions_as_it_should_of_each_side_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, all) = games(12, 30);
    let white = all.keys().filter(|epd| epd.contains(" w ")).count();
    let black = all.len() - white;
    assert!(white != black && white.min(black) > 100, "{white}, {black}");
    for sample in [2, 3, 7, 100, 2 * white.min(black) - 1, all.len(), all.len() + 9] {
        let sampled = |equal_turns| {
            let selection =
                Selection { sample: Some(sample as u64), equal_turns, ..Selection::default() };
            let counts = aggregate(&pgn, 1 << 20, folder.path());
            let source = of_counts(counts, 1);
            let found = reached(&table(source, &selection, 1 << 20, folder.path()));
            assert!(found.keys().all(|epd| all.contains_key(epd)), "{sample}");
            let white = found.keys().filter(|epd| epd.contains(" w ")).count();
            (white, found.len() - white)
        };
        let (of_white, of_black) = sampled(false);
        assert_eq!(of_white + of_black, sample.min(all.len()), "{sample}");
        let side = (sample / 2).min(white).min(black);
        assert_eq!(sampled(true), (side, side), "{sample}");
    }
}

/// Also of games with more moves than seven bits count.
#[test]
fn the_moves_in_a_book_of_games_lead_to_its_positions() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, expected) = games(2, 290);
    assert!(expected.len() > 500);
    let style = Style { form: Form::Pgn, ops: EpdOps::None, names: None };
    let selection = Selection::default();
    for memory in [1, 1 << 30] {
        let source = of_counts(aggregate(&pgn, memory, folder.path()), 1);
        let mut book = Vec::new();
        let figures =
            write_book(source, &selection, &style, memory, folder.path(), None, &mut book).unwrap();
        let book = String::from_utf8(book).unwrap();
        let (mut found, mut longest) = (BTreeSet::new(), 0);
        for line in book.lines().filter(|line| !line.starts_with('[') && !line.is_empty()) {
            let mut position = Chess::default();
            let words = line.split(' ').filter(|word| !word.ends_with('.') && *word != "*");
            for (ply, word) in words.enumerate() {
                let san: SanPlus = word.parse().unwrap_or_else(|_| panic!("{word}"));
                position = position.clone().play(san.san.to_move(&position).unwrap()).unwrap();
                longest = longest.max(ply + 1);
            }
            let epd = Epd::from_position(&position, EnPassantMode::Legal).to_string();
            assert!(found.insert(epd), "a position stands twice: {line}");
        }
        assert!(found.iter().eq(expected.keys()));
        assert_eq!(longest, figures.max_depth as usize);
        assert!(longest > 256);
        let (total, games) = (expected.len() as u64, expected.values().map(|one| one.games).sum());
        assert_eq!((figures.total, figures.games, figures.min_depth), (total, games, 0));
        let white = expected.keys().filter(|epd| epd.contains(" w ")).count() as u64;
        assert_eq!((figures.white, figures.black), (white, total - white));
    }
}

/// They have numbers, as those that are counted.
#[test]
fn games_that_a_filter_rejects_are_numbered() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, mut counts) = (Plan::default(), Counts::default());
    let filter = FILTER;
    let mut sink = counts.sink(&filter);
    sink.game_filtered_out();
    sink.game_filtered_out();
    Replay::new(Chunk::whole(b"e4 e5 *\n\nd4 *\n\n"), &plan).run(&mut sink);
    // The starting position twice, two positions after one ply and one after two.
    assert_eq!(counts.positions, 5);
    let aggregate = Aggregate::new(1 << 20, folder.path());
    aggregate.add(&mut counts, 0, 0).unwrap();
    let source = of_counts(aggregate, 1);
    let lines = table(source, &Selection::default(), 1 << 20, folder.path());
    let first_game = |line| serde_json::from_str::<Value>(line).unwrap()["first_game"].clone();
    assert!(lines.lines().map(first_game).eq([3, 3, 3, 4]), "{lines}");
}

#[cfg(feature = "zstd")]
#[test]
fn explorer_files_have_the_counts_of_all_positions_or_of_a_sample() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, expected) = games(2000, 6);
    let style = Style { form: Form::Explorer, ops: EpdOps::None, names: None };
    let cases = [(1, 1), (2, 200_000), (1, 1 << 30), (2, 1 << 30)];
    for ((threads, memory), sample) in
        cases.into_iter().flat_map(|case| [(case, None), (case, Some(50))])
    {
        let selection = Selection { order: Order::Position, sample, ..Selection::default() };
        let filter = PositionFilter { details: style.details(&selection), ..FILTER };
        let counts = counted(&pgn, &filter, threads, memory, folder.path());
        let source = of_counts(counts, 1);
        let path = folder.path().join("a.explorer");
        let mut output = std::fs::File::create(&path).unwrap();
        write_book(source, &selection, &style, memory, folder.path(), None, &mut output).unwrap();
        let file = CountFile::open(&path).unwrap();
        let mut found = 0;
        for entry in file.entries() {
            let entry = entry.unwrap();
            assert_eq!(file.find(entry.key).unwrap().as_ref(), Some(&entry));
            let position = entry.key.position(0, 1).unwrap();
            let uci = |code: &san::MoveCode| {
                code.find(&position).map(|mv| position.uci_of(mv).as_str().to_owned())
            };
            let moves =
                entry.moves.iter().filter_map(|(code, tally)| Some((uci(code)?, tally.games)));
            let reached = Reached { games: entry.total.games, moves: moves.collect() };
            assert_eq!(expected.get(&four_fields(&position)), Some(&reached));
            found += 1;
        }
        assert_eq!(found, sample.map_or(expected.len(), |sample| sample as usize));
        // Sums of samples would lack games.
        let part = Source::Parts(vec![Part::open(&path).unwrap()], Threads::new(threads));
        let merged = write_partial(part, memory, folder.path(), &mut Vec::new());
        let refused = matches!(&merged, Err(BookError::Refused(reason)) if reason.contains("has selected positions only"));
        assert!(refused == sample.is_some() && merged.is_ok() != refused, "{merged:?}");
    }
}

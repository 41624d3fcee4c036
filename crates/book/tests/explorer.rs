//! Explorer files have the counts of other formats, and are refused if they are damaged.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use book::count_file::{CountFile, CountFileError, CountedPosition, ReadAt};
use book::{
    Aggregate, Counts, EpdOps, Form, Game as KnownGame, GameClass, Header, Occurrence,
    PositionFilter, Selection, Source, Style, Tally, write_book,
};
use emit::{Plan, Replay};
use openings::Openings;
use pgn::{Chunk, Outcome};
use proptest::prelude::*;
use san::{MoveCode, Position, PositionKey, PositionSet};
use serde_json::Value;
use table::TableFormat;

use crate::algebra::{FILTER, Game, counted as of_counts, counts, counts_of, game, header};

/// Returns the counts of games.
pub(crate) fn counted(games: &[Game]) -> Aggregate {
    let aggregate = Aggregate::new(1 << 24, &std::env::temp_dir());
    aggregate.add(&mut counts(games), 0, 0).unwrap();
    aggregate
}

/// Returns a book of games in a format.
fn book(games: &[Game], form: Form) -> Vec<u8> {
    let source = of_counts(counted(games), 1);
    match form {
        Form::Explorer => explorer(source),
        _ => write(source, form, &Selection::default()),
    }
}

/// Returns an explorer file.
fn explorer(source: Source) -> Vec<u8> {
    let selection = Selection { order: book::Order::Position, ..Selection::default() };
    write(source, Form::Explorer, &selection)
}

pub(crate) fn write(source: Source, form: Form, selection: &Selection) -> Vec<u8> {
    let style = Style { form, ops: EpdOps::None, names: Some(Openings::embedded()) };
    let mut book = Vec::new();
    let folder: &Path = &std::env::temp_dir();
    write_book(source, selection, &style, 1 << 20, folder, None, &mut book).unwrap();
    book
}

fn opened(bytes: Vec<u8>) -> Result<CountFile, CountFileError> {
    CountFile::new(Box::new(bytes))
}

/// Checks the counts of an entry against the columns of a table.
fn check_counts(tally: &Tally, games: &[Arc<KnownGame>], row: &Value) -> Result<(), TestCaseError> {
    let [first, strongest] = [tally.first, tally.strongest].map(|at| at.of(games));
    let number = |name: &str| row[name].as_u64().unwrap_or_default();
    let text = |name: &str| row[name].as_str().unwrap().to_owned();
    for (counted, name) in [
        (tally.games, "games"),
        (tally.white, "white"),
        (tally.draws, "draws"),
        (tally.black, "black"),
        (tally.rated, "rated"),
        (tally.rating_sum, "rating_sum"),
        (tally.first_year.into(), "first_year"),
        (tally.last_year.into(), "last_year"),
        (first.number, "first_game"),
        (tally.first.ply.into(), "first_ply"),
        (strongest.number, "strongest_game"),
        (tally.strongest.ply.into(), "strongest_ply"),
    ] {
        prop_assert_eq!(counted, number(name), "{}", name);
    }
    prop_assert_eq!(&*strongest.white, text("strongest_white"));
    prop_assert_eq!(&*strongest.black, text("strongest_black"));
    prop_assert_eq!(strongest.outcome.as_str(), text("strongest_result"));
    let elo = row["strongest_elo"].as_f64().unwrap_or_default();
    prop_assert_eq!(f64::from(strongest.elo_sum) / 2.0, elo);
    Ok(())
}

proptest! {
    #[test]
    fn counts_are_those_of_a_table(games in prop::collection::vec(game(), 0..20)) {
        let file = opened(book(&games, Form::Explorer)).unwrap();
        let table = book(&games, Form::Table(TableFormat::JsonLines));
        let mut positions = 0;
        for line in table.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let row: Value = serde_json::from_slice(line).unwrap();
            let position = Position::from_fen(format!("{} 0 1", row["epd"].as_str().unwrap())).unwrap();
            let entry = file.find(PositionKey::of(&position)).unwrap().unwrap();
            check_counts(&entry.total, &entry.games, &row)?;
            let moves = row["moves"].as_array().unwrap();
            prop_assert_eq!(entry.moves.len(), moves.len());
            for ((code, tally), row) in entry.moves.iter().zip(moves) {
                let uci = code.find(&position).map(|found| position.uci_of(found).to_string());
                prop_assert_eq!(uci.as_deref(), row["uci"].as_str());
                check_counts(tally, &entry.games, row)?;
            }
            let name = Openings::embedded().classify(&position);
            prop_assert_eq!(entry.eco.as_deref(), name.and_then(openings::Name::eco));
            prop_assert_eq!(entry.opening.as_deref(), name.and_then(openings::Name::opening));
            positions += 1;
        }
        prop_assert_eq!(file.header().positions, positions);
        let entries: Vec<_> = file.entries().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(entries.len() as u64, positions);
        for entry in entries {
            let key = entry.key;
            prop_assert_eq!(file.find(key).unwrap(), Some(entry));
        }
        prop_assert_eq!(file.find(PositionKey::default()).unwrap(), None);
    }
}

/// Makes games without classes, numbered in their order, so that the counts of different files can
/// be compared, and leaves the sums of all classes.
fn plain(entry: &CountedPosition) -> CountedPosition {
    let class = |game: &KnownGame| Arc::new(KnownGame { class: None, ..game.clone() });
    let numbered = |tally: &Tally| [tally.first].into_iter().chain(tally.notable_games());
    let occurrences = entry.moves.iter().flat_map(|(_, tally)| numbered(tally));
    let mut games: Vec<Arc<KnownGame>> = occurrences.map(|at| class(entry.game(at))).collect();
    games.sort();
    games.dedup();
    let plain = |tally: Tally| {
        let number = |at: Occurrence| {
            let game = games.binary_search(&class(entry.game(at))).unwrap() as u32;
            Occurrence { game, ..at }
        };
        let (first, strongest) = (number(tally.first), number(tally.strongest));
        Tally { first, strongest, latest: tally.latest.map(number), ..tally }
    };
    let moves: Vec<_> = entry.moves.iter().map(|(code, tally)| (*code, plain(*tally))).collect();
    let (total, counts) = (plain(entry.total), moves.clone());
    CountedPosition { total, moves, counts, games: games.into(), ..entry.clone() }
}

proptest! {
    #[test]
    fn the_counts_of_a_class_are_those_of_its_games(games in prop::collection::vec(game(), 0..30)) {
        let group_by = "rating:2001,2002,year".parse().unwrap();
        let filter = PositionFilter { group_by, ..FILTER };
        let class = |game: &Game| {
            let [white, black] = game.elos;
            let sum = white.zip(black).map(|(white, black)| white + black);
            let bands = [(4004, 2002), (4002, 2001), (0, 0)];
            let band = |sum| bands.into_iter().find(|(least, _)| sum >= *least).unwrap().1;
            GameClass { rating: sum.map(band), year: Some(game.year), ..GameClass::default() }
        };
        let file = |filter: &PositionFilter, games: &mut dyn Iterator<Item = (u64, &Game)>| {
            let aggregate = Aggregate::new(1 << 24, &std::env::temp_dir());
            for (number, game) in games {
                aggregate.add(&mut counts_of(std::slice::from_ref(game), filter), 0, number).unwrap();
            }
            let header = Header { grouped_by: "x".into(), ..header(1) };
            let source = Source::Counted(Box::new(aggregate), header);
            opened(explorer(source)).unwrap()
        };
        let all = file(&filter, &mut (0..).zip(&games));
        prop_assert_eq!(&*all.header().grouped_by, "x");
        let mut classes: Vec<GameClass> = games.iter().map(class).collect();
        classes.sort();
        classes.dedup();
        classes.push(GameClass { year: Some(1000), ..GameClass::default() });
        for wanted in classes {
            let mut games = (0..).zip(&games).filter(|(_, game)| class(game) == wanted);
            let expected = file(&FILTER, &mut games);
            let mut positions = 0;
            for entry in all.entries().map(Result::unwrap) {
                let Some(found) = entry.of_classes(|class| *class == wanted) else { continue };
                positions += 1;
                let expected = expected.find(entry.key).unwrap().unwrap();
                prop_assert_eq!(plain(&found), plain(&expected));
            }
            prop_assert_eq!(positions, expected.header().positions);
        }
        // Together they are as many as without classes.
        let expected = file(&FILTER, &mut (0..).zip(&games));
        for entry in all.entries().map(Result::unwrap) {
            let expected = expected.find(entry.key).unwrap().unwrap();
            let [found, expected] = [entry, expected].map(|entry| {
                let all = plain(&entry);
                (all.total, all.moves)
            });
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn a_file_of_some_positions_or_games_says_so() {
    let all = Selection { order: book::Order::Position, ..Selection::default() };
    let is_selected = |selection: Selection| {
        let file = write(of_counts(counted(&games()), 1), Form::Explorer, &selection);
        CountFile::new(Box::new(file)).unwrap().header().selected
    };
    for selection in [
        Selection { min_games: 2, ..all },
        Selection { min_score: Some(1), ..all },
        Selection { max_score: Some(999_999), ..all },
        Selection { max_draws: Some(999_999), ..all },
        Selection { best_rated: true, ..all },
        Selection { equal_turns: true, sample: Some(2), ..all },
        Selection { sample: Some(2), ..all },
    ] {
        assert!(is_selected(selection), "{selection:?}");
    }
    // All positions, whatever is counted.
    let unknown_result = book::UnknownResult::Draw;
    for selection in [all, Selection { min_games: 1, seed: 5, unknown_result, ..all }] {
        assert!(!is_selected(selection), "{selection:?}");
    }
}

/// Some games with transpositions and equal beginnings.
fn games() -> Vec<Game> {
    let game = |number: u8| Game {
        result: ["1-0", "0-1", "1/2-1/2"][usize::from(number % 3)],
        elos: [Some(2000 + u16::from(number)), None],
        year: 1990 + u16::from(number),
        choices: (0..number + 3).map(|ply| (ply * number) % 7).collect(),
    };
    (0..8).map(game).collect()
}

#[test]
fn the_notable_games_of_a_move_are_the_strongest_and_the_most_recent_one() {
    // First moves, sums of ratings, and years.
    let games =
        [(1, 4001, 2000), (1, 4003, 1999), (1, 4002, 2001), (1, 4003, 2001), (2, 4002, 1999)];
    let games = games.map(|(choice, elo_sum, year)| Game {
        result: "1-0",
        elos: [Some(2000), Some(elo_sum - 2000)],
        year,
        choices: vec![choice],
    });
    let expected = [vec![2, 4], vec![5]];
    let check = |bytes: Vec<u8>| {
        let entry = opened(bytes).unwrap().find(PositionKey::of(&Position::default())).unwrap();
        let entry = entry.unwrap();
        let number = |at| entry.game(at).number;
        let numbers = |tally: &Tally| tally.notable_games().map(number).collect();
        let found: Vec<Vec<u64>> = entry.moves.iter().map(|(_, tally)| numbers(tally)).collect();
        assert!(expected.iter().all(|games| found.contains(games)), "{found:?}");
        let all: Vec<u64> = entry.notable_games().iter().map(|(_, at)| number(*at)).collect();
        assert_eq!((all, numbers(&entry.total)), (vec![2, 4, 5], vec![2, 4]));
    };
    check(book(&games, Form::Explorer));
    // Also if memory suffices for one game only, and if the last games are counted first.
    for (memory, order) in [(1, [0, 1, 2, 3, 4]), (1 << 24, [4, 3, 2, 1, 0])] {
        let aggregate = Aggregate::new(memory, &std::env::temp_dir());
        for number in order {
            aggregate.add(&mut counts(&games[number..=number]), 0, number as u64).unwrap();
        }
        check(explorer(of_counts(aggregate, 1)));
    }
}

/// Looks up positions, and reads all of them: the answers, or `None` after an error.
fn answers(bytes: Vec<u8>, keys: &[PositionKey]) -> Vec<Option<Option<CountedPosition>>> {
    match opened(bytes) {
        Ok(file) => keys.iter().map(|key| file.find(*key).ok()).collect(),
        Err(_) => vec![None; keys.len()],
    }
}

#[test]
fn a_file_with_a_changed_byte_gives_no_wrong_answer() {
    let whole = book(&games(), Form::Explorer);
    let file = opened(whole.clone()).unwrap();
    let mut keys: Vec<_> = file.entries().map(|entry| entry.unwrap().key).collect();
    keys.push(PositionKey::of(&Position::from_fen("8/8/8/8/8/8/k1K5/8 w - - 0 1").unwrap()));
    let expected = answers(whole.clone(), &keys);
    assert!(expected.iter().all(Option::is_some) && keys.len() > 30, "{}", keys.len());
    for at in 0..whole.len() {
        for bit in [1, 0x40, 0xff] {
            let mut changed = whole.clone();
            changed[at] ^= bit;
            let found = answers(changed, &keys);
            let is_right = |(a, b): (&Option<_>, &Option<_>)| a.is_none() || a == b;
            assert!(found.iter().zip(&expected).all(is_right), "byte {at}, {bit}");
        }
    }
    for len in 0..whole.len() {
        let error = opened(whole[..len].to_vec()).unwrap_err();
        let is_known =
            matches!(error, CountFileError::NotExplorer | CountFileError::Damaged { .. });
        assert!(is_known, "{len}: {error}");
    }
    let mut newer = whole;
    newer[16] = 2;
    let refused = "it has version 2 of the format, and this program reads version 1";
    assert_eq!(opened(newer).unwrap_err().to_string(), refused);
}

#[test]
fn a_game_that_ended_is_counted_without_a_move() {
    let file = opened(book(&games()[..1], Form::Explorer)).unwrap();
    let last = file.entries().map(Result::unwrap).find(|entry| entry.total.first.ply == 3).unwrap();
    assert_eq!(last.moves.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [MoveCode::NONE]);
    assert_eq!(last.notable_games()[0].0, MoveCode::NONE);
    assert_eq!(file.header().files, ["0.pgn"]);
}

/// A file that counts how often it is read, and the bytes.
#[derive(Debug)]
struct Metered {
    bytes: Vec<u8>,
    reads: Arc<[AtomicU64; 2]>,
}

impl ReadAt for Metered {
    fn file_len(&self) -> u64 {
        self.bytes.file_len()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.bytes.read_at(buffer, offset)?;
        self.reads[0].fetch_add(1, Ordering::Relaxed);
        self.reads[1].fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Many games of random moves, so that there are several pages.
fn long_games() -> Vec<u8> {
    let aggregate = Aggregate::new(1 << 28, &std::env::temp_dir());
    let mut random = 1_u64;
    for number in 0..3000 {
        let mut position = Position::default();
        let mut visits = Vec::new();
        for _ in 0..60 {
            let moves = position.legal_moves();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if moves.is_empty() {
                break;
            }
            let next = moves[(random >> 33) as usize % moves.len()];
            visits.push((PositionKey::of(&position), next.code()));
            position.play_unchecked(next);
        }
        let mut counts = Counts::default();
        let outcome = Outcome::Draw;
        let game = KnownGame { elo_sum: 4000, year: 2000, outcome, ..KnownGame::default() };
        counts.game(game, &visits);
        aggregate.add(&mut counts, 0, number).unwrap();
    }
    explorer(of_counts(aggregate, 1))
}

#[test]
fn a_position_is_found_by_two_reads_and_again_by_one() {
    let (bytes, reads) = (long_games(), Arc::<[AtomicU64; 2]>::default());
    let taken = || [0, 1].map(|at: usize| reads[at].swap(0, Ordering::Relaxed));
    let entries: Vec<_> = opened(bytes.clone()).unwrap().entries().map(Result::unwrap).collect();
    assert!(entries.len() > 150_000, "{}", entries.len());
    let keys: PositionSet = entries.iter().map(|entry| entry.key).collect();
    for entry in entries.iter().step_by(997) {
        let input = Metered { bytes: bytes.clone(), reads: Arc::clone(&reads) };
        let file = CountFile::new(Box::new(input)).unwrap();
        assert_eq!(file.header().positions, entries.len() as u64);
        assert_eq!(taken()[0], 3);
        assert_eq!(file.find(entry.key).unwrap().as_ref(), Some(entry));
        let [count, bytes] = taken();
        assert!(count == 2 && bytes <= 64 << 10, "{count} {bytes}");
        assert_eq!(file.find(entry.key).unwrap().as_ref(), Some(entry));
        assert_eq!(taken()[0], 1);
        // A position that differs in one square is not found, by as many reads.
        let mut other = entry.key;
        other.0[0] ^= 1 << 63;
        assert_eq!(file.find(other).unwrap().is_some(), keys.contains(&other));
        assert!(taken()[0] <= 2);
    }
}

#[test]
fn castling_rights_of_chess960_and_en_passant_are_part_of_the_key() {
    let fens = [
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w Ggb - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
    ];
    let aggregate = Aggregate::new(1 << 20, &std::env::temp_dir());
    for (number, fen) in (0..).zip(fens) {
        let position = Position::from_fen(fen).unwrap();
        let next = position.legal_moves()[number as usize];
        let mut counts = Counts::default();
        counts.game(KnownGame::default(), &[(PositionKey::of(&position), next.code())]);
        aggregate.add(&mut counts, 0, number).unwrap();
    }
    let file = opened(explorer(of_counts(aggregate, 1))).unwrap();
    assert_eq!(file.header().positions, 5);
    for (number, fen) in (0..).zip(fens) {
        let position = Position::from_fen(fen).unwrap();
        let entry = file.find(PositionKey::of(&position)).unwrap().unwrap();
        let first = entry.game(entry.total.first).number;
        assert_eq!((entry.total.games, first), (1, number + 1), "{fen}");
        let next = position.legal_moves()[number as usize];
        assert_eq!(entry.moves[0].0.find(&position), Some(next), "{fen}");
    }
}

const MAGIC: &[u8] = b"pgn2epd counts\n\0";

/// A position with the first game of the block after each move, in docs/explorer.md's encoding.
fn encoded(key: u8, moves: u16) -> Vec<u8> {
    let mut entry = vec![0, 0];
    entry.extend(leb128(moves.into()));
    for code in 0..moves {
        // One game, the move, and the number of the game, its ply, clocks and evaluation.
        entry.push(0);
        entry.extend(leb128(code.into()));
        entry.extend([0, 0, 0, 1, 0]);
    }
    [&[0][..], &[key; 32], &leb128(entry.len() as u64), &entry].concat()
}

fn leb128(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A file of blocks, whose page lists some of them, and whose list of pages has the page several
/// times.
fn assembled(blocks: &[Vec<u8>], listed: &[usize], pages: usize, header: &Value) -> Vec<u8> {
    let mut file = [MAGIC, &1_u32.to_le_bytes()].concat();
    // Some are stored.
    let mut section = |bytes: &[u8], first: u8| {
        let part = match bytes.len() {
            ..200 => [&[0], bytes].concat(),
            _ => [&[1], &zstd::bulk::compress(bytes, 3).unwrap()[..]].concat(),
        };
        let offset = file.len() as u64;
        file.extend(&part);
        let (len, crc) = (part.len() as u32, crc32fast::hash(&part));
        [&[first; 32][..], &offset.to_le_bytes(), &len.to_le_bytes(), &crc.to_le_bytes()].concat()
    };
    let records = (1..).zip(blocks).map(|(first, block)| section(block, first));
    let records: Vec<Vec<u8>> = records.collect();
    let page: Vec<u8> = listed.iter().flat_map(|at| records[*at].clone()).collect();
    let page = section(&page, 1);
    let root = [format!("{header}\n").as_bytes(), &page.repeat(pages)].concat();
    let len = (root.len() as u64).to_le_bytes();
    let crc = crc32fast::hash(&[&root[..], &len].concat()).to_le_bytes();
    [&file[..], &root, &len, &crc, MAGIC].concat()
}

/// Files whose checksums are right, and which would cost more than their size or give wrong counts.
#[test]
fn what_is_not_in_order_is_refused_whatever_the_checksums_say() {
    // File, number, ratings, year and result, then players, start, moves and class.
    let game = |white: &str| {
        [&[0, 1, 0, 0, 2][..], &leb128(white.len() as u64), white.as_bytes(), &[0; 4]].concat()
    };
    let block = |positions: &[Vec<u8>]| [&[1][..], &game(""), &positions.concat()].concat();
    let three: Vec<_> = (1..4).map(|key| block(&[encoded(key, 2)])).collect();
    let with_text =
        |len, moves| vec![[&[1][..], &game(&"x".repeat(len)), &encoded(1, moves)].concat()];
    let without_game = vec![[&[0][..], &encoded(1, 1)].concat()];
    let header = |positions: u64, grouped_by: &str| serde_json::json!({"positions": positions, "files": ["a"], "counted": "", "grouped_by": grouped_by});
    let plain = header(3, "");
    let twice = vec![block(&[encoded(1, 1), encoded(1, 1)])];
    let falling = vec![block(&[encoded(2, 1), encoded(1, 1)])];
    let empty = vec![block(&[])];
    let beyond = vec![three[0].clone(), block(&[encoded(2, 1), encoded(9, 1)]), three[2].clone()];
    let other = vec![three[1].clone()];
    let wrong_order = "the positions are not in order";
    type Case<'a> = (&'a str, &'a [Vec<u8>], &'a [usize], usize, &'a Value, Result<usize, &'a str>);
    let cases: [Case<'_>; 16] = [
        ("in order", &three, &[0, 1, 2], 1, &plain, Ok(3)),
        ("with a player", &with_text(100, 5), &[0], 1, &header(1, ""), Ok(1)),
        ("without the game", &without_game, &[0], 1, &header(1, ""), Err("decoded")),
        ("a block twice", &three, &[0, 0], 1, &plain, Err("list of blocks")),
        ("a block 2,000 times", &three, &[1; 2_000], 1, &plain, Err("list of blocks")),
        ("falling blocks", &three, &[1, 0], 1, &plain, Err("list of blocks")),
        ("a page twice", &three, &[0, 1, 2], 2, &plain, Err("list of pages")),
        ("another first block", &three, &[1, 2], 1, &plain, Err("list of blocks")),
        ("no block", &three, &[], 1, &plain, Err("list of blocks")),
        ("a position twice", &twice, &[0], 1, &header(2, ""), Err("decoded")),
        ("falling positions", &falling, &[0], 1, &header(2, ""), Err("decoded")),
        ("no position", &empty, &[0], 1, &header(0, ""), Err(wrong_order)),
        ("beyond the next block", &beyond, &[0, 1, 2], 1, &header(4, ""), Err(wrong_order)),
        ("another first position", &other, &[0], 1, &header(1, ""), Err(wrong_order)),
        ("fewer positions", &three, &[0, 1], 1, &plain, Err("number of positions")),
        // 60 GB of text if each count had its own.
        ("a long text often", &with_text(1 << 20, 60_000), &[0], 1, &header(1, ""), Ok(1)),
    ];
    for (name, blocks, listed, pages, header, expected) in cases {
        let bytes = assembled(blocks, listed, pages, header);
        let read = opened(bytes).and_then(|file| {
            let found = file.find(PositionKey::from_bytes([1; 32]));
            assert!(found.is_ok() || expected.is_err(), "{name}: {found:?}");
            file.entries().collect::<Result<Vec<_>, _>>()
        });
        match (read, expected) {
            (Ok(entries), Ok(count)) => assert_eq!(entries.len(), count, "{name}"),
            (Err(error), Err(reason)) => {
                assert!(error.to_string().contains(reason), "{name}: {error}");
            }
            (read, _) => panic!("{name}: {:?}", read.map(|entries| entries.len())),
        }
    }
}

/// A position with more classes than entries of the counter and than a block have room for.
#[test]
fn a_position_has_any_number_of_classes() {
    let games = 80_000;
    let game =
        |number| format!("[White \"{number:0>100}\"]\n[Black \"{number:x>100}\"]\n\n1. e4 *\n\n");
    let text: String = (0..games).map(game).collect();
    let filter = PositionFilter { group_by: "player".parse().unwrap(), ..FILTER };
    let plan = Plan { last_played: 1, ..Plan::default() };
    let mut counts = Counts::default();
    Replay::new(Chunk::whole(text.as_bytes()), &plan).run(&mut counts.sink(&filter));
    let aggregate = Aggregate::new(1 << 28, &std::env::temp_dir());
    aggregate.add(&mut counts, 0, 0).unwrap();
    let file = opened(explorer(of_counts(aggregate, 1))).unwrap();
    let start = Position::default();
    let entry = file.find(PositionKey::of(&start)).unwrap().unwrap();
    assert_eq!((entry.total.games, entry.moves.len(), entry.classes().count()), (games, 1, 80_000));
    let mut names: Vec<_> = entry.classes().map(|(_, class, _)| &class.white).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), entry.classes().count());
    let mut entries = file.entries().map(Result::unwrap);
    assert_eq!(file.header().positions, 2);
    assert!(entries.any(|other| other == entry));
}

//! Merging of counts is independent of order, grouping, memory limit, and intermediate files.

use std::path::Path;
use std::sync::Arc;

use book::count_file::CountFile;
use book::{
    Aggregate, Counts, Details, EpdOps, Evaluation, Form, Game as KnownGame, GroupBy, Header,
    Occurrence, Order, Part, PositionFilter, Selection, Source, Style, Tally, write_book,
    write_partial,
};
use emit::{Plan, Replay};
use pgn::{Chunk, Outcome};
use proptest::prelude::*;
use stream::ordered::Threads;
use table::TableFormat;

fn outcome() -> impl Strategy<Value = Outcome> {
    use Outcome::{BlackWins, Draw, Unknown, WhiteWins};
    prop::sample::select(vec![WhiteWins, BlackWins, Draw, Unknown])
}

/// Number of games to which counts refer.
const GAMES: usize = 6;

fn occurrence() -> impl Strategy<Value = Occurrence> {
    (0..GAMES as u32, 0..3_u16, 0..2_u16, 0..2_u16).prop_map(|(game, ply, halfmoves, fullmoves)| {
        let evaluation = Evaluation::new(fullmoves.into());
        Occurrence { game, ply, halfmoves, fullmoves, evaluation }
    })
}

prop_compose! {
    fn known_game()(
        file in 0..3_u32,
        number in 0..4_u64,
        elo_sum in 0..3_u16,
        outcome in outcome(),
        year in 0..3_u16,
        white in "[ab]?",
        moves in prop::collection::vec(0..2_u16, 0..2),
    ) -> KnownGame {
        let (white, moves) = (white.into(), moves.into());
        KnownGame { file, number, elo_sum, outcome, year, white, moves, ..KnownGame::default() }
    }
}

prop_compose! {
    fn tally(games: Vec<Arc<KnownGame>>)(
        counts in prop::array::uniform6(0..100_u64),
        years in prop::array::uniform2(0..4_u16),
        first in occurrence(),
        strongest in occurrence(),
        latest in prop::option::of(occurrence()),
    ) -> Tally {
        // The most recent game is given if it is not the strongest one, so it is later and weaker.
        let is_other = |latest: &Occurrence| {
            let [year, best_year] = [*latest, strongest].map(|at| at.of(&games).year);
            let [elo, best_elo] = [*latest, strongest].map(|at| at.of(&games).elo_sum);
            let order = latest.cmp_in(strongest, &games);
            year.cmp(&best_year).then(order).is_gt() && best_elo.cmp(&elo).then(order).is_gt()
        };
        let latest = latest.filter(is_other);
        let [games, white, draws, black, rated, rating_sum] = counts;
        let [first_year, last_year] = years;
        if games == 0 {
            return Tally::default();
        }
        Tally { games, white, draws, black, rated, rating_sum, first_year, last_year, first, strongest, latest }
    }
}

fn tallies() -> impl Strategy<Value = ([Tally; 3], Vec<Arc<KnownGame>>)> {
    prop::collection::vec(known_game().prop_map(Arc::new), GAMES).prop_flat_map(|games| {
        let three = [(); 3].map(|()| tally(games.clone()));
        (three, Just(games))
    })
}

fn sum(a: &Tally, b: &Tally, games: &[Arc<KnownGame>]) -> Tally {
    let mut sum = *a;
    sum.add(*b, games);
    sum
}

/// Replaces the numbers of games by those of the first equal ones.
fn plain(mut tally: Tally, games: &[Arc<KnownGame>]) -> Tally {
    let first = |at: Occurrence| {
        let game = games.iter().position(|game| **game == *at.of(games)).unwrap() as u32;
        Occurrence { game, ..at }
    };
    (tally.first, tally.strongest) = (first(tally.first), first(tally.strongest));
    tally.latest = tally.latest.map(first);
    tally
}

proptest! {
    #[test]
    fn merging_tallies_is_associative_and_commutative(([a, b, c], games) in tallies()) {
        let sum = |a: &Tally, b: &Tally| plain(sum(a, b, &games), &games);
        prop_assert_eq!(sum(&a, &b), sum(&b, &a));
        prop_assert_eq!(sum(&sum(&a, &b), &c), sum(&a, &sum(&b, &c)));
        prop_assert_eq!(sum(&a, &Tally::default()), plain(a, &games));
        prop_assert_eq!(sum(&Tally::default(), &a), plain(a, &games));
    }
}

/// A game: its tags, and the index of the legal move played at each ply.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) result: &'static str,
    pub(crate) elos: [Option<u16>; 2],
    pub(crate) year: u16,
    pub(crate) choices: Vec<u8>,
}

pub(crate) fn game() -> impl Strategy<Value = Game> {
    let result = prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "*"]);
    let elos = prop::array::uniform2(prop::option::of(2000..2003_u16));
    (result, elos, 1999..2002_u16, prop::collection::vec(0..3_u8, 0..12))
        .prop_map(|(result, elos, year, choices)| Game { result, elos, year, choices })
}

impl Game {
    fn text(&self) -> String {
        let mut text = format!("[Event \"x\"]\n[White \"w{}\"]\n", self.choices.len());
        for (name, elo) in ["WhiteElo", "BlackElo"].into_iter().zip(self.elos) {
            if let Some(elo) = elo {
                text += &format!("[{name} \"{elo}\"]\n");
            }
        }
        text += &format!("[Date \"{}.01.01\"]\n[Result \"{}\"]\n\n", self.year, self.result);
        text + &self.moves().join(" ") + " " + self.result + "\n\n"
    }

    /// Returns the moves in SAN.
    pub(crate) fn moves(&self) -> Vec<String> {
        let mut position = san::Position::default();
        let play = |choice: &u8| {
            let moves = position.legal_moves();
            let next = moves[usize::from(*choice) % moves.len()];
            let san = san::san_of(&position, next).to_string();
            position.play_unchecked(next);
            san
        };
        self.choices.iter().map(play).collect()
    }
}

pub(crate) const FILTER: PositionFilter = PositionFilter {
    queens: None,
    pieces: None,
    eval: None,
    once_per_game: false,
    moves: true,
    variations: false,
    details: Details::ALL,
    group_by: GroupBy {
        ratings: Vec::new(),
        speed: false,
        year: false,
        month: false,
        player: false,
    },
};

pub(crate) fn counts(games: &[Game]) -> Counts {
    counts_of(games, &FILTER)
}

pub(crate) fn counts_of(games: &[Game], filter: &PositionFilter) -> Counts {
    let text: String = games.iter().map(Game::text).collect();
    let plan = Plan { variations: filter.variations, ..Plan::default() };
    let mut counts = Counts::default();
    Replay::new(Chunk::whole(text.as_bytes()), &plan).run(&mut counts.sink(filter));
    assert_eq!(counts.problems, []);
    counts
}

/// Counts as the source of a book of this number of files.
pub(crate) fn counted(aggregate: Aggregate, files: usize) -> Source {
    Source::Counted(Box::new(aggregate), header(files))
}

/// Writes a partial result, and opens it.
pub(crate) fn part(source: Source, memory: usize, path: &Path) -> Part {
    let mut part = Vec::new();
    write_partial(source, memory, path.parent().unwrap(), &mut part).unwrap();
    std::fs::write(path, part).unwrap();
    Part::open(path).unwrap()
}

pub(crate) fn header(files: usize) -> Header {
    let files = (0..files).map(|file| format!("{file}.pgn")).collect();
    Header { files, counted: "all".into(), moves: true, ..Header::default() }
}

/// Returns the book as text.
pub(crate) fn table(source: Source, selection: &Selection, memory: usize, folder: &Path) -> String {
    let style = Style { form: Form::Table(TableFormat::JsonLines), ops: EpdOps::None, names: None };
    let mut table = Vec::new();
    write_book(source, selection, &style, memory, folder, None, &mut table).unwrap();
    String::from_utf8(table).unwrap()
}

/// Selections that read all counts, in an order of their own, and at random.
fn selection() -> impl Strategy<Value = Selection> {
    let all = Selection::default();
    prop::sample::select(vec![
        all,
        Selection { min_games: 2, best_rated: true, order: Order::Key, ..all },
        Selection { sample: Some(5), seed: 3, order: Order::Count, ..all },
        Selection { equal_turns: true, ..all },
    ])
}

/// Returns the book as text, or as an explorer file if games are divided into classes.
fn written(
    source: Source,
    selection: &Selection,
    filter: &PositionFilter,
    memory: usize,
    folder: &Path,
) -> String {
    if filter.group_by.is_empty() {
        return table(source, selection, memory, folder);
    }
    let selection = Selection { order: Order::Position, ..*selection };
    let style = Style { form: Form::Explorer, ops: EpdOps::None, names: None };
    let mut file = Vec::new();
    write_book(source, &selection, &style, memory, folder, None, &mut file).unwrap();
    let file = CountFile::new(Box::new(file)).unwrap();
    let entries = file.entries().map(Result::unwrap);
    format!("{:?} {:?}", file.header(), entries.collect::<Vec<_>>())
}

/// Adds chunks, each with its file and the number of games before it.
fn add(aggregate: &Aggregate, chunks: &[(u32, u64, &Vec<Game>)], filter: &PositionFilter) {
    for (number, before, chunk) in chunks {
        aggregate.add(&mut counts_of(chunk, filter), *number, *before).unwrap();
    }
}

proptest! {
    #[test]
    fn a_damaged_partial_result_does_not_panic(
        games in prop::collection::vec(game(), 0..4),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let aggregate = Aggregate::new(1 << 20, folder.path());
        aggregate.add(&mut counts(&games), 0, 0).unwrap();
        let mut part = Vec::new();
        write_partial(counted(aggregate, 1), 1 << 20, folder.path(), &mut part).unwrap();
        for (index, byte) in changes {
            let at = index.index(part.len());
            part[at] = byte;
        }
        if let Some(cut) = cut {
            part.truncate(cut.index(part.len()));
        }
        let path = folder.path().join("damaged.part");
        std::fs::write(&path, part).unwrap();
        let Ok(part) = Part::open(&path) else { return Ok(()) };
        let style = Style { form: Form::Table(TableFormat::JsonLines), ops: EpdOps::None, names: None };
        let (selection, mut table) = (Selection::default(), Vec::new());
        let source = Source::Parts(vec![part], Threads::new(2));
        let _ = write_book(source, &selection, &style, 1 << 20, folder.path(), None, &mut table);
    }
}

/// Files of games, each divided into chunks.
fn files() -> impl Strategy<Value = Vec<Vec<Vec<Game>>>> {
    let chunk = prop::collection::vec(game(), 0..4);
    prop::collection::vec(prop::collection::vec(chunk, 1..4), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn a_book_does_not_depend_on_cuts_threads_memory_order_or_parts(
        files in files(),
        threads in 1..5_usize,
        selection in selection(),
        memory in prop::sample::select(vec![1_usize, 2_000, 20_000, 1 << 30]),
        backwards in any::<bool>(),
        parted in any::<bool>(),
        group_by in prop::sample::select(vec!["", "year", "rating:2001,year,player"]),
    ) {
        let filter = PositionFilter { group_by: group_by.parse().unwrap_or_default(), ..FILTER };
        let folder = tempfile::tempdir().unwrap();
        let whole = Aggregate::new(1 << 30, folder.path());
        for (number, file) in (0..).zip(&files) {
            let games: Vec<Game> = file.concat();
            whole.add(&mut counts_of(&games, &filter), number, 0).unwrap();
        }
        let source = counted(whole, files.len());
        let expected = written(source, &selection, &filter, 1 << 20, folder.path());

        let pool = Threads::new(threads);
        let aggregate = || Aggregate::of_details(Details::ALL, pool.clone(), memory, folder.path());
        let mut steps = Vec::new();
        for (number, file) in (0..).zip(&files) {
            let mut before = 0;
            for chunk in file {
                steps.push((number, before, chunk));
                before += chunk.len() as u64;
            }
        }
        if backwards {
            steps.reverse();
        }
        let actual = if parted {
            let mut parts = Vec::new();
            for (number, step) in steps.iter().enumerate() {
                let aggregate = aggregate();
                // A part has its own file alone, which gets another number in the merged one.
                let (file, before, games) = *step;
                add(&aggregate, &[(0, before, games)], &filter);
                let header = Header { files: vec![format!("{file}.pgn")], ..header(0) };
                let source = Source::Counted(Box::new(aggregate), header);
                let path = |name| folder.path().join(format!("{name}{number}.part"));
                parts.push(part(source, memory, &path("")));
                // Merges some parts on the way.
                if number % 3 == 2 {
                    let some = Source::Parts(std::mem::take(&mut parts), pool.clone());
                    parts.push(part(some, memory, &path("merged")));
                }
            }
            let source = Source::Parts(parts, pool);
            written(source, &selection, &filter, memory, folder.path())
        } else {
            let aggregate = aggregate();
            add(&aggregate, &steps, &filter);
            let source = counted(aggregate, files.len());
            written(source, &selection, &filter, memory, folder.path())
        };
        prop_assert_eq!(actual, expected);
    }

    #[test]
    fn a_book_of_what_it_needs_equals_one_of_all_counts(
        files in files(),
        threads in 1..4_usize,
        selection in selection(),
        order in prop::sample::select(vec![Order::Input, Order::Count, Order::Key, Order::Shuffle]),
        ops in prop::sample::select(vec![EpdOps::None, EpdOps::Clocks, EpdOps::Counts]),
        memory in prop::sample::select(vec![1_usize, 20_000, 1 << 30]),
        variations in any::<bool>(),
        backwards in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let selection = Selection { order, ..selection };
        let style = Style { form: Form::Epd, ops, names: None };
        let book = |details, memory, backwards| {
            let filter = PositionFilter { variations, details, ..FILTER };
            let aggregate = Aggregate::of_details(details, Threads::new(threads), memory, folder.path());
            let mut files: Vec<(u32, &Vec<Vec<Game>>)> = (0..).zip(&files).collect();
            if backwards {
                files.reverse();
            }
            for &(number, file) in &files {
                let mut counts = counts_of(&file.concat(), &filter);
                aggregate.add(&mut counts, number, 0).unwrap();
            }
            let mut text = Vec::new();
            let source = counted(aggregate, files.len());
            write_book(source, &selection, &style, memory, folder.path(), None, &mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        let needed = book(style.details(&selection), memory, backwards);
        prop_assert_eq!(needed, book(Details::ALL, 1 << 30, false));
    }
}

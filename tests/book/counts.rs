//! Books against counts of their own, with the rules of shakmaty.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use pgn_reader::{Reader, SanPlus, Visitor};
use serde_json::Value;
use shakmaty::fen::Epd;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use testkit::generate::{Generator, Style};
use testkit::rng::Rng;

use crate::support::{fields, program, run_in};

const LAST_PLY: usize = 40;

/// How many games reached a position, and played each of its moves.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    games: u64,
    moves: BTreeMap<String, u64>,
}

/// Counts the positions of games, each once per game, with the move of its first visit.
#[derive(Default)]
struct Count(BTreeMap<String, Counts>);

impl Visitor for Count {
    type Tags = ();
    type Movetext = (Chess, Vec<(String, Option<String>)>);
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Self::Movetext> {
        ControlFlow::Continue(Default::default())
    }

    fn san(&mut self, (position, played): &mut Self::Movetext, san: SanPlus) -> ControlFlow<()> {
        let mv = san.san.to_move(&*position).unwrap();
        let uci = mv.to_uci(CastlingMode::Standard).to_string();
        played.push((Epd::from_position(position, EnPassantMode::Legal).to_string(), Some(uci)));
        position.play_unchecked(mv);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (position, mut played): Self::Movetext) {
        played.push((Epd::from_position(&position, EnPassantMode::Legal).to_string(), None));
        played.truncate(LAST_PLY + 1);
        let mut reached = BTreeSet::new();
        for (epd, uci) in played {
            if reached.insert(epd.clone()) {
                let counts = self.0.entry(epd).or_default();
                counts.games += 1;
                uci.into_iter().for_each(|uci| *counts.moves.entry(uci).or_default() += 1);
            }
        }
    }
}

fn counted(pgn: &[u8]) -> BTreeMap<String, Counts> {
    let mut count = Count::default();
    Reader::new(pgn).visit_all_games(&mut count).unwrap();
    count.0
}

fn book(pgn: &[u8], args: &[&str]) -> String {
    program()
        .file("games.pgn", pgn)
        .args(["book", "-q", "--ply", &format!("..{LAST_PLY}")])
        .args(args)
        .arg("games.pgn")
        .run_quietly()
        .text()
        .to_owned()
}

/// Games of four random plies, so that most positions have several moves.
fn openings(count: usize) -> Vec<u8> {
    let mut rng = Rng::new(23);
    let mut pgn = String::new();
    for _ in 0..count {
        let mut position = Chess::default();
        for number in ["1. ", "", "2. ", ""] {
            let mv = rng.pick(&position.legal_moves());
            let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
            pgn += &format!("{number}{san} ");
        }
        pgn += "*\n\n";
    }
    pgn.into_bytes()
}

/// Returns the counts in a book as lines of JSON.
fn counts_of(lines: &str) -> BTreeMap<String, Counts> {
    let mut found = BTreeMap::new();
    for line in lines.lines() {
        let position: Value = serde_json::from_str(line).unwrap();
        let games = |value: &Value| value["games"].as_u64().unwrap();
        let moves = position["moves"].as_array().unwrap().iter();
        let moves = moves.filter_map(|mv| Some((mv["uci"].as_str()?.to_owned(), games(mv))));
        let counts = Counts { games: games(&position), moves: moves.collect() };
        let epd = position["epd"].as_str().unwrap().to_owned();
        assert!(found.insert(epd, counts).is_none(), "a position stands twice: {line}");
    }
    found
}

#[track_caller]
fn assert_counts(found: &BTreeMap<String, Counts>, expected: &BTreeMap<String, Counts>) {
    for (epd, counts) in expected {
        assert_eq!(found.get(epd), Some(counts), "{epd}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn positions_and_moves_are_counted_in_little_memory_and_in_parts_too() {
    // The games of one seed have few positions.
    let pgn = (21..25).flat_map(|seed| Generator::text(Style::Plain, seed, 150_000));
    let pgn: Vec<u8> = pgn.chain(openings(4000)).collect();
    let expected = counted(&pgn);
    assert!(expected.len() > 15_000, "{} positions", expected.len());
    for memory in [&["--memory", "1M"][..], &["--memory", "1M", "-j", "3"], &["-j", "2"]] {
        let lines = book(&pgn, &[memory, &["--format", "jsonl", "--keep-moves"]].concat());
        assert_counts(&counts_of(&lines), &expected);
    }
    let program = program().file("games.pgn", &pgn);
    let ply = format!("..{LAST_PLY}");
    let part =
        ["book", "-q", "--ply", &ply, "--keep-moves", "--partial", "-o", "a.part", "games.pgn"];
    run_in(program.folder(), &part);
    for threads in ["1", "2"] {
        let merge = ["book", "merge", "--format", "jsonl", "-j", threads, "a.part"];
        let lines = String::from_utf8(run_in(program.folder(), &merge)).unwrap();
        assert_counts(&counts_of(&lines), &expected);
    }
}

#[test]
fn a_sample_has_as_many_positions_as_it_should_of_each_side_to_move() {
    let pgn = Generator::text(Style::Plain, 22, 20_000);
    let all: BTreeSet<String> = counted(&pgn).into_keys().collect();
    let white = all.iter().filter(|epd| epd.contains(" w ")).count();
    let black = all.len() - white;
    assert!(white != black && black > 100, "{white}, {black}");
    for sample in [2, 3, 7, 100, 2 * white.min(black) - 1, all.len(), all.len() + 9] {
        let sampled = |more: &[&str]| {
            let sample = sample.to_string();
            let lines = book(&pgn, &[more, &["--ops", "none", "--sample", &sample]].concat());
            let positions: BTreeSet<String> = lines.lines().map(fields).collect();
            assert_eq!(positions.len(), lines.lines().count(), "{more:?}");
            assert!(positions.is_subset(&all), "{more:?} {sample}");
            let white = positions.iter().filter(|epd| epd.contains(" w ")).count();
            (white, positions.len() - white)
        };
        let (of_white, of_black) = sampled(&[]);
        assert_eq!(of_white + of_black, sample.min(all.len()), "{sample}");
        let side = (sample / 2).min(white).min(black);
        assert_eq!(sampled(&["--equal-turns"]), (side, side), "{sample}");
    }
}

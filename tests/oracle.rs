//! Every game of the shared corpus, position by position, against the answers of python-chess's
//! board.
//!
//! `../shared/oracle` describes them: a hash for each game and each en passant policy, over the
//! positions after each ply. Without the corpus these tests are skipped.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;

use pgn2epd::game::Severity;
use pgn2epd::options::{EnPassantPolicy, Format, Op, Ops};
use pgn2epd::{Observer, Options, Problem, convert_observed};
use sha2::{Digest, Sha256};
use testkit::shared::{CorpusFile, corpus_file, corpus_pgn, is_full, shared, variants_pgn};

/// A line of the oracle.
#[derive(Debug)]
struct Expected {
    line: u64,
    plies: usize,
    /// In the order of [`POLICIES`].
    hashes: [String; 3],
    /// Line, column and token of the first error.
    problem: Option<(u64, u64, String)>,
}

const POLICIES: [EnPassantPolicy; 3] =
    [EnPassantPolicy::Always, EnPassantPolicy::Pseudo, EnPassantPolicy::Legal];

#[test]
fn every_game_of_the_corpus_equals_the_oracle() {
    let mut games = 0;
    let mut bad = 0;
    for (number, file) in corpus_pgn().enumerate() {
        let expected = oracle(&file).unwrap_or_else(|| panic!("no oracle for {}", file.name));
        let bytes = file.read().unwrap();
        // Each file with one policy, unless all are wanted.
        for index in (0..POLICIES.len()).filter(|index| is_full() || number % 3 == *index) {
            assert_positions(&file.name, &bytes, &expected, index, &Options::default());
        }
        assert_problems(&file.name, &bytes, &expected);
        assert_places(&file.name, &bytes, &expected);
        games += expected.len();
        bad += expected.iter().filter(|game| game.problem.is_some()).count();
    }
    if shared().is_some() {
        assert!(games > 20_000, "only {games} games were compared");
        assert!(bad > 10, "only {bad} bad games were compared");
    }
}

#[test]
fn null_moves_are_played_like_in_the_oracle() {
    let Some(shared) = shared() else { return };
    let file = corpus_file("chess_db/middleg").unwrap();
    let path = shared.join("oracle/null_moves/chess_db/middleg.tsv");
    let text = fs::read_to_string(path).unwrap();
    let expected: Vec<Expected> = text.lines().skip(1).map(expected).collect();
    let with_null_moves = Options::default().null_moves(true);
    let bytes = file.read().unwrap();
    assert_positions(&file.name, &bytes, &expected, 0, &with_null_moves);
    assert_positions(&file.name, &bytes, &expected, 2, &with_null_moves);
}

#[test]
fn games_of_other_variants_equal_the_oracle() {
    let mut games = 0;
    for file in variants_pgn() {
        let expected = oracle(&file).unwrap_or_else(|| panic!("no oracle for {}", file.name));
        let bytes = file.read().unwrap();
        if expected.iter().all(|game| game.problem.is_none()) {
            for index in 0..POLICIES.len() {
                assert_positions(&file.name, &bytes, &expected, index, &Options::default());
            }
        }
        // An unknown variant is one clear error per game.
        let mut errors = Errors::default();
        records_of_games(&bytes, &Options::default(), &mut errors);
        let bad = expected.iter().filter(|game| game.problem.is_some()).count();
        assert_eq!(errors.0.len(), bad, "{}", file.name);
        games += expected.len();
    }
    assert!(shared().is_none() || games >= 65, "{games}");
}

fn oracle(file: &CorpusFile) -> Option<Vec<Expected>> {
    let path = shared()?.join("oracle/games").join(format!("{}.tsv", file.name));
    let text = fs::read_to_string(path).ok()?;
    Some(text.lines().skip(1).map(expected).collect())
}

fn expected(line: &str) -> Expected {
    let columns: Vec<&str> = line.split('\t').collect();
    let problem = match columns[10] {
        "-" => None,
        problem => {
            let mut parts = problem.splitn(4, ':');
            let mut part = || parts.next().unwrap();
            Some((part().parse().unwrap(), part().parse().unwrap(), part().to_owned()))
        }
    };
    Expected {
        line: columns[1].parse().unwrap(),
        plies: columns[4].parse().unwrap(),
        hashes: [5, 6, 7].map(|column: usize| columns[column].to_owned()),
        problem,
    }
}

/// The records of each game, separated by the empty line after it.
pub(crate) fn records_of_games(
    bytes: &[u8],
    options: &Options,
    observer: &mut dyn Observer,
) -> Vec<Vec<String>> {
    let options = options.clone().blank_line(true);
    let mut output = Vec::new();
    convert_observed(bytes, &mut output, &options, observer).unwrap();
    let mut games = vec![Vec::new()];
    for line in String::from_utf8(output).unwrap().lines() {
        match line {
            "" => games.push(Vec::new()),
            _ => games.last_mut().unwrap().push(line.to_owned()),
        }
    }
    games.pop();
    games
}

/// Games whose records differ from the oracle: file, number, reason.
const DEPARTURES: &[(&str, usize, &str)] = &[(
    "lichess_studies/2nd-part-game-puzzles-with-interactive-lessons",
    15,
    "Its FEN tag, 1rr3k1/…/1NKR1B1R b Kq, gives castling rights to kings that have moved, in a game of standard chess (EPD 3.3).",
)];

fn assert_positions(
    name: &str,
    bytes: &[u8],
    expected: &[Expected],
    index: usize,
    options: &Options,
) {
    let policy = POLICIES[index];
    let options = options
        .clone()
        .format(Format::Epd)
        .en_passant(policy)
        .ops(Some(match name.contains("crazyhouse") {
            true => Ops::COUNTERS_AND_MOVE.into(),
            false => Ops::of(&[Op::Fmvn, Op::Hmvc]).into(),
        }))
        .omit("start".parse().unwrap());
    let games = records_of_games(bytes, &options, &mut ());
    assert_eq!(games.len(), expected.len(), "{name}: number of games");
    for (number, (records, expected)) in (1..).zip(games.iter().zip(expected)) {
        assert_eq!(records.len(), expected.plies, "{name}: plies of game {number}");
        let is_crazyhouse = records.first().is_some_and(|record| record.contains('['));
        let mut crazyhouse = Crazyhouse::default();
        let line = |record: &String| {
            if is_crazyhouse { crazyhouse.line(record) } else { hashed_line(record) }
        };
        let text: String = records.iter().map(line).collect();
        let is_equal = hash(&text) == expected.hashes[index];
        let departs = DEPARTURES.iter().any(|(file, game, _)| (*file, *game) == (name, number));
        assert_eq!(is_equal, !departs, "{name}: game {number}, {policy:?}");
    }
}

/// In the oracle the halfmove clock precedes the move number.
fn hashed_line(record: &str) -> String {
    let (fields, ops) = record.split_once(" fmvn ").unwrap();
    let (fmvn, hmvc) = ops.split_once("; ").unwrap();
    format!("{fields} {hmvc} fmvn {fmvn};\n")
}

/// The differences of python-chess in Crazyhouse: pockets are ordered from queen to pawn, and the
/// halfmove clock is not reset when a pawn is dropped.
#[derive(Default)]
struct Crazyhouse {
    halfmoves: u32,
    drops_pawn: bool,
}

impl Crazyhouse {
    fn line(&mut self, record: &str) -> String {
        let (record, next) = record.split_once(" sm ").unwrap_or((record, ""));
        let line = hashed_line(record);
        let (board, rest) = line.split_once('[').unwrap();
        let (pocket, rest) = rest.split_once(']').unwrap();
        let (fields, ops) = rest.split_once(" hmvc ").unwrap();
        let (halfmoves, fmvn) = ops.split_once(';').unwrap();
        let is_zero = halfmoves == "0" && !self.drops_pawn;
        self.halfmoves = if is_zero { 0 } else { self.halfmoves + 1 };
        self.drops_pawn = next.starts_with('@');
        let mut pocket: Vec<char> = pocket.chars().collect();
        pocket.sort_by_key(|piece| "QRBNPqrbnp".find(*piece));
        let pocket: String = pocket.into_iter().collect();
        format!("{board}[{pocket}]{fields} hmvc {};{fmvn}", self.halfmoves)
    }
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest[..8].iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

#[derive(Default)]
struct Errors(HashMap<u64, Problem>);

impl Observer for Errors {
    fn problem(&mut self, problem: &Problem) {
        if problem.severity() == Severity::Error {
            self.0.entry(problem.game).or_insert_with(|| problem.clone());
        }
    }
}

/// The errors of the oracle, and no others, are reported, with the same place and token.
fn assert_problems(name: &str, bytes: &[u8], expected: &[Expected]) {
    let mut errors = Errors::default();
    records_of_games(bytes, &Options::default(), &mut errors);
    for (number, expected) in (1..).zip(expected) {
        match (&expected.problem, errors.0.get(&number)) {
            (None, None) => {}
            (Some((line, column, token)), Some(ours)) => {
                // For a bad tag the oracle gives the first line of the game.
                let is_tag = token.starts_with('[');
                let place = (ours.place.line, ours.place.column);
                assert!(
                    is_tag || place == (*line, *column),
                    "{name}: {ours}: not at {line}:{column}"
                );
                assert!(is_tag || ours.token == *token, "{name}: {ours}: not {token}");
            }
            (theirs, ours) => panic!("{name}: game {number}: oracle {theirs:?}, ours {ours:?}"),
        }
    }
}

/// Games begin on the same lines as in the oracle.
fn assert_places(name: &str, bytes: &[u8], expected: &[Expected]) {
    for (number, (game, expected)) in (1..).zip(pgn::games(bytes).zip(expected)) {
        assert_eq!(game.place().line, expected.line, "{name}: line of game {number}");
    }
}

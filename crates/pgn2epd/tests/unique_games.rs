//! `--unique-games`, compared with a naive implementation on random games.

use std::io::Cursor;
use std::num::NonZeroUsize;

use pgn2epd::game::{DuplicateGame, GamePlace};
use pgn2epd::input::{Input, Inputs};
use pgn2epd::options::{GameEquality, GamePreference, Keyword};
use pgn2epd::{Conversion, Observer, Options};
use testkit::rng::Rng;
use testkit::shared::is_full;

/// A random game: what it has, and its text.
#[derive(Debug)]
struct Game {
    moves: Vec<&'static str>,
    is_damaged: bool,
    /// The starting position in FEN; the same one has two texts.
    start: usize,
    players: [usize; 2],
    /// Its known parts.
    date: Vec<u32>,
    result: &'static str,
    elo: u32,
    annotations: u32,
    tags: String,
    text: String,
}

/// The names of players, each in several forms.
const PLAYERS: [&[&str]; 4] = [
    &["Carlsen, Magnus", "Magnus Carlsen", "Carlsen,M", "M. Carlsen", "CARLSEN M"],
    &["Réti, Richard", "Richard Reti", "Reti R."],
    &["Carlsen, Henrik", "H. Carlsen"],
    &["?", ""],
];

/// The standard start and the same position with other counters, and one with Black to move.
const STARTS: [(usize, &str); 4] = [
    (0, ""),
    (0, ""),
    (0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9"),
    (1, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
];

fn one<'a, T>(rng: &mut Rng, of: &'a [T]) -> &'a T {
    &of[rng.below(of.len() as u32) as usize]
}

/// A game in which knights go out and back.
fn game(rng: &mut Rng) -> Game {
    let (start, fen) = *one(rng, &STARTS);
    let (mut moves, mut out) = (Vec::new(), [None; 2]);
    for number in 0..rng.below(7) as usize {
        let side = (number + start) % 2;
        let knights = [[("Nc3", "Nb1"), ("Nf3", "Ng1")], [("Nc6", "Nb8"), ("Nf6", "Ng8")]];
        let (there, back) = *one(rng, &knights[side]);
        moves.push(match out[side].take() {
            Some(back) => back,
            None => {
                out[side] = Some(back);
                there
            }
        });
    }
    let players = [rng.below(4) as usize, rng.below(4) as usize];
    let date: Vec<u32> = [2020, 5 + rng.below(2), 1 + rng.below(2)][..rng.below(4) as usize].into();
    let part = |index: usize| date.get(index).map_or("??".to_owned(), |part| format!("{part:02}"));
    let year = date.first().map_or("????".to_owned(), u32::to_string);
    let (result, elo) = (*one(rng, &["1-0", "*"]), rng.between(1, 3) * 1000);
    let [white, black] = players.map(|player| *one(rng, PLAYERS[player]));
    let mut tags = format!(
        "[Event \"{}\"]\n[Date \"{year}.{}.{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n",
        rng.below(2),
        part(1),
        part(2)
    );
    if !fen.is_empty() {
        tags += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    }
    let (mut text, mut annotations) = (format!("{tags}\n"), 0);
    for (number, san) in moves.iter().enumerate() {
        text += san;
        // A variation is an alternative to the move, with a comment in it.
        let first = if (number + start) % 2 == 0 { "a3" } else { "a6" };
        let notes = [("!?", 1), (" $7", 1), (" {a}", 1), (&format!(" ({first} {{b}})"), 2)];
        let (note, count) = if rng.one_in(3) { *one(rng, &notes) } else { ("", 0) };
        text += note;
        text.push(' ');
        annotations += count;
    }
    let is_damaged = rng.one_in(6);
    text += if is_damaged { "Ke5 " } else { "" };
    text += &format!("{result}\n\n");
    Game { moves, is_damaged, start, players, date, result, elo, annotations, tags, text }
}

/// What must be equal, and what may be the beginning of that of another game; `None` if the game
/// is not compared.
fn key(game: &Game, equality: GameEquality) -> Option<(String, Vec<u32>)> {
    let Game { moves, start, players, date, result, tags, .. } = game;
    if moves.is_empty() {
        return (!game.is_damaged).then(|| (tags.clone(), Vec::new()));
    }
    // Moves are ordered by their target.
    let square = |san: &&str| {
        let [.., file, rank] = san.as_bytes() else { panic!("{san}") };
        u32::from(rank - b'1') * 8 + u32::from(file - b'a')
    };
    Some(match equality {
        GameEquality::Prefix(least) if moves.len() >= least as usize => {
            (format!("{start}"), moves.iter().map(square).collect())
        }
        GameEquality::Players(most) => {
            let moves = &moves[..moves.len().min(most as usize)];
            let is_known = players.iter().all(|player| *player < 3);
            let fixed = is_known.then(|| format!("{start} {players:?} {result} {moves:?}"));
            return fixed.map(|fixed| (fixed, date.clone()));
        }
        _ => (format!("{start} {moves:?}"), Vec::new()),
    })
}

/// The number of the game that is kept instead of each; its own if it is kept.
fn naive(games: &[Game], equality: GameEquality, keep: GamePreference) -> Vec<usize> {
    let keys: Vec<_> = games.iter().map(|game| key(game, equality)).collect();
    let group = |number: usize| {
        let (fixed, mut longest) = keys[number].clone()?;
        let others = keys.iter().flatten().filter(|(other, _)| *other == fixed);
        let others: Vec<&Vec<u32>> = others.map(|(_, of)| of).collect();
        let follows = |of: &&&Vec<u32>, longest: &Vec<u32>| {
            of.len() > longest.len() && of.starts_with(longest)
        };
        while let Some(next) = others.iter().filter(|of| follows(of, &longest)).min() {
            longest = (*next).clone();
        }
        Some((fixed, longest))
    };
    let groups: Vec<_> = (0..games.len()).map(group).collect();
    let order = |number: usize| {
        let Game { moves, is_damaged, elo, annotations, .. } = &games[number];
        let rank = match keep {
            GamePreference::First => 0,
            GamePreference::Last => number,
            GamePreference::Longest => moves.len(),
            GamePreference::MostAnnotated => *annotations as usize,
            GamePreference::BestRated => *elo as usize,
        };
        (*is_damaged, usize::MAX - rank, number)
    };
    let kept = |number: usize| {
        let equal = |other: &usize| groups[number].is_some() && groups[*other] == groups[number];
        (0..games.len()).filter(equal).min_by_key(|other| order(*other)).unwrap_or(number)
    };
    (0..games.len()).map(kept).collect()
}

#[derive(Default)]
struct Listed(Vec<DuplicateGame>);

impl Observer for Listed {
    fn duplicate(&mut self, duplicate: &DuplicateGame) {
        self.0.push(duplicate.clone());
    }
}

/// Writes the games of two files, and lists the duplicates as numbers of games.
fn run(files: [&[Game]; 2], options: &Options) -> (String, Vec<(usize, usize)>) {
    let (mut output, mut listed) = (Vec::new(), Listed::default());
    let texts = files.map(|games| games.iter().map(|game| &*game.text).collect::<String>());
    let inputs = ["a.pgn", "b.pgn"].into_iter().zip(&texts);
    let inputs = Inputs::new(
        inputs.map(|(name, text)| Input::reader(name, Cursor::new(text.clone().into_bytes()))),
    );
    let mut conversion = Conversion::new(&mut output, options);
    for text in inputs {
        conversion.text(text.unwrap(), &mut ()).unwrap();
    }
    let (summary, _) = conversion.finish_observed(&mut listed).unwrap();
    assert_eq!(summary.duplicates, listed.0.len() as u64);
    let number = |GamePlace { file, line, game }: &GamePlace| {
        let (file, before) = if &**file == "a.pgn" { (0, 0) } else { (1, files[0].len()) };
        let index = *game as usize - 1;
        let lines: usize = files[file][..index].iter().map(|game| game.text.lines().count()).sum();
        assert_eq!(*line as usize, lines + 1, "game {game} of {file}");
        before + index
    };
    let places = listed.0.iter().map(|of| (number(&of.omitted), number(&of.kept))).collect();
    (String::from_utf8(output).unwrap(), places)
}

#[test]
fn equal_games_are_those_of_the_naive_implementation() {
    let keeps = GamePreference::ALL.iter().copied();
    let (mut rng, mut omitted, mut damaged) = (Rng::new(38), 0, 0);
    let rounds = if is_full() { 6 } else { 3 };
    for round in 0..rounds {
        let games: Vec<Game> = (0..150).map(|_| game(&mut rng)).collect();
        let files = [&games[..60], &games[60..]];
        let equalities = [
            GameEquality::Moves,
            GameEquality::Prefix(2),
            GameEquality::Prefix(5),
            GameEquality::Players(1),
            GameEquality::Players(20),
        ];
        for (equality, keep) in equalities
            .into_iter()
            .flat_map(|equality| keeps.clone().map(move |keep| (equality, keep)))
        {
            let kept = naive(&games, equality, keep);
            let numbers = 0..games.len();
            let expected: String = numbers
                .clone()
                .filter(|number| kept[*number] == *number)
                .map(|number| &*games[number].text)
                .collect();
            let duplicates: Vec<(usize, usize)> = numbers
                .filter(|number| kept[*number] != *number)
                .map(|number| (number, kept[number]))
                .collect();
            omitted += duplicates.len();
            damaged += duplicates.iter().filter(|(number, _)| games[*number].is_damaged).count();
            for (threads, chunk_bytes, memory) in
                [(1, 4 << 20, 1 << 30), (3, 700, 1), (2, 64, 40_000)]
            {
                let (how, which) = (equality.to_string(), keep.to_string());
                let names = [("format", "pgn"), ("unique-games", &how), ("keep", &which)];
                let options = Options::from_names(names).unwrap().memory(memory);
                let options = options.jobs(NonZeroUsize::new(threads)).chunk_bytes(chunk_bytes);
                let (output, found) = run(files, &options);
                let run = format!("{round}: {how} {which} -j {threads} {chunk_bytes} {memory}");
                assert_eq!(found, duplicates, "{run}");
                assert!(output == expected, "{run}");
            }
        }
    }
    assert!(omitted > 500 * rounds && damaged > 50 * rounds, "{omitted} {damaged}");
}

#[test]
fn records_and_rows_of_equal_games_are_left_out() {
    let games = [
        "[White \"A\"]\n\n1. e4 e5 1-0\n\n",
        "[White \"B\"]\n\n1. d4 1-0\n\n",
        "[White \"C\"]\n\n1. e2e4 {a} e7-e5 2. Nf3 Ke6 1-0\n\n",
        "[White \"D\"]\n\n1. e4 e5 2. Nf3 1-0\n\n",
    ];
    let text = games.concat();
    let convert = |names: &[(&str, &str)]| {
        let options = Options::from_names(names.iter().copied()).unwrap();
        let mut output = Vec::new();
        let summary = pgn2epd::convert(text.as_bytes(), &mut output, &options).unwrap();
        (String::from_utf8(output).unwrap(), summary)
    };
    let unique = [("unique-games", "true"), ("keep", "last"), ("format", "fen")];
    let prefix = ("unique-games", "prefix:1");
    // The number of lines and of games left out: C, and A with `prefix`.
    for (names, expected, duplicates) in [
        (&unique[..], 3 + 2 + 4, 1),
        // Only games with a selected position are compared.
        (&[unique[0], unique[2], ("where", "White != \"D\"")], 3 + 2 + 4, 0),
        (&[unique[0], unique[2], ("limit", "6"), ("skip", "1")], 6, 1),
        (&[unique[0], unique[2], ("shuffle", "true")], 3 + 2 + 4, 1),
        (&[unique[0], unique[2], ("where", "ply = 0"), ("sample", "2")], 2, 1),
        (&[prefix, unique[2]], 2 + 4, 2),
        (&[unique[0], ("format", "csv"), ("rows", "games")], 1 + 3, 1),
        (&[unique[0], ("format", "csv"), ("sort", "-ply")], 1 + 3 + 2 + 4, 1),
        (&[prefix, ("ops", "eco,sm"), ("registers", "delta")], 2 + 4, 2),
        (&[unique[0], ("format", "c9")], 3 + 2 + 4, 1),
    ] {
        let (output, summary) = convert(names);
        assert_eq!(
            (output.lines().count(), summary.duplicates),
            (expected, duplicates),
            "{names:?}: {output}"
        );
    }
    let (rows, _) =
        convert(&[unique[0], ("format", "csv"), ("columns", "White"), ("rows", "games")]);
    assert_eq!(rows, "White\nA\nB\nD\n");
}

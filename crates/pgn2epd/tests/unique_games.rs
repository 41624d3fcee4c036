//! `--unique-games`, compared with a naive implementation on random games.

use std::io::Cursor;

use pgn2epd::input::{Input, Inputs};
use pgn2epd::options::GameEquality;
use pgn2epd::{Conversion, Options};
use testkit::rng::Rng;
use testkit::shared::is_full;

use crate::support::{jobs, named};

/// A random game: what it has, and its text.
#[derive(Debug)]
struct Game {
    moves: Vec<&'static str>,
    is_damaged: bool,
    /// The starting position in FEN; the same one has two texts.
    start: usize,
    tags: String,
    text: String,
}

/// The standard start and the same position with other counters, and one with Black to move.
const STARTS: [(usize, &str); 4] = [
    (0, ""),
    (0, ""),
    (0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9"),
    (1, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
];

/// A game in which knights go out and back.
fn game(rng: &mut Rng) -> Game {
    let (start, fen) = rng.pick(&STARTS);
    let (mut moves, mut out) = (Vec::new(), [None; 2]);
    for number in 0..rng.below(7) as usize {
        let side = (number + start) % 2;
        let knights = [[("Nc3", "Nb1"), ("Nf3", "Ng1")], [("Nc6", "Nb8"), ("Nf6", "Ng8")]];
        let (there, back) = rng.pick(&knights[side]);
        moves.push(match out[side].take() {
            Some(back) => back,
            None => {
                out[side] = Some(back);
                there
            }
        });
    }
    let result = rng.pick(&["1-0", "*"]);
    let event = rng.below(2);
    let mut tags = format!("[Event \"{event}\"]\n[Result \"{result}\"]\n");
    if !fen.is_empty() {
        tags += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    }
    let mut text = format!("{tags}\n");
    for (number, san) in moves.iter().enumerate() {
        text += san;
        // A variation is an alternative to the move, with a comment in it.
        let first = if (number + start) % 2 == 0 { "a3" } else { "a6" };
        let notes = ["!?", " $7", " {a}", &format!(" ({first} {{b}})")];
        text += if rng.one_in(3) { rng.pick(&notes) } else { "" };
        text.push(' ');
    }
    let is_damaged = rng.one_in(6);
    text += if is_damaged { "Ke5 " } else { "" };
    text += &format!("{result}\n\n");
    Game { moves, is_damaged, start, tags, text }
}

/// What must be equal, and what may be the beginning of that of another game; `None` if the game
/// is not compared.
fn key(game: &Game, equality: GameEquality) -> Option<(String, Vec<u32>)> {
    let Game { moves, start, tags, .. } = game;
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
        _ => (format!("{start} {moves:?}"), Vec::new()),
    })
}

/// The number of the game that is kept instead of each; its own if it is kept.
fn naive(games: &[Game], equality: GameEquality) -> Vec<usize> {
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
        let Game { moves, is_damaged, .. } = &games[number];
        (*is_damaged, usize::MAX - moves.len(), number)
    };
    let kept = |number: usize| {
        let equal = |other: &usize| groups[number].is_some() && groups[*other] == groups[number];
        (0..games.len()).filter(equal).min_by_key(|other| order(*other)).unwrap_or(number)
    };
    (0..games.len()).map(kept).collect()
}

/// Writes the games of two files; returns how many are left out, too.
fn run(files: [&[Game]; 2], options: &Options) -> (String, u64) {
    let mut output = Vec::new();
    let texts = files.map(|games| games.iter().map(|game| &*game.text).collect::<String>());
    let inputs = ["a.pgn", "b.pgn"].into_iter().zip(&texts);
    let inputs = Inputs::new(
        inputs.map(|(name, text)| Input::reader(name, Cursor::new(text.clone().into_bytes()))),
    );
    let mut conversion = Conversion::new(&mut output, options);
    for text in inputs {
        conversion.text(text.unwrap(), &mut ()).unwrap();
    }
    let duplicates = conversion.finish().unwrap().duplicates;
    (String::from_utf8(output).unwrap(), duplicates)
}

#[test]
fn equal_games_are_those_of_the_naive_implementation() {
    let (mut rng, mut omitted, mut damaged) = (Rng::new(38), 0, 0);
    let rounds = if is_full() { 24 } else { 12 };
    for round in 0..rounds {
        let games: Vec<Game> = (0..150).map(|_| game(&mut rng)).collect();
        let files = [&games[..60], &games[60..]];
        for equality in [GameEquality::Moves, GameEquality::Prefix(2), GameEquality::Prefix(5)] {
            let kept = naive(&games, equality);
            let is_kept = |number: &usize| kept[*number] == *number;
            let (left, duplicates): (Vec<usize>, Vec<usize>) = (0..games.len()).partition(is_kept);
            let expected: String = left.into_iter().map(|number| &*games[number].text).collect();
            omitted += duplicates.len();
            damaged += duplicates.iter().filter(|number| games[**number].is_damaged).count();
            for (threads, chunk_bytes, memory) in
                [(1, 4 << 20, 1 << 30), (3, 700, 1), (2, 64, 40_000)]
            {
                let how = equality.to_string();
                let names = [("format", "pgn"), ("unique-games", &*how)];
                let options = named(&names).memory(memory);
                let options = options.jobs(jobs(threads)).chunk_bytes(chunk_bytes);
                let (output, found) = run(files, &options);
                let run = format!("{round}: {how} -j {threads} {chunk_bytes} {memory}");
                assert_eq!(found, duplicates.len() as u64, "{run}");
                assert!(output == expected, "{run}");
            }
        }
    }
    assert!(omitted > 100 * rounds && damaged > 10 * rounds, "{omitted} {damaged}");
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
        let mut output = Vec::new();
        let summary = pgn2epd::convert(text.as_bytes(), &mut output, &named(names)).unwrap();
        (String::from_utf8(output).unwrap(), summary)
    };
    let unique = [("unique-games", "true"), ("format", "fen")];
    let prefix = ("unique-games", "prefix:1");
    // The number of lines and of games left out: C, and A with `prefix`.
    for (names, expected, duplicates) in [
        (&unique[..], 3 + 2 + 4, 1),
        // Only games with a selected position are compared.
        (&[unique[0], unique[1], ("where", "White != \"D\"")], 3 + 2 + 4, 0),
        (&[unique[0], unique[1], ("limit", "6"), ("skip", "1")], 6, 1),
        (&[unique[0], unique[1], ("shuffle", "true")], 3 + 2 + 4, 1),
        (&[unique[0], unique[1], ("where", "ply = 0"), ("sample", "2")], 2, 1),
        (&[prefix, unique[1]], 2 + 4, 2),
        (&[unique[0], ("format", "csv"), ("rows", "games")], 1 + 3, 1),
        (&[unique[0], ("format", "csv"), ("sort", "-ply")], 1 + 3 + 2 + 4, 1),
        (&[prefix, ("ops", "eco,sm"), ("registers", "delta")], 2 + 4, 2),
        (&[unique[0], ("format", "c9")], 3 + 2 + 4, 1),
    ] {
        let (output, summary) = convert(names);
        let found = (output.lines().count(), summary.duplicates);
        assert_eq!(found, (expected, duplicates), "{names:?}: {output}");
    }
    let (rows, _) =
        convert(&[unique[0], ("format", "csv"), ("columns", "White"), ("rows", "games")]);
    assert_eq!(rows, "White\nA\nB\nD\n");
}

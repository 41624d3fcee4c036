//! Polyglot books: keys, thresholds and weights of moves.

use crate::support::program;

/// Key, move and weight of the entries of a book.
fn entries(book: &[u8]) -> Vec<(u64, u16, u16)> {
    let entry = |entry: &[u8]| {
        let number = |range: std::ops::Range<usize>| {
            entry[range].iter().fold(0, |number: u64, byte| number << 8 | u64::from(*byte))
        };
        (number(0..8), number(8..10) as u16, number(10..12) as u16)
    };
    book.chunks(16).map(entry).collect()
}

fn written(games: &str, args: &[&str]) -> Vec<u8> {
    let args = [&["book", "-o", "x.bin", "in.pgn"], args].concat();
    let outcome = program().file("in.pgn", games).args(args).run_quietly();
    outcome.file("x.bin").unwrap()
}

/// After 1... d5 the capture is pinned; the second game reaches the same position without the en
/// passant square.
const PINNED: &str = "[FEN \"8/3p4/8/K3P2r/8/8/8/4k3 b - - 0 1\"]\n[SetUp \"1\"]\n[Result \"1-0\"]\n\n1... d5 2. Ka4 1-0\n\n\
    [FEN \"8/8/3p4/K3P2r/8/8/8/4k3 b - - 0 1\"]\n[SetUp \"1\"]\n[Result \"1-0\"]\n\n1... d5 2. Kb5 1-0\n";

#[test]
fn an_en_passant_square_whose_capture_is_pinned_is_part_of_the_key() {
    let keys = program()
        .args(["--ops", "none", "--add", "key={key}", "--where", "san != ''"])
        .stdin(PINNED)
        .run();
    let keys = keys.lines().into_iter().filter(|line| line.contains(" w "));
    let mut keys: Vec<u64> = keys
        .map(|line| u64::from_str_radix(line.rsplit('"').nth(1).unwrap(), 16).unwrap())
        .collect();
    keys.sort_unstable();
    assert!(keys.contains(&0x2874_1f70_99a3_606f));
    let book = written(PINNED, &[]);
    let mut found: Vec<u64> = entries(&book).into_iter().map(|(key, ..)| key).collect();
    found.retain(|key| keys.contains(key));
    assert_eq!(found, keys);
    for (field, san) in [("d6", "Ka4"), ("-", "Kb5")] {
        let fen = format!("8/8/8/K2pP2r/8/8/8/4k3 w - {field} 0 2");
        let args = ["book", "show", "x.bin", "--fen", &fen];
        let outcome = program().file("x.bin", &book).args(args).run();
        assert!(outcome.text().contains(san), "{field}: {}", outcome.text());
    }
    // Everywhere else it is one position.
    let outcome = program().args(["book", "--format", "csv", "--ply", "1"]).stdin(PINNED).run();
    let counts: Vec<String> = outcome
        .lines()
        .iter()
        .skip(1)
        .map(|line| line.split(',').skip(1).take(3).collect::<Vec<_>>().join(","))
        .collect();
    assert_eq!(counts, ["Ka4,a5a4,1", "Kb5,a5b5,1"]);
    // A merge has the same keys.
    let part = program().args(["book", "--partial", "-o", "x.part"]).stdin(PINNED).run();
    let merged = program()
        .file("x.part", part.file("x.part").unwrap())
        .args(["book", "merge", "x.part", "-o", "y.bin"])
        .run();
    assert_eq!(merged.file("y.bin").unwrap(), book);
}

#[test]
fn moves_are_selected_one_by_one() {
    let game = |moves: &str, result: &str| format!("[Result \"{result}\"]\n\n{moves} {result}\n\n");
    let games = [
        game("1. e4 e5", "1-0"),
        game("1. e4 c5", "1/2-1/2"),
        game("1. e4 c5", "0-1"),
        game("1. d4 d5", "1-0"),
        game("1. d4 d5", "0-1"),
        game("1. d4 d5", "0-1"),
        game("1. c4 c5", "0-1"),
    ]
    .concat();
    let sans = |args: &[&str]| {
        let book = written(&games, args);
        // The moves of the two sides have different ranks.
        let mut moves: Vec<String> = entries(&book)
            .iter()
            .map(|(_, code, weight)| {
                let file = |bits: u16| char::from(b'a' + (bits & 7) as u8);
                let rank = (code >> 3 & 7) + 1;
                format!("{}{rank}={weight}", file(*code))
            })
            .collect();
        moves.sort();
        moves.join(" ")
    };
    // e4: 3 points of 2 + 1 + 0; d4: 2 of three games; e5: no point; c5: 1 + 2 after e4, 2 after
    // c4; d5: 4.
    assert_eq!(sans(&[]), "c5=2 c5=3 d4=2 d5=4 e4=3");
    assert_eq!(sans(&["--min-move-games", "2"]), "c5=3 d4=2 d5=4 e4=3");
    assert_eq!(sans(&["--min-move-games", "3"]), "d4=2 d5=4 e4=3");
    assert_eq!(sans(&["--min-move-score", "0.5"]), "c5=2 c5=3 d5=4 e4=3");
    assert_eq!(sans(&["--min-move-score", "0.75"]), "c5=2 c5=3");
    assert_eq!(sans(&["--min-move-score", "0.750001"]), "c5=2");
    let uniform = sans(&["--weights", "uniform", "--min-move-games", "2"]);
    assert_eq!(uniform, "c5=1 d4=1 d5=1 e4=1");
    // Equal weights are those of all moves, also of lost ones.
    assert_eq!(sans(&["--weights", "uniform"]), "c4=1 c5=1 c5=1 d4=1 d5=1 e4=1 e5=1");
}

#[test]
fn games_without_a_result_are_draws_unless_they_are_skipped() {
    let games = "[Result \"*\"]\n\n1. e4 e5 *\n\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n";
    // e4 and e5 as draws, d5 as a win.
    let book = written(games, &[]);
    let mut weights: Vec<u16> = entries(&book).into_iter().map(|(.., weight)| weight).collect();
    weights.sort();
    assert_eq!(weights, [1, 1, 2]);
    assert_eq!(written(games, &["--unknown-result", "draw"]), book);
    assert_eq!(written(games, &["--unknown-result", "skip"]).len(), 16);
    // With equal weights, results do not matter.
    let uniform = ["--weights", "uniform", "--unknown-result", "skip"];
    assert_eq!(written("1. e4 e5 2. Nf3 *\n", &uniform).len(), 3 * 16);
}

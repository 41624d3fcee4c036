//! Games compared with a repertoire: where each of them left it.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::fen::Epd;
use shakmaty::san::{San, SanPlus};
use shakmaty::{Chess, Color, EnPassantMode, Position};
use testkit::naive::games;
use testkit::program::Outcome;
use testkit::rng::Rng;

use crate::support::program;

const REPERTOIRE: &str =
    "1. d4 d5 (1... Nf6 2. c4 e6 (2... g6 3. Nc3) 3. Nc3 Bb4) 2. c4 e6 3. Nc3 *\n";

const PLAYED: &str = r#"[White "Anna"]
[Black "Ben"]
[Date "2024.05.01"]
[Result "1-0"]

1. c4 Nf6 2. d4 e6 3. Nf3 b6 1-0

[White "Anna"]
[Black "Cleo"]
[Date "2024.05.??"]
[Result "0-1"]

1. d4 f5 2. c4 0-1

[White "Anna"]
[Black "Dan"]

1. d4 e6 2. c4 d5 3. Nc3 Be7 (3... c5) 4. Nf3 *

[White "Anna"]

1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 *

1. d4 Nf6 2. c4 g6 *

[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]

1. e4 *

1. d4 Nf6 2. Qh8 c5 *

[White "Eve"]
[Black "Anna"]

1. d4 Nf6 2. c4 e6 3. Nc3 d5 4. e3 Qh3 *
"#;

fn gaps(repertoire: &str, games: &str, args: &[&str]) -> Outcome {
    let program = program().file("r.pgn", repertoire).file("games.pgn", games);
    program.args(["book", "gaps", "r.pgn"]).args(args).run()
}

#[test]
fn each_game_has_the_place_where_it_left_the_repertoire() {
    let white = gaps(REPERTOIRE, PLAYED, &["--side", "white", "--games", "games.pgn"]);
    // Game 7 had not left it before the error, and game 8 had.
    let errors = "games.pgn:31:14: game 7, 2. Qh8: illegal: no white queen can reach h8\n\
        games.pgn:36:36: game 8 (Eve - Anna), 4... Qh3: illegal: no black queen can reach h3\n";
    assert_eq!((white.status, &*white.stderr), (1, errors));
    insta::assert_snapshot!("gaps-of-games-white", white.text());
    let black = gaps(REPERTOIRE, PLAYED, &["--side", "black", "--games", "games.pgn"]);
    insta::assert_snapshot!("gaps-of-games-black", black.text());
}

/// Random moves, those first in a fixed order more often, so that games share positions.
fn random_game(rng: &mut Rng, plies: u32) -> String {
    let mut position = Chess::default();
    let mut text = String::new();
    for ply in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mut below = || rng.below(moves.len().min(4) as u32);
        let next = moves[below().min(below()) as usize];
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += &format!("{} ", SanPlus::from_move_and_play_unchecked(&mut position, next));
    }
    text + "*\n\n"
}

/// The positions of a game, as four fields, and the moves played from them.
fn played(moves: &[String]) -> Vec<(Chess, String, Option<String>)> {
    let mut position = Chess::default();
    let mut positions = Vec::new();
    let fields = |position: &Chess| Epd::from_position(position, EnPassantMode::Legal).to_string();
    for san in moves {
        positions.push((position.clone(), fields(&position), Some(san.clone())));
        let next = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
        position.play_unchecked(next);
    }
    positions.push((position.clone(), fields(&position), None));
    positions
}

/// A repertoire as sets of texts.
struct Naive {
    side: Color,
    moves: BTreeMap<String, BTreeSet<String>>,
}

impl Naive {
    fn of(text: &str, side: Color) -> Self {
        let mut moves = BTreeMap::<String, BTreeSet<String>>::new();
        for game in games(text) {
            for (_, fields, next) in played(&game.moves) {
                moves.entry(fields).or_default().extend(next);
            }
        }
        Naive { side, moves }
    }

    fn covers(&self, position: &Chess, fields: &str) -> bool {
        let Some(moves) = self.moves.get(fields) else { return false };
        position.turn() != self.side || !moves.is_empty() || position.legal_moves().is_empty()
    }

    /// The legal moves after which a position is covered.
    fn stays(&self, position: &Chess) -> BTreeSet<String> {
        let moves = position.legal_moves().into_iter();
        let stays = moves.filter(|next| {
            let mut after = position.clone();
            after.play_unchecked(*next);
            self.covers(&after, &Epd::from_position(&after, EnPassantMode::Legal).to_string())
        });
        stays.map(|next| San::from_move(position, next).to_string()).collect()
    }

    /// Whether a game came back into the repertoire.
    fn returns(&self, moves: &[String]) -> bool {
        let positions = played(moves);
        let covered: Vec<_> =
            positions.iter().map(|(at, fields, _)| self.covers(at, fields)).collect();
        covered.windows(2).any(|pair| pair == [false, true])
    }

    /// The kind, the ply, the move, and the moves of the repertoire; `None` if the game stays.
    fn compare(&self, moves: &[String]) -> Option<[String; 4]> {
        let positions = played(moves);
        let last =
            positions.iter().rposition(|(position, fields, _)| self.covers(position, fields));
        let ply = last.expect("each game begins in the starting position");
        let (position, fields, next) = &positions[ply];
        let next = next.clone()?;
        let stays = self.stays(position);
        let kind = match position.turn() == self.side {
            true => "own",
            false if stays.is_empty() && self.moves[fields].is_empty() => "end",
            false => "reply",
        };
        let stays: Vec<String> = stays.into_iter().collect();
        let stays = if stays.is_empty() { "-".to_owned() } else { stays.join(" ") };
        Some([kind.to_owned(), ply.to_string(), next, stays])
    }
}

#[test]
fn games_leave_a_repertoire_where_a_naive_comparison_says() {
    let mut rng = Rng::new(20);
    let repertoire: String = (0..60).map(|plies| random_game(&mut rng, 7 + plies % 4)).collect();
    // More than one chunk.
    let lengths: Vec<u32> = (0..6000).map(|_| rng.between(1, 24)).collect();
    let played: String = lengths.into_iter().map(|plies| random_game(&mut rng, plies)).collect();
    assert!(played.len() > 300_000);
    for (side, name) in [(Color::White, "white"), (Color::Black, "black")] {
        let outcome = gaps(&repertoire, &played, &["--side", name, "--games", "games.pgn"]);
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
        let naive = Naive::of(&repertoire, side);
        let all = games(&played);
        let compared = (1..).zip(&all).filter_map(|(number, game)| {
            let [kind, ply, next, stays] = naive.compare(&game.moves)?;
            Some(format!("{number} {kind} {ply} {} {stays}", next.trim_end_matches(['+', '#'])))
        });
        let expected: Vec<String> = compared.collect();
        let row = |line: &&str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let result = words.iter().position(|word| *word == "*").unwrap();
            let number = words.iter().position(|word| *word == "game").unwrap() + 1;
            let san = |san: &str| san.trim_end_matches(['+', '#']).to_owned();
            let mut stays: Vec<String> = words[4..result].iter().map(|word| san(word)).collect();
            stays.sort();
            let [kind, ply, next] = [words[0], words[1], words[3]];
            format!("{} {kind} {ply} {} {}", words[number], san(next), stays.join(" "))
        };
        assert!(all.iter().filter(|game| naive.returns(&game.moves)).count() > 20);
        let lines = outcome.lines();
        let (total, rows) = lines[1..].split_last().unwrap();
        let rows: Vec<String> = rows.iter().map(row).collect();
        let differs = rows.iter().zip(&expected).find(|(ours, theirs)| ours != theirs);
        assert_eq!((differs, rows.len()), (None, expected.len()));
        let stayed = all.len() - expected.len();
        let of = |kind: &str| rows.iter().filter(|row| row.split(' ').nth(1) == Some(kind)).count();
        let [own, reply, end] = ["own", "reply", "end"].map(of);
        assert!([own, reply, end, stayed].iter().all(|count| *count > 20), "{total}");
        assert_eq!(
            *total,
            format!(
                "6,000 games: {} left the repertoire (own {own}, reply {reply}, end {end}), {stayed} stayed in it, 0 never reached it",
                expected.len()
            )
        );
    }
}

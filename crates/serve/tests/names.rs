//! The names of positions, compared with the table of names on shakmaty's board.

use std::collections::BTreeMap;

use pgn::Outcome;
use serde_json::{Value, json};
use serve::{Library, Server};
use shakmaty::fen::Epd;
use shakmaty::san::{San, SanPlus};
use shakmaty::{Chess, EnPassantMode, Position as _};

use crate::support::{Counted, post, serve};

const TABLE: &str = include_str!("../../openings/data/openings.tsv");

type Names = BTreeMap<String, Value>;

fn fields(board: &Chess) -> String {
    Epd::from_position(board, EnPassantMode::Legal).to_string()
}

/// The names of positions, and the moves that lead to each.
fn table() -> (Names, Vec<Vec<String>>) {
    let (mut names, mut lines) = (Names::new(), Vec::new());
    for row in TABLE.lines().filter(|row| !row.starts_with('#')).skip(1) {
        let [eco, name, moves] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let is_move = |word: &&str| !word.starts_with(|first: char| first.is_ascii_digit());
        let moves: Vec<String> = moves.split(' ').filter(is_move).map(str::to_owned).collect();
        let mut board = Chess::default();
        moves.iter().for_each(|san| play(&mut board, san));
        names.insert(fields(&board), json!({"eco": eco, "name": name}));
        lines.push(moves);
    }
    (names, lines)
}

fn play(board: &mut Chess, san: &str) {
    let next = san.parse::<San>().unwrap().to_move(board).unwrap();
    board.play_unchecked(next);
}

/// Lines of the table, each followed by some random moves.
fn lines(table: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut random = 1_u64;
    let mut below = |count: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % count
    };
    let mut lines = Vec::new();
    for number in 0..400 {
        let named = &table[below(table.len())];
        let mut line = named[..below(named.len() + 1)].to_vec();
        let mut board = Chess::default();
        line.iter().for_each(|san| play(&mut board, san));
        for _ in 0..number % 9 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let san = SanPlus::from_move_and_play_unchecked(&mut board, moves[below(moves.len())]);
            line.push(san.to_string());
        }
        lines.push(line);
    }
    lines
}

#[test]
fn a_line_has_the_name_of_its_last_named_position_and_a_move_its_own() {
    let (names, table) = table();
    let lines = lines(&table);
    let start = san::Position::default;
    let played = lines.iter().filter(|line| !line.is_empty());
    let counted = played.fold(Counted::default(), |counted, line| {
        counted.game(start(), &line.join(" "), Outcome::Draw, 2000)
    });
    let address = serve(Server::new(vec![Library::new("a", counted).unwrap()]).unwrap());
    let asked: Value = lines.iter().map(|line| json!({"play": line})).collect();
    let answers = post(address, "/a", &asked.to_string()).json();
    let (mut kept, mut moves) = (0, 0);
    for (line, answer) in lines.iter().zip(answers.as_array().unwrap()) {
        let mut board = Chess::default();
        let mut expected = names.get(&fields(&board));
        for san in line {
            play(&mut board, san);
            expected = names.get(&fields(&board)).or(expected);
        }
        kept += usize::from(expected.is_some() && !names.contains_key(&fields(&board)));
        assert_eq!(Some(&answer["opening"]), expected.or(Some(&Value::Null)), "{line:?}");
        for found in answer["moves"].as_array().unwrap() {
            let mut after = board.clone();
            play(&mut after, found["san"].as_str().unwrap());
            let expected = names.get(&fields(&after)).unwrap_or(&Value::Null);
            assert_eq!(&found["opening"], expected, "{line:?} {found}");
            moves += usize::from(!expected.is_null());
        }
    }
    // Lines that left the named ones, and moves that lead to a name.
    assert!(kept > 100 && moves > 100, "{kept} {moves}");
}

//! Unusual PGN texts of people and programs, with the desired results.
//!
//! They are outside of the repository, in `../shared/quirks`; without them these tests are skipped.
//! [`DIFFERENT`] lists intended differences, [`SKIPPED`] unsupported cases.

mod fixture;
mod matrix;
mod table;

use std::fs;

use pgn2epd::Game;
use pgn2epd::game::Severity;
use serde_json::Value;
use testkit::shared::shared;

use crate::support::{self, decoded};

/// Unsupported cases, with the reason.
const SKIPPED: &[(&str, &str)] =
    &[("variant-crazyhouse", "other variants than Chess960 are refused")];

/// Intended differences, with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("fen-upper-case-side", "a W has one reading: it is taken, with a warning"),
    ("result-with-colon", "a colon between the points has one reading"),
    ("comma", "a comma after a move has one reading"),
    ("open-at-end", "a variation that is not closed may hold moves of the main line"),
    ("open-before-next-game", "a variation that is not closed may hold moves of the main line"),
    ("open-with-result", "a variation that is not closed may hold moves of the main line"),
    ("fen-halfmove-dash", "a - as clock has one reading: it is taken as 0, with a warning"),
];

struct Case {
    name: String,
    pgn: Vec<u8>,
    games: Vec<Value>,
}

fn cases() -> Vec<Case> {
    let Some(path) = shared().map(|folder| folder.join("quirks/quirks.jsonl")) else {
        return Vec::new();
    };
    let text = fs::read_to_string(path).unwrap();
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    cases.map(|case| Case::new(&case)).collect()
}

impl Case {
    fn new(case: &Value) -> Self {
        let pgn = match case["pgn"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => base64(case["pgn_base64"].as_str().unwrap()),
        };
        Case {
            name: case["name"].as_str().unwrap().to_owned(),
            pgn: decoded(&pgn).unwrap(),
            games: case["recommended"]["games"].as_array().unwrap().clone(),
        }
    }
}

/// Six bits a character, up to the padding.
fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for letter in text.bytes().take_while(|letter| *letter != b'=') {
        let six = LETTERS.iter().position(|other| *other == letter).unwrap() as u32;
        (bits, held) = (bits << 6 | six, held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

/// A description of the difference, if any.
fn complaint(case: &Case) -> Option<String> {
    let games = support::games(&case.pgn);
    if games.len() != case.games.len() {
        return Some(format!("{} games, not {}", games.len(), case.games.len()));
    }
    games.iter().zip(&case.games).find_map(|(game, expected)| {
        complaint_of_game(game, expected).map(|text| format!("game {}: {text}", game.number))
    })
}

fn complaint_of_game(game: &Game, expected: &Value) -> Option<String> {
    let error = game.problems.iter().find(|problem| problem.severity() == Severity::Error);
    if error.is_some() == expected["problem"].is_null() {
        let error = error.map_or("no error".to_owned(), ToString::to_string);
        return Some(format!("{error}, not {}", expected["problem"]));
    }
    let plies = game.positions.len().saturating_sub(1);
    if plies as u64 != expected["plies"].as_u64().unwrap() {
        return Some(format!("{plies} plies, not {}", expected["plies"]));
    }
    let last = game.positions.last().map(|record| record.position.to_string());
    if last.as_deref() != expected["final_fen"].as_str() {
        return Some(format!("{last:?}, not {}", expected["final_fen"]));
    }
    None
}

#[test]
fn unusual_texts_are_read_as_intended() {
    let listed = |list: &[(&str, &str)], name: &str| list.iter().any(|(other, _)| *other == name);
    let cases = cases();
    let mut wrong = String::new();
    for case in &cases {
        if listed(SKIPPED, &case.name) {
            continue;
        }
        match (complaint(case), listed(DIFFERENT, &case.name)) {
            (None, false) | (Some(_), true) => {}
            (Some(text), false) => wrong += &format!("{}: {text}\n", case.name),
            (None, true) => wrong += &format!("{}: not different any more\n", case.name),
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    let is_case = |name: &str| cases.is_empty() || cases.iter().any(|case| case.name == name);
    assert!(SKIPPED.iter().chain(DIFFERENT).all(|(name, _)| is_case(name)));
}

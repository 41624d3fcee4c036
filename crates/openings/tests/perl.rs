//! Comparison with Perl's Chess::PGN::EPD: its tables and answers are beside the repository.

use std::fs;
use std::path::Path;

use openings::Openings;
use serde_json::Value;
use testkit::shared::shared;

fn answers(shared: &Path) -> Vec<Value> {
    let text = fs::read_to_string(shared.join("oracle/perl/games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn tables(shared: &Path) -> Openings {
    let mut openings = Openings::default();
    for name in ["ECO", "NIC", "Opening"] {
        let file = fs::read(shared.join(format!("openings/perl/{name}.txt"))).unwrap();
        openings.layer(&file).unwrap_or_else(|error| panic!("{name}:{error}"));
    }
    openings
}

#[test]
fn with_its_tables_the_answers_are_those_of_perl() {
    let Some(shared) = shared() else { return };
    let openings = tables(&shared);
    let games = answers(&shared);
    assert!(games.len() >= 300);
    for game in games {
        let moves = game["moves"].as_array().unwrap().iter().map(|token| token.as_str().unwrap());
        let name = openings.classify_game(moves).unwrap();
        let known = |name: Option<&str>| Value::from(name.unwrap_or("Unknown"));
        assert_eq!(known(name.eco()), game["eco"], "{}", game["source"]);
        assert_eq!(known(name.nic()), game["nic"], "{}", game["source"]);
        // An EPD string cannot contain double quotes or consecutive spaces.
        let theirs = game["opening"].as_str().unwrap().replace('"', "'");
        assert_eq!(known(name.opening()), Value::from(&*theirs), "{}", game["source"]);
    }
}

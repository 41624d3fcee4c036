//! The operations that a game's records need for their openings, and what a reader holds after them.

use std::collections::{BTreeMap, HashMap};

use openings::{Opening, OpeningChange, OpeningTracker, Openings};
use san::{Buffer, Position, PositionKey};
use testkit::rng::Rng;

use crate::embedded::rows;

/// What a reader holds: a part of a name ends when an earlier one is set or cleared.
#[derive(Clone, Debug, Default, PartialEq)]
struct Registers(BTreeMap<String, String>);

impl Registers {
    fn read(&mut self, operations: &str) {
        for operation in operations.split_terminator(';') {
            let (opcode, operand) =
                operation.trim().split_once(' ').unwrap_or((operation.trim(), ""));
            if opcode.starts_with('v') {
                self.0.retain(|held, _| !held.starts_with('v') || &**held < opcode);
            }
            if !operand.is_empty() {
                self.0.insert(opcode.to_owned(), operand.trim_matches('"').to_owned());
            }
        }
    }

    /// What the row of a position says.
    fn of(eco: &str, name: &str) -> Self {
        let parts = name.split([':', ',']).enumerate();
        let parts = parts.map(|(rank, part)| (format!("v{rank}"), part.trim().to_owned()));
        Registers(parts.chain([("eco".to_owned(), eco.to_owned())]).collect())
    }
}

#[test]
fn a_reader_holds_the_opening_of_the_last_named_position() {
    let rows = rows();
    let mut named: HashMap<PositionKey, (&str, &str)> = HashMap::new();
    for row in &rows {
        let mut position = Position::default();
        for token in &row.moves {
            position.play_unchecked(san::resolve(&position, token.as_bytes()).unwrap());
        }
        named.insert(PositionKey::of(&position), (row.eco, row.name));
    }
    Openings::embedded().prepare();
    let (mut dice, mut complete, mut changes) = (Rng::new(4), 0, 0);
    // With variations, positions are looked up one by one.
    for variations in [false, true] {
        let mut tracker = OpeningTracker::of_table(Some(Openings::embedded()), variations);
        for row in rows.iter().step_by(5) {
            tracker.begin(&[]);
            let mut moves = row.moves.iter();
            let (mut position, mut last) = (Position::default(), Opening::default());
            let (mut found, mut expected) = (Registers::default(), Registers::default());
            for ply in 0..row.moves.len() as u32 + 3 {
                let legal = position.legal_moves();
                let next = match moves.next() {
                    Some(token) => san::resolve(&position, token.as_bytes()).unwrap(),
                    None if legal.is_empty() => break,
                    None => dice.pick(&legal),
                };
                let name = named.get(&PositionKey::of(&position));
                let is_named = tracker.follow(&position, Some(next), ply);
                assert_eq!(is_named, name.is_some(), "{position}");
                if let Some((eco, name)) = name {
                    expected = Registers::of(eco, name);
                }
                let now = tracker.named();
                let change = OpeningChange::between(&last, &now);
                let eco = if change.eco { now.eco_operation() } else { "" };
                let operations = [eco, &change.parts(&now).concat()].concat();
                assert_eq!(change.parts, !change.parts(&now).concat().is_empty());
                found.read(&operations);
                assert_eq!(found, expected, "{position}: {operations}");
                changes += usize::from(change.ends);
                // The graph has the same operations.
                if let Some((graph, stored)) = tracker.stored_operations() {
                    let mut text = Buffer::default();
                    let mut line = text.line();
                    graph.write_codes(stored, &mut line);
                    graph.write_parts(stored, &mut line);
                    line.finish();
                    assert_eq!(String::from_utf8_lossy(text.as_bytes()), operations, "{position}");
                    complete += 1;
                }
                last = now;
                position.play_unchecked(next);
            }
        }
    }
    assert!(complete > 1000 && changes > 10, "{complete} {changes}");
}

#[test]
fn the_graph_stores_the_operations_of_usual_codes_and_names_and_no_part_of_others() {
    let mut openings = Openings::default();
    let long = "n".repeat(90);
    let file = format!(
        "eco\tnic\tname\tpgn\n\
         B00\tKP 1\tKing\t1. e4\nC20\t\tKing: Open\t1. e4 e5\nX\t\tKing: Odd\t1. e4 e5 2. a3\n\
         C40\t\t{long}\t1. e4 e5 2. a3 a6\nC41\t\tEnd\t1. e4 e5 2. a3 a6 3. h3\n"
    );
    openings.layer(file.as_bytes()).unwrap();
    openings.prepare();
    let mut tracker = OpeningTracker::of_table(Some(&openings), false);
    let mut position = Position::default();
    // A NIC code, another ECO code and a long name are written from the table.
    let stored = [true, false, true, false, false, true];
    for (ply, (token, is_stored)) in
        (0..).zip(["e4", "e5", "a3", "a6", "h3", "h6"].iter().zip(stored))
    {
        let next = san::resolve(&position, token.as_bytes()).unwrap();
        tracker.follow(&position, Some(next), ply);
        assert_eq!(tracker.stored_operations().is_some(), is_stored, "before {token}");
        position.play_unchecked(next);
    }
}

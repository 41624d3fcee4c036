//! Names in games and variations.

use std::sync::Arc;

use emit::{Op, Ops, Plan, Replay, Select, Text};
use openings::{EnPassant, Name, NameSource, Openings};
use san::Position;

/// Names a few positions, given by the moves that lead to them.
fn table() -> NameSource {
    let rows = [
        ("e4", "B00", "King's Pawn Game"),
        ("e4 c5", "B20", "Sicilian Defense"),
        ("e4 c5 Nf3 d6", "B50", "Sicilian Defense: Modern Variations"),
        ("d4", "A40", "Queen's Pawn Game"),
    ];
    let mut openings = Openings::default();
    for (moves, eco, name) in rows {
        let mut position = Position::default();
        for token in moves.split(' ') {
            position.play_unchecked(san::resolve(&position, token.as_bytes()).unwrap());
        }
        openings.insert(
            &position,
            Some(4),
            EnPassant::WhereLegal,
            Name::new(Some(eco), None, name),
        );
    }
    NameSource::Table(Arc::new(openings))
}

/// Returns the operations of the records.
fn records(pgn: &str, change: impl FnOnce(&mut Plan)) -> Vec<String> {
    let ops = Ops::of(&[Op::Rav, Op::Eco, Op::Nic, Op::V]);
    let mut plan = Plan { ops, names: table(), ..Plan::default() };
    change(&mut plan);
    let mut text = Text::default();
    Replay::new(pgn::Chunk::whole(pgn.as_bytes()), &plan).run(&mut text.sink(&plan));
    let text = String::from_utf8(text.bytes.as_bytes().to_vec()).unwrap();
    text.lines().map(|line| line.splitn(5, ' ').nth(4).unwrap_or("").to_owned()).collect()
}

#[test]
fn the_last_named_position_decides() {
    let all = records("1. e4 c5 2. Nf3 d6 3. d4 *", |_| {});
    let expected = [
        "eco; v0;",
        r#"eco "B00"; v0 "King's Pawn Game";"#,
        r#"eco "B20"; v0 "Sicilian Defense";"#,
        "",
        r#"eco "B50"; v1 "Modern Variations";"#,
        "",
    ];
    assert_eq!(all, expected);
}

#[test]
fn positions_that_are_not_written_count_too() {
    let pgn = "1. e4 c5 2. Nf3 d6 3. d4 *";
    let from = |first| records(pgn, |plan| plan.select = Select { first, ..Select::default() });
    let modern = r#"eco "B50"; v0 "Sicilian Defense"; v1 "Modern Variations";"#;
    assert_eq!(
        from(3),
        [r#"eco "B20"; v0 "Sicilian Defense";"#, r#"eco "B50"; v1 "Modern Variations";"#, ""]
    );
    assert_eq!(from(5), [modern]);
    let last = records(pgn, |plan| plan.select.only_final = true);
    assert_eq!(last, [modern]);
}

#[test]
fn a_variation_has_the_name_of_the_line_that_it_leaves_until_it_has_its_own() {
    let pgn = "1. e4 (1. d4 d5 (1... c5)) (1. c4) c5 (1... h6 2. h3) 2. Nf3 *";
    let all = records(pgn, |plan| plan.variations = true);
    let pairs: Vec<(String, &str)> = all
        .iter()
        .map(|ops| {
            match ops.rfind("Rav").and_then(|at| ops[at..].find(';').map(|end| at + end + 1)) {
                Some(end) => (ops[..end].to_owned(), ops[end..].trim()),
                None => (String::new(), &**ops),
            }
        })
        .collect();
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(rav, ops)| (&**rav, *ops)).collect();
    let expected = [
        ("", "eco; v0;"),
        (r#"Rav "0 d4";"#, r#"eco "A40"; v0 "Queen's Pawn Game";"#),
        (r#"Rav "0 d4 1 c5";"#, ""),
        (r#"Rav "0 d4";"#, ""),
        (r#"Rav "0 c4";"#, "eco; v0;"),
        ("", r#"eco "B00"; v0 "King's Pawn Game";"#),
        (r#"Rav "1 h6";"#, ""),
        (r#"Rav "1 h6";"#, ""),
        ("", r#"eco "B20"; v0 "Sicilian Defense";"#),
        ("", ""),
    ];
    assert_eq!(pairs, expected);
}

#[test]
fn tags_can_name_the_opening_of_the_whole_game() {
    let pgn = r#"[ECO "B90"] [NIC "SI 8.1"] [Opening "Sicilian"] [Variation "Najdorf, 6.Be3"] 1. e4 *

[ECO "?"] 1. d4 *"#;
    let all = records(pgn, |plan| plan.names = NameSource::Tags);
    let expected = [
        r#"eco "B90"; nic "SI 8.1"; v0 "Sicilian"; v1 "Najdorf"; v2 "6.Be3";"#,
        "",
        "eco; nic; v0;",
        "",
    ];
    assert_eq!(all, expected);
}

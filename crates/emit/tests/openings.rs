//! Names in games and variations.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use emit::{Op, Ops, Plan, Select};
use openings::{EnPassant, Name, NameSource, Openings};
use san::Position;
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{Chess, EnPassantMode, Position as _};
use testkit::rng::Rng;

use crate::support::{lines, operations, replay};

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
        let name = Name::new(Some(eco), None, name);
        openings.insert(&position, Some(4), EnPassant::WhereLegal, name);
    }
    NameSource::Table(Arc::new(openings))
}

/// Returns the operations of the records.
fn records(pgn: &str, change: impl FnOnce(&mut Plan)) -> Vec<String> {
    let ops = Ops::of(&[Op::Rav, Op::Eco, Op::Nic, Op::V]);
    let mut plan = Plan { ops, names: table(), ..Plan::default() };
    change(&mut plan);
    operations(&replay(pgn, &plan)).into_iter().map(str::to_owned).collect()
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

/// The built-in table, read by other means: the fields of each position on a line, and the name of
/// those that have one.
struct Lines {
    named: HashMap<String, (String, String)>,
    passed: HashSet<String>,
    deepest: usize,
}

fn fields_of(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

impl Lines {
    fn read() -> Self {
        let table = include_str!("../../openings/data/openings.tsv");
        let mut lines = Lines { named: HashMap::new(), passed: HashSet::new(), deepest: 0 };
        for row in table.lines().filter(|row| !row.starts_with('#')).skip(1) {
            let [eco, name, moves] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{row}")
            };
            let mut position = Chess::default();
            let sans = moves.split(' ').filter(|word| !word.ends_with('.'));
            let mut plies = 0;
            for san in sans {
                let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
                position.play_unchecked(played);
                lines.passed.insert(fields_of(&position));
                plies += 1;
            }
            lines.deepest = lines.deepest.max(plies);
            lines.named.insert(fields_of(&position), (eco.to_owned(), name.to_owned()));
        }
        lines
    }

    /// Plays moves of the lines in any order, detours that come back to the same position, and
    /// other moves; returns the moves and the opening at each position.
    fn game(&self, rng: &mut Rng) -> (Vec<String>, Vec<(String, String)>) {
        let (mut position, mut moves) = (Chess::default(), Vec::new());
        let mut openings = vec![<(String, String)>::default()];
        let mut detour: Vec<&str> = Vec::new();
        while moves.len() < self.deepest + 6 && !position.is_game_over() {
            let legal = position.legal_moves();
            let leads_on = |next: &shakmaty::Move| {
                let mut after = position.clone();
                after.play_unchecked(*next);
                self.passed.contains(&fields_of(&after))
            };
            let on_lines: Vec<_> = legal.iter().copied().filter(leads_on).collect();
            if detour.is_empty() && rng.below(12) == 0 {
                detour = rng
                    .pick(&[["Ng8", "Ng1", "Nf6", "Nf3"], ["Nb8", "Nb1", "Nc6", "Nc3"]])
                    .to_vec();
            }
            let of_detour =
                detour.pop().and_then(|san| san.parse::<San>().unwrap().to_move(&position).ok());
            let next = match of_detour {
                Some(next) => next,
                None if !on_lines.is_empty() && rng.below(12) > 0 => rng.pick(&on_lines),
                None => rng.pick(&legal),
            };
            moves.push(SanPlus::from_move(position.clone(), next).to_string());
            position.play_unchecked(next);
            let mut opening = openings.last().unwrap().clone();
            if moves.len() <= self.deepest
                && let Some((eco, name)) = self.named.get(&fields_of(&position))
            {
                opening = (eco.clone(), name.replace(": ", "|").replace(", ", "|"));
            }
            openings.push(opening);
        }
        (moves, openings)
    }
}

/// Follows the registers of a record, and returns the opening.
fn opening_of(record: &str, eco: &mut String, v: &mut Vec<String>) -> (String, String) {
    for operation in record.split("; ") {
        let (opcode, value) = operation.split_once(' ').unwrap_or((operation, ""));
        let (opcode, value) = (opcode.trim_end_matches(';'), value.trim_matches(['"', ';']));
        match opcode.strip_prefix('v').map(str::parse::<usize>) {
            Some(Ok(rank)) => {
                v.truncate(rank);
                v.extend((!value.is_empty()).then(|| value.to_owned()));
            }
            _ if opcode == "eco" => *eco = value.to_owned(),
            _ => {}
        }
    }
    (eco.clone(), v.join("|"))
}

#[test]
fn transpositions_into_and_out_of_lines_have_the_names_of_their_positions() {
    let known = Lines::read();
    let mut rng = Rng::new(63);
    let games: Vec<_> = (0..300).map(|_| known.game(&mut rng)).collect();
    let pgn: String = games.iter().map(|(moves, _)| format!("{} *\n\n", moves.join(" "))).collect();
    let mut table = Openings::default();
    table.layer_embedded();
    let expected: Vec<_> = games.iter().flat_map(|(_, openings)| openings).cloned().collect();
    for (is_prepared, variations) in [(false, false), (true, false), (true, true)] {
        let table = table.clone();
        if is_prepared {
            table.prepare();
        }
        let plan =
            Plan { names: NameSource::Table(Arc::new(table)), variations, ..Plan::default() };
        let text = replay(&pgn, &plan);
        let (mut eco, mut v) = (String::new(), Vec::new());
        let records = operations(&text);
        assert_eq!(records.len(), expected.len());
        for ((record, expected), line) in records.iter().zip(&expected).zip(lines(&text)) {
            assert_eq!(opening_of(record, &mut eco, &mut v), *expected, "{line}");
        }
    }
}

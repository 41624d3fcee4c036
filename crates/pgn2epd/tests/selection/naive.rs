//! The selection of records as the documentation defines it, over records that were written without
//! any selection.
//!
//! Nothing of the library is used here except plain conversions: what is written of each game, and
//! which part of a split it is in.

use std::collections::{BTreeMap, HashMap};

use super::{Choice, Games, PARTS, convert};

/// A record, and what its selection may depend on.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) text: Vec<u8>,
    pub(crate) game: usize,
    /// The number of positions in it.
    pub(crate) positions: usize,
    /// The part of the split.
    part: usize,
    /// Placement, side to move, castling rights and legal en passant square.
    key: String,
    result: String,
    depth: f64,
    is_evaluated: bool,
    has_move: bool,
    /// What it may be sorted by, as in a table; empty if it is missing.
    values: HashMap<&'static str, String>,
}

/// The records of an output, in the order of the input.
pub(crate) struct Expected {
    /// By part.
    pub(crate) parts: BTreeMap<usize, Vec<Record>>,
    /// How many records are written of these, at random if they are fewer.
    pub(crate) count: usize,
    pub(crate) duplicates: usize,
}

/// The records of all games, without any selection.
fn records(games: &Games, choice: &Choice) -> Vec<Record> {
    let all = facts(games);
    let parts = parts(games, choice);
    let mut records: Vec<Record> = match choice.format {
        "viriformat" | "bulletformat" | "marlinformat" => all
            .chunk_by(|one, next| one.game == next.game)
            .flat_map(|of_game| units(games, choice, of_game))
            .collect(),
        format => {
            let needs = |record: &Record| match format {
                "c9" | "bracket" => !record.result.is_empty(),
                "bullet" | "c-chess-cli" => !record.result.is_empty() && record.is_evaluated,
                "plain" => !record.result.is_empty() && record.is_evaluated && record.has_move,
                _ => true,
            };
            let texts = texts_of(choice.format, &convert(&games.text(), choice.plain()).all());
            let mut records: Vec<Record> = all.into_iter().filter(needs).collect();
            assert_eq!(texts.len(), records.len(), "{format}");
            records.iter_mut().zip(texts).for_each(|(record, text)| record.text = text);
            records
        }
    };
    for record in &mut records {
        record.part = parts.get(record.game).copied().unwrap_or(0);
    }
    records
}

/// The positions of all games with what is known of them, from a table.
fn facts(games: &Games) -> Vec<Record> {
    let names = [
        "game", "fen", "result", "elo", "depth", "eval", "uci", "ply", "san", "check", "pieces",
        "turn", "year", "date", "eco", "material", "clock", "White", "Round", "Date", "Annotator",
    ];
    let columns = names.join(",");
    let options = [("format", "csv"), ("columns", &*columns), ("ep", "legal")];
    let table = String::from_utf8(convert(&games.text(), options.to_vec()).all()).unwrap();
    let record = |line: &str| {
        let values: Vec<&str> = line.split(',').collect();
        let value = |name| values[names.iter().position(|other| *other == name).unwrap()];
        Record {
            text: Vec::new(),
            game: value("game").parse::<usize>().unwrap() - 1,
            positions: 1,
            part: 0,
            key: value("fen").split(' ').take(4).collect::<Vec<_>>().join(" "),
            result: value("result").to_owned(),
            depth: value("depth").parse().unwrap_or(0.0),
            is_evaluated: !value("eval").is_empty(),
            has_move: !value("uci").is_empty(),
            values: names.iter().map(|name| (*name, value(name).to_owned())).collect(),
        }
    };
    table.lines().skip(1).map(record).collect()
}

/// The part of each game: that in which it is alone.
fn parts(games: &Games, choice: &Choice) -> Vec<usize> {
    let options = [("format", "fen"), ("split", super::SPLIT), ("seed", &*choice.seed)];
    let part = |game: &String| {
        let files = convert(game.as_bytes(), options.to_vec()).files;
        assert_eq!(files.len(), 1);
        PARTS.iter().position(|part| files.keys().all(|name| name.starts_with(part))).unwrap()
    };
    if choice.split { games.0.iter().map(part).collect() } else { Vec::new() }
}

/// What stays together in training data of a game.
fn units(games: &Games, choice: &Choice, of_game: &[Record]) -> Vec<Record> {
    let first = &of_game[0];
    let bytes = convert(games.0[first.game].as_bytes(), choice.plain()).all();
    let texts = texts_of(choice.format, &bytes).into_iter();
    let positions = |text: &[u8]| positions_of(choice.format, text);
    texts.map(|text| Record { positions: positions(&text), text, ..first.clone() }).collect()
}

/// The number of positions in a record: in viriformat one of 32 bytes, a ply of 4 bytes for each,
/// and 4 bytes at the end.
pub(crate) fn positions_of(format: &str, text: &[u8]) -> usize {
    if format == "viriformat" { (text.len() - 36) / 4 } else { 1 }
}

/// The records of a text. A record with registers has the values that they have after it.
pub(crate) fn texts_of(format: &str, text: &[u8]) -> Vec<Vec<u8>> {
    let text = match format {
        "bulletformat" | "marlinformat" => return text.chunks(32).map(<[u8]>::to_vec).collect(),
        "viriformat" => {
            let (mut games, mut rest) = (Vec::new(), text);
            while !rest.is_empty() {
                let plies = rest[32..].chunks(4).position(|ply| ply == [0; 4]).unwrap();
                let (game, others) = rest.split_at(36 + 4 * plies);
                games.push(game.to_vec());
                rest = others;
            }
            return games;
        }
        _ => std::str::from_utf8(text).unwrap(),
    };
    let owned = |record: &str| record.as_bytes().to_vec();
    match format {
        "plain" => text.split_inclusive("\ne\n").map(owned).collect(),
        "csv" => text.lines().skip(1).map(owned).collect(),
        "epd" => {
            let mut registers = BTreeMap::new();
            text.lines().map(|line| with_registers(line, &mut registers).into_bytes()).collect()
        }
        _ => text.lines().map(owned).collect(),
    }
}

/// The record with all registers in place of those that it sets or clears.
fn with_registers(line: &str, registers: &mut BTreeMap<String, String>) -> String {
    let words: Vec<&str> = line.splitn(5, ' ').collect();
    let mut record = words[..4].join(" ");
    for operation in words.get(4).unwrap_or(&"").split_terminator(';') {
        let operation = operation.trim();
        let (opcode, operand) = operation.split_once(' ').unwrap_or((operation, ""));
        if !opcode.starts_with('c') {
            record += operation;
            continue;
        }
        // A register clears those of a higher rank (EPD 5.5).
        registers.retain(|other, _| other.as_str() < opcode);
        if !operand.is_empty() {
            registers.insert(opcode.to_owned(), operand.to_owned());
        }
    }
    record + &format!("{registers:?}")
}

/// One record of equal ones, or none; the others are duplicates.
fn unique(records: Vec<Record>, choice: &Choice) -> Vec<Record> {
    if !choice.unique && choice.conflicts == "keep" {
        return records;
    }
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, record) in records.iter().enumerate() {
        groups.entry(&record.key).or_default().push(number);
    }
    let rank = |number: usize| match choice.keep {
        "deepest" => records[number].depth,
        _ => 0.0,
    };
    // The first of those with the highest rank, or the last of all.
    let is_last = choice.keep == "last";
    let best = |numbers: &[usize]| {
        let is_better = |best: usize, next: usize| is_last || rank(next) > rank(best);
        let better = |best, next| if is_better(best, next) { next } else { best };
        numbers.iter().copied().reduce(better).unwrap()
    };
    let mut chosen: Vec<(usize, Record)> = Vec::new();
    for numbers in groups.values() {
        let is_other = |number: &usize| records[*number].result != records[numbers[0]].result;
        if choice.conflicts == "drop" && numbers.iter().any(is_other) {
            continue;
        }
        let number = best(numbers);
        let mut record = records[number].clone();
        if choice.conflicts == "mean" {
            let labels: Vec<&Record> = numbers.iter().map(|number| &records[*number]).collect();
            record.text = with_mean(choice.format, &record, &labels);
        }
        chosen.push((number, record));
    }
    chosen.sort_by_key(|(number, _)| *number);
    chosen.into_iter().map(|(_, record)| record).collect()
}

/// The record with the means of the labels of others.
fn with_mean(format: &str, record: &Record, others: &[&Record]) -> Vec<u8> {
    let separators: &[char] = if format == "c-chess-cli" { &[','] } else { &['[', '|'] };
    let fields = |record: &Record| -> Vec<String> {
        let text = String::from_utf8(record.text.clone()).unwrap();
        text.trim_end_matches(']').split(separators).map(str::to_owned).collect()
    };
    let column = |index: usize| -> f64 {
        let value = |record: &&Record| fields(record)[index].trim().parse::<f64>().unwrap();
        others.iter().map(value).sum::<f64>() / others.len() as f64
    };
    let decimal = |number: f64| {
        let text = format!("{number:.4}");
        let short = text.trim_end_matches('0');
        if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
    };
    let first = &fields(record)[0];
    let text = match format {
        "bracket" => format!("{first}[{}]", decimal(column(1))),
        "bullet" => format!("{first}| {} | {}", column(1).round(), decimal(column(2))),
        // Half points for one game and a draw, and otherwise points.
        _ => {
            let half_points = column(2);
            let is_whole = others.len() == 1 || half_points == 1.0;
            let result =
                if is_whole { half_points.to_string() } else { decimal(half_points / 2.0) };
            format!("{first},{},{result}", column(1).round())
        }
    };
    // Zero is written without a sign.
    text.replace("| -0 |", "| 0 |").replace(",-0,", ",0,").into_bytes()
}

/// Sorts records by each variable of a list, the last one first.
fn sort(records: &mut [Record], list: &str) {
    for variable in list.split(',').rev() {
        let name = variable.trim_start_matches('-');
        let is_text = ["fen", "result", "uci", "san", "check", "turn", "date", "eco", "material"]
            .contains(&name);
        let number = |record: &Record| match name {
            "Date" => record.values[name].replace('.', "").replace('?', "0").parse().ok(),
            _ if is_text => None,
            _ => record.values[name].parse::<f64>().ok(),
        };
        records.sort_by(|a, b| {
            let (x, y) = (&a.values[name], &b.values[name]);
            if x.is_empty() || y.is_empty() {
                return x.is_empty().cmp(&y.is_empty());
            }
            let order = match (number(a), number(b)) {
                (Some(a), Some(b)) => a.partial_cmp(&b).unwrap(),
                (None, None) => x.cmp(y),
                (a, b) => a.is_none().cmp(&b.is_none()),
            };
            if variable.starts_with('-') { order.reverse() } else { order }
        });
    }
}

/// What is to be written.
pub(crate) fn select(games: &Games, choice: &Choice) -> Expected {
    let all = records(games, choice);
    let count_of_all = all.len();
    let mut unique = unique(all, choice);
    let duplicates = count_of_all - unique.len();
    let limit = choice.limit.unwrap_or(usize::MAX);
    if let Some(list) = choice.sort {
        sort(&mut unique, list);
    }
    let (selected, count) = match (choice.sort, choice.sample) {
        // The range is one of the sample.
        (Some(_), Some(sample)) => {
            let sample = sample.min(unique.len());
            (unique, sample.saturating_sub(choice.skip).min(limit))
        }
        (_, sample) => {
            let range = unique.into_iter().skip(choice.skip).take(limit);
            let selected: Vec<Record> = range.collect();
            let count = sample.unwrap_or(usize::MAX).min(selected.len());
            (selected, count)
        }
    };
    let mut parts: BTreeMap<usize, Vec<Record>> = BTreeMap::new();
    for record in selected {
        parts.entry(record.part).or_default().push(record);
    }
    Expected { parts, count, duplicates }
}

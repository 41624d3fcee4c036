//! Records of public suites, compared with python-chess, and 200 lines of dialects and errors with
//! their levels: `../shared/oracle/epd`.

use std::fs;

use pgn2epd::Position;
use pgn2epd::epd::{Line, Operand, ReadOptions, Record, read_line};
use pgn2epd::game::Severity;
use pgn2epd::options::{EnPassantPolicy, FieldStyle};
use san::AnyPosition;
use serde_json::Value;
use testkit::shared::shared;

const UNREACHED: &str = "no game leads to the position, but moves can be played from it";

/// Lines whose level differs from the oracle: name, our level, reason.
const DEPARTURES: &[(&str, &str, &str)] = &[
    ("bm-with-spaces", "error", "the move is illegal: the side to move is checkmated"),
    ("glued-semicolon-comment", "error", "+- is not an opcode (EPD 4.1)"),
    ("perft-comma", "error", ",7,35 is not an opcode (EPD 4.1), and perft suites have semicolons"),
    (
        "castling-king-moved",
        "warning",
        "books of double Chess960 have such fields, and the right is kept as theirs",
    ),
    (
        "counter-text",
        "error",
        "“zero one” is not an operation: it has no semicolon and no operands",
    ),
    ("draw-word", "error", "a word without a semicolon is not an operation"),
    ("ep-wrong-rank", "warning", "the square of the pawn has one reading"),
    ("opcode-glued", "warning", "an equals sign after an opcode has one reading"),
    ("opcode-colon", "warning", "a colon after an opcode has one reading"),
    ("bm-number", "warning", "a move number before a move has one reading"),
    ("bm-commas", "warning", "commas between moves have one reading"),
    ("pv-numbers", "warning", "move numbers between moves have one reading"),
    ("seventeen-men", "warning", UNREACHED),
    ("three-bishops-eight-pawns", "warning", UNREACHED),
    ("nine-pawns", "warning", UNREACHED),
    ("trailing-blank", "note", "books have it on every line, and every reader drops it"),
    ("string-over-255", "error", "“a string value must have less than 256 bytes” (EPD 4.1)"),
    ("string-tab", "error", "“a set of contiguous printing characters” (EPD 4.1)"),
    (
        "string-utf8",
        "note",
        "names of players are not ASCII, and readers take the bytes as they are",
    ),
    ("string-apostrophes", "warning", "a string without quotes has one reading"),
    ("string-curly", "warning", "a string without quotes has one reading"),
    ("ce-mate-word", "warning", "a number of moves until mate has one reading, as in bm #3"),
    ("dm-plies", "", "mate in one move: the oracle calls it good too, in its remark"),
    ("acs-decimal", "error", "“a single non-negative integer operand” (EPD 5.2)"),
    (
        "rc-high",
        "",
        "“a single, positive integer operand” (EPD 5.20): the standard has no fivefold repetition",
    ),
    ("draw-claim-no-move", "error", "“a supplied move is also required” (EPD 5.9)"),
    ("v3-without-v0", "", "records before it have set the higher registers (EPD 5.26)"),
    ("cr-only", "", "it is part of the line end"),
    ("tsv-26", "warning", "“operands appearing in ASCII order” (EPD 4.1), as the remark says"),
    (
        "tsv-55",
        "",
        "“if a given program does not recognize a particular opcode […] it is not signaled as an error” (EPD 4.2)",
    ),
    ("tsv-56", "", "a private opcode, with its capital letter (EPD 4.2)"),
    ("tsv-78", "", "a legal position of Chess960 in X-FEN"),
    ("tsv-82", "", "a comment is counted, not reported"),
];

fn values(file: &str) -> Vec<Value> {
    let Some(shared) = shared() else { return Vec::new() };
    let text = fs::read_to_string(shared.join("oracle/epd").join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The highest level reported for a line; empty if nothing is reported.
fn level(line: &str) -> &'static str {
    let mut levels = Vec::new();
    read_line(line, &ReadOptions::default(), &mut |fault| levels.push(fault.kind.severity()));
    let rank = |level: &Severity| match level {
        Severity::Note => 0,
        Severity::Warning => 1,
        Severity::Error => 2,
    };
    levels.into_iter().max_by_key(rank).map_or("", Severity::as_str)
}

#[test]
fn malformed_lines_have_the_level_of_the_oracle_or_a_listed_reason() {
    let lines = values("malformed.jsonl");
    for line in &lines {
        let (name, wanted) = (line["name"].as_str().unwrap(), line["level"].as_str().unwrap());
        let text = line["line"].as_str().unwrap();
        let found = level(text);
        match DEPARTURES.iter().find(|(departure, ..)| *departure == name) {
            Some((_, level, _)) => assert_eq!(found, *level, "{name}: {text:?}"),
            None => {
                // A dialect is a warning. Notes are common and do not matter here.
                let agrees = match wanted {
                    "dialect" => found == "warning",
                    "good" => matches!(found, "" | "note"),
                    level => found == level,
                };
                assert!(agrees, "{name}: {text:?}: {found:?}, not {wanted}");
            }
        }
    }
    let names: Vec<&str> = lines.iter().filter_map(|line| line["name"].as_str()).collect();
    for (name, ..) in DEPARTURES.iter().filter(|_| !lines.is_empty()) {
        assert!(names.contains(name), "{name}");
    }
}

/// The differences between a record read by python-chess and by us.
fn differences(expected: &Value, record: &Record) -> Vec<String> {
    let mut differences = Vec::new();
    let fen = fen(record.position());
    if expected["fen"].as_str() != Some(&*fen) {
        differences.push(format!("fen {fen}"));
    }
    let ops = expected["ops"].as_object().unwrap();
    // Ten lines end with NUL, which python-chess takes as part of the last operation.
    let visible = |name: &str| name.trim_end_matches('\0').to_owned();
    for (name, value) in ops {
        let kind = expected["types"][name].as_str().unwrap_or_default();
        let name = visible(name);
        // `Be1` and a NUL at the end of a line: text, since no semicolon ends it.
        let is_text = value.is_null() && record.get_other(&name).is_none();
        if name.is_empty() || is_mated(&name, value) || is_text {
            continue;
        }
        let operand = record.get_other(&name);
        if !operand.is_some_and(|operand| is_same(operand, value, kind, record.position())) {
            differences.push(format!("{name} {operand:?}, not {kind} {value}"));
        }
    }
    for operation in record.operations() {
        let is_mated =
            operation.name() == "ce" && ops.get("dm").is_some_and(|dm| is_mated("dm", dm));
        if !is_mated && !ops.keys().any(|name| visible(name) == operation.name()) {
            differences.push(format!("{} is not there", operation.name()));
        }
    }
    differences
}

/// Whether an operation is `dm` with a negative number, which is read as `ce`: being mated (EPD
/// 5.6).
fn is_mated(name: &str, value: &Value) -> bool {
    name == "dm" && value.as_i64().is_some_and(|moves| moves < 0)
}

/// The FEN in the format of the oracle: the en passant square only if a capture is legal.
fn fen(position: &Position) -> String {
    let style = FieldStyle { en_passant: EnPassantPolicy::Legal, ..FieldStyle::default() };
    position.fen(style)
}

/// Whether an operand has the value read by python-chess. Sets of moves are unordered there.
fn is_same(operand: &Operand, value: &Value, kind: &str, position: &Position) -> bool {
    let san = |text: &str| {
        let next = san::resolve(position, text.as_bytes()).ok()?;
        Some(san::san_of(position, next).to_string())
    };
    match operand {
        Operand::Nothing => value.is_null() || value.as_array().is_some_and(Vec::is_empty),
        Operand::Integer(number) => *value == *number,
        Operand::Evaluation(number) => *value == number.get(),
        Operand::Move(text) | Operand::Text(text) => value == text,
        Operand::Texts(first, _) => value == first,
        Operand::Moves(sans) => {
            let mut found: Vec<&str> = sans.iter().map(String::as_str).collect();
            let wanted = value.as_array().cloned().unwrap_or_default();
            let mut wanted: Vec<&str> = wanted.iter().filter_map(Value::as_str).collect();
            let is_line = found.first() == wanted.first();
            if !is_line || found != wanted {
                found.sort_unstable();
                wanted.sort_unstable();
            }
            found == wanted
        }
        // Unknown opcodes are kept unchanged.
        Operand::Raw(text) => match kind {
            "string" => {
                text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) == value.as_str()
            }
            "int" | "float" => text.parse::<f64>().ok() == value.as_f64(),
            _ => san(text).as_deref() == value.as_str() || value == text,
        },
    }
}

/// Reads all records of a file and counts those that are read like in python-chess, those that only
/// we read, and those that neither reads. Returns the differences.
fn compare(file: &str) -> ([usize; 3], Vec<String>) {
    let (mut counts, mut different) = ([0; 3], Vec::new());
    for expected in values(file) {
        let text = expected["text"].as_str().unwrap();
        let options = ReadOptions::default();
        let read = read_line(text, &options, &mut |_| {});
        let is_refused = expected.get("python_chess_error").is_some();
        match (read, is_refused) {
            (Line::Record(record), false) => {
                let differences = differences(&expected, &record.to_record());
                counts[0] += usize::from(differences.is_empty());
                different
                    .extend(differences.iter().map(|difference| format!("{text}: {difference}")));
            }
            (Line::Record(_), true) => counts[1] += 1,
            (_, true) => counts[2] += 1,
            (_, false) => different.push(format!("{text}: not read")),
        }
    }
    (counts, different)
}

#[test]
fn real_records_are_read_like_in_python_chess() {
    if shared().is_none() {
        return;
    }
    let (counts, different) = compare("records.jsonl");
    assert_eq!(different, [""; 0]);
    assert_eq!(counts, [665, 7, 0]);
    let (counts, different) = compare("suites.jsonl");
    assert_eq!(different, [""; 0]);
    assert_eq!(counts, [640, 172, 39]);
}

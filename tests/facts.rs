//! Templates, columns and conditions have one list of facts, with the same values for each
//! position.

use std::collections::BTreeSet;
use std::fmt::Write;

use pgn2epd::Options;
use pgn2epd::table::{Column, Fact, FactKind, FactPlace};

use crate::support::{assert_up_to_date, convert, program};
use crate::tabulation::tabulate;

const TAGS: &str = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2501\"]\n[Result \"1-0\"]\n[Date \"2015.06.12\"]\n[TimeControl \"600+5\"]\n";

/// With evaluations of the position (White's point of view) and of the preceding move (the
/// mover's), and with a check.
const MOVES: &str = "1. e4 {[%eval 0.3] [%clk 0:01:30.5]} e5 {[%eval -0.2]} 2. Qh5 {+0.25/12 1s} Nc6 {-M4/20 1s} \
                     3. Qxf7+ {[%eval #-2]} Kxf7 1-0\n";

fn chess() -> String {
    format!("% a line before the game\n{TAGS}\n{MOVES}")
}

fn variant() -> String {
    format!("% a line before the game\n{TAGS}[Variant \"King of the Hill\"]\n\n{MOVES}")
}

fn named(options: &[(&str, &str)]) -> Options {
    let common = [("ops", "none"), ("registers", "off"), ("add", "Ply={ply}")];
    let mut options =
        Options::from_names(common.into_iter().chain(options.iter().copied())).unwrap();
    options.file = "games.pgn".to_owned();
    options
}

/// The value of a fact at each selected position, as written by a template, by ply.
fn by_template(pgn: &str, fact: Fact, condition: Option<&str>) -> Vec<(u32, Option<String>)> {
    let template = format!("Value={{{fact}}}");
    let condition = condition.map(|condition| ("where", condition));
    let options: Vec<_> = [("add", &*template)].into_iter().chain(condition).collect();
    let converted = convert(pgn.as_bytes(), &named(&options));
    assert_eq!(converted.messages(), [""; 0]);
    let read = |line: &str| {
        let (_, operations) = line.split_once(" Ply ").unwrap();
        let (ply, rest) = operations.split_once(';').unwrap();
        let value = rest.strip_prefix(" Value ").map(|value| value.trim_end_matches(';'));
        (ply.parse().unwrap(), value.map(|value| value.trim_matches('"').to_owned()))
    };
    converted.lines().into_iter().map(read).collect()
}

fn by_column(pgn: &str, fact: Fact) -> Vec<Option<String>> {
    tabulate(pgn.as_bytes(), &[Column::Fact(fact)], &Options::default()).remove(0)
}

#[test]
fn templates_columns_and_conditions_agree_on_each_position() {
    for pgn in [chess(), variant()] {
        for fact in Fact::all().filter(|fact| fact.is_available_in(FactPlace::Template)) {
            let all = by_template(&pgn, fact, None);
            assert_eq!(all.len(), 7);
            let values: Vec<Option<String>> = all.iter().map(|(_, value)| value.clone()).collect();
            assert_eq!(by_column(&pgn, fact), values, "{fact}");
            if !fact.may_be_missing() {
                assert!(values.iter().all(Option::is_some), "{fact}");
            }
            if !fact.is_available_in(FactPlace::Condition) {
                continue;
            }
            for value in values.into_iter().collect::<BTreeSet<_>>() {
                let condition = match (fact.kind(), &value) {
                    (FactKind::Truth, Some(value)) if value == "true" => fact.to_string(),
                    (FactKind::Truth, _) | (_, None) => format!("not {fact}"),
                    (FactKind::Text | FactKind::Key, Some(text)) => format!("{fact} = \"{text}\""),
                    (_, Some(number)) => format!("{fact} = {number}"),
                };
                let is_true = |value: &Option<String>| value.as_deref() == Some("true");
                // A missing truth value is not true.
                let is_expected = |other: &Option<String>| match fact.kind() {
                    FactKind::Truth => is_true(other) == is_true(&value),
                    _ => *other == value,
                };
                let expected: Vec<_> =
                    all.iter().filter(|(_, other)| is_expected(other)).cloned().collect();
                assert_eq!(by_template(&pgn, fact, Some(&condition)), expected, "{condition}");
            }
        }
    }
}

#[test]
fn evaluations_are_from_the_view_of_the_side_to_move() {
    let expected = [
        // No value before the first move.
        (0, None),
        // White is better by 0.3, and Black is to move.
        (1, Some("-30")),
        // Black is better by 0.2, and White is to move. The engine that moves writes +0.25 with its
        // move.
        (2, Some("25")),
        // The engine that moves writes that it is mated in 4 plies.
        (3, Some("-32763")),
        (4, None),
        // Black mates in two moves: three plies.
        (5, Some("32764")),
        (6, None),
    ];
    let expected = expected.map(|(ply, value)| (ply, value.map(str::to_owned)));
    for pgn in [chess(), variant()] {
        assert_eq!(by_template(&pgn, Fact::Eval, None), expected);
        let better = by_template(&pgn, Fact::Eval, Some("eval > 0"));
        assert_eq!(better, [expected[2].clone(), expected[5].clone()]);
        // A missing value is neither more nor less.
        assert_eq!(by_template(&pgn, Fact::Eval, Some("not eval > 0 and eval")).len(), 2);
    }
}

#[test]
fn openings_are_facts_at_every_position_after_the_named_one() {
    let pgn = "1. d4 d5 2. c4 e6 3. Nc3 a6 4. a3 *";
    let codes = by_template(pgn, Fact::Eco, None);
    let last = codes.last().unwrap().1.clone().unwrap();
    assert_eq!(codes[0].1, None);
    assert!(last.starts_with('D'), "{last}");
    let condition = format!("eco = '{last}' and opening ~ 'queen'");
    let selected = by_template(pgn, Fact::Eco, Some(&condition));
    assert!(!selected.is_empty());
    assert!(selected.iter().all(|(_, code)| code.as_deref() == Some(&*last)));
    // The window begins after the named position.
    let args = ["--ops", "none", "--registers", "off", "--ply", "7..", "--where"];
    let outcome = program().args(args).arg(condition).stdin(pgn).run();
    assert_eq!(outcome.lines().len(), 1, "{}", outcome.stderr);
}

#[test]
fn a_book_selects_by_the_same_facts() {
    let plies = |condition: &str| {
        let options = [("where", condition)];
        let lines = convert(chess().as_bytes(), &named(&options));
        let books = program()
            .file("games.pgn", chess())
            .args(["book", "--format", "csv", "--ply", "..6", "--where", condition, "games.pgn"])
            .succeed();
        let positions: BTreeSet<String> = books
            .lines()
            .iter()
            .skip(1)
            .map(|line| line.split(',').next().unwrap().to_owned())
            .collect();
        (lines.lines().len(), positions.len())
    };
    for condition in [
        "eval > 0",
        "clock = 90.5",
        "check or san = 'e5'",
        "file = 'games.pgn' and line = 2 and pieces = 32",
        "turn = b",
        "opening",
        "elo = 2450.5 and plies = 6",
    ] {
        let (records, positions) = plies(condition);
        assert!(records > 0, "{condition}");
        assert_eq!(records, positions, "{condition}");
    }
}

/// The table of facts in the documentation.
fn table() -> String {
    let mut text = String::from(
        "# Variables of a position\n\n\
         Values that a condition (`--where 'eval > 50'`), a template (`--add 'ce={eval}'`), a table (`--columns eval`) or a sort key may use, in addition to the tags of the game,\n\
         whose names begin with a capital letter. Without a value a template omits the operation, a table has null, and in a condition `!=` is true and every other\n\
         comparison is false. Only variables that are used are computed.\n\n\
         The type is that in Arrow and Parquet; one with ? may be null, and what ends with \\* is missing in variants. As text, `key` and `packed` are hexadecimal digits.\n\
         With `--rows games` the variables of the game are values: FACTS. The others are lists (LargeList) with a value for each position, or for each move (`san`, `uci`, `time`);\n\
         in CSV separated by spaces, `?` for a missing one, or arrays of JSON if the values may have spaces.\n\n\
         | name | type | meaning |\n| --- | --- | --- |\n",
    );
    let of_game = Fact::all().filter(|fact| fact.is_of_game()).map(|fact| format!("`{fact}`"));
    text = text.replace("FACTS", &of_game.collect::<Vec<_>>().join(", "));
    let everywhere = Fact::all().find(|fact| fact.name() == "ply").unwrap().places();
    for fact in Fact::all() {
        let unit = fact.unit().map(|unit| format!("{unit}: ")).unwrap_or_default();
        let column = column_type(fact.kind());
        let nullable = if fact.may_be_missing() { "?" } else { "" };
        let mut about = fact.about().replace("; nothing in variants", " \\*");
        let places = fact.places();
        if places != everywhere {
            write!(about, "; only in {places}").unwrap();
        }
        writeln!(text, "| `{fact}` | {column}{nullable} | {unit}{about} |").unwrap();
    }
    text
}

/// The name of a type of Arrow.
fn column_type(kind: FactKind) -> &'static str {
    match kind {
        FactKind::Truth => "Boolean",
        FactKind::Number => "Int64",
        FactKind::SmallNumber | FactKind::Signed => "Int32",
        FactKind::Key => "UInt64",
        FactKind::Decimal => "Float64",
        FactKind::Packed => "FixedSizeBinary(32)",
        FactKind::Text => "LargeUtf8",
        FactKind::Date => "Date32",
        FactKind::Board => "FixedSizeList(UInt8, 64)",
        FactKind::Bitboards => "FixedSizeList(UInt64, 12)",
        FactKind::Texts => "LargeList(LargeUtf8)",
    }
}

#[cfg(feature = "arrow")]
#[test]
fn a_list_has_the_type_of_its_values() {
    let in_games = |fact: &Fact| fact.is_available_in(FactPlace::GameColumn);
    for fact in Fact::all().filter(in_games).filter(|fact| !fact.is_of_game()) {
        let list: pgn2epd::table::ColumnList = fact.name().parse().unwrap();
        let schema = pgn2epd::arrow::schema(&list.of_games());
        let list = schema.field(0).data_type().to_string();
        assert!(list.starts_with("LargeList("), "{fact}: {list}");
        assert!(list.contains(column_type(fact.kind())), "{fact}: {list}");
    }
}

#[cfg(feature = "arrow")]
#[test]
fn a_column_has_the_type_of_the_documentation() {
    let places = [FactPlace::Column, FactPlace::GameColumn];
    let is_column = |fact: &Fact| places.iter().any(|place| fact.is_available_in(*place));
    for fact in Fact::all().filter(is_column) {
        let list: pgn2epd::table::ColumnList = fact.name().parse().unwrap();
        let schema = pgn2epd::arrow::schema(&list);
        let field = schema.field(0);
        // Arrow also names the items of lists, and whether they may be null.
        let shown = field.data_type().to_string().replace("non-null ", "");
        let names = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric());
            let mut words: Vec<String> = words
                .filter(|word| !matches!(*word, "" | "x" | "field" | "item"))
                .map(str::to_owned)
                .collect();
            words.sort();
            words
        };
        assert_eq!(names(&shown), names(column_type(fact.kind())), "{fact}: {shown}");
        assert_eq!(
            (field.name().as_str(), field.is_nullable()),
            (fact.name(), fact.may_be_missing())
        );
    }
}

#[test]
fn the_documentation_has_the_table_of_facts() {
    assert_up_to_date("docs/facts.md", &table());
}

#[test]
fn the_help_names_each_fact() {
    let help = program().args(["help", "variables"]).run().text().to_owned();
    let words: Vec<&str> = help.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for fact in Fact::all() {
        assert!(words.contains(&fact.name()), "{fact}");
    }
}

//! What several files of tests use.

use emit::{Column, Fact, GameList, GameSink, NotedSink, Op, Ops, Plan, Replay, TableRows, Text};
use epd::RegisterStyle;
use openings::NameSource;
use pgn::Chunk;
use san::Keyword;
use table::Rows;

/// Replays games with a plan.
pub(crate) fn replay(pgn: &str, plan: &Plan) -> Text {
    let mut text = Text::default();
    let chunk = Chunk::whole(pgn.as_bytes());
    Replay::new(chunk, plan).run(&mut text.sink(plan));
    text
}

pub(crate) fn lines(text: &Text) -> Vec<&str> {
    std::str::from_utf8(text.bytes.as_bytes()).unwrap().lines().collect()
}

/// Only the fields, without operations.
pub(crate) fn bare() -> Plan {
    Plan { ops: Ops::NONE, names: NameSource::Off, ..Plan::default() }
}

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
pub(crate) const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";

/// Returns the operations of the first record, and the problems.
pub(crate) fn templates(templates: &[&str], game: &str) -> (String, Vec<String>) {
    let templates = templates.iter().map(|template| template.parse().unwrap()).collect();
    let select = emit::Select { last: 0, ..Default::default() };
    let plan = Plan { templates, select, file: "dir/a.pgn".to_owned(), ..bare() };
    let text = replay(game, &plan);
    let record = lines(&text)[0].splitn(5, ' ').nth(4).unwrap_or_default().to_owned();
    let problems = text.problems.iter().map(|problem| problem.reason.to_string());
    (record, problems.collect())
}

/// Returns the records of the games as values.
pub(crate) fn games(pgn: &[u8], plan: &Plan) -> GameList {
    let (mut list, mut text) = (GameList::default(), Text::default());
    let mut sink = GameSink::new(&mut list, &mut text, plan);
    let (counts, _) = Replay::new(Chunk::whole(pgn), plan).run(&mut sink);
    sink.finish(&counts);
    (list.losses, list.omitted) = (text.losses(), text.counts.omitted);
    list
}

/// Plans whose records differ in operations, registers, variations and selection.
pub(crate) fn plans() -> Vec<Plan> {
    let facts = [Fact::Line].into_iter().collect();
    let default = Plan { facts, names: NameSource::Embedded, ..Plan::default() };
    let all = Plan { ops: Ops::of(Op::ALL), variations: true, ..default.clone() };
    vec![
        Plan { ops: Ops::NONE, ..default.clone() },
        Plan { registers: RegisterStyle::Full, ..default.clone() },
        Plan { registers: RegisterStyle::Off, ..default.clone() },
        Plan { names: NameSource::Tags, ..default.clone() },
        Plan { names: NameSource::Off, ..default.clone() },
        Plan { ascii: true, registers: RegisterStyle::Full, ..all.clone() },
        Plan {
            omit: "check,captures,promotions,checking-moves".parse().unwrap(),
            eval: "-300..300".parse().ok(),
            ..default.clone()
        },
        Plan { filter: Some("pieces < 31 and eco".parse().unwrap()), ..default.clone() },
        Plan { filter: Some("eval > 0 or check".parse().unwrap()), ..all.clone() },
        Plan {
            templates: vec!["My={game}.{line}.{plies}.{opening|?}".parse().unwrap()],
            ..all.clone()
        },
        Plan { comments: emit::Comments::Raw, ..all.clone() },
        all,
        default,
    ]
}

/// Returns the columns of the records of games, each row with its values.
pub(crate) fn rows(pgn: &str, names: &[&str], plan: &Plan) -> (Rows, Vec<Vec<String>>) {
    let columns: Vec<Column> = names.iter().map(|name| name.parse().unwrap()).collect();
    let facts = columns.iter().filter_map(|column| match column {
        Column::Fact(fact) => Some(*fact),
        _ => None,
    });
    let plan = Plan { facts: facts.collect(), ..plan.clone() };
    let mut text = Text::default();
    let mut rows = emit::empty_rows(&columns, &Rows::default());
    let mut sink = NotedSink::new(text.sink(&plan), TableRows::new(&columns, &plan, &mut rows));
    Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
    let cell = |column: &table::ColumnValues, row: usize| {
        column.cell_text(row).unwrap_or_else(|| "-".to_owned())
    };
    let cells =
        (0..rows.len()).map(|row| rows.columns.iter().map(|column| cell(column, row)).collect());
    let cells = cells.collect();
    (rows, cells)
}

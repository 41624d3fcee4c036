//! What several files of tests use.

use emit::{
    Column, Counts, Fact, GameContext, GameList, GameSink, NotedSink, Op, Ops, Plan, Ply, Problem,
    Replay, Sink, TableRows, Text,
};
use epd::RegisterStyle;
use openings::NameSource;
use pgn::{Chunk, Outcome};
use san::{Keyword, san_of};
use table::Rows;

/// Replays games with a plan.
pub(crate) fn replay(pgn: impl AsRef<[u8]>, plan: &Plan) -> Text {
    run(pgn, plan).0
}

/// Replays games with a plan, and returns what is counted of them, too.
pub(crate) fn run(pgn: impl AsRef<[u8]>, plan: &Plan) -> (Text, Counts) {
    let mut text = Text::default();
    let (counts, _) = Replay::new(Chunk::whole(pgn.as_ref()), plan).run(&mut text.sink(plan));
    (text, counts)
}

/// The main lines of games.
#[derive(Default)]
pub(crate) struct MainLines {
    /// The pieces at the beginning of each game, if it has a position.
    pub(crate) starts: Vec<String>,
    pub(crate) games: Vec<Vec<String>>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) ending: Option<Outcome>,
}

impl MainLines {
    pub(crate) fn of(pgn: impl AsRef<[u8]>, plan: &Plan) -> Self {
        let mut played = MainLines::default();
        Replay::new(Chunk::whole(pgn.as_ref()), plan).run(&mut played);
        played
    }
}

impl Sink for MainLines {
    fn begin(&mut self, _: &GameContext<'_>) {
        self.starts.push(String::new());
        self.games.push(Vec::new());
    }

    fn ply(&mut self, ply: Ply<'_>, _: &GameContext<'_>) {
        if !ply.branches.is_empty() {
            return;
        }
        let (start, moves) = (self.starts.last_mut().unwrap(), self.games.last_mut().unwrap());
        if moves.is_empty() {
            *start = ply.position.to_string().split(' ').next().unwrap().to_owned();
        }
        moves.extend(ply.next.map(|next| san_of(ply.position, next).to_string()));
    }

    fn end(&mut self, game: &GameContext<'_>) {
        self.ending = game.outcome.flatten();
    }

    fn discard_game(&mut self) {}

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

pub(crate) fn lines(text: &Text) -> Vec<&str> {
    std::str::from_utf8(text.bytes.as_bytes()).unwrap().lines().collect()
}

/// The operations of each record.
pub(crate) fn operations(text: &Text) -> Vec<&str> {
    lines(text).into_iter().map(|line| line.splitn(5, ' ').nth(4).unwrap_or_default()).collect()
}

/// Only the fields, without operations.
pub(crate) fn bare() -> Plan {
    Plan { ops: Ops::NONE, names: NameSource::Off, ..Plan::default() }
}

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
pub(crate) const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";

/// What a template makes of each record.
pub(crate) fn values(pgn: &str, template: &str, plan: Plan) -> Vec<String> {
    let plan = Plan { templates: vec![format!("id={template}").parse().unwrap()], ..plan };
    let value = |line: &str| line.split('"').nth(1).unwrap().to_owned();
    lines(&replay(pgn, &plan)).into_iter().map(value).collect()
}

/// Returns the operations of the first record, and the problems.
pub(crate) fn templates(templates: &[&str], game: &str) -> (String, Vec<String>) {
    let templates = templates.iter().map(|template| template.parse().unwrap()).collect();
    let select = emit::Select { last: 0, ..Default::default() };
    let plan = Plan { templates, select, file: "dir/a.pgn".to_owned(), ..bare() };
    let text = replay(game, &plan);
    let problems = text.problems.iter().map(|problem| problem.reason.to_string());
    (operations(&text)[0].to_owned(), problems.collect())
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
    let template = "My={game}.{line}.{plies}.{opening|?}";
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
        Plan { templates: vec![template.parse().unwrap()], ..all.clone() },
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
    let cell = |text: Option<String>| text.unwrap_or("-".to_owned());
    let row = |row| rows.columns.iter().map(|column| cell(column.cell_text(row))).collect();
    let cells = (0..rows.len()).map(row).collect();
    (rows, cells)
}

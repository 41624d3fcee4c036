//! What several files of tests use.

use emit::{Column, Fact, GameList, GameSink, LookAhead, Op, Ops, Plan, Replay, RowSink, Text};
use epd::RegisterStyle;
use openings::NameSource;
use pgn::Chunk;
use san::{EnPassantPolicy, FieldStyle, Keyword, Position};
use table::Rows;
use testkit::rng::Rng;

/// Replays games with a plan, looking ahead if it must.
pub(crate) fn replay(pgn: &str, plan: &Plan) -> Text {
    let mut text = Text::default();
    let chunk = Chunk::whole(pgn.as_bytes());
    if plan.looks_ahead() {
        Replay::new(chunk, plan).run(&mut LookAhead::new(&mut text.sink(plan), plan));
    } else {
        Replay::new(chunk, plan).run(&mut text.sink(plan));
    }
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
    let mut list = GameList::default();
    let mut ahead = GameSink::new(&mut list, plan, 0);
    let mut sink = LookAhead::new(&mut ahead, plan);
    let (counts, _) = Replay::new(Chunk::whole(pgn), plan).run(&mut sink);
    ahead.finish(&counts);
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
    let mut sink = RowSink::new(text.sink(&plan), &columns, &plan, &mut rows);
    Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut LookAhead::new(&mut sink, &plan));
    let cell = |column: &table::ColumnValues, row: usize| {
        column.cell_text(row).unwrap_or_else(|| "-".to_owned())
    };
    let cells =
        (0..rows.len()).map(|row| rows.columns.iter().map(|column| cell(column, row)).collect());
    let cells = cells.collect();
    (rows, cells)
}

/// A random game with variations, in which pieces often move back.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// With all move numbers, and signs in place of some NAGs.
    pub(crate) pgn: String,
    /// The movetext as the export format (PGN standard 8.2) has it, in one line.
    pub(crate) normal: String,
    /// What tells the positions apart from the start to each position, in the order in which they
    /// are written: variations before the move that they replace.
    pub(crate) paths: Vec<Vec<String>>,
    /// For each position, whether it is of the main line.
    pub(crate) is_main: Vec<bool>,
}

impl Tree {
    pub(crate) fn random(rng: &mut Rng) -> Tree {
        let (mut tree, start) = (Tree::default(), Position::default());
        tree.visit(&[], &start, true);
        let path = tree.paths[0].clone();
        let plies = rng.between(1, 24);
        tree.line(rng, start, path, (plies, 0));
        tree
    }

    /// Returns the path to the position.
    fn visit(&mut self, before: &[String], position: &Position, is_main: bool) -> Vec<String> {
        let style = FieldStyle { en_passant: EnPassantPolicy::Legal, ..FieldStyle::default() };
        let mut fields = san::Buffer::default();
        let mut line = fields.line();
        san::write_fields(position, style, &mut line);
        line.finish();
        let fields = String::from_utf8(fields.as_bytes().to_vec()).unwrap();
        let path = [before, &[fields]].concat();
        self.paths.push(path.clone());
        self.is_main.push(is_main);
        path
    }

    fn word(&mut self, pgn: &str, normal: &str) {
        for (text, word) in [(&mut self.pgn, pgn), (&mut self.normal, normal)] {
            // A parenthesis touches what is in it.
            let is_apart = !word.is_empty() && word != ")" && !text.ends_with('(');
            *text += if is_apart && !text.is_empty() { " " } else { "" };
            *text += word;
        }
    }

    /// Adds comments and NAGs; returns whether there is a comment.
    fn notes(&mut self, rng: &mut Rng) -> bool {
        let notes =
            [("{a}", "{a}"), ("{b; (c)}", "{b; (c)}"), ("$7", "$7"), ("±", "$16"), ("-+", "$19")];
        let mut has_comment = false;
        while rng.one_in(4) {
            let (pgn, normal) = rng.pick(&notes);
            self.word(pgn, normal);
            has_comment |= pgn.starts_with('{');
        }
        has_comment
    }

    /// Adds a line of `plies` moves, inside of `depth` variations.
    fn line(
        &mut self,
        rng: &mut Rng,
        mut position: Position,
        mut path: Vec<String>,
        (plies, depth): (u32, u32),
    ) {
        let mut earlier = Vec::new();
        // A comment, a parenthesis or nothing is before the next move, not a move.
        let mut is_apart = true;
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let back = earlier.len().checked_sub(2).map(|at| earlier[at]);
            let back = moves.iter().find(|next| Some((next.to(), next.from())) == back);
            let next = *back
                .filter(|_| !rng.one_in(3))
                .unwrap_or(&moves[rng.below(moves.len() as u32) as usize]);
            earlier.push((next.from(), next.to()));
            let (number, san) = (position.fullmoves(), san::san_of(&position, next));
            match position.turn().is_white() {
                true => self.word(&format!("{number}."), &format!("{number}.")),
                false if is_apart => self.word(&format!("{number}..."), &format!("{number}...")),
                false => self.word(&format!("{number}..."), ""),
            }
            self.word(&san.to_string(), &san.to_string());
            is_apart = self.notes(rng);
            while depth < 3 && rng.one_in(5) {
                self.word("(", "(");
                let plies = rng.between(1, 12);
                self.line(rng, position.clone(), path.clone(), (plies, depth + 1));
                self.word(")", ")");
                is_apart = true;
                is_apart |= self.notes(rng);
            }
            position.play_unchecked(next);
            path = self.visit(&path, &position, depth == 0);
        }
    }
}

//! Benchmark of counting alone, without reading and playing games; `benches/peers/aggregate.py`
//! compares it with DuckDB.
//!
//! `aggregate export GAMES.pgn LAST_PLY ROWS` writes the positions after 1 to LAST_PLY plies as
//! rows of 43 bytes, little-endian: four words of the [packed](san::PositionKey) position, the
//! [code](san::MoveCode) of the move (2), the game (4), the year (2), the sum of the ratings (2)
//! and the result (1).
//!
//! `aggregate count ROWS MEMORY_IN_MIB FOLDER` counts them and prints the number of rows and of
//! positions, the sum of games over all positions, and the time in seconds.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::Instant;

use book::{Aggregate, Counts, EpdOps, Form, Game, Header, Selection, Source, Style, write_book};
use emit::{GameContext, Plan, Ply, Problem, Replay, Select, Sink};
use pgn::Outcome;
use san::{MoveCode, PositionKey};

const ROW: usize = 43;

/// Number of games counted together; about 256 KiB of text.
const GAMES_AT_ONCE: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["export", games, last_ply, rows] => export(games, last_ply.parse()?, rows),
        ["count", rows, memory, folder] => count(rows, memory.parse()?, folder),
        _ => Err("usage: aggregate export GAMES LAST_PLY ROWS | count ROWS MIB FOLDER".into()),
    }
}

fn export(games: &str, last_ply: u32, rows: &str) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read(games)?;
    let plan = Plan {
        select: Select { first: 1, last: last_ply, ..Select::default() },
        last_played: last_ply,
        ops: emit::Ops::NONE,
        ..Plan::default()
    };
    let out = BufWriter::with_capacity(1 << 20, File::create(rows)?);
    let mut export = Export { out, rows: Vec::new(), keys: Vec::new(), facts: [0; 9] };
    Replay::new(pgn::Chunk::whole(&text), &plan).run(&mut export);
    Ok(export.out.flush()?)
}

/// Sink that writes rows.
struct Export {
    out: BufWriter<File>,
    rows: Vec<u8>,
    keys: Vec<PositionKey>,
    /// The fields after position and move in each row of the game.
    facts: [u8; 9],
}

impl Sink for Export {
    fn begin(&mut self, game: &GameContext<'_>) {
        let value = |name: &[u8]| {
            let tag = game.tags.iter().find(|tag| tag.name() == name);
            tag.map(|tag| String::from_utf8_lossy(&tag.value()).into_owned()).unwrap_or_default()
        };
        let elo = |name| value(name).parse().unwrap_or(0);
        let (white, black): (u16, u16) = (elo(b"WhiteElo"), elo(b"BlackElo"));
        let elo_sum = if white > 0 && black > 0 { white + black } else { 0 };
        let year: u16 = value(b"Date").get(..4).and_then(|year| year.parse().ok()).unwrap_or(0);
        let game = u32::from_le_bytes(self.facts[..4].try_into().expect("four bytes")) + 1;
        self.facts[..4].copy_from_slice(&game.to_le_bytes());
        self.facts[4..6].copy_from_slice(&year.to_le_bytes());
        self.facts[6..8].copy_from_slice(&elo_sum.to_le_bytes());
        self.facts[8] = Outcome::of_tag(value(b"Result").as_bytes()) as u8;
        self.rows.clear();
        self.keys.clear();
    }

    fn ply(&mut self, ply: Ply<'_>, _: &GameContext<'_>) {
        let key = PositionKey::of(ply.position);
        if self.keys.contains(&key) {
            return;
        }
        self.keys.push(key);
        self.rows.extend_from_slice(&key.to_bytes());
        self.rows.extend_from_slice(&MoveCode::of(ply.next).0.to_le_bytes());
        self.rows.extend_from_slice(&self.facts);
    }

    fn end(&mut self, _: &GameContext<'_>) {
        self.out.write_all(&self.rows).expect("the rows can be written");
    }

    fn discard_game(&mut self) {
        self.rows.clear();
    }

    fn problem(&mut self, _: Problem) {}
}

fn count(rows: &str, memory: usize, folder: &str) -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    let mut input = BufReader::with_capacity(1 << 20, File::open(rows)?);
    let aggregate = Aggregate::new(memory << 20, Path::new(folder));
    let mut counts = Counts::default();
    let mut game: Vec<(PositionKey, MoveCode)> = Vec::new();
    let (mut current, mut facts) = (0, Game::default());
    let (mut games, mut before, mut count) = (0, 0, 0_u64);
    let mut row = [0; ROW];
    loop {
        let is_over = input.read_exact(&mut row).is_err();
        let number = u32::from_le_bytes(row[34..38].try_into()?);
        if is_over || number != current {
            if !game.is_empty() {
                counts.game(facts.clone(), &game);
                games += 1;
                game.clear();
            }
            if is_over || games == GAMES_AT_ONCE {
                aggregate.add(&mut counts, 0, before)?;
                counts.clear();
                before += games as u64;
                games = 0;
            }
            if is_over {
                break;
            }
            let outcomes =
                [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown];
            facts = Game {
                year: u16::from_le_bytes([row[38], row[39]]),
                elo_sum: u16::from_le_bytes([row[40], row[41]]),
                outcome: outcomes[usize::from(row[42])],
                ..Game::default()
            };
            current = number;
        }
        let key = PositionKey::from_bytes(row[..32].try_into()?);
        game.push((key, MoveCode(u16::from_le_bytes([row[32], row[33]]))));
        count += 1;
    }
    let added = began.elapsed();
    let spills = aggregate.spills();
    let source = Source::Counted(Box::new(aggregate), Header::default());
    let style = Style { form: Form::Epd, ops: EpdOps::None, names: None };
    let (selection, folder) = (Selection::default(), Path::new(folder));
    let out = &mut std::io::sink();
    let book = write_book(source, &selection, &style, memory << 20, folder, None, out)?;
    let seconds = began.elapsed().as_secs_f64();
    writeln!(
        std::io::stdout(),
        "{count} rows {} positions {} games {spills} spills {:.2} s adding {seconds:.2} s",
        book.total,
        book.games,
        added.as_secs_f64()
    )?;
    Ok(())
}

//! Shows a position of a book.

use std::cmp::Reverse;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use anyhow::Context;
use pgn2epd::Position;
use pgn2epd::book::explorer::{
    ExplorerEntry, ExplorerError, ExplorerFile, ExplorerHeader, VERSION,
};
use pgn2epd::book::{BookOptions, MoveCode, NotableGame, Part, Source, Tally, find, four_fields};
use pgn2epd::chess::{PositionKey, position_after, san_of};
use pgn2epd::openings::{Name, Openings};
use pgn2epd::output::printable;

use super::{counted, polyglot};
use crate::exit::Outcome;
use crate::output;
use crate::report;

struct Found {
    total: Tally,
    moves: Vec<(MoveCode, Tally)>,
    /// The notable games and their moves, the strongest first.
    games: Vec<(MoveCode, NotableGame)>,
    /// The ECO code and the name of the opening.
    name: [Option<String>; 2],
    files: Vec<String>,
}

/// Looks up a position in a partial result or a file of games.
fn look_up(path: &Path, position: &Position) -> anyhow::Result<Option<Found>> {
    let options = BookOptions::default();
    let found = find(source(path, &options)?, position, &options)?;
    Ok(found.map(|(entry, header)| {
        let notable = |(code, tally): &(MoveCode, Tally)| {
            tally.notable_games().map(|game| (*code, game.clone())).collect::<Vec<_>>()
        };
        let mut games: Vec<_> = entry.moves.iter().flat_map(notable).collect();
        games.sort_by_key(|(code, game)| (Reverse(game.elo_sum), game.at, *code));
        let name = Openings::embedded().name(position, entry.total.first.ply);
        let name = [name.and_then(Name::eco), name.and_then(Name::opening)];
        let name = name.map(|text| text.map(str::to_owned));
        Found { total: entry.total, moves: entry.moves, games, name, files: header.files }
    }))
}

fn look_up_in(file: &ExplorerFile, position: &Position) -> Result<Option<Found>, ExplorerError> {
    let entry = file.find(PositionKey::of(position))?;
    Ok(entry.map(|entry| {
        let ExplorerEntry { total, moves, games, eco, opening, .. } = entry;
        Found { total, moves, games, name: [eco, opening], files: file.header().files.clone() }
    }))
}

/// Returns the counts of a partial result or of a file of games.
pub(super) fn source(path: &Path, options: &BookOptions) -> anyhow::Result<Source> {
    let cannot_read = || format!("cannot read {}", path.display());
    if path.is_file() && Part::is_part(path).with_context(cannot_read)? {
        return Ok(Source::Parts(vec![Part::open(path)?], options.threads()));
    }
    let files = [PathBuf::from(path)];
    let (counting, ..) = counted(&files, None, options, false, false, None, false)?;
    Ok(counting.finish())
}

fn position(fen: Option<&str>, moves: Option<&str>) -> anyhow::Result<Position> {
    let start = match fen {
        None => Position::default(),
        Some(fen) => Position::from_fen(fen).with_context(|| format!("--fen {fen:?}"))?,
    };
    position_after(&start, moves.unwrap_or_default()).context("--moves")
}

/// Prints the moves of a position with their counts, or with their weights in a Polyglot book.
pub(super) fn show(path: &Path, fen: Option<&str>, moves: Option<&str>) -> anyhow::Result<Outcome> {
    let position = position(fen, moves)?;
    output::add_output(&mut output::guard(&[path.to_owned()])?, None)?;
    if polyglot::is_book(path) {
        return polyglot::show(path, &position);
    }
    let mut out = BufWriter::new(output::stdout());
    let cannot_read = || format!("cannot read {}", path.display());
    let found = if path.is_file() && ExplorerFile::is_file(path).with_context(cannot_read)? {
        let file = ExplorerFile::open(path).with_context(cannot_read)?;
        if fen.is_none() && moves.is_none() {
            let len = fs::metadata(path).with_context(cannot_read)?.len();
            print_header(file.header(), len, &mut out)?;
        }
        look_up_in(&file, &position).with_context(cannot_read)?
    } else {
        look_up(path, &position)?
    };
    writeln!(out, "{}", four_fields(&position))?;
    match found {
        None => writeln!(out, "no game reached this position")?,
        Some(found) => print_position(found, &position, &mut out)?,
    }
    out.flush()?;
    Ok(Outcome::Well)
}

fn print_header(header: &ExplorerHeader, len: u64, out: &mut impl Write) -> io::Result<()> {
    let ExplorerHeader { positions, files, counted, .. } = header;
    let count = report::count(*positions, "position");
    let (bytes, each) = (report::count(len, "byte"), len as f64 / (*positions).max(1) as f64);
    writeln!(out, "explorer file, version {VERSION}: {count}, {bytes}, {each:.1} for each")?;
    writeln!(out, "counted: {}", printable(counted))?;
    let shown = files.iter().take(MOST_FILES).map(|file| printable(file));
    let mut shown: Vec<_> = shown.collect();
    if files.len() > MOST_FILES {
        shown.push(format!("{} others", files.len() - MOST_FILES));
    }
    writeln!(out, "files: {}\n", shown.join(", "))
}

const MOST_FILES: usize = 10;

fn print_position(found: Found, position: &Position, out: &mut impl Write) -> io::Result<()> {
    let Found { total, mut moves, games, name, files } = found;
    let name: Vec<_> = name.iter().flatten().map(|text| printable(text)).collect();
    if !name.is_empty() {
        writeln!(out, "{}", name.join(" "))?;
    }
    let [games_of, share, white, draws, black] =
        ["games", "share", "White █", "drawn ▒", "Black ░"];
    writeln!(
        out,
        "{:<8} {games_of:>9} {share:>7} {white:>7} {draws:>7} {black:>7}  {:BAR$}  {:>4}  last",
        "move", "", "elo"
    )?;
    // Most played first; ties by code.
    moves.sort_by_key(|(code, tally)| (Reverse(tally.games), *code));
    for (code, tally) in &moves {
        writeln!(out, "{}", line(&move_name(*code, position), tally, total.games))?;
    }
    writeln!(out, "{}\n", line("all", &total, total.games))?;
    writeln!(out, "{:<8} {:<7}  {:>4}  year  notable game", "move", "result", "elo")?;
    for (code, game) in games.iter().take(MOST_GAMES) {
        let NotableGame { elo_sum, at, outcome, year, info } = game;
        let elo = number(f64::from(*elo_sum) / 2.0);
        let player = |name: &str| printable(if name.is_empty() { "?" } else { name });
        let (white, black) = (player(&info.white), player(&info.black));
        let file = printable(files.get(at.file as usize).map_or("?", |name| name));
        let (name, result, year) =
            (move_name(*code, position), outcome.as_str(), number((*year).into()));
        writeln!(
            out,
            "{name:<8} {result:<7}  {elo:>4}  {year:>4}  {white} - {black}, {file}:{}",
            at.game
        )?;
    }
    Ok(())
}

const MOST_GAMES: usize = 10;

fn move_name(code: MoveCode, position: &Position) -> String {
    match code.find(position) {
        Some(next) => san_of(position, next).to_string(),
        None => "(end)".to_owned(),
    }
}

fn line(name: &str, tally: &Tally, all: u64) -> String {
    let Tally { games, white, draws, black, .. } = *tally;
    let decided = white.saturating_add(draws).saturating_add(black);
    let percent = |part| report::percent(part, decided);
    let (bar, elo) = (bar(white, draws, decided), number(tally.mean_rating().unwrap_or_default()));
    format!(
        "{name:<8} {games:>9} {:>7} {:>7} {:>7} {:>7}  {bar:BAR$}  {elo:>4}  {:>4}",
        report::percent(games, all),
        percent(white),
        percent(draws),
        percent(black),
        number(tally.last_year.into()),
    )
}

/// Returns a number; `-` for 0, which is unknown.
fn number(number: f64) -> String {
    if number > 0.0 { format!("{number:.0}") } else { "-".to_owned() }
}

/// Width of a bar.
const BAR: usize = 20;

/// Returns a bar of the results; an empty one if no game has a result.
fn bar(white: u64, draws: u64, decided: u64) -> String {
    let Some(decided) = NonZeroU64::new(decided) else { return String::new() };
    let decided = u128::from(decided.get());
    let cells = |games: u128| ((games * BAR as u128 * 2 + decided) / (decided * 2)) as usize;
    let (white, draws) = (u128::from(white), u128::from(draws));
    let (white, upto_draws) = (cells(white), cells(white + draws));
    ["█".repeat(white), "▒".repeat(upto_draws - white), "░".repeat(BAR - upto_draws)].concat()
}

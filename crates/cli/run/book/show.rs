//! Shows a position of a book.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use pgn2epd::Position;
use pgn2epd::book::explorer::ExplorerFile;
use pgn2epd::book::{BookOptions, MoveCode, Part, Source, Tally, find, four_fields};
use pgn2epd::chess::{PositionKey, position_after};

use super::{counted, polyglot};
use pgn2epd::output::printable;

use crate::exit::Outcome;
use crate::output::{self, Output};
use crate::report;

/// The counts of a position and of its moves, and the names of the files.
type Found = (Tally, Vec<(MoveCode, Tally)>, Vec<String>);

/// Looks up a position in an explorer file, a partial result or a file of games.
fn look_up(path: &Path, position: &Position) -> anyhow::Result<Option<Found>> {
    let cannot_read = || format!("cannot read {}", path.display());
    if path.is_file() && ExplorerFile::is_file(path).with_context(cannot_read)? {
        let file = ExplorerFile::open(path).with_context(cannot_read)?;
        let entry = file.find(PositionKey::of(position)).with_context(cannot_read)?;
        return Ok(entry.map(|entry| (entry.total, entry.moves, file.header().files.clone())));
    }
    let options = BookOptions::default();
    let found = find(source(path, &options)?, position, &options)?;
    Ok(found.map(|(entry, header)| (entry.total, entry.moves, header.files)))
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

/// Returns the position that `--fen` and `--moves` select.
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
    output::guard(&[path.to_owned()])?.stdout()?;
    if polyglot::is_book(path) {
        return polyglot::show(path, &position);
    }
    let mut out = BufWriter::new(Output::stdout());
    writeln!(out, "{}", four_fields(&position))?;
    let Some((total, mut moves, files)) = look_up(path, &position)? else {
        writeln!(out, "no game reached this position")?;
        out.flush()?;
        return Ok(Outcome::Well);
    };
    writeln!(out, "{}", heading())?;
    // Most played first; ties by code.
    moves.sort_by_key(|(code, tally)| (std::cmp::Reverse(tally.games), *code));
    for (code, tally) in &moves {
        let name = move_name(*code, &position);
        writeln!(out, "{}", line(&name, tally, total.games, &files))?;
    }
    writeln!(out, "{}", line("all", &total, total.games, &files))?;
    out.flush()?;
    Ok(Outcome::Well)
}

fn move_name(code: MoveCode, position: &Position) -> String {
    match code.find(position) {
        Some(next) => pgn2epd::chess::san_of(position, next).to_string(),
        None => "(end)".to_owned(),
    }
}

fn heading() -> String {
    let [games, share, white, draws, black] = ["games", "share", "White", "drawn", "Black"];
    format!(
        "{:<8} {games:>9} {share:>7} {white:>7} {draws:>7} {black:>7} {:>5} {:>9}  strongest game",
        "move", "elo", "years"
    )
}

fn line(name: &str, tally: &Tally, all: u64, files: &[String]) -> String {
    let decided = tally.white.saturating_add(tally.draws).saturating_add(tally.black);
    let elo = tally.mean_rating().map_or("-".to_owned(), |elo| format!("{elo:.0}"));
    let years = match (tally.first_year, tally.last_year) {
        (_, 0) => "-".to_owned(),
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    let strongest = &tally.strongest;
    let player = |name: &str| printable(if name.is_empty() { "?" } else { name });
    let file = files.get(strongest.at.file as usize).map_or("?", |name| name);
    let file = printable(file);
    format!(
        "{name:<8} {:>9} {:>7} {:>7} {:>7} {:>7} {elo:>5} {years:>9}  {} - {}, {file}:{}",
        tally.games,
        report::percent(tally.games, all),
        report::percent(tally.white, decided),
        report::percent(tally.draws, decided),
        report::percent(tally.black, decided),
        player(&strongest.info.white),
        player(&strongest.info.black),
        strongest.at.game,
    )
}

//! Shows a position of a book, and the differences between two books.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use pgn2epd::book::{
    BookOptions, Choice, Chosen, Header, MoveCode, Order, Part, Source, Tally, choose, find,
    four_fields,
};
use pgn2epd::{OnDamage, Position, position_after};

use super::{counted, polyglot};
use pgn2epd::output::printable;

use crate::exit::Outcome;
use crate::output::{self, Output};
use crate::report;

/// Returns the counts of a partial result or of a file of games.
fn source(path: &Path) -> anyhow::Result<Source> {
    let cannot_read = || format!("cannot read {}", path.display());
    if path.is_file() && Part::is_part(path).with_context(cannot_read)? {
        return Ok(Source::Parts(vec![Part::open(path)?], BookOptions::default().threads()));
    }
    let files = [PathBuf::from(path)];
    let (counting, ..) =
        counted(&files, None, &BookOptions::default(), OnDamage::default(), false, None, false)?;
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
    let BookOptions { memory, temp_dir, .. } = BookOptions::default();
    let mut out = BufWriter::new(Output::stdout());
    writeln!(out, "{}", four_fields(&position))?;
    let Some((entry, header)) = find(source(path)?, &position, memory, &temp_dir)? else {
        writeln!(out, "no game reached this position")?;
        out.flush()?;
        return Ok(Outcome::Well);
    };
    writeln!(out, "{}", heading())?;
    let mut moves = entry.moves;
    // Most played first; ties by code.
    moves.sort_by_key(|(code, tally)| (std::cmp::Reverse(tally.games), *code));
    for (code, tally) in &moves {
        let name = move_name(*code, &position);
        writeln!(out, "{}", line(&name, tally, entry.total.games, &header))?;
    }
    writeln!(out, "{}", line("all", &entry.total, entry.total.games, &header))?;
    out.flush()?;
    Ok(Outcome::Well)
}

fn move_name(code: MoveCode, position: &Position) -> String {
    match code.find(position) {
        Some(next) => pgn2epd::san_of(position, next).to_string(),
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

fn line(name: &str, tally: &Tally, all: u64, header: &Header) -> String {
    let decided = tally.white.saturating_add(tally.draws).saturating_add(tally.black);
    let elo = tally.mean_rating().map_or("-".to_owned(), |elo| format!("{elo:.0}"));
    let years = match (tally.first_year, tally.last_year) {
        (_, 0) => "-".to_owned(),
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    let strongest = &tally.strongest;
    let player = |name: &str| printable(if name.is_empty() { "?" } else { name });
    let file = header.files.get(strongest.at.file as usize).map_or("?", |name| name);
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

/// The counts of a position and of its moves, for comparison.
type Counted = (String, Vec<String>);

fn counts(chosen: &Chosen) -> Counted {
    let text = |tally: &Tally| {
        let Tally { games, white, draws, black, .. } = tally;
        format!("games {games} white {white} draws {draws} black {black}")
    };
    let of_move = |(code, tally): &(MoveCode, Tally)| {
        format!("{} {}", move_name(*code, &chosen.position), text(tally))
    };
    (text(&chosen.total), chosen.moves.iter().map(of_move).collect())
}

/// Prints the differences and the common content of two books. The first one is held in memory.
pub(super) fn diff(a: &Path, b: &Path) -> anyhow::Result<Outcome> {
    output::guard(&[a.to_owned(), b.to_owned()])?.stdout()?;
    let BookOptions { memory, temp_dir, .. } = BookOptions::default();
    let choice = Choice { order: Order::Key, ..Choice::default() };
    let mut first: BTreeMap<String, Counted> = BTreeMap::new();
    choose(source(a)?, &choice, memory, &temp_dir, &mut |chosen, _| {
        first.insert(four_fields(&chosen.position), counts(&chosen));
        Ok(())
    })?;
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    choose(source(b)?, &choice, memory, &temp_dir, &mut |chosen, _| {
        let epd = four_fields(&chosen.position);
        let (total, moves) = counts(&chosen);
        match first.remove(&epd) {
            None => drop(lines.insert(epd.clone(), format!("+ {epd} {total}\n"))),
            Some((old, old_moves)) => {
                let mut text = String::new();
                if old != total {
                    text += &format!("= {epd} {old} -> {total}\n");
                }
                let gone = old_moves.iter().filter(|line| !moves.contains(line));
                gone.for_each(|line| text += &format!("- {epd} {line}\n"));
                let new = moves.iter().filter(|line| !old_moves.contains(line));
                new.for_each(|line| text += &format!("+ {epd} {line}\n"));
                if !text.is_empty() {
                    lines.insert(epd, text);
                }
            }
        }
        Ok(())
    })?;
    for (epd, (total, _)) in first {
        lines.insert(epd.clone(), format!("- {epd} {total}\n"));
    }
    let mut out = BufWriter::new(Output::stdout());
    lines.values().try_for_each(|line| out.write_all(line.as_bytes()))?;
    out.flush()?;
    Ok(Outcome::Well)
}

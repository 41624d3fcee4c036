//! The commands that read books: a position of one, and games compared with one.

use std::cmp::Reverse;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use pgn2epd::book::count_file::{CountFile, CountedPosition, VERSION};
use pgn2epd::book::{
    BookOptions, Comparison, Departure, Gap, GapLimits, Header, MoveCode, Repertoire, Tally,
    count_file_in_memory, find_departures, four_fields, polyglot_entries, repertoire,
};
use pgn2epd::chess::{Color, PositionKey, position_after, san_of};
use pgn2epd::game::MoveNumber;
use pgn2epd::openings::{Name, Openings};
use pgn2epd::options::Keyword;
use pgn2epd::output::printable;
use pgn2epd::{ConvertError, Options, Position};

use super::counted;
use crate::args::Gaps;
use crate::files;
use crate::host::host;
use crate::job::Job;
use crate::report;

/// Whether a file is a Polyglot book by its name; the format has no signature.
pub(super) fn is_polyglot_book(path: &Path) -> bool {
    path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("bin"))
}

pub(super) fn show_polyglot(path: &Path, position: &Position) -> anyhow::Result<u64> {
    let name = files::name(path);
    let mut entries = polyglot_entries(files::open_input(path)?, position)
        .with_context(|| format!("cannot read {name}"))?;
    let is_empty = entries.is_empty();
    let mut errors = 0;
    entries.retain(|entry| {
        let is_legal = entry.played(position).is_some();
        if !is_legal {
            let ((from, to), number) = (entry.squares(), entry.number);
            report::note(&format!(
                "{name}: entry {number}: {from}{to} is illegal in this position"
            ));
            errors += 1;
        }
        is_legal
    });
    // The sort is stable: moves of equal weight keep the order of the book.
    entries.sort_by_key(|entry| Reverse(entry.weight));
    let all: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
    let mut out = BufWriter::new(files::stdout());
    writeln!(out, "{}", four_fields(position))?;
    if is_empty {
        writeln!(out, "the book does not have this position")?;
    } else {
        writeln!(out, "{:<8} {:>9} {:>7} {:>10}", "move", "weight", "share", "learn")?;
    }
    for entry in entries {
        let san = entry.played(position).map(|played| san_of(position, played).to_string());
        let share = report::percent(entry.weight.into(), all);
        let (san, weight, learn) = (san.unwrap_or_default(), entry.weight, entry.learn);
        writeln!(out, "{san:<8} {weight:>9} {share:>7} {learn:>10}")?;
    }
    out.flush()?;
    Ok(errors)
}

/// Opens an explorer file or a partial result, or counts a file of games in memory.
pub(super) fn opened(path: &Path, options: &BookOptions) -> anyhow::Result<(CountFile, bool)> {
    let cannot_read = || format!("cannot read {}", path.display());
    if path.is_file() && CountFile::is_file(path).with_context(cannot_read)? {
        return Ok((CountFile::open(path).with_context(cannot_read)?, true));
    }
    let files = [PathBuf::from(path)];
    let counting = counted(&files, None, options, false, false, &mut Job::default())?;
    Ok((count_file_in_memory(counting.finish(), options)?, false))
}

fn position(fen: Option<&str>, moves: Option<&str>) -> anyhow::Result<Position> {
    let start = match fen {
        None => Position::default(),
        Some(fen) => Position::from_fen(fen).with_context(|| format!("--fen {fen:?}"))?,
    };
    position_after(&start, moves.unwrap_or_default()).context("--moves")
}

pub(super) fn show(path: &Path, fen: Option<&str>, moves: Option<&str>) -> anyhow::Result<u64> {
    let position = position(fen, moves)?;
    files::add_output(&mut files::guard(&[path.to_owned()])?, None)?;
    if is_polyglot_book(path) {
        return show_polyglot(path, &position);
    }
    let mut out = BufWriter::new(files::stdout());
    let cannot_read = || format!("cannot read {}", path.display());
    let (file, is_count_file) = opened(path, &BookOptions::default())?;
    let mut files = file.header().files.clone();
    if !is_count_file {
        files = vec![files::name(path)];
    } else if fen.is_none() && moves.is_none() {
        let len = fs::metadata(path).with_context(cannot_read)?.len();
        print_header(file.header(), len, &mut out)?;
    }
    let found = file.find(PositionKey::of(&position)).with_context(cannot_read)?;
    writeln!(out, "{}", four_fields(&position))?;
    match found {
        None => writeln!(out, "no game reached this position")?,
        Some(found) => print_position(found, &files, &position, &mut out)?,
    }
    out.flush()?;
    Ok(0)
}

fn print_header(header: &Header, len: u64, out: &mut impl Write) -> io::Result<()> {
    let Header { positions, files, counted, .. } = header;
    let count = report::count(*positions, "position");
    let (bytes, each) = (report::count(len, "byte"), len as f64 / (*positions).max(1) as f64);
    writeln!(out, "count file, version {VERSION}: {count}, {bytes}, {each:.1} for each")?;
    writeln!(out, "counted: {}", printable(counted))?;
    let shown = files.iter().take(MOST_FILES).map(|file| printable(file));
    let mut shown: Vec<_> = shown.collect();
    if files.len() > MOST_FILES {
        shown.push(format!("{} others", files.len() - MOST_FILES));
    }
    writeln!(out, "files: {}\n", shown.join(", "))
}

const MOST_FILES: usize = 10;

fn print_position(
    found: CountedPosition,
    files: &[String],
    position: &Position,
    out: &mut impl Write,
) -> io::Result<()> {
    let notable = found.notable_games();
    let CountedPosition { total, mut moves, games, eco, opening, .. } = found;
    // A partial result has no names.
    let name = Openings::embedded().name(position, total.first.ply.into());
    let eco = eco.as_deref().or(name.and_then(Name::eco));
    let opening = opening.as_deref().or(name.and_then(Name::opening));
    let name: Vec<_> = [eco, opening].into_iter().flatten().map(printable).collect();
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
    for (code, at) in notable.into_iter().take(MOST_GAMES) {
        let game = at.of(&games);
        let elo = number(f64::from(game.elo_sum) / 2.0);
        let player = |name: &str| printable(if name.is_empty() { "?" } else { name });
        let (white, black) = (player(&game.white), player(&game.black));
        let file = printable(files.get(game.file as usize).map_or("?", |name| name));
        let (name, result, year) =
            (move_name(code, position), game.outcome.as_str(), number(game.year.into()));
        writeln!(
            out,
            "{name:<8} {result:<7}  {elo:>4}  {year:>4}  {white} - {black}, {file}:{}",
            game.number
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

fn number(number: f64) -> String {
    if number > 0.0 { format!("{number:.0}") } else { "-".to_owned() }
}

const BAR: usize = 20;

fn bar(white: u64, draws: u64, decided: u64) -> String {
    let Some(decided) = NonZeroU64::new(decided) else { return String::new() };
    let decided = u128::from(decided.get());
    let cells = |games: u128| ((games * BAR as u128 * 2 + decided) / (decided * 2)) as usize;
    let (white, draws) = (u128::from(white), u128::from(draws));
    let (white, upto_draws) = (cells(white), cells(white + draws));
    ["█".repeat(white), "▒".repeat(upto_draws - white), "░".repeat(BAR - upto_draws)].concat()
}

pub(super) fn gaps(args: &Gaps) -> anyhow::Result<u64> {
    let files = || args.files.iter().chain(&args.against).chain(&args.games);
    let stdin = files().filter(|path| path.as_os_str() == "-");
    if stdin.count() > 1 && host().is_process() {
        bail!("only one of the files can be standard input");
    }
    files::add_output(&mut files::guard(&files().cloned().collect::<Vec<_>>())?, None)?;
    files::check_existing(&args.games)?;
    let options = Options::default().filter(args.condition.clone());
    let against = args.against.as_ref().map(|path| {
        CountFile::open(path).with_context(|| format!("cannot read {}", path.display()))
    });
    let against = against.transpose()?;
    let counting = BookOptions::default().variations(true);
    let mut job = Job::default();
    let lines = counted(&args.files, None, &counting, false, false, &mut job);
    let lines = lines.map_err(|error| match error.downcast() {
        Ok(ConvertError::Source { name, .. }) => {
            anyhow!("{name}: a repertoire consists of games, and this file has positions")
        }
        Ok(error) => error.into(),
        Err(error) => error,
    })?;
    job.end_of_all()?;
    let side = Color::from_white(args.side == "white");
    let repertoire = repertoire(lines.finish(), side, &counting)?;
    if repertoire.is_empty() {
        let names: Vec<_> = args.files.iter().map(|path| files::name(path)).collect();
        bail!("the repertoire has no moves: {}", names.join(", "));
    }
    let mut errors = job.done.errors;
    let mut out = BufWriter::new(files::stdout());
    if let Some(against) = against {
        let limits = GapLimits { min_games: args.min_games, min_score: args.min_score.0 };
        let gaps = repertoire.gaps(&against, &limits)?;
        print_gaps(&gaps, args.limit, &repertoire, &mut out)?;
        if !args.games.is_empty() {
            writeln!(out)?;
        }
    }
    if !args.games.is_empty() {
        errors += print_departures(args, &repertoire, &options, &mut out)?;
    }
    out.flush()?;
    Ok(errors)
}

fn print_gaps(
    gaps: &[Gap],
    limit: usize,
    repertoire: &Repertoire,
    out: &mut impl Write,
) -> io::Result<()> {
    if gaps.is_empty() {
        return writeln!(out, "no gap was found");
    }
    let [games, share, score] = ["games", "share", "score"];
    writeln!(out, "{:<6} {games:>9} {share:>7} {score:>7}  line", "gap")?;
    for Gap { kind, tally, of, line, .. } in gaps.iter().take(limit) {
        let score = repertoire.score(tally);
        let score = score.map_or("-".to_owned(), |score| report::percent(score, 1_000_000));
        let (games, share) = (tally.games, report::percent(tally.games, *of));
        writeln!(out, "{:<6} {games:>9} {share:>7} {score:>7}  {}", kind.word(), line.join(" "))?;
    }
    Ok(())
}

fn print_departures(
    args: &Gaps,
    repertoire: &Repertoire,
    options: &Options,
    out: &mut impl Write,
) -> anyhow::Result<u64> {
    let inputs = files::inputs(&args.games, None)?;
    let mut job = Job::default();
    let (mut left, mut stayed, mut outside) = ([0_u64; 3], 0, 0);
    row(&["gap", "ply", "move", "repertoire", "result", "date", "game"], out)?;
    job.read(inputs, |text, job| {
        let (file, mut written) = (text.name().to_owned(), Ok(()));
        let mut deliver = |compared: Comparison| {
            stayed += compared.stayed;
            outside += compared.outside;
            compared.left.iter().for_each(|game| left[game.kind as usize] += 1);
            let mut games = compared.left.iter();
            written = games.try_for_each(|game| row(&cells(game, &file), out));
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let read = find_departures(text, repertoire, options, &mut deliver, job);
        written.map_err(anyhow::Error::from)?;
        Ok(read.map(|_| false).map_err(ConvertError::Read)?)
    })?;
    let [own, reply, end] = left;
    let left = own + reply + end;
    let games = report::count(left + stayed + outside, "game");
    let parts = format!("own {own}, reply {reply}, end {end}");
    writeln!(
        out,
        "{games}: {left} left the repertoire ({parts}), {stayed} stayed in it, {outside} never reached it"
    )?;
    out.flush()?;
    report::hints(options.filter.as_ref(), &job.done);
    job.end_of_all()?;
    Ok(job.done.errors)
}

fn row(cells: &[impl AsRef<str>; 7], out: &mut impl Write) -> io::Result<()> {
    let [gap, ply, played, moves, result, date, game] = cells.each_ref().map(AsRef::as_ref);
    writeln!(out, "{gap:<6} {ply:>4}  {played:<12} {moves:<14} {result:<7}  {date:<10}  {game}")
}

fn cells(game: &Departure, file: &str) -> [String; 7] {
    let Departure { position, played, moves, place, white, black, .. } = game;
    let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
    let san = |played| san_of(position, played).to_string();
    let mut moves: Vec<_> = moves.iter().map(|stays| san(*stays)).collect();
    moves.sort_unstable();
    let known = game.date.iter().take_while(|part| **part > 0);
    let date: Vec<_> = known.map(|part| format!("{part:02}")).collect();
    let player = |name: &str| printable(if name.is_empty() { "?" } else { name });
    let (white, black) = (player(white), player(black));
    [
        game.kind.to_string(),
        game.ply.to_string(),
        format!("{number} {}", san(*played)),
        dash_if_empty(moves.join(" ")),
        game.outcome.as_str().to_owned(),
        dash_if_empty(date.join(".")),
        format!("{}:{}: game {} ({white} - {black})", printable(file), place.line, game.game),
    ]
}

fn dash_if_empty(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

//! Compares a repertoire with an explorer file, and with games.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use anyhow::{Context, anyhow, bail};
use pgn2epd::Options;
use pgn2epd::book::explorer::ExplorerFile;
use pgn2epd::book::{
    BookOptions, Comparison, CountError, Departure, DepartureKind, Gap, GapLimits, Repertoire,
    find_departures, repertoire,
};
use pgn2epd::chess::{Color, san_of};
use pgn2epd::game::MoveNumber;
use pgn2epd::options::{Keyword, OnDamage};
use pgn2epd::output::printable;

use super::counted;
use crate::args::Gaps;
use crate::empty_output;
use crate::exit::Outcome;
use crate::host::host;
use crate::inputs::{self, Failures};
use crate::output;
use crate::progress::Progress;
use crate::report;
use crate::run::convert::Watcher;

pub(super) fn gaps(args: &Gaps) -> anyhow::Result<Outcome> {
    let files = || args.files.iter().chain(&args.against).chain(&args.games);
    let stdin = files().filter(|path| path.as_os_str() == "-");
    if stdin.count() > 1 && host().is_process() {
        bail!("only one of the files can be standard input");
    }
    output::add_output(&mut output::guard(&files().cloned().collect::<Vec<_>>())?, None)?;
    inputs::check_existing(&args.games)?;
    let options = Options::default().filter(args.condition.clone());
    let against = args.against.as_ref().map(|path| {
        ExplorerFile::open(path).with_context(|| format!("cannot read {}", path.display()))
    });
    let against = against.transpose()?;
    let counting = BookOptions::default().variations(true);
    let lines = counted(&args.files, None, &counting, false, false, None, false);
    let (lines, summary, _, read) = lines.map_err(|error| match error.downcast() {
        Ok(CountError::Source { name, .. }) => {
            anyhow!("{name}: a repertoire consists of games, and this file has positions")
        }
        Ok(error) => error.into(),
        Err(error) => error,
    })?;
    read?;
    let side = Color::from_white(args.side == "white");
    let repertoire = repertoire(lines.finish(), side, &counting)?;
    if repertoire.is_empty() {
        let names: Vec<_> = args.files.iter().map(|path| inputs::name(path)).collect();
        bail!("the repertoire has no moves: {}", names.join(", "));
    }
    let mut errors = summary.errors;
    let mut out = BufWriter::new(output::stdout());
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
    Ok(Outcome::of_errors(errors))
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

/// Prints where games left the repertoire, and returns the number of errors in them.
fn print_departures(
    args: &Gaps,
    repertoire: &Repertoire,
    options: &Options,
    out: &mut impl Write,
) -> anyhow::Result<u64> {
    let inputs = inputs::inputs(&args.games, None)?;
    let mut watcher = Watcher::new(&inputs, Progress::new(None, false), None, false);
    let mut failures = Failures::new(false, OnDamage::Stop);
    let mut totals = Totals::default();
    row(&["gap", "ply", "move", "repertoire", "result", "date", "game"], out)?;
    for text in inputs {
        let Some(text) = failures.text(text, watcher.progress())? else { continue };
        watcher.begin(&text);
        let (file, mut written) = (text.name().to_owned(), Ok(()));
        let mut deliver = |compared: Comparison| {
            totals.add(&compared);
            let mut left = compared.left.iter();
            written = left.try_for_each(|game| row(&cells(game, &file), out));
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let read = find_departures(text, repertoire, options, &mut deliver, &mut watcher);
        written?;
        watcher.end()?;
        if let Err(error) = read {
            failures.add(watcher.unreadable(error), watcher.progress())?;
        }
    }
    totals.print(out)?;
    out.flush()?;
    let (summary, _) = watcher.finish();
    empty_output::hints(options.filter.as_ref(), &summary);
    failures.finish()?;
    Ok(summary.errors)
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

#[derive(Default)]
struct Totals {
    own: u64,
    reply: u64,
    end: u64,
    stayed: u64,
    outside: u64,
}

impl Totals {
    fn add(&mut self, compared: &Comparison) {
        self.stayed += compared.stayed;
        self.outside += compared.outside;
        for game in &compared.left {
            *match game.kind {
                DepartureKind::Own => &mut self.own,
                DepartureKind::Reply => &mut self.reply,
                DepartureKind::End => &mut self.end,
            } += 1;
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Totals { own, reply, end, stayed, outside } = self;
        let left = own + reply + end;
        let games = report::count(left + stayed + outside, "game");
        let parts = format!("own {own}, reply {reply}, end {end}");
        writeln!(
            out,
            "{games}: {left} left the repertoire ({parts}), {stayed} stayed in it, {outside} never reached it"
        )
    }
}

//! The command that draws diagrams of records and games: selects them and passes them to a canvas.

mod canvas;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use pgn2epd::diagram::illustrate::{self, Illustrator};
use pgn2epd::diagram::{DiagramOptions, Entry, Page};
use pgn2epd::input::{InputText, Inputs, TextKind};
use pgn2epd::{Game, Problem};

use crate::args::{DiagramFormat, NumberRange, Show};
use crate::empty_output::NO_INPUT;
use crate::exit::{Outcome, Written};
use crate::finding::Finding;
use crate::inputs::{self, Failures, unreadable};
use crate::output::{self, Guard};
use crate::progress::Progress;
use crate::report;
use canvas::Canvas;

pub(super) fn show(args: &Show) -> anyhow::Result<Outcome> {
    let format = args.format()?;
    let files = files(&args.what)?;
    let mut guard = files.as_deref().map_or(Ok(Guard::default()), output::guard)?;
    if canvas::numbered(args, format).is_none() {
        output::add_output(&mut guard, args.output.as_deref())?;
    }
    let mut run = Run {
        args,
        options: args.options()?,
        format,
        canvas: Canvas::new(args, format)?,
        failures: Failures::new(false, args.on_damage),
        errors: 0,
        inputs: files.as_ref().map_or(0, Vec::len),
        has_games: false,
        section_title: String::new(),
        is_full: false,
        too_short: None,
    };
    match &files {
        None => run.record(&args.what.join(" "))?,
        Some(files) => run.texts(files)?,
    }
    match &run.too_short {
        None => {}
        Some((first, 1)) => report::note(first),
        Some((first, games)) => {
            let others = report::count(games - 1, "more game");
            report::note(&format!("{first}; the same for {others}"));
        }
    }
    let is_filtered = run.options.filter.is_some();
    let Run { canvas, failures, errors, has_games, section_title, .. } = run;
    let written = Written::of(!canvas.is_empty(), false);
    if written == Written::Nothing && errors == 0 && failures.is_empty() {
        let reason = match args.ply {
            _ if is_filtered => "no position meets the condition of --where",
            Some(_) => "none of the games has the positions of --ply",
            None => NO_INPUT,
        };
        report::note(&format!("no diagrams: {reason}"));
    }
    // The diagrams that could be drawn are kept.
    if written == Written::Something {
        let title = match canvas.sections() {
            1 => section_title,
            _ => page_title(files.as_deref().unwrap_or_default(), has_games),
        };
        canvas.finish(&title, guard)?;
    }
    failures.finish()?;
    Ok(written.outcome(errors))
}

/// Returns the arguments as files, or `None` if they are the fields of a record.
fn files(what: &[String]) -> anyhow::Result<Option<Vec<PathBuf>>> {
    let is_input = |name: &String| name == "-" || Path::new(name).exists();
    let first = &what[0];
    if !is_input(first) && first.contains('/') && !first.ends_with(".pgn") {
        return Ok(None);
    }
    // Of several files, those that are missing are reported in their turn.
    if !what.iter().any(is_input) {
        bail!("file not found: {first}");
    }
    Ok(Some(what.iter().map(PathBuf::from).collect()))
}

/// Returns the last component of a name; `None` for standard input.
fn file_title(name: &str) -> Option<String> {
    let last = Path::new(name).file_name()?.to_string_lossy();
    (name != "-").then(|| last.into_owned())
}

fn page_title(files: &[PathBuf], has_games: bool) -> String {
    let names: Vec<String> =
        files.iter().filter_map(|path| file_title(&inputs::name(path))).collect();
    match &names[..] {
        [] if has_games => "Games".to_owned(),
        [] => "Positions".to_owned(),
        [first, second, _, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second} and {} more files", rest.len() + 1)
        }
        names => names.join(", "),
    }
}

struct Run<'a> {
    args: &'a Show,
    options: DiagramOptions,
    format: DiagramFormat,
    canvas: Canvas<'a>,
    failures: Failures,
    errors: u64,
    /// Number of inputs; 0 for a record on the command line.
    inputs: usize,
    has_games: bool,
    /// The title of the page if it has no other section than the last one.
    section_title: String,
    /// Whether the page has no room for more diagrams.
    is_full: bool,
    /// The message for the first game without a wanted ply, and the number of such games.
    too_short: Option<(String, u64)>,
}

/// The games or records of one input, which are numbered across the members of an archive.
struct Games {
    input: String,
    are_records: bool,
    count: u64,
    /// Whether reading ended before the end of the input.
    is_over: bool,
}

struct Drawn<'t> {
    name: &'t str,
    are_records: bool,
    illustrator: Illustrator,
    /// Number of diagrams.
    count: usize,
}

impl Run<'_> {
    /// Draws the record given as an argument.
    fn record(&mut self, line: &str) -> anyhow::Result<()> {
        let mut problems = Vec::new();
        let entries = illustrate::records(line, &mut |problem| problems.push(problem));
        if entries.is_empty() {
            let reason = problems.first().map(|problem| problem.reason.to_string());
            bail!("{line} is neither a file nor a position: {}", reason.unwrap_or_default());
        }
        self.report("record", &problems);
        self.begin("Position".to_owned());
        entries.into_iter().try_for_each(|entry| self.canvas.draw(entry))
    }

    fn report(&mut self, name: &str, problems: &[Problem]) {
        for problem in problems {
            report::tell(&Finding::of(name, 0, problem), &report::message(name, problem));
            self.errors += u64::from(problem.is_error());
        }
    }

    fn begin(&mut self, title: String) {
        self.section_title.clone_from(&title);
        self.canvas.begin(Page { title, ..Page::default() }, None);
    }

    fn texts(&mut self, files: &[PathBuf]) -> anyhow::Result<()> {
        let inputs = Inputs::new(files.iter().map(|path| inputs::input(path)));
        let progress = Progress::new(None, false);
        let mut games: Option<Games> = None;
        for text in inputs.of_kind(self.options.input) {
            let Some(text) = self.failures.text(text, &progress)? else { continue };
            let name = text.name().to_owned();
            let is_same = |games: &Games| text.is_member() && games.input == text.input_name();
            let mut same = match games.take() {
                Some(games) if is_same(&games) => games,
                before => {
                    before.map_or(Ok(()), |games| self.check_found(&games))?;
                    let (input, are_records) = (text.input_name().to_owned(), false);
                    Games { input, are_records, count: 0, is_over: false }
                }
            };
            if !same.is_over {
                match self.text(text, &name, &mut same)? {
                    Ok(()) => games = Some(same),
                    Err(error) => self.failures.add(unreadable(error, &name), &progress)?,
                }
            }
            if self.is_full {
                break;
            }
        }
        games.map_or(Ok(()), |games| self.check_found(&games))
    }

    fn check_found(&self, games: &Games) -> anyhow::Result<()> {
        let Games { input, are_records, count, is_over } = games;
        let what = if *are_records { "record" } else { "game" };
        let missing = |range: &&NumberRange| range.first > *count;
        match self.args.game.as_ref().map(|wanted| wanted.ranges().iter().find(missing)) {
            _ if *is_over => Ok(()),
            Some(Some(missing)) => bail!("{input} has no {what} {missing}: it has {count}"),
            None if *count == 0 && !are_records && self.inputs > 1 => {
                report::note(&format!("{input} has no games"));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Draws the wanted games or records of a text; the inner error is that of reading it.
    fn text(
        &mut self,
        text: InputText<'_>,
        name: &str,
        games: &mut Games,
    ) -> anyhow::Result<std::io::Result<()>> {
        let (before, kind) = (games.count, text.kind());
        games.are_records = kind != TextKind::Pgn;
        if games.are_records && self.args.ply.is_some() {
            bail!("--ply is for games: {name} has positions, of which --game selects records");
        }
        let (are_records, illustrator) = (games.are_records, Illustrator::of(kind));
        let mut text_drawn = Drawn { name, are_records, illustrator, count: 0 };
        let mut drawn = Ok(ControlFlow::Continue(()));
        let options = self.options.clone();
        let read = illustrate::for_each_game(text, &options, &mut |mut game| {
            game.renumber(before + game.number);
            drawn = self.game(&mut text_drawn, &game);
            drawn.as_ref().map_or(ControlFlow::Break(()), |flow| *flow)
        });
        games.is_over = drawn?.is_break();
        Ok(read.map(|read| games.count += read))
    }

    /// Whether all games of a text are drawn, with all their positions, unless options select some.
    fn draws_all(&self, text: &Drawn<'_>) -> bool {
        text.are_records || self.format == DiagramFormat::Html || self.options.filter.is_some()
    }

    /// Whether at most one game is drawn.
    fn is_single(&self, text: &Drawn<'_>) -> bool {
        let is_single = match &self.args.game {
            Some(numbers) => numbers.is_single(),
            None => !self.draws_all(text),
        };
        is_single && self.inputs == 1
    }

    /// Draws a game or a record; breaks if no other of the input is wanted.
    fn game(&mut self, text: &mut Drawn<'_>, game: &Game) -> anyhow::Result<ControlFlow<()>> {
        let (number, wanted) = (game.number, self.args.game.as_ref());
        if wanted.is_none() && !self.draws_all(text) && number > 1 {
            report::note(&format!(
                "{} has more games, of which the first is drawn; --game selects others, such as --game 1..5",
                text.name
            ));
            return Ok(ControlFlow::Break(()));
        }
        let is_wanted = number == 0 || wanted.is_none_or(|numbers| numbers.contains(number));
        let entries = self.selected(text, game, is_wanted)?;
        if is_wanted {
            self.report(text.name, &game.problems);
            match entries.is_empty() {
                true => {}
                false if text.are_records => self.draw_record(text, entries)?,
                false => self.draw(text, game, entries)?,
            }
        }
        let last = wanted.map_or(u64::MAX, |numbers| numbers.last());
        let is_over = self.is_full || number >= last;
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Returns the diagrams of a game after the wanted plies.
    fn selected(
        &mut self,
        text: &mut Drawn<'_>,
        game: &Game,
        is_wanted: bool,
    ) -> anyhow::Result<Vec<Entry>> {
        let last = game.positions.last().map_or(0, |last| last.ply);
        // One more shows that the page is full.
        let mut room = self.canvas.room().saturating_add(1);
        let draws_all = self.draws_all(text);
        let entries = text.illustrator.entries(game, |played| {
            let is_selected = match &self.args.ply {
                None => draws_all || played.ply == last,
                Some(wanted) => wanted.contains(played.ply.into()),
            };
            let is_drawn = is_wanted && is_selected && room > 0;
            room -= usize::from(is_drawn);
            is_drawn
        });
        let wanted = self.args.ply.as_ref().map_or(&[][..], |wanted| wanted.ranges());
        let missing = wanted.iter().find(|range| range.first > last.into());
        let is_whole = is_wanted && !game.positions.is_empty() && self.options.filter.is_none();
        if let Some(missing) = missing.filter(|_| is_whole) {
            let (number, plural) = (game.number, if last == 1 { "ply" } else { "plies" });
            let (name, first) = (text.name, missing.first);
            let missing =
                format!("{name}: game {number} has {last} {plural}, so none after {first}");
            if entries.is_empty() && self.is_single(text) {
                bail!(missing);
            }
            self.too_short.get_or_insert((missing, 0)).1 += 1;
        }
        Ok(entries)
    }

    /// Draws the positions of a record if the page has room for them.
    fn draw_record(&mut self, text: &mut Drawn<'_>, entries: Vec<Entry>) -> anyhow::Result<()> {
        for entry in entries {
            if self.canvas.room() == 0 {
                self.is_full = true;
                let (drawn, name) = (report::count(text.count as u64, "record"), text.name);
                report::note(&format!("the page is full: it has the first {drawn} of {name}"));
                break;
            }
            if text.count == 0 {
                self.begin(file_title(text.name).unwrap_or_else(|| "Positions".to_owned()));
            }
            self.canvas.draw(entry)?;
            text.count += 1;
        }
        Ok(())
    }

    /// Draws positions of a game if the page has room for them.
    fn draw(
        &mut self,
        text: &Drawn<'_>,
        game: &Game,
        mut entries: Vec<Entry>,
    ) -> anyhow::Result<()> {
        self.has_games = true;
        let (room, number, name) = (self.canvas.room(), game.number, text.name);
        if entries.len() > room {
            self.is_full = true;
            if !self.canvas.is_empty() {
                report::note(&format!(
                    "the page is full: it ends before game {number} of {name}; --game {number}.. continues there"
                ));
                return Ok(());
            }
            entries.truncate(room);
            let room = report::count(room as u64, "position");
            report::note(&format!(
                "the page is full: it has the first {room} of game {number} of {name}; --ply selects others"
            ));
        }
        let mut page = illustrate::page(game, Vec::new());
        let file = file_title(name);
        let mut heading = format!("Game {number}");
        if let (Some(file), true) = (&file, self.inputs > 1) {
            page.facts.push(("File".to_owned(), file.clone()));
            heading = format!("{file}: {heading}");
        }
        self.section_title.clone_from(&page.title);
        match (illustrate::players(game), file) {
            (Some(players), _) => heading = format!("{heading}: {players}"),
            (None, Some(file)) => self.section_title = format!("{file}: {}", page.title),
            (None, None) => {}
        }
        self.canvas.begin(page, (!self.is_single(text)).then_some(heading));
        entries.into_iter().try_for_each(|entry| self.canvas.draw(entry))
    }
}

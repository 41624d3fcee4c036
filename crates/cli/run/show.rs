//! The command that draws diagrams of records and games: selects them and passes them to a canvas.

mod canvas;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use pgn2epd::diagram::illustrate;
use pgn2epd::diagram::{Entry, Page};
use pgn2epd::epd::LineDiagnostic;
use pgn2epd::game::Severity;
use pgn2epd::input::{InputText, Inputs, TextKind};
use pgn2epd::options::{NameSource, OpList, RegisterStyle};
use pgn2epd::{Game, Options};

use crate::args::{DiagramFormat, NumberRange, Show};
use crate::exit::Outcome;
use crate::inputs::{self, Failures, unreadable};
use crate::output::{self, Guard};
use crate::progress::Progress;
use crate::report;
use canvas::Canvas;

/// Runs the command.
pub(super) fn show(args: &Show) -> anyhow::Result<Outcome> {
    let format = args.format()?;
    let files = files(&args.what)?;
    let mut guard = files.as_deref().map_or(Ok(Guard::default()), output::guard)?;
    if canvas::numbered(args, format).is_none() {
        output::add_output(&mut guard, args.output.as_deref())?;
    }
    let mut run = Run {
        args,
        format,
        canvas: Canvas::new(args, format)?,
        failures: Failures::new(false),
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
    let Run { canvas, failures, errors, has_games, section_title, .. } = run;
    if args.ply.is_some() && canvas.is_empty() && errors == 0 && failures.is_empty() {
        bail!("none of the games has the positions of --ply");
    }
    // Keep the diagrams that could be drawn, but do not replace an existing file with nothing.
    if failures.is_empty() && errors == 0 || !canvas.is_empty() {
        let title = match canvas.sections() {
            1 => section_title,
            _ => page_title(files.as_deref().unwrap_or_default(), has_games),
        };
        canvas.finish(&title, guard)?;
    }
    failures.finish()?;
    Ok(Outcome::of_errors(errors))
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

/// Returns the title of a page of several games or files.
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

/// A run of the command.
struct Run<'a> {
    args: &'a Show,
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

/// The games of one input, which are numbered across the members of an archive.
struct Games {
    input: String,
    /// Number of games read.
    count: u64,
    /// Whether reading ended before the end of the input.
    is_over: bool,
}

impl Run<'_> {
    /// Draws the record given as an argument.
    fn record(&mut self, line: &str) -> anyhow::Result<()> {
        let mut faults = Vec::new();
        let entries = illustrate::records(line, &mut |fault| faults.push(fault));
        faults.retain(|fault| fault.kind.severity() == Severity::Error);
        if entries.is_empty() {
            let reason = faults.first().map(|fault| fault.kind.to_string()).unwrap_or_default();
            bail!("{line} is neither a file nor a position: {reason}");
        }
        for fault in &faults {
            self.errors += 1;
            report::fault("record", fault);
        }
        self.begin("Position".to_owned());
        entries.into_iter().try_for_each(|entry| self.canvas.draw(entry))
    }

    /// Begins a section of records.
    fn begin(&mut self, title: String) {
        self.section_title.clone_from(&title);
        self.canvas.begin(Page { title, ..Page::default() }, None);
    }

    /// Draws the records and games of files.
    fn texts(&mut self, files: &[PathBuf]) -> anyhow::Result<()> {
        let inputs = files.iter().map(|path| inputs::input(path));
        let progress = Progress::new(None, false);
        let mut games: Option<Games> = None;
        for text in Inputs::new(inputs).on_damage(self.args.on_damage) {
            let Some(text) = self.failures.text(text, &progress) else { continue };
            let name = text.name().to_owned();
            let read = if text.kind() == TextKind::Epd {
                self.records(text, &name)
            } else {
                let is_same = |games: &Games| text.is_member() && games.input == text.input_name();
                let mut same = match games.take() {
                    Some(games) if is_same(&games) => games,
                    before => {
                        before.map_or(Ok(()), |games| self.check_found(&games))?;
                        Games { input: text.input_name().to_owned(), count: 0, is_over: false }
                    }
                };
                let read = match same.is_over {
                    true => Ok(Ok(())),
                    false => self.games(text, &name, &mut same),
                };
                games = Some(same);
                read
            };
            if let Err(error) = read? {
                self.failures.add(unreadable(error, &name), &progress);
                games = None;
            }
            if self.is_full {
                break;
            }
        }
        games.map_or(Ok(()), |games| self.check_found(&games))
    }

    /// Returns an error if an input does not have the wanted games.
    fn check_found(&self, games: &Games) -> anyhow::Result<()> {
        let Games { input, count, is_over } = games;
        let missing = |range: &&NumberRange| range.first > *count;
        match self.args.game.as_ref().map(|wanted| wanted.ranges().iter().find(missing)) {
            _ if *is_over => Ok(()),
            Some(Some(missing)) => bail!("{input} has no game {missing}: it has {count}"),
            None if *count == 0 => bail!("{input} has no games"),
            _ => Ok(()),
        }
    }

    /// Draws the records of a text; the inner error is that of reading it.
    fn records(&mut self, text: InputText<'_>, name: &str) -> anyhow::Result<std::io::Result<()>> {
        if self.args.game.is_some() || self.args.ply.is_some() {
            bail!("--game and --ply are for games: {name} has positions");
        }
        let title = file_title(name).unwrap_or_else(|| "Positions".to_owned());
        let mut errors = 0;
        let mut tell = |fault: LineDiagnostic| {
            if fault.kind.severity() == Severity::Error {
                errors += 1;
                report::fault(name, &fault);
            }
        };
        let (mut drawn, mut read) = (0, Ok(()));
        for entry in illustrate::records_of(text, &mut tell) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    read = Err(error);
                    break;
                }
            };
            if self.canvas.room() == 0 {
                self.is_full = true;
                let drawn = report::count(drawn, "record");
                report::note(&format!("the page is full: it has the first {drawn} of {name}"));
                break;
            }
            if drawn == 0 {
                self.begin(title.clone());
            }
            self.canvas.draw(entry)?;
            drawn += 1;
        }
        self.errors += errors;
        Ok(read)
    }

    /// Draws the wanted games of a text; the inner error is that of reading it.
    fn games(
        &mut self,
        text: InputText<'_>,
        name: &str,
        games: &mut Games,
    ) -> anyhow::Result<std::io::Result<()>> {
        let before = games.count;
        let (numbers, is_page) = (self.args.game.as_ref(), self.is_page());
        let wanted = |number| match numbers {
            Some(numbers) => numbers.contains(before + number),
            // Without a page only the first is drawn; the second shows that there are more.
            None => is_page || before + number <= 2,
        };
        let mut drawn = Ok(ControlFlow::Continue(()));
        let read = pgn2epd::for_each_game(text, &options(), &wanted, &mut |mut game| {
            game.renumber(before + game.number);
            drawn = self.game(name, game);
            drawn.as_ref().map_or(ControlFlow::Break(()), |flow| *flow)
        });
        games.is_over = drawn?.is_break();
        Ok(read.map(|read| games.count += read.games))
    }

    fn is_page(&self) -> bool {
        self.format == DiagramFormat::Html
    }

    /// Whether at most one game is drawn.
    fn is_single(&self) -> bool {
        let is_single = match &self.args.game {
            Some(numbers) => numbers.is_single(),
            None => !self.is_page(),
        };
        is_single && self.inputs == 1
    }

    /// Draws a game; breaks if no other game of the input is wanted.
    fn game(&mut self, name: &str, game: Game) -> anyhow::Result<ControlFlow<()>> {
        let number = game.number;
        let last = self.args.game.as_ref().map_or(u64::MAX, |numbers| numbers.last());
        if self.args.game.is_none() && !self.is_page() && number > 1 {
            report::note(&format!(
                "{name} has more games, of which the first is drawn; --game selects others, such as --game 1..5"
            ));
            return Ok(ControlFlow::Break(()));
        }
        for problem in &game.problems {
            report::problem(name, problem);
            self.errors += u64::from(problem.severity() == Severity::Error);
        }
        let entries = self.selected(name, &game)?;
        if !entries.is_empty() {
            self.has_games = true;
            self.draw(name, &game, entries)?;
        }
        let is_over = self.is_full || number >= last;
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Returns the diagrams of a game after the wanted plies.
    fn selected(&mut self, name: &str, game: &Game) -> anyhow::Result<Vec<Entry>> {
        let Some(plies) = game.positions.len().checked_sub(1) else { return Ok(Vec::new()) };
        // One more shows that the page is full.
        let mut room = self.canvas.room().saturating_add(1);
        let entries = illustrate::positions(game, |ply| {
            let is_wanted = match &self.args.ply {
                None => self.is_page() || ply == plies,
                Some(wanted) => wanted.contains(ply as u64),
            };
            let is_drawn = is_wanted && room > 0;
            room -= usize::from(is_drawn);
            is_drawn
        });
        let wanted = self.args.ply.as_ref().map_or(&[][..], |wanted| wanted.ranges());
        if let Some(missing) = wanted.iter().find(|range| range.first > plies as u64) {
            let (number, plural) = (game.number, if plies == 1 { "ply" } else { "plies" });
            let missing = format!(
                "{name}: game {number} has {plies} {plural}, so none after {}",
                missing.first
            );
            if entries.is_empty() && self.is_single() {
                bail!(missing);
            }
            self.too_short.get_or_insert((missing, 0)).1 += 1;
        }
        Ok(entries)
    }

    /// Draws positions of a game if the page has room for them.
    fn draw(&mut self, name: &str, game: &Game, mut entries: Vec<Entry>) -> anyhow::Result<()> {
        let (room, number) = (self.canvas.room(), game.number);
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
        self.canvas.begin(page, (!self.is_single()).then_some(heading));
        entries.into_iter().try_for_each(|entry| self.canvas.draw(entry))
    }
}

/// The options for drawing: without operations, which diagrams do not show.
fn options() -> Options {
    Options::default()
        .ops(Some(OpList::NONE))
        .registers(Some(RegisterStyle::Off))
        .names(NameSource::Off)
}

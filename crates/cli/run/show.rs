//! The command that draws diagrams of records and games: selects them and passes them to a canvas.

use std::io::{self, IsTerminal, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use anstream::ColorChoice;
use anyhow::bail;
use pgn2epd::diagram::illustrate::{self, Illustrator};
use pgn2epd::diagram::{self, Colours, DiagramOptions, Figure, Page};
use pgn2epd::input::{InputText, Inputs, TextKind};
use pgn2epd::output::printable;
use pgn2epd::{ConvertError, Game, Problem};

use crate::args::{ColorWhen, DiagramFormat, NumberRanges, Show};
use crate::files::{self, Guard, Output};
use crate::job::Job;
use crate::report::{self, NO_INPUT, ReportLine};

pub(super) fn show(args: &Show) -> anyhow::Result<u64> {
    let format = args.format()?;
    let files = files(&args.what)?;
    let mut guard = files.as_deref().map_or(Ok(Guard::default()), files::guard)?;
    if numbered(args, format).is_none() {
        files::add_output(&mut guard, args.output.as_deref())?;
    }
    let options = DiagramOptions::from_names(args.library.given())?;
    let (sections, kept, heading, output) = (Vec::new(), 0, None, None);
    let canvas = Canvas { args, options, format, sections, kept, heading, output };
    let mut run = ShowRun {
        canvas,
        errors: 0,
        inputs: files.as_ref().map_or(0, Vec::len),
        has_games: false,
        section_title: String::new(),
        is_full: false,
        too_short: None,
    };
    let mut job = Job::new(false, args.on_damage);
    match &files {
        None => run.record(&args.what.join(" "))?,
        Some(files) => run.texts(files, &mut job)?,
    }
    let ShowRun { canvas, errors, has_games, section_title, too_short, .. } = run;
    match too_short {
        None => {}
        Some((first, 1)) => report::note(&first),
        Some((first, games)) => {
            let others = report::count(games - 1, "more game");
            report::note(&format!("{first}; the same for {others}"));
        }
    }
    let is_empty = canvas.is_empty();
    if is_empty && errors == 0 && job.is_all_read() {
        let reason = match args.ply {
            _ if canvas.options.filter.is_some() => "no position meets the condition of --where",
            Some(_) => "none of the games has the positions of --ply",
            None => NO_INPUT,
        };
        report::note(&format!("no diagrams: {reason}"));
    }
    // The diagrams that could be drawn are kept.
    if !is_empty {
        let title = match canvas.sections.len() {
            1 => section_title,
            _ => page_title(files.as_deref().unwrap_or_default(), has_games),
        };
        canvas.finish(&title, guard)?;
    }
    job.end_of_all()?;
    Ok(errors + u64::from(is_empty))
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

fn file_title(name: &str) -> Option<String> {
    let last = Path::new(name).file_name()?.to_string_lossy();
    (name != "-").then(|| last.into_owned())
}

fn page_title(files: &[PathBuf], has_games: bool) -> String {
    let names: Vec<String> =
        files.iter().filter_map(|path| file_title(&files::name(path))).collect();
    match &names[..] {
        [] if has_games => "Games".to_owned(),
        [] => "Positions".to_owned(),
        [first, second, _, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second} and {} more files", rest.len() + 1)
        }
        names => names.join(", "),
    }
}

struct ShowRun<'a> {
    canvas: Canvas<'a>,
    errors: u64,
    inputs: usize,
    has_games: bool,
    /// The title of the page if it has no other section than the last one.
    section_title: String,
    is_full: bool,
    too_short: Option<(String, u64)>,
}

struct ShownGames {
    input: String,
    are_records: bool,
    count: u64,
    is_over: bool,
}

struct Drawn {
    name: String,
    are_records: bool,
    illustrator: Illustrator,
    count: usize,
}

impl ShowRun<'_> {
    fn record(&mut self, line: &str) -> anyhow::Result<()> {
        let mut problems = Vec::new();
        let figures = illustrate::records(line, &mut |problem| problems.push(problem));
        if figures.is_empty() {
            let reason = problems.first().map(|problem| problem.reason.to_string());
            bail!("{line} is neither a file nor a position: {}", reason.unwrap_or_default());
        }
        self.report("record", &problems);
        self.begin("Position".to_owned());
        figures.into_iter().try_for_each(|figure| self.canvas.draw(figure))
    }

    fn report(&mut self, name: &str, problems: &[Problem]) {
        for problem in problems {
            report::tell(&ReportLine::of(name, 0, problem), &report::message(name, problem));
            self.errors += u64::from(problem.is_error());
        }
    }

    fn begin(&mut self, title: String) {
        self.section_title.clone_from(&title);
        self.canvas.begin(Page { title, ..Page::default() }, None);
    }

    fn texts(&mut self, files: &[PathBuf], job: &mut Job) -> anyhow::Result<()> {
        let inputs = Inputs::new(files.iter().map(|path| files::input(path)));
        let mut games: Option<ShownGames> = None;
        job.read(inputs.of_kind(self.canvas.options.input), |text, _| {
            let is_same = |games: &ShownGames| text.is_member() && games.input == text.input_name();
            let mut same = match games.take() {
                Some(games) if is_same(&games) => games,
                before => {
                    before.map_or(Ok(()), |games| self.check_found(&games))?;
                    let (input, are_records) = (text.input_name().to_owned(), false);
                    ShownGames { input, are_records, count: 0, is_over: false }
                }
            };
            if !same.is_over {
                self.text(text, &mut same)?;
                games = Some(same);
            }
            Ok(self.is_full)
        })?;
        games.map_or(Ok(()), |games| self.check_found(&games))
    }

    fn check_found(&self, games: &ShownGames) -> anyhow::Result<()> {
        let ShownGames { input, are_records, count, is_over } = games;
        let what = if *are_records { "record" } else { "game" };
        let missing = |range: &&_| *RangeInclusive::start(range) > *count;
        match self.canvas.args.game.as_ref().map(|wanted| wanted.0.iter().find(missing)) {
            _ if *is_over => Ok(()),
            Some(Some(missing)) => {
                bail!("{input} has no {what} {}: it has {count}", NumberRanges::text(missing))
            }
            None if *count == 0 && !are_records && self.inputs > 1 => {
                report::note(&format!("{input} has no games"));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn text(&mut self, text: InputText<'_>, games: &mut ShownGames) -> anyhow::Result<()> {
        let (before, kind, name) = (games.count, text.kind(), text.name().to_owned());
        games.are_records = kind != TextKind::Pgn;
        if games.are_records && self.canvas.args.ply.is_some() {
            bail!("--ply is for games: {name} has positions, of which --game selects records");
        }
        let (are_records, illustrator) = (games.are_records, Illustrator::of(kind));
        let mut text_drawn = Drawn { name, are_records, illustrator, count: 0 };
        let mut drawn = Ok(ControlFlow::Continue(()));
        let options = self.canvas.options.clone();
        let read = illustrate::for_each_game(text, &options, &mut |mut game| {
            game.renumber(before + game.number);
            drawn = self.game(&mut text_drawn, &game);
            drawn.as_ref().map_or(ControlFlow::Break(()), |flow| *flow)
        });
        games.is_over = drawn?.is_break();
        games.count += read.map_err(ConvertError::Read)?;
        Ok(())
    }

    /// Whether all games of a text are drawn, with all their positions, unless options select some.
    fn draws_all(&self, text: &Drawn) -> bool {
        let Canvas { format, options, .. } = &self.canvas;
        text.are_records || *format == DiagramFormat::Html || options.filter.is_some()
    }

    fn is_single(&self, text: &Drawn) -> bool {
        let is_single = match &self.canvas.args.game {
            Some(numbers) => numbers.is_single(),
            None => !self.draws_all(text),
        };
        is_single && self.inputs == 1
    }

    /// Draws a game or a record; breaks if no other of the input is wanted.
    fn game(&mut self, text: &mut Drawn, game: &Game) -> anyhow::Result<ControlFlow<()>> {
        let (number, wanted) = (game.number, self.canvas.args.game.as_ref());
        if wanted.is_none() && !self.draws_all(text) && number > 1 {
            report::note(&format!(
                "{} has more games, of which the first is drawn; --game selects others, such as --game 1..5",
                text.name
            ));
            return Ok(ControlFlow::Break(()));
        }
        let is_wanted = number == 0 || wanted.is_none_or(|numbers| numbers.contains(number));
        let figures = self.selected(text, game, is_wanted)?;
        if is_wanted {
            self.report(&text.name, &game.problems);
            match figures.is_empty() {
                true => {}
                false if text.are_records => self.draw_record(text, figures)?,
                false => self.draw(text, game, figures)?,
            }
        }
        let last = wanted.map_or(u64::MAX, |numbers| numbers.last());
        let is_over = self.is_full || number >= last;
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn selected(
        &mut self,
        text: &mut Drawn,
        game: &Game,
        is_wanted: bool,
    ) -> anyhow::Result<Vec<Figure>> {
        let last = game.positions.last().map_or(0, |last| last.ply);
        // One more shows that the page is full.
        let mut room = self.canvas.room().saturating_add(1);
        let (draws_all, plies) = (self.draws_all(text), self.canvas.args.ply.as_ref());
        let figures = text.illustrator.figures(game, |played| {
            let is_selected = match plies {
                None => draws_all || played.ply == last,
                Some(wanted) => wanted.contains(played.ply.into()),
            };
            let is_drawn = is_wanted && is_selected && room > 0;
            room -= usize::from(is_drawn);
            is_drawn
        });
        let wanted = plies.map_or(&[][..], |wanted| &wanted.0);
        let missing = wanted.iter().find(|range| *range.start() > last.into());
        let is_filtered = self.canvas.options.filter.is_some();
        let is_whole = is_wanted && !game.positions.is_empty() && !is_filtered;
        if let Some(missing) = missing.filter(|_| is_whole) {
            let (number, plural) = (game.number, if last == 1 { "ply" } else { "plies" });
            let (name, first) = (&text.name, missing.start());
            let missing =
                format!("{name}: game {number} has {last} {plural}, so none after {first}");
            if figures.is_empty() && self.is_single(text) {
                bail!(missing);
            }
            self.too_short.get_or_insert((missing, 0)).1 += 1;
        }
        Ok(figures)
    }

    fn draw_record(&mut self, text: &mut Drawn, figures: Vec<Figure>) -> anyhow::Result<()> {
        for figure in figures {
            if self.canvas.room() == 0 {
                self.is_full = true;
                let (drawn, name) = (report::count(text.count as u64, "record"), &text.name);
                report::note(&format!("the page is full: it has the first {drawn} of {name}"));
                break;
            }
            if text.count == 0 {
                self.begin(file_title(&text.name).unwrap_or_else(|| "Positions".to_owned()));
            }
            self.canvas.draw(figure)?;
            text.count += 1;
        }
        Ok(())
    }

    fn draw(&mut self, text: &Drawn, game: &Game, mut figures: Vec<Figure>) -> anyhow::Result<()> {
        self.has_games = true;
        let (room, number, name) = (self.canvas.room(), game.number, &*text.name);
        if figures.len() > room {
            self.is_full = true;
            if !self.canvas.is_empty() {
                report::note(&format!(
                    "the page is full: it ends before game {number} of {name}; --game {number}.. continues there"
                ));
                return Ok(());
            }
            figures.truncate(room);
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
        figures.into_iter().try_for_each(|figure| self.canvas.draw(figure))
    }
}

/// Maximum number of diagrams on a page: some 40 MB, which browsers still scroll.
const MOST_ON_PAGE: usize = 10_000;

/// Pictures in separate files are kept in memory until the last one has been read.
const MOST_PICTURES: usize = 100_000;

/// Text is written immediately, pages and pictures after the last diagram.
struct Canvas<'a> {
    args: &'a Show,
    options: DiagramOptions,
    format: DiagramFormat,
    sections: Vec<Page>,
    kept: usize,
    heading: Option<String>,
    output: Option<Output>,
}

impl Canvas<'_> {
    /// Text diagrams have the heading, if any, before the first one.
    fn begin(&mut self, section: Page, heading: Option<String>) {
        self.heading = heading;
        if !self.keeps() {
            self.sections.clear();
        }
        self.sections.push(section);
    }

    fn keeps(&self) -> bool {
        matches!(self.format, DiagramFormat::Html | DiagramFormat::Svg | DiagramFormat::Png)
    }

    fn is_empty(&self) -> bool {
        self.kept == 0 && self.output.is_none()
    }

    fn room(&self) -> usize {
        match self.format {
            DiagramFormat::Html => MOST_ON_PAGE - self.kept,
            _ => usize::MAX,
        }
    }

    fn draw(&mut self, mut figure: Figure) -> anyhow::Result<()> {
        self.options.apply(&mut figure.diagram);
        if self.keeps() {
            if self.kept == MOST_PICTURES {
                bail!("there are more than {MOST_PICTURES} diagrams: too many for one series");
            }
            self.kept += 1;
            self.sections.last_mut().expect("a section was begun").figures.push(figure);
            return Ok(());
        }
        let target = self.args.output.as_deref();
        let colours = match target {
            None if has_colours(self.args.color) => Colours::Ansi,
            _ => Colours::Plain,
        };
        let mut text = String::new();
        let output = match &mut self.output {
            Some(output) => {
                text.push('\n');
                output
            }
            // All other text of a diagram is printable.
            none => none.insert(files::open(target)?.with_escape_sequences()),
        };
        let heading = self.heading.take();
        if let (DiagramFormat::Text | DiagramFormat::Ascii, Some(heading)) = (self.format, heading)
        {
            text += &format!("{}\n\n", printable(&heading));
        }
        text += &characters(&figure, self.format, colours);
        Ok(output.write_all(text.as_bytes())?)
    }

    fn finish(self, title: &str, guard: Guard) -> anyhow::Result<()> {
        if let Some(output) = self.output {
            return Ok(output.finish()?);
        }
        match self.format {
            DiagramFormat::Svg | DiagramFormat::Png => self.pictures(guard),
            DiagramFormat::Html => {
                let mut output = files::open(self.args.output.as_deref())?;
                diagram::write_page(title, &self.sections, &mut output)?;
                Ok(output.finish()?)
            }
            _ => save(self.args.output.as_deref(), &[]),
        }
    }

    fn pictures(&self, mut guard: Guard) -> anyhow::Result<()> {
        let figures = || self.sections.iter().flat_map(|section| &section.figures);
        if let Some(name) = numbered(self.args, self.format) {
            let digits = self.kept.to_string().len();
            let name = |number| name.replace("%n", &format!("{number:0digits$}"));
            let names: Vec<PathBuf> = (1..=self.kept).map(|number| name(number).into()).collect();
            names.iter().try_for_each(|name| guard.output("-o", name))?;
            for (name, figure) in names.iter().zip(figures()) {
                save(Some(name), &self.picture(figure)?)?;
            }
            return Ok(());
        }
        let (Some(figure), 1) = (figures().next(), self.kept) else {
            bail!("{} pictures need a file each: name it with %n, as -o 'board-%n.svg'", self.kept);
        };
        let target = self.args.output.as_deref();
        if self.format == DiagramFormat::Png && target.is_none() && io::stdout().is_terminal() {
            bail!("a PNG picture cannot be shown in a terminal; name a file with -o");
        }
        save(target, &self.picture(figure)?)
    }

    fn picture(&self, figure: &Figure) -> anyhow::Result<Vec<u8>> {
        match self.format {
            #[cfg(feature = "png")]
            DiagramFormat::Png => Ok(diagram::png(&figure.diagram, self.args.width())?),
            #[cfg(not(feature = "png"))]
            DiagramFormat::Png => {
                bail!(
                    "this program was built without PNG: use SVG, or install it with `cargo install --locked --path . --features png` in a clone"
                )
            }
            _ => Ok(diagram::svg(&figure.diagram).into_bytes()),
        }
    }
}

fn numbered(args: &Show, format: DiagramFormat) -> Option<String> {
    let name = args.output.as_deref()?.to_string_lossy();
    let is_picture = matches!(format, DiagramFormat::Svg | DiagramFormat::Png);
    (is_picture && name.contains("%n")).then(|| name.into())
}

/// `Auto` is for a terminal, unless NO_COLOR or a similar variable is set.
fn has_colours(wanted: ColorWhen) -> bool {
    match wanted {
        ColorWhen::Auto => anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        ColorWhen::Always => true,
        ColorWhen::Never => false,
    }
}

fn characters(figure: &Figure, format: DiagramFormat, colours: Colours) -> String {
    let diagram = &figure.diagram;
    let mut text = match format {
        DiagramFormat::Latex => return diagram::latex(diagram),
        DiagramFormat::Ascii => diagram::ascii(diagram),
        _ => diagram::text(diagram, colours),
    };
    for line in [&figure.heading, &figure.name, &figure.comment] {
        if !line.is_empty() {
            text.push_str(&printable(line));
            text.push('\n');
        }
    }
    text
}

fn save(target: Option<&Path>, bytes: &[u8]) -> anyhow::Result<()> {
    let mut output = files::open(target)?;
    output.write_all(bytes)?;
    Ok(output.finish()?)
}

//! The command that draws diagrams of records and games.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstream::ColorChoice;
use anyhow::bail;
use pgn2epd::diagram::{self, Colours, Entry, Page};
use pgn2epd::epd::LineFault;
use pgn2epd::output::{Refused, printable};
use pgn2epd::{Game, InputText, Inputs, Severity, TextKind, illustrate, perl};

use crate::args::{Kind, Plies, Show};
use crate::exit::Outcome;
use crate::inputs::{Failures, input, unreadable};
use crate::output::{self, Guard, Output};
use crate::progress::Progress;
use crate::report;

/// Maximum number of diagrams on a page, and of pictures in separate files: these are kept in
/// memory until the last one has been read.
const MOST_KEPT: usize = 100_000;

/// Runs the command.
pub(super) fn show(args: &Show) -> anyhow::Result<Outcome> {
    let mut guard = guard(args)?;
    if numbered(args).is_none() {
        output::add_output(&mut guard, args.output.as_deref())?;
    }
    let name = args.what.join(" ");
    let mut canvas = Canvas::new(args, name.clone());
    let mut errors = 0;
    let path = Path::new(&name);
    let is_input = name == "-" || path.exists();
    if is_input {
        texts(args, path, &mut canvas, &mut errors)?;
    } else if !name.contains('/') || name.ends_with(".pgn") {
        bail!("there is no file {name}");
    } else {
        record(&name, &mut canvas, &mut errors)?;
    }
    canvas.finish(errors, guard)?;
    Ok(Outcome::of_errors(errors))
}

/// Draws the record given as an argument.
fn record(line: &str, canvas: &mut Canvas<'_>, errors: &mut u64) -> anyhow::Result<()> {
    let mut faults = Vec::new();
    let entries = illustrate::records(line, &mut |fault| faults.push(fault));
    faults.retain(|fault| fault.kind.severity() == Severity::Error);
    if entries.is_empty() {
        let reason = faults.first().map(|fault| fault.kind.to_string()).unwrap_or_default();
        bail!("{line} is neither a file nor a position: {reason}");
    }
    for fault in &faults {
        *errors += 1;
        report::fault("record", fault);
    }
    canvas.page.title = "Position".into();
    entries.into_iter().try_for_each(|entry| canvas.draw(entry))
}

/// Draws the records of an input, or one of its games; games are numbered across all texts of an
/// archive.
fn texts(
    args: &Show,
    path: &Path,
    canvas: &mut Canvas<'_>,
    errors: &mut u64,
) -> anyhow::Result<()> {
    let mut passed = 0;
    let mut is_game = args.game.is_some() || args.ply.is_some();
    let wanted = args.game.unwrap_or(1);
    let (mut failures, progress) = (Failures::new(false), Progress::new(None, false));
    for text in Inputs::new([input(path)?]).on_damage(args.damage.on_damage()) {
        let Some(text) = failures.text(text, &progress) else { continue };
        let name = text.name().to_owned();
        is_game |= text.kind() == TextKind::Pgn;
        if !is_game {
            records(text, &name, canvas, errors)?;
            continue;
        }
        let found = pgn2epd::find_game(text, wanted - passed);
        match found.map_err(|error| unreadable(error, &name))? {
            Ok(found) => return game(args, &name, wanted, found, canvas, errors),
            Err(games) => passed += games,
        }
    }
    failures.finish()?;
    if is_game {
        bail!("{} has no game {wanted}: it has {passed}", path.display());
    }
    Ok(())
}

fn records(
    text: InputText<'_>,
    name: &str,
    canvas: &mut Canvas<'_>,
    errors: &mut u64,
) -> anyhow::Result<()> {
    let mut tell = |fault: LineFault| {
        if fault.kind.severity() == Severity::Error {
            *errors += 1;
            report::fault(name, &fault);
        }
    };
    for entry in illustrate::records_of(text, &mut tell) {
        canvas.draw(entry.map_err(|error| unreadable(error, name))?)?;
    }
    Ok(())
}

fn game(
    args: &Show,
    name: &str,
    wanted: u64,
    mut game: Game,
    canvas: &mut Canvas<'_>,
    errors: &mut u64,
) -> anyhow::Result<()> {
    for problem in &mut game.problems {
        problem.game = wanted;
        report::problem(name, problem);
        *errors += u64::from(problem.severity() == Severity::Error);
    }
    game.number = wanted;
    let mut entries = illustrate::game(&game);
    let plies = entries.len().saturating_sub(1);
    if entries.is_empty() {
        return Ok(());
    }
    let Plies { first, last } = args.ply.unwrap_or(match args.kind() {
        Kind::Html => Plies::default(),
        _ => Plies { first: plies as u32, last: u32::MAX },
    });
    if first as usize > plies {
        bail!("{name}: game {wanted} has {plies} plies: there is no position after {first}");
    }
    entries.truncate((last as usize).saturating_add(1));
    entries.drain(..first as usize);
    canvas.page = illustrate::page(&game, Vec::new());
    entries.into_iter().try_for_each(|entry| canvas.draw(entry))
}

/// The destination of diagrams: text is written immediately, pages and pictures after the last
/// diagram.
struct Canvas<'a> {
    args: &'a Show,
    page: Page,
    /// Opened for the first text diagram.
    output: Option<Output>,
}

impl<'a> Canvas<'a> {
    fn new(args: &'a Show, title: String) -> Self {
        Canvas { args, page: Page { title, ..Page::default() }, output: None }
    }

    fn keeps(&self) -> bool {
        matches!(self.args.kind(), Kind::Html | Kind::Svg | Kind::Png)
    }

    fn draw(&mut self, mut entry: Entry) -> anyhow::Result<()> {
        self.args.adorn(&mut entry.diagram);
        if self.keeps() {
            if self.page.entries.len() == MOST_KEPT {
                bail!("there are more than {MOST_KEPT} diagrams: too many for one page or series");
            }
            self.page.entries.push(entry);
            return Ok(());
        }
        let target = self.args.output.as_deref();
        let colours = match target {
            None if has_colours() => Colours::Ansi,
            _ => Colours::Plain,
        };
        let mut text = String::new();
        let output = match &mut self.output {
            Some(output) => {
                text.push('\n');
                output
            }
            // All other text of a diagram is printable.
            none => none.insert(output::open(target)?.with_escape_sequences()),
        };
        text += &characters(&entry, self.args.kind(), colours);
        Ok(output.write_all(text.as_bytes())?)
    }

    /// Writes the stored diagrams, unless errors left none.
    fn finish(self, errors: u64, guard: Guard) -> anyhow::Result<()> {
        let Canvas { args, page, output } = self;
        if let Some(output) = output {
            return Ok(output.finish()?);
        }
        if page.entries.is_empty() && errors > 0 {
            return Ok(());
        }
        match args.kind() {
            kind @ (Kind::Svg | Kind::Png) => pictures(args, &page, kind, guard),
            Kind::Html => save(args.output.as_deref(), diagram::page(&page).as_bytes()),
            _ => save(args.output.as_deref(), &[]),
        }
    }
}

/// Returns a guard for the input, unless it is a record on the command line.
fn guard(args: &Show) -> Result<Guard, Refused> {
    let input = PathBuf::from(args.what.join(" "));
    if input == Path::new("-") || input.exists() {
        return output::guard(&[input]);
    }
    Ok(Guard::default())
}

/// Whether the destination supports colors: a terminal, unless NO_COLOR or a similar variable is
/// set.
fn has_colours() -> bool {
    !matches!(anstream::AutoStream::choice(&io::stdout()), ColorChoice::Never)
}

fn characters(entry: &Entry, kind: Kind, colours: Colours) -> String {
    let diagram = &entry.diagram;
    let mut text = match kind {
        Kind::Latex => return diagram::latex(diagram),
        Kind::LatexChess => {
            let rows = perl::epdstr(diagram.placement, "latex", perl::Look::default());
            return rows.unwrap_or_default().join("\n") + "\n";
        }
        Kind::Ascii => diagram::ascii(diagram),
        _ => diagram::text(diagram, colours),
    };
    for line in [&entry.heading, &entry.name, &entry.comment] {
        if !line.is_empty() {
            text.push_str(&printable(line));
            text.push('\n');
        }
    }
    text
}

/// Returns the name of the output if it denotes several files.
fn numbered(args: &Show) -> Option<String> {
    let name = args.output.as_deref()?.to_string_lossy();
    (matches!(args.kind(), Kind::Svg | Kind::Png) && name.contains("%n")).then(|| name.into())
}

fn pictures(args: &Show, page: &Page, kind: Kind, mut guard: Guard) -> anyhow::Result<()> {
    let draw = |entry: &Entry| -> anyhow::Result<Vec<u8>> {
        match kind {
            #[cfg(feature = "png")]
            Kind::Png => Ok(diagram::png(&entry.diagram, args.width)?),
            #[cfg(not(feature = "png"))]
            Kind::Png => bail!("PNG was left out when the program was built; SVG is there"),
            _ => Ok(diagram::svg(&entry.diagram).into_bytes()),
        }
    };
    if let Some(name) = numbered(args) {
        let count = page.entries.len();
        let digits = count.to_string().len();
        let name = |number| name.replace("%n", &format!("{number:0digits$}"));
        let names: Vec<PathBuf> = (1..=count).map(|number| name(number).into()).collect();
        names.iter().try_for_each(|name| guard.output("-o", name))?;
        for (name, entry) in names.iter().zip(&page.entries) {
            save(Some(name), &draw(entry)?)?;
        }
        return Ok(());
    }
    let [entry] = &page.entries[..] else {
        bail!(
            "{} pictures need a file each: name it with %n, as -o 'board-%n.svg'",
            page.entries.len()
        );
    };
    if kind == Kind::Png && args.output.is_none() && io::stdout().is_terminal() {
        bail!("a PNG picture is nothing for a terminal: give it a file with -o");
    }
    save(args.output.as_deref(), &draw(entry)?)
}

fn save(target: Option<&Path>, bytes: &[u8]) -> anyhow::Result<()> {
    let mut output = output::open(target)?;
    output.write_all(bytes)?;
    Ok(output.finish()?)
}

//! Diagrams of records and games.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use anstream::ColorChoice;
use anyhow::{Context, bail};
use pgn2epd::diagram::{self, Colours, Entry, Page};
use pgn2epd::epd::LineFault;
use pgn2epd::perl;
use pgn2epd::{Severity, Source, illustrate};

use crate::cli::Outcome;
use crate::cli::args::{Kind, Plies, Show};
use crate::cli::output::Output;
use crate::cli::report;

/// Draws what was asked for.
pub(super) fn show(args: &Show) -> anyhow::Result<Outcome> {
    let mut errors = 0;
    let mut page = page(args, &mut errors)?;
    for entry in &mut page.entries {
        args.adorn(&mut entry.diagram);
    }
    // Where what is wrong left nothing to draw, it has been said.
    if !page.entries.is_empty() || errors == 0 {
        write(args, &page)?;
    }
    Ok(Outcome::of_errors(errors))
}

/// What there is to draw. Of what is wrong with it, as much is said as concerns the choice.
fn page(args: &Show, errors: &mut u64) -> anyhow::Result<Page> {
    let name = args.what.join(" ");
    let path = Path::new(&name);
    let text = match &*name {
        "-" => texts(Source::new(io::stdin().lock())).context("cannot read standard input")?,
        _ if path.exists() => File::open(path)
            .and_then(|file| texts(Source::file(file)))
            .with_context(|| format!("cannot read {name}"))?,
        _ if !name.contains('/') || name.ends_with(".pgn") => bail!("there is no file {name}"),
        _ => {
            let mut faults = Vec::new();
            let entries = illustrate::records(&name, &mut |fault| faults.push(fault));
            faults.retain(|fault| fault.kind.severity() == Severity::Error);
            if entries.is_empty() {
                let reason = faults.first().map(|fault| fault.kind.to_string()).unwrap_or_default();
                bail!("{name} is neither a file nor a position: {reason}");
            }
            for fault in &faults {
                *errors += 1;
                report::fault("record", fault);
            }
            return Ok(Page { title: "Position".into(), entries, ..Page::default() });
        }
    };
    let is_game = args.game.is_some() || args.ply.is_some() || !holds_records(&text);
    if is_game { game(args, &name, &text, errors) } else { records(&name, &text, errors) }
}

/// All the texts of an input: an archive has several.
fn texts(source: io::Result<Source<'_>>) -> io::Result<Vec<u8>> {
    let (mut source, mut all) = (source?, Vec::new());
    while let Some(mut text) = source.next_text()? {
        text.read_to_end(&mut all)?;
    }
    Ok(all)
}

/// Whether the first line that is neither empty nor a comment begins as a record does: with ranks, which nothing in a game has
/// so many solidi as.
fn holds_records(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or_default();
    let word = first.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let begins_rank = word.first().is_some_and(u8::is_ascii_alphanumeric);
    begins_rank && word.iter().filter(|byte| **byte == b'/').count() > 4
}

fn records(name: &str, text: &[u8], errors: &mut u64) -> anyhow::Result<Page> {
    let text = String::from_utf8_lossy(text);
    let mut tell = |fault: LineFault| {
        if fault.kind.severity() == Severity::Error {
            *errors += 1;
            report::fault(name, &fault);
        }
    };
    let entries = illustrate::records(&text, &mut tell);
    Ok(Page { title: name.to_owned(), entries, ..Page::default() })
}

fn game(args: &Show, name: &str, text: &[u8], errors: &mut u64) -> anyhow::Result<Page> {
    let wanted = args.game.unwrap_or(1);
    let mut last = 0;
    let game = pgn2epd::games(text).inspect(|game| last = game.number);
    let Some(game) = game.into_iter().find(|game| game.number == wanted) else {
        bail!("{name} has no game {wanted}: it has {last}");
    };
    for problem in &game.problems {
        report::problem(name, problem);
        *errors += u64::from(problem.severity() == Severity::Error);
    }
    let mut entries = illustrate::game(&game);
    let plies = entries.len().saturating_sub(1);
    if entries.is_empty() {
        return Ok(Page::default());
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
    Ok(illustrate::page(&game, entries))
}

fn write(args: &Show, page: &Page) -> anyhow::Result<()> {
    let kind = args.kind();
    let target = args.output.as_deref();
    match kind {
        Kind::Svg | Kind::Png => return pictures(args, page, kind),
        Kind::Html => return save(target, diagram::page(page).as_bytes()),
        _ => {}
    }
    let colours = match target {
        None if has_colours() => Colours::Ansi,
        _ => Colours::Plain,
    };
    let draw = |entry: &Entry| characters(entry, kind, colours);
    let all: Vec<String> = page.entries.iter().map(draw).collect();
    save(target, all.join("\n").as_bytes())
}

/// Whether colours are understood where the diagrams go: a terminal, unless NO_COLOR or something like it says otherwise.
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
            text.push_str(&report::printable(line));
            text.push('\n');
        }
    }
    text
}

fn pictures(args: &Show, page: &Page, kind: Kind) -> anyhow::Result<()> {
    let draw = |entry: &Entry| -> anyhow::Result<Vec<u8>> {
        match kind {
            #[cfg(feature = "png")]
            Kind::Png => Ok(diagram::png(&entry.diagram, args.width)?),
            #[cfg(not(feature = "png"))]
            Kind::Png => bail!("PNG was left out when the program was built; SVG is there"),
            _ => Ok(diagram::svg(&entry.diagram).into_bytes()),
        }
    };
    let name = args.output.as_deref().map(Path::to_string_lossy);
    if let Some(name) = name.filter(|name| name.contains("%n")) {
        let digits = page.entries.len().to_string().len();
        for (number, entry) in (1..).zip(&page.entries) {
            let name = name.replace("%n", &format!("{number:0digits$}"));
            save(Some(Path::new(&name)), &draw(entry)?)?;
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
    let mut output = Output::open(target)?;
    output.write_all(bytes).context("the output cannot be written")?;
    output.finish()
}

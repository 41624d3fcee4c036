//! The destination of diagrams: text is written immediately, pages and pictures after the last
//! diagram.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstream::ColorChoice;
use anyhow::bail;
use pgn2epd::diagram::{self, Colours, DiagramOptions, Entry, Page};
use pgn2epd::output::printable;

use crate::args::{ColorWhen, DiagramFormat, Show};
use crate::output::{self, Guard, Output};

/// Maximum number of diagrams on a page: some 40 MB, which browsers still scroll.
const MOST_ON_PAGE: usize = 10_000;

/// Pictures in separate files are kept in memory until the last one has been read.
const MOST_PICTURES: usize = 100_000;

pub(super) struct Canvas<'a> {
    args: &'a Show,
    options: DiagramOptions,
    format: DiagramFormat,
    sections: Vec<Page>,
    /// Number of diagrams in the sections.
    kept: usize,
    /// Written before the next text diagram.
    heading: Option<String>,
    /// Opened for the first text diagram.
    output: Option<Output>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(args: &'a Show, format: DiagramFormat) -> anyhow::Result<Self> {
        let (options, sections) = (args.options()?, Vec::new());
        Ok(Canvas { args, options, format, sections, kept: 0, heading: None, output: None })
    }

    /// Text diagrams have the heading, if any, before the first one.
    pub(super) fn begin(&mut self, section: Page, heading: Option<String>) {
        self.heading = heading;
        if !self.keeps() {
            self.sections.clear();
        }
        self.sections.push(section);
    }

    /// Whether diagrams are kept until the end.
    fn keeps(&self) -> bool {
        matches!(self.format, DiagramFormat::Html | DiagramFormat::Svg | DiagramFormat::Png)
    }

    pub(super) fn sections(&self) -> usize {
        self.sections.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept == 0 && self.output.is_none()
    }

    /// Returns how many more diagrams the page can have.
    pub(super) fn room(&self) -> usize {
        match self.format {
            DiagramFormat::Html => MOST_ON_PAGE - self.kept,
            _ => usize::MAX,
        }
    }

    pub(super) fn draw(&mut self, mut entry: Entry) -> anyhow::Result<()> {
        self.options.apply(&mut entry.diagram);
        if self.keeps() {
            if self.kept == MOST_PICTURES {
                bail!("there are more than {MOST_PICTURES} diagrams: too many for one series");
            }
            self.kept += 1;
            self.sections.last_mut().expect("a section was begun").entries.push(entry);
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
            none => none.insert(output::open(target)?.with_escape_sequences()),
        };
        let heading = self.heading.take();
        if let (DiagramFormat::Text | DiagramFormat::Ascii, Some(heading)) = (self.format, heading)
        {
            text += &format!("{}\n\n", printable(&heading));
        }
        text += &characters(&entry, self.format, colours);
        Ok(output.write_all(text.as_bytes())?)
    }

    pub(super) fn finish(self, title: &str, guard: Guard) -> anyhow::Result<()> {
        if let Some(output) = self.output {
            return Ok(output.finish()?);
        }
        match self.format {
            DiagramFormat::Svg | DiagramFormat::Png => self.pictures(guard),
            DiagramFormat::Html => self.page(title),
            _ => save(self.args.output.as_deref(), &[]),
        }
    }

    fn page(&self, title: &str) -> anyhow::Result<()> {
        let mut output = output::open(self.args.output.as_deref())?;
        diagram::write_page(title, &self.sections, &mut output)?;
        Ok(output.finish()?)
    }

    fn pictures(&self, mut guard: Guard) -> anyhow::Result<()> {
        let entries = || self.sections.iter().flat_map(|section| &section.entries);
        if let Some(name) = numbered(self.args, self.format) {
            let count = self.kept;
            let digits = count.to_string().len();
            let name = |number| name.replace("%n", &format!("{number:0digits$}"));
            let names: Vec<PathBuf> = (1..=count).map(|number| name(number).into()).collect();
            names.iter().try_for_each(|name| guard.output("-o", name))?;
            for (name, entry) in names.iter().zip(entries()) {
                save(Some(name), &self.picture(entry)?)?;
            }
            return Ok(());
        }
        let (Some(entry), 1) = (entries().next(), self.kept) else {
            bail!("{} pictures need a file each: name it with %n, as -o 'board-%n.svg'", self.kept);
        };
        let target = self.args.output.as_deref();
        if self.format == DiagramFormat::Png && target.is_none() && io::stdout().is_terminal() {
            bail!("a PNG picture cannot be shown in a terminal; name a file with -o");
        }
        save(target, &self.picture(entry)?)
    }

    fn picture(&self, entry: &Entry) -> anyhow::Result<Vec<u8>> {
        match self.format {
            #[cfg(feature = "png")]
            DiagramFormat::Png => Ok(diagram::png(&entry.diagram, self.args.width())?),
            #[cfg(not(feature = "png"))]
            DiagramFormat::Png => {
                bail!(
                    "this program was built without PNG: use SVG, or install it with `cargo install --locked --path . --features png` in a clone"
                )
            }
            _ => Ok(diagram::svg(&entry.diagram).into_bytes()),
        }
    }
}

/// Returns the name of the output if it denotes several files.
pub(super) fn numbered(args: &Show, format: DiagramFormat) -> Option<String> {
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

fn characters(entry: &Entry, format: DiagramFormat, colours: Colours) -> String {
    let diagram = &entry.diagram;
    let mut text = match format {
        DiagramFormat::Latex => return diagram::latex(diagram),
        DiagramFormat::Ascii => diagram::ascii(diagram),
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

fn save(target: Option<&Path>, bytes: &[u8]) -> anyhow::Result<()> {
    let mut output = output::open(target)?;
    output.write_all(bytes)?;
    Ok(output.finish()?)
}

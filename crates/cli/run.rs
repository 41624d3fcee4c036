//! The commands; those with a file of their own are in the folder.

mod analyse;
mod book;
mod check;
mod convert;
mod show;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use pgn2epd::input::Input;
use serde::Serialize;

use crate::args::{Args, Command, Splits, definition, lists};
use crate::files::{self, open_input};

/// Returns the number of errors in the input, to which an empty output is one more.
pub(super) fn run(args: &Args, given: &[OsString]) -> anyhow::Result<u64> {
    match &args.command {
        None => convert::convert(&args.convert),
        Some(Command::Analyse(args)) => analyse::analyse(args),
        Some(Command::Check(args)) => check::check(args),
        Some(Command::Book(args)) => book::book(args, given),
        Some(Command::Completions { shell }) => completions(*shell),
        Some(Command::Diff(args)) => convert::diff(args),
        Some(Command::Join(args)) => convert::join(args),
        Some(Command::Man) => manual_page(),
        Some(Command::Show(show)) => show::show(show),
        Some(Command::Solve(args)) => analyse::solve(args),
        Some(Command::Splits(args)) => splits(args),
    }
}

#[derive(Serialize)]
struct StartLine<'a> {
    path: &'a Path,
    start: u64,
    end: u64,
    estimated_games: u64,
}

fn splits(args: &Splits) -> anyhow::Result<u64> {
    files::add_output(&mut files::guard(&args.files)?, None)?;
    let mut output = files::stdout();
    for path in &args.files {
        let name = || format!("cannot read {}", path.display());
        if !open_input(path)?.metadata().with_context(name)?.is_file() {
            anyhow::bail!("cannot divide {}: not a regular file", path.display());
        }
        for split in Input::file(path).splits(args.size.0 as u64).with_context(name)? {
            let (start, end) = (split.range.start, split.range.end);
            let line = StartLine { path, start, end, estimated_games: split.items };
            writeln!(output, "{}", serde_json::to_string(&line).with_context(name)?)?;
        }
    }
    output.finish()?;
    Ok(0)
}

// Generates the manual page and shell completions from the definition of the arguments.

fn completions(shell: Shell) -> anyhow::Result<u64> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut definition(), "pgn2epd", &mut text);
    print(&text)
}

fn manual_page() -> anyhow::Result<u64> {
    let mut program = described(definition());
    program.build();
    let mut text = Vec::new();
    let man = Man::new(program.clone());
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    let notes = Notes::of(&program);
    section(&mut text, "SH", "SYNOPSIS", &usage(&program))?;
    section(&mut text, "SH", "DESCRIPTION", &[about(&program), notes.other].concat())?;
    options(&program, &mut text)?;
    list(&program, &mut text)?;
    commands(&program, &mut text)?;
    lists().iter().try_for_each(|topic| words(topic, &mut text))?;
    section(&mut text, "SH", "EXAMPLES", &notes.examples)?;
    section(&mut text, "SH", "EXIT STATUS", &notes.exit_status)?;
    print(&with_lists(&String::from_utf8(text)?))
}

/// clap_mangen omits the description of an option that is not in the short help.
fn described(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| arg.hide_short_help(false)).mut_subcommands(described)
}

fn commands(parent: &clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    for command in shown(parent) {
        let name = command.get_bin_name().unwrap_or_default().to_uppercase();
        let notes = Notes::of(command);
        section(text, "SH", &name, &usage(command))?;
        section(text, "SS", "DESCRIPTION", &[about(command), notes.other].concat())?;
        options(command, text)?;
        section(text, "SS", "EXAMPLES", &notes.examples)?;
        section(text, "SS", "EXIT STATUS", &notes.exit_status)?;
        commands(command, text)?;
    }
    Ok(())
}

fn shown(parent: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    parent.get_subcommands().filter(|command| command.get_name() != "help")
}

fn list(program: &clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", ["COMMANDS"]);
    for command in shown(program) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        roff.control("TP", []);
        roff.text([bold(command.get_name())]).text([roman(about)]);
    }
    roff.to_writer(text)
}

fn words(topic: &clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    let notes = Notes::of(topic);
    let name = topic.get_name().to_uppercase();
    section(text, "SH", &name, &[about(topic), notes.other].concat())?;
    let mut roff = Roff::new();
    for word in topic.get_subcommands() {
        let about = word.get_about().map(ToString::to_string).unwrap_or_default();
        roff.control("TP", []);
        roff.text([bold(word.get_name())]).text([roman(about)]);
    }
    roff.to_writer(text)?;
    section(text, "SS", &format!("{name} EXAMPLES"), &notes.examples)
}

/// Writes the options. Their groups are subsections.
fn options(command: &clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    let mut sections = Vec::new();
    Man::new(command.clone()).render_options_section(&mut sections)?;
    let sections = String::from_utf8_lossy(&sections).replace("\n.SH ", "\n.SS ");
    let sections = match command.get_name() {
        "pgn2epd" => sections,
        _ => sections.replacen(".SH ", ".SS ", 1),
    };
    text.write_all(sections.as_bytes())
}

fn usage(command: &clap::Command) -> Vec<String> {
    let usage = command.clone().render_usage().to_string();
    let forms = usage.trim_start_matches("Usage:").lines();
    forms.map(|form| format!("  {}", form.trim())).collect()
}

fn about(command: &clap::Command) -> Vec<String> {
    let about = command.get_long_about().or(command.get_about());
    about.map(ToString::to_string).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[derive(Default)]
struct Notes {
    examples: Vec<String>,
    exit_status: Vec<String>,
    other: Vec<String>,
}

impl Notes {
    fn of(command: &clap::Command) -> Self {
        let mut notes = Notes::default();
        let before = command.get_before_long_help().or(command.get_before_help());
        let after = command.get_after_long_help().or(command.get_after_help());
        for text in [before, after].into_iter().flatten().map(ToString::to_string) {
            for paragraph in text.split("\n\n") {
                let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
                if let Some(("Examples:" | "Example:", examples)) = paragraph.split_once('\n') {
                    notes.examples.extend(lines(examples));
                } else if let Some(status) = paragraph.strip_prefix("Exit status: ") {
                    notes.exit_status.extend(status.split("; ").map(|one| format!("  {one}")));
                } else {
                    notes.other.push(String::new());
                    notes.other.extend(lines(paragraph));
                }
            }
        }
        notes
    }
}

fn section(text: &mut Vec<u8>, level: &str, name: &str, lines: &[String]) -> io::Result<()> {
    let mut roff = Roff::new();
    if !lines.is_empty() {
        roff.control(level, [name]);
    }
    for line in lines {
        match line.as_str() {
            "" => roff.control("PP", []),
            line => roff.text([roman(line)]),
        };
    }
    roff.to_writer(text)
}

/// Keeps the line breaks of indented lines, such as lists and examples.
fn with_lists(page: &str) -> Vec<u8> {
    let mut text = String::with_capacity(page.len());
    let mut in_list = false;
    for line in page.lines() {
        let is_listed = line.starts_with("  ");
        match (in_list, is_listed) {
            (false, true) => text += ".nf\n",
            (true, false) => text += ".fi\n",
            _ => {}
        }
        in_list = is_listed;
        text += line;
        text += "\n";
    }
    text.into_bytes()
}

fn print(text: &[u8]) -> anyhow::Result<u64> {
    let mut output = files::stdout();
    output.write_all(text)?;
    output.finish()?;
    Ok(0)
}

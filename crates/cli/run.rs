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

/// The page of the program, the same on all systems, and those of its commands and lists.
fn manual_page() -> anyhow::Result<u64> {
    let mut program = described(definition()).long_version(clap::builder::Resettable::Reset);
    program.build();
    let mut text = Vec::new();
    pages(&program, &mut text)?;
    for topic in lists() {
        Man::new(topic.clone()).render(&mut text)?;
    }
    print(&with_lists(&String::from_utf8(text)?))
}

/// clap_mangen omits the description of an option that is not in the short help.
fn described(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| arg.hide_short_help(false)).mut_subcommands(described)
}

fn pages(command: &clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    Man::new(command.clone().override_usage(usage)).render(text)?;
    let mut commands = command.get_subcommands().filter(|of| of.get_name() != "help");
    commands.try_for_each(|command| pages(command, text))
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

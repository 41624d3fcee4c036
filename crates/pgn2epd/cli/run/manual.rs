//! The manual page, and completions for shells: both made from the definition of the arguments.

use std::io::{self, Write};

use anyhow::Context;
use clap_complete::Shell;

use crate::cli::Outcome;
use crate::cli::args::definition;

pub(super) fn completions(shell: Shell) -> anyhow::Result<Outcome> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut definition(), "pgn2epd", &mut text);
    print(&text)
}

/// The manual page of the program, with a section for each of its commands.
pub(super) fn page() -> anyhow::Result<Outcome> {
    let mut text = Vec::new();
    let program = definition();
    clap_mangen::Man::new(program.clone()).render(&mut text)?;
    for command in program.get_subcommands() {
        let name = command.get_name();
        writeln!(text, ".SH \"PGN2EPD {}\"", name.to_uppercase())?;
        let man = clap_mangen::Man::new(command.clone().bin_name(format!("pgn2epd {name}")));
        man.render_synopsis_section(&mut text)?;
        man.render_description_section(&mut text)?;
        man.render_options_section(&mut text)?;
    }
    print(&text)
}

fn print(text: &[u8]) -> anyhow::Result<Outcome> {
    io::stdout().lock().write_all(text).context("the output cannot be written")?;
    Ok(Outcome::Well)
}

//! Generates the manual page and shell completions from the definition of the arguments.

use std::io::Write;

use clap_complete::Shell;

use crate::args::definition;
use crate::exit::Outcome;
use crate::output::Output;

pub(super) fn completions(shell: Shell) -> anyhow::Result<Outcome> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut definition(), "pgn2epd", &mut text);
    print(&text)
}

/// Prints the manual page of the program, with a section per command.
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
    let mut output = Output::stdout();
    output.write_all(text)?;
    output.finish()?;
    Ok(Outcome::Well)
}

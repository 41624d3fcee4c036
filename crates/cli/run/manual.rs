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
    sections(&program, "pgn2epd", &mut text)?;
    print(&text)
}

/// Writes a section for each command of `parent`, and for theirs: `pgn2epd book merge`.
fn sections(parent: &clap::Command, name: &str, text: &mut Vec<u8>) -> std::io::Result<()> {
    for command in parent.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("{name} {}", command.get_name());
        writeln!(text, ".SH \"{}\"", name.to_uppercase())?;
        let man = clap_mangen::Man::new(command.clone().bin_name(&*name));
        man.render_synopsis_section(text)?;
        man.render_description_section(text)?;
        man.render_options_section(text)?;
        sections(command, &name, text)?;
    }
    Ok(())
}

fn print(text: &[u8]) -> anyhow::Result<Outcome> {
    let mut output = Output::stdout();
    output.write_all(text)?;
    output.finish()?;
    Ok(Outcome::Well)
}

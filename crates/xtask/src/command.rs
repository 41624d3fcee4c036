//! Runs other programs.

use std::process::{Command, Output, Stdio};

use anyhow::{Context, ensure};

/// Runs a command that prints its progress; an error if it fails. `advice` says how its program is
/// installed.
pub(crate) fn run(command: &mut Command, advice: &str) -> anyhow::Result<()> {
    let status = command.status().with_context(|| cannot_start(command, advice))?;
    ensure!(status.success(), "{}: {status}", line(command));
    Ok(())
}

/// Runs a command and returns what it prints; an error if it fails.
pub(crate) fn printed_by(command: &mut Command, advice: &str) -> anyhow::Result<Vec<u8>> {
    let output = output_of(command, advice)?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}: {}\n{said}", line(command), output.status);
    Ok(output.stdout)
}

/// Runs a command and returns what it prints and its status.
pub(crate) fn output_of(command: &mut Command, advice: &str) -> anyhow::Result<Output> {
    command.stdin(Stdio::null()).output().with_context(|| cannot_start(command, advice))
}

fn cannot_start(command: &Command, advice: &str) -> String {
    format!("cannot run {}; {advice}", line(command))
}

/// The command as a line of text.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

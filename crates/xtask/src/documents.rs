//! What an archive contains beside the program: the manual page, completions, licences, texts.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context;

use crate::archive::Member;
use crate::command::{printed_by, run};
use crate::project::{Project, cargo};
use crate::target::Target;

/// The shells for which there are completions, each with the name of the file that the shell reads.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "pgn2epd.bash"),
    ("elvish", "pgn2epd.elv"),
    ("fish", "pgn2epd.fish"),
    ("powershell", "_pgn2epd.ps1"),
    ("zsh", "_pgn2epd"),
];

/// Returns the texts, which the native program prints or the sources contain.
pub(crate) fn texts(project: &Project, native: &Path) -> anyhow::Result<Vec<Member>> {
    let mut members = Vec::new();
    for name in ["README.md", "CHANGELOG.md", "COPYING"] {
        let bytes =
            fs::read(project.root.join(name)).with_context(|| format!("cannot read {name}"))?;
        members.push(Member::text(name, bytes));
    }
    let page = printed_by(Command::new(native).arg("man"), "")?;
    members.push(Member::text("pgn2epd.1", page));
    for (shell, name) in SHELLS {
        let text = printed_by(Command::new(native).args(["completions", shell]), "")?;
        members.push(Member::text(format!("completions/{name}"), text));
    }
    Ok(members)
}

/// Returns the licences of everything that the program for a system contains.
pub(crate) fn licences(project: &Project, target: Target) -> anyhow::Result<Member> {
    let mut command = cargo();
    command.args(["about", "-L", "error", "generate", "--locked", "--fail"]);
    command.args(["--target", target.triple(), "--features", target.features()]);
    Ok(Member::text("LICENCES.md", generated(project, command)?))
}

/// Writes the licences of everything that the Python package contains, on any system.
pub(crate) fn write_python_licences(project: &Project) -> anyhow::Result<()> {
    let mut command = cargo();
    command.args(["about", "-L", "error", "generate", "--locked", "--fail"]);
    command.args(["--manifest-path", "python/Cargo.toml"]);
    for target in Target::ALL {
        command.args(["--target", target.triple()]);
    }
    let text = generated(project, command)?;
    fs::write(project.root.join("python/licences/LICENCES.md"), text)?;
    Ok(())
}

/// The licences of the libraries in the page of the opening explorer.
const PAGE_LICENCES: &str = "crates/serve/page/built/page.licences.txt";

/// Runs cargo-about with our configuration, and adds what the page contains.
fn generated(project: &Project, mut command: Command) -> anyhow::Result<Vec<u8>> {
    command.args(["--config", "packaging/about.toml", "packaging/licences.hbs"]);
    command.current_dir(&project.root);
    let advice = "cargo install --locked --features cli cargo-about";
    let mut text = printed_by(&mut command, advice)?;
    let page = fs::read(project.root.join(PAGE_LICENCES));
    text.extend(page.with_context(|| format!("cannot read {PAGE_LICENCES}"))?);
    Ok(text)
}

/// Returns the bill of materials of the program for a system: CycloneDX, as JSON.
pub(crate) fn bill_of_materials(project: &Project, target: Target) -> anyhow::Result<Vec<u8>> {
    // cargo-cyclonedx writes a file beside each Cargo.toml of the workspace.
    let name = format!("bill-of-materials-{}", target.triple());
    let mut command = cargo();
    command.args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5"]);
    command.args(["--no-build-deps", "--override-filename", &name]);
    command.args(["--target", target.triple(), "--features", target.features()]);
    command.current_dir(&project.root).env("SOURCE_DATE_EPOCH", project.time()?.to_string());
    let result = run(&mut command, "cargo install --locked cargo-cyclonedx");
    let name = format!("{name}.json");
    let bytes = fs::read(project.root.join(&name));
    let members = fs::read_dir(project.root.join("crates"))?.filter_map(Result::ok);
    for folder in members.map(|entry| entry.path()).chain([project.root.clone()]) {
        // Only members of the workspace have the file.
        let _ = fs::remove_file(folder.join(&name));
    }
    result?;
    let bytes = bytes.with_context(|| format!("cargo-cyclonedx has not written {name}"))?;
    // The same on every machine.
    let root = format!("path+file://{}", project.root.display());
    Ok(String::from_utf8(bytes)?.replace(&root, "path+file:///pgn2epd").into_bytes())
}

//! Builds the archives of a release.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use crate::archive::{self, Member};
use crate::command::run;
use crate::comparison::compare;
use crate::documents::{bill_of_materials, licences, texts};
use crate::project::{Project, cargo};
use crate::target::Target;

/// Features of the native program, which all others are compared with.
const NATIVE_FEATURES: &str = "arrow";

/// Returns the systems given, or all for which programs can be linked here.
pub(crate) fn targets(given: Vec<Target>) -> anyhow::Result<Vec<Target>> {
    if let Some(target) = given.iter().find(|target| !target.can_be_linked()) {
        bail!(
            "programs for {} are linked on a Mac, or with the SDK that SDKROOT names",
            target.triple()
        );
    }
    if !given.is_empty() {
        return Ok(given);
    }
    let (targets, others): (Vec<Target>, Vec<Target>) =
        Target::ALL.into_iter().partition(|target| target.can_be_linked());
    for target in others {
        println!(
            "{}: not built, since it needs a Mac or the SDK that SDKROOT names",
            target.triple()
        );
    }
    Ok(targets)
}

/// Builds the archives of these systems in `folder`, each with a bill of materials, also beside it.
/// Programs that cannot be run here are not compared, or are an error if `must_run` is set.
pub(crate) fn build(
    project: &Project,
    targets: &[Target],
    folder: &Path,
    must_run: bool,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let native = native_program(project)?;
    let texts = texts(project, &native)?;
    for &target in targets {
        println!("{}: building", target.triple());
        let program = program(project, target)?;
        match target.obstacle(&program) {
            None => {
                let command = || target.command(&program).expect("there is no obstacle");
                let count = compare(project, &native, command)?;
                println!("{}: {count} commands print the same as here", target.triple());
            }
            Some(reason) => {
                ensure!(!must_run, "{} cannot be run: {reason}", target.triple());
                println!("{}: not run, since {reason}", target.triple());
            }
        }
        let bytes = fs::read(&program)?;
        let member = Member { path: target.program().to_owned(), bytes, is_program: true };
        let licences = licences(project, target)?;
        let bill = Member::text("pgn2epd.cdx.json", bill_of_materials(project, target)?);
        let members: Vec<&Member> = [&member, &licences, &bill].into_iter().chain(&texts).collect();
        let name = target.folder(&project.version);
        let time = project.time()?;
        let bytes = match target.is_windows() {
            true => archive::zip(&name, &members, time)?,
            false => archive::tar_gz(&name, &members, time)?,
        };
        write(&folder.join(target.archive(&project.version)), &bytes)?;
        write(&folder.join(format!("{name}.cdx.json")), &bill.bytes)?;
    }
    Ok(())
}

/// Writes the sources at the current commit as an archive.
pub(crate) fn source(project: &Project, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let name = format!("pgn2epd-{}", project.version);
    let file = folder.join(source_archive(&project.version));
    let file = file.to_str().context("the folder's name is not UTF-8")?;
    let prefix = format!("--prefix={name}/");
    project.git(&["archive", "--format=tar.gz", &prefix, "--output", file, "HEAD"])?;
    println!("{file}");
    Ok(())
}

/// The file name of the archive of the sources.
pub(crate) fn source_archive(version: &str) -> String {
    format!("pgn2epd-{version}-source.tar.gz")
}

fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}: {:.1} MB", file.display(), bytes.len() as f64 / 1e6);
    Ok(())
}

/// Builds the program for this machine, by which the others are judged.
fn native_program(project: &Project) -> anyhow::Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--quiet", "--profile", "dist", "--locked", "--package", "pgn2epd-cli"]);
    command.args(["--features", NATIVE_FEATURES]).current_dir(&project.root);
    run(&mut command, "")?;
    let name = if cfg!(windows) { "pgn2epd.exe" } else { "pgn2epd" };
    Ok(project.target_folder.join("dist").join(name))
}

/// Builds the program for a system.
fn program(project: &Project, target: Target) -> anyhow::Result<PathBuf> {
    let mut command = cargo();
    command.args([
        "zigbuild",
        "--quiet",
        "--profile",
        "dist",
        "--locked",
        "--package",
        "pgn2epd-cli",
    ]);
    command.args(["--features", target.features(), "--target", target.triple()]);
    run(command.current_dir(&project.root), "pip install cargo-zigbuild ziglang")?;
    Ok(project.target_folder.join(target.triple()).join("dist").join(target.program()))
}

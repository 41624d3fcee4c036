//! Builds what a release of pgn2epd consists of, and the chart of README.md: `cargo xtask --help`.
//!
//! * [`project`]: the version, the commit and the folders;
//! * [`command`]: runs other programs;
//! * [`target`]: the systems for which there is a binary;
//! * [`dist`]: builds their archives, with [`documents`], [`archive`] and [`comparison`];
//! * [`checksums`], [`recipes`]: what is made from the archives;
//! * [`chart`]: the chart of README.md;
//! * [`page`]: the page of the opening explorer.

#![allow(clippy::print_stdout)] // what has been done is the output

mod archive;
mod chart;
mod checksums;
mod command;
mod comparison;
mod dist;
mod documents;
mod page;
mod project;
mod recipes;
mod target;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use project::Project;
use target::Target;

/// Build what a release of pgn2epd consists of
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    task: Task,

    /// The folder of the results; target/archives if it is not given
    #[arg(long, global = true, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Build the archives of the program, each with its bill of materials, and SHA256SUMS
    ///
    /// Needs cargo-zigbuild with zig (`pip install cargo-zigbuild ziglang`), cargo-about and
    /// cargo-cyclonedx (`cargo install --locked …`). A program is run and compared with the native
    /// one where that is possible: programs for ARM64 under qemu-aarch64 (Debian: qemu-user), those
    /// for Windows under Wine, version 9 or newer. Programs for macOS are built on a Mac, or with
    /// the SDK that SDKROOT names.
    Dist {
        /// The systems; if none is given, all for which programs can be linked here
        #[arg(value_name = "TARGET")]
        targets: Vec<Target>,
        /// Fail if a program cannot be run here
        #[arg(long)]
        must_run: bool,
        /// Build from files that are not committed, for tests
        #[arg(long)]
        allow_dirty: bool,
    },
    /// Write the archive of the sources at the current commit
    Source,
    /// Write python/licences/LICENCES.md, the licences of everything that the Python package
    /// contains
    Notices,
    /// Write SHA256SUMS for the files in the folder
    Checksums,
    /// Write the recipes of package managers, with the checksums of the archives in the folder
    Recipes,
    /// Draw docs/images/speed.svg from the table of docs/speed.md
    Chart,
    /// Build the page of the opening explorer, crates/serve/page/built
    ///
    /// Needs Node and npm, which fetch the libraries that crates/serve/page/package-lock.json
    /// names.
    Page,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let project = Project::find()?;
    let folder = arguments.out.unwrap_or_else(|| project.target_folder.join("archives"));
    match arguments.task {
        Task::Dist { targets, must_run, allow_dirty } => {
            if !allow_dirty {
                project.must_be_committed()?;
            }
            let targets = dist::targets(targets)?;
            dist::build(&project, &targets, &folder, must_run)?;
            checksums::write(&folder)
        }
        Task::Source => dist::source(&project, &folder),
        Task::Notices => documents::write_python_licences(&project),
        Task::Checksums => checksums::write(&folder),
        Task::Recipes => recipes::write(&project, &folder),
        Task::Chart => chart::write(&project.root),
        Task::Page => page::build(&project.root),
    }
}

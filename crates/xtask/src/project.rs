//! The version, the commit and the folders of the project.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::command::printed_by;

/// What the results are built from.
#[derive(Debug)]
pub(crate) struct Project {
    /// The folder with the sources.
    pub(crate) root: PathBuf,
    /// The folder in which cargo builds.
    pub(crate) target_folder: PathBuf,
    /// The version of all packages.
    pub(crate) version: String,
}

impl Project {
    /// Returns the project whose member this program is.
    pub(crate) fn find() -> anyhow::Result<Self> {
        // That of this run: folders that share a target folder share this program.
        let folder = env::var_os("CARGO_MANIFEST_DIR").context("run this as `cargo xtask`")?;
        let root = Path::new(&folder).ancestors().nth(2).context("no folder")?;
        let arguments = ["metadata", "--no-deps", "--format-version", "1"];
        let text = printed_by(cargo().args(arguments).current_dir(root), "")?;
        let metadata: Value = serde_json::from_slice(&text)?;
        let folder = metadata["target_directory"].as_str().context("no target folder")?;
        Ok(Self {
            root: root.to_owned(),
            target_folder: PathBuf::from(folder),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    /// Returns an error if a file differs from the commit that `pgn2epd --version` names.
    pub(crate) fn must_be_committed(&self) -> anyhow::Result<()> {
        let changes = self.git(&["status", "--porcelain"])?;
        ensure!(changes.is_empty(), "files are not committed (--allow-dirty):\n{changes}");
        Ok(())
    }

    /// The time of the commit, in seconds since 1970, or SOURCE_DATE_EPOCH: the time of all files
    /// in archives, so that the same commit gives the same archives.
    pub(crate) fn time(&self) -> anyhow::Result<u64> {
        let text = match env::var("SOURCE_DATE_EPOCH") {
            Ok(text) => text,
            Err(_) => self.git(&["log", "-1", "--format=%ct"])?,
        };
        text.trim().parse().with_context(|| format!("the time of the commit is {text:?}"))
    }

    /// Returns what git prints.
    pub(crate) fn git(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let mut git = Command::new("git");
        let text = printed_by(git.args(arguments).current_dir(&self.root), "install git")?;
        Ok(String::from_utf8(text)?)
    }
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

//! The page of the opening explorer, bundled from TypeScript.

use std::path::Path;
use std::process::Command;

use crate::command::run;

const ADVICE: &str = "install Node, which has npm";

/// Builds the files that the server contains.
pub(crate) fn build(root: &Path) -> anyhow::Result<()> {
    let folder = root.join("crates/serve/page");
    for args in [&["ci"][..], &["run", "build"]] {
        run(Command::new("npm").args(args).current_dir(&folder), ADVICE)?;
    }
    Ok(())
}

//! Other programs read what we write, where they are installed.

use std::process::Command;

/// Whether python has these modules; if not, that is said.
#[allow(clippy::print_stderr)]
pub(super) fn has(modules: &[&str]) -> bool {
    let imports: Vec<String> = modules.iter().map(|module| format!("import {module}")).collect();
    let found = Command::new("python3").args(["-c", &imports.join("\n")]).output();
    let there = found.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("python3 has not {modules:?}: left out");
    }
    there
}

/// Runs a script, which must succeed, in a folder.
pub(super) fn run(script: &str, folder: &std::path::Path) -> String {
    let output = Command::new("python3").args(["-c", script]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

//! Other programs read our output, if they are installed.

use std::process::Command;

/// Whether Python has these modules; prints a message if not.
#[allow(clippy::print_stderr)]
pub(super) fn has(modules: &[&str]) -> bool {
    let imports: Vec<String> = modules.iter().map(|module| format!("import {module}")).collect();
    let found = Command::new("python3").args(["-c", &imports.join("\n")]).output();
    let there = found.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("python3 lacks {modules:?}: skipped");
    }
    there
}

/// Runs a script in a folder; it must succeed.
pub(super) fn run(script: &str, folder: &std::path::Path) -> String {
    let output = Command::new("python3").args(["-c", script]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

//! Each command in a `console` block of README.md prints the text below it.

use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The commands of all `console` blocks and their output.
fn shown(readme: &str) -> Vec<(String, String)> {
    let blocks = readme.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let commands = blocks.flat_map(|block| block.split("$ ").filter(|command| !command.is_empty()));
    commands
        .map(|command| {
            let (line, output) = command.split_once('\n').unwrap();
            (line.to_owned(), output.to_owned())
        })
        .collect()
}

/// Runs all these commands, with the folder `first` at the front of `PATH`.
fn assert_readme_is_true(first: &Path) {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_pgn2epd")).parent().unwrap();
    let others = std::env::var("PATH").unwrap();
    let path = format!("{}:{}:{others}", first.display(), program.display());
    let commands = shown(&readme);
    assert!(commands.len() >= 3);
    for (command, expected) in commands {
        let outcome = Command::new("sh")
            .args(["-c", &command])
            .current_dir(ROOT)
            .env("PATH", &path)
            .output()
            .unwrap();
        let text = String::from_utf8(outcome.stdout).unwrap();
        assert_eq!(text, expected, "{command}\n{}", String::from_utf8_lossy(&outcome.stderr));
    }
}

#[test]
fn every_command_in_the_readme_prints_its_output() {
    assert_readme_is_true(Path::new(env!("CARGO_BIN_EXE_pgn2epd")).parent().unwrap());
}

#[cfg(unix)]
#[test]
fn no_command_in_the_readme_needs_python_or_java() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    for name in ["python", "python3", "java"] {
        let path = folder.path().join(name);
        fs::write(&path, "#!/bin/sh\ntouch \"$0-was-called\"\nexit 127\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_readme_is_true(folder.path());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "Python or Java was called");
}

#[test]
fn the_readme_has_two_set_up_commands() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let commands = readme.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(commands.lines().count(), 2);
    let ci = fs::read_to_string(Path::new(ROOT).join(".ci/run")).unwrap();
    assert!(ci.contains(commands.lines().nth(1).unwrap()), ".ci/run does not run {commands}");
}

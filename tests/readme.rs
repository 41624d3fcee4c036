//! README is true: each command of a `console` block prints what stands below it.

use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The commands of all `console` blocks, and what they print.
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

#[test]
fn every_command_prints_what_readme_says() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_pgn2epd")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
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
fn readme_names_the_commands_that_set_all_up() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let commands = readme.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(commands.lines().count(), 2);
    let ci = fs::read_to_string(Path::new(ROOT).join(".ci/run")).unwrap();
    assert!(ci.contains(commands.lines().nth(1).unwrap()), ".ci/run does not run {commands}");
}

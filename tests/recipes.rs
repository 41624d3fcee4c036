//! The commands in the `sh` blocks of README.md and docs/books.md succeed and produce output.

use std::path::Path;
use std::process::Command;

use testkit::generate::{Generator, Style};
use testkit::pack;

use crate::support::program;

/// The lines of the `sh` blocks.
fn commands(text: &str) -> Vec<&str> {
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.flat_map(str::lines).collect()
}

/// Runs each command in `folder`; its output, or the file it names with `-o` or `>`, must not be empty.
fn assert_commands_work(commands: &[&str], folder: &Path) {
    for command in commands {
        let arguments = command.strip_prefix("pgn2epd ").unwrap();
        let output = Command::new("sh")
            .args(["-c", &format!("\"$PGN2EPD\" {arguments}")])
            .env("PGN2EPD", env!("CARGO_BIN_EXE_pgn2epd"))
            .current_dir(folder)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{command}: {stderr}");
        let file = [" -o ", " > "].iter().find_map(|mark| command.split_once(mark));
        let result = match file {
            Some((_, name)) => std::fs::read(folder.join(name.split(' ').next().unwrap())).unwrap(),
            None => output.stdout,
        };
        let is_silent_check = command.contains(" check --for ");
        assert!(is_silent_check || !result.is_empty(), "{command}: no output");
    }
}

#[test]
fn recipes_for_books_work() {
    let commands = commands(include_str!("../docs/books.md"));
    assert!(commands.len() >= 10, "{commands:?}");
    let program = program()
        .file("twic.pgn", Generator::text(Style::Plain, 4, 300_000))
        .file("lichess.pgn", Generator::text(Style::Lichess, 4, 300_000));
    assert_commands_work(&commands, program.folder());
}

#[test]
fn recipes_in_the_readme_work() {
    let commands = commands(include_str!("../README.md"));
    // The first two build the program and run the tests.
    let recipes = &commands[2..];
    assert!(recipes.len() >= 8, "{recipes:?}");
    let games = Generator::text(Style::Plain, 4, 300_000);
    let lichess = Generator::text(Style::Lichess, 4, 300_000);
    let program = program()
        .file("openings.pgn", &games)
        .file("games.pgn", games)
        .file("lichess.pgn.zst", pack::zstd(&lichess))
        .file("suite.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn\";\n");
    assert_commands_work(recipes, program.folder());
}

//! docs/books.md: each of its commands works.

use testkit::generate::{Generator, Style};

use crate::support::program;

/// The commands in the text.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            _ if inside => commands.push(line.to_owned()),
            _ => {}
        }
    }
    commands
}

#[test]
fn each_recipe_works() {
    let text = include_str!("../../docs/books.md");
    let commands = commands(text);
    assert!(commands.len() >= 10, "{commands:?}");
    let program = program()
        .file("twic.pgn", Generator::text(Style::Plain, 4, 300_000))
        .file("lichess.pgn", Generator::text(Style::Lichess, 4, 300_000));
    let folder = program.folder().to_owned();
    for command in commands {
        let arguments = command.strip_prefix("pgn2epd ").unwrap();
        let script = format!("\"$PGN2EPD\" {arguments}");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .env("PGN2EPD", env!("CARGO_BIN_EXE_pgn2epd"))
            .current_dir(&folder)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{command}: {stderr}");
        let book = match command.split_once(" -o ") {
            Some((_, name)) => std::fs::read(folder.join(name)).unwrap(),
            None => output.stdout,
        };
        assert!(!book.is_empty(), "{command} makes an empty book");
    }
}

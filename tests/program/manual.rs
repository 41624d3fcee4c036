//! Completions and the manual page contain every option; the page describes them.

use crate::support::program;

/// Every `--option` that the help texts of the program and of its commands name.
fn options() -> Vec<String> {
    let commands: [&[&str]; 8] = [
        &[],
        &["check"],
        &["book"],
        &["book", "merge"],
        &["book", "show"],
        &["book", "diff"],
        &["show"],
        &["splits"],
    ];
    let help = |command: &&[&str]| program().args(*command).arg("--help").run().text().to_owned();
    let helps: Vec<String> = commands.iter().map(help).collect();
    let words = helps.iter().flat_map(|help| help.split_whitespace().map(str::to_owned));
    let options: Vec<String> = words
        .filter(|word| word.starts_with("--") && word[2..].starts_with(char::is_alphabetic))
        .filter(|word| word[2..].chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .collect();
    assert!(options.len() > 80, "{options:?}");
    options
}

#[test]
fn completions_contain_every_option() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let outcome = program().args(["completions", shell]).run_quietly();
        for option in options() {
            // fish names options without their dashes.
            let name = &option[2..];
            assert!(outcome.text().contains(name), "{shell}: {option}");
        }
    }
}

#[test]
fn the_manual_page_describes_every_option_and_has_examples() {
    let page = program().arg("man").run_quietly().text().to_owned();
    // roff writes a hyphen as \-.
    let plain = page.replace("\\-", "-");
    // It is the same on all systems.
    assert!(!plain.contains("target:") && !plain.contains("features:"));
    for option in options() {
        assert!(plain.contains(&option), "{option}");
    }
    let mut entries = page.split("\n.TP\n").skip(1);
    let undescribed =
        entries.find(|entry| entry.lines().nth(1).is_none_or(|text| text.trim().is_empty()));
    assert_eq!(undescribed, None);
    let usage = "\\fBpgn2epd check\\fR [OPTIONS] [FILE]";
    let parts = ["\nExamples:\n.nf\n", "\nExit status: ", ".TH pgn2epd-book-gaps 1", usage];
    for part in parts.iter().chain(&[".TH pgn2epd 1"]) {
        assert!(page.contains(part), "{part:?}");
    }
}

#[test]
fn the_manual_page_keeps_the_lines_of_lists() {
    let page = program().arg("man").run().text().to_owned();
    let list = page.split("\n.nf\n").filter_map(|part| part.split_once("\n.fi\n"));
    let lists: Vec<&str> = list.map(|(list, _)| list).collect();
    assert!(lists.iter().any(|list| list.contains("  games.pgn:1234:17: ")), "{page}");
    assert!(lists.iter().all(|list| list.lines().all(|line| line.starts_with("  "))), "{lists:?}");
}

//! Completions and the manual page contain every option.

use super::assert_quiet;
use crate::support::program;

/// Every `--option` that the help texts of the program and of its commands name.
fn options() -> Vec<String> {
    let commands: [&[&str]; 9] = [
        &[],
        &["check"],
        &["book"],
        &["book", "merge"],
        &["book", "show"],
        &["book", "diff"],
        &["name"],
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
        let outcome = program().args(["completions", shell]).run();
        assert_quiet(&outcome);
        for option in options() {
            // fish names options without their dashes.
            let name = &option[2..];
            assert!(outcome.text().contains(name), "{shell}: {option}");
        }
    }
}

#[test]
fn the_manual_page_contains_every_option() {
    let outcome = program().arg("man").run();
    assert_quiet(&outcome);
    // roff writes a hyphen as \-.
    let page = outcome.text().replace("\\-", "-");
    assert!(page.contains(".TH pgn2epd 1"), "{page}");
    for option in options() {
        assert!(page.contains(&option), "{option}");
    }
}

#[test]
fn a_file_with_the_name_of_a_command_is_given_with_its_folder() {
    for name in ["man", "help", "book"] {
        let outcome = program().file(name, super::GOOD.as_bytes()).arg(format!("./{name}")).run();
        assert_quiet(&outcome);
        assert_eq!(outcome.text(), super::RECORDS, "{name}");
    }
}

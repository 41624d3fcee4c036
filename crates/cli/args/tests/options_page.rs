//! The page `docs/options.md`: all commands and options in Markdown, from the definition of the
//! arguments.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use clap::builder::StyledStr;
use clap::{Arg, Command};

const HEAD: &str = "\
# Options

All commands and options, with the text of `--help` without its examples, which the other pages have. An option that several commands have is explained
in the first of them. `UPDATE_DOCS=1 cargo test options` writes this page anew from the definition of the arguments.
";

/// Lists of `pgn2epd help` that other pages have.
const PAGES: [(&str, &str); 4] = [
    ("variables", "facts.md"),
    ("conditions", "conditions.md"),
    ("operations", "epd.md#operations"),
    ("games", "games.md#in-normal-form"),
];

/// Options whose values other pages explain.
const VALUES: [(&str, &str); 4] = [
    ("dialect", "epd.md#dialects"),
    ("registers", "epd.md#registers"),
    ("ep", "epd.md#fields"),
    ("castling", "epd.md#fields"),
];

/// Entries and lists of values, with the heading of the command, lists also with their option.
#[derive(Default)]
struct Explained {
    entries: HashMap<String, String>,
    values: HashMap<String, (String, String)>,
}

fn page(mut program: Command) -> String {
    program.build();
    let mut text = HEAD.to_owned();
    section(&mut text, &program, "pgn2epd", &mut Explained::default());
    let has_page = |topic: &&Command| PAGES.iter().any(|(name, _)| *name == topic.get_name());
    let topics = crate::args::help::all();
    topics.iter().filter(|topic| !has_page(topic)).for_each(|topic| list(&mut text, topic));
    text
}

fn list(text: &mut String, topic: &Command) {
    write!(text, "\n## pgn2epd help {}\n\n", topic.get_name()).unwrap();
    text.push_str(&markdown(topic.get_about(), ""));
    text.push('\n');
    for word in topic.get_subcommands() {
        let about = markdown(word.get_about(), "  ");
        writeln!(text, "* `{}`: {}", word.get_name(), about.trim()).unwrap();
    }
    paragraph(text, topic.get_after_help());
}

fn anchor(command: &str) -> String {
    command.replace(' ', "-")
}

/// Appends the section of a command and those of its subcommands.
fn section(text: &mut String, command: &Command, name: &str, explained: &mut Explained) {
    write!(text, "\n## {name}\n\n").unwrap();
    let about = command.get_long_about().or(command.get_about());
    text.push_str(&markdown(about, ""));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace("\n       ", "\n");
    write!(text, "\n```text\n{usage}\n```\n").unwrap();
    paragraph(text, command.get_before_long_help().or(command.get_before_help()));

    let is_listed = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    let commands = || command.get_subcommands().filter(is_listed);
    let link = |command: &Command| {
        let (short, full) = (command.get_name(), format!("{name} {}", command.get_name()));
        format!("[`{short}`](#{})", anchor(&full))
    };
    let links: Vec<String> = commands().map(link).collect();
    if !links.is_empty() {
        writeln!(text, "\nCommands: {}.", links.join(", ")).unwrap();
    }

    let mut groups: Vec<(&str, Vec<&Arg>)> = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set() && !is_help(arg)) {
        let default = if arg.is_positional() { "Arguments" } else { "Options" };
        let heading = arg.get_help_heading().unwrap_or(default);
        match groups.iter_mut().find(|(other, _)| *other == heading) {
            Some((_, args)) => args.push(arg),
            None => groups.push((heading, vec![arg])),
        }
    }
    // Options that another command explains, by that command.
    let mut shared: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (heading, args) in groups {
        let mut entries = String::new();
        for arg in args {
            let entry = entry(arg);
            // The same words may have other values.
            let names = arg.get_possible_values();
            let names = names.iter().map(|value| value.get_name()).collect::<Vec<_>>().join(",");
            let key = format!("{entry}{names}");
            match explained.entries.get(&key) {
                Some(home) => {
                    let long = arg.get_long().unwrap_or_default();
                    shared.entry(home.clone()).or_default().push(format!("`--{long}`"));
                }
                None => {
                    entries += &entry;
                    entries += &values(arg, name, explained);
                    explained.entries.insert(key, name.to_owned());
                }
            }
        }
        if !entries.is_empty() {
            write!(text, "\n### {heading}\n\n{entries}").unwrap();
        }
    }
    if !shared.is_empty() {
        text.push_str("\n### Options of other commands\n\n");
    }
    for (home, options) in shared {
        writeln!(text, "* As in [{home}](#{}): {}", anchor(&home), options.join(", ")).unwrap();
    }

    paragraph(text, command.get_after_long_help().or(command.get_after_help()));
    for command in commands() {
        section(text, command, &format!("{name} {}", command.get_name()), explained);
    }
}

/// Appends a help text, if any, without its examples, which are paragraphs.
fn paragraph(text: &mut String, help: Option<&StyledStr>) {
    let help = help.map(ToString::to_string).unwrap_or_default();
    let is_shown = |part: &&str| !part.trim_start().starts_with("Example");
    let help = help.split("\n\n").filter(is_shown).collect::<Vec<_>>().join("\n\n");
    if !help.trim().is_empty() {
        write!(text, "\n{}", markdown(Some(&StyledStr::from(help)), "")).unwrap();
    }
}

/// Whether the option is `--help` or `--version`.
fn is_help(arg: &Arg) -> bool {
    matches!(arg.get_id().as_str(), "help" | "version")
}

/// Returns an item of a list: the option, what it does and its default.
fn entry(arg: &Arg) -> String {
    let takes_value = arg.get_action().takes_values();
    let names = arg.get_value_names().unwrap_or_default();
    let value = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" ");
    let is_optional = arg.get_num_args().is_some_and(|range| range.min_values() == 0);
    let value = if value.is_empty() { arg.get_id().as_str().to_uppercase() } else { value };
    let value = match (takes_value, arg.is_positional()) {
        (false, _) => String::new(),
        (true, true) => value,
        (true, false) if is_optional && arg.is_require_equals_set() => format!("[={value}]"),
        (true, false) if is_optional => format!(" [{value}]"),
        (true, false) => format!(" {value}"),
    };
    let short = arg.get_short().map(|short| format!("`-{short}`, ")).unwrap_or_default();
    let long = arg.get_long().map(|long| format!("--{long}")).unwrap_or_default();
    // The values follow in a list.
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let are_listed = !arg.get_possible_values().is_empty();
    let help: Vec<&str> =
        help.lines().filter(|line| !(are_listed && line.starts_with("- "))).collect();
    let help = markdown(Some(&StyledStr::from(help.join("\n"))), "  ");
    let mut text = format!("* {short}`{long}{value}`\\\n{help}");
    let defaults = arg.get_default_values();
    if takes_value && !arg.is_hide_default_value_set() && !defaults.is_empty() {
        let names: Vec<_> = defaults.iter().map(|value| value.to_string_lossy()).collect();
        writeln!(text, "\n  Default: `{}`.", names.join(" ")).unwrap();
    }
    text
}

/// Returns the values of an option of a command, unless its help names the list that has them.
fn values(arg: &Arg, command: &str, explained: &mut Explained) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let values = arg.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    let has_list = help.contains("see `pgn2epd help ");
    if !arg.get_action().takes_values() || values.is_empty() || has_list {
        return String::new();
    }
    let names: Vec<_> = values.iter().map(|value| format!("`{}`", value.get_name())).collect();
    let names = names.join(", ");
    let option = arg.get_long().unwrap_or_default();
    if let Some((_, page)) = VALUES.iter().find(|(name, _)| *name == option) {
        return format!("\n  [Values]({page}): {names}.\n");
    }
    if values.iter().all(|value| value.get_help().is_none()) {
        return format!("\n  Values: {names}.\n");
    }
    let mut text = "\n".to_owned();
    for value in &values {
        let help = markdown(value.get_help(), "    ");
        writeln!(text, "  * `{}`: {}", value.get_name(), help.trim()).unwrap();
    }
    if let Some((command, option)) = explained.values.get(&text) {
        return format!("\n  Values as in [{command}](#{}) of `--{option}`.\n", anchor(command));
    }
    explained.values.insert(text.clone(), (command.to_owned(), option.to_owned()));
    text
}

/// Returns Markdown after `indent`: lines with two spaces in a row stay, all others are prose.
fn markdown(help: Option<&StyledStr>, indent: &str) -> String {
    let help = help.map(ToString::to_string).unwrap_or_default();
    let mut text = String::new();
    let mut is_in_block = false;
    for line in help.trim_end().lines() {
        let is_block = line.contains("  ");
        if is_block != is_in_block {
            text += if is_block { "\n```text\n" } else { "```\n\n" };
            is_in_block = is_block;
        }
        text += &if is_block { line.to_owned() } else { prose(line.trim()) };
        text.push('\n');
    }
    if is_in_block {
        text += "```\n";
    }
    let lines = text.trim_start().replace("\n\n\n", "\n\n");
    lines.lines().fold(String::new(), |text, line| match line {
        "" => text + "\n",
        line => text + indent + line + "\n",
    })
}

/// Returns prose with options as code, without characters that have a meaning in Markdown.
fn prose(line: &str) -> String {
    let mut text = String::new();
    for (number, part) in line.split('`').enumerate() {
        if number % 2 == 1 {
            match part.strip_prefix("pgn2epd help ") {
                Some(list) => {
                    let page = PAGES.iter().find(|(name, _)| *name == list);
                    let target =
                        page.map_or(format!("#{}", anchor(part)), |(_, page)| (*page).into());
                    write!(text, "[`{part}`]({target})").unwrap();
                }
                None => write!(text, "`{part}`").unwrap(),
            }
            continue;
        }
        for word in part.split_inclusive(' ') {
            let end = word.trim_end_matches([' ', ',', ';', ':', '.', ')', ']']).len();
            let (word, rest) = word.split_at(end);
            let is_option = word.strip_prefix("--").is_some_and(|name| {
                name.starts_with(|c: char| c.is_ascii_lowercase())
                    && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            });
            if is_option {
                write!(text, "`{word}`{rest}").unwrap();
                continue;
            }
            for character in word.chars() {
                if ['*', '_', '<', '[', '~'].contains(&character) {
                    text.push('\\');
                }
                text.push(character);
            }
            text += rest;
        }
    }
    text
}

#[test]
fn the_page_of_options_is_up_to_date() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/options.md");
    let page = page(crate::args::definition());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    for (expected, found) in page.lines().zip(written.lines()) {
        assert_eq!(found, expected, "docs/options.md: UPDATE_DOCS=1 cargo test options");
    }
    assert_eq!(written.lines().count(), page.lines().count());
}

#[test]
fn the_section_of_a_command_names_each_of_its_options() {
    let mut program = crate::args::definition();
    let page = page(program.clone());
    program.build();
    let mut commands = vec![("pgn2epd".to_owned(), &program)];
    let mut options = 0;
    while let Some((name, command)) = commands.pop() {
        let (_, section) = page.split_once(&format!("\n## {name}\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let is_shown = |arg: &&Arg| !arg.is_hide_set() && !is_help(arg);
        for long in command.get_arguments().filter(is_shown).filter_map(Arg::get_long) {
            let ends = ["`", " ", "["];
            assert!(
                ends.iter().any(|end| section.contains(&format!("`--{long}{end}"))),
                "{name} {long}"
            );
            options += 1;
        }
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        let shown = shown.filter(|one| one.get_name() != "help");
        commands.extend(shown.map(|one| (format!("{name} {}", one.get_name()), one)));
    }
    assert!(options > 200, "{options}");
}

#[test]
fn help_texts_become_markdown() {
    let help = StyledStr::from("See --ops, `-h` and [%clk] in --x=y:\n\n  a  b\n\nend");
    let expected = "See `--ops`, `-h` and \\[%clk] in --x=y:\n\n```text\n  a  b\n```\n\nend\n";
    assert_eq!(markdown(Some(&help), ""), expected);
}

//! The lists of `pgn2epd help`: values that are too many for the help of an option.

use clap::Command;
use clap::error::ErrorKind;
use pgn2epd::Options;
use pgn2epd::options::{Keyword, Op, PRESETS};
use pgn2epd::table::{Fact, FactPlace};

struct Topic {
    name: &'static str,
    about: &'static str,
    words: fn() -> Vec<(String, String)>,
    examples: &'static str,
}

const TOPICS: [Topic; 8] = [
    Topic {
        name: "formats",
        about: "Formats, for --format: records (epd to crafty), labels (c9 to plain), training data (viriformat to marlinformat) and tables (from csv on)",
        words: || of_option("format"),
        examples: "\
Examples:
  pgn2epd --format fen games.pgn > positions.fen
  pgn2epd --preset tuning --format bullet games.pgn -o labels.txt
  pgn2epd --columns fen,eval_cp,result games.pgn -o positions.parquet",
    },
    Topic {
        name: "games",
        about: "How games are written in pgn, for --games, separated by commas",
        words: || of_option("games"),
        examples: "\
Examples:
  pgn2epd --format pgn --games uci,no-comments games.pgn
  pgn2epd --where checkmate --games selected games.pgn -o mates.pgn",
    },
    Topic {
        name: "operations",
        about: "Operations of a record, for --ops, separated by commas. acd, acn, acs, ce, dm, pv and resign are from the comments of engines and servers",
        words: || Op::ALL.iter().map(|op| owned((op.word(), op.help()))).collect(),
        examples: "\
By default a record of epd has Rav,c,eco,fmvn,hmvc,nic,sm,v, and one of another format has none. --add adds others, made from variables.

Examples:
  pgn2epd --ops fmvn,hmvc,sm games.pgn
  pgn2epd --ops none --add 'id={White}-{Black}.{ply}' games.pgn",
    },
    Topic {
        name: "omissions",
        about: "Kinds of positions and games, for --omit, separated by commas. The summary counts them by these words",
        words: || of_option("omit"),
        examples: "\
Examples:
  pgn2epd --omit start,check,captures games.pgn > quiet.epd
  pgn2epd --omit unevaluated,mates,time-forfeits --ops ce games.pgn",
    },
    Topic {
        name: "duplicates",
        about: "Equal positions and equal games: which of them are written",
        words: duplicates,
        examples: "\
Positions are equal with the same pieces, side to move, castling rights and legal en passant capture. With both --unique and --conflicts, --unique selects the position that is written. Of equal games the first is written, with prefix:N the longest, and one without errors before others. Records are written when all games have been read, except with --unique=first alone.

Examples:
  pgn2epd --unique games.pgn > positions.epd
  pgn2epd --preset tuning --conflicts mean --format bullet games.pgn
  pgn2epd --format pgn --unique-games=prefix games.pgn",
    },
    Topic {
        name: "variables",
        about: "Variables of a position or its game, for --add, --where, --columns and --sort. A name with a capital letter is a tag",
        words: variables,
        examples: "\
In --add, {Name} is replaced by the value, and {Name|text} by the text if the value is missing or unknown (?, -, ????.??.??); without it the operation is omitted. {{ and }} are braces. The value gets the type of the opcode: string, number, or moves, which are checked and written in SAN. tcri and tcsi take two strings, --add 'tcri=a@b.c|A B'; noop takes operands as they are, --add 'noop=1 \"x\" e4'. draw_offer and draw_claim add the move played, sm; pm is omitted if it is not the first move of pv.

Columns are game, ply, fen, san, uci, turn, eval_cp, mate, depth, time, clock, result, white_elo, black_elo, eco, opening by default. A missing value is null, in csv an empty field. With --rows games a variable of positions is a list, with spaces between its values in csv and ? for a missing one, or an array of JSON if values may have spaces; the columns are game, White, Black, date, result, termination, white_elo, black_elo, base_time, increment, eco, opening, plies, uci, clock, eval_cp, mate, problem by default.

Examples:
  pgn2epd --add 'c9={Result}' --add 'id={White|?} - {Black|?}, ply {ply}' games.pgn
  pgn2epd --columns fen,cp=white_cp,WhiteElo --format csv games.pgn",
    },
    Topic {
        name: "conditions",
        about: "Conditions on games and positions, for --where: names of tags begin with a capital letter, the others are variables (pgn2epd help variables)",
        words: || CONDITIONS.lines().filter_map(|line| line.split_once(": ")).map(owned).collect(),
        examples: "\
With a missing or unknown value != is true and every other comparison is false. Text is in double or single quotes, so that it can contain the other ones.

Examples:
  pgn2epd --where 'WhiteElo >= 2400 and Result = \"1-0\" and ply > 20' games.pgn
  pgn2epd --where 'Date >= 2020 and (Event ~ \"blitz\" or not eval > 100)' games.pgn
  pgn2epd --where 'wR = bR and npm <= 20 and passed in 1..2 and not check' games.pgn
  pgn2epd --where 'either(material ~ \"KRP+vKRP*\") for 8 plies' games.pgn
  pgn2epd --where 'player ~ \"carlsen\" and color = b and line = \"1. e4 e5\"' games.pgn",
    },
    Topic {
        name: "presets",
        about: "Sets of options, for --preset. Options given on the command line override them; --omit adds to theirs",
        words: || PRESETS.iter().map(|preset| owned((preset.name, preset.help))).collect(),
        examples: "\
Examples:
  pgn2epd --preset match --last --unique openings.pgn -o book.epd
  pgn2epd --preset tuning --ply 16.. games.pgn -o labels.epd",
    },
];

/// A line each, with its meaning after the first colon.
const CONDITIONS: &str = r#"=, !=: equal, not equal, with text in quotes and the same capital letters; with "?", "-" or, for Result, "*": unknown, known
<, <=, >, >=: less and more: a tag that is compared with a number is read as a number, and dates are compared to the precision given
~: contains, ignoring case: White ~ "carlsen", Date ~ "2015"
in, not in: a range or a list: ply in 20..30, WhiteElo in ..2000, ECO in ("B90", "C00".."C19"); = and != take a range too
+ - * / abs(): calculations with numbers: WhiteElo - BlackElo > 200, abs(eval) < 50; without all of their values they have none
Name: the game has the tag, with a value that is known (not ?, -, ????.??.?? or, for Result, *)
name: the position has the variable, or it is true
board ~ "8/8/p7/8/8/1B3N2/8/8": these pieces are on these squares; digits and ? are free squares, _ an empty one, ! any piece, A and a any of White or Black, [QR] one of several
material ~ "KRP*vKR": each side has these pieces and no others: * any number, + at least one, ? at most one, 2, 2+, 2-, 1-3; M is a knight or a bishop
attacks(wN, e5): a piece attacks a square, or another piece as in attacks(bP, wQ); wA is any piece of White
either(), mirrored(): conditions on board, material and attacks hold, or do with the colours exchanged, or with the a-file as the h-file
line = "1. e4 c5": the game begins with these moves, and they have been played
moves ~ "Bxh7+ Kxh7": these are the last moves, one after the other
reached "FEN": the position has occurred in the game, by any order of moves
... for 4 plies: the condition before it, up to `or`, holds in this position and the three before it
... then ... within 10 plies: the second condition holds, and the first did at most 10 plies before; without `within` at any time before
player ~ "name": a player of either colour; color (w or b), score (1, 0.5, 0), opponent and their ratings are those of the same player
and, or, not, ( ): combine conditions"#;

fn owned((word, meaning): (&str, &str)) -> (String, String) {
    (word.to_owned(), meaning.to_owned())
}

fn of_option(name: &str) -> Vec<(String, String)> {
    let spec = Options::SPECS.iter().filter(|spec| spec.name == name);
    spec.flat_map(|spec| spec.keywords()).map(owned).collect()
}

fn duplicates() -> Vec<(String, String)> {
    let of_option = |name| {
        let words = of_option(name).into_iter();
        words.map(move |(word, meaning)| (format!("--{name}={word}"), meaning))
    };
    let of_games = [
        ("--unique-games=moves", "Games with the same start and moves are equal"),
        (
            "--unique-games=prefix:N",
            "Also games of which one, with at least N plies, is the beginning of the other; 20 without :N",
        ),
    ];
    of_option("unique").chain(of_option("conflicts")).chain(of_games.map(owned)).collect()
}

fn variables() -> Vec<(String, String)> {
    let word = |fact: Fact| {
        let unit = fact.unit().map_or_else(String::new, |unit| format!(" [{unit}]"));
        let only = match fact.is_available_in(FactPlace::Condition) {
            true => String::new(),
            false => format!("; in {}", fact.places()),
        };
        (fact.name().to_owned(), format!("{}{unit}{only}", fact.about()))
    };
    Fact::all().map(word).collect()
}

impl Topic {
    /// A word is a subcommand, so that its description is wrapped like those of commands.
    fn command(&self) -> Command {
        let words = (self.words)().into_iter();
        Command::new(self.name)
            .about(self.about)
            .subcommands(words.map(|(word, meaning)| Command::new(word).about(meaning)))
            .after_help(self.examples)
            .help_template("{about}\n\n{subcommands}{after-help}")
            .disable_help_subcommand(true)
            .max_term_width(100)
    }
}

pub(crate) fn all() -> Vec<Command> {
    TOPICS.iter().map(Topic::command).collect()
}

/// Options whose values are in a list, and its name.
const OF_OPTIONS: [(&str, &str); 9] = [
    ("add", "variables"),
    ("columns", "variables"),
    ("format", "formats"),
    ("omit", "omissions"),
    ("ops", "operations"),
    ("preset", "presets"),
    ("sort", "variables"),
    ("unique", "duplicates"),
    ("where", "conditions"),
];

pub(crate) fn named(name: &str) -> Option<Command> {
    let name = name.trim_start_matches("--");
    let name = OF_OPTIONS.iter().find(|(option, _)| *option == name).map_or(name, |(_, list)| list);
    all().into_iter().find(|topic| topic.get_name() == name)
}

// What is meant by commands that do not exist. Their names could be those of files, so clap
// does not suggest others.

/// Words that users of other programs type, and the command that does the same.
const MEANT: &[(&str, &str)] = &[
    ("analyze", "analyse"),
    ("annotate", "analyse"),
    ("board", "show"),
    ("convert", ""),
    ("diagram", "show"),
    ("compare", "diff"),
    ("draw", "show"),
    ("eco", "--format pgn --games openings"),
    ("evaluate", "analyse"),
    ("fix", "check --fix"),
    ("gaps", "book gaps"),
    ("help", "--help"),
    ("merge", "book merge"),
    ("openings", "--format pgn --games openings"),
    ("polyglot", "book"),
    ("repair", "check --fix"),
    ("repertoire", "book gaps"),
    ("serve", "book serve"),
    ("split", "splits"),
    ("stats", "check --stats"),
    ("validate", "check"),
    ("verify", "check"),
    ("version", "--version"),
];

fn is_close(word: &str, other: &str) -> bool {
    let most = match word.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    strsim::damerau_levenshtein(word, other) <= most
}

pub(crate) fn command_meant(word: &str, commands: &clap::Command) -> Option<String> {
    let names = || commands.get_subcommands().map(clap::Command::get_name);
    let meant = MEANT.iter().find(|(known, _)| *known == word).map(|(_, meant)| *meant);
    let name = meant.or_else(|| names().find(|name| is_close(word, name)))?;
    Some(format!("pgn2epd {name}").trim_end().to_owned())
}

/// Returns the error for the first argument, if it may be a misspelled command, and no file.
pub(crate) fn not_a_command(
    first: &std::ffi::OsStr,
    commands: &clap::Command,
) -> Option<clap::Error> {
    let word = first.to_str().filter(|word| !word.starts_with('-'))?;
    let meant = command_meant(word, commands).filter(|_| !std::path::Path::new(word).exists())?;
    let text = format!("{word} is neither a command nor a file: did you mean `{meant}`?\n");
    Some(clap::Error::raw(ErrorKind::InvalidSubcommand, text))
}

pub(crate) fn not_a_topic(
    word: &str,
    topics: &[clap::Command],
    commands: &clap::Command,
) -> clap::Error {
    let names = || topics.iter().map(clap::Command::get_name);
    let mut known = names().chain(commands.get_subcommands().map(clap::Command::get_name));
    let close = known.find(|name| is_close(word, name));
    let meant = close.map_or_else(String::new, |name| format!(", did you mean {name}?"));
    let lists = names().collect::<Vec<_>>().join(", ");
    let text = format!(
        "no help on {word}{meant}\n\nLists of values: {lists}. Commands: `pgn2epd COMMAND --help`\n"
    );
    clap::Error::raw(ErrorKind::InvalidSubcommand, text)
}

#[cfg(test)]
mod tests {
    use crate::args::definition;

    #[test]
    fn the_lists_are_consistent() {
        super::all().into_iter().for_each(clap::Command::debug_assert);
    }

    #[test]
    fn a_misspelled_command_is_known() {
        for (word, expected) in [
            ("chek", Some("pgn2epd check")),
            ("chekc", Some("pgn2epd check")),
            ("boook", Some("pgn2epd book")),
            ("convert", Some("pgn2epd")),
            ("version", Some("pgn2epd --version")),
            ("fix", Some("pgn2epd check --fix")),
            ("analyze", Some("pgn2epd analyse")),
            ("serve", Some("pgn2epd book serve")),
            ("gaps", Some("pgn2epd book gaps")),
            ("games", None),
            ("ma", None),
        ] {
            assert_eq!(super::command_meant(word, &definition()).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn what_is_meant_exists() {
        let all = definition();
        for (word, meant) in super::MEANT {
            let known = |name: &str| {
                let mut commands = std::iter::once(&all).chain(all.get_subcommands());
                commands.any(|command| {
                    command
                        .get_arguments()
                        .any(|arg| arg.get_long().is_some_and(|long| long == name))
                })
            };
            for name in meant.split(' ').filter_map(|word| word.strip_prefix("--")) {
                assert!(known(name) || matches!(name, "help" | "version"), "{word}: {name}");
            }
        }
    }
}

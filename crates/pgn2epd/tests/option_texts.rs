//! Any text as the value of an option is refused, or has a form that is read as the same value, and
//! a conversion with it ends or says why it cannot.

use pgn2epd::{Options, convert};
use proptest::prelude::*;

type Names = &'static [(&'static str, &'static str)];

/// The options whose values have a form of their own: what they need, and values that are read.
const OPTIONS: [(&str, Names, &[&str]); 14] = [
    ("sort", &[], &["ply", "-eval,key"]),
    ("columns", &[("format", "csv")], &["fen,san", "White,eval,ply"]),
    ("columns", &[("format", "jsonl"), ("rows", "games")], &["game,plies,eco", "WhiteElo"]),
    ("eval", &[], &["-90..90", "..0.5"]),
    ("ply", &[], &["8..24", "1.."]),
    ("move", &[], &["5..12", "3"]),
    ("add", &[], &["c1={White}", "Foo={elo|0}"]),
    ("ops", &[], &["sm,hmvc", "none"]),
    ("omit", &[], &["check,captures", "mates"]),
    (
        "where",
        &[],
        &[
            "check and ply > 3",
            "board ~ \"8/8/8/8/4P3/8/8/8\" or eval < -1",
            "moves ~ \"e4 .. Nf3\"",
        ],
    ),
    ("games", &[("format", "pgn")], &["normal", "uci,openings"]),
    ("sample", &[], &["10", "1"]),
    ("language", &[], &["de", "auto"]),
    ("format", &[], &["epd", "bracket"]),
];

const GAMES: &[u8] = b"[White \"A\"]\n[WhiteElo \"2400\"]\n[Date \"2015.??.??\"]\n\n\
    1. e4 {[%eval 0.3] [%clk 0:01:00]} e5 (1... c5 $1) 2. Nf3 1-0\n\n1. d4 {+0.25/12 1s} d5 *\n";

/// A value that is read with a part replaced, or a text of the characters that values have.
fn text() -> impl Strategy<Value = (usize, usize, usize, usize, String)> {
    let inserted = "[a-zA-Z0-9 .,:;=<>~|{}()\\[\\]\"'$%*/\\\\+-]{0,6}|\\PC{0,3}";
    (0..OPTIONS.len(), 0..4usize, any::<usize>(), 0..8usize, inserted)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testkit::shared::cases(4000)))]

    #[test]
    fn any_text_is_refused_or_written_and_read_as_the_same_value(
        (option, value, at, len, inserted) in text()
    ) {
        let (name, others, values) = OPTIONS[option];
        let mut text: Vec<char> = values.get(value).copied().unwrap_or_default().chars().collect();
        let at = at % (text.len() + 1);
        text.splice(at..(at + len).min(text.len()), inserted.chars());
        let text: String = text.into_iter().collect();
        let options = match Options::from_names([others, &[(name, &*text)]].concat()) {
            Ok(options) => options,
            Err(error) => {
                prop_assert!(error.to_string().len() > 4, "{}", error);
                return Ok(());
            }
        };
        let written = options.to_names().unwrap();
        let named = || written.iter().map(|(name, value)| (*name, &**value));
        let again = Options::from_names(named()).unwrap();
        prop_assert_eq!(again.to_names().unwrap(), written.clone());
        let converted = |options: &Options| {
            let mut output = Vec::new();
            let error = convert(GAMES, &mut output, options).err().map(|error| error.to_string());
            (output, error)
        };
        prop_assert_eq!(converted(&options), converted(&again));
    }
}

#[test]
fn the_values_that_texts_are_made_from_are_read() {
    for (name, others, values) in OPTIONS {
        for value in values {
            Options::from_names([others, &[(name, value)]].concat()).unwrap();
        }
    }
}

//! All combinations of blank lines, line ends and results give the same games.

use crate::support::convert;

/// Two games; `|` marks an optional blank line.
const TAGS: [&str; 2] =
    ["[Event \"A\"]\n|1[White \"x\"]\n|2", "[Event \"B\"]\n|1[White \"y\"]\n|2"];
const MOVES: [&str; 2] = ["1. e4 e5\n|32. Nf3 Nc6", "1. d4 d5\n|32. c4 e6"];

#[test]
fn blank_lines_line_ends_and_results_do_not_change_the_games() {
    let mut expected = None;
    let mut texts = 0;
    for blank in 0..16 {
        for end in ["\n", "\r\n", "\r"] {
            for result in [" *", ""] {
                let mut text = String::new();
                for (tags, moves) in TAGS.iter().zip(MOVES) {
                    text += &format!("{tags}{moves}{result}\n|4");
                }
                for (bit, mark) in ["|1", "|2", "|3", "|4"].iter().enumerate() {
                    text = text.replace(mark, if blank & 1 << bit != 0 { "\n" } else { "" });
                }
                let text = text.replace('\n', end);
                let converted = convert(text.as_bytes(), &Default::default());
                assert_eq!(converted.summary.games, 2, "{text:?}");
                assert_eq!(converted.summary.positions, 10, "{text:?}");
                assert!(converted.problems.is_empty(), "{text:?}: {:?}", converted.messages());
                // The result is a part of the game's title.
                let output = String::from_utf8(converted.output).unwrap();
                let expected = expected.get_or_insert_with(|| output.clone());
                assert_eq!(&output.replace(", *", ""), &expected.replace(", *", ""), "{text:?}");
                texts += 1;
            }
        }
    }
    assert_eq!(texts, 96);
}

//! Conditions on games and positions: comparisons, dates, tags that games have, and mistakes.

use emit::{Counts, Filter, Plan};

use crate::support::run;

const GAME: &str = r#"[White "Müller, Jörg"]
[Black ""]
[WhiteElo "2400"]
[BlackElo "2501"]
[Round "3.1"]
[Board "12345678901"]
[TimeControl "600+5"]
[Site "1999"]
[Date "2015.06.??"]
[EventDate "2015/06/12"]
[UTCDate "????.??.??"]
[SourceDate "0"]
[ECO "?"]
[FideElo "0"]
[Result "*"]
[Event "*"]
[Annotator "  pad "]

1. e4 *"#;

/// Compares what filters say of the tags of the game.
#[track_caller]
fn assert_verdicts(cases: &[(&str, bool)]) {
    let game = pgn::games(GAME.as_bytes()).next().unwrap();
    for (filter, expected) in cases {
        let verdict = filter.parse::<Filter>().unwrap().game(game.tags());
        assert_eq!(verdict, Some(*expected), "{filter}");
    }
}

#[test]
fn each_comparison_has_its_order() {
    // The condition, and whether it holds.
    let cases = [
        // Numbers on both sides, in both orders.
        ("2400 = WhiteElo and 2399 < WhiteElo and 2401 > WhiteElo", true),
        ("2400 < WhiteElo or 2400 > WhiteElo or 2400 != WhiteElo", false),
        ("2400 <= WhiteElo and 2400 >= WhiteElo", true),
        ("WhiteElo <= 2399 or WhiteElo >= 2401", false),
        ("1 < 2 and 2 > 1 and 2 <= 2 and 2 >= 2 and 2 = 2 and 2 != 3", true),
        ("1 > 2 or 2 < 1 or 3 <= 2 or 2 >= 3 or 2 = 3 or 2 != 2", false),
        ("WhiteElo = WhiteElo and BlackElo > WhiteElo and BlackElo >= WhiteElo", true),
        // More digits than a number of 32 bits has.
        ("Board = 12345678901 and Board > 4294967296", true),
        // As numbers, not as text.
        ("Site < BlackElo and Round < Site", true),
        // As text, since one of them is not a number.
        ("TimeControl < White and White > TimeControl and White != TimeControl", true),
        ("White = 'Müller, Jörg' and White < 'N' and White > 'M' and 'N' > White", true),
        ("White <= 'M' or White >= 'N' or White = 'müller, jörg'", false),
        ("WhiteElo > 2399.50 and WhiteElo < 2400.05 and 2400.12 > WhiteElo", true),
        ("WhiteElo = 2400.50 or WhiteElo >= 2400.12 or WhiteElo = 2400.01", false),
        ("elo >= 2450.25 and elo < 2450.75 and 2450.12 < elo", true),
        // Contains.
        ("TimeControl ~ 600 and TimeControl ~ 5 and Round ~ 3.1", true),
        ("TimeControl ~ 7 or TimeControl ~ 6000", false),
        ("White ~ 'JÖRG' and White ~ 'müLLER' and White ~ 'j' and White ~ ''", true),
        ("'Weißbach' ~ 'WEISS' and 'WEISS' ~ 'ß'", true),
        ("'ΟΔΥΣΣΕΥΣ' ~ 'ευς' and 'чеСТЬ' ~ 'ЧЕСть'", true),
        ("White ~ 'MULLER' or White ~ 'jörgx'", false),
        ("Missing ~ '' or '' ~ Missing or Missing <= 'M' or 'M' >= Missing", false),
        ("Missing != 'x' and 'x' != Missing and Missing != White and Missing != 1", true),
        ("Black ~ 'x' or Missing ~ 'x'", false),
        ("'Müller, Jörg junior' ~ White", true),
        // A rating is the mean of both.
        ("elo = 2450.5 and elo > 2450 and elo < 2451", true),
        ("Black", false),
        ("Missing = 0 or Missing < 1 or Missing > -1", false),
        ("Missing = Absent or Missing = 'x' or not Missing != Absent", false),
        // A value that is not known is the same as none.
        ("Black ~ '' or Black < 'A' or Black >= '' or Black = White or Black in ''..'z'", false),
        ("Black != 'A' and Black != White and Black not in ('x', 'y')", true),
        ("ECO < 'B00' or ECO > '' or ECO ~ '?' or UTCDate ~ '?' or FideElo <= 900", false),
        ("FideElo = FideElo or FideElo + 1 = 1 or FideElo in 0..10", false),
        // A text that means so is compared with exactly that, in both orders and in lists.
        ("Black = '' and '?' = Black and Black = '-' and Black in ('A', '?') and ECO = '?'", true),
        ("FideElo = 0 and FideElo = '0' and UTCDate = '????.??.??' and Missing = '?'", true),
        ("Black != '' or FideElo != 0 or UTCDate != '?' or Missing != '-' or 0 != FideElo", false),
        ("White != '?' and WhiteElo != 0 and Date != '?' and Event = '*' and '' != White", true),
        ("White = '' or WhiteElo = 0 or Event != '*' or Event = '?'", false),
        ("(Result = '*' or player = '?') and not (Result != '*')", true),
        // White space around the value of a tag does not count, as in columns.
        ("Annotator = 'pad' and Annotator ~ 'd' and Annotator < 'pad '", true),
        // A date, a number and the text of one contain text.
        ("Date ~ '2015' and Date ~ 2015.06 and Date ~ '06.?' and EventDate ~ '2015/06'", true),
        ("EventDate ~ '2015.06' or Date ~ '2016' or Date ~ 7 or Missing ~ 1", false),
        // Capital letters differ, but for what a text contains.
        ("White = 'müller, jörg' or Event = 'a' or White in ('MÜLLER, JÖRG')", false),
        // Open ranges before words.
        ("(WhiteElo in 2400.. or BlackElo = ..9) and WhiteElo in (..3, 2400..)", true),
    ];
    assert_verdicts(&cases);
}

#[test]
fn dates_are_compared_to_the_lower_precision() {
    let cases = [
        ("Date = 2015 and Date = 2015.06 and Date = 2015.06.30", true),
        ("Date < 2015.07.01 and Date > 2015.05.31 and Date < 2015.07", true),
        ("Date < 2015.06.30 or Date > 2015.06.01 or Date != 2015.06.30", false),
        ("2015 = Date and 2014 < Date and 2016 > Date and 2015 <= Date", true),
        ("EventDate = 2015.06.12 and EventDate = Date and EventDate > 2015.06.11", true),
        ("EventDate < 2015.06.12 or EventDate = 2015.06.13 or EventDate > 2015.06.12", false),
        ("Date = '2015.06' and Date < '2016' and Date > '2015-05'", true),
        // Nothing of the date is known.
        ("UTCDate = 2015 or UTCDate < 9999 or UTCDate > 1 or UTCDate = Date", false),
        ("SourceDate = 2015 or SourceDate < 9999", false),
        ("MissingDate = 2015 or MissingDate < 9999", false),
        // Not a year.
        ("Date > 0 or Date < 0 or Date < 10000 or Date > 1.5", false),
        ("Date > 1 and Date < 9999", true),
        // The other side makes a date of a tag.
        ("Site < Date and Site = 1999-12 and Site < 2000-01", true),
        ("Site = 1999.12", false),
        ("Date > 2015.05 and 2015.07 > Date and Date >= 2015.06.30", true),
    ];
    assert_verdicts(&cases);
}

fn counts(pgn: &str, filter: &str) -> (Counts, usize) {
    let (text, counts) =
        run(pgn, &Plan { filter: Some(filter.parse().unwrap()), ..Plan::default() });
    (counts, text.counts.positions as usize)
}

#[test]
fn the_tags_that_any_game_had_are_counted_and_the_others_give_hints() {
    let game = |tag: &str| format!("[{tag} \"1\"]\n\n1. e4 *\n\n");
    let filter = "A = 1 or B = 1 or C = 1";
    let cases = [
        ("A", 0b001, 2),
        ("B", 0b010, 2),
        ("C", 0b100, 2),
        ("D", 0b000, 0),
        ("AB", 0b011, 4),
        ("AC", 0b101, 4),
        ("CBA", 0b111, 6),
        ("AA", 0b001, 4),
    ];
    for (names, bits, positions) in cases {
        let pgn: String = names.chars().map(|name| game(&name.to_string())).collect();
        let (counts, written) = counts(&pgn, filter);
        assert_eq!((counts.condition_tags, written), (bits, positions), "{names}");
        let hints = filter.parse::<Filter>().unwrap().hints(counts.condition_tags, false);
        assert_eq!(hints.len(), 3 - bits.count_ones() as usize, "{names}");
    }
    // The 65th tag and those after it are taken for seen.
    let many: Vec<String> = (0..70).map(|number| format!("Tag{number}")).collect();
    let filter: Filter = many.join(" or ").parse().unwrap();
    assert_eq!(filter.hints(0, false).len(), 64);
    assert_eq!(filter.hints(u64::MAX >> 1, false), ["no game has a tag Tag63"]);
    assert_eq!(filter.hints(u64::MAX, false), [""; 0]);
}

#[test]
fn a_tag_one_letter_from_a_known_one_is_taken_for_a_mistake() {
    let cases = [
        (
            Some("Result"),
            &[
                "Resullt", "Resut", "esult", "REsult", "Reuslt", "Rezult", "Resulz", "Result1",
                "Xesult", "Xresult",
            ][..],
        ),
        (Some("Time"), &["TIME"]),
        (Some("Event"), &["Evend"]),
        // Short names have too many neighbours.
        (None, &["Resulted", "Reults1", "Rlesut", "Raeult", "Rseutl", "Tine", "Tim", "Zzzzzz"]),
    ];
    for (expected, name) in
        cases.iter().flat_map(|(known, names)| names.iter().map(|name| (*known, name)))
    {
        let filter: Filter = format!("{name} = 1").parse().unwrap();
        let hint = match expected {
            Some(known) => format!("no game has a tag {name}; did you mean {known}?"),
            None => format!("no game has a tag {name}"),
        };
        assert_eq!(filter.hints(0, false), [hint], "{name}");
    }
}

#[test]
fn legal_moves_are_counted_as_far_as_a_comparison_needs() {
    // After two moves White has five moves of the bishop, four of the queen, Ke2 and Ne2 more, and
    // two of the e-pawn less.
    let (pgn, legal) = ("1. e4 e5 *", [20, 20, 29]);
    for number in 0..32 {
        let expected = |holds: fn(&i32, &i32) -> bool| {
            legal.iter().filter(|legal| holds(legal, &number)).count()
        };
        let cases = [
            ("<", expected(i32::lt)),
            ("<=", expected(i32::le)),
            ("=", expected(i32::eq)),
            ("!=", expected(i32::ne)),
            (">=", expected(i32::ge)),
            (">", expected(i32::gt)),
        ];
        for (sign, positions) in cases {
            let filter = format!("legal {sign} {number}");
            assert_eq!(counts(pgn, &filter).1, positions, "{filter}");
        }
    }
}

#[test]
fn a_position_may_occur_again_after_many_moves_or_few() {
    let pgn = format!("{} e4 e5 *", "Nf3 Nf6 Ng1 Ng8 ".repeat(4));
    // The start again after every four of 16 plies, as the three positions between; then two more.
    for (filter, positions) in [
        ("repetition = 1", 6),
        ("repetition = 2", 4),
        ("repetition >= 3", 9),
        ("repetition = 5", 1),
        ("repetition > 5", 0),
    ] {
        assert_eq!(counts(&pgn, filter).1, positions, "{filter}");
    }
}

#[test]
fn numbers_of_lines_and_plies_are_compared() {
    let pgn = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. d4 (1. c4 c5 2. g3) *\n\n";
    let cases = [
        ("line = 1", 3, 1),
        ("line = 5", 2, 1),
        ("line > 5 or line < 1", 0, 2),
        ("line = 5 and ply = 1", 1, 1),
        ("plies = 2", 3, 1),
        ("plies = 1", 2, 1),
        ("plies > 2", 0, 2),
        ("plies < 3 and ply = 0", 2, 0),
        ("plies = 1 and line = 1", 0, 2),
        ("White = 'A' and plies = 2", 3, 1),
    ];
    for (filter, positions, left_out) in cases {
        let (counts, written) = counts(pgn, filter);
        assert_eq!((written, counts.left_out), (positions, left_out), "{filter}");
        assert_eq!((counts.games, counts.bad_games), (2, 0), "{filter}");
    }
}

#[test]
fn words_of_a_condition_may_touch_and_errors_have_their_place() {
    let position = "[White \"a\"]\n\n1. e4 *";
    for (filter, positions) in [
        ("White='a'and(ply=1)", 1),
        ("White=\"a\"AND not(ply=1)", 1),
        ("ply=1 OR ply=0", 2),
        ("NOT ply=1", 1),
        ("!(!(ply==1))", 1),
        ("ply<>1&&ply<=1", 1),
        ("ply=0||ply>=1", 2),
        ("ply > -1", 2),
        ("ply>-0.5", 2),
        ("turn=w", 1),
        ("\u{a0}ply\u{2003}=\t1\n", 1),
        ("White = 'a' or ply = 0 and ply = 1", 2),
        ("(White = 'a' or ply = 0) and ply = 1", 1),
    ] {
        assert_eq!(counts(position, filter).1, positions, "{filter}");
    }
    let no_number =
        |text| format!("\"{text}\" is neither a number nor a date; text stands between quotes");
    for (filter, start, end, reason) in [
        ("ply = 1 ply", 8, 11, "expected `and`, `or`, or the end"),
        ("ply = 1)", 7, 8, "a closing parenthesis without an opening one"),
        ("((ply = 1) ", 11, 11, "expected `)`: a parenthesis is still open"),
        ("ply = ", 6, 6, "expected a tag, a variable, a number or text in quotes"),
        ("'x'", 3, 3, "expected a comparison: = != < <= > >= ~ in"),
        ("5 and ply", 2, 5, "expected a comparison: = != < <= > >= ~ in"),
        ("turn = black", 7, 12, "turn is w or b"),
        ("turn = 'black'", 0, 14, "turn is w or b"),
        ("'white' = turn", 0, 14, "turn is w or b"),
        ("check = check", 0, 13, "check is true or not: write `check` or `not check`"),
        ("key = 5", 0, 7, "key is text, which is compared with text in quotes"),
        ("key = ply", 0, 9, "key is text and ply is not"),
        ("5 < fen", 0, 7, "fen is text, which is compared with text in quotes"),
        ("eval = 'x'", 0, 10, "eval is a number, which is compared with numbers"),
        ("ply = 2015-06", 0, 13, "ply is a number, not a date"),
        ("ply = 'é", 6, 9, "this text has no end: a quote is missing"),
        ("ply = 2015-6", 6, 12, &no_number("2015-6")),
        ("ply = 2015-06-01-01", 6, 19, &no_number("2015-06-01-01")),
        ("ply = -1x", 6, 9, &no_number("-1x")),
        ("ply = 1e999", 6, 11, &no_number("1e999")),
        ("ply = é", 6, 8, "'é' has no meaning here; text stands between quotes"),
    ] {
        let error = filter.parse::<Filter>().unwrap_err();
        assert_eq!((error.start, error.end, &*error.reason), (start, end, reason), "{filter}");
        let marks = filter[start..end].chars().count().max(1);
        let before = filter[..start].chars().count();
        let shown =
            format!("{reason}\n    {filter}\n    {}{}", " ".repeat(before), "^".repeat(marks));
        assert_eq!(error.to_string(), shown);
    }
    for filter in ["fen = key", "White = key", "san = Opening", "turn = turn", "ply = pieces"] {
        assert_eq!(filter.parse::<Filter>().unwrap().to_string(), filter);
    }
    // A hundred parentheses may be open.
    let nested = |levels: usize| format!("{}ply = 1{}", "(".repeat(levels), ")".repeat(levels));
    assert!(nested(100).parse::<Filter>().is_ok() && nested(101).parse::<Filter>().is_err());
    let sequence = ["(ply = 1)"; 300].join(" and ");
    assert!(sequence.parse::<Filter>().is_ok());
    // Both sides of a comparison may be text in which the quotes are missing.
    for (filter, unknown, quoted) in [
        ("White = Carlsen", "Carlsen", Some("White = \"Carlsen\"")),
        ("opening ~ Sicilian", "Sicilian", Some("opening ~ \"Sicilian\"")),
        ("Sicilian = opening", "Sicilian", Some("\"Sicilian\" = opening")),
        ("Abc = 'x'", "Abc", None),
        ("Abc = 5", "Abc", None),
        ("5 < Abc", "Abc", None),
    ] {
        let seen = u64::from(filter.contains("White"));
        let quoted = quoted.map(|text| format!("; to compare with text, quote it: {text}"));
        let hint = format!("no game has a tag {unknown}{}", quoted.unwrap_or_default());
        assert_eq!(filter.parse::<Filter>().unwrap().hints(seen, false), [hint]);
    }
}

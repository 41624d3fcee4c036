//! Texts of real files: each is read in its one reading, with a warning, or reported; nothing is
//! invented.

use emit::{Plan, Problem};
use pgn::Outcome;

use super::support::{MainLines, replay};

/// The games as starting position and moves, and the problems with their columns.
struct Played {
    games: Vec<String>,
    problems: Vec<String>,
    ending: Option<Outcome>,
}

fn play(pgn: &str, plan: &Plan) -> Played {
    let MainLines { starts, games, problems, ending } = MainLines::of(pgn, plan);
    let game = |(start, moves)| [vec![start], moves].concat().join(" ");
    let problem = |problem: &Problem| {
        let (place, severity) = (problem.place, problem.severity());
        format!("{}:{} {severity:?} {}", place.line, place.column, problem.reason.kind())
    };
    Played {
        games: starts.into_iter().zip(games).map(game).collect(),
        problems: problems.iter().map(problem).collect(),
        ending,
    }
}

/// The messages about a text.
fn messages(pgn: &str) -> Vec<String> {
    let problems = MainLines::of(pgn, &Plan::default()).problems;
    problems.iter().map(ToString::to_string).collect()
}

/// Compares games and problems; `START` is the starting position, `@` that of two kings and a pawn.
#[track_caller]
fn assert_cases(cases: &[(&str, &[&str], &[&str])], plan: &Plan) {
    let mut wrong = String::new();
    for (text, games, problems) in cases {
        let played = play(&text.replace('@', KINGS), plan);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let found: Vec<String> =
            played.games.iter().map(|game| game.replace(start, "START")).collect();
        if found != *games || played.problems != *problems {
            let is = format!("{found:?} {:?}", played.problems);
            wrong += &format!("{text:?}\n  {is}\n  not {games:?} {problems:?}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_damaged_tag_about_the_start_is_read_or_the_game_has_no_position() {
    const KING: &str = "4k3/8/8/8/8/8/4P3/4K3 e4";
    let damaged = ["2:1 Warning text"];
    for tag in [
        "[FEN 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]",
        "[FEN '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1']",
        "[FEN “4k3/8/8/8/8/8/4P3/4K3 w - - 0 1”]",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]",
        "[fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "[FEN \"4k3/8/8/8/8/8/\n4P3/4K3 w - - 0 1\"]",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3\nw - - 0 1\"]",
        "[FEN: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]",
        "FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]",
        "(FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\")",
        "<FEN 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1>",
    ] {
        for (before, after) in
            [("[Event \"A\"]\n", ""), ("1. d4 *\n", ""), ("1. d4 *\n", "\n[White \"A\"]")]
        {
            let text = format!("{before}{tag}{after}\n\n1. e4 *\n");
            let played = play(&text, &Plan::default());
            assert_eq!(played.games.last().unwrap(), KING, "{text}");
            assert_eq!(played.problems, damaged, "{text}");
        }
        let text = format!("{tag}\n[White \"A\"]\n\n1. e4 *\n");
        assert_eq!(play(&text, &Plan::default()).games, [KING], "{text}");
    }
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("[FEN: \"@ w - - 0 1\"]\n\n1. e4 *", &[KING], &["1:8 Warning tag-name"]),
        ("[Set-Up \"1\"]\n\n*", &["START"], &["1:10 Warning tag-name", "1:10 Warning setup"]),
        ("[FEN rnbqkbnr/pppppppp w]\n\n1. e4 *", &[""], &["1:1 Warning text", "1:6 Error fen"]),
        ("[FEN \"\"]\n\n1. e4 *", &["START e4"], &["1:7 Warning setup"]),
        ("[SetUp \"1\"]\n[FEN \"?\"]\n\n1. e4 *", &["START e4"], &["2:7 Warning setup"]),
        ("[FEN \"-\"]\n\n1. e4 *", &["START e4"], &["1:7 Warning setup"]),
        ("[FEN \"N/A\"]\n\n1. e4 *", &["START e4"], &["1:7 Warning setup"]),
        ("[FEN \"startpos\"]\n\n1. e4 *", &["START e4"], &["1:7 Warning setup"]),
        ("(Variant \"Atomic\")\n\n1. e4 *", &[""], &["1:1 Warning text", "1:11 Error variant"]),
        ("[Variant Atomic]\n\n1. e4 *", &[""], &["1:1 Warning text", "1:10 Error variant"]),
        ("[Variant: \"Atomic\"]\n\n*", &[""], &["1:12 Warning tag-name", "1:12 Error variant"]),
        ("[Variant 'Seirawan']\n\n1. e4 *", &[""], &["1:1 Warning text", "1:11 Error variant"]),
        ("[Variant Standard]\n\n1. e4 *", &["START e4"], &["1:1 Warning text"]),
    ];
    assert_cases(cases, &Plan::default());
    for slash in ["\\", "\\\\", "\\/"] {
        let fen = "4k3/8/8/8/8/8/4P3/4K3".replace('/', slash);
        let played = play(&format!("[FEN \"{fen} w - - 0 1\"]\n\n1. e4 *"), &Plan::default());
        assert_eq!(played.games, [KING]);
        assert_eq!(played.problems, ["1:7 Warning fen-repaired"]);
    }
}

#[test]
fn a_position_that_no_game_reaches_is_played_with_a_warning_and_refused_in_strict_mode() {
    let fens = [
        "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
        "4k3/8/QQ6/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "Bk6/1B1B1B1B/B1B1B1B1/1B1B1B1B/B1B1B1B1/1B1B1B1B/B1B1B1B1/1B1B1BKB w - - 0 1",
    ];
    let strict = Plan { strict: true, ..Plan::default() };
    for fen in fens {
        let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
        let played = play(&text, &Plan::default());
        assert_eq!(played.games, [fen.split(' ').next().unwrap()]);
        assert_eq!(played.problems, ["2:7 Warning unreachable"], "{fen}");
        let played = play(&text, &strict);
        assert_eq!(played.games, [""]);
        assert_eq!(played.problems, ["2:7 Error fen"]);
    }
    let text = "[FEN \"4k3/8/8/8/3Pp3/8/8/4K3 b - d4 0 1\"]\n\n1... exd3 *";
    let played = play(text, &Plan::default());
    assert_eq!(played.games, ["4k3/8/8/8/3Pp3/8/8/4K3 exd3"]);
    assert_eq!(played.problems, ["1:7 Warning fen-repaired"]);
    let damaged = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkQ - 0 1\"]\n\n*";
    assert_eq!(play(damaged, &Plan::default()).problems, ["1:7 Error fen"]);
}

#[test]
fn digits_are_moves_in_numeric_notation_numbers_of_the_next_move_or_errors() {
    let number = "Error damaged-move";
    let at = |column: u32| format!("3:{column} {number}");
    let played = |moves: &str| play(&format!("[A \"\"]\n\n{moves}"), &Plan::default());
    for (moves, games, column) in [
        ("1. 5254 5755 2. 7163 2836 1-0", "e4 e5 Nf3 Nc6", None),
        ("1. 5254 5755 2. 7163 2836 3. 6125 7163 1/2-1/2", "e4 e5 Nf3 Nc6 Bb5", Some(35)),
        ("1. e4 e5 2. 63 1-0", "e4 e5", Some(13)),
        ("1. e4 e5 2. 1-0", "e4 e5", None),
        ("1. e4 e5 4. 1-0", "e4 e5", Some(10)),
        ("1. e4 e5 4. 0 - 0 *", "e4 e5", Some(10)),
        ("1. e4 e5 2. 2. Nf3 *", "e4 e5 Nf3", None),
        ("1. e4 e5 2. 7 Nf3 *", "e4 e5", Some(13)),
        ("1. e4 5254 e5 *", "e4", Some(7)),
        ("1. e4 e5 2", "e4 e5", None),
        ("1. e4 e5 17", "e4 e5", Some(10)),
        ("1. e4 e5 12. Nf3 Nc6 13. Bb5 *", "e4 e5 Nf3 Nc6 Bb5", None),
        ("1 e4 e5 2 Nf3 *", "e4 e5 Nf3", None),
        ("1. e4 1254. e5 *", "e4", Some(7)),
    ] {
        let played = played(moves);
        let moves_played = played.games[0].split_once(' ').map_or("", |(_, moves)| moves);
        assert_eq!(moves_played, games, "{moves}");
        let errors: Vec<&String> = played.problems.iter().filter(|p| p.contains("Error")).collect();
        let expected: Vec<String> = column.into_iter().map(at).collect();
        let is_right = match moves.contains("6125 7163") {
            true => errors.len() == 1 && errors[0].starts_with("3:35 Error illegal-move"),
            false => errors == expected.iter().collect::<Vec<_>>(),
        };
        assert!(is_right, "{moves}: {errors:?}");
    }
}

#[test]
fn both_lose_or_castling() {
    let line = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. ";
    for (tag, end, moves, errors) in [
        ("*", "0-0 *", 7, 0),
        ("*", "0-0", 7, 0),
        ("0-0", "0-0", 6, 0),
        ("0-0", "0-0 Nf6 *", 8, 0),
        ("0-0", "Ke2 0-0", 7, 0),
        ("*", "0-0 0-0", 7, 0),
        ("*", "Ke2 0–0", 7, 0),
        ("*", "Ke2 0-0 *", 7, 1),
        ("*", "0-0 Nf6 5. 0-0", 8, 0),
    ] {
        let text = format!("[Result \"{tag}\"]\n\n{line}{end}\n");
        let played = play(&text, &Plan::default());
        assert_eq!(played.games[0].split(' ').count() - 1, moves, "{text}");
        assert_eq!(played.problems.len(), errors, "{text}: {:?}", played.problems);
    }
    for (end, outcome) in [
        ("1–0", Outcome::WhiteWins),
        ("0.5-0.5", Outcome::Draw),
        ("-:+", Outcome::BlackWins),
        ("Ke2 0-0", Outcome::Unknown),
        ("–:–", Outcome::Unknown),
    ] {
        let played = play(&format!("[A \"\"]\n\n{line}{end}\n"), &Plan::default());
        assert_eq!((played.ending, played.problems.len()), (Some(outcome), 0), "{end}");
    }
}

#[test]
fn a_promotion_may_be_written_apart() {
    for promotion in
        ["a8=(Q)", "a8 = Q", "a8 =Q", "a8= Q", "a8 (Q)", "a8 (=Q)", "a8 Q", "a8+ = Q+", "a8+=Q"]
    {
        let text = format!("[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 1\"]\n\n1. {promotion} Kg6 2. Qa7 *");
        let played = play(&text, &Plan::default());
        assert_eq!(played.games, ["8/P6k/8/8/8/8/7K/8 a8=Q Kg6 Qa7"], "{promotion}");
    }
}

#[test]
fn castling_and_en_passant_may_have_spaces_inside() {
    const ROOKS: &str = "r3k2r/8/8/8/8/8/8/R3K2R";
    let rooks = format!("[FEN \"{ROOKS} w KQkq - 0 1\"]\n\n1. ");
    for (castling, san) in [
        ("O - O O – O – O *", "O-O O-O-O"),
        ("O -O+ o- o -o *", "O-O O-O-O"),
        ("O - O - O! 0-0 *", "O-O-O O-O"),
    ] {
        let played = play(&format!("{rooks}{castling}"), &Plan::default());
        assert_eq!(played.games, [format!("{ROOKS} {san}")], "{castling}");
        assert_eq!(played.problems, [""; 0], "{castling}");
    }
    let noted = play(&format!("{rooks}O - O *"), &Plan { notes: true, ..Plan::default() });
    assert!(noted.problems.contains(&"3:4 Note spelling".to_owned()), "{:?}", noted.problems);
    for mark in ["e.p.", "e. p.", "e p", "ep", "e. p"] {
        let text = format!("1. e4 a6 2. e5 d5 3. exd6 {mark} Nf6 *");
        let played = play(&text, &Plan::default());
        assert!(played.games[0].ends_with("exd6 Nf6") && played.problems.is_empty(), "{mark}");
    }
}

#[test]
fn an_asterisk_ends_a_game_even_if_the_next_one_is_attached() {
    assert_cases(&[("1. e4 *1. d4 *", &["START e4", "START d4"], &[])], &Plan::default());
    let tags = "[Event \"A\"]\n\n";
    assert_eq!(messages(&format!("{tags}N *1. d4 *")), messages(&format!("{tags}N *\n1. d4 *")));
}

#[test]
fn text_is_a_game_only_if_it_begins_as_one() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("1. e4 *\n\n--\n\n", &["START e4"], &["3:1 Warning text"]),
        (
            "1. e4 *\n\nBetter is\n3. Bb5 here.\n\n[A \"\"]\n\n1. d4 *",
            &["START e4", "START d4"],
            &["3:1 Warning text", "4:1 Warning text"],
        ),
        ("In 1987\n\n1. e4 *", &["START e4"], &["1:1 Warning text"]),
        ("1. e4 e5 2. Nf3 {c}\n\n1... Nc6 2. Bb5 *", &["START e4 e5 Nf3 Nc6 Bb5"], &[]),
        ("1. e4 e5 {c}\n\n1. Qh5 Nc6 *", &["START e4 e5 Qh5 Nc6"], &["3:1 Warning continued"]),
        ("1. e4 e5 {c}\n\n1. Nf3 Nc6 *", &["START e4 e5", "START Nf3 Nc6"], &[]),
        ("01. e4 e5 02. Nf3 *", &["START e4 e5 Nf3"], &[]),
        ("0. e4 e5 1. Nf3 *", &["START e4 e5 Nf3"], &[]),
        // Moves are never only text.
        ("1. e4 *\n\n12. d4 d5 *\n", &["START e4"], &["3:1 Error moves-skipped"]),
        ("2. e4 e5 1-0", &[], &["1:1 Error moves-skipped"]),
        ("1. e5 *\n\n1. d4 *\n", &["START d4"], &["1:1 Error moves-skipped"]),
        ("d4 d5 *\n\nSf3 *", &["START d4 d5"], &["3:1 Error moves-skipped"]),
        ("1... e5 *", &[], &["1:1 Error moves-skipped"]),
        ("1. \u{2013} e5 *", &[], &["1:1 Error moves-skipped"]),
        ("1. - e5 *", &[], &["1:1 Error moves-skipped"]),
        ("1. e4 e5 {c}\n\n1. Nc6 d6 2. d4 *", &["START e4 e5"], &["3:1 Error moves-skipped"]),
        ("1. e4 * e5 2. Nf3 *", &["START e4"], &["1:9 Error moves-skipped"]),
        // Numbered from 3, so it is not a game of its own.
        ("1. e4 * Nf3 Nc6 3. d4 *", &["START e4", "START Nf3 Nc6"], &["1:20 Error move-number"]),
    ];
    assert_cases(cases, &Plan::default());
}

const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3";

#[test]
fn a_tag_about_the_start_is_found_behind_other_text() {
    const FEN: &str = "FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"";
    let short = [
        "[Event \"a\" [@]", "[Event a\"] [@]", "[Event x] [@]", "[Event] [@]", "[x [@]",
        "[@] [Event x]", "[Event \"A\"] @", "- [@]", "* [@]", "+[@]", "# [@]", "| [@]", "> [@]",
        "| White | [@]", "\\[@]", "\\[@\\]", "\"[@]", "\u{2022} [@]", "\u{ff3b}@\u{ff3d}",
        "\u{3010}@\u{3011}", "\u{200b}[@]", "\u{feff}[@]", "\u{a0}\u{a0}[@]", "\u{202a}[@]",
        " \u{3000}[@]", "1) [@]", "1. [@]", "1 [@]", "(1) [@]", "2: [@]", "3. @", "Game 1: [@]",
        "Partie Nr. 12. [@]", "some text [@]", "Event: A, @", "Event: A;@", "White=W Black=B @",
        "<b>[@]</b>", "e) [@]", "_[@]_", "**[@]**", "([@])", "[@]}", "[[@]]",
    ];
    let long = [
        "[Event \"a \"b\" c\"] [@]",
        "[Event \"a \"b\" c\"][@]",
        "[Site \"C:\\games\\\"] [@]",
        "[Site \"C:\\\"] [SetUp \"1\"] [@]",
        "[Annotator: me] [@]",
        "[Event \"A\"] [Annotator: me] [@]",
        "[Event \"A\"] [Annotator me][Round x] [@]",
        "[Event \u{201c}A\u{201d}] [@]",
        "Nr. 1: White, Black, [@]",
    ];
    for text in short.into_iter().chain(long) {
        for before in
            ["", "[White \"W\"]\n", "[White \"W\"]\n\n", "1. d4 *\n\n", "[A \"\"]\n\n1. d4 *\n\n"]
        {
            // A tag `Event` after an empty line begins the next game.
            if before.ends_with("W\"]\n\n") && text.starts_with("[Event") {
                continue;
            }
            // After a result, a comment of the game before.
            if before.contains("d4") && text.contains(';') {
                continue;
            }
            let text = format!("{before}{}\n\n1. e4 Ke7 *\n", text.replace('@', FEN));
            let played = play(&text, &Plan::default());
            assert_eq!(played.games.last().unwrap(), &format!("{KINGS} e4 Ke7"), "{text}");
            let games = 1 + usize::from(before.contains("d4"));
            assert_eq!(played.games.len(), games, "{text}: {:?}", played.games);
            let is_error = |problem: &&String| problem.contains("Error");
            assert_eq!(played.problems.iter().find(is_error), None, "{text}");
        }
    }
    for (text, kind) in [
        ("[Event \"a \"b\" c\"] [@]", "variant"),
        ("- [@]", "variant"),
        ("[x] [@]", "variant"),
        ("\u{ff3b}@\u{ff3d}", "variant"),
        ("1) [@]", "variant"),
        // What cannot be read as a tag.
        ("Variant: Atomic", "fen"),
        ("- Variant = King of the Hill", "fen"),
        ("Black B, variant crazyhouse", "fen"),
        ("[x Variant: 3-check]", "fen"),
        ("xFEN FEN= 4k3-8/8/8/8/8/8/4P3/4K3/ w", "fen"),
        ("FEN of the start 4k3/8/8/8/8/8/4P3/4K3 w", "fen"),
    ] {
        let text =
            format!("[White \"W\"]\n{}\n\n1. e4 *\n", text.replace('@', "Variant \"Atomic\""));
        let played = play(&text, &Plan::default());
        assert_eq!(played.games, [""], "{text}");
        let is_error = |problem: &String| problem.ends_with(&format!("Error {kind}"));
        assert!(played.problems.iter().any(is_error), "{text}: {:?}", played.problems);
    }
    for text in
        ["Variant: Najdorf", "FEN by hand", "A variant of the atomic game", "x/x/x/x/x/x/x/x"]
    {
        let text = format!("[White \"W\"]\n{text}\n\n1. e4 *\n");
        assert!(play(&text, &Plan::default()).games[0].ends_with(" e4"), "{text}");
    }
    // As the fields of a line, but not after a game, where it is a comment.
    let text = format!("1. d4 * ; {FEN}\n\n1. e4 e5 *\n");
    assert_eq!(play(&text, &Plan::default()).games[1], "START e4 e5".replace("START", START));
    // A value in standard form, and a comment, are no tags.
    for text in ["[Event \"see [FEN \\\"8/8\\\"]\"]\n\n1. e4 *", "[A \"\"]\n\n{[@]} 1. e4 *"] {
        assert_eq!(play(&text.replace('@', FEN), &Plan::default()).games.len(), 1, "{text}");
        assert!(play(&text.replace('@', FEN), &Plan::default()).problems.is_empty(), "{text}");
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn a_game_after_text_with_a_position_has_no_position() {
    let texts = [
        "Position FEN: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "White to move: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "from \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\", a study",
        // Digits that a piece follows are read as a move number elsewhere.
        "1K6/8/8/8/8/8/8/1k6 w - - 0 1",
        "2b4k/8/8/8/8/8/8/2B4K b",
        "Troitzky, 1895: r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
        "https://example.org/editor?fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1",
        "[Position 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]",
        "4k3\\8\\8\\8\\8\\8\\4P3\\4K3 w",
        // Ranks of a wrong length: how the game starts is not known either.
        "FEN of it 4k4/8/8/8/8/8/4P3/4K3 w - - 0 1",
    ];
    let befores = ["", "hello\n", "{so}\n", "1. d4 *\n", "1. d4 *\n\n", "[A \"\"]\n\n1. d4 * "];
    for (text, before) in texts.iter().flat_map(|text| befores.map(|before| (text, before))) {
        for after in ["\n", "\n\n", "\n\n{c}\n", "\n[White \"B\"]\n\n"] {
            let pgn = format!("{before}{text}{after}1. e4 *\n\n[Event \"g\"]\n\n1. d4 d5 *\n");
            let played = play(&pgn, &Plan::default());
            let games: Vec<&str> = played.games.iter().map(|game| &game[..]).collect();
            let good = format!("{START} d4 d5");
            let first = format!("{START} d4");
            let expected = if before.contains("d4") { vec![&first[..], ""] } else { vec![""] };
            assert_eq!(games, [expected, vec![&good[..]]].concat(), "{pgn}");
            let errors = played.problems.iter().filter(|problem| problem.contains("Error"));
            assert_eq!(errors.count(), 1, "{pgn}: {:?}", played.problems);
        }
    }
    for text in ["Variant: Atomic", "so. Variant \"King of the Hill\"", "by FEN x/x/x/x/x/x/x/x"] {
        for before in ["", "1. d4 *\n", "1. d4 *\n\n"] {
            let problems = play(&format!("{before}{text}\n\n1. e4 *"), &Plan::default()).problems;
            assert!(matches!(&problems[..], [one] if one.ends_with("Error fen")), "{problems:?}");
        }
    }
    // Within the moves: the game ends there.
    let fen = "4k3/8/8/8/8/8/4P3/4K3";
    for (text, games) in [
        (format!("1. d4 [FEN \"{fen} w - - 0 1\"] 1. e4 Ke7 *"), ["START d4", "KINGS e4 Ke7"]),
        (format!("1. d4\n\n{fen} w - - 0 1\n\n1. e4 Ke7 *"), ["START d4", ""]),
        (format!("1. d4 {fen} w - - 0 1\n\n1. e4 d5 *"), ["START d4", ""]),
        (format!("1. d4 (1. e4 {fen} w) d5 *\n\n1. e4 *"), ["START d4 d5", "START e4"]),
        (format!("1. d4 {{{fen} w}} d5 *\n\n{{{fen} w}} 1. e4 *"), ["START d4 d5", "START e4"]),
        (format!("1. d4 *\n{START} w KQkq - 0 1\n1. e4 *"), ["START d4", "START e4"]),
        (format!("{fen} w - - 0 1\n\n[Event \"x\"]\n\n1. e4 *"), ["", "START e4"]),
    ] {
        let played = play(&text, &Plan::default());
        let games = games.map(|game| game.replace("START", START).replace("KINGS", KINGS));
        assert_eq!(played.games, games, "{text}: {:?}", played.problems);
    }
}

#[test]
fn a_fen_tag_is_cleaned_or_its_error_says_what_it_is() {
    for value in [
        "@\u{a0}w\u{a0}-\u{a0}-\u{a0}0\u{a0}1",
        "\u{200b}@ w\u{202f}- - 0 1\u{feff}",
        "'@ w - - 0 1'",
        "\\\"@ w - - 0 1\\\"",
        "\u{201c}@ w - - 0 1\u{201d}",
        "@ w - - hmvc 0; fmvn 1;",
        "@ w - - fmvn 1; bm e4;",
    ] {
        let value = value.replace('@', KINGS);
        let played = play(&format!("[FEN \"{value}\"]\n\n1. e4 Ke7 *"), &Plan::default());
        assert_eq!(played.games, [format!("{KINGS} e4 Ke7")], "{value}");
        assert_eq!(played.problems, ["1:7 Warning fen-repaired"], "{value}");
    }
    let quoted = format!("[FEN \"\"{KINGS} w - - 0 1\"\"]\n\n1. e4 *");
    assert_eq!(play(&quoted, &Plan::default()).games, [format!("{KINGS} e4")]);
    let setup = format!("[SetUp \"{KINGS} w - - 0 1\"]\n\n1. e4 *");
    let played = play(&setup, &Plan::default());
    assert_eq!(played.games, [format!("{KINGS} e4")]);
    assert_eq!(played.problems, ["1:9 Warning setup"]);
    for value in ["undefined", "Undefined", "start", "standard", "initial", "none", "startpos"] {
        let played = play(&format!("[FEN \"{value}\"]\n\n1. d4 *"), &Plan::default());
        assert_eq!(played.problems, ["1:7 Warning setup"], "{value}");
        assert!(played.games[0].ends_with(" d4"), "{value}");
    }
    let notes = Plan { notes: true, ..Plan::default() };
    for (tag, note) in [
        ("[SetUp \"2\"]", "1:9 Note setup"),
        ("[SetUp \"yes\"]", "1:9 Note setup"),
        ("[White \"a\tb\"]", "1:9 Note tag-value"),
    ] {
        assert_eq!(play(&format!("{tag}\n\n1. d4 *"), &notes).problems, [note], "{tag}");
    }
    for (fen, reason) in [
        (format!("{START}[Qp] w KQkq - 0 1"), "as in Crazyhouse"),
        (format!("{START}/Qp w KQkq - 0 1"), "as in Crazyhouse"),
        (format!("{START} w KQkq - 3+3 0 1"), "as in Three-check"),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2".to_owned(),
            "the last position of the game",
        ),
    ] {
        let messages = messages(&format!("[FEN \"{fen}\"]\n\n1. e4 e5 2. Nf3 *"));
        assert!(messages.len() == 1 && messages[0].contains(reason), "{messages:?}");
    }
    let escaped = messages("[A \"\"]\n\n1. e4 {a \\} b } e5 *");
    assert!(escaped[0].contains("also behind a backslash"), "{escaped:?}");
}

#[test]
fn a_number_that_contradicts_the_count_is_noted_once() {
    let notes = Plan { notes: true, ..Plan::default() };
    const BLACK: &str = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n";
    for (before, moves, columns) in [
        ("", "1. d4 Nf6 5. Nf3 *", &[11][..]),
        ("", "1. d4 Nf6 5. Nf3 e6 6. c4 *", &[11]),
        ("", "1... d4 d5 *", &[1]),
        ("", "1. d4 3... d5 2. c4 *", &[7]),
        ("", "1. d4 d5 1. c4 e6 2. Nc3 *", &[10]),
        ("", "1. d4 (1. e4 4... e5) 1... d5 *", &[]),
        ("", "1. d4 1... d5 2. c4 2... e6 *", &[]),
        ("", "1. d4 1. d5 2. c4 2. e6 3. Nc3 *", &[]),
        ("", "01. d4 d5 02. c4 *", &[]),
        ("", "0. d4 d5 1. c4 e6 2. Nc3 *", &[1]),
        (BLACK, "1... Kd7 2. e4 *", &[]),
        (BLACK, "33... Kd7 34. e4 Ke6 *", &[]),
        (BLACK, "33... Kd7 36. e4 Ke6 *", &[11]),
        (BLACK, "1... Kd7 1. e4 Ke6 *", &[10]),
    ] {
        let before = if before.is_empty() { "[A \"\"]\n\n" } else { before };
        let line = before.matches('\n').count() + 1;
        let played = play(&format!("{before}{moves}"), &notes);
        let expected: Vec<String> =
            columns.iter().map(|column| format!("{line}:{column} Note move-number")).collect();
        assert_eq!(played.problems, expected, "{moves}");
        // Strictly, it is an error.
        let strict = Plan { strict: true, ..notes.clone() };
        let errors: Vec<String> =
            expected.iter().map(|note| note.replace("Note", "Error")).collect();
        assert_eq!(play(&format!("{before}{moves}"), &strict).problems, errors, "{moves}");
        // By default and without doubtful text before them.
        assert!(play(&format!("{before}{moves}"), &Plan::default()).problems.is_empty(), "{moves}");
        for variant in ["Crazyhouse", "Three-check", "Antichess", "Chess960"] {
            let text = format!("[Variant \"{variant}\"]\n{before}{moves}");
            let found = replay(text.replace("[A \"\"]\n", ""), &notes).problems;
            let of_numbers = found.iter().filter(|found| found.reason.kind() == "move-number");
            let found: Vec<u64> = of_numbers.map(|found| found.place.column).collect();
            assert_eq!(found, columns, "{text}");
        }
    }
}

#[test]
fn moves_that_were_read_as_other_text_are_errors() {
    const NUMBER: &str = "Error move-number";
    const SKIPPED: &str = "Error moves-skipped";
    for (moves, played, problem) in [
        ("1. d4 Nf6 2. c4 {good) 2...e6 3. e3 {solid} 3...b6 4. Nf3 *", "d4 Nf6 c4", NUMBER),
        ("1. d4 Nf6 2. c4 {good] 2...e6 3. e3 {solid} b6 4. Nf3 *", "d4 Nf6 c4 b6", NUMBER),
        ("1. e4 {[%clk 0:01:00] 1... e5 {[%clk 0:01:00]} 2. d4 *", "e4", "Error illegal-move"),
        ("1. d4 d5 2. c4 {a 2... c6 {b} 3. c5 {c} *", "d4 d5 c4", NUMBER),
        ("1. e4 e5 ; 2. Nf3 Nc6\n3. Bb5 a6 *", "e4 e5", NUMBER),
        ("1. e4 e5\n% 2. Nf3 Nc6\n3. Bb5 a6 *", "e4 e5", NUMBER),
        ("1. e4 e5 (1... c5) 2. Nf3 d6) 2. Bc4 Nc6 *", "e4 e5 Nf3 d6", NUMBER),
        ("1. e4 e5 {good 2. Nf3 Nc6 {fine} *", "e4 e5", SKIPPED),
        ("1. e4 e5 ; 2. Nf3 Nc6 1-0\n", "e4 e5", SKIPPED),
        ("(1. e4 e5 2. Nf3) *", "", SKIPPED),
        ("1. e4 e5 (1... c5 2. Nf3 *", "e4 e5", "Error text"),
    ] {
        let found = play(&format!("[A \"\"]\n\n{moves}"), &Plan::default());
        let text = found.games[0].split_once(' ').map_or("", |(_, moves)| moves);
        assert_eq!(text, played, "{moves}");
        let errors = found.problems.iter().filter(|text| text.ends_with(problem));
        assert_eq!(errors.count(), 1, "{moves}: {:?}", found.problems);
    }
    // In variants, too.
    for variant in ["Crazyhouse", "Three-check", "Antichess"] {
        let moves = "1. d4 Nf6 2. c4 {good) 2...e6 3. Nc3 Bb4 4. e3 {solid} 4...b6 5. Nf3 *";
        let text = format!("[Variant \"{variant}\"]\n\n{moves}");
        let found = replay(&text, &Plan::default());
        assert_eq!(found.counts.positions, 4, "{variant}");
        assert_eq!(found.problems[0].reason.kind(), "move-number", "{variant}");
    }
    for (moves, played) in [
        ("1. e4 {see {1. d4} e5 2. Nf3 *", "e4 e5 Nf3"),
        ("1. e4 {{a}} e5 2. Nf3 *", "e4 e5 Nf3"),
        ("1. e4 e5 ; 2. Nc3 Nc6\n2. Nf3 Nc6 *", "e4 e5 Nf3 Nc6"),
        ("1. e4 e5 2. Nf3 ; 2. Nc3 Nc6 3. d4\n1-0", "e4 e5 Nf3"),
        ("1. e4 e5 (1... c5)) 2. Nf3 Nc6 *", "e4 e5 Nf3 Nc6"),
        ("1. e4 e5 5. Nf3 {wrong number} 5... Nc6 *", "e4 e5 Nf3 Nc6"),
    ] {
        let found = play(&format!("[A \"\"]\n\n{moves}"), &Plan::default());
        assert_eq!(found.games[0].split_once(' ').unwrap().1, played, "{moves}");
        let has_error = found.problems.iter().any(|text| text.contains("Error"));
        assert!(!has_error, "{moves}: {:?}", found.problems);
    }
}

#[test]
fn a_letter_of_another_alphabet_is_named() {
    for (word, expected) in [
        ("Вf4", "'В' is the character U+0412"),
        ("e\u{435}4", "'\u{435}' is the character U+0435"),
        ("О-О", "'О' is the character U+041E"),
    ] {
        let problems = messages(&format!("[A \"\"]\n\n1. {word} *"));
        assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}");
    }
}

//! Texts of real files: each is read in its one reading, with a warning, or reported; nothing is
//! invented.

use emit::{Plan, Ply, Problem, Replay, Sink};
use pgn::{Outcome, TagPair};
use san::san_of;

/// The games as starting position and moves, and the problems with their columns.
#[derive(Default)]
struct Played {
    games: Vec<String>,
    problems: Vec<String>,
    ending: Option<Outcome>,
}

impl Sink for Played {
    fn begin(&mut self, _: &[TagPair<'_>]) {
        self.games.push(String::new());
    }

    fn ply(&mut self, ply: Ply<'_>) {
        let game = self.games.last_mut().unwrap();
        if game.is_empty() {
            *game = ply.position.to_string().split(' ').next().unwrap().to_owned();
        }
        if let Some(next) = ply.next {
            *game += &format!(" {}", san_of(ply.position, next));
        }
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.ending = outcome;
    }

    fn discard_game(&mut self) {}

    fn problem(&mut self, problem: Problem) {
        let Problem { place, .. } = &problem;
        let severity = problem.severity();
        let text =
            format!("{}:{} {severity:?} {}", place.line, place.column, problem.reason.kind());
        self.problems.push(text);
    }
}

fn play(pgn: &str, plan: &Plan) -> Played {
    let mut played = Played::default();
    Replay::new(pgn::Chunk::whole(pgn.as_bytes()), plan).run(&mut played);
    played
}

/// The messages about a text.
fn messages(pgn: &str) -> Vec<String> {
    struct Messages(Vec<String>);
    impl Sink for Messages {
        fn begin(&mut self, _: &[TagPair<'_>]) {}
        fn ply(&mut self, _: Ply<'_>) {}
        fn end(&mut self, _: Option<Outcome>) {}
        fn discard_game(&mut self) {}
        fn problem(&mut self, problem: Problem) {
            self.0.push(problem.to_string());
        }
    }
    let mut messages = Messages(Vec::new());
    Replay::new(pgn::Chunk::whole(pgn.as_bytes()), &Plan::default()).run(&mut messages);
    messages.0
}

/// Compares games and problems; `START` is the starting position.
#[track_caller]
fn assert_cases(cases: &[(&str, &[&str], &[&str])], plan: &Plan) {
    let mut wrong = String::new();
    for (text, games, problems) in cases {
        let played = play(text, plan);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let found: Vec<String> =
            played.games.iter().map(|game| game.replace(start, "START")).collect();
        if found != *games || played.problems != *problems {
            wrong += &format!(
                "{text:?}\n  {found:?} {:?}\n  not {games:?} {problems:?}\n",
                played.problems
            );
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
        (
            "[FEN: \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *",
            &[KING],
            &["1:8 Warning tag-name"],
        ),
        (
            "[Set-Up \"1\"]\n\n1. e4 *",
            &["START e4"],
            &["1:10 Warning tag-name", "1:10 Warning setup"],
        ),
        ("[FEN rnbqkbnr/pppppppp w]\n\n1. e4 *", &[""], &["1:1 Warning text", "1:6 Error fen"]),
        ("[FEN \"\"]\n\n1. e4 *", &["START e4"], &["1:7 Warning setup"]),
        ("[SetUp \"1\"]\n[FEN \"?\"]\n\n1. e4 *", &["START e4"], &["2:7 Warning setup"]),
        ("[FEN \"-\"]\n\n1. e4 *", &["START e4"], &["1:7 Warning setup"]),
        ("[FEN \"N/A\"]\n\n1. e4 *", &["START e4"], &["1:7 Warning setup"]),
        ("[FEN \"startpos\"]\n\n1. e4 *", &["START e4"], &["1:7 Warning setup"]),
        ("(Variant \"Atomic\")\n\n1. e4 *", &[""], &["1:1 Warning text", "1:11 Error variant"]),
        ("[Variant Atomic]\n\n1. e4 *", &[""], &["1:1 Warning text", "1:10 Error variant"]),
        (
            "[Variant: \"Atomic\"]\n\n1. e4 *",
            &[""],
            &["1:12 Warning tag-name", "1:12 Error variant"],
        ),
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
        assert_eq!(
            (&played.games[..], &played.problems[..]),
            (&["".to_owned()][..], &["2:7 Error fen".to_owned()][..])
        );
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
        ("1. e4 *\n\n12. d4 d5 *\n", &["START e4"], &["3:1 Warning text"]),
        ("1. e5 *\n\n1. d4 *\n", &["START d4"], &["1:1 Warning text"]),
        ("d4 d5 *\n\nSf3 *", &["START d4 d5"], &["3:1 Warning text"]),
        ("1... e5 *", &[], &["1:1 Warning text"]),
        ("In 1987\n\n1. e4 *", &["START e4"], &["1:1 Warning text"]),
        ("1. e4 e5 {c}\n\n1. Nc6 d6 2. d4 *", &["START e4 e5"], &["3:1 Warning text"]),
        ("1. e4 e5 2. Nf3 {c}\n\n1... Nc6 2. Bb5 *", &["START e4 e5 Nf3 Nc6 Bb5"], &[]),
        ("1. e4 e5 {c}\n\n1. Qh5 Nc6 *", &["START e4 e5 Qh5 Nc6"], &["3:1 Warning continued"]),
        ("1. e4 e5 {c}\n\n1. Nf3 Nc6 *", &["START e4 e5", "START Nf3 Nc6"], &[]),
    ];
    assert_cases(cases, &Plan::default());
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

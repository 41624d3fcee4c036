//! Conditions on patterns of the board and on several positions, also in variations.

use emit::{Filter, Plan};

use crate::support::{bare, lines, replay};

const GAME: &str = "[White \"Smith, A\"]\n[Black \"Jones, B\"]\n[WhiteElo \"2300\"]\n[BlackElo \"2100\"]\n[Result \"0-1\"]\n\n\
    1. e4 e5 (1... c5 2. Nf3 (2. Nc3 d6) 2... d6) (1... e6 2. d4 d5) 2. Nf3 {[%eval 0.3]} Nc6 3. Ng1 Nb8 4. Nf3 Nc6 0-1";

/// Returns the plies of the positions that a condition selects, and the moves played from them.
fn selected(condition: &str, pgn: &str) -> String {
    let filter: Filter = condition.parse().unwrap_or_else(|error| panic!("{error}"));
    let template = "id={ply} {san|end}".parse().unwrap();
    let plan = Plan { filter: Some(filter), variations: true, templates: vec![template], ..bare() };
    let text = replay(pgn, &plan);
    let found = lines(&text).into_iter().map(|line| line.split('"').nth(1).unwrap().to_owned());
    found.collect::<Vec<_>>().join(", ")
}

#[test]
fn sequences_follow_each_line_of_the_game() {
    let cases = [
        // Main line and variations from their beginnings; a variation goes on from the line that it
        // leaves.
        ("line = '1. e4 e5 2. Nf3'", "3 Nc6, 4 Ng1, 5 Nb8, 6 Nf3, 7 Nc6, 8 end"),
        ("line = 'e4 c5'", "2 Nf3, 3 d6, 4 end, 3 d6, 4 end"),
        ("line = 'e4 c5 Nc3'", "3 d6, 4 end"),
        ("line = 'e4 e6'", "2 d4, 3 d5, 4 end"),
        ("line = 'd4'", ""),
        ("line = '1.e4' and ply = 1", "1 e5"),
        ("moves ~ 'e4 e5'", "2 Nf3"),
        ("moves ~ 'c5 Nf3'", "3 d6"),
        ("moves ~ 'e4 c5 Nc3 d6'", "4 end"),
        // The move of the main line after a variation.
        ("moves ~ 'e5 Nf3 Nc6'", "4 Ng1"),
        ("moves ~ 'Nc6 Ng1'", "5 Nb8"),
        // A capture and a move without one are different.
        ("moves ~ 'Nxf3'", ""),
        ("moves ~ 'Nf3'", "3 d6, 3 Nc6, 7 Nc6"),
        (
            "reached 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2' and ply > 5",
            "6 Nf3, 7 Nc6, 8 end",
        ),
        ("repetition = 2", "6 Nf3, 7 Nc6, 8 end"),
        ("turn = b for 1 ply and ply < 4", "1 e5, 3 d6, 3 d6, 3 d5, 3 Nc6"),
        ("ply < 3 and turn = b for 1 ply and ply > 0 or san = 'd5'", "1 e5, 3 d5"),
        ("turn = b for 2 plies", ""),
        ("ply > 4 for 3 plies", "7 Nc6, 8 end"),
        ("san = 'c5' then ply > 2", "3 d6, 4 end, 3 d6, 4 end"),
        ("san = 'e5' then turn = w within 1 ply", "2 Nf3"),
        ("san = 'e5' then turn = w within 3 plies", "2 Nf3, 4 Ng1"),
        // The first condition must hold before the second, not with it.
        ("ply = 6 then ply = 6", ""),
        ("ply = 1 then ply = 2 then ply = 3", "3 d6, 3 d6, 3 d5, 3 Nc6"),
        ("(ply = 1 then ply = 2 within 1) and san ~ 'd4'", "2 d4"),
        ("not (ply >= 1 then ply > 1)", "0 e4, 1 e5"),
    ];
    let mut wrong = Vec::new();
    for (condition, expected) in cases {
        // With what follows each position the game is passed on at its end.
        let with_evaluation = format!("({condition}) and not eval = 5000");
        for condition in [condition, &with_evaluation] {
            let found = selected(condition, GAME);
            if found != expected {
                wrong.push(format!("{condition}: {found}, not {expected}"));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_variation_before_the_first_move_begins_at_the_start() {
    let pgn = "(1. d4 d5 2. c4) 1. e4 e5 *";
    assert_eq!(selected("line = 'd4 d5'", pgn), "2 c4, 3 end");
    assert_eq!(selected("line = 'e4'", pgn), "1 e5, 2 end");
    assert_eq!(selected("moves ~ 'd4'", pgn), "1 d5");
}

#[test]
fn a_player_is_white_or_black() {
    let cases = [
        ("player ~ 'smith'", true),
        ("player ~ 'jones' and color = b and score = 1", true),
        ("player ~ 'jones' and color = w", false),
        ("player ~ 'smith' and score = 1", false),
        ("player ~ 'smith' and opponent ~ 'jones'", true),
        ("player ~ 'smith' and opponent ~ 'smith'", false),
        ("player_elo = 2100 and opponent_elo = 2300 and color = b", true),
        ("player_elo > 2200 and color = b", false),
        ("opponent_elo - player_elo = 200", true),
        ("score in (0.5, 0) and player ~ 'smith'", true),
        ("player ~ 'jones' or player ~ 'unknown'", true),
        ("player ~ 'unknown'", false),
    ];
    for (condition, expected) in cases {
        let filter: Filter = condition.parse().unwrap();
        let game = pgn::games(GAME.as_bytes()).next().unwrap();
        let verdict = if expected { emit::Verdict::Yes } else { emit::Verdict::No };
        assert_eq!(filter.game(game.tags()), verdict, "{condition}");
    }
    // The result is that of the movetext if the tag has none.
    let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 1-0\n";
    assert_eq!(selected("player = 'A' and score = 1 and ply = 1", pgn), "1 end");
    assert_eq!(selected("player = 'B' and score = 1", pgn), "");
    assert_eq!(selected("player = 'A' and score", "[White \"A\"]\n\n1. e4 *\n"), "");
}

#[test]
fn patterns_are_compared_with_the_board() {
    let cases = [
        ("board ~ '8/8/8/8/4P3/8/8/8'", "1 e5, 2 end"),
        ("board ~ '8/8/8/4_3/8/8/8/8' and ply < 3", "0 e4, 1 e5"),
        ("board ~ '8/8/8/4[pP]3/8/8/8/R7'", "2 end"),
        ("board ~ '8/8/8/4a3/4A3/8/8/K7'", ""),
        ("board ~ '8/8/8/4a3/4!3/8/8/A6A'", "2 end"),
        ("board ~ '????????/8/8/8/8/4?3/8/8' and ply = 0", "0 e4"),
        ("either(board ~ '8/8/8/8/4P3/8/8/8')", "1 e5, 2 end"),
        ("either(board ~ '8/8/8/4p3/8/8/8/8')", "1 e5, 2 end"),
        ("mirrored(board ~ '8/8/8/8/3P4/8/8/8')", "1 e5, 2 end"),
        ("mirrored(not board ~ '8/8/8/8/3P4/8/8/8') and ply = 1", "1 e5"),
        ("material = 'KQR2B2N2P8vKQRRBBNNPPPPPPPP' and ply = 1", "1 e5"),
        ("material ~ 'KQ+R1-2B*N2-P7+vKQ?R2BBNNP8' and ply = 1", "1 e5"),
        ("material ~ 'KQR2M4P8 v KQR2M3+P8' and ply = 1", "1 e5"),
        ("material ~ 'KQRRNM3P8vKQRRMMMMP8' and ply = 1", "1 e5"),
        (
            "material ~ 'KQR2M3P8vKQR2M4P8' or material ~ 'KvK' or material ~ 'KQ*R*B*N*vKQ*R*B*N*P*'",
            "",
        ),
        ("mirrored(either(board ~ '8/8/8/3p4/8/8/8/8')) and ply < 2", "1 e5"),
        ("attacks(wQ, h5)", "1 e5, 2 end"),
        ("attacks(bQ, h4)", "2 end"),
        ("attacks(wA, d5) and not attacks(wN, d5)", "1 e5, 2 end"),
        ("attacks(wP, bA) or attacks(bK, wA)", ""),
        ("attacks(wK, wP) and ply = 0", "0 e4"),
        ("either(attacks(wQ, a5)) or mirrored(attacks(wQ, a5))", "1 e5, 2 end"),
        ("either(attacks(wQ, h5)) and ply = 1", "1 e5"),
    ];
    let found = cases.map(|(condition, _)| (condition, selected(condition, "1. e4 e5 *")));
    let expected = cases.map(|(condition, expected)| (condition, expected.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn mistakes_are_shown_at_their_place() {
    let cases = [
        ("board ~ '8/8/8/8/8/8/8'", 22..22, "eight ranks are expected"),
        ("board ~ '8/8/8/8/8/8/8/8/8'", 24..25, "more than eight ranks"),
        ("board ~ '8/8/8/8/8/8/8/7'", 24..24, "rank 1 has 7 squares"),
        ("board ~ '8/7/8/8/8/8/8/8'", 12..13, "rank 7 has 7 squares"),
        ("board ~ '8/9'", 11..12, "'9' is not a piece"),
        ("board ~ '8/[Q'", 11..12, "`]` is missing"),
        ("board ~ '8/[]7'", 12..13, "']' is not a piece"),
        ("board = '8'", 6..7, "compared with a pattern by ~"),
        ("board ~ 5", 8..9, "expected a pattern of the board in quotes"),
        ("material ~ 'KRP'", 12..15, "has a v between them"),
        ("material = 'KXvK'", 13..14, "a piece is K"),
        ("material ~ 'K2vK'", 12..14, "each side has one king"),
        ("material ~ 'KP3-2vK'", 13..17, "the range is empty"),
        ("attacks(Q, e5)", 8..9, "expected a piece"),
        ("attacks(wQ e5)", 11..13, "expected a comma"),
        ("attacks(wQ, e9)", 12..14, "expected a square"),
        ("attacks(wQ, e5", 14..14, "expected `)`"),
        ("either(check)", 0..13, "for board, material and attacks alone"),
        ("either(mirrored(either(material ~ 'KvK')))", 16..22, "either() in either()"),
        ("line = '1. e4 x'", 14..15, "x is not a move"),
        ("moves ~ ''", 9..9, "one to 63 moves"),
        ("reached 'x'", 9..10, "ranks"),
        ("check for 0 plies", 10..11, "expected a number of plies"),
        ("check for 1.5", 10..13, "expected a number of plies"),
        ("check then", 10..10, "expected a tag"),
        ("check then check within 2 and ply > 3", 26..29, "write parentheses"),
        ("not player = 'A'", 0..3, "cannot be part of `not`"),
        ("player = 'A' for 2 plies", 13..16, "cannot be part of `for`"),
        ("player = 'A' then check", 13..17, "cannot be part of `then`"),
    ];
    let mut wrong = Vec::new();
    for (text, place, reason) in cases {
        let error = text.parse::<Filter>().expect_err(text);
        if (error.start..error.end) != place || !error.reason.contains(reason) {
            wrong.push(format!("{text}: {}..{}: {}", error.start, error.end, error.reason));
        }
    }
    assert_eq!(wrong, [""; 0]);
    let most = vec!["check for 2 plies"; 17].join(" or ");
    let error = most.parse::<Filter>().unwrap_err();
    assert!(error.reason.contains("more than 16"), "{}", error.reason);
}

//! Other kinds of chess than chess.

use testkit::program::Outcome;

use crate::support::program;

/// The records of a game: four fields and the move, as text.
fn run(tags: &str, moves: &str, args: &[&str]) -> Outcome {
    let pgn = format!("{tags}\n\n{moves}\n");
    program().args(["--ops", "sm", "--registers", "off"]).args(args).stdin(pgn).run()
}

#[track_caller]
fn last(tags: &str, moves: &str) -> String {
    let outcome = run(tags, moves, &[]);
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    outcome.lines().pop().unwrap().to_owned()
}

#[test]
fn games_of_seven_variants_are_played_by_their_rules() {
    let cases = [
        // A pawn in the pocket, dropped.
        (
            "[Variant \"Crazyhouse\"]",
            "1. e4 d5 2. exd5 Qxd5 3. P@e4 *",
            "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq -",
        ),
        // Queen, bishop, king and the knight that took go up together: the game is over.
        (
            "[Variant \"Atomic\"]",
            "1. Nf3 f6 2. Nd4 e5 3. Ne6 Nc6 4. Nxd8 *",
            "r4bnr/pppp2pp/2n2p2/4p3/8/8/PPPPPPPP/RNBQKB1R b KQ -",
        ),
        (
            "[Variant \"Antichess\"]",
            "1. e3 b5 2. Bxb5 *",
            "rnbqkbnr/p1pppppp/8/1B6/8/4P3/PPPP1PPP/RNBQK1NR b - -",
        ),
        (
            "[Variant \"Horde\"]",
            "1. e5 *",
            "rnbqkbnr/pppppppp/8/1PP1PPP1/PPPP1PPP/PPPPPPPP/PPPPPPPP/PPPPPPPP b kq -",
        ),
        (
            "[Variant \"King of the Hill\"]",
            "1. e4 e5 2. Ke2 Ke7 *",
            "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w - -",
        ),
        (
            "[Variant \"Three-check\"]",
            "1. e4 f5 2. Qh5+ *",
            "rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 2+3",
        ),
        ("[Variant \"Racing Kings\"]", "1. Kh3 *", "8/8/8/8/8/7K/krbnNBR1/qrbnNBRQ b - -"),
    ];
    for (tags, moves, expected) in cases {
        let found = last(tags, moves);
        assert_eq!(found, expected, "{tags}");
    }
}

#[test]
fn a_variant_is_known_in_its_many_spellings() {
    for name in [
        "crazyhouse",
        "Crazyhouse960",
        "zh",
        "Three-check",
        "3-check",
        "threeCheck",
        "KOTH",
        "Giveaway",
        "suicide",
        "racingKings",
    ] {
        let outcome = run(&format!("[Variant \"{name}\"]"), "1. Nf3 *", &[]);
        assert_eq!(outcome.status, 0, "{name}: {}", outcome.stderr);
    }
}

#[test]
fn fens_have_pockets_and_checks() {
    let tags = "[Variant \"Crazyhouse\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1\"]";
    assert_eq!(last(tags, "1. Q@e6+ Kd8 *"), "3k4/8/4Q3/8/8/8/8/4K3[n] w - -");
    let tags = "[FEN \"4k3/8/8/8/8/8/8/4KQ2 w - - 1+3 0 1\"]\n[Variant \"3check\"]";
    let outcome = run(tags, "1. Qb5+ *", &["--format", "fen"]);
    assert_eq!(outcome.lines()[1], "4k3/8/8/1Q6/8/8/8/4K3 b - - 0+3 1 1");
    // What comes behind the third check is no game.
    assert_eq!(run(tags, "1. Qb5+ Kd8 *", &[]).status, 1);
}

#[test]
fn what_is_not_legal_there_is_said() {
    let cases = [
        ("Crazyhouse", "1. N@e4 *", "1. N@e4: illegal: no legal move of this variant is that"),
        ("Antichess", "1. e3 b5 2. a3 *", "2. a3: illegal: no legal move of this variant is that"),
        ("Atomic", "1. xyz *", "1. xyz: unknown text: neither a move nor a comment"),
        ("Seirawan", "1. e4 *", "Seirawan: the variant is not known, or not to be used here"),
    ];
    for (variant, moves, message) in cases {
        let outcome = run(&format!("[Variant \"{variant}\"]"), moves, &[]);
        assert_eq!(outcome.status, 1, "{variant}");
        assert!(outcome.stderr.contains(message), "{variant}: {}", outcome.stderr);
    }
}

#[test]
fn registers_are_kept_up_over_games_of_all_kinds() {
    let pgn =
        "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n[Variant \"Atomic\"]\n\n1. e4 {good} e5 *\n";
    let outcome = program().args(["--ops", "c,sm"]).stdin(pgn).run();
    insta::assert_snapshot!(outcome.text());
}

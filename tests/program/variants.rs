//! Variants.

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
        // Queen, bishop, king and the capturing knight explode: the game is over.
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
fn many_names_of_a_variant_are_known() {
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
        let is_empty = outcome.text().is_empty();
        assert_eq!(outcome.status, i32::from(is_empty), "{name}: {}", outcome.stderr);
    }
}

#[test]
fn fens_have_pockets_and_checks() {
    let tags = "[Variant \"Crazyhouse\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1\"]";
    assert_eq!(last(tags, "1. Q@e6+ Kd8 *"), "3k4/8/4Q3/8/8/8/8/4K3[n] w - -");
    let tags = "[FEN \"4k3/8/8/8/8/8/8/4KQ2 w - - 1+3 0 1\"]\n[Variant \"3check\"]";
    let outcome = run(tags, "1. Qb5+ *", &["--format", "fen"]);
    assert_eq!(outcome.lines()[1], "4k3/8/8/1Q6/8/8/8/4K3 b - - 0+3 1 1");
    // Moves after the third check are not part of the game.
    assert_eq!(run(tags, "1. Qb5+ Kd8 *", &[]).status, 1);
}

#[test]
fn variants_have_the_spellings_of_chess() {
    let antichess = "[Variant \"Antichess\"]";
    let same = |tags: &str, odd: &str, usual: &str| {
        let odd = run(tags, odd, &[]);
        assert_eq!((odd.status, &odd.stderr[..]), (0, ""), "{usual}");
        assert_eq!(odd.stdout, run(tags, usual, &[]).stdout, "{usual}");
    };
    same(antichess, "1. 5254 5755 2. 7163 *", "1. e4 e5 2. Nf3 *");
    let promotion = "[Variant \"Atomic\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]";
    same(promotion, "1. a8 = Q+ Kd7 2. Qa1 *", "1. a8=Q+ Kd7 2. Qa1 *");
    same(promotion, "1. a8 (R) Kd7 *", "1. a8=R+ Kd7 *");
    let castling = "[Variant \"Atomic\"]\n[Result \"0-0\"]";
    same(castling, "1. e4 e5 2. Nf3 Nf6 3. Be2 0-0", "1. e4 e5 2. Nf3 Nf6 3. Be2 *");
    same(
        castling,
        "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O - O *",
        "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O *",
    );
}

#[test]
fn illegal_moves_in_variants_are_reported() {
    let cases = [
        ("Crazyhouse", "1. N@e4 *", "1. N@e4: illegal: not a legal move in this variant"),
        ("Antichess", "1. e3 b5 2. a3 *", "2. a3: illegal: not a legal move in this variant"),
        ("Atomic", "1. xyz *", "1. xyz: unknown text: neither a move nor a comment"),
        ("Seirawan", "1. e4 *", "Seirawan: unknown or unsupported variant"),
    ];
    for (variant, moves, message) in cases {
        let outcome = run(&format!("[Variant \"{variant}\"]"), moves, &[]);
        assert_eq!(outcome.status, 1, "{variant}");
        assert!(outcome.stderr.contains(message), "{variant}: {}", outcome.stderr);
    }
}

#[test]
fn registers_are_tracked_across_variants() {
    let pgn =
        "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n[Variant \"Atomic\"]\n\n1. e4 {good} e5 *\n";
    let outcome = program().args(["--ops", "c,sm"]).stdin(pgn).run();
    insta::assert_snapshot!(outcome.text());
}

/// Until a king reaches the center, King of the Hill equals chess: except for the tag, the output
/// is equal.
const AS_CHESS: &str = "[White \"Kasparov\"]\n[Black \"Topalov\"]\n[WhiteElo \"2800\"]\n[BlackElo \"2700\"]\n[Date \"1999.??.??\"]\n\
    [ECO \"C20\"]\n[Opening \"King's Pawn\"]\n[Termination \"Black resigns\"]\n[Result \"1-0\"]\nTAG\n\
    1. e4 {[%eval 0.3] [%clk 0:01:00]} e5 {a [%csl Ra1] comment} 2. Qh5 {+0.25/12 1s, pv=\"Qh5 Nc6 Bc4\"} Nc6 {-M4/20 0.1s} \
    3. Qxf7+ {[%eval #-2]} Kxf7 4. Nf3 Nf6 5. Ng1 Ng8 6. Nf3 Nf6 7. Ng1 Ng8 {Black resigns} 1-0\n";

#[test]
fn facts_templates_labels_and_selections_equal_those_of_chess() {
    let cases: [&[&str]; 34] = [
        &[],
        &["--registers", "full"],
        &["--where", "ply > 3"],
        &["--where", "check or pieces < 32 and turn = w"],
        &["--where", "WhiteElo > 2700 and not (plies < 14 or elo < 2700)"],
        &["--where", "eval < 0 or clock = 60"],
        &["--where", "san ~ 'N' and uci != 'g1f3' and fen and epd"],
        &["--where", "line = 1 and file = '-'"],
        &["--where", "White = 'Topalov'"],
        &["--add", "id={White}-{Black}.{ply}", "--add", "c9={Result}"],
        &[
            "--add",
            "Xx={eval|none} {clock|none} {check} {pieces} {turn} {move} {game} {line} {file} {plies}",
        ],
        &["--add", "bm={uci}", "--add", "pv={san|}", "--add", "Fen={fen}", "--add", "dm={White}"],
        &["--add", "Opening={opening|-} {eco|-} {elo}", "--names", "tags"],
        &["--names", "tags"],
        &["--ops", "rc,acd,acn,acs,ce,dm,pv,resign,draw_claim"],
        &["--ops", "rc", "--ply", "8..12"],
        &["--ops", "rc,sm", "--where", "turn = b"],
        &["--omit", "check"],
        &["--omit", "captures,promotions,checking-moves"],
        &["--eval", "-100..100"],
        &["--comments", "raw"],
        &["--format", "fen", "--ops", "c,rc"],
        &["--format", "perl"],
        &["--format", "c9"],
        &["--format", "bracket", "--omit", "captures,promotions,checking-moves"],
        &["--format", "bullet"],
        &["--format", "c-chess-cli"],
        &["--format", "plain"],
        &["--last"],
        &["--ply", "5..9", "--move", "4.."],
        &["--skip", "2", "--limit", "5"],
        &["--sample", "4", "--seed", "7", "--add", "id={ply}"],
        &["--preset", "tuning"],
        &["--preset", "suite"],
    ];
    for args in cases {
        // Opening tables only name positions of standard chess.
        let names = if args.contains(&"--names") { &[][..] } else { &["--names", "off"] };
        let run = |tag: &str| {
            let pgn = AS_CHESS.replace("TAG", tag);
            program().args(names).args(args).args(["--summary=json"]).stdin(pgn).run()
        };
        let (chess, variant) = (run("[Mode \"OTB\"]"), run("[Variant \"King of the Hill\"]"));
        assert_eq!(variant.text(), chess.text(), "{args:?}");
        let positions = |outcome: &Outcome| {
            let json = outcome.stderr.lines().last().unwrap();
            let json: serde_json::Value = serde_json::from_str(json).unwrap();
            ["games", "positions", "unlabelled", "warnings", "errors"].map(|key| json[key].clone())
        };
        assert_eq!(positions(&variant), positions(&chess), "{args:?}");
        let is_empty = variant.text().is_empty();
        assert_eq!(variant.status, i32::from(is_empty), "{args:?}: {}", variant.stderr);
    }
}

#[test]
fn facts_follow_the_rules_of_the_variant() {
    // In Atomic a capture removes the pieces around it. A dropped pawn comes from the pocket.
    let cases = [
        ("Atomic", "1. Nf3 f6 2. Nd4 e5 3. Ne6 Nc6 4. Nxd8 *", "pieces < 32", 1),
        ("Crazyhouse", "1. e4 d5 2. exd5 Qxd5 3. P@e4 *", "uci = 'P@e4' or san = 'P@e4'", 1),
        ("Crazyhouse", "1. e4 d5 2. exd5 Qxd5 3. P@e4 *", "pieces = 30", 1),
        ("Three-check", "1. e4 f5 2. Qh5+ *", "check", 1),
        ("Horde", "1. e5 *", "pieces > 50 and not check", 2),
        ("Racing Kings", "1. Kh3 *", "key", 0),
        ("Antichess", "1. e3 b5 2. Bxb5 *", "ply >= 2 and turn = w", 1),
    ];
    for (variant, moves, condition, expected) in cases {
        let outcome =
            run(&format!("[Variant \"{variant}\"]"), moves, &["-q", "--where", condition]);
        let status = i32::from(expected == 0);
        assert_eq!((outcome.status, &*outcome.stderr), (status, ""), "{variant}");
        assert_eq!(outcome.lines().len(), expected, "{variant} {condition}");
    }
    // The pocket is part of a repeated position.
    let moves = "1. Nc3 Nc6 2. Nb1 Nb8 3. e4 d5 4. exd5 Nf6 5. P@e4 Ng8 *";
    let pgn = format!("[Variant \"Crazyhouse\"]\n\n{moves}");
    let outcome = program().args(["--ops", "rc", "--registers", "off"]).stdin(pgn).run();
    let counts: Vec<&str> =
        outcome.lines().iter().map(|line| line.split_once(" rc ").unwrap().1).collect();
    assert_eq!(counts.join(""), "1;1;1;1;2;1;1;1;1;1;1;");
}

#[test]
fn conditions_on_the_board_of_chess_are_reported_with_variants() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let board = format!("board ~ \"{START}\"");
    let reached = format!("reached \"{START} w KQkq -\"");
    for (condition, is_reported) in [
        (&*board, true),
        ("not attacks(wQ, bP)", true),
        ("material ~ \"KRvK\" or ply = 1", true),
        ("ply < 9 then attacks(wQ, bP)", true),
        (&reached, true),
        ("moves ~ \"e4\"", false),
        ("pieces = 32 for 2 plies", false),
    ] {
        for (name, text, args) in [
            ("a.pgn", "[Variant \"Atomic\"]\n\n1. e4 e5 *\n".to_owned(), &[][..]),
            ("a.epd", format!("{START} w KQkq -\n"), &["--variant", "atomic"]),
            ("a.pgn", "1. e4 e5 *\n".to_owned(), &[]),
        ] {
            let args = [&["--where", condition, name], args].concat();
            let outcome = program().file(name, &text).args(args).run();
            let found = outcome.stderr.contains("never hold in variants: 1 ");
            let is_variant = name == "a.epd" || text.contains("Atomic");
            assert_eq!(found, is_reported && is_variant, "{condition}: {}", outcome.stderr);
        }
    }
}

#[test]
fn options_without_variants_report_each_game() {
    let cases: [&[&str]; 3] =
        [&["--format", "bracket", "--conflicts", "drop"], &["--format", "crafty"], &["book"]];
    let pgn = AS_CHESS.replace("TAG", "[Variant \"King of the Hill\"]");
    for args in cases {
        let outcome = program().args(args).stdin(format!("{pgn}\n{pgn}")).run();
        assert_eq!(outcome.status, 1, "{args:?}");
        let message = "King of the Hill: games of variants cannot be used here: game skipped";
        assert_eq!(outcome.stderr.matches(message).count(), 2, "{args:?}: {}", outcome.stderr);
    }
}

//! The format of records, and the selection of records.

use super::{GOOD, assert_quiet};
use crate::support::{fixture, program};

#[track_caller]
fn text(args: &[&str], pgn: impl Into<Vec<u8>>) -> String {
    let outcome = program().args(args).stdin(pgn).run();
    let is_empty = outcome.text().is_empty();
    assert_eq!((outcome.status, outcome.stderr.is_empty()), (i32::from(is_empty), !is_empty));
    outcome.text().to_owned()
}

#[test]
fn a_fen_has_six_fields() {
    insta::assert_snapshot!(text(&["--format", "fen"], GOOD), @r"
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
    rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2
    ");
}

#[test]
fn perl_has_four_fields_after_each_move_and_an_empty_line_after_each_game() {
    assert_eq!(
        text(&["--format", "perl"], "1. e4 e5 *\n\n1. d4 *\n"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3\n\
         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6\n\
         \n\
         rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3\n\
         \n"
    );
}

#[test]
fn perl_shows_a_game_without_moves_as_two_empty_lines() {
    let fields = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3\n\n";
    let games = "[White \"A\"]\n\n*\n\n[White \"B\"]\n\n1. d4 *\n\n[White \"C\"]\n\n*\n";
    let records = text(&["--format", "perl"], games);
    assert_eq!(records, format!("\n\n{fields}\n\n"));
    // The text between empty lines contains the positions of each game.
    let played: Vec<bool> = records.split("\n\n").map(|game| !game.is_empty()).collect();
    assert_eq!(played, [false, true, false, false]);
}

#[test]
fn operations_are_selected_and_stay_in_order() {
    let first = |ops| text(&["--ops", ops, "--ply", "0"], GOOD);
    let fields = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let cases = [
        ("none", ""),
        ("sm", " sm e4;"),
        ("fmvn", " fmvn 1;"),
        ("hmvc,fmvn", " fmvn 1; hmvc 0;"),
        ("sm, hmvc", " hmvc 0; sm e4;"),
        ("sm,fmvn,hmvc", " fmvn 1; hmvc 0; sm e4;"),
    ];
    for (ops, expected) in cases {
        assert_eq!(first(ops), format!("{fields}{expected}\n"), "--ops {ops}");
    }
}

#[test]
fn operations_may_follow_a_fen_or_the_fields_of_perl() {
    assert_eq!(
        text(&["--format", "fen", "--ops", "sm", "--ply", "0"], GOOD),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 sm e4;\n"
    );
    assert_eq!(
        text(&["--format", "perl", "--ops", "sm", "--ply", "1"], GOOD),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 sm e5;\n\n"
    );
}

#[test]
fn moves_are_written_in_canonical_san() {
    let pgn = "1. e2e4 e7-e5 2. Ng1f3 Nb8xc6 3. Bb5+ a6 4. 0-0 *";
    let moves = text(&["--ops", "sm"], pgn);
    let moves: Vec<&str> = moves.lines().filter_map(|l| l.split_once("sm ")).map(|x| x.1).collect();
    assert_eq!(moves, ["e4;", "e5;", "Nf3;", "Nc6;", "Bb5;", "a6;", "O-O;"]);
}

#[test]
fn the_en_passant_square_follows_the_policy() {
    // A double step without an adjacent pawn, with an adjacent pawn, and with a capture that would
    // open a file to the king.
    let pgn = "1. e4 a6 2. e5 d5 *\n\n[FEN \"4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1\"]\n\n1... d5 *\n";
    let squares = |policy| {
        let text = text(&["--ep", policy, "--ops", "none", "--omit", "start"], pgn);
        let squares = text.lines().map(|line| line.rsplit(' ').next().unwrap().to_owned());
        squares.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(squares("always"), "e3 - - d6 d6");
    assert_eq!(squares("pseudo"), "- - - d6 d6");
    assert_eq!(squares("legal"), "- - - d6 -");
}

#[test]
fn castling_rights_have_three_styles() {
    let rights = |style, pgn: &str| {
        let text = text(&["--castling", style, "--ply", "0"], pgn);
        text.split(' ').nth(2).unwrap().to_owned()
    };
    let inner = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/5KRR w G - 0 1\"]\n\n*";
    for (style, usual, of_inner) in
        [("xfen", "KQkq", "G"), ("shredder", "HAha", "G"), ("standard", "KQkq", "K")]
    {
        assert_eq!(rights(style, GOOD), usual, "{style}");
        assert_eq!(rights(style, inner), of_inner, "{style}");
    }
}

#[test]
fn a_blank_line_may_follow_each_game() {
    let text =
        text(&["--blank-line", "--ops", "none", "--last"], "1. e4 *\n\n[Event \"x\"]\n\n*\n");
    insta::assert_snapshot!(text, @r"
    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3

    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
    ");
    assert!(text.ends_with("-\n\n"));
}

#[test]
fn positions_are_selected_by_ply() {
    let game = fixture("immortal.pgn");
    let all = text(&["--registers", "off"], &*game);
    let all: Vec<&str> = all.lines().collect();
    assert_eq!(all.len(), 46);
    let cases: [(&[&str], std::ops::Range<usize>); 13] = [
        (&["--omit", "start"], 1..46),
        (&["--ply", "8..24"], 8..25),
        (&["--ply", "40.."], 40..46),
        (&["--ply", "..3"], 0..4),
        (&["--ply", "16"], 16..17),
        (&["--ply", "45"], 45..46),
        (&["--ply", "46.."], 0..0),
        (&["--omit", "start", "--ply", "..3"], 1..4),
        (&["--last"], 45..46),
        (&["--move", "5..12"], 8..24),
        (&["--move", "23"], 44..46),
        (&["--move", "..2", "--ply", "1.."], 1..4),
        (&["--move", "24..", "--last"], 0..0),
    ];
    for (args, range) in cases {
        let args = [args, &["--registers", "off"]].concat();
        let chosen = text(&args, &*game);
        assert_eq!(chosen.lines().collect::<Vec<_>>(), all[range], "{args:?}");
    }
}

#[test]
fn the_last_position_is_the_last_of_the_game() {
    let pgn = "1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
    let last = text(&["--last", "--ply", "..2", "--ops", "none"], pgn);
    insta::assert_snapshot!(last, @"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3");
}

#[test]
fn chess960_castles_with_the_rooks_it_has() {
    let text = text(&["--last", "--ops", "none"], fixture("chess960.pgn"));
    insta::assert_snapshot!(text, @r"
    1qbbrrkn/pppp1ppp/1n6/4p3/4P3/1N6/PPPP1PPP/1QBBRRKN w - -
    bq1r1rkb/pppppp1p/1n3np1/8/8/1N1P1NP1/PPP1PP1P/BQKR1R1B b - -
    8/3k4/8/8/8/7R/8/5RK1 b - -
    ");
}

#[test]
fn jobs_and_chunks_do_not_matter() {
    let pgn = fixture("classics.pgn");
    let expected = text(&[], &*pgn);
    for args in [&["-j", "1"][..], &["-j", "3", "--chunk-bytes", "64"], &["--chunk-bytes", "1K"]] {
        assert_eq!(text(args, &*pgn), expected, "{args:?}");
    }
}

#[test]
fn comments_are_registers() {
    for registers in ["delta", "full"] {
        let args = ["-q", "--ops", "c,sm", "--registers", registers];
        insta::assert_snapshot!(
            format!("comments-{registers}"),
            text(&args, fixture("annotated.pgn"))
        );
    }
}

#[test]
fn variations_follow_the_position_that_they_leave() {
    let outcome = program().args(["--variations", "-"]).stdin(fixture("annotated.pgn")).run();
    assert_eq!(outcome.status, 1);
    insta::assert_snapshot!(
        "variations",
        format!("{}{}", outcome.text(), outcome.stderr.lines().next().unwrap())
    );
}

#[test]
fn the_place_of_a_variation_is_an_ordinary_operation() {
    let run = |args: &[&str]| {
        program()
            .arg("--variations")
            .args(args)
            .arg("-")
            .stdin("1. e4 (1. d4 d5 (1... c5)) *")
            .run()
    };
    let variation = |args: &[&str]| run(args).lines()[2].to_owned();
    let fields = "rnbqkbnr/pp1ppppp/8/2p5/3P4/8/PPP1PPPP/RNBQKBNR w KQkq";
    let cases: [(&[&str], &str); 5] = [
        (&["--ops", "Rav"], r#"c6 Rav "0 d4 1 c5";"#),
        (&["--ops", "none"], "c6"),
        (&["--ops", "sm", "--registers", "off"], "c6"),
        (&["--preset", "match"], "- fmvn 2; hmvc 0;"),
        (&["--format", "fen"], "c6 0 2"),
    ];
    for (args, rest) in cases {
        assert_eq!(variation(args), format!("{fields} {rest}"), "{args:?}");
    }
}

#[test]
fn an_error_in_a_variation_ends_only_the_variation() {
    let cases = [
        (
            "1. e4 (1. Ke5) e5 *",
            "1:11: game 1, 1. Ke5: in a variation: illegal: no white king can reach e5",
        ),
        (
            "1. e4 (1. d4 xyz d5) e5 *",
            "1:14: game 1, 1... xyz: in a variation: unknown text: neither a move nor a comment",
        ),
    ];
    for (pgn, message) in cases {
        for on_error in ["keep", "skip", "stop"] {
            let args = ["--variations", "--on-error", on_error, "--ops", "Rav,sm"];
            let outcome = program().args(args).stdin(pgn).run();
            let main = outcome.lines().into_iter().filter(|line| !line.contains("Rav"));
            assert_eq!(main.count(), 3, "{pgn}");
            assert!(outcome.stderr.starts_with(&format!("-:{message}\n")), "{}", outcome.stderr);
            assert_eq!(outcome.status, 1);
        }
    }
}

#[test]
fn variations_are_played_down_to_a_hundred_levels() {
    let run = |levels: usize| {
        let (open, close) = ("(1... e5 ".repeat(levels), ")".repeat(levels));
        program().arg("--variations").stdin(format!("1. e4 e5 {open} {close} *")).run()
    };
    let outcome = run(100);
    // For the deepest variations the operation Rav cannot contain all levels.
    assert_eq!((outcome.status, &*outcome.stderr), (0, "-: note: 49 strings shortened\n"));
    assert_eq!(outcome.lines().len(), 103);
    let outcome = run(101);
    assert_eq!((outcome.status, outcome.lines().len()), (1, 103));
    assert!(outcome.stderr.contains("variations nested more than 100 levels deep: omitted"));
}

#[test]
fn crafty_records_omit_trailing_empty_squares() {
    let run = program().args(["--format", "crafty", "-"]).stdin("1. e4 Nf6 2. e5 d5 *").run();
    assert_quiet(&run);
    assert_eq!(
        run.lines(),
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq -",
            "rnbqkbnr/pppppppp/8/8/4P/8/PPPP1PPP/RNBQKBNR/ b KQkq -",
            "rnbqkb1r/pppppppp/5n/8/4P/8/PPPP1PPP/RNBQKBNR/ w KQkq -",
            "rnbqkb1r/pppppppp/5n/4P/8/8/PPPP1PPP/RNBQKBNR/ b KQkq -",
            "rnbqkb1r/ppp1pppp/5n/3pP/8/8/PPPP1PPP/RNBQKBNR/ w KQkq d5 -",
        ]
    );
    let back = program().args(["check", "--fix", "--dialect", "crafty"]).stdin(run.stdout).run();
    assert_quiet(&back);
    let legal =
        program().args(["--ep", "legal", "--ops", "none"]).stdin("1. e4 Nf6 2. e5 d5 *").run();
    assert_eq!(back.text(), legal.text());
}

#[test]
fn characters_outside_of_ascii_are_replaced_on_request() {
    let game = "[White \"Réti\"]\n[Black \"Łódź\"]\n\n1. e4 {“best” по тесту — 王} e5 *\n";
    let args = ["--ops", "c", "--registers", "full", "--add", "id={White}-{Black}", "--ply", "1"];
    let run = |more: &[&str]| program().args(args).args(more).stdin(game).run();
    let fields = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
    assert_eq!(
        run(&["--ascii"]).text(),
        format!("{fields} c0 \"Reti - Lodz\"; c1 \"'best' po testu -- Wang\"; id \"Reti-Lodz\";\n")
    );
    assert_eq!(
        run(&[]).text(),
        format!("{fields} c0 \"Réti - Łódź\"; c1 \"“best” по тесту — 王\"; id \"Réti-Łódź\";\n")
    );
    // A reader of either output has the same registers.
    let whole = program().args(["--ascii", "--names", "tags", "--unique"]).stdin(game).run();
    assert!(whole.stdout.is_ascii() && whole.lines().len() == 3, "{}", whole.text());
}

#[test]
fn a_string_that_grows_by_ascii_is_cut_and_counted() {
    let game = format!("1. e4 {{{}}} e5 *\n", "щ".repeat(120));
    let outcome = program()
        .args(["--ascii", "--registers", "full", "--ops", "c", "--ply", "1", "--summary=json"])
        .stdin(game)
        .run();
    let string = outcome.text().split('"').nth(1).unwrap().len();
    assert_eq!(string, 255);
    assert!(outcome.stderr.contains("\"shortened\":1"), "{}", outcome.stderr);
}

/// The convention belongs to the game, as the option UCI_Chess960 of engines, not to the move.
#[test]
fn castling_in_a_game_of_chess960_is_the_king_taking_its_rook_in_uci_notation() {
    let game = |tags: &str, fen: &str| {
        format!("{tags}[FEN \"{fen} w KQkq - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O-O Nf6 2. e4 O-O *\n\n")
    };
    let usual = "r3k1nr/pppppppp/8/8/8/8/PPPPPPPP/R3K1NR";
    let other = "1r2k1nr/pppppppp/8/8/8/8/PPPPPPPP/1R2K1NR";
    let cases = [
        ("[Variant \"Chess960\"]\n", usual, "e1a1", "e8h8", "e8h8"),
        ("[Variant \"Chess960\"]\n", other, "e1b1", "e8h8", "e8h8"),
        ("", other, "e1b1", "e8h8", "e8h8"),
        ("", usual, "e1c1", "e8g8", "e8g8"),
        ("[Variant \"From Position\"]\n", usual, "e1c1", "e8g8", "e8g8"),
    ];
    for (tags, fen, long, short, legal) in cases {
        let pgn = game(tags, fen);
        let run = |args: &[&str]| {
            let outcome = program().args(args).stdin(&*pgn).run();
            assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{args:?}");
            outcome.text().to_owned()
        };
        let rows = run(&["--rows", "games", "--format", "csv", "--columns", "uci"]);
        assert_eq!(rows, format!("uci\n{long} g8f6 e2e4 {short}\n"));
        let rows = run(&["--format", "csv", "--columns", "from,to", "--where", "san ~ 'O-O'"]);
        assert_eq!(rows, "from,to\n4,2\n60,62\n", "{pgn}");
        let rows = run(&["--format", "csv", "--columns", "legal_moves", "--ply", "3"]);
        assert!(rows.split([' ', '\n']).any(|word| word == legal), "{rows}");
        let records = run(&["--ops", "none", "--add", "My={uci}"]);
        assert!(records.contains(&format!("My \"{long}\"")), "{records}");
        let found = run(&["--where", &format!("uci = '{short}'")]);
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    let table = program()
        .args(["book", "--format", "csv", "--ply", "3"])
        .stdin(game("[Variant \"Chess960\"]\n", other))
        .run();
    assert!(table.text().contains(",O-O,e8h8,"), "{}", table.text());
    let plain = "[Result \"1-0\"]\n[Variant \"Chess960\"]\n[FEN \"r3k1nr/8/8/8/8/8/8/R3K1NR w KQkq - 0 1\"]\n\n\
        1. O-O-O {+0.1/9 1s} Nf6 1-0\n";
    let plain = program().args(["--format", "plain"]).stdin(plain).run();
    assert!(plain.text().contains("\nmove e1a1\n"), "{}", plain.text());
}

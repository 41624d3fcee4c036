//! The words of `--games`: parts of games that are left out, notations, games from the first
//! selected position to the last.

use pgn2epd::Options;

use crate::support::{convert, jobs, program};

const TAGS: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n";

const GAME: &str = "[Result \"1-0\"]\n[Opening \"x\"]\n[WhiteElo \"2000\"]\n\n{a} 1. e4! {b [%clk 0:01] [%eval 0.3] c} \
    (1. d4 {d} d5 $2 (1... Nf6 2. c4)) 1... e5 $10 2. Nf3 {[%emt 0:02]} (2. f4) 2... d6 3. d4 Bg4 \
    4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. O-O {e} 1-0\n";

/// The game with other options, without its line ends.
#[track_caller]
fn form(games: &str, more: &[(&str, &str)]) -> (String, String) {
    let names = [("format", "pgn"), ("games", games)];
    let options = Options::from_names(names.iter().chain(more).copied()).unwrap();
    let converted = convert(GAME.as_bytes(), &options);
    let chunks = convert(GAME.as_bytes(), &options.jobs(jobs(3)).chunk_bytes(64));
    assert!(chunks.output == converted.output, "{games}");
    let text = String::from_utf8(converted.output).unwrap();
    let (tags, moves) = text.split_once("\n\n").unwrap_or_else(|| panic!("{games}: {text}"));
    let tags = tags.strip_prefix(TAGS.trim_end()).unwrap();
    (tags.trim().to_owned(), moves.trim_end().replace('\n', " "))
}

#[test]
fn parts_of_games_are_left_out() {
    const ALL: &str = "[Result \"1-0\"]\n[Opening \"x\"]\n[WhiteElo \"2000\"]";
    const REST: &str = "d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. O-O";
    let cases = [
        (
            "normal",
            "{a} 1. e4 $1 {b [%clk 0:01] [%eval 0.3] c} (1. d4 {d} 1... d5 $2 (1... Nf6 2. c4)) \
             1... e5 $10 2. Nf3 {[%emt 0:02]} (2. f4) 2... REST {e} 1-0",
        ),
        (
            "no-comments",
            "1. e4 $1 (1. d4 d5 $2 (1... Nf6 2. c4)) 1... e5 $10 2. Nf3 (2. f4) 2... REST 1-0",
        ),
        (
            "no-clocks",
            "{a} 1. e4 $1 {b [%eval 0.3] c} (1. d4 {d} 1... d5 $2 (1... Nf6 2. c4)) \
             1... e5 $10 2. Nf3 (2. f4) 2... REST {e} 1-0",
        ),
        (
            "no-commands",
            "{a} 1. e4 $1 {b c} (1. d4 {d} 1... d5 $2 (1... Nf6 2. c4)) 1... e5 $10 2. Nf3 (2. f4) \
             2... REST {e} 1-0",
        ),
        (
            "no-nags",
            "{a} 1. e4 {b [%clk 0:01] [%eval 0.3] c} (1. d4 {d} 1... d5 (1... Nf6 2. c4)) 1... e5 \
             2. Nf3 {[%emt 0:02]} (2. f4) 2... REST {e} 1-0",
        ),
        (
            "no-variations",
            "{a} 1. e4 $1 {b [%clk 0:01] [%eval 0.3] c} 1... e5 $10 2. Nf3 {[%emt 0:02]} 2... REST \
             {e} 1-0",
        ),
        ("no-variations,no-comments,no-nags", "1. e4 e5 2. Nf3 REST 1-0"),
    ];
    for (games, moves) in cases {
        let expected = (ALL.to_owned(), moves.replace("REST", REST));
        assert_eq!(form(games, &[]), expected, "{games}");
        assert_eq!(form(games, &[("variations", "true")]), expected, "{games}");
    }
    assert_eq!(form("no-tags", &[]).0, "[Result \"1-0\"]");
    let pgn =
        "[Variant \"Atomic\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n[ECO \"x\"]\n\n1. Ra7 *\n";
    let outcome =
        program().args(["--format", "pgn", "--games", "no-tags,no-variations"]).stdin(pgn).run();
    let start = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n";
    let expected = format!("{TAGS}[Result \"*\"]\n[Variant \"Atomic\"]\n{start}\n1. Ra7 *\n\n");
    assert_eq!(outcome.text(), expected, "{}", outcome.stderr);
}

#[test]
fn moves_are_in_three_notations() {
    let plain = "no-variations,no-comments,no-nags";
    let cases = [
        (
            "uci",
            "1. e2e4 e7e5 2. g1f3 d7d6 3. d2d4 c8g4 4. d4e5 g4f3 5. d1f3 d6e5 6. f1c4 g8f6 7. e1g1",
        ),
        (
            "lan",
            "1. e2-e4 e7-e5 2. Ng1-f3 d7-d6 3. d2-d4 Bc8-g4 4. d4xe5 Bg4xf3 5. Qd1xf3 d6xe5 \
             6. Bf1-c4 Ng8-f6 7. O-O",
        ),
    ];
    for (notation, moves) in cases {
        assert_eq!(form(&format!("{plain},{notation}"), &[]).1, format!("{moves} 1-0"));
    }
    let pgn = "[FEN \"3r3k/2P2P1P/8/8/8/N7/8/N3K3 w - - 0 1\"]\n\n1. cxd8=Q+ Kg7 2. f8=N -- 3. N1c2 \
        Kh6 4. h8=R+ *\n";
    for (notation, moves) in [
        ("lan", "1. c7xd8=Q+ Kh8-g7 2. f7-f8=N -- 3. Na1-c2 Kg7-h6 4. h7-h8=R+ *"),
        ("uci", "1. c7d8q h8g7 2. f7f8n -- 3. a1c2 g7h6 4. h7h8r *"),
    ] {
        let args = ["--null-moves", "--format", "pgn", "--games", notation];
        let outcome = program().args(args).stdin(pgn).run();
        assert!(outcome.text().ends_with(&format!("\n\n{moves}\n\n")), "{}", outcome.text());
        // All of them are read again.
        let back = ["--null-moves", "--format", "pgn", "--games", "normal"];
        let back = program().args(back).stdin(outcome.text()).run();
        let san = "1. cxd8=Q+ Kg7 2. f8=N -- 3. N1c2 Kh6 4. h8=R+ *";
        assert!(
            back.text().ends_with(&format!("\n\n{san}\n\n")),
            "{} {}",
            back.text(),
            back.stderr
        );
    }
}

#[test]
fn a_variation_in_normal_form_may_begin_with_a_null_move() {
    let pgn = "1. e4 e5 (1... -- 2. d4 (2. f4) 2... --) (1... e6 2. -- d5 3. --) 2. Nf3 *\n";
    let args = ["--null-moves", "--format", "pgn", "--games", "normal"];
    let outcome = program().args(args).stdin(pgn).run();
    let moves = "1. e4 e5 (1... -- 2. d4 (2. f4) 2... --) (1... e6 2. -- d5 3. --) 2. Nf3 *\n\n";
    assert!(outcome.text().ends_with(moves), "{}", outcome.text());
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    let again = program().args(args).stdin(outcome.text()).run();
    assert_eq!(again.text(), outcome.text());
    let positions = ["--null-moves", "--variations", "--format", "fen", "--move", "2"];
    let positions = program().args(positions).stdin(pgn).run();
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2\n";
    assert!(positions.text().starts_with(after), "{}", positions.text());
    assert_eq!((positions.status, &*positions.stderr), (0, ""));
}

#[test]
fn a_game_is_cut_to_its_selected_positions() {
    const START: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let setup = |fen: &str| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]");
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);
    let cases: [Case<'_>; 6] = [
        (
            &[("ply", "..3")],
            "",
            "{a} 1. e4 $1 {b [%clk 0:01] [%eval 0.3] c} (1. d4 {d} 1... d5 $2 (1... Nf6 2. c4)) \
             1... e5 $10 2. Nf3 {[%emt 0:02]} (2. f4) 1-0",
        ),
        (&[("ply", "3..5")], START, "2... d6 3. d4 1-0"),
        (
            &[("ply", "12..")],
            "rn1qkb1r/ppp2ppp/5n2/4p3/2B1P3/5Q2/PPP2PPP/RNB1K2R w KQkq - 2 7",
            "7. O-O {e} 1-0",
        ),
        (&[("ply", "3")], START, "1-0"),
        // From the first position with fewer pieces to the last.
        (
            &[("where", "pieces < 32 and turn = b")],
            "rn1qkbnr/ppp2ppp/3p4/4P3/4P1b1/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4",
            "4... Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. O-O {e} 1-0",
        ),
        // A position of a variation alone selects the whole game.
        (
            &[("variations", "true"), ("where", "board ~ \"8/8/8/8/4PP2/8/8/8\""), ("ply", "3")],
            "",
            "{a} 1. e4 $1 {b [%clk 0:01] [%eval 0.3] c} (1. d4 {d} 1... d5 $2 (1... Nf6 2. c4)) \
             1... e5 $10 2. Nf3 {[%emt 0:02]} (2. f4) 2... d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 \
             6. Bc4 Nf6 7. O-O {e} 1-0",
        ),
    ];
    for (options, fen, moves) in cases {
        let (tags, cut) = form("selected", options);
        let expected = if fen.is_empty() { String::new() } else { setup(fen) };
        let tags =
            tags.strip_prefix("[Result \"1-0\"]\n[Opening \"x\"]\n[WhiteElo \"2000\"]").unwrap();
        assert_eq!((tags.trim(), &*cut), (&*expected, moves), "{options:?}");
    }
}

#[test]
fn openings_are_tags_of_games() {
    let (tags, _) = form("openings,no-tags", &[]);
    assert_eq!(tags, "[Result \"1-0\"]\n[ECO \"C41\"]\n[Opening \"Philidor Defense\"]");
    // Corrected, and of the whole game.
    let (tags, _) = form("openings,selected", &[("ply", "..2")]);
    let expected =
        "[Result \"1-0\"]\n[Opening \"Philidor Defense\"]\n[WhiteElo \"2000\"]\n[ECO \"C41\"]";
    assert_eq!(tags, expected);
}

#[test]
fn words_without_a_meaning_are_refused() {
    let cases = [
        ("--games uci games.pgn", "--games is for"),
        ("--format pgn --games uci,lan games.pgn", "exclude each other"),
        ("--format pgn --games unchanged,no-tags games.pgn", "exclude each other"),
        ("--format pgn --games short games.pgn", "choose from unchanged, normal, selected"),
        (
            "--format pgn --games uci a.epd",
            "a.epd: --games uci is for games; this file has positions",
        ),
    ];
    for (args, message) in cases {
        let shell = program().file("games.pgn", GAME).file("a.epd", "8/8/8/8/8/k7/8/K7 w - -\n");
        let outcome = shell.args(args.split(' ')).run();
        assert_eq!(outcome.status, 2, "{args}");
        assert!(outcome.stderr.contains(message), "{args}: {}", outcome.stderr);
    }
}

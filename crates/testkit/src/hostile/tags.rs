//! Tag sections: truncated, glued together, repeated, and with invalid start positions.

use super::{Inputs, SOUND, between};

pub(super) fn add(inputs: &mut Inputs) {
    inputs.extend([
        ("tag_section_only", b"[Event \"x\"]\n[Site \"y\"]\n".to_vec()),
        ("tag_section_without_line_end", b"[Event \"x\"]".to_vec()),
        ("tag_cut_in_its_name", b"[Even".to_vec()),
        ("tag_cut_behind_its_name", b"[Event ".to_vec()),
        ("tag_cut_in_its_value", b"[Event \"x".to_vec()),
        ("tag_cut_behind_its_value", b"[Event \"x\"".to_vec()),
        ("tag_cut_behind_a_backslash", b"[Event \"x\\".to_vec()),
        ("unterminated_value", between("[Event \"x]\n[Site \"y\"]\n\n1. e4 *")),
        ("unterminated_tag", between("[Event \"x\"\n[Site \"y\"]\n\n1. e4 *")),
        ("value_without_quotes", between("[Event x]\n[Round 3]\n\n1. e4 *")),
        ("tag_without_value", between("[Event]\n[Site ]\n[]\n[ ]\n\n1. e4 *")),
        ("value_over_lines", between("[Event \"one\ntwo\n\nthree\"]\n\n1. e4 *")),
        ("value_with_escapes", between(r#"[Event "a \"b\" \\ ] [Site \"c\"] \x"]"#)),
        ("value_with_inner_quotes", between("[White \"John \"The Rook\" Doe\"]\n\n1. e4 *")),
        ("value_that_looks_like_movetext", between("[Event \"1. e4 {x} (y) ; 1-0\"]\n\n1. d4 *")),
        ("value_that_looks_like_tags", between("[Event \"\n[Event \"y\"]\n\"]\n\n1. d4 *")),
        ("very_long_value", between(format!("[Event \"{}\"]\n\n1. e4 *", "x".repeat(300_000)))),
        ("very_long_name", between(format!("[{} \"x\"]\n\n1. e4 *", "N".repeat(100_000)))),
        ("many_tags", {
            let tags: String = (0..20_000).map(|n| format!("[Tag{n} \"{n}\"]\n")).collect();
            between(format!("{tags}\n1. e4 *"))
        }),
        ("tags_on_one_line", between("[Event \"x\"] [Site \"y\"][Round \"1\"] 1. e4 e5 *")),
        ("tags_with_odd_spaces", between("  [ Event   \"x\" ]\n\t[Site\"y\"  ]\n\n1. e4 *")),
        ("tag_over_lines", between("[\nEvent\n\"x\"\n]\n\n1. e4 *")),
        ("text_behind_a_tag", between("[Event \"x\"] hello\n[Site \"y\"] ; hello\n\n1. e4 *")),
        (
            "comment_among_tags",
            between("[Event \"x\"]\n{hello\n}\n; hello\n[Site \"y\"]\n\n1. e4 *"),
        ),
        (
            "blank_lines_among_tags",
            between("[Event \"x\"]\n\n[Site \"y\"]\n\n\n[Round \"1\"]\n1. e4 *"),
        ),
        ("tag_in_movetext", between("1. e4 [Event \"x\"] e5 *")),
        (
            "repeated_tags",
            between("[Event \"x\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Event \"y\"]\n\n*"),
        ),
        ("no_blank_line_behind_tags", between("[Event \"x\"]\n[Site \"y\"]\n1. e4 e5 *")),
        ("tag_only_games", "[Event \"x\"]\n[Result \"*\"]\n\n".repeat(5000).into_bytes()),
        ("tag_only_games_with_result", "[Event \"x\"]\n\n*\n\n".repeat(5000).into_bytes()),
        ("result_tag_differs", between("[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 0-1")),
        (
            "empty_values",
            between("[Event \"\"]\n[FEN \"\"]\n[Variant \"\"]\n[Result \"\"]\n\n1. e4 *"),
        ),
        ("brackets_only", between("[[[[]]]][[\n]]\n[\n")),
        ("fen_no_chess", fen("this is not a position", "1. e4")),
        ("fen_empty_board", fen("8/8/8/8/8/8/8/8 w - - 0 1", "1. e4")),
        ("fen_two_kings", fen("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "1. Kd1")),
        ("fen_opponent_in_check", fen("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "1. Rxe8")),
        ("fen_pawn_on_the_last_rank", fen("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "1. Kd1")),
        ("fen_nine_files", fen("rnbqkbnr/ppppppppp/8/8/8/8/8/4K3 w - - 0 1", "1. Kd1")),
        ("fen_seven_ranks", fen("4k3/8/8/8/8/8/4K3 w - - 0 1", "1. Kd1")),
        ("fen_castling_without_rook", fen("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "1. O-O")),
        ("fen_impossible_en_passant", fen("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "1. Kd1")),
        ("fen_huge_clocks", fen("4k3/8/8/8/8/8/8/4K3 w - - 4294967295 4294967295", "1. Kd1 Kd8")),
        ("fen_overflowing_clocks", fen("4k3/8/8/8/8/8/8/4K3 w - - 99999999999 -1", "1. Kd1")),
        ("fen_two_fields", fen("4k3/8/8/8/8/8/8/4K3 b", "1... Kd8")),
        ("fen_odd_spaces", fen("  4k3/8/8/8/8/8/8/4K3   w  -  -  0  1  ", "1. Kd1")),
        ("fen_many_queens", fen("QQQQkQQQ/8/8/8/8/8/8/QQQQKQQQ b - - 0 1", "1... Kd7")),
        ("fen_black_begins", fen("4k3/8/8/8/8/8/4p3/4K3 b - - 0 7", "7... Kd7 8. Kxe2 Kd6")),
        ("fen_stalemate", fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "")),
        ("fen_without_setup", between("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd1 *")),
        ("setup_without_fen", between("[SetUp \"1\"]\n\n1. e4 *")),
        (
            "setup_0_with_fen",
            between("[SetUp \"0\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*"),
        ),
        ("unknown_variant", between("[Variant \"Four-dimensional\"]\n\n1. e4 e5 *")),
        ("known_variants", {
            let names = ["Crazyhouse", "Atomic", "Antichess", "Horde", "Racing Kings", "Seirawan"];
            names.map(|name| format!("[Variant \"{name}\"]\n\n1. e4 e5 *\n\n")).concat().into()
        }),
        ("chess960_without_fen", between("[Variant \"Chess960\"]\n\n1. e4 e5 *")),
        ("games_with_and_without_blank_lines", {
            let bare = SOUND.replace("\n\n", "\n");
            [SOUND, &bare, &bare, SOUND].concat().into()
        }),
    ]);
}

fn fen(fen: &str, moves: &str) -> Vec<u8> {
    between(format!("[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *"))
}
